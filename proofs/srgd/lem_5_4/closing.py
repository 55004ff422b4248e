"""Lemma 5.4: the last display, and the choice of c_1. Steps s16 to s18."""

from dpaudit.claims.writing import *

from .symbols import *

C_1, C_2 = real("c_1", "[1, oo)"), positive("c_2")
CONSTANTS = (C_1, C_DP, positive("L"), positive("R"), ELL, positive("n"), positive("B"), TIME)
REST = "c_DP*L*R*ell/sqrt(B*(t + 1))"
FIFTH = "4*c_1*sqrt(c_DP)*L*R*ell/3*(2*sqrt(c_DP)/sqrt(n) + 1/sqrt(c_DP*B*t))"
K = "(8 + 4/(3*c_DP))"
FIRST, SECOND = f"(c_2**2*{K} + sqrt(c_2**4*{K}**2 + 2*c_2**2))", "(sqrt(2)*c_2 + 2)"
CHOICE = f"max({FIRST}, {SECOND})"

CLOSING_STEPS = (
    erratum(
        "s16",
        "(21) and (22) in (20), first line of the display: under the root, the last line of (22) and the next term "
        "are at most 8 c_1 c_DP L R ell/(3 sqrt(n)) + (4 c_1/(3 c_DP) + 1) c_DP L R ell/sqrt(B (t + 1))",
        f"{FIFTH} + {REST} <= 8*c_1*c_DP*L*R*ell/(3*sqrt(n)) + (4*c_1/(3*c_DP) + 1)*{REST}",
        CONSTANTS,
        printed=r"\frac{8c_1c_{DP}LR\log(T/\gamma)}3\cdot\frac1{n^{1/2}}+\frac{(4c_1/3c_{DP}+1)c_{DP}LR\log(T/\gamma)}"
        r"{\sqrt{B(t+1)}}",
        candidates=(point("c_1=1 c_DP=1 L=1 R=1 ell=1 n=2 B=1 t=1"),),
        finding=(
            "1/sqrt(B t) was replaced by the smaller 1/sqrt(B (t + 1)); a factor sqrt(2) is missing. The third line, "
            "with 8 c_1 in the place of 8 c_1/3, has room for it."
        ),
        repair=f"{LEM}/s16-next",
    ),
    step(
        "s16-next",
        "third line of the display, what stands under its first root, by 1/sqrt(n) <= 1/sqrt(B (t + 1)): the last line "
        "of (22) and the next term of (20) are at most (8 c_1 + 4 c_1/(3 c_DP) + 1) c_DP L R ell/sqrt(B (t + 1))",
        f"{FIFTH} + {REST} <= (8*c_1 + 4*c_1/(3*c_DP) + 1)*{REST}",
        CONSTANTS,
        given={f"{LEM}/s15": "1/sqrt(n) <= 1/sqrt(B*(t + 1))"},
        reads=Reads.PRINTED,
        argument=(
            Have("1/sqrt(t) <= 3/2/sqrt(t + 1)", (Power("2"), Positive())),
            Combine(
                (
                    ("8*c_1*c_DP*L*R*ell/3", "1/sqrt(n) <= 1/sqrt(B*(t + 1))"),
                    ("4*c_1*L*R*ell/3/sqrt(B)", "1/sqrt(t) <= 3/2/sqrt(t + 1)"),
                    ("2*c_1*L*R*ell/3/sqrt(B*(t + 1))", "1 <= c_DP"),
                    ("c_1*L*R*ell*c_DP/sqrt(B*(t + 1))*(16/3 - 2/3)", "0 <= 1"),
                )
            ),
        ),
        candidates=(point("c_1=1 c_DP=1 L=1 R=1 ell=1 n=4 B=1 t=1"),),
        mutants=(
            mutant(
                "one",
                "c_1 in place of 8 c_1",
                f"{FIFTH} + {REST} <= (c_1 + 4*c_1/(3*c_DP) + 1)*{REST}",
                "c_1=1 c_DP=1 L=1 R=1 ell=1 n=4 B=1 t=1",
            ),
        ),
    ),
    step(
        "s17",
        "1/t <= 2/(t + 1)",
        "1/t <= 2/(t + 1)",
        (TIME,),
        reads=Reads.OURS,
        argument=(Positive(),),
        mutants=(mutant("less", "3/2 in place of 2", "1/t <= 3/2/(t + 1)", "t=1"),),
    ),
    step(
        "s18",
        "sqrt(2) c_2 max{sqrt(8 c_1 + 4 c_1/(3 c_DP) + 1), 1 + sqrt(2)/c_2} <= c_1 has a solution c_1 for every c_2, "
        "c_DP. Encoded: its first condition, at c_1 = c_2^2 K + sqrt(c_2^4 K^2 + 2 c_2^2), K = 8 + 4/(3 c_DP), and for "
        "every larger c_1",
        "2*c_2**2*(8*c_1 + 4*c_1/(3*c_DP) + 1) <= c_1**2",
        (C_2, C_DP, positive("c_1")),
        enough=(f"{FIRST} <= c_1",),
        argument=(
            Have(
                f"c_2**4*{K}**2 + 2*c_2**2 <= (c_1 - c_2**2*{K})**2",
                (Power("1/2"), Combine((("1", f"{FIRST} <= c_1"),))),
            ),
            Combine((("1", f"c_2**4*{K}**2 + 2*c_2**2 <= (c_1 - c_2**2*{K})**2"),)),
        ),
        printed=r"\sqrt2c_2\max\left\{\sqrt{8c_1+\frac{4c_1}{3c_{DP}}+1},1+\frac{\sqrt2}{c_2}\right\}\le c_1",
        candidates=(point("c_2=1 c_DP=1 c_1=40"),),
        mutants=(
            Mutant(
                "half", "half of it", conditions=(f"1/2*{FIRST} <= c_1",), candidates=(point("c_2=1 c_DP=1 c_1=10"),)
            ),
        ),
    ),
    step(
        "s18-second",
        "and the second condition at every c_1 >= sqrt(2) c_2 + 2",
        "sqrt(2)*c_2*(1 + sqrt(2)/c_2) <= c_1",
        (C_2, positive("c_1")),
        enough=(f"{SECOND} <= c_1",),
        argument=(Rewrite(left=SECOND), Combine((("1", f"{SECOND} <= c_1"),))),
        candidates=(point("c_2=1 c_1=4"),),
        mutants=(
            Mutant(
                "one", "sqrt(2) c_2 + 1", conditions=("sqrt(2)*c_2 + 1 <= c_1",), candidates=(point("c_2=1 c_1=3"),)
            ),
        ),
    ),
)
