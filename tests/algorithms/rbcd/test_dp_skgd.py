"""DP-SkGD: reductions, golden values, the three forms, the law of the likelihood ratio.

Statistical tests: false alarm at most 1e-6 each (|z| <= 4.892 or p >= 1e-6).
"""

from __future__ import annotations

import json
from dataclasses import replace
from fractions import Fraction
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from refusals import refused
from scipy import stats
from second_moments import Recursion, matrix
from three_forms import assert_forms_repeat

from dpaudit.algorithms.rbcd import dp_skgd
from dpaudit.algorithms.rbcd.dp_skgd import Params, coupled
from dpaudit.noise.stream import Stream, Trials
from dpaudit.problems import losses
from dpaudit.problems.losses import Problem
from dpaudit.records.errors import ConfigurationError
from dpaudit.records.mechanism import Gaussian, SelfComposed
from dpaudit.sampling import coordinates
from dpaudit.sampling.coordinates import Sampler

VECTORS = json.loads((Path(__file__).parents[2] / "vectors" / "skgd_noise.json").read_text(encoding="utf-8"))["cases"]
RNG = np.random.default_rng(5)
FEATURES = RNG.normal(size=(6, 4))
LOGISTIC = losses.logistic(FEATURES, np.array([1.0, -1, 1, -1, -1, 1]))
ROOT = RNG.normal(size=(4, 4))
QUADRATIC = losses.quadratic_minus_linear((ROOT @ ROOT.T + (ROOT @ ROOT.T).T) / 8, FEATURES)
SAMPLERS = {
    "full": coordinates.full(4),
    "single uniform": coordinates.single_uniform(4),
    "single importance": coordinates.single_importance((1.0, 2.0, 3.0, 4.0)),
    "block": coordinates.block(((0, 2), (1,), (3,)), (0.5, 0.2, 0.3)),
    "tau-nice": coordinates.tau_nice(4, 3),
    "table": coordinates.table(4, ((0, 1, 2, 3), (1,), (0, 3)), (0.2, 0.5, 0.3)),
}
STREAM = Stream(77, "tests/dp_skgd")


def parameters(sampler: Sampler, problem: Problem = LOGISTIC, **changes: Any) -> Params:
    number = len(sampler.sets)
    made = Params(
        start=(0.5, -0.25, 0.125, 1.0),
        step_sizes=(0.1, 0.2, 0.3, 0.05),
        epochs=3,
        inner_steps=4,
        sampler=sampler,
        noise_scales=tuple(0.2 + 0.1 * i for i in range(number)),
        lipschitz=problem.lipschitz(sampler.sets),
        records=problem.records,
    )
    return replace(made, **changes)


@pytest.mark.deep(keep=4)
@pytest.mark.parametrize("problem", [LOGISTIC, QUADRATIC], ids=["logistic", "quadratic"])
@pytest.mark.parametrize("sampler", SAMPLERS.values(), ids=SAMPLERS)
def test_numba_and_torch_repeat_every_trial_of_the_reference(sampler: Sampler, problem: Problem) -> None:
    params = parameters(sampler, problem)
    assert_forms_repeat(dp_skgd, params, problem, STREAM)
    sets = dp_skgd.draw_inputs(params, STREAM, 0).sets
    assert len(np.unique(sets)) == 1 if len(sampler.sets) == 1 else len(np.unique(sets)) > 1


def test_red_1_uniform_singletons_are_dp_cd() -> None:
    """ALG-9 (Mangold et al. 2022) with psi = 0 and step sizes d gamma_j, written on its own."""
    params, d = parameters(SAMPLERS["single uniform"]), 4
    noise, sets = dp_skgd.draw_inputs(params, STREAM, 1)
    w = np.array(params.start)
    for t in range(params.epochs):
        theta, visited = w.copy(), []
        for k in range(params.inner_steps):
            step = t * params.inner_steps + k
            j = int(sets[step])
            eta = params.noise_scales[j] * noise[step, 0]
            theta[j] = theta[j] - d * params.step_sizes[j] * (LOGISTIC.gradient(theta)[j] + eta)
            visited.append(theta.copy())
        w = sum(visited[1:], visited[0]) / params.inner_steps
    assert np.array_equal(dp_skgd.reference(params, LOGISTIC, dp_skgd.Draws(noise, sets)).final, w)


