"""Accountant H of Noisy-ZOGD: golden values, the search, degenerate runs, and exact models that must stay below it.

Random frames are drawn with fixed seeds; where a bound may fail by an event of known probability the test counts
failures against a limit that a true bound exceeds with probability below 1e-6.
"""

from __future__ import annotations

import json
import math
from dataclasses import replace
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from dpaudit.algorithms.zeroth.accounting import public_states as accounting
from dpaudit.algorithms.zeroth.accounting.exact_models import linear_divergence, quadratic_rho
from dpaudit.algorithms.zeroth.accounting.hidden_state import best_window, hidden_states, last_iterate, window_at
from dpaudit.algorithms.zeroth.accounting.public_states import Setting
from dpaudit.algorithms.zeroth.accounting.shifts import cheapest_shifts, step_failure
from dpaudit.algorithms.zeroth.accounting.windows import PRINTED, SHARP, Bound, Reading
from dpaudit.records.errors import ConfigurationError
from dpaudit.records.mechanism import Concentrated, Constant, Gaussian
from dpaudit.records.privacy import View

VECTORS = json.loads((Path(__file__).parents[3] / "vectors" / "zeroth_accounting.json").read_text(encoding="utf-8"))
DISPLAY = Reading("printed", "display")
SMOOTH = "smooth and Lipschitz"
RUN = Setting(
    records=200,
    dimension=400,
    directions=120,
    steps=3000,
    step_size=120.0,
    noise=0.5,
    clip_norm=1.0,
    b_dir=0.5,
    radius=1.0,
    convexity=0.9,
)


def haar(rng: np.random.Generator, steps: int, dimension: int, directions: int) -> np.ndarray:
    """Uniform frames (T, d, K)."""
    frames, triangle = np.linalg.qr(rng.standard_normal((steps, dimension, directions)))
    return np.asarray(frames * np.sign(np.diagonal(triangle, axis1=1, axis2=2))[:, None, :])


@pytest.mark.parametrize("row", VECTORS["windows"])
def test_one_window_has_its_golden_value(row: dict[str, Any]) -> None:
    run = Setting(**{name: value for name, value in row.items() if name in Setting.__dataclass_fields__})
    printed = window_at(run, row["delta"], row["length"], row["slack"], PRINTED)
    assert printed.rho == pytest.approx(row["rho_printed"], rel=1e-10)
    assert printed.growth == pytest.approx(row["growth_printed"], rel=1e-12)
    assert printed.failure == pytest.approx(row["failure_printed"], rel=1e-10)
    sharp = window_at(run, row["delta"], row["length"], row["slack"])
    assert sharp.rho <= printed.rho
    if sharp.failure > 0:  # else it is the composition, without any contraction
        assert sharp.growth == pytest.approx(row["growth_sharp"], rel=1e-11)
    by_step = window_at(
        replace(run, b_dir=(run.b_dir,) * run.steps), row["delta"], row["length"], row["slack"], PRINTED
    )
    assert by_step.rho == pytest.approx(printed.rho, rel=1e-10)


def sharp_by_hand(run: Setting, length: int, slack: float) -> float:
    """rho of one window with c1, c2, Z as the module states them and a brute sum over the steps."""
    c, share = run.constant, run.directions / run.dimension
    growth = math.sqrt(1 - max(0.0, 1 - slack) * share + c * c * min(1.0, (1 + slack) * share))
    root, scale = math.sqrt(run.directions), run.step_size / run.directions
    change = min(2 * root * run.clip_norm, 2 * run.clip_norm + root * run.smoothness * run.perturbation)
    distance = min(2 * run.radius, scale * change * (run.steps - length))
    offset = run.step_size * run.smoothness * run.perturbation / root
    moved, energy = scale * change / run.records, (run.step_size * run.noise) ** 2
    along, across = energy * run.b_dir / run.directions, energy * (1 - run.b_dir) / run.dimension
    total = 0.0
    for shift in cheapest_shifts(distance, growth, offset, np.ones(length)):
        part = np.linspace(0.0, shift, 2001)  # of the shift, inside the span
        total += np.max((part + moved) ** 2 / (along + across) + (shift**2 - part**2) / across) / 2
    return float(total)


