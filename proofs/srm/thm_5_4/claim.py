"""Theorem 5.4 of DP-SRM, second half of the proof: the noise, the rate, the privacy conditions (steps s25 to s41)."""

from dpaudit.claims.writing import *

from .ours_conditions import CONDITIONS_OURS
from .steps_conditions import CONDITIONS
from .steps_noise import NOISE
from .steps_rate import RATE

CLAIM = Claim(
    id="srm/THM-5.4",
    title="utility of DP-SRM",
    words=(
        "With n0 = L D_F/G^2, zeta = C_9 (sqrt(G L D_F d log(1/delta))/(n eps))^(2/3), T = floor(4 n0 L D_F/zeta^2) + "
        "1, gamma = sqrt(2) zeta/(n0 G), b = b0 = G^3/(zeta L D_F) and the noise of Theorem 5.1: E|grad F| <= C_10 "
        "(sqrt(G L D_F d log(1/delta))/(n eps))^(2/3), and the conditions of Theorem 5.1 hold for large n. The steps "
        "from (2.19) on."
    ),
    place="Theorem 5.4, Section 2.3",
    kind=ClaimKind.CONVERGENCE,
    statement=None,
    expects=Outcome.NOT_RUN,
    steps=(*NOISE, *RATE, *CONDITIONS, *CONDITIONS_OURS),
)
