"""DP-SRM: the reductions of its specification, batches, the three forms, sensitivities of coupled runs."""

from __future__ import annotations

from dataclasses import replace
from itertools import combinations
from typing import Any

import numpy as np
import pytest
from scipy import stats

from dpaudit import problems
from dpaudit.algorithms import dp_srm
from dpaudit.algorithms.dp_srm import Params, Run
from dpaudit.errors import ConfigurationError
from dpaudit.mechanism import Composed, Gaussian, SelfComposed
from dpaudit.noise import Stream, Trials
from dpaudit.problems import Problem

RNG = np.random.default_rng(6)
FEATURES = RNG.normal(size=(7, 3))
FEATURES /= np.linalg.norm(FEATURES, axis=1, keepdims=True)
LOGISTIC = problems.logistic(FEATURES, np.array([1.0, -1, 1, -1, -1, 1, 1]))
HUBER = problems.huber(FEATURES, RNG.normal(size=7), 0.5)
STREAM = Stream(78, "tests/dp_srm")
PARAMS = Params((0.5, -0.5, 1.0), 8, 7, 4, 3, 0.3, 0.4, 2.0, 1.0, 1.0, 0.3, 0.2)


def run(params: Params, problem: Problem = LOGISTIC, trial: int = 0) -> tuple[Run, Any]:
    inputs = dp_srm.draw_inputs(params, STREAM, trial)
    return dp_srm.reference(params, problem, *inputs), inputs


def move(params: Params, v: np.ndarray) -> np.ndarray:
    """eta v with eta = min(zeta/(n0 L |v|), 1/(2 n0 L)), as printed."""
    scale = params.divisor * params.smoothness
    return min(params.accuracy / (scale * np.linalg.norm(v)), 1 / (2 * scale)) * v


@pytest.mark.parametrize("problem", [LOGISTIC, HUBER], ids=["logistic", "Huber"])
def test_numba_and_torch_repeat_every_trial_of_the_reference(problem: Problem) -> None:
    trials = Trials(STREAM, np.array([0, 5, 1 << 35]))
    runs = [run(PARAMS, problem, int(t))[0] for t in trials.numbers]
    transcripts, finals = np.stack([r.transcript for r in runs]), np.stack([r.final for r in runs])
    for release, expected in (("transcript", transcripts), ("final", finals)):
        assert dp_srm.cpu(PARAMS, problem, trials, release) == pytest.approx(expected, abs=1e-12)
        assert dp_srm.gpu(PARAMS, problem, trials, release).numpy() == pytest.approx(expected, abs=1e-12)
    assert 0 < np.mean([r.short for r in runs]) < 1, "both rates must occur"


def test_r1_without_memory_it_is_minibatch_dp_sgd() -> None:
    params = replace(PARAMS, momentum=1.0)
    found, (noise, batches, _) = run(params)
    theta = np.array(params.start)
    for t in range(params.steps):
        b = batches[t, : params.batch_at(t)]
        v = LOGISTIC.record_gradients(theta)[b].mean(axis=0) + params.noise_at(t) * noise[t]
        assert found.transcript[t] == pytest.approx(v, abs=1e-14)
        theta = theta - move(params, v)
    assert found.states[-1, 3:6] == pytest.approx(theta, abs=1e-14)


def test_r2_full_batches_without_memory_are_noisy_gradient_descent() -> None:
    params = replace(PARAMS, momentum=1.0, first_batch=7, batch=7)
    found, (noise, _, _) = run(params)
    theta = np.array(params.start)
    for t in range(params.steps):
        v = LOGISTIC.gradient(theta) + params.noise_at(t) * noise[t]
        assert found.transcript[t] == pytest.approx(v, abs=1e-14)
        theta = theta - move(params, v)


