"""Zeroth-order estimators: exact values, the forms, moments on linear losses, options, errors.

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

from dpaudit.algorithms.zeroth import two_point_estimator
from dpaudit.algorithms.zeroth.steps import ESTIMATORS
from dpaudit.algorithms.zeroth.two_point_estimator import Draws, Params
from dpaudit.noise.stream import Stream, Trials
from dpaudit.problems import losses
from dpaudit.sampling.batches import Batches

STREAM = Stream(41, "tests/two_point_estimator")
RNG = np.random.default_rng(12)
FEATURES = RNG.normal(size=(6, 3))
LOGISTIC = losses.logistic(FEATURES, np.array([1.0, -1, 1, -1, -1, 1]))
EVERY, SOME = Batches("all records", 6, 6), Batches("without replacement", 6, 2)
BASE = Params((0.5, -0.25, 0.125), 4, EVERY, 0.5, 0.4)


def test_it_repeats_the_exact_slopes(monkeypatch: pytest.MonkeyPatch) -> None:
    given_frames(monkeypatch)
    case = VECTORS["ZOGD, slopes clipped one by one"]
    rows, params = numbers(case["frames"])[0], Params((1.0, -0.5), 2, Batches("all records", 3, 3), 0.25, 1.0)
    run = two_point_estimator.reference(params, problem_of(case), Draws(rows[:, None], (np.arange(3),) * 2))
    expected = numbers(case["expected"]["slopes"])[0][:, None] * rows
    assert run.transcript[:, :2] == pytest.approx(expected, abs=1e-15)
    assert run.final == pytest.approx(expected.mean(axis=0), abs=1e-15)
    assert run.branches.tolist() == [[1], [2]]


def test_estimators_are_what_their_names_say() -> None:
    """Unclipped, on all records, from the values and gradients of the problem alone."""
    w, xi, draws = np.array(BASE.start), 0.5, inputs(BASE)
    for name in ESTIMATORS:
        params = replace(BASE, estimator=name, clip_norm=100.0, factor=2.0)
        run = two_point_estimator.reference(params, LOGISTIC, draws)
        for t, row in enumerate(run.transcript):
            u = draws.directions[t, 0] / np.linalg.norm(draws.directions[t, 0])
            ahead, behind, here = (LOGISTIC.value(point) for point in (w + xi * u, w - xi * u, w))
            slope = {
                "two-point": (ahead - behind) / (2 * xi),
                "directional derivative": LOGISTIC.gradient(w) @ u,
                "forward difference": (ahead - here) / xi,
                "one-point": ahead / xi,
            }[name]
            assert row == pytest.approx(np.concatenate([2 * slope * u, u]), abs=1e-14)


def inputs(params: Params, trial: int = 0) -> Draws:
    return two_point_estimator.draw_inputs(params, STREAM, trial)


def test_small_perturbations_approach_the_directional_derivative() -> None:
    """For a third derivative of at most L3 the two differ by at most L3 xi^2/6; here L3 < sum |x|^3/(6 n sqrt(3))."""
    third = (np.linalg.norm(FEATURES, axis=1) ** 3).mean() / (6 * 3**0.5)
    limit = two_point_estimator.reference(replace(BASE, perturbation=0.0), LOGISTIC, inputs(BASE)).transcript
    previous = np.inf
    for xi in (0.4, 0.2, 0.1):
        quotient = two_point_estimator.reference(replace(BASE, perturbation=xi), LOGISTIC, inputs(BASE)).transcript
        away = np.abs(quotient - limit).max()
        assert away <= third * xi**2 / 6
        assert away <= 0.3 * previous
        previous = away


def test_the_estimate_is_even_and_no_longer_than_the_clip_norm() -> None:
    draws = inputs(BASE)
    run = two_point_estimator.reference(BASE, LOGISTIC, draws)
    mirrored = two_point_estimator.reference(BASE, LOGISTIC, draws._replace(directions=-draws.directions))
    assert np.array_equal(mirrored.transcript[:, :3], run.transcript[:, :3])
    assert np.linalg.norm(run.transcript[:, :3], axis=1).max() <= 0.4
    steep = two_point_estimator.reference(BASE, losses.linear(np.full((6, 3), 1e6)), draws)
    assert np.linalg.norm(steep.transcript[:, :3], axis=1) == pytest.approx(np.full(4, 0.4))
    assert (steep.branches == 6).all()


def test_records_are_clipped_before_the_mean() -> None:
    """Two records of opposite slopes, one beyond the clip norm: the mean of clipped slopes is not the clipped mean."""
    problem = losses.linear(np.array([[5.0], [-0.2]]))
    params = Params((0.0,), 1, Batches("all records", 2, 2), 0.5, 1.0)
    run = two_point_estimator.reference(params, problem, inputs(params))
    assert run.final == pytest.approx([0.4])


def test_a_batch_takes_its_own_records_and_divides_by_their_number() -> None:
    params = replace(BASE, batches=SOME, clip_norm=100.0)
    draws = inputs(params)
    run = two_point_estimator.reference(params, losses.linear(FEATURES), draws)
    for t, batch in enumerate(draws.batches):
        u = run.transcript[t, 3:]
        assert run.transcript[t, :3] == pytest.approx((FEATURES[batch].mean(axis=0) @ u) * u, abs=1e-13)
        assert len(set(batch.tolist())) == 2


@pytest.mark.deep(keep=1)
@pytest.mark.parametrize(("frame", "factor"), [("independent", 3.0), ("Gaussian", 1.0)])
def test_on_linear_losses_the_mean_is_the_gradient(frame: str, factor: float) -> None:
    """factor d on the sphere, 1 for Gaussian directions; second moment (2 g g' + |g|^2 I)/(d (d + 2)) on the sphere."""
    problem, params = losses.linear(FEATURES / 4), replace(BASE, clip_norm=100.0, frame=frame, factor=factor)
    g, trials = FEATURES.mean(axis=0) / 4, Trials(STREAM, np.arange(10_000))
    for found in fast_forms(two_point_estimator, params, problem, trials):
        estimates, directions = found[:, :, :3].reshape(-1, 3), found[:, :, 3:].reshape(-1, 3)
        again = factor * (directions @ g)[:, None] * directions
        assert estimates == pytest.approx(again, abs=1e-13)
        if frame == "independent":
            width = 2 * factor * float(np.linalg.norm(g))
            assert assert_mean(estimates, g, width, 5e-7) < 0.01
            second = factor**2 * (2 * np.outer(g, g) + g @ g * np.eye(3)) / 15
            assert_mean(estimates[:, :, None] * estimates[:, None, :], second, width**2, 5e-7)
        else:
            bounded = np.clip(again, -20, 20)  # beyond 20 with probability below 1e-15 a number, as |g| < 1
            assert_mean(bounded, g, 40.0)


test_wrong_parameters_are_refused = refused(
    partial(replace, BASE),
    ({"estimator": "one-point", "perturbation": 0.0}, "perturbation of the one-point estimator must be above 0"),
    ({"perturbation": -0.1}, "perturbation must be at least 0"),
    ({"clip_norm": 0.0}, "clip_norm must be above 0"),
    ({"factor": 0.0}, "factor must be above 0"),
    ({"batches": Batches("Poisson", 6, 2)}, "batches must be one of 'all records', 'without replacement'"),
)


def test_it_promises_nothing() -> None:
    assert two_point_estimator.promise(BASE) is None