@pytest.mark.parametrize(("length", "slack"), [(1, 0.4), (17, 0.7), (300, 0.2), (900, 1.4)])
def test_sharp_windows_are_the_sum_of_the_worst_moves_of_their_steps(length: int, slack: float) -> None:
    for b_dir in (0.0, 0.5, 0.98):
        found = window_at(replace(RUN, b_dir=b_dir), 1e-5, length, slack).rho
        worst = sharp_by_hand(replace(RUN, b_dir=b_dir), length, slack)
        assert worst * (1 - 1e-5) <= found <= worst * 1.03  # above where only some steps have the joint cost
    run = replace(RUN, perturbation=1e-4)
    assert window_at(run, 1e-5, length, slack).rho <= sharp_by_hand(run, length, slack) * 1.2


@pytest.mark.parametrize("reading", [SHARP, PRINTED, Reading("printed", delta_split="half"), Reading(free_split=True)])
def test_the_search_finds_what_a_dense_grid_finds(reading: Reading) -> None:
    best = best_window(RUN, 1e-5, reading)
    grid = [
        window_at(RUN, 1e-5, length, slack, reading).epsilon
        for length in (*range(20, 400, 10), *range(400, 3000, 100))
        for slack in np.linspace(0.3, 1.2, 46)
    ]
    assert best.epsilon <= min(grid) * 1.002
    assert best.epsilon == window_at(RUN, 1e-5, best.length, best.slack, reading).epsilon


def test_the_best_split_is_the_formula_of_the_theorem() -> None:
    """alpha N (sqrt A + sqrt B)^2/sigma^2 at sqrt A/(sqrt A + sqrt B)."""
    found = window_at(RUN, 1e-5, 100, 0.8, Reading("printed", free_split=True))
    fixed = [window_at(replace(RUN, b_dir=b), 1e-5, 100, 0.8, PRINTED).rho for b in np.linspace(0.02, 0.98, 97)]
    assert min(fixed) * (1 - 1e-3) <= found.rho <= min(fixed)
    data = (2 / 200) ** 2 / 2
    shift = window_at(replace(RUN, b_dir=0.5), 1e-5, 100, 0.8, PRINTED).rho * 0.5**2 / 100 / 2 - data
    assert found.rho == pytest.approx(100 * (math.sqrt(data) + math.sqrt(shift)) ** 2 / 0.5**2, rel=1e-9)
    assert found.b_dir == pytest.approx(math.sqrt(data) / (math.sqrt(data) + math.sqrt(shift)), rel=1e-9)


def test_the_account_is_data_and_is_never_above_composition() -> None:
    for steps in (1, 5, 200, 3000, 10**6):
        run = replace(RUN, steps=steps)
        account, public = hidden_states(run, 1e-5), accounting.public_states(run, 1e-5, SMOOTH)
        assert account.rho <= public.rho * (1 + 1e-9) or account.epsilon <= public.epsilon
        assert account.epsilon <= account.printed_epsilon
        assert account.epsilon == accounting.gaussian_bound(account.rho, 1e-5, account.failure)
        assert account.promise.view is View.HIDDEN_STATE
        expected = Concentrated(account.rho, account.failure)
        assert account.promise.mechanism in (expected, Gaussian(1 / math.sqrt(2 * account.rho)))
        assert last_iterate(run, 1e-5).epsilon <= min(account.epsilon, public.epsilon)
    assert account.promise.source.endswith("; needs A1 on B_(R + xi), A2 on B_(R + xi), A4")
    assert account.assumes == ("A1 on B_(R + xi)", "A2 on B_(R + xi)", "A4")
    assert account.failure > 0


def test_the_bound_saturates_and_falls_with_noise_records_and_directions() -> None:
    ends = [hidden_states(replace(RUN, steps=steps), 1e-5).epsilon for steps in (10**5, 10**7, 10**9)]
    assert max(ends) <= min(ends) * 1.01
    for changes in ([{"noise": s} for s in (0.1, 0.5, 2.0)], [{"records": n} for n in (50, 200, 800)]):
        costs = [hidden_states(replace(RUN, steps=10**7, **change), 1e-5).epsilon for change in changes]
        assert costs == sorted(costs, reverse=True)
    by_size = [replace(RUN, steps=10**7, directions=k, step_size=float(k)) for k in (60, 120, 200)]
    for account in (lambda run: hidden_states(run, 1e-5).epsilon, lambda run: best_window(run, 1e-5, PRINTED).epsilon):
        costs = [account(run) for run in by_size]
        assert costs == sorted(costs, reverse=True)


