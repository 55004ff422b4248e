"""The error budget of many runs: which share of one total each of them has, and what they have taken of it.

The first `horizon` runs have equal shares, half of the total together. Run k after them has the share
total * horizon / (2 k (k - 1)); all of these, without end, add up to the other half. A share hangs on the number of the
run alone and on no outcome, so that the sum of the shares bounds the probability of a false refutation in any of the
runs (union bound), however many there are and whatever each of them audits.
"""

from __future__ import annotations

import math
import secrets
from fractions import Fraction

from dpaudit.records.errors import ConfigurationError
from dpaudit.records.serial import SCHEMA, Json, decode, record
from dpaudit.runs.budget import Ledger

DEFAULT_HORIZON = 365
"""Runs with equal shares: one a night for a year."""
LARGEST_HORIZON = 100_000
_SEEDS = 2**53
"""Seeds that a run draws are below this, so that every reader of JSON has them exactly."""


@record
class Spent:
    """What one run took. number: of the run, from 1; taken: when, UTC; share: its error budget; tests: the number of
    statistical tests that share it; run: its folder; command: repeats the run at this share."""

    number: int
    taken: str
    seed: int
    share: float
    tests: int
    run: str
    command: str


@record
class Spending:
    """What the file of a ledger holds. made: when, UTC; total: the probability of a false refutation in any of its runs
    is at most that, in (0, 0.5]; horizon: number of runs with equal shares; runs: those that took a share, in order."""

    made: str
    total: float
    horizon: int
    runs: tuple[Spent, ...] = ()
    schema: int = SCHEMA


@record
class Taken:
    """Where the error budget of a run is from, for run.json: it is run `number` of the ledger `file`, which was made at
    `made` with `total` and `horizon`; share: the budget of the run."""

    file: str
    made: str
    total: float
    horizon: int
    number: int
    share: float


def share(total: float, horizon: int, number: int) -> float:
    """The share of run `number`, from 1: rounded down, so that no sum of shares exceeds the total."""
    of = Fraction(total) / 2
    exact = of / horizon if number <= horizon else of * horizon / (number * (number - 1))
    found = float(exact)
    return found if Fraction(found) <= exact else math.nextafter(found, 0.0)


def next_share(spending: Spending) -> float:
    """The share of the run that comes next."""
    return share(spending.total, spending.horizon, len(spending.runs) + 1)


def left(spending: Spending) -> float:
    """What is not taken yet of the total."""
    return spending.total - math.fsum(run.share for run in spending.runs)


def faults(spending: Spending) -> list[str]:
    """What in a ledger cannot be, in words: its runs are numbered from 1, have the shares of these numbers, and seeds
    of their own."""
    found = []
    seeds: dict[int, int] = {}
    for number, run in enumerate(spending.runs, start=1):
        due = share(spending.total, spending.horizon, number)
        if run.number != number:
            found.append(f"run {run.number} stands at place {number}")
        if run.share != due:
            found.append(f"run {number} has the share {run.share!r}, not {due!r}")
        if seeds.setdefault(run.seed, number) != number:
            found.append(f"runs {seeds[run.seed]} and {number} have the same seed {run.seed}")
    return found


def refuse_seed(spending: Spending, seed: int, name: str) -> None:
    """ConfigurationError if a run of the ledger, which is called `name`, had this seed.

    What was seen of its noise may have chosen what is audited now; a test of the same noise would then promise nothing.
    """
    before = next((run for run in spending.runs if run.seed == seed), None)
    if before is not None:
        raise ConfigurationError(
            f"the seed {seed} is that of run {before.number} of the ledger {name}, so its noise has been looked at; "
            f"leave out --seed, which draws a new one, or repeat that run at its share: {before.command}"
        )


def drawn_seed() -> int:
    """A seed for a run that names none, of 53 random bits: nothing that was seen before tells anything about it."""
    return secrets.randbelow(_SEEDS)


def recorded(header: Json) -> Taken | None:
    """Where the error budget of a run is from, by its run.json; None if --alpha gave it."""
    data = header.get("spending")
    found = decode(data, {"Taken": Taken}) if data else None
    return found if isinstance(found, Taken) else None


def place(taken: Taken) -> str:
    """Which run of which ledger, in words."""
    return f"run {taken.number} of the ledger {taken.file}, whose runs share {taken.total:g}"


def sentence(taken: Taken, ledger: Ledger) -> str:
    """As `place`, and what it costs to share; ledger: the error budget of the run."""
    if not ledger.planned:
        return place(taken)
    return (
        f"{place(taken)}: a test needs about {more_trials(taken, ledger):.3g} times as many trials as if this run had "
        "all of that"
    )


def more_trials(taken: Taken, ledger: Ledger) -> float:
    """How many times the trials, for the same power, a test needs whose run has its share in the place of the total: as
    `budget.more_trials` counts, by the logarithm of one over the level."""
    return math.log(ledger.share) / math.log(ledger.share * taken.total / taken.share)
