"""The special cases of Assumption 3.7, for full, single-coordinate, block and nice sampling.

Where coordinates or blocks are changed one after the other, f[k] is the loss after k of them and a[k] the norm of the
change that the k-th makes. Block sampling is printed with I_(C_i); C_i is defined nowhere, and the block A_i is meant.
"""

from dpaudit.claims.writing import *

W, V, E = vector("w"), vector("v"), vector("e", "a unit vector e_j")
T = real("t", "(-oo, oo)", "v = t e_j")
SIZE = sequence("size", "[1, oo)", "size[k]: the number of coordinates of the k-th block; blocks are not empty")
OTHERS = integer("others", "[1, oo)", "number of the other blocks")
LIPSCHITZ, CHANGE = sequence("L", "(0, oo)", "L[k]"), sequence("a", "[0, oo)", "a[k]: norm of the k-th change")
LOSS, PARTS = sequence("f", "(-oo, oo)", "f[k]: loss after k changes"), integer("t", "[1, oo)", "number of changes")
ALONG_EACH = "all(k, 1, t, f[k] - f[k - 1] <= L[k]*a[k])"
CONSTANTS, CHANGES = vector("l", "the constants L[k]"), vector("a", "the norms a[k]")

FULL = Claim(
    id="rbcd/REM-3.7a",
    title="full sampling: Lipschitz losses",
    words=(
        "For S = [d] Assumption 3.7 says |l(w + u) - l(w)| <= L |u| for all w and u; for u = v - w this is |l(v) - "
        "l(w)| <= L |v - w|. Encoded: this direction, at two points v and w; the other one is the same with v = w + u."
    ),
    place="Section 3.4, full sampling",
    printed=r"\left|\ell(v;\zeta)-\ell(w;\zeta)\right|\leq L\left\|v-w\right\|_2",
    kind=ClaimKind.INEQUALITY,
    statement=Statement(
        "abs(rise) <= L*norm(v - w)",
        (W, V, vector("u", "v - w"), positive("L"), real("rise", "(-oo, oo)", "l(v) - l(w), that is l(w + u) - l(w)")),
        ("norm(u - (v - w)) == 0", "abs(rise) <= L*norm(u)"),
    ),
    argument=(
        Combine(
            terms=(
                ("1", "abs(rise) <= L*norm(u)"),
                ("L", "norm(u) <= norm(v - w) + norm(u - (v - w))"),
                ("L", "norm(u - (v - w)) == 0"),
            )
        ),
    ),
    candidates=(point("w=(0,) v=(1,) u=(1,) L=1 rise=1"),),
    mutants=(
        mutant("half", "half of L", "abs(rise) <= L/2*norm(v - w)", "w=(0,) v=(1,) u=(1,) L=1 rise=1"),
        Mutant(
            "other-change",
            "the assumption at another change than v - w",
            conditions=("abs(rise) <= L*norm(u)",),
            candidates=(point("w=(0,) v=(1,) u=(2,) L=1 rise=2"),),
        ),
    ),
)

SINGLE = Claim(
    id="rbcd/REM-3.7b",
    title="single coordinates",
    words="For S = {j}, I_S v = t e_j with t = v_j. Encoded: the right side of Assumption 3.7 is then L_j |t|.",
    place="Section 3.4, single coordinate sampling",
    printed=r"\left|\ell(w+te_j;\zeta)-\ell(w;\zeta)\right|\leq L_j\left|t\right|",
    kind=ClaimKind.IDENTITY,
    statement=Statement("L_j*norm(t*e) == L_j*abs(t)", (T, E, positive("L_j")), ("norm(e) == 1",)),
    argument=(Combine(terms=(("L_j*abs(t)", "norm(e) == 1"),)),),
    candidates=(point("t=2 e=(1,) L_j=1"),),
    mutants=(mutant("square", "t^2 in place of |t|", "L_j*norm(t*e) == L_j*t**2", "t=2 e=(1,) L_j=1"),),
)

BLOCKS = Claim(
    id="rbcd/REM-3.7c",
    title="block sampling contains single coordinates and full sampling",
    words=(
        "A partition of [d] into b nonempty blocks: for b = 1 its block is [d]; for b = d each block is one "
        "coordinate. Encoded: b = d, the sizes of the blocks add up to d, so that none is larger than 1."
    ),
    place="Section 3.4, after block sampling",
    printed=r"\text{block sampling generalizes both single-coordinate sampling and full sampling}",
    kind=ClaimKind.INEQUALITY,
    statement=Statement(
        "one <= 1",
        (real("one", "[1, oo)", "size of any block"), SIZE, OTHERS),
        ("one + sum(k, 1, others, size[k]) == others + 1",),
    ),
    argument=(
        Have("sum(k, 1, others, 1) <= sum(k, 1, others, size[k])", (Termwise(),)),
        Combine(
            terms=(
                ("1", "one + sum(k, 1, others, size[k]) <= others + 1"),
                ("1", "sum(k, 1, others, 1) <= sum(k, 1, others, size[k])"),
            )
        ),
    ),
    candidates=(point("one=1 others=2 size=[1]"),),
    mutants=(
        Mutant(
            "fewer",
            "one block fewer",
            conditions=("one + sum(k, 1, others, size[k]) == others + 2",),
            candidates=(point("one=2 others=2 size=[1]"),),
        ),
    ),
)