def test_the_failure_of_a_window_is_that_of_its_steps() -> None:
    single = step_failure(400, 120, 0.5, "beta")
    assert window_at(RUN, 1e-5, 100, 0.5).failure == pytest.approx(1 - (1 - single) ** 100, rel=1e-9)
    assert window_at(RUN, 1e-5, 100, 0.5, PRINTED).failure == min(1.0, 100 * step_failure(400, 120, 0.5))
    assert window_at(RUN, 1e-5, RUN.steps, 0.5).failure == 0


def test_degenerate_runs() -> None:
    nothing = hidden_states(replace(RUN, steps=0), 1e-5)
    assert (nothing.rho, nothing.epsilon, nothing.promise.mechanism) == (0.0, 0.0, Constant())
    whole = hidden_states(replace(RUN, directions=400, step_size=400.0), 1e-5)
    assert whole.printed_epsilon == math.inf  # the theorem needs d >= 2K
    assert whole.failure == 0
    assert 0 < whole.epsilon < hidden_states(RUN, 1e-5).epsilon
    half = hidden_states(replace(RUN, directions=200, step_size=200.0), 1e-5)
    assert half.epsilon < half.printed_epsilon < math.inf
    single = replace(RUN, directions=1, step_size=1.0, steps=50)
    assert hidden_states(single, 1e-5).rho == pytest.approx(accounting.public_states(single, 1e-5, SMOOTH).rho)
    for convexity, constant in ((1.0, 0.0), (0.0, 1.0), (None, 2.0)):
        run = replace(RUN, convexity=convexity)
        assert run.constant == constant
        assert 0 < hidden_states(run, 1e-5).epsilon < math.inf
    unbounded = replace(RUN, radius=math.inf)
    assert hidden_states(unbounded, 1e-5).epsilon <= accounting.public_states(unbounded, 1e-5, SMOOTH).epsilon
    only = replace(RUN, b_dir=1.0, steps=40)
    assert hidden_states(only, 1e-5).rho == pytest.approx(accounting.public_states(only, 1e-5, SMOOTH).rho)
    assert best_window(only, 1e-5, PRINTED).rho == pytest.approx(40 * (2 / 200) ** 2 / (2 * 0.25))
    isotropic = replace(RUN, b_dir=0.0)
    assert hidden_states(isotropic, 1e-5).epsilon < math.inf
    assert best_window(isotropic, 1e-5, PRINTED).epsilon == math.inf


def test_with_xi_the_printed_theorem_cannot_give_composition_but_the_coupling_does() -> None:
    """(33) takes b_dir = 1 and a_t = 0, while the recursion asks for a_t >= c2 > 0."""
    run = replace(RUN, b_dir=1.0, steps=40, perturbation=1e-6)
    assert best_window(run, 1e-5, PRINTED).epsilon == math.inf
    assert hidden_states(run, 1e-5).rho == pytest.approx(accounting.public_states(run, 1e-5, SMOOTH).rho)


def test_splits_that_change_from_step_to_step() -> None:
    run = replace(RUN, steps=60, noise=2.0, radius=0.002)
    for b_dir in (0.5, 0.9):
        same = best_window(replace(run, b_dir=(b_dir,) * 60), 1e-5)
        single = best_window(replace(run, b_dir=b_dir), 1e-5)
        assert same.epsilon >= single.epsilon * (1 - 1e-9)
        assert same.b_dir is None
        at = window_at(replace(run, b_dir=(b_dir,) * 60), 1e-5, 20, 0.7).rho
        assert at == pytest.approx(window_at(replace(run, b_dir=b_dir), 1e-5, 20, 0.7).rho, rel=1e-9)
    mixed = window_at(replace(run, b_dir=(0.9,) * 30 + (0.5,) * 30), 1e-5, 40, 0.7).rho
    ends = [window_at(replace(run, b_dir=b), 1e-5, 40, 0.7).rho for b in (0.5, 0.9)]
    assert min(ends) * 0.5 < mixed < max(ends)
    late = window_at(replace(run, b_dir=(0.9,) * 30 + (0.5,) * 30), 1e-5, 30, 0.7).rho
    assert late == pytest.approx(window_at(replace(run, b_dir=0.5), 1e-5, 30, 0.7).rho, rel=1e-9)
    blocked = window_at(replace(run, b_dir=(1.0,) * 60), 1e-5, 20, 0.7)
    assert blocked.epsilon == math.inf
    assert window_at(replace(run, b_dir=(1.0,) * 60), 1e-5, 60, 0.7).epsilon < math.inf