def test_red_2_all_coordinates_are_dp_gd() -> None:
    """ALG-10: noisy gradient descent with averaging."""
    params = parameters(SAMPLERS["full"])
    noise, sets = dp_skgd.draw_inputs(params, STREAM, 2)
    w, gamma = np.array(params.start), np.array(params.step_sizes)
    for t in range(params.epochs):
        theta, total = w, np.zeros(4)
        for k in range(params.inner_steps):
            eta = params.noise_scales[0] * noise[t * params.inner_steps + k]
            theta = theta - gamma * (LOGISTIC.gradient(theta) + eta)
            total = total + theta
        w = total / params.inner_steps
    assert np.array_equal(dp_skgd.reference(params, LOGISTIC, dp_skgd.Draws(noise, sets)).final, w)


@pytest.mark.parametrize("sampler", SAMPLERS.values(), ids=SAMPLERS)
def test_red_3_without_noise_it_is_skgd(sampler: Sampler) -> None:
    """ALG-8 (Safaryan et al. 2021): theta - Gamma C grad f; with K = 1 the average is the iterate itself."""
    silent = (0.0,) * len(sampler.sets)
    params = parameters(sampler, epochs=9, inner_steps=1, noise_scales=silent)
    noise, sets = dp_skgd.draw_inputs(params, STREAM, 3)
    theta = np.array(params.start)
    for number in sets:
        sketch = np.zeros(4)
        sketch[list(sampler.sets[number])] = 1 / sampler.inclusion[list(sampler.sets[number])]
        theta = theta - np.array(params.step_sizes) * sketch * LOGISTIC.gradient(theta)
    assert dp_skgd.reference(params, LOGISTIC, dp_skgd.Draws(noise, sets)).final == pytest.approx(theta, abs=1e-15)


def test_the_average_leaves_theta_0_out_and_takes_theta_k_in() -> None:
    params = parameters(SAMPLERS["full"], epochs=1, inner_steps=3)
    run = dp_skgd.reference(params, LOGISTIC, dp_skgd.draw_inputs(params, STREAM, 4))
    theta, visited = np.array(params.start), []
    for released in run.transcript[:, 1:]:
        theta = theta - np.array(params.step_sizes) * released
        visited.append(theta)
    assert run.final == pytest.approx(np.mean(visited, axis=0), abs=1e-15)


def test_calls_are_counted_by_the_size_of_the_sets() -> None:
    params = parameters(SAMPLERS["table"])
    noise, sets = dp_skgd.draw_inputs(params, STREAM, 5)
    run = dp_skgd.reference(params, LOGISTIC, dp_skgd.Draws(noise, sets))
    assert run.calls["partial derivatives"] == sum(LOGISTIC.records * len(params.sampler.sets[s]) for s in sets)
    assert dp_skgd.noise_shape(params) == noise.shape == (12, 4)


def test_the_two_readings_of_the_noise() -> None:
    by_std = parameters(SAMPLERS["full"], noise_scales=(0.5,))
    by_variance = parameters(SAMPLERS["full"], noise_scales=(0.25,), noise_param="var")
    inputs = dp_skgd.draw_inputs(by_std, STREAM, 6)
    left, right = (dp_skgd.reference(p, LOGISTIC, inputs).transcript for p in (by_std, by_variance))
    assert np.array_equal(left, right)
    different = parameters(SAMPLERS["full"], noise_scales=(0.5,), noise_param="var")
    assert not np.allclose(dp_skgd.reference(different, LOGISTIC, inputs).transcript, left)


@pytest.mark.parametrize("case", VECTORS, ids=lambda c: str(c["variance"]))
def test_the_calibration_has_the_golden_values(case: dict[str, float]) -> None:
    given = {name: value for name, value in case.items() if name != "variance"}
    assert dp_skgd.calibrate(**given) ** 2 == pytest.approx(case["variance"], abs=5e-7)


def test_the_calibrated_run_is_eps_over_root_3_log_gdp() -> None:
    """mu = eps/sqrt(3 log(1/delta)), whatever K, T, L, n and the sampler (theorem 4.1 made exact)."""
    sampler = SAMPLERS["tau-nice"]
    bounds = LOGISTIC.lipschitz(sampler.sets)
    scales = tuple(dp_skgd.calibrate(bound, 4, 3, LOGISTIC.records, 1.0, 1e-5) for bound in bounds)
    promise = dp_skgd.promise(parameters(sampler, noise_scales=scales)).mechanism
    assert isinstance(promise, SelfComposed)
    assert isinstance(promise.mechanism, Gaussian)
    assert promise.count == 12
    assert np.sqrt(promise.count) / promise.mechanism.noise_multiplier == pytest.approx(0.170156, abs=1e-6)


