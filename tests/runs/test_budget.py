"""The error budget of a run is split before any data is seen."""

from __future__ import annotations

import math

import pytest
from hypothesis import given
from hypothesis import strategies as st

from dpaudit.records.errors import ConfigurationError
from dpaudit.records.serial import decode, encode
from dpaudit.runs import budget
from dpaudit.runs.budget import Asked

plans = st.lists(st.tuples(st.text(max_size=4), st.integers(0, 5)), max_size=8)


@given(st.floats(1e-12, 0.5), plans)
def test_the_shares_of_all_tests_never_exceed_the_total(total: float, tests: list[tuple[str, int]]) -> None:
    ledger = budget.plan(total, [Asked(*one) for one in tests])
    assert ledger.planned == sum(number for _, number in tests)
    assert ledger.share * max(ledger.planned, 1) <= total * (1 + 1e-12)
    assert ledger.share > 0


def test_only_items_with_tests_are_entered() -> None:
    ledger = budget.plan(1e-3, [Asked("a", 2), Asked("b", 0), Asked("c", 3)])
    assert [entry.name for entry in ledger.entries] == ["a", "c"]
    assert ledger.share == 1e-3 / 5
    assert decode(encode(ledger)) == ledger


@pytest.mark.parametrize("total", [0.0, -1.0, 0.6, math.nan, math.inf])
def test_a_budget_is_a_small_probability(total: float) -> None:
    with pytest.raises(ConfigurationError, match=r"alpha must be above 0 and at most 0.5"):
        budget.plan(total, [])


def test_the_sentence_gives_the_numbers() -> None:
    assert budget.sentence(budget.plan(1e-3, [Asked("a", 4)])) == (
        "error budget 0.001 over 4 statistical tests, 0.00025 each"
    )
    assert budget.sentence(budget.plan(1e-3, [])) == "error budget 0.001, no statistical test planned"


def test_the_sentence_says_what_sharing_costs() -> None:
    ledger = budget.plan(1e-3, [Asked(name, 1) for name in "abcd"])
    assert budget.more_trials(ledger) == pytest.approx(math.log(2.5e-4) / math.log(1e-3))
    assert budget.sentence(ledger).endswith(
        "0.00025 each: 4 items share it, each test decides at p <= 0.00025 and so needs about 1.2 times as many "
        "trials as if its item were run alone"
    )
    assert budget.more_trials(budget.plan(1e-3, [Asked("a", 7)])) == pytest.approx(1.0)


parts = st.lists(st.tuples(st.sampled_from("fgh"), st.integers(0, 5)), max_size=8)


@given(st.floats(1e-9, 0.5), parts, st.fixed_dictionaries({"f": st.floats(0.01, 0.4), "g": st.floats(0.01, 0.4)}))
def test_files_that_set_a_share_have_it_and_all_others_the_rest(
    total: float, items: list[tuple[str, int]], shares: dict[str, float]
) -> None:
    ledger = budget.plan(
        total, [Asked(f"{file}{i}", tests, file, shares.get(file)) for i, (file, tests) in enumerate(items)]
    )
    spent = dict.fromkeys("fgh", 0.0)
    for entry in ledger.entries:
        spent[entry.name[0]] += entry.tests * ledger.of(entry.name)
    present = {entry.name[0] for entry in ledger.entries}
    aside = {file: share for file, share in shares.items() if file in present}
    assert all(spent[file] == pytest.approx(total * share) for file, share in aside.items())
    if "h" in present:
        assert spent["h"] == pytest.approx(total * (1 - sum(aside.values())))
    assert sum(spent.values()) <= total * (1 + 1e-9)
    assert decode(encode(ledger)) == ledger


def test_a_file_whose_items_have_no_tests_sets_nothing_aside() -> None:
    assert budget.plan(1e-3, [Asked("a", 2), Asked("b", 0, "f", 0.5)]).of("a") == 5e-4


@pytest.mark.parametrize(
    ("shares", "others", "words"),
    [
        ((0.6, 0.5), 0, "are 1.1 of the error budget together: 0.6 (f0), 0.5 (f1); give smaller ones"),
        ((0.5, 0.5), 3, "are 1 of the error budget together and leave nothing to 3 other tests: 0.5 (f0), 0.5 (f1)"),
    ],
)
def test_files_cannot_have_more_than_there_is(shares: tuple[float, ...], others: int, words: str) -> None:
    asked = [Asked(f"a{i}", 1, f"f{i}", share) for i, share in enumerate(shares)]
    with pytest.raises(ConfigurationError) as told:
        budget.plan(1e-3, [*asked, Asked("b", others)])
    assert words in str(told.value)
    assert budget.plan(1e-3, [Asked("a", 1, "f", 0.5), Asked("b", 1, "g", 0.5)]).of("b") == 5e-4


def test_the_sentence_names_the_shares_that_files_set() -> None:
    ledger = budget.plan(1e-3, [Asked("a", 2, "f", 0.1), Asked("b", 3), Asked("c", 1)])
    assert budget.sentence(ledger).startswith(
        "error budget 0.001 over 6 statistical tests, 0.000225 or 5e-05 (set by its file) each: 2 items share it"
    )
    alone = budget.plan(1e-3, [Asked("a", 2, "f", 0.1)])
    assert budget.sentence(alone) == "error budget 0.001 over 2 statistical tests, 5e-05 (set by its file) each"
