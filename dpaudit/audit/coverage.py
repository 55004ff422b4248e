"""Does an auditor's lower bound on epsilon keep its confidence? The tier of targets that have `bounds`.

A target file defines bounds(scores_in, scores_out, delta, alpha) -> float: from the scores of two data sets, each (n,)
and larger where an output looks more like the first one, a lower bound on epsilon at `delta` that may exceed the true
one with probability `alpha` at most. It is played on laws whose epsilon is known:

    identical             standard normal scores on both sides; epsilon 0 at every delta
    randomised response   scores 1 or 0, true with probability p = 0.75 or 0.99; epsilon = log((p - delta)/(1 - p)).
                          Where p is near 1 only one of two error rates is uncertain, and a bound that pays for both
                          has the least room
    Laplace               scores 0 or 1 plus noise of scale 1; epsilon = 1 + 2 log(1 - delta), read near delta 0 and at
                          0.2, where a bound that forgets delta shows
    Gaussian              scores 0 or 1 plus standard normal noise (Balle, Wang 2018, theorem 8)

Of `audits` audits a law the false alarms are counted: bounds above the true epsilon. The auditor is refuted if so many
have, at a rate of alpha, a probability of at most the law's share of the error budget: an exact binomial test, of a
number of audits that is fixed in advance. It takes the audits for independent: bounds must not keep anything from one
to the next, other than a generator of its own. What is tested is the rate on these laws, not on every law. A law
that breaks an assumption which the auditor states is left out with LAWS = (names of the others); how many audits are
played at each level is REPETITIONS, a TrialPlan.
"""

from __future__ import annotations

import math
from collections import Counter
from collections.abc import Callable, Sequence
from dataclasses import dataclass

import numpy as np
from scipy.special import betainc

from dpaudit.accounting.epsilon import gaussian_epsilon
from dpaudit.arithmetic.arrays import Array
from dpaudit.audit.laws import Law, randomised_response
from dpaudit.audit.structural.finding import Finding
from dpaudit.audit.wording import probability
from dpaudit.estimators.clopper_pearson import rate_lower, rate_upper
from dpaudit.records.errors import ContentError, MissingPackageError
from dpaudit.records.verdict import Evidence, Outcome

ENGINE = "coverage"
ALPHA = 0.05
"""What the auditor is asked for: bounds that are wrong one time in twenty at most."""
SAMPLES = 1000
"""Scores of each side in one audit."""

Bounds = Callable[[Array, Array, float, float], float]
_ROUNDING = 1e-9


def laws() -> tuple[Law, ...]:
    """The laws that auditors are played on, in the order of the findings."""
    return (
        Law("identical", 1e-5, 0.0, lambda rng, n, first: rng.normal(size=n)),
        randomised_response("randomised response, fair", 1e-5, 0.75),
        randomised_response("randomised response, nearly always true", 1e-5, 0.99),
        Law("Laplace", 1e-5, 1 + 2 * math.log1p(-1e-5), lambda rng, n, first: first + rng.laplace(size=n)),
        Law("Laplace at delta 0.2", 0.2, 1 + 2 * math.log(0.8), lambda rng, n, first: first + rng.laplace(size=n)),
        Law("Gaussian at delta 0.1", 0.1, gaussian_epsilon(0.1, 1.0), lambda rng, n, first: first + rng.normal(size=n)),
    )


def planned_tests() -> int:
    """One test of each law, together at one share of the error budget."""
    return 1


def examine(
    bounds: Bounds, audits: int, *, seed: int, alpha: float, names: Sequence[str] | None = None
) -> tuple[Finding, ...]:
    """One finding a law. audits: of each law; seed: of the scores; alpha: error probability of all laws together.

    names: the laws that are played, all if None. An auditor that raises, or returns no number, gives the finding ERROR
    with what it raised how often. Raises ContentError for an unknown name.
    """
    known = laws()
    unknown = set(names or ()) - {law.name for law in known}
    if unknown or (names is not None and not names):
        raise ContentError(f"LAWS must name some of {[law.name for law in known]}, got {sorted(unknown) or 'none'}")
    chosen = [law for law in known if names is None or law.name in names]
    return tuple(
        judge(law, play(bounds, law, audits, np.random.default_rng([seed, place])), alpha / len(chosen))
        for place, law in enumerate(known)
        if law in chosen
    )


