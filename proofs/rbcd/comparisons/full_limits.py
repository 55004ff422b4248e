"""Section 2.1: how much faster, and how much slower, full sampling can be than DP-SGD."""

from dpaudit.claims.writing import *

from .symbols import *

TRACE_1 = f"1 <= M_min*{INVERSE_TRACE}"
SPREAD = f"{R_I_2} <= {INVERSE_TRACE}*{R_M_2}"
SUMS = (COORDINATES, M, U)
SAME = "d=1 M=[1] u=[1] M_min=1"

SUPREMUM = Claim(
    id="rbcd/CLM-UP1",
    title="full sampling is up to sqrt(d) times faster than DP-SGD",
    words=(
        "The ratio of rates sqrt(d) R_I/(sqrt(Tr(M^-1)) R_M) is at most sqrt(d), and comes as close to it as you "
        "like (step attained). Let the first coordinate be that of M_min. Not said in the paper: the ratio may be "
        "below 1, though never below sqrt(M_min/M_max) (step worst), and full sampling slower without bound "
        "(CLM-GEN/sgd)."
    ),
    place="Section 2.1, third item",
    printed=r"\text{our method can achieve a speedup of up to } \sqrt d \text{ in the case of full sampling compared "
    r"to DP-SGD}",
    kind=ClaimKind.INEQUALITY,
    rests_on=("rbcd/CLM-UP1/attained",),
    statement=Statement(
        f"sqrt(d)*sqrt({R_I_2}) <= sqrt(d)*(sqrt({INVERSE_TRACE})*sqrt({R_M_2}))",
        (*SUMS, M_MIN),
        ("M[1] == M_min", AT_LEAST),
    ),
    candidates=(point(SAME),),
    argument=(
        Have(TRACE_1, (Induct("d"),)),
        Have(
            SPREAD,
            (
                Rewrite(right=f"sum(j, 1, d, {INVERSE_TRACE.replace('j', 'i')}*M[j]*u[j]**2)"),
                Termwise(
                    (
                        AtIndex("j"),
                        Combine(
                            terms=(
                                ("u[j]**2", TRACE_1),
                                (f"{INVERSE_TRACE.replace('j', 'i')}*u[j]**2", "M_min <= M[j]"),
                            )
                        ),
                    )
                ),
            ),
        ),
        Power("2"),
        Combine(terms=(("d", SPREAD),)),
    ),
    mutants=(
        mutant(
            "less", "0.9 sqrt(d)", f"sqrt(d)*sqrt({R_I_2}) <= 0.9*sqrt(d)*(sqrt({INVERSE_TRACE})*sqrt({R_M_2}))", SAME
        ),
    ),
    steps=(
        step(
            "attained",
            "all of the error in coordinate 1, and M_j = (d - 1) M_1/h for the others: the ratio is sqrt(d/(1 + h)), "
            "squared here",
            "d*u_1**2/((1/M_1 + (d - 1)/((d - 1)*M_1/h))*(M_1*u_1**2)) == d/(1 + h)",
            (SEVERAL, H, M_1, U_1),
        ),
        step(
            "worst",
            "the ratio is never below sqrt(M_min/M_max), squared here",
            f"M_min*({INVERSE_TRACE}*{R_M_2}) <= M_max*(d*{R_I_2})",
            (*SUMS, M_MIN, M_MAX),
            (AT_MOST, AT_LEAST),
            candidates=(point("d=1 M=[1] u=[1] M_min=1 M_max=1"),),
            argument=(
                Have(
                    f"{INVERSE_TRACE} <= sum(j, 1, d, 1/M_min)",
                    (Termwise((AtIndex("j"), Combine(terms=(("1/(M_min*M[j])", "M_min <= M[j]"),)))),),
                ),
                Have(
                    f"{R_M_2} <= sum(j, 1, d, M_max*u[j]**2)",
                    (Termwise((AtIndex("j"), Combine(terms=(("u[j]**2", "M[j] <= M_max"),)))),),
                ),
                Combine(
                    terms=(
                        (f"M_min*{R_M_2}", f"{INVERSE_TRACE} <= sum(j, 1, d, 1/M_min)"),
                        ("d", f"{R_M_2} <= sum(j, 1, d, M_max*u[j]**2)"),
                    )
                ),
            ),
            mutants=(
                mutant(
                    "less",
                    "0.9 M_max",
                    f"M_min*({INVERSE_TRACE}*{R_M_2}) <= 0.9*M_max*(d*{R_I_2})",
                    "d=1 M=[1] u=[1] M_min=1 M_max=1",
                ),
            ),
        ),
    ),
)
