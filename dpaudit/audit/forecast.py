"""Before an audit: how many trials, and how long, to catch a violation of a stated size.

Nothing is scored and no budget is spent: a pilot only measures how long a trial takes. The test that is forecast is
the one that decides: counts at one threshold, or ranks, each at half of the error probability, whichever needs fewer
trials; bets, where the target stops early.
"""

from __future__ import annotations

import contextlib
import math
import time
from collections.abc import Iterator, Sequence
from dataclasses import dataclass

import numpy as np

from dpaudit.accounting.epsilon import claimed_epsilon, gaussian_epsilon
from dpaudit.audit import contract
from dpaudit.audit.game import decide, decide_one_run
from dpaudit.audit.planning import FEWEST, gaussian_mu
from dpaudit.content.audits import Audit
from dpaudit.estimators import betting_power, power
from dpaudit.estimators.held_out_threshold import HELD_OUT
from dpaudit.estimators.rank_power import Law, gaussian_law, laplace_law, trials_needed
from dpaudit.noise.stream import Stream, Trials
from dpaudit.records.context import Level
from dpaudit.records.errors import ConfigurationError, ContentError
from dpaudit.records.privacy import ApproximateDP, GaussianDP, Guarantee
from dpaudit.records.target import Target
from dpaudit.records.verdict import Outcome

FACTORS = (0.5, 0.8, 0.9, 0.95)
"""Shares of the claimed noise whose trials are forecast unless the user names violations."""

EPSILONS = (0.1, 0.5, 1.0)
"""The violations that are forecast against a claim that nothing leaks."""

_PILOT_SECONDS = 0.5
_SMALLEST_MU = 1e-3


@dataclass(frozen=True)
class Forecast:
    """What it takes to catch one violation with the asked probability.

    violation: in words; epsilon: of the violation at the quoted delta; trials: a side, None if no number up to `most`
    does; seconds: on one core, both sides; level: the first of the target's plan that has so many trials, or "".
    """

    violation: str
    epsilon: float
    trials: int | None
    seconds: float | None
    level: str
    most: int = 10**12


def seconds_per_trial(subject: Audit, seed: int) -> float:
    """Wall time of one trial on D, from batches that grow until they take half a second; the first warms up."""
    target, run = subject.target, contract.run_of(subject)
    data, _ = contract.neighbours(subject, contract.generator(seed, target.name, "neighbours"))
    stream, number = Stream(seed, f"{target.name}/pilot"), 16
    run(data, Trials(stream, np.arange(number)))
    while True:
        started = time.perf_counter()
        run(data, Trials(stream, np.arange(number)))
        seconds = time.perf_counter() - started
        if seconds > _PILOT_SECONDS or number >= 2**16:
            return seconds / number
        number *= 4


def forecast(
    subject: Audit, alpha: float, seed: int, epsilons: Sequence[float] = (), chance: float = 0.9
) -> Iterator[Forecast]:
    """One row a violation: the named `epsilons` at the quoted delta, or else FACTORS of the noise.

    alpha: error probability of the decision; chance: probability of catching it, in (0, 1). The violating mechanism is
    taken to be Gaussian, against pure DP a Laplace one. One training with canaries has two rows: what they can show,
    and what they catch in 9 of 10 audits. ConfigurationError for a target without trials, and for an epsilon that the
    claim allows.
    """
    target = subject.target
    if target.canaries:
        yield from _of_canaries(target, alpha, epsilons)
        return
    if target.trials is None:
        raise ConfigurationError(f"{target.name} plays no game on two data sets: its cost is one training")
    guarantee, delta = decide.decided_guarantee(target), target.claim.delta
    claimed = claimed_epsilon(target.claim.guarantee, delta)
    if not math.isfinite(claimed):
        raise ConfigurationError(f"{target.name} claims nothing at delta {delta:g}")
    seconds = seconds_per_trial(subject, seed)
    stated = target.claim.guarantee  # what is decided may be the curve of a mechanism that keeps it
    pure = isinstance(stated, ApproximateDP) and stated.delta == 0
    mu = claimed if pure else gaussian_mu(claimed, delta)
    wanted = [(f"epsilon {epsilon:g}", epsilon) for epsilon in epsilons]
    if not epsilons and mu > _SMALLEST_MU:
        wanted = [
            (f"noise times {factor:g}", mu / factor if pure else gaussian_epsilon(delta, mu / factor))
            for factor in FACTORS
        ]
    elif not epsilons:  # a claim of no leakage has no noise to speak of
        wanted = [(f"epsilon {epsilon:g}", epsilon) for epsilon in EPSILONS]
    for words, epsilon in wanted:
        if epsilon <= claimed:
            raise ConfigurationError(f"epsilon {epsilon:g} is no violation: {target.name} claims {claimed:.4g}")
        law = laplace_law(epsilon) if pure else gaussian_law(gaussian_mu(epsilon, delta))
        if target.early_stop:
            trials = _pairs(law, guarantee, alpha, chance, len(subject.all_attacks))
        else:
            trials = _trials(law, guarantee, alpha / 2, chance, pure)
        cost = None if trials is None else 2 * trials * seconds
        most = betting_power.MOST if target.early_stop else Forecast.most
        yield Forecast(words, epsilon, trials, cost, _level(target, trials), most)


