"""Runs the empirical checks of an item on the shipped code and says what each found."""

from __future__ import annotations

from dpaudit.claims.engines import empirical
from dpaudit.claims.engines.empirical import Draw
from dpaudit.claims.source import Source
from dpaudit.records.claim import Chance, Count, Empirical, Sampling, Search, Slope
from dpaudit.records.context import Context
from dpaudit.records.errors import ContentError
from dpaudit.records.verdict import Basis, Evidence, Numbers, Outcome

FRESH = "fresh seed"
"""A statistical refutation is repeated on draws of this purpose before it is called one."""


def run(name: str, check: Empirical, source: Source, context: Context) -> tuple[Evidence, Basis]:
    """The evidence of one check; raises ContentError if the claim file lacks its function."""
    draw = source.function(check.function)
    if draw is None:
        raise ContentError(f"{name}: the claim file has no function {check.function!r}")
    if isinstance(check, (Sampling, Count)) and check.relation not in ("<=", "=="):
        raise ContentError(f"{name}: {type(check).__name__} checks <= or ==, not {check.relation!r}")
    purpose = f"{name}:{check.function}"
    basis = Basis.SEARCH if isinstance(check, (Search, Count)) else Basis.SAMPLING
    return _evidence(check, draw, purpose, context), basis


def _evidence(check: Empirical, draw: Draw, purpose: str, context: Context) -> Evidence:
    match check:
        case Sampling():
            return _sampling(check, draw, purpose, context)
        case Chance():
            return _chance(check, draw, purpose, context)
        case Search():
            return _search(check, draw, purpose, context)
        case Count():
            return _count(check, draw, purpose, context)
        case Slope():
            return _slope(check, draw, purpose, context)


def _sampling(check: Sampling, draw: Draw, purpose: str, context: Context) -> Evidence:
    def found(label: str) -> empirical.Estimate:
        return empirical.sample(check, draw, context.seed, label, context.alpha)

    estimate = found(purpose)
    said = (
        f"mean {estimate.value:.6g} +- {estimate.deviation:.3g} over {estimate.trials} trials (median of means, wrong "
        f"with probability at most {context.alpha:.3g}), claimed {check.relation} {check.limit:.6g}"
    )
    numbers: Numbers = (
        ("estimate", estimate.value), ("deviation", estimate.deviation), ("trials", estimate.trials),
        ("alpha", context.alpha), ("limit", check.limit), ("near_miss", check.near_miss),
    )  # fmt: skip

    def against(limit: float, at: empirical.Estimate) -> bool:
        return empirical.violates(at, check.relation, limit)

    if against(check.limit, estimate):
        return _refuted(said, numbers, against(check.limit, found(f"{purpose}:{FRESH}")))
    return _accepted(said, numbers, against(check.near_miss, estimate), f"{check.near_miss}")


def _chance(check: Chance, draw: Draw, purpose: str, context: Context) -> Evidence:
    def found(label: str) -> empirical.Frequency:
        return empirical.frequency(check, draw, context.seed, label, context.alpha)

    seen = found(purpose)
    said = (
        f"{seen.hits} of {seen.trials} trials, so the probability is at least {seen.least:.4g} (exact binomial, wrong "
        f"with probability at most {context.alpha:.3g}), claimed at most {check.limit:.6g}"
    )
    numbers: Numbers = (
        ("hits", seen.hits), ("trials", seen.trials), ("least", seen.least), ("alpha", context.alpha),
        ("limit", check.limit), ("near_miss", check.near_miss),
    )  # fmt: skip
    if seen.least > check.limit:
        return _refuted(said, numbers, found(f"{purpose}:{FRESH}").least > check.limit)
    return _accepted(said, numbers, seen.least > check.near_miss, f"{check.near_miss}")


def _search(check: Search, draw: Draw, purpose: str, context: Context) -> Evidence:
    largest, at = empirical.search(check, draw, context.seed, purpose)
    numbers: Numbers = (("largest_ratio", largest), ("trials", check.trials), ("near_miss", check.near_miss))
    numbers = (*numbers, ("at", at)) if at else numbers
    if largest > 1 + check.rounding:
        return Evidence("empirical", Outcome.REFUTED, f"ratio {largest:.17g} exceeds 1{at and f' at {at}'}", numbers)
    said = f"largest ratio {largest:.6g} in {check.trials} searched cases{at and f', at {at}'}"
    return _accepted(said, numbers, largest > check.near_miss, f"a limit of {check.near_miss}")


def _count(check: Count, draw: Draw, purpose: str, context: Context) -> Evidence:
    counted, formula = empirical.counts(check, draw, context.seed, purpose)
    wrong = empirical.miscounted(check, counted, formula, 1.0)
    numbers: Numbers = (("cases", len(counted)), ("wrong", int(wrong.sum())))
    said = f"{len(counted)} counted runs, claimed {check.relation} the formula"
    if wrong.any():
        first = int(wrong.argmax())
        detail = f"case {first}: counted {counted[first]}, the formula says {check.relation} {formula[first]}"
        return Evidence("empirical", Outcome.REFUTED, detail, (*numbers, ("counted", int(counted[first]))))
    seen = bool(empirical.miscounted(check, counted, formula, check.near_miss).any())
    miss = "one call more" if check.relation == "==" else f"{check.near_miss} of the formula"
    return _accepted(said, numbers, seen or check.relation == "==", miss)


def _slope(check: Slope, draw: Draw, purpose: str, context: Context) -> Evidence:
    def found(label: str) -> empirical.Frequency:
        return empirical.slope(check, draw, context.seed, label, context.alpha)

    seen = found(purpose)
    said = (
        f"median slope at least {seen.least:.4g} over {seen.trials} trials (order statistics, wrong with probability "
        f"at most {context.alpha:.3g}), claimed at most {check.claimed:.4g} + {check.slack:.3g}"
    )
    numbers: Numbers = (
        ("least", seen.least), ("trials", seen.trials), ("alpha", context.alpha), ("claimed", check.claimed),
        ("slack", check.slack), ("near_miss", check.near_miss),
    )  # fmt: skip
    limit = check.claimed + check.slack
    if seen.least > limit:
        return _refuted(said, numbers, found(f"{purpose}:{FRESH}").least > limit)
    return _accepted(said, numbers, seen.least > check.near_miss, f"a slope of {check.near_miss}")


_SETTLED = "to settle it: give the check more trials, or run a higher level"


def _refuted(said: str, numbers: Numbers, again: bool) -> Evidence:
    """A refutation by sampling counts only if fresh draws repeat it."""
    if again:
        return Evidence("empirical", Outcome.REFUTED, f"statistical: {said}; repeated on fresh draws", numbers)
    return Evidence("empirical", Outcome.INCONCLUSIVE, f"{said}; refuted once, not on fresh draws; {_SETTLED}", numbers)


def _accepted(said: str, numbers: Numbers, power: bool, miss: str) -> Evidence:
    """No violation: CONSISTENT only if the same check, at the same cost, refutes the near-miss."""
    if power:
        return Evidence("empirical", Outcome.CONSISTENT, f"{said}; {miss} would be refuted", numbers)
    return Evidence("empirical", Outcome.INCONCLUSIVE, f"{said}; cannot even refute {miss}; {_SETTLED}", numbers)


STATISTICAL = (Sampling, Chance, Slope)
"""The checks that need a share of the error budget."""
