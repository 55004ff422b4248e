"""Lemma C.1 of Zhang et al. (2023): moments and a tail on the sphere, as the utility analysis uses them.

u is uniform on the unit sphere of R^d. Its law does not change under rotations, so that H can be taken as diagonal.
"""

from dpaudit.claims.writing import *

HERE = "zeroth/LEM-C1"
D, MANY = integer("d", "[2, oo)", "dimension"), integer("d", "[1, oo)", "dimension")
ENTRIES, EIGEN = sequence("a", meaning="entries of a"), sequence("h", "[0, oo)", "eigenvalues of H")
TRACE = trace("h", "d")
SHARE = real("s", "(0, 1]", "C_0^2/|a|^2")
FOUR, MIXED = real("four", "[0, 1]", "E u_1^4"), real("mixed", "[0, 1]", "E u_1^2 u_2^2")
FOURTH = ("(2*four + 6*mixed)/4 == four", "d*four + d*(d - 1)*mixed == 1")
THRICE = "four == 3*mixed"
TAIL = "beta_tail(1/2, (d - 1)/2, s)"
CHERNOFF = "(2/(1 + s))**(1/2)*(1 + s/2)**(-(d - 1)/2)"
PRINTED_TAIL = "2*sqrt(2*pi)*exp(-d*s/8)"
LOGS = (
    Have(
        "s/4 <= log(1 + s/2)",
        (Monotone("s", "low", (Scale("1 + s/2"), Combine((("1/8", "s <= 1"), ("1/8", "0 <= 1"))))),),
    ),
    Have("-log(1 + s) <= 0"),
)


def with_factor(factor):
    """The tail is at most this factor times exp(-d s/8)."""
    return (
        Have(f"{TAIL} <= {CHERNOFF}", (ByTheorem(f"{HERE}/chernoff"),)),
        Bound(left=CHERNOFF, argument=(Combine(((("1"), f"{TAIL} <= {CHERNOFF}"),)),)),
        Logarithm(),
        Rewrite(
            left="1/2*log(2) - 1/2*log(1 + s) - (d - 1)/2*log(1 + s/2)",
            right=f"log({factor}) - d*s/8",
        ),
        *LOGS,
        Have(f"1/2*log(2) + 1/8 <= log({factor})", (Boxes(),)),
        Combine(
            (
                ("(d - 1)/2", "s/4 <= log(1 + s/2)"),
                ("1/2", "-log(1 + s) <= 0"),
                ("1", f"1/2*log(2) + 1/8 <= log({factor})"),
                ("1/8", "s <= 1"),
            )
        ),
    )