@pytest.mark.parametrize("momentum", [0.3, 1e-300], ids=["r3-storm", "r4-spider"])
def test_without_noise_it_is_the_recursion_of_storm_or_spider(momentum: float) -> None:
    params = replace(PARAMS, momentum=momentum, first_noise=0.0, noise=0.0)
    found, (_, batches, _) = run(params)
    theta = np.array(params.start)
    d_t = LOGISTIC.record_gradients(theta)[batches[0, :4]].mean(axis=0)
    for t in range(1, params.steps):
        previous, theta = theta, theta - move(params, d_t)
        at_both = (LOGISTIC.record_gradients(x)[batches[t, :3]].mean(axis=0) for x in (theta, previous))
        new, old = at_both
        d_t = new + (1 - momentum) * (d_t - old)
        assert found.transcript[t] == pytest.approx(d_t, abs=1e-14)


def test_r5_full_batches_without_noise_give_the_gradient() -> None:
    found, _ = run(replace(PARAMS, first_batch=7, batch=7, first_noise=0.0, noise=0.0))
    gradients = LOGISTIC.gradient(found.states[:-1, 3:6])
    assert found.transcript == pytest.approx(gradients, abs=1e-14)


def test_r6_one_step_returns_the_start() -> None:
    found, (noise, batches, chosen) = run(replace(PARAMS, steps=1))
    assert (found.final.tolist(), chosen) == (list(PARAMS.start), 0)
    expected = LOGISTIC.record_gradients(np.array(PARAMS.start))[batches[0, :4]].mean(axis=0) + 0.3 * noise[0]
    assert found.transcript[0] == pytest.approx(expected, abs=1e-15)


def test_r7_the_noise_identity() -> None:
    """e_t = (1 - gamma) e_{t-1} + (1 - gamma) D_t + gamma E_t + u_t with e_t = v_p^t - grad F(theta^t)."""
    found, (noise, batches, _) = run(PARAMS)
    keep = 1 - PARAMS.momentum
    for t in range(1, PARAMS.steps):
        previous, theta = found.states[t, :3], found.states[t, 3:6]
        b = batches[t, :3]
        deviation = [LOGISTIC.record_gradients(x)[b].mean(axis=0) - LOGISTIC.gradient(x) for x in (theta, previous)]
        before = found.transcript[t - 1] - LOGISTIC.gradient(previous)
        after = found.transcript[t] - LOGISTIC.gradient(theta)
        right = keep * before + keep * (deviation[0] - deviation[1]) + PARAMS.momentum * deviation[0]
        assert after == pytest.approx(right + PARAMS.noise * noise[t], abs=1e-14)


def test_steps_are_never_longer_than_zeta_over_n0_l() -> None:
    finals = np.stack([run(PARAMS, trial=t)[0].states for t in range(20)])
    lengths = np.linalg.norm(finals[:, 1:, 3:6] - finals[:, 1:, :3], axis=-1)
    assert lengths.max() <= PARAMS.longest * (1 + 1e-12)
    assert lengths.max() >= PARAMS.longest * (1 - 1e-12)


def test_a_zero_estimate_takes_the_short_rate() -> None:
    flat = problems.linear(np.zeros((7, 3)))
    silent = replace(PARAMS, first_noise=0.0, noise=0.0)
    found, _ = run(silent, flat)
    assert np.isfinite(found.states).all()
    assert found.short.all()
    assert dp_srm.iterates(silent, found.transcript).tolist() == [list(PARAMS.start)] * 9


def test_calls_are_counted() -> None:
    assert run(PARAMS)[0].gradients == 4 + 2 * 3 * 7
    assert dp_srm.noise_shape(PARAMS) == (8, 3)


def test_batches_are_uniform_subsets() -> None:
    """Chi-square over the 10 subsets of size 2 of 5 records; false alarm at most 1e-6."""
    params = Params((0.0,), 400, 5, 2, 2, 1.0, 1.0, 1.0, 1.0, 1.0, 1.0, 1.0)
    batches = np.sort(np.concatenate([dp_srm.draw_inputs(params, STREAM, t)[1] for t in range(10)]), axis=1)
    counts = [int((batches == pair).all(axis=1).sum()) for pair in combinations(range(5), 2)]
    assert sum(counts) == 4_000, "no record twice"
    assert stats.chisquare(counts).pvalue > 1e-6


