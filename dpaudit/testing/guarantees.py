"""`assert_private`: an audit as one line of a test."""

from __future__ import annotations

import math
from dataclasses import replace
from pathlib import Path
from typing import TYPE_CHECKING, Any

from dpaudit.adapters.base import Adapter
from dpaudit.content.audits import Audit, Data
from dpaudit.records.context import Context, Level
from dpaudit.records.errors import ConfigurationError, ContentError
from dpaudit.records.privacy import Neighbours, PrivacyClaim, claim
from dpaudit.records.target import TrialPlan
from dpaudit.records.verdict import Outcome, Scalar, Verdict

if TYPE_CHECKING:
    from dpaudit.adapters.release import ReleaseFunction

ALPHA = 1e-6
"""Error probability of one `assert_private`, so that a suite of hundreds of them raises no false alarm in its life."""


class NotPrivate(AssertionError):
    """The claim is refuted; `verdict` holds every number."""

    def __init__(self, message: str, verdict: Verdict) -> None:
        super().__init__(message)
        self.verdict = verdict


class UnderPowered(AssertionError):
    """No counts of so few trials could have refuted the claim; `verdict` holds every number."""

    def __init__(self, message: str, verdict: Verdict) -> None:
        super().__init__(message)
        self.verdict = verdict


def assert_private(
    release: ReleaseFunction | Adapter | Audit,
    pair: tuple[Data, Data] | None = None,
    *,
    epsilon: float | None = None,
    delta: float = 0.0,
    mu: float | None = None,
    neighbours: Neighbours = Neighbours.ADD_OR_REMOVE,
    quoted_delta: float = 1e-5,
    trials: int | None = None,
    seed: int = 0,
    alpha: float = ALPHA,
    level: Level | str = Level.SMOKE,
    name: str = "release",
    folder: Path | None = None,
    **options: Any,  # each of its own type, see below
) -> Verdict:
    """Audit `release` on the two data sets of `pair`; raise NotPrivate if that refutes (epsilon, delta)-DP or mu-GDP.

    release: release(data, seed) -> the numbers of one trial, or with `batched=True` release(data, trials) -> one row a
    trial (see `dpaudit.adapters.release`); or an object of `dpaudit.adapters`, which brings pair, claim and trials
    along. quoted_delta: where epsilon is bounded if `delta` is 0; may be 0 for pure DP, which is decided at delta 0
    whatever it is. trials: a side, at least 2; by default as many as catch half of the noise 9 times in 10. seed: the
    same seed gives the same verdict. alpha: probability that a release which keeps its claim fails, in (0, 0.5]. level:
    which of the planned numbers of trials. name: of the audit, every random choice hangs on it too. folder: where the
    scores of all trials are kept. options: of `dpaudit.adapters.release.Release`, such as `batched` and `attacks`.

    Returns the verdict: CONSISTENT, which bounds nothing from above; its `smallest_violation_at_90` says what would
    have been caught. Raises UnderPowered if the claim could not have been refuted, ContentError if the release breaks
    its contract (NaN, wrong shapes, exceptions), ConfigurationError for arguments that cannot be and missing packages.
    """
    __tracebackhide__ = True
    from dpaudit.audit import tiers
    from dpaudit.content.audits import audit_of

    if not 0 < alpha <= 0.5:
        raise ConfigurationError(f"alpha must be above 0 and at most 0.5, got {alpha}; the default is {ALPHA}")
    if isinstance(release, Adapter | Audit):
        _refuse_a_second_claim(pair, epsilon, mu)
        audited = release
    else:
        stated = claim(epsilon, delta, mu, neighbours=neighbours, quoted_delta=quoted_delta)
        audited = _audited(name, release, pair, stated, trials, alpha, options)
    context = Context(seed, Level(level), alpha, folder=None if folder is None else str(folder))
    subject = audit_of(audited)
    verdict = tiers.audit(subject, context)
    _raise_unless_consistent(verdict, subject.target.claim, f"seed={seed}, alpha={alpha:g}, level={str(level)!r}")
    return verdict


def _refuse_a_second_claim(pair: object, epsilon: object, mu: object) -> None:
    if pair is not None or epsilon is not None or mu is not None:
        raise ConfigurationError("this object brings its data sets and its claim along; give it alone")


