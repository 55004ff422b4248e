"""With all that the proof gives away (`ours`) the constant of (2.18) is 5.12 in place of 15, for n0 >= 1.

The choice gamma = sqrt(2) zeta/(n0 G), b = G/(n0 zeta), b0 = G^3/(zeta L D_F) is solved for G here, so that gamma is a
number of (0, 1] by itself.
"""

from dpaudit.claims.writing import *

from .notation import *
from .ours import SHARP_DESCENT, sharp_sum
from .steps_choice import LARGE_T
from .steps_combination import LAST_STEP
from .symbols import *

OF_GAMMA = "(sqrt(2)*zeta/(n0*gamma))"
BATCHES = ("(sqrt(2)/(n0**2*gamma))", f"({OF_GAMMA}**3/(zeta*L*D_F))")
SHARP_SUM = sharp_sum(OF_GAMMA, *BATCHES)
SUM_BOUND = "sum_e/T <= 2.15*zeta**2 + (d*sigma**2 + d*sigma0**2/T)/gamma"
IN_GAMMA = "(1 + sqrt(2) - gamma)**2 + 1/4 <= 2.15*sqrt(2)*(2 - gamma)"
NOISE = (
    "d*sigma**2/(zeta*gamma) + sqrt(d)*sigma/sqrt(gamma) + d*sigma0**2/(T*zeta*gamma) + sqrt(d)*sigma0/sqrt(T*gamma)"
)
ROOT_BOUND = "mean_e <= sqrt(2.15)*zeta + sqrt(d)*sigma/sqrt(gamma) + sqrt(d)*sigma0/sqrt(T*gamma)"
CROSS = (
    "2*sqrt(2.15)*zeta*(sqrt(d)*sigma/sqrt(gamma) + sqrt(d)*sigma0/sqrt(T*gamma))"
    " + 2*sqrt(d)*sigma/sqrt(gamma)*sqrt(d)*sigma0/sqrt(T*gamma)"
)
NUMBERS = "3/2 + 2.15 + sqrt(2.15) <= 5.12"
ENOUGH_STEPS = Have("4*n0*L*D_F/zeta**2 <= T", (Combine(terms=LARGE_T),))
SYMBOLS = (STEPS, GAMMA, ZETA, DIVISOR, DIMENSION, SIGMA, FIRST_SIGMA, SMOOTH, GAP, SUM_E)

CONSTANT_STEPS = (
    step(
        "best-errors",
        "the mean of E|v_p^t - grad F(theta^t)|^2 is at most 2.15 zeta^2 and noise",
        SUM_BOUND,
        SYMBOLS,
        (LAST_STEP,),
        given={f"{HERE}/s18-sharp": SHARP_SUM},
        argument=(
            ENOUGH_STEPS,
            Have(IN_GAMMA, (Boxes(),)),
            Combine(
                terms=(
                    ("1/(T*gamma*(2 - gamma))", SHARP_SUM),
                    ("zeta**2/(sqrt(2)*(2 - gamma))", IN_GAMMA),
                    ("zeta**2/(4*sqrt(2)*T*(2 - gamma))", "4*n0*L*D_F/zeta**2 <= T"),
                    ("(d*sigma**2 + d*sigma0**2/T)*(1 - gamma)/(gamma*(2 - gamma))", "0 <= 1"),
                )
            ),
        ),
        mutants=(
            mutant(
                "constant",
                "2 in place of 2.15",
                SUM_BOUND.replace("2.15", "2"),
                "T=1000 gamma=1/1000 zeta=1 n0=1 d=1 sigma=1/1000 sigma0=1/1000 L=1 D_F=1999/8 sum_e=2100",
            ),
        ),
    ),
    step(
        "best-constant",
        "(2.18) with 5.12 zeta: the mean of E|v_p^t| has 3/2 zeta and 2.15 zeta, that of the errors 2.15^(1/2) zeta",
        f"mean_g <= 5.12*zeta + {NOISE}",
        (*SYMBOLS, SUM_V, MEAN_V, MEAN_E, MEAN_G),
        (LAST_STEP, "mean_v == sum_v/T"),
        given={
            f"{HERE}/s22-mean": "mean_e**2 <= sum_e/T",
            f"{HERE}/s8-sharp": SHARP_DESCENT,
            f"{HERE}/best-errors": SUM_BOUND,
            f"{HERE}/s23-triangle": "mean_g <= mean_v + mean_e",
        },
        place="(2.18)",
        rests_on=(f"{HERE}/s23-output",),
        argument=(
            ENOUGH_STEPS,
            Have(NUMBERS, (Boxes(),)),
            Have(
                ROOT_BOUND,
                (Power("2"), Combine(terms=(("1", "mean_e**2 <= sum_e/T"), ("1", SUM_BOUND), (CROSS, "0 <= 1")))),
            ),
            Combine(
                terms=(
                    ("1", "mean_g <= mean_v + mean_e"),
                    ("1", "mean_v <= sum_v/T"),
                    ("4*n0*L/(T*zeta)", SHARP_DESCENT),
                    ("zeta/T", "4*n0*L*D_F/zeta**2 <= T"),
                    ("1/zeta", SUM_BOUND),
                    ("1", ROOT_BOUND),
                    ("zeta", NUMBERS),
                )
            ),
        ),
        mutants=(
            mutant(
                "constant",
                "5 in place of 5.12",
                f"mean_g <= 5*zeta + {NOISE}",
                "T=1000 gamma=1 zeta=1 n0=1 d=1 sigma=1/1000 sigma0=1/1000 L=1 D_F=1999/8 sum_e=2150"
                " sum_v=3649 mean_v=3649/1000 mean_e=1466/1000 mean_g=5115/1000",
            ),
        ),
    ),
)
