"""What is added to Lemma 3.8: what it says on average, for all vectors at once, and a sharper lower tail."""

from dpaudit.claims.writing import *

from .symbols import *
from .tails import ALL, NEAR_MEAN, PLAIN

SMALL = 12
MEAN_A, MEAN_B = "a == K/d", "b == K/d"
THRESHOLD = "1 - (1 - c**2)*K/d + e*(1 + c**2)*K/d"

OURS = (
    step(
        "small",
        f"d up to {SMALL}, without Theorem A.1: both tails as values of the incomplete beta function, enclosed",
        f"{LOWER} + {UPPER} <= 2*{RATE}",
        (integer("d", f"[2, {SMALL}]"), K, SLACK),
        HALF,
        kind=ClaimKind.TAIL,
        rests_on=("haar-beta",),
        argument=(Boxes(60_000),),
        mutants=(Mutant("factor", "0.99 in place of 2", f"{LOWER} + {UPPER} <= 0.99*{RATE}", candidates=NEAR_MEAN),),
    ),
    step(
        "mean",
        "the mean of c1^2 is 1 - (1 - c^2) K/d. Encoded: its value where both sums have their mean, as c1^2 is linear "
        "in them",
        "1 - a + c**2*b == 1 - (1 - c**2)*K/d",
        (D, K, LIPSCHITZ, UPSILON, GAMMA),
        given={f"{HERE}/s6": (MEAN_A, MEAN_B)},
        rests_on=("haar-beta",),
        argument=(Substitute((), where("a=K/d b=K/d"), ()), Identical()),
        candidates=(point("d=4 K=1 c=1/2 a=1/4 b=1/4"),),
    ),
    step(
        "lower-sharper",
        "the lower tail alone is at most exp(-e^2 K (d + 2)/(4 (d - K))), without the scale",
        f"{LOWER} <= exp(-e**2*K*(d + 2)/(4*(d - K)))",
        ALL,
        HALF,
        given={"zeroth/THM-A.1/lower": f"{LOWER} <= exp(-(e*K/d)**2/(2*({VARIANCE})))"},
        kind=ClaimKind.TAIL,
        rests_on=("haar-beta", f"{HERE}/s7-exact"),
        argument=(Combine((("1", f"{LOWER} <= exp(-(e*K/d)**2/(2*({VARIANCE})))"),)),),
        candidates=PLAIN,
        mutants=(
            mutant(
                "rate",
                "twice the exponent",
                f"{LOWER} <= exp(-2*e**2*K*(d + 2)/(4*(d - K)))",
                "d=200 K=100 e=3/10",
            ),
        ),
    ),
    erratum(
        "uniform",
        "one event for all unit vectors A and B: that the threshold holds for the sums a and b of every such pair, "
        "which take all values from 0 to 1 for each frame with K < d",
        f"1 - a + c**2*b <= {THRESHOLD}",
        (D, K, SLACK, LIPSCHITZ, UPSILON, GAMMA),
        ("2*K <= d", "e*K <= d - K"),
        reads=Reads.OURS,
        kind=ClaimKind.IMPLICATION,
        place="Section 3.2, proof of Theorem 3.2, step (d), where Lemma 3.8 is applied",
        candidates=(point("d=4 K=1 e=1/2 c=1/2 a=0 b=1"),),
        finding=(
            "The lemma is about two vectors that do not depend on the frame, and for these it is proved. It says "
            "nothing of all vectors at once: whatever the frame, A orthogonal to it and B inside give c1^2 = 1 + c^2. "
            "That the map contracts, which step (d) of the proof of Theorem 3.2 takes from here, is about all pairs of "
            "points for one frame."
        ),
        repair=HERE,
    ),
)
