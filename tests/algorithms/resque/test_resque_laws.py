"""Exact laws of the ReSQue algorithms on linear records, on numba and torch.

With w = 1 (the limit rho -> oo) and given indices SubERM is an affine map of its normal noise, and so is what calls it;
a pool of pure noise in the normal limit makes AC-SA one; the logarithm of a weight is normal. These are exact
tests with a false alarm of at most 1e-6 each. Where the law is no normal one (random indices, signs, kinks), means and
second moments of 100,000 trials (10,000 for EpochSGD) are within 6.5 of their estimated deviations: for samples with
such moderate tails a false alarm has probability below 1e-6 each, with all entries counted.
"""

from __future__ import annotations

import math
from typing import Any

import numpy as np
import pytest
from laws import assert_gaussian

from dpaudit.algorithms.resque import (
    ac_sa,
    bias_reduced_prox,
    epoch_sgd,
    high_probability_erm,
    resque_estimate,
    resque_pool,
    sub_erm,
    sub_erm_strongly_convex,
)
from dpaudit.arithmetic.arrays import Array
from dpaudit.noise.stream import Stream, Trials
from dpaudit.problems.smoothing.ridges import Oracle, Ridge, ridge_losses, smoothed_gradient

STREAM, MANY = Stream(92, "tests/laws"), 20_000
SLOPE = np.array([0.6, 0.8])
ONE = ridge_losses([(Ridge.LINEAR, SLOPE)], 1.5)
SHARED: dict[str, Any] = {"centre": (0.1, -0.2), "radius": 1000.0, "smoothing": 1.0, "lipschitz": 1.5}
forms = pytest.mark.parametrize("form", ["cpu", "gpu"])


def trials(count: int = MANY) -> Trials:
    return Trials(STREAM, np.arange(count))


def run(module: Any, form: str, *arguments: Any) -> Any:
    return getattr(module, form)(*arguments)


def as_array(values: Any) -> Array:
    return np.asarray(values, dtype=np.float64)


def affine_phases(params: sub_erm.Params, slopes: Array) -> tuple[Array, Array]:
    """Mean (k, d) and covariance (k, k) of a coordinate of x_1..x_k, w = 1; slopes: gradients over L, (That - 1, d)."""
    x, used, means, rows = np.array(params.start or params.centre), 0, [], []
    c = np.array(params.centre if params.anchor is None else params.anchor)
    spread = np.zeros(len(params.phases))
    for i, (length, eta, sigma) in enumerate(params.phases):
        shrink, y, total, kept = 1 / (1 + eta * params.regulariser), x, 0.0 * x, 0.0
        for j in range(length):
            total, kept = (total + y, kept + shrink**j) if params.average == "regret" else (total, kept)
            y = shrink * (y + eta * params.regulariser * c - eta * params.lipschitz * slopes[used + j])
            total, kept = (total, kept) if params.average == "regret" else (total + y, kept + shrink ** (j + 1))
        x, used = total / length, used + length
        spread = kept / length * spread
        spread[i] += sigma
        means.append(x)
        rows.append(spread.copy())
    loads = np.array(rows)
    return np.array(means), loads @ loads.T


@forms
@pytest.mark.parametrize("estimator", ["unweighted", "resque"])
@pytest.mark.parametrize("average", ["printed", "regret"])
def test_phases_of_sub_erm_with_given_indices_are_normal(form: str, estimator: str, average: str) -> None:
    """Two linear records and known indices; "resque" with rho = 1e9."""
    params = sub_erm.Params(
        **{**SHARED, "smoothing": 1e9}, privacy=2.0, steps=9, regulariser=3.0, anchor=(0.5, 0.5), distance=2.0,
        start=(0.3, 0.0), estimator=estimator, average=average,
    )  # fmt: skip
    losses, indices = (
        ridge_losses([(Ridge.LINEAR, SLOPE), (Ridge.LINEAR, (-1.0, 0.0))], 1.5),
        np.array([0, 1, 1, 0, 0, 0, 1]),
    )
    phases = as_array(run(sub_erm, form, params, losses, trials(), indices).phases)
    means, covariance = affine_phases(params, losses.directions[indices])
    assert_gaussian(phases[..., 0], means[:, 0], covariance)
    assert_gaussian(phases[..., 1], means[:, 1], covariance)
    assert_gaussian(phases.reshape(MANY, -1), means.ravel(), np.kron(covariance, np.eye(2)))


def call_law(params: sub_erm_strongly_convex.Params) -> tuple[Array, float]:
    """Mean (d,) and variance of a coordinate of the last call, f = L<a, x> alone, w = 1."""
    x, variance = sub_erm.default_start(params), 0.0
    for call in sub_erm_strongly_convex.schedule(params, np.array([params.regulariser])):
        inner = sub_erm_strongly_convex.inner_params(params, call, x)
        if inner.phases:
            means, covariance = affine_phases(inner, np.tile(SLOPE, (sub_erm.queries(inner), 1)))
            kept = math.prod(
                sum((1 + eta * inner.regulariser) ** -(j + 1.0) for j in range(length)) / length
                for length, eta, _ in inner.phases
            )
            x, variance = means[-1], kept**2 * variance + float(covariance[-1, -1])
    return x, variance


