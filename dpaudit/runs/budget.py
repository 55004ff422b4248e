"""The error budget of a run: every statistical test is registered before any data is seen.

The probability that a run whose claims are all true reports at least one statistical
refutation is at most the total. The total is split equally over the registered tests
(union bound, so that no independence is needed); exact and symbolic checks cost nothing.
"""

from __future__ import annotations

import math
from collections.abc import Iterable

from dpaudit.records.errors import ConfigurationError
from dpaudit.records.serial import record

DEFAULT_TOTAL = 1e-3
"""Family-wise error probability of a run unless the user asks for another."""


@record
class LedgerEntry:
    """`tests` statistical tests, at least 1, registered for the item `name`."""

    name: str
    tests: int


@record
class Ledger:
    """total: family-wise error probability; planned: number of tests; share: of one test; entries: who has them."""

    total: float
    planned: int
    share: float
    entries: tuple[LedgerEntry, ...]
    method: str = "union bound, equal shares, registered before the run"


def plan(total: float, tests: Iterable[tuple[str, int]]) -> Ledger:
    """The ledger of a run with `tests` statistical tests per item, as (name, number) pairs.

    Without any test the share is the total: nothing will spend it.
    Raises ConfigurationError unless 0 < total <= 0.5.
    """
    if not 0 < total <= 0.5:  # NaN fails here too
        raise ConfigurationError(f"alpha must be above 0 and at most 0.5, got {total}; the default is {DEFAULT_TOTAL}")
    entries = tuple(LedgerEntry(name, number) for name, number in tests if number)
    planned = sum(entry.tests for entry in entries)
    return Ledger(total, planned, total / max(planned, 1), entries)


def sentence(ledger: Ledger) -> str:
    """The ledger in words, for headers."""
    if not ledger.planned:
        return f"error budget {ledger.total:g}, no statistical test planned"
    tests = "test" if ledger.planned == 1 else "tests"
    found = f"error budget {ledger.total:g} over {ledger.planned} statistical {tests}, {ledger.share:.3g} each"
    items = len(ledger.entries)
    if items < 2:
        return found
    return (
        f"{found}: {items} items share it, each test decides at p <= {ledger.share:.3g} and needs about "
        f"{more_trials(ledger):.3g} times the trials that it needs in a run of its item alone"
    )


def more_trials(ledger: Ledger) -> float:
    """How many times the trials, for the same power, a test needs that shares the budget with all items in the place of
    its own tests alone: by the logarithm of one over its level, in which the trials without an error that a bound needs
    are counted. Items are taken to have equally many tests; at least one entry."""
    alone = ledger.share * len(ledger.entries)
    return math.log(ledger.share) / math.log(alone)
