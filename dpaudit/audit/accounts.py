"""What an accountant states, held against what is true: the tier of targets that have `accounts`.

A target file defines accounts(), which yields an `Account` for every number that its accountant states, in the order in
which it stated them. An account is refuted where the stated epsilon is below the lower end of the enclosed one
(`epsilon_bounds`), and where two accounts of one label differ: reading a budget must not change it. What the
accountant was told may be a promise, as with spends of a budget; it must then hold for the worst mechanism that keeps
the promise, which is what the lower end is of.

    def accounts():
        for steps in (1, 100):
            mechanism = SelfComposed(PoissonSampled(0.01, Gaussian(1.0)), steps)
            yield Account(f"{steps} steps", mechanism, 1e-5, library.epsilon(0.01, 1.0, steps, 1e-5))

Deterministic: no false alarms, and no share of the error budget. Cannot see: whether the mechanism that the accountant
was told of is the one that ran, which the other tiers are for.
"""

from __future__ import annotations

import math
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from functools import cache

from dpaudit.accounting.epsilon import EpsilonBounds, epsilon_bounds
from dpaudit.audit.structural.finding import Finding
from dpaudit.records.errors import ContentError
from dpaudit.records.mechanism import Mechanism
from dpaudit.records.privacy import Neighbours
from dpaudit.records.verdict import Evidence, Outcome

ENGINE = "accounts"
RELATIVE_SLACK, ABSOLUTE_SLACK = 1e-6, 1e-9
"""More than the roundings of an accountant: of epsilon, and of an epsilon near 0."""
SMALLEST_DELTA = 1e-12
"""Accounts at smaller deltas above 0 are read here: epsilon falls with delta, so that the lower end stays one.

The upper end does not, and nothing is said of it there.
"""


@dataclass(frozen=True)
class Account:
    """One number that an accountant states.

    label: what was asked, in words; accounts of one label are readings of one state and must agree; mechanism: what the
    accountant was told is run; delta: in [0, 1); epsilon: what it states, infinite where it promises nothing.
    """

    label: str
    mechanism: Mechanism
    delta: float
    epsilon: float

    def __post_init__(self) -> None:
        if not 0 <= self.delta < 1:
            raise ContentError(f"account {self.label!r}: delta must be in [0, 1), got {self.delta}")
        if math.isnan(self.epsilon):
            raise ContentError(f"account {self.label!r}: the stated epsilon is not a number")


def examine(accounts: Iterable[Account], neighbours: Neighbours) -> tuple[Finding, ...]:
    """One finding an account, in their order, then one that readings of one state agree if there are several of any.

    NOT_RUN where a mechanism has no enclosure under `neighbours`. Raises ContentError for what is no account, for none
    at all, and for two of one label that are not about the same mechanism and delta.
    """
    stated = tuple(accounts)
    wrong = [item for item in stated if not isinstance(item, Account)]
    if wrong or not stated:
        got = type(wrong[0]).__name__ if wrong else "none"
        raise ContentError(f"accounts() must yield dpaudit.audit.accounts.Account records, got {got}")
    return (*(_held_against_the_truth(account, neighbours) for account in stated), *_read_again(stated))


def evidence(findings: Sequence[Finding]) -> tuple[Evidence, ...]:
    """The findings as evidence of this engine, in the same order."""
    return tuple(Evidence(ENGINE, f.outcome, f"{f.check}: {f.detail}", f.numbers) for f in findings)


def _held_against_the_truth(account: Account, neighbours: Neighbours) -> Finding:
    try:
        read = max(account.delta, SMALLEST_DELTA) if account.delta else 0.0
        bounds = _bounds(account.mechanism, read, neighbours)
    except ContentError as error:
        return Finding(account.label, Outcome.NOT_RUN, str(error))
    if account.delta < read:
        bounds = EpsilonBounds(bounds.lower, math.inf, "the delta is below the smallest that is read")
    numbers: tuple[tuple[str, float], ...] = (
        ("epsilon_stated", account.epsilon),
        ("epsilon_lower", bounds.lower),
        ("epsilon_upper", bounds.upper),
        ("delta", account.delta),
    )
    stated = f"epsilon {account.epsilon:.6g} is stated at delta {account.delta:g}"
    enough = account.epsilon + RELATIVE_SLACK * abs(account.epsilon) + ABSOLUTE_SLACK
    if bounds.lower > enough:
        why = f": {bounds.reason}" if bounds.lower == math.inf else ""
        return Finding(account.label, Outcome.REFUTED, f"{stated}, it is at least {bounds.lower:.6g}{why}", numbers)
    words = "and enough" if enough >= bounds.upper else "and not shown to be too small"
    return Finding(account.label, Outcome.CONSISTENT, f"{stated}, {words}: {_range(bounds)} is true", numbers)


def _range(bounds: EpsilonBounds) -> str:
    if bounds.lower >= bounds.upper * (1 - RELATIVE_SLACK):
        return f"{bounds.upper:.6g}"
    if bounds.upper == math.inf:
        return f"{bounds.lower:.6g} or more"
    return f"something from {bounds.lower:.6g} to {bounds.upper:.6g}"


def _read_again(stated: Sequence[Account]) -> list[Finding]:
    """One finding on all labels that occur more than once."""
    by_label: dict[str, list[Account]] = {}
    for account in stated:
        by_label.setdefault(account.label, []).append(account)
    again = {label: accounts for label, accounts in by_label.items() if len(accounts) > 1}
    for label, (first, *others) in again.items():
        if any((other.mechanism, other.delta) != (first.mechanism, first.delta) for other in others):
            raise ContentError(f"accounts of one label are readings of one state, {label!r} is used for two")
        for other in others:
            if other.epsilon != first.epsilon:
                detail = f"{label}: epsilon {first.epsilon:.6g} is stated first and {other.epsilon:.6g} when read again"
                numbers = (("label", label), ("first", first.epsilon), ("again", other.epsilon))
                return [Finding("read again", Outcome.REFUTED, detail, numbers)]
    if not again:
        return []
    readings = sum(map(len, again.values()))
    return [Finding("read again", Outcome.CONSISTENT, f"{readings} readings of {len(again)} states agree")]


_bounds = cache(epsilon_bounds)
"""One state is often read several times."""