def _audited(
    name: str,
    release: ReleaseFunction,
    pair: Any,
    stated: PrivacyClaim,
    trials: float | None,
    alpha: float,
    options: dict[str, Any],
) -> Adapter:
    from dpaudit.adapters.release import Release
    from dpaudit.audit import planning

    if not (isinstance(pair, tuple | list) and len(pair) == 2):
        raise ConfigurationError(f"pair must be a tuple (data set, neighbour), got {type(pair).__name__}")
    if trials is not None and trials < 2:
        raise ConfigurationError(f"trials must be at least 2 a side, got {trials}")
    if trials is None:
        planned = planning.trials(stated, options.get("mechanism"))
        more = max(1.0, math.log(alpha / 2) / math.log(5e-5))  # the plan is made for counts at 5e-5
        plan = replace(planned, **{level: math.ceil(more * getattr(planned, level)) for level in Level})
    else:
        number: Any = int(trials) if float(trials).is_integer() else trials  # 1e5
        plan = TrialPlan(number, number, number)
    return Release(name, release, pair=tuple(pair), claim=stated, trials=plan, **options)


def _raise_unless_consistent(verdict: Verdict, stated: PrivacyClaim, repeat: str) -> None:
    __tracebackhide__ = True
    found = "; ".join(f"{e.engine}: {e.detail}" for e in verdict.evidence if e.outcome is verdict.outcome)
    if verdict.outcome is Outcome.ERROR:
        raise ContentError(f"{verdict.id}: {found}")
    if verdict.outcome is Outcome.NOT_RUN:
        raise ConfigurationError(f"{verdict.id} was not audited: {found}")
    head, tail = _sentence(verdict, stated), f"to repeat: {repeat}"
    if verdict.outcome is Outcome.REFUTED:
        raise NotPrivate("\n  ".join([f"{verdict.id} is refuted: {head}", *_reasons(verdict, found), tail]), verdict)
    if verdict.outcome is Outcome.INCONCLUSIVE:
        raise UnderPowered("\n  ".join([f"{verdict.id} is under-powered: {found}", _power(verdict), tail]), verdict)


def _sentence(verdict: Verdict, stated: PrivacyClaim) -> str:
    """Bound against claim; of the structural tier, which bounds no epsilon, the claim alone."""
    lower, claimed = _number(verdict, "epsilon_lower_95"), _number(verdict, "epsilon_claimed")
    at = f"at delta {stated.delta:g}, neighbours: {stated.neighbours}"
    if lower is None:
        return f"it does not do what epsilon {claimed:.4g} {at} needs"
    return f"epsilon is at least {lower:.4g} (95 %), claimed {claimed:.4g}, {at}"


def _reasons(verdict: Verdict, found: str) -> list[str]:
    values = dict(verdict.witness)
    counts = ("false_positives", "negatives", "true_positives", "positives")
    said = [found]
    if all(name in values for name in counts):
        false, negatives, true, positives = (values[name] for name in counts)
        said.append(f"counts: {true} of {positives} trials on the data set and {false} of {negatives} on its neighbour "
                    f"score at least {values.get('threshold')}")  # fmt: skip
    said += [_power(verdict)] if _number(verdict, "limit_of_detection") is not None else []
    return [*said, f"what goes wrong: {verdict.effect}"] if verdict.effect else said


def _power(verdict: Verdict) -> str:
    limit, caught = _number(verdict, "limit_of_detection"), _number(verdict, "smallest_violation_at_90")
    trials = _number(verdict, "trials_per_side")
    number = "so many" if trials is None else int(trials)
    said = f"the counts of {number} trials a side show at most epsilon {limit:.4g} at the level of the decision"
    if verdict.outcome is Outcome.INCONCLUSIVE:
        return f"{said}; give more trials, or leave `trials` out"
    return f"{said}; they catch epsilon {caught:.4g} 9 times in 10"


def _number(verdict: Verdict, name: str) -> float | None:
    value: Scalar = dict(verdict.numbers).get(name)
    return float(value) if isinstance(value, int | float) else None
