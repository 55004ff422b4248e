"""Proposition D.6: Renyi DP of an adaptive composition (Mironov 2017, Proposition 1), on finite spaces.

The moment of a pair of laws is the sum of R^alpha T^(1 - alpha), that is e^((alpha - 1) D_alpha). The moment of k
mechanisms is the sum over the outputs of the first k - 1, of their integrand w times the moment B of the k-th given
them (`product`); it is at most the moment of the first k - 1 times the largest B, whatever the k-th is after each past
(`chain`). The statement is the induction over the number of mechanisms, M[k] the moment of the first k. The paper
prints A(D) = (A_1(D), ..., A_K(D)) with the set of data sets for D on the left, and A_k: D -> V although A_k may look
at earlier outputs ("chosen in an adaptive way").
"""

from dpaudit.claims.writing import *

ALPHA, COUNT = real("alpha", "(1, oo)", "order"), integer("K", "[1, oo)", "number of mechanisms")
MOMENT = sequence("M", "(0, oo)", "M[k]: moment of the first k mechanisms; that of none is 1")
COST = sequence("e", "[0, oo)", "e[k]: varepsilon_k(alpha)")
CHAIN = "all(k, 1, K, M[k] <= M[k - 1]*exp((alpha - 1)*e[k]))"
OUTCOMES = integer("m", "[1, oo)", "number of outputs of the first mechanisms")
WEIGHT = sequence("w", "(0, oo)", "w[k]: integrand of the first mechanisms at their k-th output")
NEXT = sequence("B", "(0, oo)", "B[k]: moment of the next mechanism after the k-th output")
FIRST, SECOND = real("e1", "[0, oo)", "bound for the first"), real("e2", "[0, oo)", "bound for the next")
TOTAL, JOINT = "sum(k, 1, m, w[k])", "sum(k, 1, m, w[k]*B[k])"
GIVEN = (f"log({TOTAL})/(alpha - 1) <= e1", "all(k, 1, m, B[k] <= exp((alpha - 1)*e2))")
HERE = "rbcd/PROP-D.6"


def log_of(small, large):
    """That log(small) <= log(large), from small <= large."""
    terms = (("1", f"log({small}/({large})) <= {small}/({large}) - 1"), (f"1/({large})", f"{small} <= {large}"))
    return (Combine(terms=terms),)


