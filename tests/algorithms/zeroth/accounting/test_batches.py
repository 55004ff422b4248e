"""Accountant M of Noisy-ZOSGD: golden divergences, exact models that refute the printed ones, the promise as data."""

from __future__ import annotations

import json
import math
from dataclasses import replace
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from dpaudit.algorithms.zeroth.accounting import public_states as accounting
from dpaudit.algorithms.zeroth.accounting.batches import ORDERS, sampled_divergence, sampled_promise, sampled_states
from dpaudit.algorithms.zeroth.accounting.hidden_state import hidden_states
from dpaudit.algorithms.zeroth.accounting.public_states import Setting
from dpaudit.records.errors import ConfigurationError
from dpaudit.records.mechanism import Composed, Concentrated, FixedSizeSampled, Gaussian, SelfComposed
from dpaudit.records.privacy import Neighbours, View

VECTORS = json.loads((Path(__file__).parents[3] / "vectors" / "zeroth_accounting.json").read_text(encoding="utf-8"))
RUN = Setting(
    records=1000,
    dimension=2000,
    directions=200,
    steps=400,
    step_size=200.0,
    noise=1.0,
    clip_norm=1.0,
    b_dir=0.5,
    radius=1.0,
    convexity=0.9,
)


@pytest.mark.parametrize("kind", ["printed", "reversed", "replaced"])
@pytest.mark.parametrize("row", VECTORS["sampled_divergence"])
def test_divergences_have_their_golden_values(row: dict[str, Any], kind: str) -> None:
    found = sampled_divergence(row["order"], row["rate"], row["ratio"], kind)
    assert row[kind] * (1 + 1e-10) <= found <= row[kind] * (1 + 2e-9)


def test_degenerate_divergences() -> None:
    for kind in ("printed", "reversed", "replaced"):
        assert sampled_divergence(3.0, 1.0, 2.0, kind) == pytest.approx(3 / 8)
        small = [sampled_divergence(4.0, rate, 1.5, kind) for rate in (1e-6, 1e-3, 0.1, 0.7, 1.0)]
        assert small == sorted(small)
        wide = [sampled_divergence(4.0, 0.1, ratio, kind) for ratio in (0.01, 0.04, 0.3, 1.0, 30.0)]
        assert wide == sorted(wide, reverse=True)
    assert sampled_divergence(4.0, 0.3, 1e-3, "printed") == pytest.approx(-math.log(0.7))
    assert sampled_divergence(4.0, 0.3, 0.06, "printed") == pytest.approx(-math.log(0.7), rel=1e-6)
    assert sampled_divergence(4.0, 0.3, 1e-3, "reversed") == pytest.approx(2e6)


def test_small_rates_and_large_noise_give_the_quadratic_law() -> None:
    """alpha q^2/(2 s^2) for one mixture; replacing moves both by as much, with the same leading constant times e^0."""
    for kind in ("printed", "reversed"):
        assert sampled_divergence(2.0, 0.01, 50.0, kind) == pytest.approx(1e-4 / 2500, rel=0.02)
    assert 1e-4 / 2500 < sampled_divergence(2.0, 0.01, 50.0) < 2 * 1e-4 / 2500


def plane(order: float, rate: float, ratio: float, ends: tuple[tuple[float, float], tuple[float, float]]) -> float:
    """The exact divergence of two mixtures with a common centre in the plane, by a sum over a grid."""
    axis = np.arange(-9 * ratio - 1, 9 * ratio + 2, ratio / 12)
    x, y = np.meshgrid(axis, axis, indexing="ij")

    def log_mixture(end: tuple[float, float]) -> np.ndarray:
        centre = math.log1p(-rate) - (x**2 + y**2) / (2 * ratio**2)
        return np.logaddexp(centre, math.log(rate) - ((x - end[0]) ** 2 + (y - end[1]) ** 2) / (2 * ratio**2))

    p, q = log_mixture(ends[0]), log_mixture(ends[1])
    area = (ratio / 12) ** 2 / (2 * math.pi * ratio**2)
    return math.log(np.sum(np.exp(order * p + (1 - order) * q)) * area) / (order - 1)


