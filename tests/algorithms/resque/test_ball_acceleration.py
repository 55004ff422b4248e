"""BallAccel: an iteration by hand, the decrease of the potential, counts and rates, erring oracles, the three forms."""

from __future__ import annotations

import math

import numpy as np
import pytest

from dpaudit.algorithms.resque import ball_acceleration
from dpaudit.algorithms.resque.ball_acceleration import Objective, Params, Shape, closed_form_oracles
from dpaudit.algorithms.resque.ball_acceleration.setting import BALL_SLOT, PROXIMAL_SLOT
from dpaudit.noise.stream import Stream, Trials
from dpaudit.records.errors import ConfigurationError

STREAM = Stream(85, "tests/ball")
AXIS = np.array([0.6, 0.0, 0.8])


def objective(shape: Shape, count: int, seed: int = 0) -> Objective:
    rng = np.random.default_rng([85, seed])
    centres = rng.normal(size=(count, 3))
    centres *= (rng.uniform(0.3, 1, size=count) / np.linalg.norm(centres, axis=1))[:, None]
    return Objective(shape, centres, 1.0, 0.1, AXIS)


def exact_run(params: Params, made: Objective, instance: int = 0) -> ball_acceleration.Run:
    oracles = closed_form_oracles(params, made, instance, STREAM, instance)
    return ball_acceleration.reference(params, made.dimension, oracles)


def test_the_first_iteration_by_hand() -> None:
    """F = |x - 1| from 0, r = 1/4: lambda_star moves by 0.297 > 14/16 r, the mean with 2 L/r = 8 by 0.193: taken.

    g = -1, so that v moves by a/2 with lam a^2 = 1 + a.
    """
    params = Params(1.0, 0.25, 1.0, 0.1)
    smallest = 0.1 * 4 ** (4 / 3) * math.log(10) ** 2
    run = exact_run(params, Objective(Shape.NORM, np.ones((1, 1))))
    lam = math.sqrt(smallest * 8)
    assert run.tried[0][:, 0] == pytest.approx([smallest, lam], rel=1e-12)
    assert run.tried[0][:, 1] == pytest.approx([0.25, 1 / lam], rel=1e-12)
    a = (1 + math.sqrt(1 + 4 * lam)) / (2 * lam)
    assert run.states[1] == pytest.approx([1 / lam, a / 2, 1 + a], rel=1e-12)


@pytest.mark.parametrize("shape", list(Shape))
def test_the_potential_falls_as_with_exact_oracles(shape: Shape) -> None:
    """A (F - F*) + |v - x*|^2 falls by at least 3/4 lam A' |x' - y|^2 where the ball does not bind."""
    params, made = Params(1.0, 0.05, 1.0, 0.01), objective(shape, 1)
    run = exact_run(params, made)
    x, v, weight = run.states[:, :3], run.states[:, 3:6], run.states[:, 6]
    gaps = np.array([made.value(point[None])[0] for point in x])
    potential = weight * gaps + ((v - made.centres) ** 2).sum(axis=1)
    moved = np.linalg.norm(x[1:] - run.centres, axis=1)
    free = moved < 0.05 * (1 - 1e-9)
    drop = potential[:-1] - potential[1:] - 0.75 * run.strengths * weight[1:] * moved**2
    assert free.all()
    assert (drop >= -1e-12).all()
    assert run.finished
    assert np.array_equal(run.calls, [len(rows) for rows in run.tried])


@pytest.mark.parametrize("shape", list(Shape))
@pytest.mark.parametrize("error", [0.0, 1.0])
def test_the_accuracy_is_reached_within_the_count(shape: Shape, error: float) -> None:
    params, made = Params(1.0, 0.01, 1.0, 1e-3, oracle_error=error), objective(shape, 20)
    values = ball_acceleration.cpu(params, made, Trials(STREAM, np.arange(20)))
    found = ball_acceleration.runs(values)
    assert found.finished.all()
    assert (made.value(found.points) <= 1e-3).all()
    assert (found.iterations <= 4.5 * params.balls * params.log_kappa).all()
    assert (found.search_calls <= found.iterations * params.search_calls).all()
    assert (found.lowest == params.smallest_strength).all()
    assert (found.highest <= params.largest_strength).all()


def test_the_number_of_iterations_grows_with_the_power_two_thirds() -> None:
    counts = []
    for ratio in (10.0, 1000.0):
        params = Params(1.0, 1 / ratio, 1.0, 1e-3)
        made = objective(Shape.NORM, 5)
        counts.append(
            ball_acceleration.runs(ball_acceleration.cpu(params, made, Trials(STREAM, np.arange(5)))).iterations
        )
    slope = np.log(counts[1] / counts[0]) / math.log(100)
    assert slope == pytest.approx(2 / 3, abs=0.03)


