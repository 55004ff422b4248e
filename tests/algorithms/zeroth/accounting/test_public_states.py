"""Accountants P and O of Noisy-ZOGD, and the ingredients of H: golden values, worst cases, degenerate cases, errors."""

from __future__ import annotations

import json
import math
from dataclasses import replace
from fractions import Fraction
from itertools import pairwise
from pathlib import Path
from typing import Any

import mpmath
import numpy as np
import pytest

from dpaudit.algorithms.zeroth.accounting import public_states as accounting
from dpaudit.algorithms.zeroth.accounting import shifts
from dpaudit.algorithms.zeroth.accounting.public_states import Setting
from dpaudit.records.errors import ConfigurationError
from dpaudit.records.mechanism import Concentrated, Constant, Gaussian
from dpaudit.records.privacy import Neighbours, View

VECTORS = json.loads((Path(__file__).parents[3] / "vectors" / "zeroth_accounting.json").read_text(encoding="utf-8"))
SMOOTH = "smooth and Lipschitz"
RUN = Setting(
    records=100, dimension=40, directions=5, steps=20, step_size=2.0, noise=0.5, clip_norm=1.0, b_dir=0.5, radius=1.0
)


def setting(row: dict[str, Any], **others: Any) -> Setting:
    """The run of one golden row."""
    fields = {name: value for name, value in row.items() if name in Setting.__dataclass_fields__}
    return Setting(**(fields | others))


@pytest.mark.parametrize("row", VECTORS["public_states"])
def test_public_states_have_their_golden_values(row: dict[str, Any]) -> None:
    clipped = accounting.public_states(setting(row), row["delta"])
    smooth = accounting.public_states(setting(row), row["delta"], SMOOTH)
    assert clipped.rho == pytest.approx(row["rho_clipping"], rel=1e-11)
    assert smooth.rho == pytest.approx(row["rho_smooth"], rel=1e-11)
    assert clipped.printed_rho == smooth.printed_rho == pytest.approx(row["rho_printed"], rel=1e-12)
    assert clipped.printed_epsilon == pytest.approx(row["epsilon_printed"], rel=1e-12)
    for account, name in ((clipped, "epsilon_clipping"), (smooth, "epsilon_smooth")):
        assert row[name] <= account.epsilon <= row[name] * (1 + 1e-8) + 1e-11
    assert clipped.optimistic


def test_the_printed_end_points_are_those_of_the_theorem() -> None:
    """Delta^2/(2 n^2 sigma^2) for b_dir = 1, d Delta^2/(2 n^2 K sigma^2) for b_dir = 0; a quarter of the truth."""
    for b_dir, factor in ((1.0, 1.0), (0.0, 40 / 5)):
        account = accounting.public_states(replace(RUN, b_dir=b_dir), 1e-5)
        assert account.printed_rho == pytest.approx(factor * 20 / (2 * 100**2 * 0.5**2))
        assert account.rho / account.printed_rho == pytest.approx(4)
        smooth = accounting.public_states(replace(RUN, b_dir=b_dir), 1e-5, SMOOTH)
        assert smooth.rho / smooth.printed_rho == pytest.approx(4 / 5)
        assert account.optimistic
        assert not smooth.optimistic


def test_sign_canaries_attain_the_change_under_clipping() -> None:
    """Records +-C <v, w>, C large, evaluated as the algorithm evaluates them: |s_k - s'_k| = 2 Delta/n for all k."""
    rng = np.random.default_rng(1)
    frame = np.linalg.qr(rng.standard_normal((40, 5)))[0]
    direction, point, xi = rng.standard_normal(40), rng.standard_normal(40), 0.1
    values = []
    for sign in (1.0, -1.0):
        quotient = (
            sign * 1e6 * ((point[:, None] + xi * frame).T @ direction - (point[:, None] - xi * frame).T @ direction)
        )
        values.append(np.clip(quotient / (2 * xi), -1.0, 1.0))
    moved = np.linalg.norm(values[0] - values[1])
    assert moved == pytest.approx(RUN.change("clipping"))
    assert (RUN.step_size / (5 * 100) * moved) ** 2 / (2 * RUN.variance(0.5)) == pytest.approx(
        accounting.public_states(replace(RUN, steps=1), 1e-5).rho
    )


