"""Which rows of Table 1 are better than which. All of this is ours, from the cells."""

from dpaudit.claims.writing import *

from .symbols import *

ALL_BELOW = "all(j, 1, d, M[j] <= M_max)"
TWO = "d=2 M=[1] M_max=1"

ORDER = Claim(
    id="rbcd/TAB-1",
    title="the second column: importance is never worse than uniform sampling",
    words=(
        "Table 1 as a whole allows `easy comparison of the effectiveness of different sampling methods`. Ours: row 6 "
        "is never above row 5 in the second column: Tr(M) <= d M_max. In the first column neither is always better "
        "(CLM-UP2)."
    ),
    place="Table 1; Section 2.1",
    printed=r"\text{The results are summarized in Table 1, allowing for easy comparison of the effectiveness of "
    r"different sampling methods}",
    kind=ClaimKind.INEQUALITY,
    reads=Reads.OURS,
    statement=Statement("sum(j, 1, d, M[j]) <= d*M_max", (COORDINATES, M, M_MAX), (ALL_BELOW,)),
    candidates=(point(TWO),),
    argument=(Rewrite(right="sum(j, 1, d, M_max)"), Termwise((AtIndex("j"), Combine(terms=(("1", "M[j] <= M_max"),))))),
    mutants=(mutant("less", "0.9 d M_max", "sum(j, 1, d, M[j]) <= 0.9*d*M_max", TWO),),
    steps=(
        step(
            "row-3-row-2",
            "block sampling: importance is never worse than uniform in the second column, the square in row 3 put back",
            f"{TALLEST_SUM} <= b*M_max",
            (BLOCKS, TALLEST, M_MAX),
            ("all(k, 1, b, m[k] <= M_max)",),
            candidates=(point("b=2 m=[1] M_max=1"),),
            argument=(
                Rewrite(right="sum(k, 1, b, M_max)"),
                Termwise((AtIndex("k"), Combine(terms=(("1", "m[k] <= M_max"),)))),
            ),
            mutants=(mutant("less", "0.9 b M_max", f"{TALLEST_SUM} <= 0.9*b*M_max", "b=2 m=[1] M_max=1"),),
        ),
        step(
            "row-7-row-5",
            "the second cell of DP-CD is never above that of the same algorithm in row 5: d/mu_M <= d M_max/mu, as f "
            "is (mu/M_max)-strongly convex in the norm of M, mu_M its best modulus",
            "norm2*d/mu_M <= norm2*M_max*d/mu",
            (COORDINATES, NORM, M_MAX, MU, MU_M),
            ("mu/M_max <= mu_M",),
            rests_on=("rbcd/CMP-2SC/s1",),
            candidates=(point("d=1 norm2=1 M_max=1 mu=1 mu_M=1"),),
            argument=(Combine(terms=(("norm2*d*M_max/(mu*mu_M)", "mu/M_max <= mu_M"),)),),
            mutants=(
                mutant(
                    "less", "half of row 5", "norm2*d/mu_M <= norm2*M_max*d/(2*mu)", "d=1 norm2=1 M_max=1 mu=1 mu_M=1"
                ),
            ),
        ),
        step(
            "row-9-row-8",
            "the second cell of full sampling is never below that of DP-SGD: d <= Tr(M^-1) M_max",
            f"L_d**2*d/mu <= L_d**2*{INVERSE_TRACE}*M_max/mu",
            (COORDINATES, M, L_FULL, M_MAX, MU),
            (ALL_BELOW,),
            candidates=(point("d=2 M=[1] L_d=1 M_max=1 mu=1"),),
            argument=(
                Scale("mu/(L_d**2*M_max)"),
                Rewrite(left="sum(j, 1, d, 1/M_max)", right=INVERSE_TRACE),
                Termwise((AtIndex("j"), Combine(terms=(("1/(M[j]*M_max)", "M[j] <= M_max"),)))),
            ),
            mutants=(
                mutant(
                    "less",
                    "0.9 times row 8",
                    f"L_d**2*d/mu <= 0.9*L_d**2*{INVERSE_TRACE}*M_max/mu",
                    "d=2 M=[1] L_d=1 M_max=1 mu=1",
                ),
            ),
        ),
    ),
)