CLAIM = Claim(
    id=HERE,
    title="the tail bound on the inner product of a fixed vector a and a random direction holds. Encoded: for d >= 2 "
    "and 0 < C_0 <= |a|; `edge` has C_0 = 0 and d = 1, and above |a| the probability is 0",
    words=(
        "(76): P(|<u, a>| >= C_0) <= 2 sqrt(2 pi) exp(-d C_0^2/(8 |a|^2)) for u uniform on the unit sphere. Encoded: "
        "for d >= 2 and s = C_0^2/|a|^2 in (0, 1], where <u, a>^2/|a|^2 follows Beta(1/2, (d - 1)/2); for s > 1 the "
        "left side is 0, for s = 0 and for d = 1 the right side is above 1 (`edge`)."
    ),
    place="(76)",
    printed=r"\mathbb{P}\left(|\left\langle u,\nabla\bar{\ell}(x)\right\rangle|\geq C_{0}\right)\leq 2\sqrt{2\pi}"
    r"\exp(-\frac{dC_{0}^{2}}{8\|\nabla\bar{\ell}(x)\|^{2}})",
    kind=ClaimKind.TAIL,
    statement=Statement(f"{TAIL} <= {PRINTED_TAIL}", (D, SHARE)),
    rests_on=("haar-beta",),
    argument=with_factor("2*sqrt(2*pi)"),
    mutants=(
        mutant("rate", "d s in place of d s/8", f"{TAIL} <= 2*sqrt(2*pi)*exp(-d*s)", "d=20 s=1/2"),
        mutant("factor", "9/10 in place of 2 sqrt(2 pi)", f"{TAIL} <= 9/10*exp(-d*s/8)", "d=2 s=1/1000"),
    ),
    tightness=(
        Tightness(
            "factor",
            "2*sqrt(2*pi)",
            f"{TAIL} <= {{c}}*exp(-d*s/8)",
            "161/100",
            "99/100",
            argument=with_factor("161/100"),
            candidates=(point("d=2 s=1/10000"),),
        ),
    ),
    steps=(
        step(
            "i",
            "E u^T H u = Tr(H)/d. Encoded: with H diagonal and E u_j^2 = 1/d",
            "sum(j, 1, d, h[j]*(1/d)) == (" + TRACE + ")/d",
            (MANY, EIGEN),
            kind=ClaimKind.MOMENT,
            reads=Reads.REASON,
            place="(85), (89)",
            rests_on=(f"{HERE}/second",),
            candidates=(point("d=2 h=[0,1,3]"),),
        ),
        step(
            "ii",
            "E <a, u>^2 = |a|^2/d: E u_j^2 = 1/d, and u_i u_j has mean 0 for i different from j. Encoded: the squares",
            "sum(j, 1, d, a[j]**2*(1/d)) == sum(j, 1, d, a[j]**2)/d",
            (MANY, ENTRIES),
            kind=ClaimKind.MOMENT,
            reads=Reads.GAP,
            place="(93)",
            rests_on=(f"{HERE}/second",),
            candidates=(point("d=2 a=[0,1,3]"),),
        ),
        step(
            "iv",
            "E <a, u>^2 u^T H u = (2 a^T H a + |a|^2 Tr H)/(d (d + 2)), twice which (86) has. Encoded: with H diagonal "
            "and the means of u_i^2 u_j^2 and u_j^4 of `fourth` and `fourth-power`; odd products have mean 0",
            "sum(j, 1, d, a[j]**2*(3/(d*(d + 2))*h[j] + 1/(d*(d + 2))*(tr - h[j])))"
            " == (2*sum(j, 1, d, a[j]**2*h[j]) + sum(j, 1, d, a[j]**2)*tr)/(d*(d + 2))",
            (MANY, ENTRIES, EIGEN, real("tr", "[0, oo)", "Tr H, so that Tr H - h_j is the sum over the others")),
            kind=ClaimKind.MOMENT,
            reads=Reads.REASON,
            place="(86)",
            printed=r"\frac{2d}{d^2(d+2)}\left(2\nabla\bar\ell(w_t)^TH\nabla\bar\ell(w_t)"
            r"+\|\nabla\bar\ell(w_t)\|^2Tr(H)\right)",
            rests_on=ids(HERE, "fourth fourth-power"),
            candidates=(point("d=2 a=[0,1,3] h=[0,1,5] tr=6"),),
        ),
        step(
            "second",
            "the d coordinates of u have one law, and their squares add up to 1: E u_j^2 = 1/d",
            "m == 1/d",
            (MANY, real("m", "[0, 1]", "E u_1^2")),
            ("d*m == 1",),
            kind=ClaimKind.MOMENT,
            place="(85), (89)",
            argument=(Scale("d"), Solve()),
            candidates=(point("d=2 m=1/2"),),
            rests_on=("rotation-invariance",),
        ),
        step(
            "fourth",
            "(u_1 + u_2)/sqrt(2) has the law of u_1, and the square of |u|^2 is 1: E u_1^2 u_2^2 = 1/(d (d + 2))",
            "mixed == 1/(d*(d + 2))",
            (D, FOUR, MIXED),
            FOURTH,
            kind=ClaimKind.MOMENT,
            place="(86)",
            argument=(
                Have(THRICE, (Combine((("-2", "(2*four + 6*mixed)/4 == four"),)),)),
                Substitute((), where("four=3*mixed"), ()),
                Scale("d*(d + 2)"),
                Solve(),
            ),
            candidates=(point("d=3 four=1/5 mixed=1/15"),),
            rests_on=("rotation-invariance",),
        ),
        step(
            "fourth-power",
            "E u_1^4 = 3/(d (d + 2)), three times E u_1^2 u_2^2 (`fourth`)",
            "four == 3/(d*(d + 2))",
            (D, FOUR, MIXED),
            FOURTH,
            kind=ClaimKind.MOMENT,
            place="(86)",
            argument=(
                Have("mixed == 1/(d*(d + 2))", (ByTheorem(f"{HERE}/fourth"),)),
                Have(THRICE, (Combine((("-2", "(2*four + 6*mixed)/4 == four"),)),)),
                Combine((("1", THRICE), ("3", "mixed == 1/(d*(d + 2))"))),
            ),
            candidates=(point("d=3 four=1/5 mixed=1/15"),),
            rests_on=("rotation-invariance",),
        ),
        step(
            "mgf",
            "E exp(t z^2) = (1 - 2 t)^(-1/2) for a standard normal z and 2 t < 1; so the product of one such mean at t "
            "= (1 - s)/4 and d - 1 of them at t = -s/4 is (2/(1 + s))^(1/2) (1 + s/2)^(-(d - 1)/2). Encoded: this "
            "product",
            "(1 - 2*((1 - s)/4))**(-1/2)*(1 - 2*(-s/4))**(-(d - 1)/2) == " + CHERNOFF,
            (D, SHARE),
            rests_on=("noncentral-chi-square",),
            argument=(Rewrite(left=CHERNOFF), Identical()),
            candidates=(point("d=3 s=1/2"),),
        ),
        step(
            "chernoff",
            "P(<u, e>^2 >= s) is at most (2/(1 + s))^(1/2) (1 + s/2)^(-(d - 1)/2), by Markov's inequality: for u = "
            "Z/|Z| it says that (1 - s) Z_1^2 - s (Z_2^2 + ... + Z_d^2) is not negative, and the mean of its "
            "exponential at 1/4 is that of `mgf`, as the Z_j are independent",
            f"{TAIL} <= {CHERNOFF}",
            (D, SHARE),
            kind=ClaimKind.TAIL,
            rests_on=("haar-beta", f"{HERE}/mgf"),
            argument=(ByTheorem("markov-inequality"),),
            mutants=(mutant("half", "3/5 of it", f"{TAIL} <= 3/5*{CHERNOFF}", "d=2 s=1/1000"),),
        ),
        step(
            "edge",
            "for s = 0 in every dimension, and for d = 1, where <u, a>^2 = |a|^2, the right side of (76) is 1 at least",
            "1 <= 2*sqrt(2*pi)*exp(-s/8)",
            (real("s", "[0, 1]"),),
            argument=(Boxes(),),
            mutants=(mutant("sixth", "a fifth of it", "1 <= 1/5*(2*sqrt(2*pi))*exp(-s/8)", "s=1"),),
        ),
    ),
)
