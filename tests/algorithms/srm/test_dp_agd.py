"""DP-AGD: the forms, the budget, the laws of its gradients and choices, sensitivity, promise, counts, errors.

Statistical tests: false alarm at most 1e-6 each.
"""

from __future__ import annotations

import math
from dataclasses import replace
from fractions import Fraction
from functools import partial
from typing import Any

import numpy as np
import pytest
from laws import assert_gaussian
from refusals import refused
from scipy import stats
from three_forms import fast_forms

from dpaudit.algorithms.srm import dp_agd
from dpaudit.algorithms.srm.dp_agd import Params
from dpaudit.arithmetic.tracked import Tracked, track
from dpaudit.noise.stream import Stream, Trials
from dpaudit.problems import losses
from dpaudit.records.errors import ConfigurationError
from dpaudit.records.mechanism import Concentrated
from dpaudit.records.privacy import Neighbours, View

STREAM = Stream(81, "tests/dp_agd")
RNG = np.random.default_rng(11)
FEATURES = RNG.normal(size=(6, 3))
ROUGH = losses.nonconvex_logistic(FEATURES, np.array([1.0, -1, 1, -1, -1, 1]), 0.1)
PARAMS = Params((0.5, -0.5, 1.0), (0.0, 0.1, 0.4), 1.2, 0.9, 2.0, 0.13, 0.07, 0.5)


def run(params: Params, problem: Any = ROUGH, trial: int = 0) -> Any:
    return dp_agd.reference(params, problem, dp_agd.draw_inputs(params, STREAM, trial))


def spends(params: Params, run: Any) -> list[Fraction]:
    """Every budget that a run spends, from what it did: a gradient or a growth, then a choice."""
    level, found = 0, []
    for done in run.branches[:, 0]:
        if done % dp_agd.UNCHOSEN == dp_agd.FRESH:
            found.append(Fraction(params.levels[level]))
        elif done % dp_agd.UNCHOSEN == dp_agd.REFINE:
            found.append(Fraction(params.levels[level + 1]) - Fraction(params.levels[level]))
            level += 1
        if done < dp_agd.UNCHOSEN:
            found.append(Fraction(params.choice_rho))
    return found


@pytest.mark.deep
def test_numba_and_torch_repeat_every_trial_of_the_reference() -> None:
    trials = Trials(STREAM, np.array([0, 1, 2, 3, 1 << 35]))
    runs = [run(PARAMS, trial=int(t)) for t in trials.numbers]
    done = np.unique([r.branches[:, 0] for r in runs])
    assert {dp_agd.FRESH, dp_agd.REFINE, dp_agd.STOPPED + dp_agd.UNCHOSEN} <= set(done.tolist())
    for release, expected in (("transcript", [r.transcript for r in runs]), ("final", [r.final for r in runs])):
        for found in fast_forms(dp_agd, PARAMS, ROUGH, trials, release):
            assert found == pytest.approx(np.stack(expected), abs=1e-12)


# The budget. ---------------------------------------------------------------------------------------


@pytest.mark.parametrize("growth", [0.05, 0.5, 3.0])
def test_no_run_spends_more_than_its_budget_and_none_stops_early(growth: float) -> None:
    params = replace(PARAMS, growth=growth)
    for trial in range(10):
        found = run(params, trial=trial)
        total, budget = sum(spends(params, found)), Fraction(params.total_rho)
        assert total <= budget * (1 + Fraction(2 * params.steps, dp_agd.GRAINS))
        kept = budget - total
        level = int((found.branches[:, 0] % dp_agd.UNCHOSEN == dp_agd.REFINE).sum())
        last = found.branches[found.branches[:, 0] != dp_agd.STOPPED + dp_agd.UNCHOSEN][-1, 0]
        if last >= dp_agd.UNCHOSEN:
            assert kept < Fraction(params.choice_rho)
        elif found.branches[-1, 0] >= dp_agd.UNCHOSEN:
            wanted = params.levels[level]
            refined = [found.branches[i, 2] for i in range(params.steps) if found.branches[i, 0] < dp_agd.UNCHOSEN]
            if params.candidates[refined[-1]] == 0:
                wanted = params.levels[level + 1] - params.levels[level]
            assert kept < Fraction(wanted)


def test_a_budget_that_divides_evenly_is_spent_to_the_end() -> None:
    """10 times 0.07 + 0.03, where sums of floats would miss the last one."""
    params = replace(PARAMS, candidates=(0.0, 0.1), total_rho=1.0, gradient_rho=0.07, choice_rho=0.03, growth=1.0)
    found = dp_agd.reference(params, losses.linear(np.zeros((6, 3))), eager(params))
    assert (found.branches[:, 0] == dp_agd.FRESH).sum() == 10
    assert params.steps == 11


