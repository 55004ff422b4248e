"""The privacy of a run with tree noise: exact rationals, decimals of high precision, and other accountants.

One test samples, with a fixed seed; its false alarm is at most 1e-6.
"""

from __future__ import annotations

import json
import math
from fractions import Fraction
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from dpaudit.accounting import factorisations
from dpaudit.accounting.epsilon import promised_epsilon
from dpaudit.accounting.factorisations import FACTORISATIONS, binary_tree
from dpaudit.algorithms.srgd.accounting import tree_noise
from dpaudit.algorithms.srgd.accounting.tree_noise import (
    TreeRelease,
    calibration_table,
    claimed_mu,
    enclosed_delta,
    enclosed_mu,
    final_iterate_mu,
    node_noise_needed,
    output_weights,
    printed_node_multiplier,
)
from dpaudit.records.errors import ConfigurationError
from dpaudit.records.mechanism import Gaussian
from dpaudit.records.privacy import Neighbours, View

VECTORS = json.loads((Path(__file__).parents[3] / "vectors" / "srgd_privacy.json").read_text(encoding="utf-8"))
NEIGHBOURS = {"zero-out": Neighbours.ZERO_OUT, "replace-one": Neighbours.REPLACE_ONE}
CLOSE = 1e-11


def number(text: str) -> float:
    """A rational written as text, rounded once."""
    return float(Fraction(text))


@pytest.mark.parametrize("case", VECTORS["runs"], ids=lambda case: case["steps"])
def test_known_runs(case: dict[str, Any]) -> None:
    sizes = [number(case[name]) for name in ("clip_norm", "scaling", "node_noise")]
    run, expected = TreeRelease(case["steps"], case["batch"], *sizes, NEIGHBOURS[case["neighbours"]]), case["expected"]
    assert run.node_multiplier == pytest.approx(number(expected["node_multiplier"]), rel=CLOSE)
    squares = [run.mu(t) ** 2 for t in range(run.steps)]
    assert squares == pytest.approx([number(text) for text in expected["mu_squared"]], rel=CLOSE)
    assert run.largest_mu == run.mu(0) == max(run.mu(t) for t in range(run.steps))
    assert run.rho == pytest.approx(number(expected["largest_mu_squared"]) / 2, rel=CLOSE)
    assert run.delta(number(case["epsilon"])) == pytest.approx(float(expected["delta"]), rel=CLOSE)
    assert run.delta(number(case["epsilon"])) >= float(expected["delta"])


@pytest.mark.parametrize("case", VECTORS["gaussian_delta"], ids=lambda case: f"{case['epsilon']}-{case['mu']}")
def test_known_deltas_are_enclosed(case: dict[str, Any]) -> None:
    found, exact = enclosed_delta(number(case["epsilon"]), number(case["mu"])), float(case["delta"])
    assert found.lower == pytest.approx(exact, rel=1e-10)  # 1/100 and 1/1000 are rounded before they get here
    assert found.lower <= found.upper <= found.lower * (1 + 2e-15)
    if all(Fraction(case[name]).denominator in (1, 2, 4) for name in ("epsilon", "mu")):
        assert found.lower < Fraction(case["delta"]) < found.upper


@pytest.mark.parametrize("case", VECTORS["gaussian_mu"], ids=lambda case: f"{case['epsilon']}-{case['delta']}")
def test_known_mus_are_enclosed(case: dict[str, Any]) -> None:
    epsilon, delta = number(case["epsilon"]), number(case["delta"])
    found = enclosed_mu(epsilon, delta)
    assert [found.lower, found.upper] == pytest.approx([float(case["mu"])] * 2, rel=1e-11)
    assert found.lower < found.upper < found.lower * (1 + 1e-11)
    assert enclosed_delta(epsilon, found.lower).upper <= delta < enclosed_delta(epsilon, found.upper).lower


@pytest.mark.parametrize("epsilon", [0.0, 1e-300, 0.3, 25.0, 1e6])
@pytest.mark.parametrize("delta", [1e-300, 1e-12, 0.4, 1 - 1e-9])
def test_extreme_aims(epsilon: float, delta: float) -> None:
    found = enclosed_mu(epsilon, delta)
    assert enclosed_delta(epsilon, found.lower).upper <= delta < enclosed_delta(epsilon, found.upper).lower
    assert found.upper <= found.lower * (1 + (1e-6 if delta > 0.9 else 1e-11))
    if epsilon == 0:
        assert math.erf(found.lower / math.sqrt(8)) == pytest.approx(delta)


