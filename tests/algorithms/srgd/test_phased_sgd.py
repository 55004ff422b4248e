"""Phased SGD: phases, the three forms, exact laws, sensitivity of the averages, promises, counts, errors.

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

from dpaudit.algorithms.srgd import phased_sgd
from dpaudit.algorithms.srgd.phased_sgd import AVERAGES, Params
from dpaudit.noise.stream import Stream, Trials
from dpaudit.problems import losses
from dpaudit.problems.domains import ball, box
from dpaudit.records.errors import ConfigurationError
from dpaudit.records.mechanism import Constant, Gaussian

STREAM = Stream(91, "tests/phased_sgd")
RNG = np.random.default_rng(17)
FEATURES = RNG.normal(size=(13, 3))
LOGISTIC = losses.logistic(FEATURES, np.where(RNG.random(13) < 0.5, -1.0, 1.0))
LINEAR = losses.linear(FEATURES)
RUN = Params((0.3, -0.2, 0.1), 13, 1.0, 0.4, 3.0, 1.0)


def test_phases_halve_and_steps_quarter() -> None:
    assert RUN.sizes == (6, 3, 1)
    assert RUN.firsts == (0, 6, 9, 10)
    assert RUN.step_sizes == (1 / 4, 1 / 16, 1 / 64)
    assert replace(RUN, records=16).sizes == (8, 4, 2, 1)
    assert replace(RUN, records=2).sizes == (1,)
    for n in range(2, 200):
        assert sum(replace(RUN, records=n).sizes) < n


def affine(params: Params, curve: float) -> tuple[np.ndarray, np.ndarray]:
    """Mean (k, d) and covariance (k, k) of one coordinate of w_1, ..., w_k for f = curve |w|^2/2 - <zeta, w>."""
    mean, means, rows, row = np.array(params.start), [], [], np.zeros(len(params.sizes))
    for i, eta in enumerate(params.step_sizes):
        size, shrink = params.sizes[i], 1 - eta * curve
        visited, v = [], mean
        for record in range(params.firsts[i], params.firsts[i + 1]):
            visited.append(v)
            v = shrink * v + eta * FEATURES[record]
        after = params.average == "after each step"
        mean = np.mean([*visited[1:], v] if after else visited, axis=0)
        powers = shrink ** (np.arange(size) + after)
        row = row * powers.mean() + params.noise * params.lipschitz * eta * np.eye(len(params.sizes))[i]
        means.append(mean)
        rows.append(row)
    return np.array(means), np.array(rows) @ np.array(rows).T


@pytest.mark.deep(keep=1)
@pytest.mark.parametrize("average", AVERAGES)
@pytest.mark.parametrize("curve", [0.0, 0.7])
def test_transcript_and_output_on_quadratics_are_gaussian(average: str, curve: float) -> None:
    params = replace(RUN, average=average)
    problem = losses.quadratic_minus_linear(curve * np.eye(3), FEATURES)
    mean, covariance = affine(params, curve)
    trials = Trials(STREAM, np.arange(20_000))
    for found in fast_forms(phased_sgd, params, problem, trials, "transcript"):
        assert_gaussian(found.reshape(len(found), -1), mean.ravel(), np.kron(covariance, np.eye(3)))
    for found in fast_forms(phased_sgd, params, problem, trials, "final"):
        assert_gaussian(found, mean[-1], covariance[-1, -1] * np.eye(3))


@pytest.mark.parametrize("average", AVERAGES)
def test_a_zeroed_record_moves_the_average_of_its_phase_by_its_share(average: str) -> None:
    """Linear losses: eta_i L (places after it)/n_i, largest for the first record of a phase."""
    params, ones = replace(RUN, average=average, noise=0.0), np.tile([3.0, 0.0, 0.0], (13, 1))
    whole = run_of(phased_sgd, params, losses.linear(ones), STREAM).transcript
    start = 0
    for i, size in enumerate(params.sizes):
        moves = []
        for record in range(start, start + size):
            other = ones.copy()
            other[record] = 0.0
            moved = run_of(phased_sgd, params, losses.linear(other), STREAM).transcript - whole
            assert np.abs(moved[:i]).max(initial=0.0) == 0.0, "earlier phases do not see it"
            moves.append(moved[i, 0] / (3.0 * params.step_sizes[i]))
        assert max(moves) == pytest.approx(params.shares[i], abs=1e-12)
        assert moves == sorted(moves, reverse=True)
        start += size


@pytest.mark.parametrize("average", AVERAGES)
def test_convex_smooth_losses_never_move_it_further(average: str) -> None:
    """Steps up to 2/M; one of 4/M on a quadratic does."""
    lipschitz = float(np.linalg.norm(FEATURES, axis=1).max())
    smoothness = lipschitz**2 / 4
    params = replace(
        RUN, average=average, noise=0.0, lipschitz=lipschitz, step_size=8 / smoothness, smoothness=smoothness
    )
    whole = run_of(phased_sgd, params, LOGISTIC, STREAM).transcript[0]
    for record in range(6):
        weights = np.ones(13)
        weights[record] = 0.0
        other = losses.logistic(FEATURES, LOGISTIC.labels, weights)
        moved = np.linalg.norm(run_of(phased_sgd, params, other, STREAM).transcript[0] - whole)
        assert moved <= params.shares[0] * lipschitz * params.step_sizes[0] * (1 + 1e-12)
    bent = replace(params, lipschitz=1.0, smoothness=1.0, step_size=16.0)  # 4/M in the first phase
    weights, far = np.ones(13), losses.squared(np.tile([[1.0, 0, 0]], (13, 1)), np.full(13, -0.7))
    weights[0] = 0.0
    near = losses.squared(far.features, far.labels, weights)
    moved = run_of(phased_sgd, bent, far, STREAM).transcript[0] - run_of(phased_sgd, bent, near, STREAM).transcript[0]
    assert np.linalg.norm(moved) > 1.0 * bent.step_sizes[0]
    with pytest.raises(ConfigurationError, match=r"step_size must be at most 8/smoothness = 8\.0"):
        phased_sgd.promise(replace(bent, noise=0.4))


def test_constants_of_the_domain_alone_do_not_bound_the_move() -> None:
    """A phase starts at a noisy point outside of the domain: there <x, w>^2/2 is steeper than its L = sqrt 2 inside."""
    square = box((-1.0,) * 2, (1.0,) * 2)
    params = Params((0.0, 0.0), 4, 8.0, 1.0, math.sqrt(2), 1.0, square, "after each step")
    slanted, weights = np.tile([math.sqrt(0.5)] * 2, (4, 1)), np.array([1.0, 1.0, 0.0, 1.0])
    draws = phased_sgd.Draws(np.array([[10 / math.sqrt(8), 0.0], [0.0, 0.0]]))
    here, there = (
        phased_sgd.reference(params, losses.squared(slanted, np.zeros(4), w), draws).transcript for w in (None, weights)
    )
    assert np.array_equal(here[0], there[0])
    assert np.abs(square.project(here[0]) - here[0]).max() == pytest.approx(9.0)
    inside, eta = params.shares[1] * params.lipschitz * params.step_sizes[1], params.step_sizes[1]
    steepest = np.linalg.norm(losses.squared(slanted, np.zeros(4)).record_gradients(here[0])[2])
    assert inside < np.linalg.norm(here[1] - there[1]) <= params.shares[1] * steepest * eta
    assert "outside of the domain too" in phased_sgd.promise(params).source


def test_promises() -> None:
    assert phased_sgd.promise(RUN).mechanism == Gaussian(0.4 / (5 / 6))
    assert phased_sgd.promise(replace(RUN, average="after each step")).mechanism == Gaussian(0.4)
    assert phased_sgd.promise(replace(RUN, smoothness=0.0, step_size=100.0)).mechanism == Gaussian(0.4 / (5 / 6))
    assert phased_sgd.promise(replace(RUN, records=3)).mechanism == Constant(), "one record: its average is the start"


def test_it_asks_one_gradient_for_each_record_one_after_the_other() -> None:
    run = run_of(phased_sgd, RUN, LOGISTIC, STREAM)
    assert run.calls == phased_sgd.calls(RUN, phased_sgd.draw_inputs(RUN, STREAM, 0))
    assert run.calls == {"gradients": 10, "values": 0, "rounds": 10}


test_wrong_parameters_are_refused = refused(
    partial(replace, RUN),
    ({"records": 1}, "records must be at least 2"),
    ({"step_size": 0.0}, "step_size must be above 0"),
    ({"smoothness": -1.0}, "smoothness must be at least 0"),
    ({"domain": ball(1.0, (0.0,))}, "the domain has 1 coordinates, the points have 3"),
)
