"""The error budget of a run: every statistical test is registered before any data is seen.

The probability that a run whose claims are all true reports at least one statistical
refutation is at most the total. The total is split equally over the registered tests
(union bound, so that no independence is needed); exact and symbolic checks cost nothing. A
file may set which part of the total its items share.
"""

from __future__ import annotations

import math
from collections.abc import Iterable, Mapping
from dataclasses import dataclass

from dpaudit.records.errors import ConfigurationError
from dpaudit.records.serial import record

DEFAULT_TOTAL = 1e-3
"""Family-wise error probability of a run unless the user asks for another."""


@record
class LedgerEntry:
    """`tests` statistical tests, at least 1, registered for the item `name`; share: of each of them, None for that of
    the ledger."""

    name: str
    tests: int
    share: float | None = None


@record
class Ledger:
    """total: family-wise error probability; planned: number of tests; share: of one test, where its file sets no share
    of its own; entries: who has them."""

    total: float
    planned: int
    share: float
    entries: tuple[LedgerEntry, ...]
    method: str = "union bound, equal shares, registered before the run"

    def of(self, name: str) -> float:
        """The share of each test of an item."""
        own = next((entry.share for entry in self.entries if entry.name == name), None)
        return self.share if own is None else own


@dataclass(frozen=True)
class Asked:
    """An item that is to be entered. file: that it comes from; error_share: of the total, what all items of its file
    share, in (0, 1), None where the file sets none."""

    name: str
    tests: int
    file: str = ""
    error_share: float | None = None


def plan(total: float, asked: Iterable[Asked]) -> Ledger:
    """The ledger of a run: files that set a part of the total share that, all other tests the rest.

    Without any test the share is the total: nothing will spend it.
    Raises ConfigurationError unless 0 < total <= 0.5, and where files ask for more than there is.
    """
    if not 0 < total <= 0.5:  # NaN fails here too
        raise ConfigurationError(f"alpha must be above 0 and at most 0.5, got {total}; the default is {DEFAULT_TOTAL}")
    items = [one for one in asked if one.tests]
    set_aside = {one.file: one.error_share for one in items if one.error_share is not None}
    tests = {file: sum(one.tests for one in items if one.file == file) for file in set_aside}
    others = sum(one.tests for one in items if one.error_share is None)
    _hold_to_the_total(set_aside, others)
    share = total * (1 - sum(set_aside.values())) / max(others, 1)
    own = {file: total * part / tests[file] for file, part in set_aside.items()}
    entries = tuple(LedgerEntry(one.name, one.tests, own.get(one.file)) for one in items)
    return Ledger(total, others + sum(tests.values()), share, entries)


def _hold_to_the_total(set_aside: Mapping[str, float], others: int) -> None:
    given = sum(set_aside.values())
    if given > 1 or (given == 1 and others):
        told = ", ".join(f"{part:g} ({file})" for file, part in set_aside.items())
        left = f" and leave nothing to {others} other tests" if others and given == 1 else ""
        raise ConfigurationError(
            f"ERROR_SHARE of these files are {given:g} of the error budget together{left}: {told}; give smaller ones"
        )


def sentence(ledger: Ledger) -> str:
    """The ledger in words, for headers."""
    if not ledger.planned:
        return f"error budget {ledger.total:g}, no statistical test planned"
    tests = "test" if ledger.planned == 1 else "tests"
    found = f"error budget {ledger.total:g} over {ledger.planned} statistical {tests}, {_shares(ledger)} each"
    items = sum(entry.share is None for entry in ledger.entries)
    if items < 2:
        return found
    return (
        f"{found}: {items} items share it, each test decides at p <= {ledger.share:.3g} and so needs about "
        f"{more_trials(ledger):.3g} times as many trials as if its item were run alone"
    )


def _shares(ledger: Ledger) -> str:
    """That of most tests, and those that files set."""
    own = [f"{share:.3g}" for share in sorted({entry.share for entry in ledger.entries if entry.share is not None})]
    usual = [] if own and all(entry.share is not None for entry in ledger.entries) else [f"{ledger.share:.3g}"]
    return " or ".join([*usual, *(f"{one} (set by its file)" for one in own)])


def more_trials(ledger: Ledger) -> float:
    """How many times the trials, for the same power, a test needs that shares the budget with all items in the place of
    its own tests alone: by the logarithm of one over its level, in which the trials without an error that a bound needs
    are counted. Items are taken to have equally many tests; at least one entry."""
    alone = ledger.share * sum(entry.share is None for entry in ledger.entries)
    return math.log(ledger.share) / math.log(alone)