def test_the_least_noise_is_neither_more_nor_less() -> None:
    for neighbours in NEIGHBOURS.values():
        noise = node_noise_needed(7, 50, 3.0, 20.0, 0.8, 1e-6, neighbours)
        assert TreeRelease(7, 50, 3.0, 20.0, noise, neighbours).delta(0.8) <= 1e-6
        less = TreeRelease(7, 50, 3.0, 20.0, noise * (1 - 1e-10), neighbours)
        assert enclosed_delta(0.8, less.largest_mu).lower > 1e-6
    both = [node_noise_needed(7, 50, 3.0, 20.0, 0.8, 1e-6, neighbours) for neighbours in NEIGHBOURS.values()]
    assert both[1] == pytest.approx(2 * both[0])


def test_the_promise_is_one_gaussian_mechanism() -> None:
    run = TreeRelease(12, 10, 2.0, 5.0, 0.4)
    promise = run.promise
    assert isinstance(promise.mechanism, Gaussian)
    assert promise.mechanism.noise_multiplier == pytest.approx(10 / math.sqrt(4), rel=CLOSE)
    assert (promise.neighbours, promise.view) == (Neighbours.ZERO_OUT, View.TRANSCRIPT)
    assert "lemma 5.6" in promise.source
    assert "corrected" in promise.source
    same = tree_noise.factorised_promise(binary_tree(12), run.node_multiplier)
    assert isinstance(same.mechanism, Gaussian)
    assert same.mechanism.noise_multiplier == pytest.approx(promise.mechanism.noise_multiplier, rel=1e-11)
    assert promise.mechanism.noise_multiplier <= 5.0


def test_against_the_accountants_of_dp_accounting() -> None:
    accounting = pytest.importorskip("dp_accounting")
    for steps in (1, 2, 7, 8, 100):
        run = TreeRelease(steps, 10, 1.0, 1.0, 0.3)
        orders = [2.0, 8.0, 31.5]
        accountant = accounting.rdp.RdpAccountant(orders, accounting.NeighboringRelation.REPLACE_SPECIAL)
        accountant.compose(accounting.SingleEpochTreeAggregationDpEvent(3.0, steps))
        assert [order * run.rho for order in orders] == pytest.approx(accountant._rdp, rel=CLOSE)
        assert run.delta(run.epsilon(1e-5)) == pytest.approx(1e-5, rel=1e-8)
        promised = promised_epsilon(run.promise, 1e-5)
        assert promised.lower <= run.epsilon(1e-5) * (1 + 1e-12) <= promised.upper * (1 + 1e-9)
    for epsilon, delta in ((0.5, 1e-6), (4.0, 1e-3)):
        assert 1 / enclosed_mu(epsilon, delta).lower == pytest.approx(accounting.get_sigma_gaussian(epsilon, delta))


@pytest.mark.parametrize("case", VECTORS["final_iterate"], ids=lambda case: case["steps"])
def test_known_final_iterates(case: dict[str, Any]) -> None:
    steps = case["steps"]
    weights = output_weights(steps)
    assert [str(w) for w in weights] == case["weights"]
    left, _ = factorisations.tree_factors(steps)
    assert [str(v) for v in np.array(weights, dtype=object) @ left.astype(object)] == case["node_weights"]
    found = final_iterate_mu(binary_tree(steps), weights, 1.0)
    assert found**2 == pytest.approx([number(text) for text in case["mu_squared"]])
    assert final_iterate_mu(binary_tree(steps), weights, 2.5) == pytest.approx(found / 2.5)


@pytest.mark.parametrize("name", FACTORISATIONS)
def test_the_final_iterate_reveals_no_more_than_the_transcript(name: str) -> None:
    factorisation = FACTORISATIONS[name](13)
    whole = tree_noise.factorised_mu(factorisation, 2.0)
    last = final_iterate_mu(factorisation, output_weights(13), 2.0)
    assert (last <= whole * (1 + 1e-12)).all()
    assert (last < 0.95 * whole).any()
    best = np.linalg.inv(factorisation.left).T @ factorisation.right[:, 0]  # what an adversary would weigh with
    assert final_iterate_mu(factorisation, list(best), 2.0)[0] == pytest.approx(whole[0])


