"""NonPrivateProxAndSearch: levels, telescoping, joins by hand, counts, the three forms."""

from __future__ import annotations

import dataclasses
import math

import numpy as np
import pytest

from dpaudit.algorithms.resque import epoch_sgd, non_private_prox
from dpaudit.algorithms.resque.non_private_prox import Params
from dpaudit.algorithms.resque.parallel_solver import kernels
from dpaudit.algorithms.resque.parallel_solver.setting import CALL
from dpaudit.noise.stream import Stream, Trials
from dpaudit.problems.smoothing.ridges import Oracle, Ridge, ridge_losses
from dpaudit.records.errors import ConfigurationError

STREAM = Stream(86, "tests/prox")
ORACLE = Oracle(ridge_losses([(Ridge.ABSOLUTE, (0.6, 0.8), 0.3), (Ridge.LINEAR, (0.0, 0.5))]), "record", 0.2)
PROXIMAL = Params(1.0, 0.5, 0.5, 1.1, 0.4, "epoch_sgd", "GL12", 1.0, 2.0, 4.0, 4.0, (0.1, -0.2), 2.5)
SEARCH = dataclasses.replace(PROXIMAL, part="search")


def test_constants_by_hand() -> None:
    """R kappa/r = 2.75/0.5 = 5.5; K = 2^(2/3): levels = ceil(2/3 + 1)."""
    assert PROXIMAL.log_ratio == pytest.approx(math.log(5.5))
    assert (PROXIMAL.levels, PROXIMAL.repetitions, PROXIMAL.needed) == (2, 4, 3)
    assert PROXIMAL.first_error(2.5) == pytest.approx(2.5 * 0.25 / math.log(5.5) ** 2)
    assert PROXIMAL.search_error(2.5) == pytest.approx(2.5 * 0.25 / 4)
    assert PROXIMAL.reach == pytest.approx(0.5 / 4 * 2 / 3)
    for count, needed in ((1, 1), (2, 2), (3, 2), (100, 51), (101, 52)):
        setting = dataclasses.replace(PROXIMAL, repetition_constant=count / math.log(5.5) * (1 - 1e-12))
        assert (setting.repetitions, setting.needed) == (count, needed)


@pytest.mark.deep
def test_levels_are_geometric() -> None:
    rows, parts = Trials(STREAM, np.arange(40_000)), np.zeros((40_000, 3, 2))
    deep = dataclasses.replace(PROXIMAL, acceleration_constant=20.0)
    _, levels = non_private_prox.join_cpu(deep, parts, rows)
    for level in (1, 2, 3, 6):
        share = (levels == level).mean()
        assert share == pytest.approx(2.0**-level, abs=5 * math.sqrt(2.0**-level / 40_000))
    assert np.array_equal(levels, non_private_prox.join_gpu(deep, parts, rows, "float64", "cpu")[1])
    _, cut = non_private_prox.join_cpu(PROXIMAL, parts, rows)
    assert np.array_equal(cut, np.where(levels <= 2, levels, 0))


def test_joins_by_hand() -> None:
    parts = np.tile([[[1.0, 0.0], [5.0, 1.0], [4.0, 3.0]]], (50, 1, 1))
    points, levels = non_private_prox.join_cpu(PROXIMAL, parts, Trials(STREAM, np.arange(50)))
    for point, level in zip(points.tolist(), levels.tolist(), strict=True):
        assert point == ([1.0, 0.0] if level == 0 else [1 + 2**level, -(2**level) * 2])
    reach = SEARCH.reach
    rows = np.array([[[9.0, 0], [0, 0], [0, reach * 0.9], [0, reach * 1.8]], [[0, 0], [3, 0], [6, 0], [9, 0]]])
    found, choices = non_private_prox.join_cpu(SEARCH, rows.astype(float), Trials(STREAM, np.arange(2)))
    assert choices.tolist() == [2, 0], "three of four near the third; none near any: the first of the most"
    assert found.tolist() == [rows[0, 2].tolist(), rows[1, 0].tolist()]


