"""Section 2.1: how much faster, and how much slower, importance can be than DP-CD."""

from dpaudit.claims.writing import *

from .symbols import *

SUMS, LARGEST = (COORDINATES, M, U), "M_max <= sum(j, 1, d, M[j])"
WEIGHTED = f"{R_M_2} <= sum(j, 1, d, M_max*u[j]**2)"
SMALLEST = f"sum(j, 1, d, M_min*u[j]**2) <= {R_M_2}"
SAME = "d=1 M=[1] u=[1] M_max=1"

SUPREMUM = Claim(
    id="rbcd/CLM-UP2",
    title="importance is up to sqrt(d) times faster than DP-CD",
    words=(
        "The ratio of rates sqrt(d) R_M/(R_I sqrt(Tr(M))) is at most sqrt(d), and comes as close to it as you like "
        "(step attained). Let the first coordinate be that of M_max. Not said in the paper: the ratio may be below 1, "
        "though never below sqrt(M_min/M_max) (step worst), and importance slower than uniform sampling without "
        "bound (step slower)."
    ),
    place="Section 2.1, third item",
    printed=r"\text{when employing importance sampling, our algorithm demonstrates a potential speedup of up to } "
    r"\sqrt d \text{ over DP-CD}",
    kind=ClaimKind.INEQUALITY,
    rests_on=("rbcd/CLM-UP2/attained",),
    statement=Statement(
        f"sqrt(d)*sqrt({R_M_2}) <= sqrt(d)*(sqrt({R_I_2})*sqrt({TRACE}))", (*SUMS, M_MAX), ("M[1] == M_max", AT_MOST)
    ),
    candidates=(point(SAME),),
    argument=(
        Have(LARGEST, (Induct("d"),)),
        Have(WEIGHTED, (Termwise((AtIndex("j"), Combine(terms=(("u[j]**2", "M[j] <= M_max"),)))),)),
        Power("2"),
        Combine(terms=(("d", WEIGHTED), (f"d*{R_I_2}", LARGEST))),
    ),
    mutants=(
        mutant("less", "0.9 sqrt(d)", f"sqrt(d)*sqrt({R_M_2}) <= 0.9*sqrt(d)*(sqrt({R_I_2})*sqrt({TRACE}))", SAME),
    ),
    steps=(
        step(
            "attained",
            "all of the error in coordinate 1, M_j = h M_1/(d - 1) for the others: the ratio is sqrt(d/(1 + h)), "
            "squared here",
            "d*(M_1*u_1**2)/(u_1**2*(M_1 + (d - 1)*(h*M_1/(d - 1)))) == d/(1 + h)",
            (SEVERAL, H, M_1, U_1),
        ),
        step(
            "worst",
            "the ratio is never below sqrt(M_min/M_max), squared here",
            f"M_min*({R_I_2}*{TRACE}) <= M_max*(d*{R_M_2})",
            (*SUMS, M_MIN, M_MAX),
            (AT_MOST, AT_LEAST),
            candidates=(point("d=1 M=[1] u=[1] M_min=1 M_max=1"),),
            argument=(
                Have(SMALLEST, (Termwise((AtIndex("j"), Combine(terms=(("u[j]**2", "M_min <= M[j]"),)))),)),
                Have(
                    f"{TRACE} <= sum(j, 1, d, M_max)",
                    (Termwise((AtIndex("j"), Combine(terms=(("1", "M[j] <= M_max"),)))),),
                ),
                Combine(
                    terms=(
                        ("d*M_max", SMALLEST),
                        (f"M_min*{R_I_2}", f"{TRACE} <= sum(j, 1, d, M_max)"),
                    )
                ),
            ),
            mutants=(
                mutant(
                    "less",
                    "0.9 M_max",
                    f"M_min*({R_I_2}*{TRACE}) <= 0.9*M_max*(d*{R_M_2})",
                    "d=1 M=[1] u=[1] M_min=1 M_max=1",
                ),
            ),
        ),
        step(
            "worst-trace",
            "nor below sqrt(d M_min/Tr(M)); squared (it may be equal: step worst-attained)",
            f"d*M_min*({R_I_2}*{TRACE}) <= {TRACE}*(d*{R_M_2})",
            (*SUMS, M_MIN),
            (AT_LEAST,),
            candidates=(point("d=1 M=[1] u=[1] M_min=1"),),
            argument=(
                Have(SMALLEST, (Termwise((AtIndex("j"), Combine(terms=(("u[j]**2", "M_min <= M[j]"),)))),)),
                Combine(terms=((f"d*{TRACE}", SMALLEST),)),
            ),
            mutants=(
                mutant(
                    "less",
                    "0.9 times the trace",
                    f"d*M_min*({R_I_2}*{TRACE}) <= 0.9*{TRACE}*(d*{R_M_2})",
                    "d=1 M=[1] u=[1] M_min=1",
                ),
            ),
        ),
        step(
            "worst-attained",
            "all of the error in one coordinate with M_min: the ratio is sqrt(d M_min/Tr(M)), squared here",
            f"d*(M_min*u_1**2)/(u_1**2*{TRACE}) == d*M_min/{TRACE}",
            (COORDINATES, M, M_MIN, U_1),
        ),
        Step(
            "slower",
            "importance is at most a constant times slower than uniform sampling: R_I sqrt(Tr(M)) against sqrt(d) "
            "R_M for M = (M_1, 1), w^0 wrong in the second coordinate by 1",
            Statement("sqrt(1)*sqrt(M_1 + 1) <= C*(sqrt(2)*sqrt(1))", (ANY, M_1)),
            argument=(ForEvery(where("M_1=2*C**2"), (Power("2"),)),),
            expects=Outcome.REFUTED,
            finding=(
                "Where w^0 is wrong in a coordinate with small M_j, importance draws it too rarely: its rate is up "
                "to sqrt(Tr(M)/(d M_min)) times that of DP-CD (worst-trace). The paper claims no such bound; the text "
                "of Section 4.3.2 does not mention the case."
            ),
            repair="rbcd/CLM-UP2/worst-trace",
        ),
    ),
)