def test_the_output_of_linear_losses_is_the_weighted_sum() -> None:
    """KAV-6 by running both updates, in exact arithmetic."""
    for steps in range(1, 8):
        released = [Fraction((7 * s) % 5 - 2, s + 3) for s in range(steps)]
        x = z = y = Fraction(0)
        for t, noisy in enumerate(released):
            z, y = z - noisy / 3, x - noisy / (3 * (t + 1))
            x = y + Fraction(2, t + 3) * (z - y)
        assert y == -sum(w * g for w, g in zip(output_weights(steps), released, strict=True)) / 3


@pytest.mark.parametrize("case", VECTORS["printed"], ids=lambda case: f"{case['claim']}-{case['steps']}")
def test_the_printed_calibrations(case: dict[str, Any]) -> None:
    epsilon, delta, expected = number(case["epsilon"]), number(case["delta"]), case["expected"]
    found = printed_node_multiplier(case["claim"], case["steps"], epsilon, delta, case["log_base"])
    assert found == pytest.approx(float(expected["node_multiplier"]), rel=CLOSE)
    assert claimed_mu(epsilon, delta) == pytest.approx(float(expected["claimed_mu"]), rel=CLOSE)
    run = TreeRelease(case["steps"], 1, 1.0, 1.0, found)
    assert run.largest_mu == pytest.approx(float(expected["mu"]), rel=CLOSE)
    assert run.delta(epsilon) == pytest.approx(float(expected["delta"]), rel=1e-9)
    (cell,) = calibration_table(case["claim"], case["log_base"], (case["steps"],), (epsilon,), (delta,)).cells
    assert cell.delta_ratio == pytest.approx(float(expected["delta"]) / delta, rel=1e-9)
    assert cell.claimed_ratio == pytest.approx(float(expected["claimed_mu"]) / float(expected["mu"]), rel=CLOSE)


def test_the_noise_of_the_calibrations_as_printed() -> None:
    """sigma of P1 and P2 written out, with K = c L and K = (8 c_M + 4) L."""
    c, L, c_m, B, beta, steps, epsilon, delta = 30.0, 2.0, 1.5, 40, 7.0, 9, 0.7, 1e-5
    logs = math.sqrt(math.log2(steps) * math.log(2.5 / delta)) / (epsilon * B * beta)
    first = printed_node_multiplier("COR-5.7", steps, epsilon, delta) * c * L / (B * beta)
    assert first == pytest.approx(c * L * logs)
    second = printed_node_multiplier("COR-5.11", steps, epsilon, delta) * (8 * c_m + 4) * L / (B * beta)
    assert second == pytest.approx((16 * math.sqrt(2) * c_m + 8 * math.sqrt(2)) * L * logs)


@pytest.mark.parametrize(("log_base", "ratio", "violations"), [("2", 1 / 2, 3351), ("e", math.log(2) / 2, 3765)])
def test_corollary_5_7_misses_its_claim(log_base: str, ratio: float, violations: int) -> None:
    """Less than the noise of the claimed mu in all of 4000 cells, and no (epsilon, delta)-DP in most of them."""
    table = calibration_table("COR-5.7", log_base)
    ratios = [cell.claimed_ratio**2 for cell in table.cells]
    assert (len(table.cells), len(table.violations)) == (4000, violations)
    assert max(ratios) < ratio
    assert min(ratios) == pytest.approx(ratio / 2)
    assert set(table.violations) < set(table.step_violations)
    assert all((cell.needed_ratio < 1) == (cell.delta_ratio > 1) for cell in table.cells)
    kept = [cell for cell in table.cells if cell.delta_ratio < 1]
    assert max(cell.epsilon for cell in kept) < 1.3
    assert table.worst.delta_ratio > 1e9


def test_the_true_delta_of_corollary_5_7_is_22_times_the_claimed_one_after_64_steps() -> None:
    cells = calibration_table("COR-5.7", "2", epsilons=(1.0,), deltas=(1e-6,)).cells
    assert [round(cell.delta_ratio) for cell in cells if cell.steps == 64] == [22]


