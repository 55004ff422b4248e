"""LambdaSearch: proximal points against their definition, searches by hand, counts, the three forms."""

from __future__ import annotations

import math

import numpy as np
import pytest

from dpaudit.algorithms.resque import lambda_search
from dpaudit.algorithms.resque.ball_acceleration import kernels
from dpaudit.algorithms.resque.ball_acceleration.objectives import Objective, Shape, TorchObjective
from dpaudit.algorithms.resque.lambda_search import Params
from dpaudit.noise.stream import Stream, Trials
from dpaudit.records.errors import ConfigurationError

STREAM = Stream(84, "tests/search")
RNG = np.random.default_rng(84)
AXIS = np.array([0.6, 0.0, 0.8])
PARAMS = Params(1.0, 0.05, 1.0, 0.01)


def objective(shape: Shape, count: int = 6) -> Objective:
    return Objective(shape, RNG.normal(size=(count, 3)), 1.3, 0.2, AXIS)


@pytest.mark.parametrize("shape", list(Shape))
@pytest.mark.parametrize("strength", [0.3, 2.0, 40.0])
@pytest.mark.parametrize("ball_radius", [0.05, 0.7, 5.0])
def test_proximal_points_are_minima(shape: Shape, strength: float, ball_radius: float) -> None:
    """No point of the ball is better, and all three forms give the same."""
    import torch

    made, y = objective(shape), RNG.normal(size=(6, 3))
    y[0] = made.centres[0]
    points = np.stack([made.proximal(i, y[i], strength, ball_radius) for i in range(6)])
    assert (np.linalg.norm(points - y, axis=1) <= ball_radius * (1 + 1e-12)).all()
    assert np.array_equal(points[0], y[0])
    best = made.value(points) + strength / 2 * ((points - y) ** 2).sum(axis=1)
    for scale in (1.0, 0.1, 1e-3):
        for _ in range(60):
            other = points + scale * ball_radius * RNG.normal(size=(6, 3))
            away = other - y
            other = y + away * np.minimum(1, ball_radius / np.linalg.norm(away, axis=1))[:, None]
            assert (made.value(other) + strength / 2 * ((other - y) ** 2).sum(axis=1) >= best - 1e-12).all()
    tensors = TorchObjective(made, torch, "cpu", "float64")
    found = tensors.proximal(torch.tensor(y), torch.full((6,), strength, dtype=torch.float64), ball_radius)
    assert found.numpy() == pytest.approx(points, abs=1e-12)
    centres, arrays = kernels.objective_arrays(made, "float64")
    for i in range(6):
        out = np.zeros(3)
        kernels.proximal(y[i], centres[i], strength, ball_radius, arrays, out)
        assert out == pytest.approx(points[i], abs=1e-12)


def test_values_by_hand() -> None:
    points = np.array([[3.0, 4.0]])
    assert Objective(Shape.NORM, np.zeros((1, 2)), 2.0).value(points)[0] == 10
    assert Objective(Shape.LARGEST, np.zeros((1, 2)), 2.0).value(points)[0] == 8
    assert Objective(Shape.HUBER, np.zeros((1, 2)), 2.0, 1.0).value(points)[0] == 9
    assert Objective(Shape.HUBER, np.zeros((1, 2)), 2.0, 10.0).value(points)[0] == 2.5
    assert Objective(Shape.RIDGE, np.zeros((1, 2)), 2.0, 1.0, np.array([0.0, -1.0])).value(points)[0] == 8


def test_the_weight_step_solves_its_equation() -> None:
    for strength, weight in ((0.3, 0.0), (2.0, 5.0), (1e4, 1e3)):
        a = lambda_search.weight_step(strength, weight)
        assert strength * a**2 == pytest.approx(weight + a, rel=1e-12)


def search(movement: float) -> lambda_search.Run:
    """A search whose oracle moves by movement/lambda, in one dimension."""
    return lambda_search.reference(PARAMS, np.zeros(1), np.zeros(1), 1.0, lambda y, lam: y + np.array([movement / lam]))


def test_a_small_movement_takes_the_smallest_strength() -> None:
    run = search(PARAMS.smallest_strength * PARAMS.ball_radius * 0.874)
    assert (run.strength, run.calls) == (PARAMS.smallest_strength, 1)