def eager(params: Params) -> dp_agd.Draws:
    """Draws under which the last candidate is chosen always: its Laplace noise is far below the others'."""
    tails = np.full((params.steps, len(params.candidates)), -1e-12)
    tails[:, -1] = 1e-12
    return dp_agd.Draws(np.ones((params.steps, len(params.start))), tails)


def test_growth_refines_the_same_gradient() -> None:
    """0 chosen always: one gradient is computed, and the average of copies weighs them by their budgets."""
    params = replace(PARAMS, candidates=(0.1, 0.0))
    draws = eager(params)._replace(noise=RNG.normal(size=(params.steps, 3)))
    found = dp_agd.reference(params, ROUGH, draws)
    assert found.calls["gradients"] == 6
    assert np.array_equal(found.final, params.start)
    copies = found.transcript[: len([w for w in found.branches[:, 0] if w != 12]), :3]
    budgets = np.diff([0.0, *params.levels[: len(copies)]])
    for t in range(len(copies)):
        average = (budgets[: t + 1, None] * copies[: t + 1]).sum(axis=0) / params.levels[t]
        assert found.states[t + 1, 6:9] == pytest.approx(average, rel=1e-13)


def test_calls_are_counted() -> None:
    found = run(PARAMS)
    fresh = int((found.branches[:, 0] % 10 == 0).sum())
    chosen = int((found.branches[:, 2] >= 0).sum())
    assert found.calls == dp_agd.calls(PARAMS, dp_agd.draw_inputs(PARAMS, STREAM, 0), found.branches, 6)
    assert found.calls == {"gradients": 6 * fresh, "values": 6 * 3 * chosen}
    assert dp_agd.noise_shape(PARAMS) == (PARAMS.steps, 6)


# Laws. ---------------------------------------------------------------------------------------------


@pytest.mark.deep
def test_noisy_gradients_have_the_variance_of_their_budget() -> None:
    """Values clipped alike at both candidates leave the choice to chance alone, so that copies and averages are normal
    given what was done; linear losses have one gradient everywhere. A fresh copy: C^2/(2 rho_ng), a copy for growth:
    C^2/(2 (new - old)), their average: C^2/(2 new)."""
    problem = losses.linear(0.1 * FEATURES)
    params = replace(PARAMS, candidates=(0.0, 1e-9), value_clip=1e-12, gradient_rho=0.2, choice_rho=0.2)
    total = 0.1 * FEATURES.sum(axis=0)
    for found in fast_forms(dp_agd, params, problem, Trials(STREAM, np.arange(6_000)), "transcript"):
        chosen, copies = found[:, :, 3], found[:, :, :3]
        assert_gaussian(copies[:, 0], total, 1.44 / 0.4 * np.eye(3))
        refined, moved = chosen[:, 0] == 0, chosen[:, 0] == 1
        assert 2_000 < refined.sum() < 4_000
        assert_gaussian(copies[refined, 1], total, 1.44 / (2 * 0.1) * np.eye(3))
        assert_gaussian((copies[refined, 0] + 0.5 * copies[refined, 1]) / 1.5, total, 1.44 / 0.6 * np.eye(3))
        assert_gaussian(copies[moved, 1], total, 1.44 / 0.4 * np.eye(3))


def test_choices_have_the_law_of_the_noisy_minimum() -> None:
    """Two candidates whose clipped values differ by x scales: the worse one wins with probability (2 + x) e^{-x}/4
    (a difference of two Laplace numbers); exact binomial test."""
    problem = losses.linear(np.tile([1.0, 0.0, 0.0], (6, 1)))
    params = replace(
        PARAMS, start=(1.0, 0.0, 0.0), candidates=(0.0, 0.5), value_clip=0.6, gradient_clip=9.0, gradient_rho=1e4,
        choice_rho=0.5, total_rho=2e4,
    )  # fmt: skip
    # The direction is (1, 0, 0) within 0.1; every value is 1 at the start, clipped to 0.6, and 0.5 at the other point.
    gap = 6 * (0.6 - 0.5) / params.choice_scale
    assert gap == pytest.approx(1.0)
    for found in fast_forms(dp_agd, params, problem, Trials(STREAM, np.arange(20_000)), "transcript"):
        count = int((found[:, 0, 3] == 0).sum())
        assert stats.binomtest(count, 20_000, (2 + gap) * math.exp(-gap) / 4).pvalue > 1e-6


def test_the_worse_candidate_gains_at_most_the_stated_epsilon() -> None:
    """The extreme monotone change moves the gap by C_obj: the odds of a choice change by at most sqrt(2 rho_nmax)."""

    def worse(x: float) -> float:
        return (2 + x) * math.exp(-x) / 4 if x >= 0 else 1 - (2 - x) * math.exp(x) / 4

    epsilon = math.sqrt(2 * PARAMS.choice_rho)
    shift = PARAMS.value_clip / PARAMS.choice_scale
    assert shift == pytest.approx(epsilon)
    ratios = [math.log(worse(x) / worse(x + shift)) for x in np.linspace(-30, 600, 4_000)]
    assert 0.99 * epsilon < max(ratios) <= epsilon


