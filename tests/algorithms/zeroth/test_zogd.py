"""ZOGD: exact runs, the forms, moments on linear losses, descent, errors.

Statistical tests: false alarm at most 1e-6 each, by empirical Bernstein bounds.
"""

from __future__ import annotations

from dataclasses import replace
from functools import partial

import numpy as np
import pytest
from refusals import refused
from three_forms import fast_forms
from zeroth_runs import VECTORS, assert_mean, given_frames, numbers, problem_of

from dpaudit.algorithms.zeroth import zogd
from dpaudit.algorithms.zeroth.zogd import Draws, Params
from dpaudit.noise.stream import Stream, Trials
from dpaudit.problems import losses
from dpaudit.problems.domains import ball

STREAM = Stream(42, "tests/zogd")
RNG = np.random.default_rng(13)
FEATURES = RNG.normal(size=(6, 4))
LOGISTIC = losses.logistic(FEATURES, np.array([1.0, -1, 1, -1, -1, 1]))
BASE = Params((0.5, -0.25, 0.125, 0.0), 5, 6, 2, 0.75, 0.5, 0.4)


def test_it_repeats_the_exact_run(monkeypatch: pytest.MonkeyPatch) -> None:
    given_frames(monkeypatch)
    case = VECTORS["ZOGD, slopes clipped one by one"]
    params = Params((1.0, -0.5), 3, 3, 2, 0.5, 0.25, 1.0)
    run = zogd.reference(params, problem_of(case), Draws(numbers(case["frames"])))
    assert run.states[1:] == pytest.approx(numbers(case["expected"]["iterates"]), abs=1e-15)


def test_on_linear_losses_orthonormal_steps_have_the_moments_of_projections() -> None:
    """w_1 - w_0 = -(eta/K) P g: mean -(eta/d) g, squared length of mean (eta/K)^2 (K/d) |g|^2."""
    params = replace(BASE, steps=1, frame="orthonormal", clip_norm=100.0)
    g, trials = FEATURES.mean(axis=0), Trials(STREAM, np.arange(20_000))
    length = float(np.linalg.norm(g))
    for found in fast_forms(zogd, params, losses.linear(FEATURES), trials, "final"):
        moved = found - np.array(BASE.start)
        width = 2 * 0.375 * length
        assert assert_mean(moved, -0.75 / 4 * g, width, 5e-7) < 0.01
        assert_mean((moved**2).sum(axis=1), 0.375**2 * 0.5 * length**2, (0.375 * length) ** 2, 5e-7)


def test_a_square_frame_descends_like_gradient_descent() -> None:
    curvature = np.diag([1.0, 0.5, 2.0, 0.25])
    problem = losses.quadratic_minus_linear(curvature, FEATURES)
    params = replace(BASE, directions=4, frame="orthonormal", clip_norm=100.0)
    run, w = zogd.reference(params, problem, zogd.draw_inputs(params, STREAM, 0)), np.array(BASE.start)
    for _ in range(5):
        w = w - 0.75 / 4 * problem.gradient(w)
    assert run.final == pytest.approx(w, abs=1e-13)


def test_iterates_stay_in_the_domain_and_frames_are_shown() -> None:
    params = replace(BASE, domain=ball(0.6, (0.0,) * 4), step_size=20.0, frame="orthonormal")
    run = zogd.reference(params, LOGISTIC, zogd.draw_inputs(params, STREAM, 0))
    assert np.linalg.norm(run.states, axis=1).max() <= 0.6 + 1e-15
    assert np.linalg.norm(run.states[1:], axis=1) == pytest.approx(np.full(5, 0.6)), "the ball is reached"
    rows = run.transcript[:, 4:].reshape(5, 2, 4)
    assert rows @ np.moveaxis(rows, -1, -2) == pytest.approx(np.broadcast_to(np.eye(2), (5, 2, 2)), abs=1e-14)
    assert np.array_equal(run.transcript[:, :4], run.states[1:])


test_wrong_parameters_are_refused = refused(
    partial(replace, BASE),
    ({"directions": 5, "frame": "orthonormal"}, "directions must be at most the dimension 4"),
    ({"domain": ball(0.5, (0.0,) * 4)}, "start must lie in the domain, it is 0.0"),
    ({"domain": ball(1.0, (0.0,))}, "the domain has 1 coordinates, the points have 4"),
    ({"perturbation": -1.0}, "perturbation must be at least 0"),
    ({"step_size": 0.0}, "step_size must be above 0"),
)


def test_it_promises_nothing() -> None:
    assert zogd.promise(BASE) is None