def test_the_output_is_a_uniform_iterate() -> None:
    """Chi-square over the 8 indices; false alarm at most 1e-6."""
    chosen = [dp_srm.draw_inputs(replace(PARAMS, steps=8), STREAM, t)[2] for t in range(800)]
    assert stats.chisquare(np.bincount(chosen, minlength=8)).pvalue > 1e-6
    found, (_, _, index) = run(PARAMS)
    assert np.array_equal(found.final, found.states[index, 3:6])


def test_iterates_and_queries_follow_the_released_values() -> None:
    """With full batches the query plus the released past is what the shipped code computes before noise."""
    params = replace(PARAMS, first_batch=7, batch=7)
    found, (noise, _, _) = run(params)
    assert dp_srm.iterates(params, found.transcript) == pytest.approx(
        np.vstack([found.states[0, 3:6], found.states[1:, 3:6]]), abs=1e-13
    )
    before_noise = found.transcript - np.array([params.noise_at(t) for t in range(8)])[:, None] * noise
    past = np.vstack([np.zeros(3), (1 - params.momentum) * found.transcript[:-1]])
    assert dp_srm.queries(params, LOGISTIC, found.transcript) == pytest.approx(before_noise - past, abs=1e-13)


def test_the_coupled_difference_is_that_of_one_record() -> None:
    """(1/b)(a_i - a_i') with a = grad f(theta^t) - (1 - gamma) grad f(theta^{t-1}) (theorem 5.1, s7)."""
    neighbour = problems.logistic(np.vstack([-FEATURES[:1], FEATURES[1:]]), LOGISTIC.labels)
    transcript = dp_srm.cpu(PARAMS, LOGISTIC, Trials(STREAM, np.arange(200)))
    difference = dp_srm.coupled_difference(PARAMS, LOGISTIC, neighbour, transcript)
    points = dp_srm.iterates(PARAMS, transcript)[:, :-1]
    changed = LOGISTIC.record_gradients(points)[:, :, 0] - neighbour.record_gradients(points)[:, :, 0]
    expected = changed.copy()
    expected[:, 1:] -= (1 - PARAMS.momentum) * changed[:, :-1]
    expected[:, 0] /= PARAMS.first_batch
    expected[:, 1:] /= PARAMS.batch
    assert difference == pytest.approx(expected, abs=1e-13)
    first, later = dp_srm.sensitivities(PARAMS)
    assert (first, later) == (0.5, pytest.approx(2 * (0.7 * 0.2 + 0.3) / 3))
    sizes = np.linalg.norm(difference, axis=-1)
    assert sizes[:, 0].max() <= first
    assert sizes[:, 1:].max() <= later


def test_coupled_runs_attain_the_sensitivity_and_never_exceed_it() -> None:
    ratios = dp_srm.coupled_sensitivity(STREAM, 201)
    assert ratios.shape == (201,)
    assert 1 - 1e-12 <= ratios.max() <= 1 + 1e-12
    assert 0.05 < ratios[101:].max() < 1


def test_the_promise_composes_all_estimates() -> None:
    first, later = dp_srm.sensitivities(PARAMS)
    expected = Composed((Gaussian(0.3 / first), SelfComposed(Gaussian(0.2 / later), 7)))
    assert dp_srm.mechanism(PARAMS) == expected
    assert dp_srm.mechanism(replace(PARAMS, steps=1, noise=0.0)) == Gaussian(0.3 / first)


def test_wrong_sizes_are_refused() -> None:
    with pytest.raises(ConfigurationError, match="batch must be from 1 to 7, got 8"):
        replace(PARAMS, batch=8)
    with pytest.raises(ConfigurationError, match=r"momentum must be at most 1.0, got 1.5"):
        replace(PARAMS, momentum=1.5)
    with pytest.raises(ConfigurationError, match="7 records of 3 coordinates, the parameters say 9 of 3"):
        dp_srm.cpu(replace(PARAMS, records=9), LOGISTIC, Trials(STREAM, np.arange(2)))