def test_corollary_5_11_keeps_its_claim_in_base_2() -> None:
    aims = {"epsilons": (0.05, 1.0, 7.0, 20.0), "deltas": (1e-3, 1e-10)}
    assert calibration_table("COR-5.11", "2", **aims).step_violations == ()
    natural = calibration_table("COR-5.11", "e", **aims)
    assert [(cell.steps, cell.epsilon, cell.delta) for cell in natural.violations] == [(2, 20.0, 1e-3)]
    assert natural.worst.delta_ratio == pytest.approx(3.569819, rel=1e-6)


def test_the_classical_calibration_fails_for_large_epsilon() -> None:
    """Corollary 5.7 s2: epsilon/sqrt(2 ln(2.5/delta))-GDP gives (epsilon, delta/2)-DP up to some epsilon only."""
    ratio = tree_noise.implication_ratio
    assert ratio(7.5, 1e-3) < 1 < ratio(7.7, 1e-3)
    assert ratio(9.4, 1e-8) < 1 < ratio(9.5, 1e-8)
    assert max(ratio(epsilon, 10.0**-k) for epsilon in (0.01, 1.0, 7.0) for k in range(3, 13)) < 1


def test_lemma_5_6_as_printed() -> None:
    """Its noise is enough; the second inequality of its bound holds in base 2, and fails for T = 2, 3, 4 in base e."""
    for steps in range(2, 3000):
        noise = tree_noise.lemma_node_noise(3.0, 0.5, steps)
        assert TreeRelease(steps, 1, 3.0, 1.0, noise).largest_mu <= 0.5 * (1 + 1e-11)
    for log_base, fails in (("2", []), ("e", [2, 3, 4])):
        proved, printed = [], []
        for steps in range(2, 3000):
            node = tree_noise.lemma_node_noise(1.0, 1.0, steps, log_base)
            length = math.sqrt(2 * 5 * math.log(2 * steps / 1e-3))
            proved.append(2 * factorisations.logarithm(steps, log_base) * node * length)
            printed.append(tree_noise.lemma_noise_bound(1.0, 1.0, steps, 5, 1e-3, log_base))
        worse = np.array(proved) > np.array(printed) * (1 + 1e-12)
        assert [steps for steps, bad in enumerate(worse, start=2) if bad] == fails


def test_the_noise_bound_is_kept_and_not_by_far() -> None:
    """40,000 runs at failure 0.1: at most 5 standard deviations more misses than 10 %, and more than 1 %: a prefix of
    two nodes alone, of which there are three, misses with probability 1/60. False alarm at most 1e-6."""
    noise = np.random.default_rng(11).normal(size=(40_000, 6, 3)) * 0.7
    lengths = np.linalg.norm(factorisations.prefixes_from_nodes(noise), axis=-1).max(axis=1)
    bound = tree_noise.noise_bound(0.7, 6, 3, 0.1)
    misses = int((lengths > bound).sum())
    assert 0.01 * 40_000 < misses < 0.1 * 40_000 + 5 * math.sqrt(40_000 * 0.09)
    assert tree_noise.noise_bound(0.7, 1, 2, 0.1) == pytest.approx(0.7 * math.sqrt(2 * math.log(10)))


def test_wrong_parameters_are_refused() -> None:
    with pytest.raises(ConfigurationError, match="all later batches are others"):
        TreeRelease(4, 2, 1.0, 1.0, 1.0, Neighbours.ADD_OR_REMOVE)
    with pytest.raises(ConfigurationError, match=r"node_noise must be above 0\.0, got 0\.0"):
        TreeRelease(4, 2, 1.0, 1.0, 0.0)
    with pytest.raises(ConfigurationError, match="step must be from 0 to 3, got 4"):
        TreeRelease(4, 2, 1.0, 1.0, 1.0).mu(4)
    with pytest.raises(ConfigurationError, match="steps must be at least 2, got 1"):
        printed_node_multiplier("COR-5.7", 1, 1.0, 1e-5)
    with pytest.raises(ConfigurationError, match="claim must be one of"):
        printed_node_multiplier("COR-5.8", 4, 1.0, 1e-5)
    with pytest.raises(ConfigurationError, match=r"delta must be at least 1e-300, got 0\.0"):
        enclosed_mu(1.0, 0.0)
    with pytest.raises(ConfigurationError, match="weights must be 3 finite numbers"):
        final_iterate_mu(binary_tree(3), (1.0, math.nan, 0.0), 1.0)