@pytest.mark.deep
def test_all_forms_give_the_same_run() -> None:
    params = Params(1.0, 0.1, 1.0, 0.02, oracle_error=0.7, output="projected")
    for shape in Shape:
        made, numbers = objective(shape, 3, 1), np.array([4, 5, 9])
        values = ball_acceleration.cpu(params, made, Trials(STREAM, numbers))
        torch = ball_acceleration.gpu(params, made, Trials(STREAM, numbers)).numpy()
        assert torch == pytest.approx(values, abs=1e-9)
        found = ball_acceleration.runs(values)
        for instance, number in enumerate(numbers.tolist()):
            oracles = closed_form_oracles(params, made, instance, STREAM, number)
            run = ball_acceleration.reference(params, 3, oracles)
            assert found.points[instance] == pytest.approx(run.point, abs=1e-9)
            assert (found.iterations[instance], found.search_calls[instance]) == (len(run.strengths), run.calls.sum())
            assert found.weights[instance] == pytest.approx(run.states[-1, 6], rel=1e-12)
            assert (found.lowest[instance], found.highest[instance]) == (
                pytest.approx(run.strengths.min()), pytest.approx(run.strengths.max()),
            )  # fmt: skip


def test_erring_oracles_err_as_much_as_is_allowed() -> None:
    """Search off by exactly r/17; ball within phi; proximal bias Delta/lam and second moment at most (sigma/lam)^2."""
    params, made = Params(1.0, 0.1, 1.0, 0.02, oracle_error=1.0), objective(Shape.NORM, 1)
    oracles = closed_form_oracles(params, made, 0, STREAM, 0)
    y, lam = np.zeros(3), 20.0
    best = made.proximal(0, y, lam, 0.1)
    assert np.linalg.norm(oracles.search(y, lam, 0, 0) - best) == pytest.approx(0.1 / 17)

    def regularised(point: np.ndarray) -> float:
        return float(made.value(point[None])[0] + lam / 2 * point @ point)

    phi = lam * 0.01 / (6 * params.log_kappa**3)
    errors = []
    for number in range(2000):
        assert 0 <= regularised(oracles.ball(y, lam, number, 0)) - regularised(best) <= phi
        errors.append(oracles.proximal(y, lam, number, 0) - best)
    bias, sigma = params.bias / lam, params.deviation / lam
    assert np.mean(errors, axis=0)[0] == pytest.approx(bias, abs=5 * sigma / math.sqrt(2000))
    assert np.mean(np.sum(np.square(errors), axis=1)) == pytest.approx(sigma**2, rel=0.15)
    assert BALL_SLOT < PROXIMAL_SLOT < 1024


def test_a_cap_of_one_iteration_is_kept() -> None:
    params = Params(1.0, 0.9, 1.0, 1.0, 0.5)
    assert params.most_iterations == 1
    found = ball_acceleration.runs(
        ball_acceleration.cpu(params, objective(Shape.NORM, 2), Trials(STREAM, np.arange(2)))
    )
    assert found.iterations.tolist() == [1, 1]
    assert not found.finished.all()


def test_a_target_that_is_reached_at_once_returns_the_origin() -> None:
    params = Params(1.0, 0.5, 1.0, 1.0, stop_constant=0.5)
    values = ball_acceleration.cpu(params, objective(Shape.NORM, 1), Trials(STREAM, np.arange(1)))
    found = ball_acceleration.runs(values)
    assert (found.iterations[0], found.points.tolist(), bool(found.finished[0])) == (0, [[0.0, 0.0, 0.0]], True)
    assert exact_run(params, objective(Shape.NORM, 1)).point.tolist() == [0.0, 0.0, 0.0]


def test_wrong_values_are_refused() -> None:
    with pytest.raises(ConfigurationError, match="2 instances, the trials 1"):
        ball_acceleration.cpu(Params(1.0, 0.5, 1.0, 1.0), objective(Shape.NORM, 2), Trials(STREAM, np.arange(1)))
    with pytest.raises(ConfigurationError, match="output must be one of"):
        Params(1.0, 0.5, 1.0, 1.0, output="first")
    with pytest.raises(ConfigurationError, match="stop_constant must be above 0"):
        Params(1.0, 0.5, 1.0, 1.0, stop_constant=0.0)
    assert ball_acceleration.noise_shape(Params(1.0, 0.5, 1.0, 1.0))[1] == 1024