def test_the_proximal_answer_is_made_of_three_runs() -> None:
    """The runs are those of EpochSGD at the trials t, t + 2^32 and t + 2^33."""
    trial = next(t for t in range(50) if non_private_prox.reference(PROXIMAL, ORACLE, STREAM, t).choice == 2)
    answer = non_private_prox.reference(PROXIMAL, ORACLE, STREAM, trial)
    error = PROXIMAL.first_error(2.5)
    for i, share in enumerate((1.0, 0.25, 0.5)):
        sgd = epoch_sgd.Params((0.1, -0.2), 0.5, 0.5, 2.5, error * share, 1.1)
        run = epoch_sgd.cpu(sgd, ORACLE, Trials(STREAM, np.array([trial + i * CALL])))[0]
        assert answer.parts[i] == pytest.approx(run, abs=1e-13)
    assert answer.point == pytest.approx(answer.parts[0] + 4 * (answer.parts[1] - answer.parts[2]), abs=1e-13)
    assert answer.queries == sum(2 * math.ceil(48 * 1.21 / (2.5 * error * share)) for share in (1.0, 0.25, 0.5))


@pytest.mark.deep
@pytest.mark.parametrize("solver", ["epoch_sgd", "ac_sa"])
@pytest.mark.parametrize("params", [PROXIMAL, SEARCH], ids=["proximal", "search"])
def test_all_forms_give_the_same_point_and_counts(params: Params, solver: str) -> None:
    params, numbers = dataclasses.replace(params, solver=solver), np.arange(6)
    values = non_private_prox.cpu(params, ORACLE, Trials(STREAM, numbers))
    torch = non_private_prox.gpu(params, ORACLE, Trials(STREAM, numbers)).numpy()
    assert values.shape == (6, 46)
    assert torch == pytest.approx(values, abs=1e-10)
    for trial in numbers.tolist():
        answer = non_private_prox.reference(params, ORACLE, STREAM, trial)
        assert values[trial, -2:] == pytest.approx(answer.point, abs=1e-12)
        assert values[trial, :4].tolist() == [answer.calls, 1, answer.queries, answer.depth]
        if params.part == "proximal":
            assert values[trial, 4:44].nonzero()[0].tolist() == [answer.choice]


@pytest.mark.deep
def test_the_mean_is_that_of_the_highest_level() -> None:
    """E xhat telescopes to the mean of the ball oracle at phi_0/2^2: 40000 trials, within 5 deviations."""
    numbers = np.arange(40_000)
    answers = non_private_prox.cpu(PROXIMAL, ORACLE, Trials(STREAM, numbers))[:, -2:]
    fine = epoch_sgd.Params((0.1, -0.2), 0.5, 0.5, 2.5, PROXIMAL.first_error(2.5) / 4, 1.1)
    points = epoch_sgd.cpu(fine, ORACLE, Trials(STREAM.part("fine"), numbers))
    spread = np.sqrt((answers.var(axis=0) + points.var(axis=0)) / 40_000)
    assert (np.abs(answers.mean(axis=0) - points.mean(axis=0)) <= 5 * spread).all()


def test_epoch_schedules_are_those_of_the_algorithm() -> None:
    for iterations in (0, 15, 16, 47, 48, 1000):
        assert np.array_equal(kernels.epoch_schedule(0.7, iterations), epoch_sgd.epochs(0.7, iterations))


def test_wrong_values_are_refused() -> None:
    with pytest.raises(ConfigurationError, match="part must be one of"):
        dataclasses.replace(PROXIMAL, part="both")
    with pytest.raises(ConfigurationError, match="acceleration_constant asks for 41 levels"):
        dataclasses.replace(PROXIMAL, acceleration_constant=40.0)
    with pytest.raises(ConfigurationError, match="solver must be one of"):
        dataclasses.replace(PROXIMAL, solver="sgd")
    with pytest.raises(ConfigurationError, match="ball_radius must be below radius"):
        dataclasses.replace(PROXIMAL, ball_radius=1.0)
    assert non_private_prox.noise_shape(PROXIMAL) == (3,)
    assert non_private_prox.noise_shape(SEARCH) == (4,)
    assert non_private_prox.promise(SEARCH) is None
