"""Noisy-ZOGD and its variants: exact runs, the forms, reductions, exact laws, canaries, sensitivity, promises, errors.

Statistical tests: false alarm at most 1e-6 for each comparison of samples with a law or a mean.
"""

from __future__ import annotations

import math
import operator
from dataclasses import replace
from typing import Any

import numpy as np
import pytest
from laws import assert_gaussian
from refusals import refused
from scipy import stats
from three_forms import fast_forms
from zeroth_runs import VECTORS, assert_mean, given_frames, numbers, problem_of

from dpaudit.accounting.epsilon import gaussian_parameter, promised_epsilon
from dpaudit.algorithms.zeroth import noisy_zogd
from dpaudit.algorithms.zeroth.accounting.hidden_state import last_iterate
from dpaudit.algorithms.zeroth.accounting.public_states import Setting, public_states
from dpaudit.algorithms.zeroth.noisy_zogd import Draws, Params
from dpaudit.noise.stream import Stream, Trials
from dpaudit.problems import losses
from dpaudit.problems.domains import ball
from dpaudit.records.mechanism import Composed, Concentrated, FixedSizeSampled, Gaussian, SelfComposed
from dpaudit.records.privacy import Neighbours, View
from dpaudit.sampling.batches import Batches

STREAM = Stream(44, "tests/noisy_zogd")
RNG = np.random.default_rng(15)
FEATURES = RNG.normal(size=(6, 4))
LINEAR = losses.linear(FEATURES)
LOGISTIC = losses.logistic(FEATURES, np.array([1.0, -1, 1, -1, -1, 1]))
EVERY, SOME = Batches("all records", 6, 6), Batches("without replacement", 6, 3)
BASE = Params((0.5, -0.25, 0.125, 0.0), 5, EVERY, 2, 0.75, 0.5, 0.4, 0.3, 0.36)
IID = replace(BASE, frame="independent", directions=6)
SHARES = (0.0, 0.25, 0.5, 0.75, 1.0)


@pytest.mark.parametrize(
    "name", ["Noisy-ZOGD, four directions, both noises", "Noisy-ZOSGD, two directions, derivative"]
)
def test_it_repeats_the_exact_runs(name: str, monkeypatch: pytest.MonkeyPatch) -> None:
    given_frames(monkeypatch)
    case = VECTORS[name]
    start, frames, batches = numbers(case["start"]), numbers(case["frames"]), case["batches"]
    kind = "all records" if len(batches[0]) == 3 else "without replacement"
    eta, xi, clip_norm, sigma, share = (
        float(numbers(case[key])) for key in ("step_size", "perturbation", "clip_norm", "noise_scale", "b_dir")
    )
    params = Params(
        tuple(start.tolist()), 2, Batches(kind, 3, len(batches[0])), frames.shape[1], eta, xi, clip_norm, sigma, share
    )
    noise = np.hstack([numbers(case["isotropic"]), numbers(case["directional"])])
    run = noisy_zogd.reference(params, problem_of(case), Draws(noise, frames, tuple(map(np.array, batches))))
    assert run.states[1:] == pytest.approx(numbers(case["expected"]["iterates"]), abs=1e-14)
    assert params.deviations(0) == pytest.approx((float(numbers(case["along"])), float(numbers(case["across"]))))


def parts(params: Params, found: np.ndarray) -> tuple[np.ndarray, np.ndarray, np.ndarray]:
    """Iterates before, iterates after, frames of transcripts (trials, T, d + K d)."""
    d = len(params.start)
    after, frames = found[:, :, :d], found[:, :, d:].reshape(*found.shape[:2], params.directions, d)
    before = np.concatenate([np.broadcast_to(params.start, (len(found), 1, d)), after[:, :-1]], axis=1)
    return before, after, frames