def of_a_name(target: Target, alpha: float) -> str:
    """What naming the mechanism would save, in a sentence; "" where one is named, the claim is more than a point, or
    a bug is known, which is caught whatever is claimed.

    alpha: error probability of the decision. The mechanism is taken to be Gaussian.
    """
    point = target.claim.guarantee
    settled = target.claimed_mechanism is not None or target.expects is not Outcome.CONSISTENT
    if settled or target.trials is None or not isinstance(point, ApproximateDP) or not 0 < point.delta < 1:
        return ""
    mu = max(gaussian_mu(point.epsilon, point.delta), _SMALLEST_MU)
    law = gaussian_law(mu / FACTORS[0])
    many, few = (_trials(law, one, alpha / 2, 0.9, pure=False, rough=True) for one in (point, GaussianDP(mu)))
    if many is None or few is None:
        return ""
    return f"no mechanism is named: half of the noise takes about {many:,} trials a side, with `mechanism=` {few:,}"


def _of_canaries(target: Target, alpha: float, epsilons: Sequence[float]) -> Iterator[Forecast]:
    """What one training can show with the canaries that the target has: no number of trials is to be found.

    How much of it an audit shows hangs on the scores, which a training without noise tells.
    """
    if epsilons:
        raise ConfigurationError(
            f"{target.name} is one training with {target.canaries} canaries, which catch one violation or none; "
            "leave --epsilon out"
        )
    guarantee, delta, sides = decide.decided_guarantee(target), target.claim.delta, target.canaries // 2
    coins = np.arange(target.canaries) % 2 == 0
    limit = decide_one_run.limit_of_detection(guarantee, coins, alpha, delta)
    caught = decide_one_run.smallest_violation(guarantee, target.canaries, alpha, delta)
    yield Forecast("shown if scores give all canaries away", limit, sides, None, "")
    kind = "Gaussian" if delta else "Laplace"
    yield Forecast(f"caught if canaries are independent and {kind}", caught, sides, None, "")


def _trials(
    law: Law, guarantee: Guarantee, alpha: float, chance: float, pure: bool, *, rough: bool = False
) -> int | None:
    """Of counts and of ranks, each at level `alpha`, the fewer; None if no number of trials tells the two apart."""
    found = []
    with contextlib.suppress(ContentError):  # the counts tell them apart with no number of trials
        found.append(power.trials_needed(law.shift, guarantee, alpha, chance, pure=pure))
    with contextlib.suppress(ContentError):  # the ranks do not
        found.append(trials_needed(law, guarantee, alpha, chance, least=FEWEST, rough=rough))
    return min(found, default=None)


def _pairs(law: Law, guarantee: Guarantee, alpha: float, chance: float, attacks: int) -> int | None:
    """Of bets, with the trials that choose among several attacks, which are not bet on; None if too many."""
    with contextlib.suppress(ContentError):
        pairs = betting_power.pairs_needed(law, guarantee, alpha * (1 - decide.OF_SHAPES), chance)
        return pairs if attacks == 1 else math.ceil(pairs / (1 - HELD_OUT))
    return None


def _level(target: Target, trials: int | None) -> str:
    if trials is None or target.trials is None:
        return ""
    return next((level.value for level in Level if target.trials.at(level) >= trials), "")