@pytest.mark.parametrize(
    ("order", "rate", "ratio"), [(2.0, 0.5, 1.0), (1.1, 0.1, 2.0), (4.0, 0.1, 1.0), (2.0, 0.9, 1.0)]
)
def test_no_replacement_exceeds_the_proved_divergence(order: float, rate: float, ratio: float) -> None:
    proved = sampled_divergence(order, rate, ratio)
    triangle = ((1.0, 0.0), (0.5, math.sqrt(0.75)))
    for ends in (triangle, ((1.0, 0.0), (0.0, 0.0)), ((0.0, 0.0), (1.0, 0.0)), ((0.5, 0.0), (-0.5, 0.0))):
        assert plane(order, rate, ratio, ends) <= proved
    assert plane(order, rate, ratio, triangle) > sampled_divergence(order, rate, ratio, "printed")
    for kind, ends in (("reversed", ((1.0, 0.0), (0.0, 0.0))), ("printed", ((0.0, 0.0), (1.0, 0.0)))):
        assert plane(order, rate, ratio, ends) == pytest.approx(sampled_divergence(order, rate, ratio, kind), rel=1e-6)


def test_even_both_orders_together_are_less_than_a_replacement() -> None:
    """alpha = 1.1, q = 0.1, s = 2, the two records at 60 degrees: 0.001582 above max(0.001523, 0.001478)."""
    exact = plane(1.1, 0.1, 2.0, ((1.0, 0.0), (0.5, math.sqrt(0.75))))
    both = max(sampled_divergence(1.1, 0.1, 2.0, kind) for kind in ("printed", "reversed"))
    assert exact == pytest.approx(0.0015817, abs=1e-6)
    assert exact > 1.03 * both


def test_k_independent_inclusions_are_not_one_shared_inclusion() -> None:
    """(71): K S_alpha(q, sqrt K s) is below the divergence S_alpha(q, s) of the K coordinates of one inclusion."""
    shared = sampled_divergence(1.5, 0.01, 0.3, "printed")
    split = 64 * sampled_divergence(1.5, 0.01, 0.3 * 8, "printed")
    assert split / shared == pytest.approx(0.1616, abs=1e-3)
    corner = (1 / math.sqrt(2), 1 / math.sqrt(2))  # K = 2 by the sum in the plane, length 1 along the diagonal
    exact = plane(1.5, 0.01, 0.3, ((0.0, 0.0), corner))
    assert exact > 1.2 * 2 * sampled_divergence(1.5, 0.01, 0.3 * math.sqrt(2), "printed")


def test_theorem_a_3_is_refuted_in_the_two_record_model() -> None:
    """n = 2, b = 1, d = 2, K = 1, T = 1, b_dir = 1, linear records of length Delta = 1 and 0, sigma = 0.3.

    w_1 shows u up to sign, so the divergence is that of (u, projected step): D_2 = 8.667 against S_2 = 0.692 printed.
    """
    sigma, total, angles = 0.3, 0.0, (np.arange(200) + 0.5) * np.pi / 200
    points = np.linspace(-4, 4, 4001)
    for shift in np.cos(angles):
        p, q = (
            np.exp(-(points**2) / (2 * sigma**2)) + np.exp(-((points - end) ** 2) / (2 * sigma**2))
            for end in (shift, -shift)
        )
        total += np.sum(p**2 / q) / np.sum(p) / len(angles)
    exact = math.log(total)
    printed = sampled_divergence(2.0, 0.5, sigma / 2, "printed")
    assert printed < math.log(2) * (1 + 1e-8)
    assert exact == pytest.approx(8.667, abs=0.01)
    assert exact > 12 * printed
    assert exact <= sampled_divergence(2.0, 0.5, sigma / 2)


def test_a_full_batch_is_the_accountant_without_batches() -> None:
    account = sampled_states(RUN, 1000, 1e-5)
    whole = hidden_states(RUN, 1e-5)
    assert whole.epsilon <= account.epsilon <= 1.35 * whole.epsilon
    both = [sampled_states(RUN, 1000, 1e-5, formula).epsilon for formula in ("theorem A.3", "remark A.9")]
    assert both[0] == pytest.approx(both[1])
    assert both[0] == pytest.approx(whole.printed_epsilon, rel=2e-3)


def test_printed_formulas_are_below_what_replacement_does() -> None:
    """b = 1: remark A.9 gives a finite epsilon far below the same formula with both orders of the laws."""
    printed = sampled_states(RUN, 1, 1e-5, "remark A.9")
    larger = sampled_states(RUN, 1, 1e-5, "remark A.9", "larger")
    assert larger.epsilon > 5 * printed.epsilon
    for formula in ("theorem A.3", "remark A.9"):
        for batch in (1, 30):
            one = sampled_states(RUN, batch, 1e-5, formula)
            assert one.epsilon <= sampled_states(RUN, batch, 1e-5, formula, "larger").epsilon


