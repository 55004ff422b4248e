"""The error budget of a run is split before any data is seen."""

from __future__ import annotations

import math

import pytest
from hypothesis import given
from hypothesis import strategies as st

from dpaudit.records.errors import ConfigurationError
from dpaudit.records.serial import decode, encode
from dpaudit.runs import budget

plans = st.lists(st.tuples(st.text(max_size=4), st.integers(0, 5)), max_size=8)


@given(st.floats(1e-12, 0.5), plans)
def test_the_shares_of_all_tests_never_exceed_the_total(total: float, tests: list[tuple[str, int]]) -> None:
    ledger = budget.plan(total, tests)
    assert ledger.planned == sum(number for _, number in tests)
    assert ledger.share * max(ledger.planned, 1) <= total * (1 + 1e-12)
    assert ledger.share > 0


def test_only_items_with_tests_are_entered() -> None:
    ledger = budget.plan(1e-3, [("a", 2), ("b", 0), ("c", 3)])
    assert [entry.name for entry in ledger.entries] == ["a", "c"]
    assert ledger.share == 1e-3 / 5
    assert decode(encode(ledger)) == ledger


@pytest.mark.parametrize("total", [0.0, -1.0, 0.6, math.nan, math.inf])
def test_a_budget_is_a_small_probability(total: float) -> None:
    with pytest.raises(ConfigurationError, match=r"alpha must be above 0 and at most 0.5"):
        budget.plan(total, [])


def test_the_sentence_gives_the_numbers() -> None:
    assert budget.sentence(budget.plan(1e-3, [("a", 4)])) == (
        "error budget 0.001 over 4 statistical tests, 0.00025 each"
    )
    assert budget.sentence(budget.plan(1e-3, [])) == "error budget 0.001, no statistical test planned"


def test_the_sentence_says_what_sharing_costs() -> None:
    ledger = budget.plan(1e-3, [("a", 1), ("b", 1), ("c", 1), ("d", 1)])
    assert budget.more_trials(ledger) == pytest.approx(math.log(2.5e-4) / math.log(1e-3))
    assert budget.sentence(ledger).endswith(
        "0.00025 each: 4 items share it, each test decides at p <= 0.00025 and needs about 1.2 times the trials that "
        "it needs in a run of its item alone"
    )
    assert budget.more_trials(budget.plan(1e-3, [("a", 7)])) == pytest.approx(1.0)