def evidence(findings: Sequence[Finding]) -> tuple[Evidence, ...]:
    """The findings as evidence of this engine, in the same order."""
    return tuple(Evidence(ENGINE, f.outcome, f"{'statistical: ' * (f.outcome is Outcome.REFUTED)}{f.check}: {f.detail}",
                          f.numbers) for f in findings)  # fmt: skip


@dataclass(frozen=True)
class Played:
    """Audits of one law. alarms: bounds above the truth; total: of the bounds, each at least 0; largest: bound;
    raised: what the auditor raised, how often: it gave no bound then."""

    audits: int
    alarms: int
    total: float
    largest: float
    raised: Counter[str]

    @property
    def mean(self) -> float:
        """The mean of the bounds, each at least 0; NaN without any."""
        given = self.audits - self.raised.total()
        return self.total / given if given else math.nan

    @property
    def mostly_raised(self) -> str:
        """In how many audits there was no bound, and for what most often; empty where there always was one."""
        if not self.raised:
            return ""
        worst, times = self.raised.most_common(1)[0]
        return f"no bound in {self.raised.total()} of {self.audits} audits, {times} times for {worst}"


def play(
    bounds: Bounds,
    law: Law,
    audits: int,
    rng: np.random.Generator,
    sizes: tuple[int, int] = (SAMPLES, SAMPLES),
    level: float = ALPHA,
) -> Played:
    """So many audits of one law. sizes: scores of the first and of the second data set; level: the alpha of each.

    MissingPackageError if the auditor has none of its packages.
    """
    alarms, total, largest, raised = 0, 0.0, -math.inf, Counter[str]()
    for _ in range(audits):
        scores = law.draw(rng, sizes[0], True), law.draw(rng, sizes[1], False)
        try:
            found = _number(bounds(*scores, law.delta, level))
        except MissingPackageError:  # nothing was played
            raise
        except Exception as error:  # whatever an auditor does is a finding about that auditor
            raised[f"{type(error).__name__}: {error}"] += 1
            continue
        alarms += found > law.epsilon + _ROUNDING
        total, largest = total + max(found, 0.0), max(largest, found)
    return Played(audits, alarms, total, largest, raised)


def _number(found: object) -> float:
    if isinstance(found, (bool, np.bool_, str, bytes)) or not hasattr(found, "__float__"):
        raise ContentError(f"bounds must return a number, got {found!r} of type {type(found).__name__}")
    number = float(found)
    if math.isnan(number):
        raise ContentError("bounds returned NaN")
    return number


def judge(law: Law, played: Played, alpha: float, level: float = ALPHA) -> Finding:
    """By the exact probability of so many false alarms or more, were the rate `level`; alpha: of a wrong verdict."""
    audits, p_value = played.audits, tail(played.alarms, played.audits, level)
    numbers = (
        ("audits", audits),
        ("false_alarms", played.alarms),
        ("rate", played.alarms / audits),
        ("rate_lower_95", float(rate_lower(played.alarms, audits, 0.025))),
        ("rate_upper_95", float(rate_upper(played.alarms, audits, 0.025))),
        ("epsilon_exact", law.epsilon),
        ("largest_bound", played.largest),
        ("p_value", p_value),
        ("alpha", alpha),
    )
    detail = (
        f"{played.alarms} of {audits} bounds exceed the true epsilon {law.epsilon:.4g}, a rate of "
        f"{played.alarms / audits:.3g} (95 %: {numbers[3][1]:.3g} to {numbers[4][1]:.3g}) where {level:g} is allowed"
    )
    if p_value <= alpha:
        return Finding(law.name, Outcome.REFUTED, f"{detail} (p {probability(p_value)})", numbers)
    if played.raised:
        return Finding(law.name, Outcome.ERROR, f"{played.mostly_raised}; {detail}", numbers)
    return Finding(law.name, Outcome.CONSISTENT, detail, numbers)


def tail(successes: int, trials: int, rate: float) -> float:
    """The probability of at least `successes` of `trials` at this rate."""
    return float(betainc(successes, trials - successes + 1, rate)) if successes else 1.0
