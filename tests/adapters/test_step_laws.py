"""The likelihood ratio of sampled steps."""

from __future__ import annotations

from dataclasses import replace

import numpy as np
import pytest
from scipy.stats import norm

from dpaudit.adapters.step_laws import StepLaw

LAW = StepLaw(np.array([3.0, 1.0]), np.array([0.5, -0.5]), np.array([2.0, 0.5]), rate=0.1)


def test_the_score_is_the_log_ratio_of_the_densities() -> None:
    projections = np.random.default_rng(0).normal(size=(6, 2)) * 3
    without = norm.pdf(projections, LAW.centre, LAW.spread)
    moved = norm.pdf(projections, LAW.centre + LAW.shift, LAW.spread)
    assert LAW.score(projections) == pytest.approx(np.log(0.9 + 0.1 * moved / without).sum(axis=1))


def test_a_replaced_record_moves_both_ways() -> None:
    projections = np.random.default_rng(1).normal(size=(6, 2)) * 3
    sides = [
        0.9 * norm.pdf(projections, LAW.centre, LAW.spread)
        + 0.1 * norm.pdf(projections, LAW.centre + sign * LAW.shift / 2, LAW.spread)
        for sign in (1, -1)
    ]
    assert replace(LAW, replaced=True).score(projections) == pytest.approx(np.log(sides[0] / sides[1]).sum(axis=1))


def test_in_every_batch_it_is_linear() -> None:
    whole = replace(LAW, rate=1.0)
    ends = whole.score(np.array([[0.0, 0.0], [1.0, 0.0], [2.0, 0.0]]))
    assert np.diff(ends) == pytest.approx(3.0 / 2.0**2)


def test_it_beats_the_sum_where_few_batches_hold_the_record() -> None:
    """20 steps at rate 0.05, a move of 4 spreads: the record is in no batch of 36 of 100 trials, in one or more of
    the others. With 20,000 trials a side the rates below have standard deviations of at most 0.004."""
    rng, count, steps = np.random.default_rng(2), 20_000, 20
    law = StepLaw(np.full(steps, 4.0), np.zeros(steps), np.ones(steps), rate=0.05)
    absent = rng.normal(size=(count, steps))
    there = rng.normal(size=(count, steps)) + 4.0 * (rng.random((count, steps)) < 0.05)

    def caught(on: np.ndarray, off: np.ndarray) -> float:
        return float((on > np.quantile(off, 0.99)).mean())

    ratio, total = caught(law.score(there), law.score(absent)), caught(there.sum(axis=1), absent.sum(axis=1))
    assert ratio > 0.5
    assert total < 0.2


def test_trials_show_centre_and_spread() -> None:
    rng, steps = np.random.default_rng(3), 4
    law = StepLaw(np.ones(steps), np.zeros(steps), np.ones(steps), rate=0.5)
    absent = 5.0 + 0.3 * rng.normal(size=(4_000, steps))
    # Standard errors of 0.005 and 0.0034.
    assert law.fitted(absent).centre == pytest.approx(np.full(steps, 5.0), abs=0.04)
    assert law.fitted(absent).spread == pytest.approx(np.full(steps, 0.3), abs=0.03)
    assert replace(law, replaced=True).fitted(absent).centre == pytest.approx(np.full(steps, 5.25), abs=0.04)


def test_trials_that_are_not_finite_or_constant_leave_the_law_as_it_was() -> None:
    law = StepLaw(np.ones(2), np.zeros(2), np.ones(2))
    broken = law.fitted(np.array([[np.nan, np.nan], [1.0, 2.0]]))
    assert (broken.centre.tolist(), broken.spread.tolist()) == ([0.0, 0.0], [1.0, 1.0])
    assert law.fitted(np.ones((3, 2))).spread.tolist() == [1.0, 1.0]
    assert law.fitted(np.array([[np.inf, 0.0], [1.0, 2.0]])).spread.tolist() == [1.0, 1.0]
    drowned = replace(law, spread=np.full(2, np.sqrt(np.finfo(np.float64).tiny)))
    assert drowned.fitted(np.array([[0.0, 0.0], [1e3, 2.0]])).spread.tolist() == drowned.spread.tolist()


def test_a_trial_that_is_no_number_has_no_score() -> None:
    assert np.isnan(LAW.score(np.array([[np.nan, 0.0], [0.0, 0.0]]))).tolist() == [True, False]
