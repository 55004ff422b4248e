"""Directions from a recording and its replay; projections of trials on them."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest

from dpaudit.adapters import projections
from dpaudit.adapters.spreads import Spread
from dpaudit.audit.structural.recording import Recorder, Recording


def recorded(statistics: list[tuple[str, Any]], noise_scale: float | None = None, noise: Any = 0.0) -> Recording:
    recorder = Recorder()
    for name, statistic in statistics:
        added = np.broadcast_to(noise, np.shape(statistic))
        recorder.release(name, statistic, added, noise_scale=noise_scale)
    return recorder.recording()


def test_directions_are_differences_over_the_variance_of_the_noise() -> None:
    one = recorded([("a", [3.0, 1.0]), ("b", [1.0]), ("a", [1.0, 1.0])], noise_scale=2.0)
    other = recorded([("a", [1.0, 1.0]), ("b", [1.0]), ("a", [1.0, 0.0])], noise_scale=2.0)
    found = projections.directions([(one, other)])
    assert set(found.steps) == {("a", 0), ("a", 1)}  # b does not move
    assert found.moved == pytest.approx(np.sqrt((4 + 1) / 4))
    values = {("a", 0): [10.0, 5.0], ("a", 1): [7.0, 3.0], ("b", 0): [99.0]}
    assert found.row(values, 0.5).tolist() == [2 * 10 / 4, 3 / 4, 1.0, 0.5]  # a number of a is 0 without the record
    assert projections.turned(found).row(values, 0.5).tolist() == [-2 * 10 / 4, -3 / 4, -1.0, 0.5]
    assert found.total["a"].tolist() == [2.0 / 4, 1.0 / 4]


def test_a_move_that_the_spread_drowns_tells_nothing() -> None:
    """Its square over the spread is about 1e-20, and rounding brings it below 0 as often as not."""
    rng, other = np.random.default_rng(0), recorded([("a", [0.0, 0.0])], noise_scale=1.0)
    for _ in range(20):
        spread = Spread(1e10 * rng.normal(size=(4, 2)), {"a": slice(0, 2)})
        found = projections.directions([(recorded([("a", rng.normal(size=2))], noise_scale=1.0), other)], spread)
        assert found.moved > 0
        assert 0 <= found.separation < 1e-6


def test_steps_that_a_record_does_not_move_have_no_column() -> None:
    one, other = recorded([("a", [1.0]), ("a", [2.0])]), recorded([("a", [1.0]), ("a", [1.0])])
    found = projections.directions([(one, other)])
    assert found.columns == {1: 0}
    assert found.row({("a", 1): [3.0]}, 0.0).tolist() == [3.0, 0.0, 0.0]


def test_several_releases_of_one_step_share_its_column() -> None:
    one, other = recorded([("a", [1.0]), ("b", [2.0])]), recorded([("a", [0.0]), ("b", [0.0])])
    found = projections.directions([(one, other)])
    assert found.row({("a", 0): [1.0], ("b", 0): [10.0]}, 0.0).tolist() == [
        21.0,
        2.0,
        0.0,
    ]  # both are 0 without the record


def test_noise_without_a_declared_scale_is_measured_by_name() -> None:
    one = recorded([("a", np.ones(50))], noise=3.0)
    found = projections.directions([(one, recorded([("a", np.zeros(50))]))])
    assert found.moved == pytest.approx(np.sqrt(50) / 3)


def test_a_release_that_a_trial_lacks_counts_as_zero() -> None:
    found = projections.directions([(recorded([("a", [1.0])]), recorded([("a", [0.0])]))])
    assert found.row({}, 0.0).tolist() == [0.0, 0.0, 0.0]
    assert found.row({("a", 0): [1.0, 2.0]}, 0.0).tolist() == [0.0, 0.0, 0.0]


def test_outputs_meet_the_sums_of_directions_of_their_size() -> None:
    total = {"a": np.array([1.0, 2.0]), "b": np.array([3.0])}
    assert projections.final({"w": [[1.0], [1.0]], "note": "text", "bias": 2.0}, total) == 3.0 + 6.0
    assert projections.final({"w": np.ones(7)}, total) == 0.0


def test_other_shapes_are_told_from_each_trial() -> None:
    one, other = recorded([("a", [1.0, 2.0])]), recorded([("a", [1.0])])
    found = projections.directions([(one, other)])
    assert (found.reshaped, found.steps) == ("release a is (2,), on the neighbour (1,)", {})
    assert found.row_of_shapes(one).tolist() == [1.0] * 3
    assert found.row_of_shapes(other).tolist() == [0.0] * 3
    assert projections.turned(found).row_of_shapes(one).tolist() == [-1.0] * 3
    assert projections.directions([(one, one)]).shapes == {}


# Several paths, and the spread of the batches. ----------------------------------------------------


def test_directions_are_means_over_the_paths() -> None:
    pairs = [(recorded([("a", [moved, 0.0])]), recorded([("a", [0.0, 0.0])])) for moved in (3.0, 1.0)]
    found = projections.directions(pairs)
    assert found.steps["a", 0].tolist() == [2.0, 0.0]
    assert found.moved == pytest.approx(np.sqrt((9 + 1) / 2))
    assert found.law is not None
    assert found.law.shift.tolist() == [4.0]


def test_a_filter_turns_from_the_spread_of_the_batches() -> None:
    spread = Spread(np.array([[3.0, 0.0]]), {"a": slice(0, 2)})  # S = diag(9, 0)
    found = projections.directions([(recorded([("a", [1.0, 1.0])]), recorded([("a", [0.0, 0.0])]))], spread)
    assert found.steps["a", 0] == pytest.approx(np.array([0.1, 1.0]))
    assert (found.moved, found.separation) == pytest.approx((np.sqrt(2), np.sqrt(1.1)))


def test_shifts_are_measured_on_other_paths() -> None:
    found = projections.directions([(recorded([("a", [2.0, 0.0])]), recorded([("a", [0.0, 0.0])]))])
    other = (recorded([("a", [1.0, 5.0])]), recorded([("a", [0.5, 0.0])]))
    for one, sign in ((found, 1.0), (projections.turned(found), -1.0)):
        measured = projections.measured(one, [other])
        assert measured.law is not None
        assert measured.law.shift.tolist() == [1.0]
        assert measured.steps["a", 0].tolist() == [2.0 * sign, 0.0]


def test_the_score_follows_the_side_of_the_recorded_data_set() -> None:
    found = projections.directions([(recorded([("a", [2.0])]), recorded([("a", [0.0])]))])
    rows = np.array([found.row({("a", 0): [value]}, 0.0) for value in (0.0, 1.0, 2.0)])
    scores = found.scored(rows)
    assert scores == pytest.approx(np.array([-2.0, 0.0, 2.0]))  # log N(v; 2, 1) / N(v; 0, 1)
    turned = projections.turned(found)
    again = np.array([turned.row({("a", 0): [value]}, 0.0) for value in (0.0, 1.0, 2.0)])
    assert turned.scored(again) == pytest.approx(-scores)