@pytest.mark.parametrize("xi", [1e-3, 0.3, 2.0])
def test_smooth_records_never_exceed_the_sharper_change(xi: float) -> None:
    """Two 1-smooth, 1-Lipschitz records (Huber along random directions): the K quotients of both, many frames."""
    rng = np.random.default_rng(2)
    run = replace(RUN, perturbation=xi)

    def huber(value: np.ndarray) -> np.ndarray:
        return np.where(np.abs(value) <= 1, value**2 / 2, np.abs(value) - 0.5)

    largest = 0.0
    for _ in range(200):
        frame, point = np.linalg.qr(rng.standard_normal((40, 5)))[0], 0.1 * rng.standard_normal(40)
        aim = frame @ rng.standard_normal(5)  # inside the span, where the bound is nearly attained
        quotients = []
        for way in (aim, -aim):
            unit = way / np.linalg.norm(way)
            up, down = (
                huber((point[:, None] + xi * frame).T @ unit + 3),
                huber((point[:, None] - xi * frame).T @ unit + 3),
            )
            quotients.append((up - down) / (2 * xi))
        largest = max(largest, float(np.linalg.norm(quotients[0] - quotients[1])))
    assert largest <= run.change(SMOOTH) * (1 + 1e-12)
    assert largest > 0.9 * min(2.0, run.change(SMOOTH))


def test_a_split_per_step_adds_up() -> None:
    ends = [accounting.public_states(replace(RUN, steps=10, b_dir=b), 1e-5).rho for b in (0.2, 0.9)]
    both = accounting.public_states(replace(RUN, b_dir=(0.2,) * 10 + (0.9,) * 10), 1e-5)
    assert both.rho == pytest.approx(sum(ends))
    assert accounting.public_states(replace(RUN, b_dir=(0.5,) * 20), 1e-5).rho == pytest.approx(
        accounting.public_states(RUN, 1e-5).rho
    )


def test_more_noise_more_records_and_fewer_steps_cost_less() -> None:
    for account in (accounting.public_states, accounting.output_perturbation):
        for changes in ([{"noise": s} for s in (0.1, 0.5, 3.0)], [{"radius": r} for r in (5.0, 1.0, 0.5)]):
            costs = [account(replace(RUN, **change), 1e-5).epsilon for change in changes]  # type: ignore[arg-type]
            assert costs == sorted(costs, reverse=True)
    costs = [accounting.public_states(replace(RUN, records=n), 1e-5).epsilon for n in (10, 100, 1000)]
    assert all(more > 5 * less for more, less in pairwise(costs))
    assert accounting.public_states(replace(RUN, noise=1e9), 1e-5).epsilon == 0
    steps = [accounting.public_states(replace(RUN, steps=t), 1e-5).rho for t in (1, 2, 7)]
    assert steps == pytest.approx([steps[0], 2 * steps[0], 7 * steps[0]])


def test_no_step_costs_nothing_and_the_promise_is_data() -> None:
    for account in (accounting.public_states, accounting.output_perturbation):
        nothing = account(replace(RUN, steps=0), 1e-5)
        assert (nothing.rho, nothing.epsilon, nothing.promise.mechanism) == (0.0, 0.0, Constant())
    promise = accounting.public_states(RUN, 1e-5).promise
    assert promise.mechanism == Gaussian(1 / math.sqrt(2 * accounting.public_states(RUN, 1e-5).rho))
    assert "needs" not in promise.source
    assert (promise.neighbours, promise.view) == (Neighbours.REPLACE_ONE, View.TRANSCRIPT)
    assert accounting.output_perturbation(RUN, 1e-5).promise.view is View.HIDDEN_STATE


def test_for_k_equal_to_d_the_split_does_not_matter() -> None:
    runs = [replace(RUN, directions=40, b_dir=b) for b in (0.0, 0.3, 1.0)]
    for account in (accounting.public_states, accounting.output_perturbation):
        assert len({round(account(run, 1e-5).rho, 9) for run in runs}) == 1