# Sensitivity and promise. --------------------------------------------------------------------------


def test_adding_a_record_moves_the_gradient_by_c_grad_and_raises_all_values() -> None:
    params = replace(PARAMS, noise_factor=0.0)
    long = losses.linear(np.vstack([FEATURES, [[5.0, 0.0, 0.0]]]))
    here, there = (run(params, problem) for problem in (long, losses.linear(FEATURES)))
    change = here.transcript[0, :3] - there.transcript[0, :3]
    assert np.linalg.norm(change) == pytest.approx(params.gradient_clip, rel=1e-12)
    points = RNG.normal(size=(50, 3))
    values = np.clip(long.record_values(points), 0.0, params.value_clip)[:, 6]
    assert (values.min(), values.max()) == (0.0, params.value_clip)


def test_it_promises_the_budget() -> None:
    promise = dp_agd.promise(PARAMS)
    assert isinstance(promise.mechanism, Concentrated)
    assert 2.0 < promise.mechanism.rho < 2.0 * (1 + 1e-10)
    assert (promise.neighbours, promise.view) == (Neighbours.ADD_OR_REMOVE, View.TRANSCRIPT)
    halved = dp_agd.promise(replace(PARAMS, noise_factor=0.5)).mechanism
    assert halved.rho == pytest.approx(8.0)
    with pytest.raises(ConfigurationError, match="noise_factor is 0"):
        dp_agd.promise(replace(PARAMS, noise_factor=0.0))


@pytest.mark.parametrize(("epsilon", "delta"), [(0.2, 1e-5), (7.0, 1e-3), (1e-9, 1e-5)])
def test_the_budget_of_an_epsilon_and_delta(epsilon: float, delta: float) -> None:
    rho = dp_agd.total_rho(epsilon, delta)
    assert rho + 2 * math.sqrt(rho * math.log(1 / delta)) == pytest.approx(epsilon, rel=1e-12)


# Near-ties and errors. -----------------------------------------------------------------------------


def test_a_choice_that_rounding_may_turn_has_a_bound_that_covers_both() -> None:
    """Equal values and equal noise but for one part in 10^9: decided in float64, not in float32."""
    params = replace(PARAMS, candidates=(0.0, 0.5), value_clip=1e-9)
    problem = losses.linear(np.zeros((6, 3)))
    tails = np.tile([0.5, 0.5 * (1 + 1e-9)], (params.steps, 1))
    state = track(np.concatenate([params.start, np.zeros(10)]))
    taken = dp_agd.step(params, problem, state, 0, dp_agd.Draws(track(np.ones(3)), track(tails[0])))
    assert isinstance(taken.state, Tracked)
    assert (taken.state.errors[:3] * 2.0**-53 > 0.2).all(), "the iterate may be the other one"
    _, (chosen, gap) = taken.branches[1], taken.branches[2]
    assert chosen == 0
    assert gap.errors * 2.0**-24 > abs(gap.values)
    plain = dp_agd.step(params, problem, state.values, 0, dp_agd.Draws(np.ones(3), tails[0]))
    assert np.array_equal(plain.state, taken.state.values)


test_wrong_parameters_are_refused = refused(
    partial(replace, PARAMS),
    ({"candidates": (0.1, 0.2)}, "candidates must contain 0"),
    ({"candidates": (0.0,)}, "candidates must contain 0, which asks for a better gradient, and a step size"),
    ({"candidates": (0.0, -0.1)}, r"candidates\[1\] must be at least 0"),
    ({"total_rho": 0.19}, r"total_rho must cover one gradient and one choice, 0.13 \+ 0.07, got 0.19"),
    ({"growth": 0.0}, "growth must be above 0"),
    ({"choice_rho": 1e-7, "growth": 1e-6}, "total_rho allows [0-9]+ steps, more than 1000000"),
    ({"noise_factor": -1.0}, "noise_factor must be at least 0"),
)


@pytest.mark.parametrize(("epsilon", "delta"), [(0.0, 0.1), (1.0, 0.0), (1.0, 1.0)])
def test_a_budget_of_no_guarantee_is_refused(epsilon: float, delta: float) -> None:
    with pytest.raises(ConfigurationError, match=r"epsilon|delta"):
        dp_agd.total_rho(epsilon, delta)


def test_a_problem_of_another_dimension_is_refused() -> None:
    with pytest.raises(ConfigurationError, match="the problem has 3 coordinates, the parameters say 2"):
        dp_agd.cpu(replace(PARAMS, start=(0.0, 0.0)), ROUGH, Trials(STREAM, np.arange(2)))