def test_the_proved_bound_falls_with_noise_and_never_exceeds_public_states() -> None:
    costs = [sampled_states(replace(RUN, noise=noise), 20, 1e-5).epsilon for noise in (0.3, 1.0, 3.0)]
    assert costs == sorted(costs, reverse=True)
    short = sampled_states(replace(RUN, steps=2), 20, 1e-5)
    assert not short.hidden
    assert short.length == 2
    isotropic = sampled_states(replace(RUN, b_dir=0.0), 20, 1e-5)
    assert not isotropic.hidden
    assert isotropic.epsilon < math.inf
    assert sampled_states(replace(RUN, b_dir=0.0), 20, 1e-5, "remark A.9").epsilon == math.inf


def test_composition_of_batches_is_below_full_composition_by_the_rate() -> None:
    """Batches of b see the record in a fraction q of the steps, with n/b times the sensitivity: about the same rho."""
    public = replace(RUN, radius=math.inf, steps=50, noise=5.0)
    full = accounting.public_states(public, 1e-5, "smooth and Lipschitz").epsilon
    batched = sampled_states(public, 100, 1e-5).epsilon
    assert 0.5 * full < batched < 2 * full


def test_the_promise_is_data() -> None:
    promise = sampled_promise(RUN, 20, 1e-5)
    best = sampled_states(RUN, 20, 1e-5)
    assert best.hidden
    assert (promise.neighbours, promise.view) == (Neighbours.REPLACE_ONE, View.HIDDEN_STATE)
    assert isinstance(promise.mechanism, Composed)
    steps, shift, event = promise.mechanism.mechanisms
    # ratio = sqrt(b_dir/K) eta sigma b/(2 Delta eta/K)
    expected = math.sqrt(0.5 / 200) * 200 * 1.0 * 20 / 2
    assert isinstance(steps, SelfComposed)
    assert steps.count == best.length
    assert isinstance(steps.mechanism, FixedSizeSampled)
    assert (steps.mechanism.size, steps.mechanism.records) == (20, 1000)
    assert isinstance(steps.mechanism.mechanism, Gaussian)
    assert steps.mechanism.mechanism.noise_multiplier == pytest.approx(expected)
    assert isinstance(shift, Gaussian)
    data = best.length * sampled_divergence(best.order, 0.02, expected)
    assert best.divergence == pytest.approx(data + best.order / (2 * shift.noise_multiplier**2), rel=1e-6)
    assert event == Concentrated(0.0, best.failure)
    assert best.failure > 0
    whole = sampled_promise(replace(RUN, steps=2), 1000, 1e-5)
    assert isinstance(whole.mechanism, SelfComposed)
    assert whole.mechanism.count == 2
    assert isinstance(whole.mechanism.mechanism, Gaussian)
    assert whole.mechanism.mechanism.noise_multiplier == pytest.approx(200 * math.sqrt(0.5 / 200 + 0.5 / 2000) * 500)
    assert whole.view is View.TRANSCRIPT


def test_the_order_is_refined_beyond_the_grid() -> None:
    best = sampled_states(RUN, 20, 1e-5)
    assert best.order not in ORDERS


@pytest.mark.parametrize(
    ("batch", "options", "words"),
    [
        (0, {}, "batch must be from 1 to 1000, got 0"),
        (1001, {}, "batch must be from 1 to 1000, got 1001"),
        (10, {"formula": "theorem 3"}, "formula must be one of 'proved', 'theorem A.3', 'remark A.9', got 'theorem 3'"),
        (10, {"order_of_laws": "both"}, "order_of_laws must be one of 'printed', 'larger', got 'both'"),
    ],
)
def test_errors(batch: int, options: dict[str, str], words: str) -> None:
    with pytest.raises(ConfigurationError) as caught:
        sampled_states(RUN, batch, 1e-5, **options)
    assert words in str(caught.value)


def test_errors_of_divergences_and_splits() -> None:
    with pytest.raises(ConfigurationError, match=r"order must be above 1\.0, got 1"):
        sampled_divergence(1, 0.5, 1.0)
    with pytest.raises(ConfigurationError, match=r"rate must be above 0\.0, got 0"):
        sampled_divergence(2, 0.0, 1.0)
    with pytest.raises(ConfigurationError, match="b_dir must be one number for batches, got a tuple"):
        sampled_states(replace(RUN, b_dir=(0.5,) * 400), 10, 1e-5)