def test_the_display_leaves_the_last_shift_out_of_the_sum() -> None:
    """Any window then costs its directional part alone, so that one step is the best: no dependence on T, R or d."""
    for steps in (2, 50, 10**6):
        best = best_window(replace(RUN, steps=steps), 1e-5, DISPLAY)
        assert best.length == 1
        assert best.rho == pytest.approx((2 / 200) ** 2 / (2 * 0.5 * 0.5**2))


def test_the_display_is_refuted_by_linear_records_whose_law_is_exact() -> None:
    """d = 2, K = 1, n = 1, sigma = 1, Delta = 0.2, T = 5: D_2 of <w_T, v> is 2 x 0.2053, the display gives 2 x 0.16."""
    run = Setting(1, 2, 1, 5, 1.0, 1.0, 0.2, b_dir=0.5, smoothness=0.0, convexity=0.0)
    exact = linear_divergence(run, 2.0) / 2
    assert exact == pytest.approx(0.2053, abs=1e-4)
    assert best_window(run, 1e-5, DISPLAY).rho == pytest.approx(0.16)
    assert best_window(run, 1e-5, PRINTED).rho == pytest.approx(5 * 0.16)
    assert linear_divergence(replace(run, steps=40), 2.0) / 2 > 10 * best_window(run, 1e-5, DISPLAY).rho


@pytest.mark.deep
@pytest.mark.parametrize("order", [1.5, 2.0, 6.0])
def test_linear_records_stay_below_the_bounds(order: float) -> None:
    for d, k in ((2, 1), (6, 3), (12, 2)):
        for steps in (1, 25):
            run = Setting(3, d, k, steps, 1.0, 1.0, 0.6, b_dir=0.3, smoothness=0.0, convexity=0.0)
            exact = linear_divergence(run, order)
            assert 0 < exact <= order * hidden_states(run, 1e-3).rho
            assert hidden_states(run, 1e-3).rho < best_window(run, 1e-3, PRINTED).rho


def test_the_law_of_linear_records_is_right_for_one_step() -> None:
    """Against a direct sum over the angle of a mixture of Gaussians, d = 2, K = 1."""
    run = Setting(1, 2, 1, 1, 1.0, 0.7, 0.5, b_dir=0.4, smoothness=0.0, convexity=0.0)
    angles = (np.arange(400) + 0.5) * np.pi / 400
    points = np.linspace(-8, 8, 4001)
    share = np.cos(angles) ** 2
    variance = 0.49 * (0.4 * share + 0.6 / 2)
    density = np.mean(np.exp(-((points[:, None] + 0.5 * share) ** 2) / (2 * variance)) / np.sqrt(variance), axis=1)
    density /= density.sum()
    direct = math.log(np.sum(density**2 / density[::-1]))
    assert 0.9998 * direct <= linear_divergence(run, 2.0) <= direct * (1 + 1e-6)