@pytest.mark.parametrize("row", VECTORS["output_perturbation"])
def test_output_perturbation_has_its_golden_values(row: dict[str, Any]) -> None:
    account = accounting.output_perturbation(setting(row, steps=3), 1e-5)
    assert account.rho == pytest.approx(row["rho"], rel=1e-11)
    assert account.printed_rho == pytest.approx(row["printed"], rel=1e-12)
    assert account.optimistic


def test_output_perturbation_is_the_worst_over_all_moves_of_the_last_step() -> None:
    """Random moves x (any direction, length 2R) and y (in the span, length q) never cost more, and nearly as much."""
    rng, run = np.random.default_rng(3), replace(RUN, b_dir=0.3)
    frame = np.eye(40)[:, :5]
    energy = (run.step_size * run.noise) ** 2
    covariance = energy * (0.3 / 5 * frame @ frame.T + 0.7 / 40 * np.eye(40))
    bound, largest = accounting.output_perturbation(run, 1e-5).rho, 0.0
    for angle in np.linspace(0, np.pi / 2, 400):
        inside, outside = frame @ np.eye(5)[0], np.eye(40)[39]
        move = 2 * (np.cos(angle) * inside + np.sin(angle) * outside) + run.drift("clipping") * inside
        largest = max(largest, move @ np.linalg.solve(covariance, move) / 2)
    for _ in range(100):
        x, y = rng.standard_normal(40), frame @ rng.standard_normal(5)
        move = 2 * x / np.linalg.norm(x) + run.drift("clipping") * y / np.linalg.norm(y)
        assert move @ np.linalg.solve(covariance, move) / 2 <= bound
    assert bound * (1 - 1e-4) <= largest <= bound


def test_without_a_ball_or_isotropic_noise_the_last_step_protects_nothing() -> None:
    for run in (replace(RUN, radius=math.inf), replace(RUN, b_dir=1.0)):
        account = accounting.output_perturbation(run, 1e-5)
        assert account.epsilon == math.inf
        assert account.promise.mechanism == Concentrated(math.inf)


def test_the_first_order_constant() -> None:
    assert shifts.first_order_constant(0.5, 2.0, None) == 2.0
    assert shifts.first_order_constant(1.0, 2.0, 0.0) == 1.0
    assert shifts.first_order_constant(1.5, 2.0, 0.0) == 2.0
    assert shifts.first_order_constant(0.5, 2.0, 0.5) == 0.75
    assert shifts.first_order_constant(0.5, 2.0, 2.0) == 0.0


@pytest.mark.parametrize("row", VECTORS["tails"])
def test_tails_have_their_golden_values(row: dict[str, Any]) -> None:
    d, k, slack = row["dimension"], row["directions"], row["slack"]
    exact = shifts.step_failure(d, k, slack, "beta")
    assert row["beta"] <= exact <= row["beta"] * (1 + 1e-7)
    assert shifts.step_failure(d, k, slack) == pytest.approx(row["printed"], rel=1e-11)
    assert exact <= shifts.step_failure(d, k, slack)
    assert shifts.step_failure(d, k, slack, "smaller") == 1.0


def test_tails_are_empty_where_the_beta_law_ends() -> None:
    assert shifts.step_failure(10, 5, 1.0, "beta") == 0.0  # lower tail from e = 1, upper from e = d/K - 1 = 1
    assert shifts.step_failure(12, 3, 1.0, "beta") > 0
    assert shifts.step_failure(12, 3, 3.0, "beta") == 0.0
    assert shifts.step_failure(10, 10, 0.0, "beta") == 0.0
    assert shifts.step_failure(10, 5, math.inf) == 0.0
    assert shifts.step_failure(10, 3, 0.0, "beta") == pytest.approx(1.0)