def test_schedules_round_up_and_keep_the_real_numbers() -> None:
    convex = dp_skgd.convex_schedule(1000, 1.0, 1e-5, 2.0, 3.0)
    assert (convex.inner_steps_real, convex.inner_steps, convex.epochs) == (pytest.approx(196.4788, abs=1e-3), 197, 1)
    assert dp_skgd.convex_schedule(1, 0.1, 1e-5, 0.1, 3.0).inner_steps == 1
    strong = dp_skgd.strongly_convex_schedule(1000, 1.0, 1e-5, 5.0, 3.0, 0.1, 2.0)
    printed = dp_skgd.strongly_convex_schedule(1000, 1.0, 1e-5, 5.0, 3.0, 0.1, 2.0, inner_steps="main text")
    assert (strong.inner_steps, strong.inner_steps_real) == (42, pytest.approx(42.0))
    assert (printed.inner_steps, printed.inner_steps_real) == (12, pytest.approx(12.0))
    assert strong.epochs_real == printed.epochs_real == pytest.approx(np.log2(5e6 / (21 * 9 * np.log(1e5))))
    with pytest.raises(ConfigurationError, match="inner_steps must be one of 'appendix', 'main text', got 'both'"):
        dp_skgd.strongly_convex_schedule(1000, 1.0, 1e-5, 5.0, 3.0, 0.1, 2.0, inner_steps="both")


test_calibration_outside_the_theorem_is_refused = refused(
    lambda epsilon, delta: dp_skgd.calibrate(1.0, 1, 1, 10, epsilon, delta),
    ((1.5, 1e-5), "epsilon must be at most 1"),
    ((1.0, 0.4), "delta must be below 1/3"),
    ((0.0, 0.1), "epsilon must be above 0"),
)


def worst_case(sampler: Sampler, mu: float) -> tuple[Params, Problem, Problem]:
    """Section 4.5: opposite records a 1, all others 0; sigma_U makes the transcript exactly mu-GDP."""
    n, d = 8, sampler.dimension
    rows = np.zeros((n, d))
    rows[0] = 0.5
    pair = losses.linear(rows), losses.linear(-rows)
    bounds = pair[0].lipschitz(sampler.sets)
    scales = tuple(2 * bound / n * np.sqrt(10) / mu for bound in bounds)
    params = Params((0.0,) * d, (0.1,) * d, 2, 5, sampler, tuple(map(float, scales)), bounds, n)
    return params, *pair


@pytest.mark.deep(keep=1)
@pytest.mark.parametrize("name", ["full", "single uniform", "block", "tau-nice", "table"])
def test_the_log_likelihood_ratio_is_normal_as_the_theory_says(name: str) -> None:
    params, data, neighbour = worst_case(SAMPLERS[name], mu=1.0)
    for side, mean in ((data, 0.5), (neighbour, -0.5)):
        transcript = dp_skgd.cpu(params, side, Trials(STREAM.part(f"{name}/{mean}"), np.arange(30_000)))
        ratio = dp_skgd.transcript_log_likelihood_ratio(params, data, neighbour, transcript)
        assert stats.kstest(ratio, "norm", args=(mean, 1.0)).pvalue > 1e-6
    promise = dp_skgd.promise(params).mechanism
    assert isinstance(promise, SelfComposed)
    assert (promise.count, promise.mechanism) == (10, Gaussian(promise.mechanism.noise_multiplier))
    assert promise.mechanism.noise_multiplier == pytest.approx(np.sqrt(10), rel=1e-12)


@pytest.mark.parametrize("sampler", SAMPLERS.values(), ids=SAMPLERS)
def test_the_log_likelihood_ratio_is_the_ratio_of_densities(sampler: Sampler) -> None:
    """Against normal log-densities along the iterates of the reference, for a loss with memory of theta."""
    params = parameters(sampler)
    neighbour = losses.logistic(np.vstack([-FEATURES[:1], FEATURES[1:]]), LOGISTIC.labels)
    for trial in range(3):
        run = dp_skgd.reference(params, LOGISTIC, dp_skgd.draw_inputs(params, STREAM, trial))
        expected = 0.0
        for state, row in zip(run.states, run.transcript, strict=False):
            s, sigma = list(sampler.sets[int(row[0])]), params.deviations[int(row[0])]
            for sign, problem in ((1, LOGISTIC), (-1, neighbour)):
                means = problem.gradient(state[:4])[s]
                expected += sign * stats.norm.logpdf(row[1 : 1 + len(s)], means, sigma).sum()
        found = dp_skgd.transcript_log_likelihood_ratio(params, LOGISTIC, neighbour, run.transcript[None])
        assert found[0] == pytest.approx(expected, abs=1e-9)