@pytest.mark.parametrize(
    "params",
    [
        replace(BASE, variance_share=SHARES, clip_norm=100.0),
        replace(BASE, directions=4, clip_norm=100.0),
        replace(IID, directions=3, clip_norm=100.0),
        replace(BASE, noise_split="isotropic", clip_norm=100.0),
    ],
    ids=["shares by step", "square", "independent", "isotropic share"],
)
def test_given_its_frame_the_noise_of_a_step_is_gaussian(params: Params) -> None:
    """Linear losses: w_{t+1} - w_t + (eta/K) U'U g is N(0, along^2 U'U + across^2 I), for frames on either side of a
    plane: noise that repeats itself along u_1 and e_1 would cancel over both."""
    g = FEATURES.mean(axis=0)
    for found in fast_forms(noisy_zogd, params, LINEAR, Trials(STREAM, np.arange(3_000))):
        before, after, frames = parts(params, found)
        projections = np.moveaxis(frames, -1, -2) @ frames
        noise = after - before + 0.75 / params.directions * (projections @ g)
        for t in range(params.steps):
            share = params.b_dir[t]
            along, across = 0.75 * 0.3 * math.sqrt(share / params.directions), 0.75 * 0.3 * math.sqrt((1 - share) / 4)
            covariance = along**2 * projections[:, t] + across**2 * np.eye(4)
            if share == 1:
                inside = np.linalg.solve(
                    frames[:, t] @ np.moveaxis(frames[:, t], -1, -2), frames[:, t] @ noise[:, t, :, None]
                )
                assert_gaussian(inside[:, :, 0], np.zeros(2), along**2 * np.eye(2))
                assert noise[:, t] == pytest.approx((inside * frames[:, t]).sum(axis=1), abs=1e-12)
            else:
                white = np.linalg.solve(np.linalg.cholesky(covariance), noise[:, t, :, None])[:, :, 0]
                for chosen in (frames[:, t, 0, 0] > 0, frames[:, t, 0, 0] <= 0):
                    assert_gaussian(white[chosen], np.zeros(4), np.eye(4))


@pytest.mark.parametrize("share", SHARES)
def test_the_noise_has_the_energy_of_the_split_for_every_share(share: float) -> None:
    """|noise|^2 is along^2 + across^2 times a chi-square of K, plus across^2 times one of d - K: both are tested, and
    the means add to (eta sigma)^2."""
    params = replace(BASE, steps=1, variance_share=share, clip_norm=100.0)
    along, across = params.deviations(0)
    assert 2 * along**2 + 4 * across**2 == pytest.approx((0.75 * 0.3) ** 2, rel=1e-14)
    for found in fast_forms(noisy_zogd, params, losses.linear(np.zeros((6, 4))), Trials(STREAM, np.arange(10_000))):
        before, after, frames = parts(params, found)
        noise = (after - before)[:, 0]
        inside = ((frames[:, 0] @ noise[:, :, None]) ** 2).sum()
        outside = (noise**2).sum() - inside
        for energy, variance in ((inside, along**2 + across**2), (outside, across**2)):
            if variance == 0:
                assert abs(energy) < 1e-12
            else:
                law = stats.chi2(20_000)
                assert 2.5e-7 <= law.cdf(energy / variance) <= 1 - 2.5e-7


@pytest.mark.parametrize("perturbation", [0.0, 0.5])
def test_on_quadratics_the_last_iterate_is_gaussian_given_the_frames(perturbation: float) -> None:
    """Model Q of theorem 3.2: mean and covariance by m <- (I - e h P) m + e h P xbar and
    S <- (I - e h P) S (I - e h P)' + along^2 P + across^2 I with e = eta/K."""
    h, params = 0.8, replace(BASE, perturbation=perturbation, clip_norm=100.0)
    problem, centre = losses.quadratic_minus_linear(h * np.eye(4), h * FEATURES), FEATURES.mean(axis=0)
    along, across = params.deviations(0)
    for found in fast_forms(noisy_zogd, params, problem, Trials(STREAM, np.arange(4_000))):
        _, after, frames = parts(params, found)
        mean = np.broadcast_to(params.start, (4_000, 4)).copy()
        covariance = np.zeros((4_000, 4, 4))
        for t in range(params.steps):
            projection = np.moveaxis(frames[:, t], -1, -2) @ frames[:, t]
            shrink = np.eye(4) - 0.75 / 2 * h * projection
            mean = ((shrink @ mean[:, :, None]) + (0.75 / 2 * h * projection) @ centre[:, None])[:, :, 0]
            covariance = (
                shrink @ covariance @ np.moveaxis(shrink, -1, -2) + along**2 * projection + across**2 * np.eye(4)
            )
        away = (after[:, -1] - mean)[:, :, None]
        assert_gaussian(np.linalg.solve(np.linalg.cholesky(covariance), away)[:, :, 0], np.zeros(4), np.eye(4))


def canary(v: np.ndarray, sign: int) -> losses.Problem:
    """One steep record along v, the others without a slope."""
    return losses.linear(np.vstack([sign * 1e6 * v, np.zeros((5, 4))]))


V = np.array([1.0, -0.5, 0.25, 2.0]) / np.linalg.norm([1.0, -0.5, 0.25, 2.0])