NICE = Claim(
    id="rbcd/REM-3.7d",
    title="nice sampling is no block sampling",
    words=(
        "A uniform subset of size tau, 1 < tau < d, is no block sampling: a partition into sets of size tau has d/tau "
        "of them, and S is one of binomial(d, tau), at least d/tau + 1. Encoded with d = tau + k."
    ),
    place="Section 3.4, after block sampling",
    printed=r"\text{it is not the most general case. For instance, consider the case where } "
    r"S \text{ is a random subset of } [d] \text{ of size } \tau,"
    r"\text{ chosen uniformly at random}",
    kind=ClaimKind.INEQUALITY,
    statement=Statement(
        "(tau + k)/tau + 1 <= binomial(tau + k, tau)",
        (integer("tau", "[2, oo)"), integer("k", "[1, oo)", "d - tau")),
    ),
    argument=(),
    mutants=(mutant("more", "3 in place of 1", "(tau + k)/tau + 3 <= binomial(tau + k, tau)", "tau=2 k=1"),),
    steps=(
        step(
            "s1",
            "under this sampling the assumption still holds, if it holds for single coordinates: along a path that "
            "changes one coordinate of U after the other, the loss rises by at most the sum of L_j |v_j|",
            "f[t] - f[0] <= sum(k, 1, t, L[k]*a[k])",
            (LOSS, LIPSCHITZ, CHANGE, PARTS),
            (ALONG_EACH,),
            reads=Reads.READING,
            argument=(Induct("t"),),
            printed=r"\text{under this sampling, our assumption still holds}",
            mutants=(
                mutant(
                    "largest",
                    "the first change only",
                    "f[t] - f[0] <= sum(k, 1, 1, L[k]*a[k])",
                    "t=2 f=[0,1,2] L=[1] a=[1]",
                ),
            ),
        ),
        step(
            "s1-constant",
            "and with Cauchy and Schwarz L_U^2 is at most the sum of L_j^2 over U: the sum of L_j |v_j| is at most "
            "the root of this times |I_U v|",
            "dot(l, a) <= norm(l)*norm(a)",
            (CONSTANTS, CHANGES),
            reads=Reads.OURS,
            mutants=(mutant("half", "half of it", "dot(l, a) <= 1/2*norm(l)*norm(a)", "l=(1,) a=(1,)"),),
        ),
    ),
)

REFINED = Claim(
    id="rbcd/REM-3.7e",
    title="finer than Lipschitz continuity",
    words=(
        "Assumption 3.7 is finer than Lipschitz continuity with one constant L: for each U the best constant L_U is at "
        "most L. Encoded is this: for any slack e > 0 there is a change u = I_U v along which the loss rises by (L_U - "
        "e)|u|. That it contains Lipschitz continuity, for S = [d], is REM-3.7a."
    ),
    place="Section 3.4, after Assumption 3.7",
    printed=r"\text{This is a more refined assumption compared to the classical Lipschitzness assumption, which it "
    r"also generalizes}",
    kind=ClaimKind.INEQUALITY,
    statement=Statement(
        "L_U <= L + e",
        (positive("L"), positive("L_U"), positive("e"), vector("u"), real("rise")),
        ("(L_U - e)*norm(u) <= rise", "rise <= L*norm(u)", "0 < norm(u)"),
    ),
    argument=(
        Scale("norm(u)"),
        Combine(terms=(("1", "(L_U - e)*norm(u) <= rise"), ("1", "rise <= L*norm(u)"))),
    ),
    candidates=(point("L=2 L_U=2 e=1/100 u=(1,) rise=2"),),
    mutants=(mutant("half", "half of L", "L_U <= L/2 + e", "L=2 L_U=2 e=1/100 u=(1,) rise=2"),),
    steps=(
        step(
            "same",
            "it allows the same losses: where every coordinate lies in some U (Assumption 3.1), a change from w to v "
            "is made of at most d disjoint parts, each inside of one U; a holds their norms and l the constants L_U, "
            "so that the loss is Lipschitz with constant |l|",
            "rise <= norm(l)*norm(v - w)",
            (CONSTANTS, CHANGES, W, V, real("rise", "(-oo, oo)", "l(v) - l(w)")),
            ("norm(a) <= norm(v - w)",),
            given={"rbcd/REM-3.7d/s1": "rise <= dot(l, a)"},
            argument=(
                Combine(
                    terms=(
                        ("1", "rise <= dot(l, a)"),
                        ("1", "dot(l, a) <= norm(l)*norm(a)"),
                        ("norm(l)", "norm(a) <= norm(v - w)"),
                    )
                ),
            ),
            candidates=(point("l=(1,) a=(1,) v=(1,) w=(0,) rise=1"), point("l=(1,) a=(1,) v=(1,) w=(-1,) rise=1")),
            mutants=(Mutant("half", "half of it", "rise <= norm(l)*norm(v - w)/2"),),
        ),
    ),
)

CLAIMS = (FULL, SINGLE, BLOCKS, NICE, REFINED)
