"""DPZero: exact runs, the forms, exact laws, sensitivity, the canary that attains the promise, errors.

Statistical tests: false alarm at most 1e-6 for each comparison of samples with a law.
"""

from __future__ import annotations

import operator
from dataclasses import replace

import numpy as np
import pytest
from laws import assert_gaussian
from refusals import refused
from three_forms import fast_forms
from zeroth_runs import VECTORS, given_frames, numbers, problem_of

from dpaudit.accounting.epsilon import gaussian_parameter
from dpaudit.algorithms.zeroth import dpzero
from dpaudit.algorithms.zeroth.dpzero import Draws, Params
from dpaudit.noise.stream import Stream, Trials
from dpaudit.problems import losses
from dpaudit.problems.domains import ball
from dpaudit.records.mechanism import Gaussian, SelfComposed
from dpaudit.records.privacy import Neighbours, View

STREAM = Stream(43, "tests/dpzero")
RNG = np.random.default_rng(14)
FEATURES = RNG.normal(size=(6, 4))
LINEAR = losses.linear(FEATURES)
LOGISTIC = losses.logistic(FEATURES, np.array([1.0, -1, 1, -1, -1, 1]))
SCALAR = Params((0.5, -0.25, 0.125, 0.0), 4, 6, 0.75, 0.5, 0.4, 0.3)
ISOTROPIC = replace(SCALAR, noise_kind="isotropic")
each = pytest.mark.parametrize("params", [SCALAR, ISOTROPIC], ids=["scalar", "isotropic"])


def test_it_repeats_the_exact_run(monkeypatch: pytest.MonkeyPatch) -> None:
    given_frames(monkeypatch)
    case = VECTORS["DPZero, scalar noise, a ball"]
    params = Params((0.0,) * 4, 2, 3, 1.0, 0.5, 0.5, 2.0, "scalar", ball(1.25, (0.0,) * 4))
    run = dpzero.reference(params, problem_of(case), Draws(numbers(case["directional"]), numbers(case["frames"])))
    assert run.states[1:] == pytest.approx(numbers(case["expected"]["iterates"]), abs=1e-15)


@pytest.mark.deep(keep=1)
@each
def test_given_its_direction_a_step_on_linear_losses_is_gaussian(params: Params) -> None:
    """Scalar: w_{t+1} - w_t = (-eta <g, u> + eta sigma G) u. Isotropic: -eta <g, u> u + eta sigma G."""
    params, g = replace(params, clip_norm=100.0), FEATURES.mean(axis=0)
    for found in fast_forms(dpzero, params, LINEAR, Trials(STREAM, np.arange(5_000))):
        w, u = found[:, :, :4], found[:, :, 4:]
        before = np.concatenate([np.broadcast_to(params.start, (len(w), 1, 4)), w[:, :-1]], axis=1)
        noise = w - before + 0.75 * (u @ g)[:, :, None] * u
        if params.noise_kind == "isotropic":
            assert_gaussian(noise.reshape(len(noise), -1), np.zeros(16), (0.75 * 0.3) ** 2 * np.eye(16))
            continue
        along = (noise * u).sum(axis=2)
        assert noise == pytest.approx(along[:, :, None] * u, abs=1e-13)
        assert_gaussian(along, np.zeros(4), (0.75 * 0.3) ** 2 * np.eye(4))


@each
def test_replacing_a_record_moves_a_slope_by_two_clip_norms_at_most(params: Params) -> None:
    """From the same state and draws: 2 eta Delta/n along u, attained by steep records of opposite signs."""
    still = replace(params, noise=0.0, steps=1)
    largest, draws = 2 * 0.75 * 0.4 / 6, dpzero.draw_inputs(still, STREAM, 1)
    for scale, attained in ((50.0, True), (0.3, False)):
        first, second = (np.vstack([sign * scale * np.ones(4), FEATURES[1:]]) for sign in (1, -1))
        moved = np.subtract(*(dpzero.reference(still, losses.linear(x), draws).final for x in (first, second)))
        assert np.linalg.norm(moved) <= largest * (1 + 1e-12)
        assert (np.linalg.norm(moved) >= largest * (1 - 1e-12)) == attained


@each
def test_the_sign_canary_attains_the_promise(params: Params) -> None:
    """sum over t of sign <v, u_t> <w_{t+1} - w_t, u_t> is Gaussian, and as far apart on the two data sets, in its
    standard deviations, as the promise allows."""
    v = np.array([1.0, -0.5, 0.25, 2.0])
    apart, deviation = [], 0.75 * 0.3 * 2
    for sign in (1, -1):
        canary = losses.linear(np.vstack([sign * 1e6 * v, np.zeros((5, 4))]))
        for found in fast_forms(dpzero, params, canary, Trials(STREAM, np.arange(10_000))):
            w, u = found[:, :, :4], found[:, :, 4:]
            before = np.concatenate([np.broadcast_to(params.start, (len(w), 1, 4)), w[:, :-1]], axis=1)
            statistic = (np.sign(u @ v) * ((w - before) * u).sum(axis=2)).sum(axis=1)
            assert_gaussian(statistic[:, None], [-sign * 4 * 0.75 * 0.4 / 6], [[deviation**2]])
        apart.append(-sign * 4 * 0.75 * 0.4 / 6)
    promised = gaussian_parameter(dpzero.promise(params).mechanism)
    assert abs(apart[0] - apart[1]) / deviation == pytest.approx(promised, rel=1e-12)


def test_both_kinds_of_noise_promise_the_same() -> None:
    promise = dpzero.promise(SCALAR)
    assert promise.mechanism == SelfComposed(Gaussian(0.3 * 6 / 0.8), 4)
    assert (promise.neighbours, promise.view) == (Neighbours.REPLACE_ONE, View.TRANSCRIPT)
    assert dpzero.promise(ISOTROPIC).mechanism == promise.mechanism
    assert dpzero.promise(replace(SCALAR, frame="Gaussian")).mechanism == promise.mechanism


test_what_cannot_be_is_refused = refused(
    operator.call,
    (lambda: replace(SCALAR, frame="orthonormal"), "frame must be one of 'independent', 'Gaussian'"),
    (lambda: replace(ISOTROPIC, frame="Gaussian"), "frame must be 'independent' with isotropic noise"),
    (lambda: replace(SCALAR, noise=-0.1), "noise must be at least 0"),
    (lambda: replace(SCALAR, domain=ball(0.2, (0.0,) * 4)), "start must lie in the domain"),
)
