"""Randomised smoothing: the three forms, exact laws, depth and number of queries, the proved gap, counts, errors.

Statistical tests: false alarm at most 1e-6 each.
"""

from __future__ import annotations

import math
from dataclasses import replace
from functools import partial

import numpy as np
import pytest
from laws import assert_gaussian
from refusals import refused
from three_forms import fast_forms, run_of

from dpaudit.algorithms.resque import randomised_smoothing
from dpaudit.algorithms.resque.randomised_smoothing import SCHEDULES, Params, gap_bound, momentum, prescribed
from dpaudit.noise.stream import Stream, Trials
from dpaudit.problems import losses
from dpaudit.problems.domains import ball
from dpaudit.records.errors import ConfigurationError
from dpaudit.sampling.batches import Batches

STREAM = Stream(94, "tests/randomised_smoothing")
RNG = np.random.default_rng(37)
FEATURES = RNG.normal(size=(6, 3))
ABSOLUTE, HUBER = losses.absolute(FEATURES, RNG.normal(size=6)), losses.huber(FEATURES, RNG.normal(size=6), 0.5)
START = (0.3, -0.2, 0.1)
RUN = Params(START, (0.4, 0.4, 0.3, 0.2), (2.0, 2.5, 3.0, 4.0), Batches("with replacement", 6, 9))


def test_momentum_solves_its_equation() -> None:
    theta = np.array(momentum(50))
    assert theta[0] == 1.0
    assert theta[1] == pytest.approx((math.sqrt(5) - 1) / 2, rel=1e-15)
    assert 1 / theta[1:] ** 2 - 1 / theta[1:] == pytest.approx(1 / theta[:-1] ** 2, rel=1e-12)
    assert np.cumsum(1 / theta) == pytest.approx(1 / theta**2, rel=1e-12)
    assert (theta <= 2 / (np.arange(51) + 2)).all()


def test_the_steps_as_they_are_written_down() -> None:
    """z minimises the linear models plus B |. - x_0|^2/2 in the ball; checked against points around it."""
    params = replace(RUN, domain=ball(0.2, START))
    draws = randomised_smoothing.draw_inputs(params, STREAM, 0)
    run = randomised_smoothing.reference(params, ABSOLUTE, draws)
    theta, start = momentum(4), np.array(START)
    x, z, total = start, start, np.zeros(3)
    for t in range(4):
        y = (1 - theta[t]) * x + theta[t] * z
        asked = zip(draws.batches[t], draws.noise[t], strict=True)
        g = np.mean([ABSOLUTE.record_gradients(y + params.radii[t] * n)[i] for i, n in asked], axis=0)
        assert run.transcript[t] == pytest.approx(g, abs=1e-14)
        total = total + g / theta[t]
        z = run.states[t + 1, 3:6]
        model = lambda p, s=total, b=params.strengths[t]: (p - start) @ s + b * ((p - start) ** 2).sum(axis=-1) / 2  # noqa: E731
        others = start + 0.2 * RNG.normal(size=(500, 3)) / math.sqrt(3)
        others = others[np.linalg.norm(others - start, axis=1) <= 0.2]
        assert len(others) > 50
        assert (model(others) >= model(z) - 1e-12).all()
        x = (1 - theta[t]) * x + theta[t] * z
        assert run.states[t + 1, :3] == pytest.approx(x, abs=1e-14)


def affine(params: Params, start: np.ndarray, target: np.ndarray, noise: np.ndarray) -> np.ndarray:
    """x_T for the gradient y - target + rho_t z, z = noise[t]."""
    x = z = start
    total = np.zeros_like(start)
    for t, theta in enumerate(momentum(params.steps)[:-1]):
        y = (1 - theta) * x + theta * z
        total = total + (y - target + params.radii[t] * noise[t]) / theta
        z = start - total / params.strengths[t]
        x = (1 - theta) * x + theta * z
    return x


@pytest.mark.deep
def test_the_output_on_a_quadratic_is_gaussian() -> None:
    """One record, |w - c|^2/2 at three perturbed points: their mean has variance rho_t^2/3."""
    target, params = np.array([0.7, -0.1, 0.4]), replace(RUN, batches=Batches("with replacement", 1, 3))
    mean = affine(params, np.array(START), target, np.zeros((4, 3)))
    effect = affine(params, np.zeros(4), np.zeros(4), np.eye(4))
    problem, trials = losses.quadratic(np.eye(3), target), Trials(STREAM, np.arange(20_000))
    for found in fast_forms(randomised_smoothing, params, problem, trials, "final"):
        assert_gaussian(found, mean, effect @ effect / 3 * np.eye(3))


def depth(dimension: int, error: float, schedule: str) -> int:
    return prescribed((0.0,) * dimension, 10, 1.0, 1.0, error, schedule).steps


@pytest.mark.parametrize("schedule", SCHEDULES)
def test_the_depth_is_the_fourth_root_of_the_dimension_over_the_error(schedule: str) -> None:
    constant = {"fixed radius": 2, "shrinking radius": 20}[schedule]
    for dimension in (1, 16, 81, 10_000):
        for error in (0.5, 0.125):
            assert depth(dimension, error, schedule) == math.ceil(constant * round(dimension**0.25) / error)
    assert depth(7, 0.01, schedule) == math.ceil(constant * 7**0.25 / 0.01)
    scaled = prescribed((0.0,) * 16, 10, 3.0, 2.0, 0.75, schedule)
    assert scaled.steps == depth(16, 0.125, schedule), "only L R/eps matters"


