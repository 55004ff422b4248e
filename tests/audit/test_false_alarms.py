"""Tables of false alarms: valid bounds pass, planted bugs do not, rows hang on their law and sizes alone."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest

from dpaudit.audit import false_alarms
from dpaudit.audit.coverage import Bounds
from dpaudit.audit.false_alarms import Row, Sizes
from dpaudit.audit.planted import auditors
from dpaudit.estimators import held_out_threshold
from dpaudit.records.errors import UnknownNameError
from dpaudit.records.verdict import Outcome

ALPHA = 1e-6
"""The probability that a test which expects silence fails."""


def counts(scores_in: Any, scores_out: Any, delta: float, alpha: float) -> float:
    return held_out_threshold.lower_bound(scores_in, scores_out, delta, alpha, np.random.default_rng(0)).epsilon_lower


def played(
    bounds: Bounds,
    names: tuple[str, ...] = (),
    sizes: tuple[Sizes, ...] = ((100, 60),),
    audits: int = 30,
    seed: int = 5,
) -> list[Row]:
    cells = [(law, size) for law in false_alarms.chosen_laws(1e-5, names) for size in sizes]
    return list(false_alarms.rows(bounds, cells, audits, seed=seed, alpha=ALPHA, level=0.05))


def outcomes(found: list[Row]) -> set[Outcome]:
    return {row.finding.outcome for row in found}


@pytest.mark.deep(keep=1)
@pytest.mark.parametrize("bounds", [counts, auditors.split_threshold, auditors.fixed_threshold])
def test_valid_bounds_are_not_refuted(bounds: Bounds) -> None:
    assert outcomes(played(bounds)) == {Outcome.CONSISTENT}


@pytest.mark.parametrize("bounds", [auditors.absolute_mu, auditors.point_estimate])
def test_planted_bugs_are_refuted_without_any_signal(bounds: Bounds) -> None:
    assert outcomes(played(bounds, ("no signal, normal",), ((200, 200),), audits=60)) == {Outcome.REFUTED}


def test_the_level_that_is_asked_for_is_the_one_that_is_judged() -> None:
    """A bound that is wrong in one audit of five, asked for an alpha of 0.05 and of 0.3."""
    cells = [(false_alarms.chosen_laws(1e-5, ("no signal, normal",))[0], (5, 5))]
    asked: set[float] = set()

    def wrong(scores_in: Any, scores_out: Any, delta: float, alpha: float) -> float:
        asked.add(alpha)
        return float(rng.random() < 0.2)

    for level, outcome in ((0.05, Outcome.REFUTED), (0.3, Outcome.CONSISTENT)):
        rng = np.random.default_rng(2)
        [row] = false_alarms.rows(wrong, cells, 400, seed=1, alpha=ALPHA, level=level)
        assert row.finding.outcome is outcome
    assert asked == {0.05, 0.3}


def test_sides_have_the_sizes_of_the_row() -> None:
    seen: set[Sizes] = set()

    def watch(scores_in: Any, scores_out: Any, delta: float, alpha: float) -> float:
        seen.add((len(scores_in), len(scores_out)))
        return 0.0

    played(watch, ("Laplace",), ((3, 8), (8, 3)), audits=2)
    assert seen == {(3, 8), (8, 3)}


def test_a_row_hangs_on_the_seed_its_law_and_its_sizes_alone() -> None:
    def first(scores_in: Any, scores_out: Any, delta: float, alpha: float) -> float:
        return abs(float(scores_in[0]))

    def large(**given: Any) -> float:
        [row] = [row for row in played(first, audits=3, **given) if row.law.name == "Laplace, epsilon 1"][-1:]
        return row.played.largest

    alone = large(names=("Laplace",))
    assert large(names=("Laplace", "logistic")) == large(sizes=((9, 9), (100, 60)), names=("Laplace",)) == alone
    assert large(names=("Laplace",), seed=6) != alone


def test_the_rows_share_the_error_budget() -> None:
    found = played(auditors.absolute_mu, ("no signal", "Laplace"), ((20, 20), (30, 30)), audits=2)
    assert {row.number("alpha") for row in found} == {ALPHA / 6}


def test_means_are_of_bounds_that_were_given() -> None:
    def some(scores_in: Any, scores_out: Any, delta: float, alpha: float) -> float:
        if scores_in[0] > 0:
            raise ValueError("too small")
        return -1.0 if scores_out[0] > 0 else 0.5

    [row] = played(some, ("Laplace",), audits=200)
    assert 0 < row.played.raised.total() < 200
    assert 0 < row.played.mean < 0.5
    assert row.finding.outcome is Outcome.ERROR
    assert "ValueError: too small" in row.played.mostly_raised


def test_a_law_that_is_not_there_is_told_so() -> None:
    with pytest.raises(UnknownNameError, match="unknown law 'Lapalce'"):
        false_alarms.chosen_laws(1e-5, ("Lapalce",))