STRONG: dict[str, Any] = {**SHARED, "regulariser": 4.0, "privacy": 2.0, "estimator": "unweighted", "constant": 0.4}


@forms
@pytest.mark.parametrize("schedule", ["printed", "equal"])
def test_the_strongly_convex_solver_is_normal(form: str, schedule: str) -> None:
    params = sub_erm_strongly_convex.Params(steps=20, privacy_schedule=schedule, **STRONG)
    mean, variance = call_law(params)
    final = as_array(run(sub_erm_strongly_convex, form, params, ONE, trials()).final)
    assert_gaussian(final, mean, variance * np.eye(2))


@forms
def test_independent_copies_are_independent_and_normal(form: str) -> None:
    params = high_probability_erm.Params(steps=9, failure=0.9, **STRONG)
    mean, variance = call_law(params)
    copies = as_array(run(high_probability_erm, form, params, ONE, trials()).copies)
    assert params.copies == 3
    assert_gaussian(copies.reshape(MANY, -1), np.tile(mean, 3), variance * np.eye(6))


@forms
def test_a_loop_of_the_bias_reduction_is_normal_given_its_level(form: str) -> None:
    """x0 + 2^J (x_J - x_{J-1}): three independent solvers."""
    params = bias_reduced_prox.Params(steps=4, records=100, privacy_constant=2.0, repetitions=2, **STRONG)
    laws = [call_law(sub_erm_strongly_convex.at_level(params, j)) for j in (0, 3, 2, 1)]
    levels = np.tile([3, 9], (MANY, 1))
    results = as_array(run(bias_reduced_prox, form, params, ONE, trials(), levels).results)
    (base, spread), (finer, wide), (coarser, near), _ = laws
    assert_gaussian(results[:, 0], base + 8 * (finer - coarser), (spread + 64 * (wide + near)) * np.eye(2))
    assert_gaussian(results[:, 1], base, spread * np.eye(2))


def assert_moments(samples: Array, mean: Array, covariance: Array) -> None:
    """Means and centred second moments within 6.5 of their estimated deviations."""
    away = samples - mean
    products = (away[:, :, None] * away[:, None]).reshape(len(samples), -1)
    for values, expected in ((away, np.zeros_like(mean)), (products, covariance.ravel())):
        error = 6.5 * values.std(axis=0) / math.sqrt(len(values)) + 1e-12
        assert (np.abs(values.mean(axis=0) - expected) <= error).all()


@forms
def test_hidden_indices_add_the_spread_of_the_records(form: str) -> None:
    """x_1 = mean - eta sum_j (T_1 - j + 1)/T_1 (a_z - mean a) L + noise, the indices independent."""
    params = sub_erm.Params(**SHARED, privacy=2.0, steps=9, distance=3.0, estimator="unweighted")
    losses = ridge_losses([(Ridge.LINEAR, SLOPE), (Ridge.LINEAR, (-1.0, 0.0)), (Ridge.ZERO, (1.0, 0.0))], 1.5)
    rows = losses.directions * (losses.kinds == Ridge.LINEAR)[:, None]
    average, length, eta, sigma = rows.mean(axis=0), *params.phases[0]
    ages = np.arange(length, 0, -1) / length
    mean = np.array(params.centre) - eta * 1.5 * ages.sum() * average
    spread = (rows - average).T @ (rows - average) / 3
    covariance = (1.5 * eta) ** 2 * (ages**2).sum() * spread + sigma**2 * np.eye(2)
    phases = as_array(run(sub_erm, form, params, losses, trials(100_000)).phases)
    assert_moments(phases[:, 0], mean, covariance)


@forms
def test_one_reweighted_step_has_a_log_normal_length(form: str) -> None:
    """T = 2, next to no noise: log w is N(-|v|^2/(2 rho^2), |v|^2/rho^2), v = x_0 - xbar."""
    v = np.array([0.3, -0.4])
    params = sub_erm.Params(**SHARED, privacy=1e14, steps=2, distance=1.0, start=(0.4, -0.6))
    final = as_array(run(sub_erm, form, params, ONE, trials()).final)
    _, eta, _ = params.phases[0]
    weights = (np.array(params.start) - final) @ SLOPE / (eta * 1.5)
    assert_gaussian(np.log(weights)[:, None], [-(v @ v) / 2], [[v @ v]])


