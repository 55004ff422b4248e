"""Section 4.3.1: full sampling against DP-SGD."""

from dpaudit.claims.writing import *

from .full_limits import SUPREMUM
from .full_strong import STRONG
from .symbols import *

EQUAL = Claim(
    id="rbcd/CMP-1",
    title="equal smoothness: full sampling and DP-SGD have one rate",
    words="If M_1 = ... = M_d, sqrt(Tr(M^-1)) R_M = sqrt(d) R_I.",
    place="Section 4.3.1, after the first display",
    printed=r"\text{If } M=M_1=\cdots=M_d \text{, these two quantities are identical}",
    kind=ClaimKind.IDENTITY,
    statement=Statement(
        f"sqrt(sum(j, 1, d, 1/M_1))*sqrt(sum(j, 1, d, M_1*u[j]**2)) == sqrt(d)*sqrt({R_I_2})", (COORDINATES, M_1, U)
    ),
    argument=(Identical(),),
    candidates=(point("d=2 M_1=2 u=[1]"),),
)

OTHERS, OTHERS_2 = "sum(j, 2, d, u[j])", "sum(j, 2, d, u[j]**2)"
SMALL, NEAR, FEW = "M_1 <= h*M_max", f"M_max*{OTHERS} <= h*M_1*u_1", "(d - 1)*M_1 <= h*M_max"
SCENE = (SEVERAL, H, M_1, M_MAX, U_1, U)
TRACED, R_M_SCENE, R_I_SCENE = "(1/M_1 + (d - 1)/M_max)", f"(M_1*u_1**2 + M_max*{OTHERS_2})", f"(u_1**2 + {OTHERS_2})"
SQUARES = f"{OTHERS_2} <= {OTHERS}**2"
R_M_ABOVE = f"{R_M_SCENE} <= (1 + h**3)*M_1*u_1**2"
R_I_ABOVE = f"M_1*{R_I_SCENE} <= (1 + h**4)*M_1*u_1**2"
TRACE_ABOVE = f"{TRACED} <= (1 + h)/M_1"
UP = f"{TRACED}*{R_M_SCENE} <= (1 + h)*(1 + h**3)*{R_I_SCENE}"
AT = "d=2 h=1/2 M_1=1 M_max=2 u_1=1 u=[0]"
TIGHT = "d=2 h=1/2 M_1=1 M_max=2 u_1=8 u=[2]"
SCENES = tuple(
    point(text)
    for text in (
        AT,
        TIGHT,
        "d=2 h=1/4 M_1=1 M_max=4 u_1=16 u=[1]",
        "d=2 h=1/2 M_1=2 M_max=2 u_1=8 u=[2]",
        "d=2 h=1/2 M_1=1 M_max=2 u_1=1 u=[9]",
        "d=9 h=1/2 M_1=1 M_max=2 u_1=8 u=[0]",
    )
)
"""Points of the scene, and others at which one of its conditions fails, for statements without it."""
ABOUT = r"R_{\mathbf{M}}^2 \approx M_1|w_1^0-w_1^\star|^2 \approx M_{\min}R_{\mathbf{I}}^2"
THEN = r"\sqrt{\operatorname{Tr}(\mathbf{M}^{-1})}R_{\mathbf{M}} \approx R_{\mathbf{I}}"
PLACE = "Section 4.3.1, third display"
HAVE_TRACE = Have(TRACE_ABOVE, (Scale("M_1*M_max"), Combine(terms=(("1", FEW),))))

