"""Ball iteration: the three forms, exact laws, smoothed slopes, balls and steps that suffice, counts, errors.

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
from scipy import stats
from three_forms import fast_forms, run_of

from dpaudit.algorithms.resque import ball_iteration
from dpaudit.algorithms.resque.ball_iteration import Params
from dpaudit.noise.stream import Stream, Trials
from dpaudit.problems import losses
from dpaudit.records.errors import ConfigurationError
from dpaudit.sampling.batches import Batches

STREAM = Stream(93, "tests/ball_iteration")
RNG = np.random.default_rng(27)
FEATURES = RNG.normal(size=(6, 3))
ABSOLUTE, HUBER = losses.absolute(FEATURES, RNG.normal(size=6)), losses.huber(FEATURES, RNG.normal(size=6), 0.5)
ALL = Batches("all records", 6, 6)
RUN = Params((0.3, -0.2, 0.1), 3, 0.1, (0.1, 0.3), ALL, 0.4)
ONE = Batches("all records", 1, 1)


@pytest.mark.parametrize("output", ball_iteration.OUTPUTS)
def test_the_loop_as_it_is_written_down(output: str) -> None:
    params = replace(RUN, smoothing=0.0, inner_output=output)
    x, centres = np.array(params.start), []
    for _ in range(params.iterations):
        visited = [x]
        for eta in params.step_sizes:
            offset = visited[-1] - eta * ABSOLUTE.gradient(visited[-1]) - x
            visited.append(x + offset * min(1.0, params.radius / np.linalg.norm(offset)))
        x = visited[-1] if output == "last" else np.mean(visited[:-1], axis=0)
        centres.append(x)
    run = run_of(ball_iteration, params, ABSOLUTE, STREAM)
    assert run.states[2::2, :3] == pytest.approx(np.array(centres), abs=1e-14)
    assert np.array_equal(run.final, run.states[-1, :3])
    assert set(run.branches[:, 0]) == {0, 1}, "some steps leave the ball and some do not"


def affine(params: Params, start: np.ndarray, target: np.ndarray, noise: np.ndarray) -> np.ndarray:
    """x_K for the gradient y - target + rho z, z = noise[t] of step t, without projections."""
    x, t = start, 0
    for _ in range(params.iterations):
        visited = [x]
        for eta in params.step_sizes:
            visited.append(visited[-1] - eta * (visited[-1] - target + params.smoothing * noise[t]))
            t += 1
        x = visited[-1] if params.inner_output == "last" else np.mean(visited[:-1], axis=0)
    return np.asarray(x)


@pytest.mark.deep
@pytest.mark.parametrize("output", ball_iteration.OUTPUTS)
def test_the_output_on_a_quadratic_is_gaussian(output: str) -> None:
    """One record, |w - c|^2/2 at three perturbed points: their mean has variance rho^2/3."""
    target, batches = np.array([0.7, -0.1, 0.4]), Batches("with replacement", 1, 3)
    params = replace(RUN, radius=1e6, batches=batches, inner_output=output)
    mean = affine(params, np.array(params.start), target, np.zeros((params.steps, 3)))
    effect = affine(params, np.zeros(params.steps), np.zeros(params.steps), np.eye(params.steps))
    covariance = effect @ effect / 3 * np.eye(3)
    problem = losses.quadratic(np.eye(3), target)
    for found in fast_forms(ball_iteration, params, problem, Trials(STREAM, np.arange(20_000)), "final"):
        assert_gaussian(found, mean, covariance)


def test_perturbed_points_give_the_slope_of_the_smoothed_loss() -> None:
    """|w - c| at w + rho z has slope 1 with probability Phi((w - c)/rho), the slope of the convolution."""
    problem, params = losses.absolute([[1.0]], [0.5]), Params((0.2,), 1, 1.0, (0.1,), ONE, 0.6)
    for found in fast_forms(ball_iteration, params, problem, Trials(STREAM, np.arange(20_000)), "transcript"):
        assert set(np.unique(found)) == {-1.0, 1.0}
        chance = stats.norm.cdf((0.2 - 0.5) / 0.6)
        assert stats.binomtest(int((found > 0).sum()), found.size, chance).pvalue > 1e-6


def test_exact_minimisers_need_distance_over_radius_balls() -> None:
    problem = losses.quadratic(np.eye(3), np.array([2.0, 0.0, 0.0]))
    for radius, balls in ((0.5, 4), (0.3, 7), (2.5, 1)):
        params = Params((0.0, 0.0, 0.0), balls, radius, (1.0,), ONE, inner_output="last")
        assert run_of(ball_iteration, params, problem, STREAM).final == pytest.approx([2.0, 0.0, 0.0], abs=1e-12)
        if balls > 1:
            short = run_of(ball_iteration, replace(params, iterations=balls - 1), problem, STREAM).final
            assert short[0] == pytest.approx((balls - 1) * radius, abs=1e-12)
            assert short[0] < 2.0 - 1e-6


@pytest.mark.parametrize("radius", [0.5, 0.25])
def test_the_prescribed_balls_and_steps_reach_the_minimum(radius: float) -> None:
    """F = mean |<x_i, w - w*>|, minimum 0 at w*; every ball shrinks the gap by 1 - r/D up to L r/sqrt(J)."""
    target = np.array([0.6, -0.7])
    rows = RNG.normal(size=(8, 2))
    rows /= np.linalg.norm(rows, axis=1, keepdims=True)
    problem, distance, error = losses.absolute(rows, rows @ target), float(np.linalg.norm(target)), 0.2
    params = ball_iteration.prescribed((0.0, 0.0), 8, 1.0, distance, radius, error)
    run = run_of(ball_iteration, params, problem, STREAM)
    centres = run.states[:: len(params.step_sizes), :2]
    gaps, apart = problem.value(centres), np.linalg.norm(centres - target, axis=1)
    assert gaps[0] > error >= gaps[-1]
    assert apart.max() <= distance + 1e-12, "what the prescription assumes"
    inner = radius / math.sqrt(len(params.step_sizes))
    assert (gaps[1:] <= np.maximum(1 - radius / apart[:-1], 0.0) * gaps[:-1] + inner).all()


def test_the_number_of_balls_is_inverse_to_their_radius_and_logarithmic_in_the_error() -> None:
    made = {r: ball_iteration.prescribed((0.0,), 5, 2.0, 3.0, r, 0.1) for r in (0.01, 0.02)}
    assert made[0.01].iterations == math.ceil(300 * math.log(120))
    assert made[0.01].iterations == pytest.approx(2 * made[0.02].iterations, abs=1)
    assert {len(params.step_sizes) for params in made.values()} == {120**2}
    finer = ball_iteration.prescribed((0.0,), 5, 2.0, 3.0, 0.02, 0.05)
    assert finer.iterations - made[0.02].iterations == pytest.approx(150 * math.log(2), abs=1)
    assert made[0.02].step_sizes[0] == pytest.approx(0.02 / (2.0 * 120), rel=1e-15)


def test_each_inner_step_is_one_round_with_one_gradient_for_each_record_of_its_batch() -> None:
    for batches, gradients in ((ALL, 36), (Batches("with replacement", 6, 20), 120), (Batches("in order", 6, 1), 6)):
        for smoothing in (0.0, 0.4):
            params = replace(RUN, batches=batches, smoothing=smoothing)
            run, draws = (
                run_of(ball_iteration, params, ABSOLUTE, STREAM),
                ball_iteration.draw_inputs(params, STREAM, 0),
            )
            assert run.calls == ball_iteration.calls(params, draws)
            assert run.calls == {"gradients": gradients, "values": 0, "rounds": 6}
    assert ball_iteration.promise(RUN) is None


test_wrong_parameters_are_refused = refused(
    partial(replace, RUN),
    ({"iterations": 0}, "iterations must be at least 1"),
    ({"radius": 0.0}, r"radius must be above 0\.0"),
    ({"step_sizes": (0.1, 0.0)}, r"step_sizes\[1\] must be above 0\.0"),
    ({"smoothing": -0.1}, r"smoothing must be at least 0\.0"),
    ({"batches": Batches("Poisson", 6, 2)}, "batches must have a fixed size, got 'Poisson'"),
    ({"batches": Batches("in order", 6, 2)}, "6 batches of 2 in order need 12 records"),
)


def test_wrong_prescriptions_and_problems_of_other_sizes_are_refused() -> None:
    with pytest.raises(ConfigurationError, match=r"radius must be at most 1\.0, got 2\.0"):
        ball_iteration.prescribed((0.0,), 5, 1.0, 1.0, 2.0, 0.1)
    with pytest.raises(ConfigurationError, match=r"error must be above 0\.0"):
        ball_iteration.prescribed((0.0,), 5, 1.0, 1.0, 0.5, 0.0)
    with pytest.raises(ConfigurationError, match="5 records of 3 coordinates, the parameters say 6 of 3"):
        ball_iteration.gpu(RUN, losses.linear(FEATURES[:5]), Trials(STREAM, [0]))
