"""The spread of the statistics over seeds, and filters that turn from it."""

from __future__ import annotations

import numpy as np
import pytest

from dpaudit.adapters.spreads import Spread, noise_scales, spread
from dpaudit.audit.structural.recording import Recorder, Recording


def recorded(statistics: list[tuple[str, list[float]]], noise_scale: float = 1.0) -> Recording:
    recorder = Recorder()
    for name, statistic in statistics:
        recorder.release(name, statistic, np.zeros(len(statistic)), noise_scale=noise_scale)
    return recorder.recording()


def test_rows_give_the_covariance_in_units_of_the_noise() -> None:
    several = [recorded([("a", [2.0 * one, 0.0]), ("b", [one])], noise_scale=2.0) for one in (-1.0, 0.0, 1.0)]
    found = spread(several)
    assert found is not None
    assert found.rows.T @ found.rows == pytest.approx(np.array([[1.0, 0, 0.5], [0, 0, 0], [0.5, 0, 0.25]]))


def test_a_filter_is_the_inverse_covariance_times_the_move() -> None:
    rng = np.random.default_rng(0)
    rows, move = rng.normal(size=(4, 7)), rng.normal(size=7)
    found = Spread(rows, {"a": slice(0, 3), "b": slice(3, 7)}).filtered({"a": move[:3], "b": move[3:]})
    whole = np.linalg.solve(np.eye(7) + rows.T @ rows, move)
    assert np.concatenate([found["a"], found["b"]]) == pytest.approx(whole)


@pytest.mark.parametrize("noise_scale", [1e-10, 1e-100])
def test_a_spread_that_dwarfs_the_noise_is_left_out_and_nothing_else(noise_scale: float) -> None:
    """Whole numbers, so that I + S is S in floating point, and singular; no release moves along the third axis."""
    draws = np.random.default_rng(0).integers(-3, 4, size=(6, 2, 2))
    several = [recorded([("a", [*two.tolist(), 0.0]) for two in one], noise_scale) for one in draws]
    found = spread(several)
    assert found is not None
    assert found.filtered({"a": np.array([0.0, 0.0, 2.0])})["a"].tolist() == [0.0, 0.0, 2.0]
    assert found.filtered({"a": np.array([1.0, 2.0, 0.0])})["a"] == pytest.approx(np.zeros(3), abs=1e-14)


def test_a_release_that_is_not_known_is_its_own_filter() -> None:
    rows = Spread(np.ones((1, 2)), {"a": slice(0, 2)})
    assert rows.filtered({"c": np.array([1.0, 2.0, 3.0])})["c"].tolist() == [1.0, 2.0, 3.0]
    assert rows.filtered({"a": np.array([1.0, 2.0, 3.0])})["a"].tolist() == [1.0, 2.0, 3.0]


@pytest.mark.parametrize("several", [[], [[("a", [1.0])]], [[("a", [1.0])], [("a", [1.0, 2.0])]], [[], []]], ids=str)
def test_nothing_is_said_where_fewer_than_two_agree(several: list[list[tuple[str, list[float]]]]) -> None:
    assert spread([recorded(one) for one in several]) is None


def test_many_steps_give_rows_of_some_of_them() -> None:
    rng = np.random.default_rng(1)
    several = [recorded([("a", [float(one)]) for one in rng.normal(size=100)]) for _ in range(6)]
    found = spread(several)
    assert found is not None
    assert len(found.rows) == 6 * 21
    # The variance of 21 steps of 6 trainings has 105 degrees of freedom; outside [0.2, 3] with less than 1e-6.
    assert 0.2 < float((found.rows**2).sum()) < 3


def test_noise_scales_are_declared_measured_or_one() -> None:
    recorder = Recorder()
    recorder.release("a", [0.0], [5.0], noise_scale=2.0)
    recorder.release("b", [0.0, 0.0], [3.0, -3.0])
    recorder.release("c", [0.0], None)
    assert noise_scales(recorder.recording()) == {("a", 0): 2.0, ("b", 0): 3.0, ("c", 0): 1.0}