def test_the_contraction_factor() -> None:
    for c in (0.0, 0.3, 1.0, 1.5):
        printed = shifts.printed_contraction(c, 100, 20, 0.4)
        assert printed == pytest.approx(math.sqrt(1 - (1 - c * c) * 0.2 + 0.4 * (1 + c * c) * 0.2))
        assert shifts.contraction(c, 100, 20, 0.4) == pytest.approx(printed)
        assert shifts.contraction(c, 100, 20, math.inf) == pytest.approx(math.sqrt(1 + c * c))
        assert shifts.contraction(c, 100, 20, 9.0) < shifts.printed_contraction(c, 100, 20, 9.0)
        assert shifts.contraction(c, 20, 20, 0.0) == c
    for c in (0.0, 0.5, 0.9):
        assert shifts.printed_contraction(c, 100, 20, (1 - c * c) / (1 + c * c)) == pytest.approx(1.0)


def test_random_frames_contract_as_often_as_promised() -> None:
    """Fixed pairs, 4000 frames, d = 12, K = 4, e = 0.9: the failures stay below a binomial limit (chance 1e-9)."""
    rng, d, k, slack, c = np.random.default_rng(4), 12, 4, 0.9, 0.6
    frames = np.linalg.qr(rng.standard_normal((4000, d, k)))[0]
    promised = shifts.step_failure(d, k, slack, "beta")
    for turn in (0.0, 0.7, np.pi / 2):
        kept = np.sum(frames[:, 0] ** 2, axis=1)
        seen = np.sum((np.cos(turn) * frames[:, 0] + np.sin(turn) * frames[:, 1]) ** 2, axis=1)
        factor = np.sqrt(1 - kept + c * c * seen)
        failures = int(np.sum(factor > shifts.contraction(c, d, k, slack)))
        assert failures <= 4000 * promised + 6.5 * math.sqrt(4000 * promised) + 15
        assert np.all(factor <= shifts.contraction(c, d, k, math.inf))


def rationals(values: list[str]) -> list[float]:
    """Exact fractions as floats."""
    return [float(Fraction(value)) for value in values]


@pytest.mark.parametrize("row", VECTORS["shifts"])
def test_the_quadratic_programme_has_its_exact_solution(row: dict[str, Any]) -> None:
    distance, growth, offset = rationals([row["distance"], row["growth"], row["offset"]])
    weights = np.array(rationals(row["weights"]))
    found = shifts.cheapest_shifts(distance, growth, offset, weights)
    np.testing.assert_allclose(found, rationals(row["shifts"]), rtol=1e-12)
    assert np.sum(found**2 / weights) == pytest.approx(float(Fraction(row["cost"])), rel=1e-12)
    if np.all(weights == 1):
        closed = shifts.constant_shifts(len(weights), distance, growth, offset)
        assert closed.squares == pytest.approx(float(Fraction(row["cost"])), rel=1e-11)
        assert closed.total == pytest.approx(float(np.sum(found)), rel=1e-11)
        assert closed.largest == pytest.approx(float(np.max(found)), rel=1e-11)


def rolled_out(found: np.ndarray, distance: float, growth: float, offset: float) -> list[float]:
    """z_tau..z_T, in the direction in which rounding does not grow."""
    path = [0.0 if growth > 1 else distance]
    for shift in reversed(found) if growth > 1 else found:
        path.append((path[-1] + shift - offset) / growth if growth > 1 else growth * path[-1] + offset - shift)
    return path[::-1] if growth > 1 else path


def test_closed_form_and_active_sets_agree_everywhere() -> None:
    for growth in (0.0, 0.3, 0.999, 1.0, 1.001, 1.7):
        for offset in (0.0, 0.01, 0.8):
            for distance in (0.0, 0.2, 4.0):
                for length in (1, 2, 9, 60):
                    found = shifts.cheapest_shifts(distance, growth, offset, np.ones(length))
                    path = rolled_out(found, distance, growth, offset)
                    assert min(path) >= -1e-12
                    assert path[0] == pytest.approx(distance, abs=1e-12)
                    assert path[-1] == pytest.approx(0.0, abs=1e-12)
                    closed = shifts.constant_shifts(length, distance, growth, offset)
                    assert closed.squares == pytest.approx(float(found @ found), rel=1e-9, abs=1e-15)


