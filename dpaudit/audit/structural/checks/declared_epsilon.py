"""Is the epsilon that is claimed at least that of the mechanism that is claimed?

`accounting` encloses the epsilon of the mechanism from both sides; the claim is refuted if it is below the lower end.

Sees: calibrations with a wrong sign, conversions of Renyi divergences gone wrong, budgets counted once that are spent
twice.

Cannot see: whether the training is that mechanism, which the other checks are for.

False alarms: None for the mechanism that is stated, as far as the enclosure holds: the claim is refuted only where it
lies below the lower end by more than a millionth. An epsilon that was rounded down is refuted, and rightly. A training
that leaks less than the mechanism that is stated for it is refuted with it.
"""

from __future__ import annotations

from functools import cache

from dpaudit.accounting.epsilon import claimed_epsilon, epsilon_bounds
from dpaudit.audit.structural.finding import Finding
from dpaudit.audit.structural.observed import Observed
from dpaudit.records.errors import ContentError, MissingPackageError
from dpaudit.records.mechanism import Mechanism
from dpaudit.records.privacy import PrivacyClaim
from dpaudit.records.verdict import Outcome

NAME = "declared epsilon"
FALSE_ALARM = "0"
PLACE = 13
REPLAYS = False
SPLIT = False
EXCEPTION = "There is none: correct the claim, or the mechanism that is stated beside it."
_SLACK = 1 + 1e-6


def examine(seen: Observed) -> Finding:
    """The finding on what was observed of one training."""
    return check(seen.claim, seen.mechanism)


def check(claim: PrivacyClaim, mechanism: Mechanism | None) -> Finding:
    """REFUTED if the mechanism leaks more than the claim at claim.delta; NOT_RUN where it cannot be accounted for."""
    if mechanism is None:
        return Finding(NAME, Outcome.NOT_RUN, "the claim names no mechanism")
    try:
        claimed = claimed_epsilon(claim.guarantee, claim.delta)
        bounds = _bounds(mechanism, claim.delta, claim.neighbours)
    except (ContentError, MissingPackageError) as error:
        return Finding(NAME, Outcome.NOT_RUN, str(error))
    numbers = (
        ("epsilon_claimed", claimed),
        ("epsilon_lower", bounds.lower),
        ("epsilon_upper", bounds.upper),
        ("delta", claim.delta),
    )
    if bounds.lower > claimed * _SLACK:
        detail = f"the claimed mechanism has an epsilon of at least {bounds.lower:.6g}, claimed is {claimed:.6g}"
        return Finding(NAME, Outcome.REFUTED, detail, numbers)
    detail = f"the epsilon of the claimed mechanism is at most {bounds.upper:.6g}, claimed is {claimed:.6g}"
    return Finding(NAME, Outcome.CONSISTENT, detail, numbers)


_bounds = cache(epsilon_bounds)
"""One claim is often checked on many trainings."""
