"""HighProbERM as proposition 10 charges it: log(1/zeta) times the loss of one copy.

What: Algorithm 7 with T = 4 and zeta = 1 - 10^-12: 20 log(1/zeta) rounded up is one copy, one call of one step.
Why: the printed Renyi loss is proportional to log(1/zeta) and goes to 0 with it, while a whole copy still runs. Here,
with C_priv = 1, it says that the laws on neighbours are within total variation 1e-5 of each other; a larger C_priv
asks for a smaller zeta and changes nothing. (Claim resque/PROP-10/privacy-copies of the ledger; zeta bounded away from
1, as theorem 3 has it, is its repair. Proposition 8 is false too, but only for T beyond any run.)
Worst-case neighbours: one record is L<u, x>, all others are -L<u, x>; the neighbour has -L<u, x> there too.
The adversary sees the points of all copies, here of one.
"""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from dpaudit.algorithms.resque import high_probability_erm as solver
from dpaudit.noise.stream import Trials
from dpaudit.problems.smoothing.ridges import Ridge, RidgeLosses, ridge_losses
from dpaudit.records.mechanism import Gaussian, WithReplacementSampled
from dpaudit.records.privacy import ApproximateDP, Neighbours, PrivacyClaim, View
from dpaudit.records.target import Target, TrialPlan
from dpaudit.records.verdict import Outcome

Array = NDArray[np.float64]

RECORDS = 4
PARAMS = solver.Params(
    centre=(0.0,), radius=1.0, smoothing=1e6, privacy=1 / 20, steps=4, lipschitz=1.0, regulariser=1e-6,
    records=RECORDS, failure=1 - 1e-12,
)  # fmt: skip
BETA = solver.solver.called(PARAMS)[0].privacy

TARGET = Target(
    name="resque/high-probability-erm-as-printed",
    title="HighProbERM at zeta near 1, with the printed privacy",
    view=View.TRANSCRIPT,
    claim=PrivacyClaim(
        ApproximateDP(0.0, 1e-5),
        Neighbours.REPLACE_ONE,
        delta=1e-5,
        source="Carmon et al. (2023), proposition 10 as printed, C_priv = 1: (alpha, 1e-12, 1e-6)-RDP at alpha = 1.5",
    ),
    trials=TrialPlan(smoke=300_000, standard=2_000_000, deep=10_000_000),
    expects=Outcome.REFUTED,
    truth=WithReplacementSampled(1, RECORDS, Gaussian(1 / (2 * BETA))),
    effect="a search that is declared free still costs what one run of the solver costs: epsilon 0.13 at 1e-5 here",
    repair="resque/high-probability-erm",
)


def neighbours(rng: np.random.Generator) -> tuple[RidgeLosses, RidgeLosses]:
    """Records -x, of which the first is turned around in D."""
    signs = [[1.0, -1.0, -1.0, -1.0], [-1.0] * RECORDS]
    return tuple(ridge_losses([(Ridge.LINEAR, (s,)) for s in side]) for side in signs)  # type: ignore[return-value]


def run(data: RidgeLosses, trials: Trials) -> Array:
    """The points of all copies, shape (trials, copies, 1)."""
    return solver.cpu(PARAMS, data, trials).copies


def score(outputs: Array, data: RidgeLosses, neighbour: RidgeLosses) -> Array:
    """A copy that drew the record lies further to the left."""
    return -outputs[:, 0, 0]