def test_a_search_by_hand() -> None:
    """lambda_star = 0.01 * 20^(4/3) log(100)^2, upper end 40: geometric means until the movement fits."""
    low, high = 0.01 * 20 ** (4 / 3) * math.log(100) ** 2, 40.0
    assert (PARAMS.smallest_strength, PARAMS.largest_strength) == (pytest.approx(low), high)
    wanted = 0.8 * PARAMS.ball_radius
    target = 30.0
    expected = [low]
    while True:
        middle = math.sqrt(low * high)
        expected.append(middle)
        moved = wanted * target / middle
        if moved > 14 / 16 * PARAMS.ball_radius:
            low = middle
        elif moved < 12 / 16 * PARAMS.ball_radius:
            high = middle
        else:
            break
    run = search(wanted * target)
    assert run.tried[:, 0] == pytest.approx(expected, rel=1e-12)
    assert (run.calls, run.strength) == (len(expected), run.tried[-1, 0])
    assert run.calls > 2


def test_a_search_that_never_ends_returns_the_upper_end() -> None:
    stuck = lambda_search.reference(PARAMS, np.zeros(1), np.zeros(1), 1.0, lambda y, lam: y + 1.0)
    assert (stuck.calls, stuck.strength) == (PARAMS.search_calls, PARAMS.largest_strength)
    assert PARAMS.search_calls == math.ceil(6 * math.log(1.0 * 100 / 0.05))


@pytest.mark.parametrize("shape", list(Shape))
def test_an_accepted_movement_lies_between_its_ends(shape: Shape) -> None:
    made, trials = objective(shape, 200), Trials(STREAM, np.arange(200))
    x, v = 0.5 * RNG.normal(size=(2, 200, 3))
    weights = np.exp(RNG.uniform(0, 4, size=200))
    found = lambda_search.cpu(PARAMS, made, x, v, weights, trials)
    assert lambda_search.gpu(PARAMS, made, x, v, weights, trials).numpy() == pytest.approx(found, rel=1e-12)
    strength, calls = found.T
    a = (1 + np.sqrt(1 + 4 * strength * weights)) / (2 * strength)
    y = (weights[:, None] * x + a[:, None] * v) / (weights + a)[:, None]
    z = np.stack([made.proximal(i, y[i], strength[i], PARAMS.ball_radius) for i in range(200)])
    moved = np.linalg.norm(z - y, axis=1) / PARAMS.ball_radius
    assert (moved <= 14 / 16 + 1e-12).all()
    assert ((moved >= 12 / 16 - 1e-12) | (strength == PARAMS.smallest_strength)).all()
    assert (calls <= PARAMS.search_calls).all()
    assert (calls > 1).any()


def test_wrong_values_are_refused() -> None:
    made, trials = objective(Shape.NORM, 2), Trials(STREAM, np.arange(2))
    with pytest.raises(ConfigurationError, match=r"x, v must have shape \(2, 3\)"):
        lambda_search.cpu(PARAMS, made, np.zeros((1, 3)), np.zeros((2, 3)), np.zeros(2), trials)
    with pytest.raises(ConfigurationError, match="weights must be at least 0"):
        lambda_search.gpu(PARAMS, made, np.zeros((2, 3)), np.zeros((2, 3)), -np.ones(2), trials)
    with pytest.raises(ConfigurationError, match="ball_radius must be below radius"):
        Params(1.0, 1.0, 1.0, 0.5)
    with pytest.raises(ConfigurationError, match="accuracy must be at most"):
        Params(1.0, 0.5, 1.0, 1.5)
    with pytest.raises(ConfigurationError, match="acceleration_constant asks for"):
        Params(1.0, 0.5, 1.0, 0.5, 1e4)
    with pytest.raises(ConfigurationError, match="needs a direction"):
        Objective(Shape.RIDGE, np.zeros((1, 2)))
    with pytest.raises(ConfigurationError, match="direction must have 2 numbers"):
        Objective(Shape.RIDGE, np.zeros((1, 2)), direction=np.ones(2))
    with pytest.raises(ConfigurationError, match="centres must be finite"):
        Objective(Shape.NORM, np.zeros(2))
    assert lambda_search.noise_shape(PARAMS) == (PARAMS.search_calls,)
    assert lambda_search.promise(PARAMS) is None
