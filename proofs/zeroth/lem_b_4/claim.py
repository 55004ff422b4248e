r"""Lemma B.4: what is left of a vector without its parts along K independent directions.

False. If all directions lie close to v then v - sum <v, u_k> u_k is about (1 - K) v, and that is more likely than the
lemma allows: in the plane with K = 8 at delta = 1/257, and with K <= d/2 for very small delta (`half`). The printed
proof takes (1 - S)^2 to be less than (1 - low)^2 for every S above low, also for S above 2 (s3); takes the tail of B
for that of its root (s5); and rests on Lemma B.2 with the constant 1. With all three corrected the lemma has 72 K/d in
the place of K/(2 d + 6) and an upper bound on S (~repaired).
"""

import numpy as np

from dpaudit.claims.writing import *

from .ours import REPAIRED
from .steps_across import ACROSS
from .steps_parallel import PARALLEL
from .symbols import *

ON_SPHERE = "K=20 d=40 b=3/5 delta=1/1" + "0" * 177
HALF = "K=20 d=40 b=3/5 delta=1/1" + "0" * 172


def beyond(stream, trials):
    """K = d = 4, delta = 1/1000: whether what is left of v is more than (123)."""
    u = np.random.default_rng(stream.seeds(np.array([0]))).standard_normal((trials, 4, 4))
    u /= np.linalg.norm(u, axis=2, keepdims=True)
    left = -(u[:, :, :1] * u).sum(axis=1)
    left[:, 0] += 1
    return (left**2).sum(axis=1) > 4 / 14 * np.log(16_000) + 1


PRINTED = Claim(
    id=HERE,
    title="the bound on what is left of a vector is false; for K <= d/2 it fails at very small delta",
    words=(
        "For independent u_k, uniform on the unit sphere of R^d: |v - sum <v, u_k> u_k|^2 is at most |v|^2 times (123) "
        "with probability 1 - delta (printed 1 - beta). Encoded: for the event that all B_k are at least b, with K b "
        ">= 1, where the left side is at least |v|^2 (K b - 1)^2: if that is more than (123) then its probability is "
        "at most delta."
    ),
    place="Lemma B.4, (122) and (123)",
    printed=r"\left\lVert v-\sum_{k=1}^K\langle v,u_k\rangle u_k\right\rVert_2^2\leq\left\lVert v\right\rVert_2^2\left("
    r"\frac{K}{2d+6}\log\left(\frac{4d}{\delta}\right)+\left(1-\left(0.15-\frac{\log(2/\delta)}{K}\right)_+\cdot"
    r"\frac{K}{20\left(d+2+\sqrt{d-1}\right)}\right)^2\right)",
    kind=ClaimKind.TAIL,
    statement=Statement(f"{REACHED} <= delta", (D, K, DELTA, SHARE), ("1 <= K*b", f"{BOUND} < (K*b - 1)**2")),
    rests_on=("haar-beta", f"{HERE}/s1~repaired"),
    expects=Outcome.REFUTED,
    candidates=(point("d=2 K=8 b=1/2 delta=1/257"),),
    finding=(
        "In the plane a direction is within 45 degrees of the line of v with probability 1/2, so that all of K = 8 are "
        "with probability 1/256. Then the left side is at least 9 |v|^2; at delta = 1/257 the bound is 7.1 |v|^2. For "
        "K well above d it fails at usual delta: S is about K/d, and (1 - K/d)^2 is of order K^2/d^2, the bound of "
        "order K/d. It fails for K <= d/2 too, where delta is very small (half). The orders of K, d and log(1/delta) "
        "can be kept where S is at most 2 (~repaired)."
    ),
    repair=f"{HERE}~repaired",
    steps=(
        *PARALLEL,
        *ACROSS,
        erratum(
            "half",
            "the lemma for K <= d/2, as in the rest of the paper",
            f"{REACHED} <= delta",
            (D, K, DELTA, SHARE),
            ("2*K <= d", "1 <= K*b", f"{BOUND} < (K*b - 1)**2"),
            reads=Reads.READING,
            place="Lemma B.4, (122) and (123)",
            kind=ClaimKind.TAIL,
            rests_on=("haar-beta", f"{HERE}/s1~repaired"),
            candidates=(point(HALF),),
            finding=(
                "At d = 40, K = 20 and delta = 10^-172 all B_k are at least 3/5 with a probability above delta, and "
                "the left side is then at least 121 |v|^2, the bound 94.3 |v|^2. That takes a very small delta: in "
                "simulations with K = d/2 and a usual one it holds. For K = d a usual one is enough (usual)."
            ),
            repair=f"{HERE}~repaired",
        ),
        erratum(
            "sphere",
            "the lemma for the sphere S^d of R^(d + 1), which the first sentence of the section names, and K <= d/2: "
            "the B_k follow Beta(1/2, d/2)",
            "beta_tail(1/2, d/2, b)**K <= delta",
            (D, K, DELTA, SHARE),
            ("2*K <= d", "1 <= K*b", f"{BOUND} < (K*b - 1)**2"),
            reads=Reads.READING,
            place="Lemma B.4, (122) and (123)",
            kind=ClaimKind.TAIL,
            rests_on=("haar-beta", f"{HERE}/s1~repaired"),
            candidates=(point(ON_SPHERE),),
            finding=(
                "v in R^d and the law Beta(1/2, (d - 1)/2) of the proof say that S^(d - 1) is meant. The numbers 2 d + "
                "6 and d + 2 + sqrt(d - 1) fit S^d, but the lemma is false for it too, at d = 40, K = 20 and delta = "
                "10^-177."
            ),
            repair=f"{HERE}~repaired",
        ),
        Step(
            "usual",
            "the lemma for K = d = 4 and delta = 0.001, by simulation: the left side is more than (123), where its "
            "(.)_+ is 0",
            None,
            expects=Outcome.REFUTED,
            kind=ClaimKind.TAIL,
            reads=Reads.READING,
            place="Lemma B.4, (122) and (123)",
            empirical=(Chance("beyond", limit=0.001, near_miss=0.0005, trials=400_000),),
            finding=(
                "In simulations the bound fails with probability 0.0018 at K = d = 4 and delta = 0.001, a usual delta."
            ),
            repair=f"{HERE}~repaired",
        ),
    ),
)

CLAIMS = (PRINTED, REPAIRED)
