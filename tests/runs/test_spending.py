"""The error budget of many runs never exceeds its total, whatever its runs are and see."""

from __future__ import annotations

from collections.abc import Callable
from fractions import Fraction
from functools import cache
from itertools import pairwise

import numpy as np
import pytest
from scipy.stats import binom

from dpaudit.records.errors import ConfigurationError
from dpaudit.runs import budget, spending
from dpaudit.runs.budget import Asked
from dpaudit.runs.spending import Spending, Spent, Taken

NIGHTS, YEARS, TOTAL = 365, 400, 0.05


@pytest.mark.deep(keep=6)
@pytest.mark.parametrize("horizon", [1, 7, 365, 20_000])
@pytest.mark.parametrize("total", [0.05, 1e-3, 0.5, 1 / 3])
def test_ten_thousand_shares_stay_within_the_total_and_leave_room_for_all_later_ones(
    total: float, horizon: int
) -> None:
    shares = [Fraction(spending.share(total, horizon, number)) for number in range(1, 10_001)]
    assert all(share > 0 for share in shares)
    assert all(later <= earlier for earlier, later in pairwise(shares))
    last = 10_000
    tail = Fraction(total) / 2 * (Fraction(horizon, last) if last > horizon else 1)  # of all runs after these
    rest = Fraction(total) / 2 * (horizon - last) / horizon if last < horizon else 0
    assert 0 <= Fraction(total) - tail - rest - sum(shares) < Fraction(total) / 10**11


def test_the_runs_up_to_the_horizon_have_equal_shares_and_half_of_the_total() -> None:
    shares = [spending.share(TOTAL, NIGHTS, number) for number in range(1, NIGHTS + 1)]
    assert len(set(shares)) == 1
    assert sum(shares) == pytest.approx(TOTAL / 2)
    assert spending.share(TOTAL, NIGHTS, NIGHTS + 1) == pytest.approx(shares[0] * NIGHTS / (NIGHTS + 1))
    assert spending.share(TOTAL, NIGHTS, 10 * NIGHTS) == pytest.approx(shares[0] / 100, rel=1e-3)


@cache
def level(share: float, tests: int) -> float:
    """That of each test of a run with this error budget."""
    return budget.plan(share, [Asked(f"toy/{one}", 1) for one in range(tests)]).share


def false_alarm(generator: np.random.Generator, budget_of: Callable[[int], float]) -> bool:
    """Whether a year of runs of true claims ends with a refutation. After a near miss three targets join, else one
    leaves, and now and then a week is left out."""
    tests, number = 5, 0
    for night in range(1, NIGHTS + 1):
        if night % 50 < 7 and tests < 8:
            continue
        number += 1
        limit = level(budget_of(number), tests)
        smallest = generator.random(tests).min()  # p-values under the null hypothesis, of noise that is new
        if smallest <= limit:
            return True
        tests = tests + 3 if smallest <= 100 * limit else max(tests - 1, 3)
    return False


def years_with_false_alarms(budget_of: Callable[[int], float]) -> int:
    generator = np.random.default_rng(20261121)
    return sum(false_alarm(generator, budget_of) for _ in range(YEARS))


MOST = int(binom.ppf(1 - 1e-6, YEARS, TOTAL))
"""Years with a false alarm, if each has one with probability TOTAL; more come with probability 1e-6."""


def test_a_year_of_nights_has_false_alarms_within_the_total() -> None:
    assert 0 < years_with_false_alarms(lambda number: spending.share(TOTAL, NIGHTS, number)) <= MOST


def test_without_a_ledger_a_year_of_nights_has_far_more() -> None:
    assert years_with_false_alarms(lambda _: budget.DEFAULT_TOTAL) > 2 * MOST


def spent(number: int, seed: int, share: float | None = None) -> Spent:
    due = spending.share(TOTAL, NIGHTS, number) if share is None else share
    return Spent(number, "2026-11-21T03:00:00+00:00", seed, due, 4, "runs/one", f"dpaudit audit a.py --seed {seed}")


def test_what_is_left_is_the_total_without_what_was_taken() -> None:
    found = Spending("2026-11-21T03:00:00+00:00", TOTAL, NIGHTS, (spent(1, 5), spent(2, 6)))
    assert spending.left(found) == pytest.approx(TOTAL - TOTAL / NIGHTS)
    assert spending.next_share(found) == spending.share(TOTAL, NIGHTS, 3)


@pytest.mark.parametrize(
    ("runs", "words"),
    [
        ((spent(1, 5), spent(2, 6)), []),
        ((spent(2, 5),), ["run 2 stands at place 1"]),
        ((spent(1, 5), spent(2, 5)), ["runs 1 and 2 have the same seed 5"]),
        ((spent(1, 5, 0.01),), [f"run 1 has the share 0.01, not {spending.share(TOTAL, NIGHTS, 1)!r}"]),
    ],
)
def test_what_no_run_enters_is_named(runs: tuple[Spent, ...], words: list[str]) -> None:
    assert spending.faults(Spending("2026-11-21T03:00:00+00:00", TOTAL, NIGHTS, runs)) == words


def test_a_seed_whose_noise_was_seen_is_refused_with_the_command_that_repeats_its_run() -> None:
    found = Spending("2026-11-21T03:00:00+00:00", TOTAL, NIGHTS, (spent(1, 5),))
    spending.refuse_seed(found, 6, "n.json")
    with pytest.raises(ConfigurationError, match=r"the seed 5 is that of run 1 .*: dpaudit audit a\.py --seed 5"):
        spending.refuse_seed(found, 5, "n.json")


def test_drawn_seeds_differ() -> None:
    seeds = {spending.drawn_seed() for _ in range(100)}
    assert len(seeds) == 100
    assert all(0 <= seed < 2**53 for seed in seeds)


def test_the_sentence_says_which_run_and_what_sharing_costs() -> None:
    taken = Taken("n.json", "2026-11-21T03:00:00+00:00", TOTAL, NIGHTS, 7, spending.share(TOTAL, NIGHTS, 7))
    ledger = budget.plan(taken.share, [Asked("toy/a", 4)])
    factor = np.log(TOTAL / 730 / 4) / np.log(TOTAL / 4)
    assert spending.more_trials(taken, ledger) == pytest.approx(factor)
    without = budget.plan(budget.DEFAULT_TOTAL, [Asked("toy/a", 4)])
    assert round(np.log(ledger.share) / np.log(without.share), 1) == 1.3, "docs/statistics.md says so"
    assert spending.sentence(taken, ledger) == (
        "run 7 of the ledger n.json, whose runs share 0.05: a test needs about 2.5 times as many trials as if this run "
        "had all of that"
    )
    assert spending.sentence(taken, budget.plan(taken.share, [])) == spending.place(taken)
