"""Theorem 5.4 of DP-SRM, second half of the proof: the noise, the rate, the privacy conditions (steps s25 to s41)."""

from dpaudit.claims.writing import *

from .ours import OURS
from .steps_noise import NOISE
from .steps_conditions import CONDITIONS
from .steps_rate import RATE

CLAIM = Claim(
    id="srm/THM-5.4",
    title="utility of DP-SRM",
    words="The second half of the proof: from the noise (2.19) to the conditions of Theorem 5.1.",
    place="Theorem 5.4",
    kind=ClaimKind.CONVERGENCE,
    statement=None,
    expects=Outcome.NOT_RUN,
    steps=(*CONDITIONS, *OURS),
)