@pytest.mark.parametrize("curvature", [0.1, 0.6, 1.0])
def test_quadratic_records_stay_below_every_window(curvature: float) -> None:
    """Isotropic quadratics contract for every frame and pair; sharp windows come within a factor 2 of the exact law."""
    rng, (d, k, n) = np.random.default_rng(7), (16, 8, 2)
    difference = rng.standard_normal(d)
    difference /= np.linalg.norm(difference)
    closest = 0.0
    for steps in (1, 3, 12, 30):
        run = Setting(n, d, k, steps, 8.0, 1.0, curvature / 2, b_dir=0.5, smoothness=curvature, convexity=curvature)
        exact = [quadratic_rho(run, curvature * np.eye(d), difference, haar(rng, steps, d, k)) for _ in range(60)]
        for length in {1, max(1, steps // 3), steps}:
            # e = 1: on frames that keep every pair within c1 = sqrt(1 + c^2 (2K/d)) >= 1, which these quadratics all do
            for reading in (SHARP, PRINTED):
                rho = window_at(run, 0.5, length, 1.0, reading).rho
                assert max(exact) <= rho
                closest = max(closest, max(exact) / rho)
    assert closest > 0.5


def test_anisotropic_quadratics_fail_no_more_often_than_the_event_allows() -> None:
    """c1 < 1 although no frame contracts all pairs: the bound holds for the pairs that the coupling meets.

    Per window N the number of frame sequences above the bound must not exceed a binomial limit at chance 1e-7.
    """
    rng, (d, k, n, steps) = np.random.default_rng(8), (40, 20, 2, 12)
    hessian = np.diag(np.linspace(0.7, 1.0, d))
    difference = rng.standard_normal(d)
    difference /= np.linalg.norm(difference)
    run = Setting(n, d, k, steps, 20.0, 1.0, 0.5, b_dir=0.5, smoothness=1.0, convexity=0.7)
    exact = np.array([quadratic_rho(run, hessian, difference, haar(rng, steps, d, k)) for _ in range(200)])
    expanding = [np.linalg.norm(np.eye(d) - u @ u.T @ hessian, 2) for u in haar(rng, 20, d, k)]
    for length, slack in ((2, 0.5), (4, 0.6), (12, 0.6)):
        found = window_at(run, 0.5, length, slack)
        if length < steps:
            assert found.growth < 1 < min(expanding)
        limit = 200 * found.failure + 5.3 * math.sqrt(200 * found.failure) + 10
        assert np.sum(exact > found.rho) <= limit


def test_adaptive_shifts_give_the_bound_in_a_model_where_the_data_move_with_the_state() -> None:
    """Step s of the printed proof takes the noise as Gaussian given later releases; the coupling does not need it.

    One dimension, K = d = 1, two steps: psi(w) = (1 - h) w for D and (1 - h) w + s tanh(w) for D', so that the
    change of the mean depends on the state. The divergence of w_2 by quadrature stays below the composition.
    """
    grid = np.linspace(-9, 9, 3601)
    width, h, s, sd = grid[1] - grid[0], 0.4, 0.5, 0.6

    def run(change: float) -> np.ndarray:
        law = np.exp(-((grid - 0.6 - change * math.tanh(1.0)) ** 2) / (2 * sd**2))
        law /= law.sum() * width
        mean = (1 - h) * grid + change * np.tanh(grid)
        kernel = np.exp(-((grid[:, None] - mean) ** 2) / (2 * sd**2)) / math.sqrt(2 * math.pi * sd**2)
        return np.asarray(kernel @ law * width)

    p, q = run(0.0), run(s)
    kept = (p > 1e-14) & (q > 1e-14)
    for order in (1.5, 3.0):
        exact = math.log(np.sum(p[kept] ** order * q[kept] ** (1 - order)) * width) / (order - 1)
        bound = order * 2 * s**2 / (2 * sd**2)
        assert 0.1 * bound < exact <= bound


def test_readings_and_errors() -> None:
    half = best_window(RUN, 1e-5, Reading("printed", delta_split="half"))
    assert half.failure <= 5e-6
    assert half.epsilon >= best_window(RUN, 1e-5, PRINTED).epsilon
    exact = best_window(RUN, 1e-5, Reading("printed", tails="beta"))
    assert exact.epsilon < best_window(RUN, 1e-5, PRINTED).epsilon
    assert best_window(replace(RUN, perturbation=1e-3), 1e-5, Reading("printed", tails="smaller")).epsilon == math.inf
    assert best_window(RUN, 1e-5, Reading("printed", tails="smaller")).length == RUN.steps  # tau = 0 needs no event
    with pytest.raises(ConfigurationError, match="index_convention 'display' is false"):
        Reading("sharp", "display")
    with pytest.raises(ConfigurationError, match="tails must be one of 'both', 'smaller', 'beta', got 'one'"):
        Reading("printed", tails="one")
    with pytest.raises(ConfigurationError, match="length must be from 1 to 3000, got 3001"):
        window_at(RUN, 1e-5, 3001, 0.5)
    with pytest.raises(ConfigurationError, match=r"directions must be at most half the dimension 400.*got 300"):
        best_window(replace(RUN, directions=300), 1e-5, PRINTED)
    with pytest.raises(ConfigurationError, match=r"frames must have shape \(3000, 400, 120\)"):
        quadratic_rho(RUN, np.eye(400), np.ones(400), np.ones((1, 400, 120)))
    with pytest.raises(ConfigurationError, match="K < d and radius = inf"):
        linear_divergence(RUN, 2.0)
    assert Bound(RUN, 1e-5, SHARP).slacks(4)[-1] == math.inf