def test_the_ratio_of_an_exact_release_is_refused() -> None:
    params = parameters(SAMPLERS["full"], noise_scales=(0.0,))
    with pytest.raises(ConfigurationError, match="likelihood ratio of an exact release"):
        dp_skgd.transcript_log_likelihood_ratio(params, LOGISTIC, LOGISTIC, np.zeros((1, 12, 5)))


def test_sets_of_the_compiled_run_have_their_probabilities() -> None:
    """Chi-square over 60,000 drawn sets."""
    params = parameters(SAMPLERS["table"])
    sets = dp_skgd.cpu(params, LOGISTIC, Trials(STREAM, np.arange(5_000)))[:, :, 0].astype(int)
    counts = np.bincount(sets.ravel(), minlength=3)
    assert stats.chisquare(counts, np.array([0.2, 0.5, 0.3]) * sets.size).pvalue > 1e-6


def test_a_trial_does_not_depend_on_its_batch() -> None:
    params = parameters(SAMPLERS["tau-nice"])
    batch = dp_skgd.cpu(params, LOGISTIC, Trials(STREAM, np.arange(50)))
    alone = dp_skgd.cpu(params, LOGISTIC, Trials(STREAM, np.array([31])))
    assert np.array_equal(batch[31], alone[0])


def test_coupled_runs_attain_the_sensitivity_and_never_exceed_it() -> None:
    ratios = coupled.coupled_sensitivity(STREAM, 301)
    assert ratios.shape == (301,)
    assert 1 - 1e-12 <= ratios.max() <= 1 + 1e-12
    assert 0.01 < ratios[151:].max() < 1, "the random pairs are strictly inside"


@pytest.mark.parametrize("tau", [1, 2])
def test_moments_on_quadratics_follow_their_exact_recursion(tau: int) -> None:
    """T-3 of the spec: theta' = (I - Gamma C H) theta + Gamma C mean - Gamma C eta with C random, in rationals.

    40,000 trials on numba and 20,000 on torch; 9 means and second moments each, |z| <= 6 by the central limit theorem.
    """
    sampler, d, steps = coordinates.tau_nice(3, tau), 3, 4
    curvature = [["1", "1/4", "0"], ["1/4", "3/4", "-1/8"], ["0", "-1/8", "1/2"]]
    mean, gamma, sigma = [Fraction(1, 2), Fraction(-1), Fraction(3, 4)], Fraction(1, 8), Fraction(1, 2)
    rate = gamma / Fraction(tau, d)
    maps, noise = [], [[Fraction(0)] * d for _ in range(d)]
    for chosen in sampler.sets:
        rows = [
            [Fraction(i == j) - (rate * Fraction(curvature[i][j]) if i in chosen else 0) for j in range(d)]
            for i in range(d)
        ]
        maps.append((matrix(rows), tuple(rate * mean[i] if i in chosen else Fraction(0) for i in range(d))))
        for i in chosen:
            noise[i][i] += (rate * sigma) ** 2 / len(sampler.sets)
    start = [Fraction(1, 2), Fraction(-1, 4), Fraction(1)]
    exact = Recursion(tuple(maps), matrix(noise)).run(start, steps)
    hessian = np.array([[float(Fraction(x)) for x in row] for row in curvature])
    problem = losses.quadratic_minus_linear(hessian, np.array([[float(x) for x in mean]]))
    params = Params(
        tuple(map(float, start)), (float(gamma),) * d, steps, 1, sampler, (0.5,) * len(sampler.sets),
        (1.0,) * len(sampler.sets), 1,
    )  # fmt: skip
    finals = (
        dp_skgd.cpu(params, problem, Trials(STREAM.part("moments"), np.arange(40_000)), "final"),
        dp_skgd.gpu(params, problem, Trials(STREAM.part("torch"), np.arange(20_000)), "final").numpy(),
    )
    for found in finals:
        for i in range(d):
            _near(found[:, i], exact.mean[i])
            for j in range(i, d):
                _near(found[:, i] * found[:, j], exact.second[i][j])


def _near(values: np.ndarray, expected: Fraction) -> None:
    z = (values.mean() - float(expected)) / (values.std() / np.sqrt(len(values)))
    assert abs(z) <= 6