@forms
def test_the_weight_of_the_estimator_is_log_normal(form: str) -> None:
    """f = L<a, x>: G = w L a with E w = 1 and Var w = exp(|v|^2/rho^2) - 1."""
    params = resque_estimate.Params((0.5, 0.0), (0.1, -0.3), 0.8)
    xi = 0.8 * STREAM.part("estimate").normals(np.arange(100_000), 0, 2)
    gradients = np.tile(1.5 * SLOPE, (100_000, 1))
    found, square = as_array(run(resque_estimate, form, params, xi, gradients)), 0.25 / 0.64
    assert_gaussian(np.log(found @ SLOPE / 1.5)[:, None], [-square / 2], [[square]])
    assert_moments(found, 1.5 * SLOPE, 2.25 * math.expm1(square) * np.outer(SLOPE, SLOPE))


@forms
@pytest.mark.parametrize("kind", [Ridge.ABSOLUTE, Ridge.HINGE])
def test_the_estimator_has_the_mean_and_covariance_of_the_smoothed_gradient(form: str, kind: Ridge) -> None:
    """E G = grad fhat(x); E G G^T = L^2 a a^T exp(|v|^2/rho^2) times the share of slopes that are not 0.

    The share under the tilted law N(2 v, rho^2): 1 for |m|, Phi((<a, xbar + 2 v> - b)/rho) for a hinge.
    """
    point, centre, rho = np.array([0.5, 0.0]), np.array([0.1, -0.3]), 0.8
    losses, v = ridge_losses([(kind, SLOPE, 0.2)], 1.5), point - centre
    pool = resque_pool.Params(tuple(centre.tolist()), rho, 10)
    rows = as_array(run(resque_pool, form, pool, Oracle(losses), trials())).reshape(-1, 4)
    params = resque_estimate.Params(tuple(point.tolist()), tuple(centre.tolist()), rho)
    found = as_array(run(resque_estimate, form, params, rows[:, :2], rows[:, 2:]))
    mean = smoothed_gradient(losses, point, rho)
    share = 1.0 if kind is Ridge.ABSOLUTE else 0.5 * math.erfc(-(SLOPE @ (centre + 2 * v) - 0.2) / rho / math.sqrt(2))
    second = 2.25 * math.exp(float(v @ v) / rho**2) * share * np.outer(SLOPE, SLOPE)
    assert_moments(found, mean, second - np.outer(mean, mean))


PURE = Oracle(ridge_losses([(Ridge.ZERO, (1.0,))]), "mean", 1.5)


@pytest.mark.deep(keep=1)
@forms
def test_epoch_sgd_on_pure_noise(form: str) -> None:
    """w = 1: x is a sum of independent signs, each with its weight in the mean of the epoch; T = 48: two epochs."""
    params = epoch_sgd.Params((0.2,), 1000.0, 1e9, 2.0, 48 * 2.25 / 2.0 / 48 * (1 + 1e-12), 1.5)
    loads, start, lam = np.zeros(0), np.zeros(0), 2.0
    for _, length, eta in params.schedule:
        shrink, count = 1 / (1 + eta * lam), int(length)
        x = np.concatenate([shrink * start, np.zeros(count - 1)])
        total = x.copy()
        for t in range(1, count):
            x = shrink * x
            x[len(start) + t - 1] -= shrink * eta * 1.5
            total += x
        start = loads = total / count
    assert len(loads) == 15 + 31
    final = as_array(run(epoch_sgd, form, params, PURE, trials(10_000)))
    assert_moments(final, np.array([0.2]), np.array([[loads @ loads]]))


@forms
@pytest.mark.parametrize("index", ["GL12", "printed"])
@pytest.mark.parametrize("linear", ["GL12", "printed"])
def test_ac_sa_on_the_normal_limit_of_pure_noise(form: str, index: str, linear: str) -> None:
    """rho = 1e9: every estimate is N(0, L^2/N_k), the same in all steps of a loop where the indices are as printed."""
    params = ac_sa.Params((0.0,), 1000.0, 1e9, 1.2, 1.2 * 1000.0**2 / 3.9, 1.5, index, "GL12", linear, "limit")
    assert params.loops == 2
    ag = x = np.zeros(params.loops * params.steps)
    for k, size in enumerate(params.sizes):
        for t in range(1, params.steps + 1):
            alpha, gamma = 2 / (t + 1), 4 * (1.5 / 1e9 + 1.2) / (t * (t + 1))
            first, second = ac_sa.middle_weights(params, t)
            md, noise = first * ag + second * x, np.zeros_like(x)
            noise[k * params.steps + (0 if index == "printed" else t - 1)] = 1.5 / math.sqrt(size)
            pull = 1.2 if linear == "printed" else 1.2 * alpha
            p, q = gamma + 1.2 * (1 - alpha), 1.2 * alpha
            x = (p * x + q * md - alpha * noise - pull * md) / (p + q)
            ag = alpha * x + (1 - alpha) * ag
        x = ag
    final = as_array(run(ac_sa, form, params, PURE, trials(4000)))
    assert_gaussian(final, [0.0], [[ag @ ag]])