FASTER = Claim(
    id="rbcd/CMP-2",
    title="full sampling is about sqrt(d) times faster than DP-SGD",
    words=(
        "M_j = M_max for j != 1, M_1 = M_min <= h M_max, Tr(M^-1) <= (1 + h)/M_min, and the sum over j != 1 of M_j "
        "u_j at most h M_1 u_1: full sampling is at least sqrt(d/((1 + h)(1 + h^3))) times faster than DP-SGD, "
        "which is encoded, both sides squared, and at most sqrt(d) times (CLM-UP1)."
    ),
    place="Section 4.3.1, after the fourth display",
    printed=r"\text{resulting in a rate that is approximately } \sqrt d \text{ times faster}",
    kind=ClaimKind.INEQUALITY,
    statement=Statement(f"d/((1 + h)*(1 + h**3)) <= d*{R_I_SCENE}/({TRACED}*{R_M_SCENE})", SCENE, (SMALL, NEAR, FEW)),
    rests_on=("rbcd/CLM-UP1",),
    candidates=SCENES,
    argument=(
        Have(UP, (ByTheorem("rbcd/CMP-2/s2"),)),
        Scale(f"(1 + h)*(1 + h**3)*({TRACED}*{R_M_SCENE})"),
        Combine(terms=(("d", UP),)),
    ),
    mutants=(
        mutant(
            "more",
            "d times faster",
            f"d**2/((1 + h)*(1 + h**3)) <= d*{R_I_SCENE}/({TRACED}*{R_M_SCENE})",
            AT,
        ),
    ),
    steps=(
        step(
            "s1",
            "R_M^2 is about M_1 u_1^2: at most 1 + h^3 times it",
            R_M_ABOVE,
            SCENE,
            (SMALL, NEAR),
            place=PLACE,
            printed=ABOUT,
            candidates=SCENES,
            argument=(
                Have(SQUARES, (ByTheorem("rbcd/CMP-2/squares", at=(("m", "d - 1"),)),)),
                Combine(
                    terms=(
                        ("M_max", SQUARES),
                        (f"(h*M_1*u_1 + M_max*{OTHERS})/M_max", NEAR),
                        ("h**2*M_1*u_1**2/M_max", SMALL),
                    )
                ),
            ),
            mutants=(mutant("less", "1 + h^3/9", f"{R_M_SCENE} <= (1 + h**3/9)*M_1*u_1**2", TIGHT),),
        ),
        step(
            "s1-radius",
            "and M_1 u_1^2 is about M_min R_I^2, which is at most 1 + h^4 times it",
            R_I_ABOVE,
            SCENE,
            (SMALL, NEAR),
            place=PLACE,
            printed=ABOUT,
            rests_on=("rbcd/CMP-2/s1",),
            candidates=SCENES,
            argument=(
                Have(R_M_ABOVE, (ByTheorem("rbcd/CMP-2/s1"),)),
                Combine(terms=(("h", R_M_ABOVE), (OTHERS_2, SMALL))),
            ),
            mutants=(mutant("less", "1 + h^4/9", f"M_1*{R_I_SCENE} <= (1 + h**4/9)*M_1*u_1**2", TIGHT),),
        ),
        step(
            "s1-below",
            "and R_M^2 is not less than M_min R_I^2 (nor that than M_1 u_1^2: s1-least)",
            f"M_1*{R_I_SCENE} <= {R_M_SCENE}",
            SCENE,
            ("M_1 <= M_max",),
            place=PLACE,
            printed=ABOUT,
            candidates=SCENES,
            argument=(Combine(terms=((OTHERS_2, "M_1 <= M_max"),)),),
            mutants=(mutant("more", "1.1 times it", f"1.1*M_1*{R_I_SCENE} <= {R_M_SCENE}", AT),),
        ),
        step(
            "s1-least",
            "and M_min R_I^2 is not less than M_1 u_1^2",
            f"M_1*u_1**2 <= M_1*{R_I_SCENE}",
            SCENE,
            place=PLACE,
            printed=ABOUT,
            candidates=SCENES,
            argument=(Positive(),),
            mutants=(mutant("more", "1.1 times it", f"1.1*M_1*u_1**2 <= M_1*{R_I_SCENE}", AT),),
        ),
        step(
            "s2",
            "so Tr(M^-1) R_M^2 is about R_I^2: at most (1 + h)(1 + h^3) times it",
            UP,
            SCENE,
            (SMALL, NEAR, FEW),
            place="Section 4.3.1, fourth display",
            printed=THEN,
            candidates=SCENES,
            argument=(
                Have(R_M_ABOVE, (ByTheorem("rbcd/CMP-2/s1"),)),
                HAVE_TRACE,
                Combine(
                    terms=(
                        (R_M_SCENE, TRACE_ABOVE),
                        ("(1 + h)/M_1", R_M_ABOVE),
                        (f"(1 + h)*(1 + h**3)*{OTHERS_2}", "0 <= 1"),
                    )
                ),
            ),
            mutants=(mutant("less", "1 + h^3 only", f"{TRACED}*{R_M_SCENE} <= (1 + h**3)*{R_I_SCENE}", AT),),
        ),
        step(
            "s2-below",
            "and not less, whatever w^0 is (in general: CLM-UP1)",
            f"{R_I_SCENE} <= {TRACED}*{R_M_SCENE}",
            SCENE,
            ("M_1 <= M_max",),
            place="Section 4.3.1, fourth display",
            printed=THEN,
            candidates=SCENES,
            argument=(Combine(terms=((f"{OTHERS_2}/M_1", "M_1 <= M_max"),)),),
            mutants=(mutant("less", "half of it", f"{R_I_SCENE} <= 1/2*{TRACED}*{R_M_SCENE}", AT),),
        ),
        step(
            "s3",
            "hence the rate sqrt(Tr(M^-1)) R_M times sqrt(d) is at most sqrt((1 + h)(1 + h^3)) times that of DP-SGD, "
            "sqrt(d) R_I; not less by s2-below",
            f"sqrt(d)*(sqrt({TRACED})*sqrt({R_M_SCENE})) <= sqrt((1 + h)*(1 + h**3))*(sqrt(d)*sqrt({R_I_SCENE}))",
            SCENE,
            (SMALL, NEAR, FEW),
            place="Section 4.3.1, after the fourth display",
            printed=r"\text{resulting in a rate that is approximately } \sqrt d \text{ times faster}",
            candidates=SCENES,
            argument=(
                Have(UP, (ByTheorem("rbcd/CMP-2/s2"),)),
                Power("2"),
                Combine(terms=(("d", UP),)),
            ),
            mutants=(
                mutant(
                    "less",
                    "without the factor 1 + h",
                    f"sqrt(d)*(sqrt({TRACED})*sqrt({R_M_SCENE})) <= sqrt(1 + h**3)*(sqrt(d)*sqrt({R_I_SCENE}))",
                    AT,
                ),
            ),
        ),
        step(
            "squares",
            "a sum of squares is at most the square of the sum, for numbers that are not negative",
            "sum(j, 2, m + 1, u[j]**2) <= sum(j, 2, m + 1, u[j])**2",
            (integer("m", "[1, oo)", "d - 1"), U),
            candidates=(point("m=2 u=[1]"),),
            argument=(
                Have("0 <= sum(j, 2, m, u[j])"),
                Induct("m", step=(Combine(terms=(("1", "sum_1 <= sum_2**2"), ("2*u[m + 2]", "0 <= sum_2"))),)),
            ),
            mutants=(
                mutant("less", "half of it", "sum(j, 2, m + 1, u[j]**2) <= sum(j, 2, m + 1, u[j])**2/2", "m=1 u=[1]"),
            ),
        ),
    ),
)

FULL = (EQUAL, FASTER, SUPREMUM, STRONG)