@pytest.mark.parametrize("share", [0.0, 0.36, 1.0])
def test_the_sign_canary_attains_the_promise_of_public_states(share: float) -> None:
    """sum of sign <v, u> <w_{t+1} - w_t, u> over t and k: mean -+T eta Delta/n, variance T K V,
    V = (eta sigma)^2 (b/K + (1 - b)/d), as far apart as the promise allows."""
    params = replace(BASE, variance_share=share)
    variance = 5 * 2 * (0.75 * 0.3) ** 2 * (share / 2 + (1 - share) / 4)
    shift = 5 * 0.75 * 0.4 / 6
    for sign in (1, -1):
        for found in fast_forms(noisy_zogd, params, canary(V, sign), Trials(STREAM, np.arange(10_000))):
            before, after, frames = parts(params, found)
            moves = (frames @ (after - before)[..., None])[..., 0]
            statistic = (np.sign(frames @ V) * moves).sum(axis=(1, 2))
            assert_gaussian(statistic[:, None], [-sign * shift], [[variance]])
    assert gaussian_parameter(noisy_zogd.promise(params).mechanism) == pytest.approx(
        2 * shift / variance**0.5, rel=1e-12
    )


def test_the_last_iterate_of_the_canary_moves_by_the_mean_of_a_coordinate() -> None:
    """<w_T - w_0, v>: given the frames, mean -(eta Delta/(n K)) sum |<v, u>| and variance
    sum over t of along^2 |U v|^2 + across^2, (eta sigma)^2/d a step on average;
    E |<v, u>| = Gamma(d/2)/(sqrt(pi) Gamma((d + 1)/2))."""
    along, across = BASE.deviations(0)
    expected = math.gamma(2) / (math.sqrt(math.pi) * math.gamma(2.5))
    assert along**2 * 2 / 4 + across**2 == pytest.approx((0.75 * 0.3) ** 2 / 4)
    for found in fast_forms(noisy_zogd, BASE, canary(V, 1), Trials(STREAM, np.arange(10_000))):
        _, after, frames = parts(BASE, found)
        inner = frames @ V
        mean = -0.75 * 0.4 / (6 * 2) * np.abs(inner).sum(axis=(1, 2))
        variance = (along**2 * (inner**2).sum(axis=2) + across**2).sum(axis=1)
        moved = (after[:, -1] - np.array(BASE.start)) @ V
        assert_gaussian(((moved - mean) / np.sqrt(variance))[:, None], [0.0], [[1.0]])
        assert_mean(np.abs(inner).reshape(-1, 2), expected, 1.0)


@pytest.mark.parametrize(("params", "attained"), [(BASE, True), (replace(BASE, batches=SOME), True), (IID, False)])
def test_replacing_a_record_moves_a_step_by_its_sensitivity_at_most(params: Params, attained: bool) -> None:
    """From equal states and draws, in units of the noise: 1/multiplier at most for every frame, with equality for
    canaries in orthonormal frames; independent directions only approach it when they are all but equal."""
    params = replace(params, steps=1)
    draws = next(
        found for t in range(50) if 0 in (found := noisy_zogd.draw_inputs(params, STREAM, t)).batches[0].tolist()
    )
    mechanism = noisy_zogd.promise(params).mechanism.mechanism
    once = mechanism.mechanism if isinstance(mechanism, FixedSizeSampled) else mechanism
    still = replace(params, noise=0.0)
    first, second = (noisy_zogd.reference(still, canary(V, sign), draws) for sign in (1, -1))
    frame = first.transcript[0, 4:].reshape(params.directions, 4)
    along, across = params.deviations(0)
    moved = (first.final - second.final) @ np.linalg.solve(
        along**2 * frame.T @ frame + across**2 * np.eye(4), first.final - second.final
    )
    assert math.sqrt(moved) <= (1 + 1e-12) / once.noise_multiplier
    assert (math.sqrt(moved) >= (1 - 1e-12) / once.noise_multiplier) == attained
    if params.frame == "independent":
        alike = draws._replace(directions=draws.directions[:, :1] + 1e-9 * draws.directions)
        first, second = (noisy_zogd.reference(still, canary(V, sign), alike) for sign in (1, -1))
        frame = first.transcript[0, 4:].reshape(params.directions, 4)
        moved = (first.final - second.final) @ np.linalg.solve(
            along**2 * frame.T @ frame + across**2 * np.eye(4), first.final - second.final
        )
        assert math.sqrt(moved) == pytest.approx(1 / once.noise_multiplier, rel=1e-6)


