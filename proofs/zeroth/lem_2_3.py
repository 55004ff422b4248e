"""Lemma 2.3: the chain rule of Renyi divergences, with the largest divergence of each variable given those before it.

The moment of a pair of laws is the sum of p^alpha q^(1 - alpha), e^((alpha - 1) D_alpha). That of the first i variables
is the sum over the values of the first i - 1, of their integrand w times the moment B of the i-th given them
(`product`): at most the moment of the first i - 1 times the largest B (`chain`). The statement is the induction over
the variables, M[i] the moment of the first i and e[i] the supremum of the i-th divergence. On finite spaces.
"""

from dpaudit.claims.writing import *

HERE = "zeroth/LEM-2.3"
ALPHA, COUNT = real("alpha", "(1, oo)", "order"), integer("k", "[1, oo)", "number of variables")
MOMENT = sequence("M", "(0, oo)", "M[i]: moment of the first i variables; that of none is 1")
COST = sequence("e", "[0, oo)", "e[i]: supremum of the divergence of the i-th given those before it")
CHAIN = "all(i, 1, k, M[i] <= M[i - 1]*exp((alpha - 1)*e[i]))"
PAST = integer("m", "[1, oo)", "number of values of the variables before")
WEIGHT = sequence("w", "(0, oo)", "w[j]: integrand of these at their j-th value")
NEXT = sequence("B", "(0, oo)", "B[j]: moment of the next variable given the j-th value")
LARGEST = real("s", "[0, oo)", "supremum of the divergence of the next variable")
TOTAL, JOINT = "sum(j, 1, m, w[j])", "sum(j, 1, m, w[j]*B[j])"
EACH = "all(j, 1, m, B[j] <= exp((alpha - 1)*s))"
SUM = "sum(i, 1, k, e[i])"


def log_of(small, large):
    """That log(small) <= log(large), from small <= large."""
    terms = (("1", f"log({small}/({large})) <= {small}/({large}) - 1"), (f"1/({large})", f"{small} <= {large}"))
    return (Combine(terms=terms),)


CLAIM = Claim(
    id=HERE,
    title="on finite spaces Renyi divergences of a sequence add up, each at its largest given the past",
    words=(
        "For alpha > 1: D_alpha(X_1:k || Y_1:k) is at most the sum over i of the suprema, over the values of the "
        "first i - 1 variables, of D_alpha of X_i and Y_i given these. In part: for variables with finitely many "
        "values."
    ),
    place="Lemma 2.3",
    printed=r"D_{\alpha}(X_{1:k}||Y_{1:k})\leq\sum_{i=1}^{k}\sup_{x_{1:i-1}}D_{\alpha}(X_{i}|_{X_{1:i-1}=x_{1:i-1}}||"
    r"Y_{i}|_{Y_{1:i-1}=x_{1:i-1}})",
    kind=ClaimKind.DIVERGENCE,
    statement=Statement(f"log(M[k])/(alpha - 1) <= {SUM}", (COUNT, MOMENT, COST, ALPHA), (CHAIN, "M[0] == 1")),
    origins=(Condition(CHAIN, Origin.GIVEN, f"{HERE}/chain"),),
    rests_on=(f"{HERE}/moment",),
    argument=(
        Have(f"M[k] <= exp((alpha - 1)*{SUM})", (ByTheorem(f"{HERE}/moment"),)),
        Scale("alpha - 1"),
        Rewrite(right=f"log(exp((alpha - 1)*{SUM}))"),
        *log_of("M[k]", f"exp((alpha - 1)*{SUM})"),
    ),
    candidates=(point("k=2 alpha=2 M=[1,2,4] e=[0,7/10,7/10]"), point("k=1 alpha=2 M=[1,2] e=[0,7/10]")),
    mutants=(Mutant("last", "the supremum of the last one only", "log(M[k])/(alpha - 1) <= e[k]"),),
    steps=(
        step(
            "moment",
            "the moment of k variables is at most e^((alpha - 1)(e_1 + ... + e_k))",
            f"M[k] <= exp((alpha - 1)*{SUM})",
            (COUNT, MOMENT, COST, ALPHA),
            ("M[0] == 1",),
            given={f"{HERE}/chain": CHAIN},
            kind=ClaimKind.INDUCTION,
            argument=(Induct("k"),),
            candidates=(point("k=2 alpha=2 M=[1,2,4] e=[0,7/10,7/10]"), point("k=1 alpha=2 M=[1,2] e=[0,7/10]")),
            mutants=(Mutant("first", "without the first", "M[k] <= exp((alpha - 1)*sum(i, 2, k, e[i]))"),),
        ),
        step(
            "chain",
            "one variable more: the moment of all is at most that of those before times the largest of its own",
            f"{JOINT} <= {TOTAL}*exp((alpha - 1)*s)",
            (PAST, WEIGHT, NEXT, ALPHA, LARGEST),
            (EACH,),
            kind=ClaimKind.DIVERGENCE,
            rests_on=(f"{HERE}/product",),
            argument=(
                Rewrite(right="sum(j, 1, m, exp((alpha - 1)*s)*w[j])"),
                Termwise((AtIndex("j"), Combine(terms=(("w[j]", "B[j] <= exp((alpha - 1)*s)"),)))),
            ),
            candidates=(point("m=2 alpha=2 w=[1] B=[2] s=7/10"),),
            mutants=(
                Mutant("half", "half of it", f"{JOINT} <= {TOTAL}*exp((alpha - 1)*s/2)"),
                Mutant(
                    "first-past",
                    "the next variable bounded after the first value only",
                    conditions=("all(j, 1, 1, B[j] <= exp((alpha - 1)*s))",),
                    candidates=(point("m=2 alpha=2 w=[1] B=[1,1,9] s=0"),),
                ),
            ),
        ),
        step(
            "product",
            "the integrand of a pair of variables is a product: p1, q1 of the first, p2, q2 of the second given it",
            "(p1*p2)**alpha*(q1*q2)**(1 - alpha) == p1**alpha*q1**(1 - alpha)*(p2**alpha*q2**(1 - alpha))",
            (ALPHA, *(positive(name, "a probability") for name in ("p1", "p2", "q1", "q2"))),
        ),
        step(
            "s1",
            "for independent variables the moment b of the next one is the same whatever came before, and the moments "
            "multiply, so that the lemma is an equality there. Encoded: one variable more",
            f"sum(j, 1, m, w[j]*b) == b*{TOTAL}",
            (PAST, WEIGHT, positive("b", "moment of the next variable")),
            reads=Reads.OURS,
        ),
    ),
)