CLAIM = Claim(
    id=HERE,
    title="composition of Renyi DP",
    words=(
        "If A_k is (alpha, e_k(alpha))-RDP for k = 1, ..., K, each after any outputs of the earlier ones, then "
        "(A_1(D), ..., A_K(D)) is (alpha, e_1(alpha) + ... + e_K(alpha))-RDP. In part: for mechanisms with finitely "
        "many outputs."
    ),
    place="Proposition D.6",
    printed=r"\text{Let }\mathcal{A}_1,\dots\mathcal{A}_K :\mathcal{D}\rightarrow\mathcal{V}\text{ be }K>0\text{ "
    r"randomized algorithms, such that for each }k\text{ algorithm }\mathcal{A}_k\text{ is }(\alpha,"
    r"\varepsilon_k(\alpha))\text{-RDP, }\ldots"
    r"\text{ Then }\mathcal{A}\text{ is }\left(\alpha,\sum_{k=1}^K\varepsilon_k(\alpha)\right)\text{-RDP}",
    kind=ClaimKind.DIVERGENCE,
    statement=Statement(
        "log(M[K])/(alpha - 1) <= sum(k, 1, K, e[k])", (COUNT, MOMENT, COST, ALPHA), (CHAIN, "M[0] == 1")
    ),
    origins=(Condition(CHAIN, Origin.GIVEN, f"{HERE}/chain"),),
    rests_on=(f"{HERE}/moment",),
    argument=(
        Have("M[K] <= exp((alpha - 1)*sum(k, 1, K, e[k]))", (ByTheorem(f"{HERE}/moment"),)),
        Scale("alpha - 1"),
        Rewrite(right="log(exp((alpha - 1)*sum(k, 1, K, e[k])))"),
        *log_of("M[K]", "exp((alpha - 1)*sum(k, 1, K, e[k]))"),
    ),
    candidates=(point("K=2 alpha=2 M=[1,2,4] e=[0,7/10,7/10]"), point("K=1 alpha=2 M=[1,2] e=[0,7/10]")),
    mutants=(Mutant("last", "the bound of the last one only", "log(M[K])/(alpha - 1) <= e[K]"),),
    steps=(
        step(
            "moment",
            "the moment of K mechanisms is at most e^((alpha - 1) (e_1 + ... + e_K)): one more multiplies it by at "
            "most e^((alpha - 1) e_k)",
            "M[K] <= exp((alpha - 1)*sum(k, 1, K, e[k]))",
            (COUNT, MOMENT, COST, ALPHA),
            ("M[0] == 1",),
            given={f"{HERE}/chain": CHAIN},
            kind=ClaimKind.INDUCTION,
            argument=(Induct("K"),),
            candidates=(point("K=2 alpha=2 M=[1,2,4] e=[0,7/10,7/10]"), point("K=1 alpha=2 M=[1,2] e=[0,7/10]")),
            mutants=(Mutant("first", "without the first", "M[K] <= exp((alpha - 1)*sum(k, 2, K, e[k]))"),),
        ),
        step(
            "chain",
            "two mechanisms, the second after any output of the first: the moment of both is at most the product",
            f"log({JOINT})/(alpha - 1) <= e1 + e2",
            (OUTCOMES, WEIGHT, NEXT, ALPHA, FIRST, SECOND),
            GIVEN,
            kind=ClaimKind.DIVERGENCE,
            rests_on=(f"{HERE}/product",),
            argument=(
                Have(
                    f"{JOINT} <= exp((alpha - 1)*e2)*{TOTAL}",
                    (
                        Rewrite(right="sum(k, 1, m, exp((alpha - 1)*e2)*w[k])"),
                        Termwise((AtIndex("k"), Combine(terms=(("w[k]", "B[k] <= exp((alpha - 1)*e2)"),)))),
                    ),
                ),
                Have(f"0 < {JOINT}"),
                Have(f"0 < {TOTAL}"),
                Name("joint", JOINT),
                Name("total", TOTAL),
                Narrow(),
                Bound(
                    left="log(exp((alpha - 1)*e2)*total)/(alpha - 1)",
                    argument=(Scale("alpha - 1"), *log_of("joint", "exp((alpha - 1)*e2)*total")),
                ),
                Rewrite(left="e2 + log(total)/(alpha - 1)"),
                Combine(terms=(("1", "log(total)/(alpha - 1) <= e1"),)),
            ),
            candidates=(point("m=2 alpha=2 w=[1] B=[2] e1=7/10 e2=7/10"),),
            mutants=(
                Mutant("largest", "the larger of the two", f"log({JOINT})/(alpha - 1) <= max(e1, e2)"),
                Mutant(
                    "first-past",
                    "the next mechanism bounded after the first output only",
                    conditions=(GIVEN[0], "all(k, 1, 1, B[k] <= exp((alpha - 1)*e2))"),
                    candidates=(point("m=2 alpha=2 w=[1] B=[1,1,9] e1=7/10 e2=0"),),
                ),
            ),
        ),
        step(
            "product",
            "the integrand of the pair is a product: densities p1, q1 of the first output, p2, q2 of the next given it",
            "(p1*p2)**alpha*(q1*q2)**(1 - alpha) == p1**alpha*q1**(1 - alpha)*(p2**alpha*q2**(1 - alpha))",
            (ALPHA, *(positive(name, "a density") for name in ("p1", "p2", "q1", "q2"))),
        ),
    ),
)