def test_the_promise_is_a_composition_in_the_shares_of_the_steps() -> None:
    def multiplier(share: float) -> float:
        return 0.3 * 6 * math.sqrt(share + (1 - share) * 2 / 4) / 0.8

    assert noisy_zogd.promise(BASE).mechanism == SelfComposed(Gaussian(multiplier(0.36)), 5)
    varied = noisy_zogd.promise(replace(BASE, variance_share=SHARES))
    assert [one.noise_multiplier for one in varied.mechanism.mechanisms] == pytest.approx(
        [multiplier(s) for s in SHARES]
    )
    assert isinstance(varied.mechanism, Composed)
    assert (varied.neighbours, varied.view) == (Neighbours.REPLACE_ONE, View.TRANSCRIPT)
    sampled = noisy_zogd.promise(replace(BASE, batches=SOME)).mechanism
    assert sampled == SelfComposed(FixedSizeSampled(3, 6, Gaussian(multiplier(0.36) / 2)), 5)
    isotropic = noisy_zogd.promise(replace(BASE, variance_share=0.25, noise_split="isotropic"))
    assert isotropic.mechanism == noisy_zogd.promise(replace(BASE, variance_share=0.75)).mechanism


@pytest.mark.parametrize("share", [0.36, SHARES])
def test_the_promise_is_that_of_the_accountant_and_four_times_the_printed_rho(share: Any) -> None:
    params = replace(BASE, variance_share=share)
    account = public_states(noisy_zogd.setting(params, 1.0), 1e-5)
    mu = gaussian_parameter(noisy_zogd.promise(params).mechanism)
    assert mu**2 / 2 == pytest.approx(account.rho, rel=1e-9)
    assert account.rho == pytest.approx(4 * account.printed_rho, rel=1e-9)


def test_the_last_iterate_promises_what_the_accountant_of_hidden_states_finds() -> None:
    many = Params(
        (0.0,) * 200,
        20_000,
        Batches("all records", 5, 5),
        100,
        100.0,
        0.0,
        0.4,
        20.0,
        0.5,
        domain=ball(0.01, (0.0,) * 200),
    )
    setting = Setting(5, 200, 100, 20_000, 100.0, 20.0, 0.4, 0.5, 0.01, 1.0, 0.9, 0.0)
    assert noisy_zogd.setting(many, 1.0, 0.9) == setting
    promise = noisy_zogd.hidden_state_promise(many, 1e-5, smoothness=1.0, convexity=0.9)
    assert promise == last_iterate(setting, 1e-5).promise
    assert isinstance(promise.mechanism, Concentrated)
    assert promised_epsilon(promise, 1e-5).upper < 0.01 * promised_epsilon(noisy_zogd.promise(many), 1e-5).upper


@pytest.mark.parametrize("batches", [EVERY, SOME], ids=lambda batches: batches.kind)
def test_the_last_iterate_of_a_short_run_promises_no_less_than_all_iterates(batches: Batches) -> None:
    """Composition under the same assumptions is one of the bounds, and the view is that of the question."""
    run = replace(BASE, noise=5.0, perturbation=0.0, domain=ball(0.6, (0.0,) * 4), batches=batches)
    promise = noisy_zogd.hidden_state_promise(run, 1e-5, smoothness=1.0, convexity=0.9)
    assert (promise.neighbours, promise.view) == (Neighbours.REPLACE_ONE, View.HIDDEN_STATE)
    everything = promised_epsilon(noisy_zogd.promise(run), 1e-5).upper
    assert 0 < promised_epsilon(promise, 1e-5).upper <= everything * (1 + 1e-6)


def test_the_two_printings_of_the_split_are_options() -> None:
    printed = replace(BASE, noise_split="isotropic", variance_share=SHARES)
    assert printed.b_dir == SHARES[::-1]
    assert replace(BASE, variance_share=1).b_dir == (1.0,) * 5
    names = {name: default for name, default, _ in noisy_zogd.ALGORITHM.options}
    assert names["noise_split"] == BASE.noise_split == "directions"


test_what_cannot_be_is_refused = refused(
    operator.call,
    (lambda: replace(BASE, frame="Gaussian"), "frame must be one of 'orthonormal', 'independent'"),
    (lambda: replace(BASE, steps=0), "steps must be at least 1, got 0"),
    (lambda: replace(BASE, directions=5), "directions must be at most the dimension 4"),
    (lambda: replace(BASE, variance_share=1.5), "variance_share must be at most 1"),
    (lambda: replace(BASE, variance_share=(0.5, 0.5)), "variance_share must have 5 numbers, got 2"),
    (lambda: replace(BASE, variance_share=True), "variance_share must be a number"),
    (lambda: replace(BASE, batches=Batches("Poisson", 6, 3)), "batches must be one of"),
    (lambda: replace(BASE, domain=ball(0.3, (0.0,) * 4)), "start must lie in the domain"),
    (lambda: noisy_zogd.setting(replace(BASE, noise=0.0), 1.0), "noise is 0"),
    (lambda: noisy_zogd.hidden_state_promise(IID, 1e-5, 1.0), "frame must be 'orthonormal' for the hidden-state"),
    (lambda: noisy_zogd.hidden_state_promise(BASE, 0.0, 1.0), "delta must be above 0"),
)