@pytest.mark.parametrize("schedule", SCHEDULES)
def test_the_queries_are_depth_plus_inverse_square_error(schedule: str) -> None:
    constant = {"fixed radius": 16, "shrinking radius": 100}[schedule]
    for dimension in (1, 9, 400):
        for error in (0.5, 0.1, 0.02):
            params = prescribed((0.0,) * dimension, 10, 1.0, 1.0, error, schedule)
            asked = randomised_smoothing.calls(params, None)["gradients"]
            assert max(params.steps, constant / error**2) <= asked * (1 + 1e-12)
            assert asked <= params.steps + constant / error**2 + 1e-6


@pytest.mark.parametrize(("schedule", "share"), [("fixed radius", 2.0), ("shrinking radius", 1.0)])
def test_the_prescriptions_have_a_proved_gap(schedule: str, share: float) -> None:
    for dimension in (1, 3, 50, 2000):
        for error in (1.0, 0.3, 0.05):
            params = prescribed((0.0,) * dimension, 10, 2.0, 1.5, 3.0 * error, schedule)
            bound = gap_bound(params, 2.0, 1.5)
            assert bound <= share * 3.0 * error
            assert bound >= share * 3.0 * error / 20, "not vacuous"


def test_the_radius_is_the_printed_one() -> None:
    params = prescribed((0.0,) * 16, 10, 3.0, 2.0, 0.6)
    assert params.radii == (0.6 / (3.0 * 4.0),) * params.steps
    shrinking = prescribed((0.0,) * 16, 10, 3.0, 2.0, 0.6, "shrinking radius")
    theta = momentum(shrinking.steps)
    assert shrinking.radii == pytest.approx([t * 2.0 / 2.0 for t in theta[:-1]], rel=1e-15)
    assert shrinking.domain == ball(2.0, (0.0,) * 16)


def test_the_bound_by_hand() -> None:
    """One step: theta = 1, B_1 R^2/2 + L^2/(2 b (B_1 - L/rho)) + L rho sqrt d."""
    params = Params((0.0,) * 4, (0.5,), (10.0,), Batches("with replacement", 6, 3))
    assert gap_bound(params, 2.0, 1.5) == pytest.approx(10 * 2.25 / 2 + 4 / (2 * 3 * 6) + 2 * 0.5 * 2, rel=1e-14)
    assert gap_bound(replace(params, strengths=(4.0,)), 2.0, 1.5) == math.inf
    assert gap_bound(replace(params, radii=(0.0,)), 2.0, 1.5) == math.inf


@pytest.mark.parametrize(("schedule", "error"), [("fixed radius", 0.2), ("shrinking radius", 0.5)])
def test_the_mean_gap_stays_below_the_proved_one(schedule: str, error: float) -> None:
    """F = mean |<x_i, w - w*>|, minimum 0 at w*; gaps lie in [0, 2 R], so that Hoeffding bounds their mean."""
    target, rows = np.array([0.6, -0.7, 0.2]), RNG.normal(size=(8, 3))
    rows /= np.linalg.norm(rows, axis=1, keepdims=True)
    problem, distance = losses.absolute(rows, rows @ target), float(np.linalg.norm(target))
    params = prescribed((0.0,) * 3, 8, 1.0, distance, error, schedule)
    margin = 2 * distance * math.sqrt(math.log(1e6) / (2 * 4000))
    gaps = problem.value(randomised_smoothing.cpu(params, problem, Trials(STREAM, np.arange(4000)), "final"))
    assert gaps.min() >= 0.0
    assert gaps.max() <= 2 * distance
    assert gaps.mean() - margin <= gap_bound(params, 1.0, distance)
    assert gaps.mean() < error < problem.value(np.zeros(3))


def test_each_step_is_one_round_with_one_gradient_for_each_record_of_its_batch() -> None:
    for params in (RUN, replace(RUN, radii=(0.0,) * 4), prescribed(START, 6, 1.0, 1.0, 0.5)):
        run = run_of(randomised_smoothing, params, ABSOLUTE, STREAM)
        assert run.calls == randomised_smoothing.calls(params, randomised_smoothing.draw_inputs(params, STREAM, 0))
        assert run.calls["rounds"] == params.steps
        assert run.calls["gradients"] == params.steps * params.batches.size
    assert randomised_smoothing.promise(RUN) is None


test_wrong_parameters_are_refused = refused(
    partial(replace, RUN),
    ({"radii": (0.1, 0.2, 0.1, 0.1)}, "radii must never grow"),
    ({"radii": (0.1, 0.1, 0.1, -0.1)}, r"radii\[3\] must be at least 0\.0"),
    ({"strengths": (2.0, 1.0, 3.0, 4.0)}, "strengths must never fall"),
    ({"strengths": (2.0, 3.0)}, "strengths must have 4 numbers, got 2"),
    ({"strengths": (0.0, 1.0, 3.0, 4.0)}, r"strengths\[0\] must be above 0\.0"),
    ({"batches": Batches("Poisson", 6, 2)}, "batches must have a fixed size, got 'Poisson'"),
    ({"batches": Batches("in order", 6, 2)}, "4 batches of 2 in order need 8 records"),
    ({"domain": ball(1.0, (0.0,))}, "the domain has 1 coordinates, the points have 3"),
)


def test_wrong_prescriptions_and_problems_of_other_sizes_are_refused() -> None:
    with pytest.raises(ConfigurationError, match="schedule must be one of 'fixed radius', 'shrinking radius'"):
        prescribed(START, 6, 1.0, 1.0, 0.5, "none")
    with pytest.raises(ConfigurationError, match=r"distance must be above 0\.0"):
        prescribed(START, 6, 1.0, 0.0, 0.5)
    with pytest.raises(ConfigurationError, match="5 records of 3 coordinates, the parameters say 6 of 3"):
        randomised_smoothing.cpu(RUN, losses.linear(FEATURES[:5]), Trials(STREAM, [0]))