def test_long_windows_neither_overflow_nor_lose_the_limit() -> None:
    long = shifts.constant_shifts(10**9, 2.0, 1.25, 0.0)
    assert long.squares == pytest.approx(4 * (1.25**2 - 1))
    assert shifts.constant_shifts(10**9, 2.0, 0.75, 0.0).squares == 0.0
    assert shifts.constant_shifts(10**9, 2.0, 1.0, 0.0).squares == pytest.approx(4e-9)
    assert shifts.constant_shifts(5, 2.0, 0.75, 0.1, merged=True).squares > 0
    assert shifts.constant_shifts(5, 0.0, 0.75, 0.1, merged=True) == shifts.FREE
    assert shifts.constant_shifts(5, 2.0, 1.1, 0.3, index_convention="display") == shifts.FREE


@pytest.mark.parametrize(
    ("change", "words"),
    [
        ({"directions": 41}, "directions must be from 1 to 40, got 41"),
        ({"noise": 0.0}, "noise must be above 0 for a promise of privacy"),
        ({"noise": -1.0}, "noise must be at least 0.0, got -1.0"),
        ({"b_dir": 1.2}, "b_dir must be at most 1.0, got 1.2"),
        ({"b_dir": (0.5, 0.5)}, "b_dir must have 20 numbers, got 2"),
        ({"steps": -1}, "steps must be at least 0, got -1"),
        ({"clip_norm": math.nan}, "clip_norm must be finite, got nan"),
        ({"convexity": 2.0}, "convexity must be at most 1.0, got 2.0"),
        ({"radius": 0.0}, "radius must be above 0.0, got 0.0"),
    ],
)
def test_errors_say_what_was_given_and_what_is_allowed(change: dict[str, Any], words: str) -> None:
    with pytest.raises(ConfigurationError) as caught:
        replace(RUN, **change)
    assert words in str(caught.value)


def test_errors_of_the_accountants() -> None:
    with pytest.raises(ConfigurationError, match=r"delta must be above 0\.0, got 0"):
        accounting.public_states(RUN, 0.0)
    with pytest.raises(ConfigurationError, match=r"assumption must be one of 'clipping', 'smooth and Lipschitz'"):
        accounting.public_states(RUN, 1e-5, "convex")
    with pytest.raises(ConfigurationError, match=r"at most half the dimension 10 .*got 6"):
        shifts.step_failure(10, 6, 0.5)
    with pytest.raises(ConfigurationError, match="weights must be one or more numbers above 0"):
        shifts.cheapest_shifts(1.0, 1.0, 0.0, np.array([1.0, 0.0]))
    with pytest.raises(ConfigurationError, match="slack must be at least 0, got nan"):
        shifts.step_failure(10, 2, math.nan)


@pytest.mark.parametrize("rho", [3e-14, 1e-12, 5.6e-10, 1e-5, 0.3, 1e4])
def test_the_gaussian_epsilon_is_never_below_the_exact_one(rho: float) -> None:
    """delta of mu-GDP at the epsilon given, in 60 digits, is at most delta; a little less epsilon is not enough."""
    with mpmath.workdps(60):
        mu = mpmath.sqrt(2 * mpmath.mpf(rho))

        def exact(epsilon: float) -> Any:
            near, far = epsilon / mu - mu / 2, epsilon / mu + mu / 2
            return mpmath.ncdf(-near) - mpmath.exp(epsilon) * mpmath.ncdf(-far)

        for delta in (1e-3, 1e-5, 1e-9):
            epsilon = accounting.gaussian_bound(rho, delta)
            assert exact(mpmath.mpf(epsilon)) <= delta
            if epsilon > 0:
                assert exact(mpmath.mpf(epsilon * (1 - 1e-8) - 1e-11)) > delta


def test_conversions_invert_each_other() -> None:
    for rho in (1e-9, 0.01, 3.0, 400.0):
        assert accounting.inverted(accounting.converted(rho, 1e-7), 1e-7) == pytest.approx(rho, rel=1e-9)
        assert accounting.gaussian_bound(rho, 1e-7) < accounting.converted(rho, 1e-7)
    assert accounting.gaussian_bound(0.1, 1e-5, failure=1e-5) == math.inf
    assert accounting.gaussian_bound(0.1, 1e-5, failure=5e-6) > accounting.gaussian_bound(0.1, 1e-5)
