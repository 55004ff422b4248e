"""The remark after Corollary 5.11: which dimensions its condition allows.

beta is printed as proportional to n^{3/2} B^2; Theorem 5.12 has n^{3/2}/B^2, and with that the bound on p that the
remark draws, n^3 eps^2/B^2, is right. "Roughly" leaves out log^3(T) ln(2T/delta) ln(2.5/delta), so that p <= eps^2 n^2
is enough up to these factors, as the proof of Theorem 5.12 says.
"""

from dpaudit.claims.writing import *

REM = "srgd/REM-5.11"
RECORDS, BATCH = real("n", "[1, oo)", "number of records"), real("B", "[1, oo)", "batch size")
DIMENSION, EPS = real("p", "[1, oo)", "dimension"), positive("eps")
SMALL_BATCH = "B <= sqrt(n)"

CLAIM = Claim(
    id=REM,
    title="the bound on the dimension is nearly vacuous",
    words="For B <= sqrt(n) the roughly needed p <= n^3 eps^2/B^2 follows from p <= eps^2 n^2.",
    place="after Corollary 5.11",
    printed=r"p\le n^3\varepsilon^2/B^2\ldots\ B\le\sqrt n\ldots\text{ so it suffices if }p\le\varepsilon^2n^2",
    kind=ClaimKind.INEQUALITY,
    statement=Statement("p <= n**3*eps**2/B**2", (RECORDS, BATCH, DIMENSION, EPS), (SMALL_BATCH, "p <= eps**2*n**2")),
    argument=(
        Have("B**2 <= n", (Power("1/2"), Combine((("1", SMALL_BATCH),)))),
        Combine((("1", "p <= eps**2*n**2"), ("eps**2*n**2/B**2", "B**2 <= n"))),
    ),
    mutants=(
        Mutant(
            "batch",
            "B up to n",
            conditions=("B <= n", "p <= eps**2*n**2"),
            candidates=(point("n=4 B=4 p=16 eps=1"),),
        ),
    ),
    steps=(
        erratum(
            "s1",
            "beta is proportional to n^{3/2} B^2. Encoded: C times that is at most n^{3/2}/B^2, the beta of Theorem "
            "5.12 but for its constants",
            "C*n**(3/2)*B**2 <= n**(3/2)/B**2",
            (constant("C"), RECORDS, BATCH),
            (SMALL_BATCH,),
            printed=r"\text{Our choice of }\beta\text{ is proportional to }n^{3/2}B^2",
            argument=(
                ForEvery(
                    where("B=1+1/C n=(1+1/C)**2"),
                    argument=(
                        Scale("C**5/(1 + 1/C)**3*(1 + 1/C)**2"),
                        Rewrite(left="C**5", right="C**2*(C + 1)**4"),
                        Positive(),
                    ),
                ),
            ),
            finding="A misprint for n^{3/2}/B^2: the next words, p <= n^3 eps^2/B^2, are from that.",
            repair=f"{REM}/s1~repaired",
        ),
        step(
            "s1~repaired",
            "the bound is roughly p <= n^3 eps^2/B^2. Encoded: with beta = K n^{3/2}/B^2 the numerator of the bound of "
            "Corollary 5.10, B^2 beta^2 eps^2, is K^2 n^3 eps^2/B^2 (that of Corollary 5.11 has mu for eps)",
            "B**2*(K*n**(3/2)/B**2)**2*eps**2 == K**2*n**3*eps**2/B**2",
            (RECORDS, BATCH, EPS, positive("K")),
            reads=Reads.READING,
            printed=r"\text{i.e. the bound we get is roughly }p\le n^3\varepsilon^2/B^2",
        ),
        step(
            "roughly",
            "what `roughly` leaves out: by Corollary 5.10, p <= eps^2 n^2 (16 c_M + 8)^2/(32 c_M^2 log^3(T) "
            "ln(2T/delta) ln(2.5/delta)) is enough, where q is the product of these logarithms",
            "p <= B**2*((16*c_M + 8)*L*n**(3/2)/(R*B**2))**2*eps**2/(32*M**2*q)",
            (RECORDS, BATCH, DIMENSION, EPS, *map(positive, ("c_M", "L", "R", "M", "q"))),
            (SMALL_BATCH, "M*R <= c_M*L", "p <= eps**2*n**2*(16*c_M + 8)**2/(32*c_M**2*q)"),
            argument=(
                Have("B**2 <= n", (Power("1/2"), Combine((("1", SMALL_BATCH),)))),
                Have("(M*R)**2 <= (c_M*L)**2", (Power("1/2"), Combine((("1", "M*R <= c_M*L"),)))),
                Combine(
                    (
                        ("1", "p <= eps**2*n**2*(16*c_M + 8)**2/(32*c_M**2*q)"),
                        (
                            "eps**2*n**2*(16*c_M + 8)**2/(32*c_M**2*q)/(M*R)**2",
                            "(M*R)**2 <= (c_M*L)**2",
                        ),
                        (
                            "eps**2*n**2*(16*c_M + 8)**2*L**2/(32*M**2*R**2*q*B**2)",
                            "B**2 <= n",
                        ),
                    )
                ),
            ),
            candidates=(point("n=4 B=2 p=1 eps=1 c_M=1 L=1 R=1 M=1 q=1"),),
            mutants=(
                Mutant(
                    "batch",
                    "B up to n",
                    conditions=("B <= n", "M*R <= c_M*L", "p <= eps**2*n**2*(16*c_M + 8)**2/(32*c_M**2*q)"),
                    candidates=(point("n=4 B=4 p=16 eps=1 c_M=1 L=1 R=1 M=1 q=18"),),
                ),
            ),
        ),
    ),
)
