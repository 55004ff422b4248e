"""The printed parameters by hand, their smallest data sets, and what is refused; KAV-1 to KAV-6 in exact arithmetic."""

from __future__ import annotations

import dataclasses
import json
import math
from fractions import Fraction
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from dpaudit.accounting.factorisations import prefixes_from_nodes
from dpaudit.algorithms.srgd.accounting import presets
from dpaudit.algorithms.srgd.accounting.presets import (
    Setting,
    dp_constant,
    general,
    informal,
    interior,
    largest_dimension,
    noise_bound,
    scaled,
)
from dpaudit.algorithms.srgd.accounting.tree_noise import claimed_mu, enclosed_mu, node_noise_needed
from dpaudit.problems import domains
from dpaudit.records.errors import ConfigurationError
from dpaudit.records.mechanism import Gaussian
from dpaudit.records.privacy import ApproximateDP, Neighbours

VECTORS = json.loads((Path(__file__).parents[3] / "vectors" / "srgd_trajectories.json").read_text(encoding="utf-8"))
LARGE = Setting(10**7, 40, 0.5, 1e-8, lipschitz=2.0, radius=3.0)


def run_exactly(case: dict[str, Any]) -> dict[str, list[Fraction]]:
    """Algorithm 1 in one dimension as the vectors describe it."""
    eta, noise = ([Fraction(v) for v in case[name]] for name in ("step_weights", "noise"))
    beta, bound = Fraction(case["scaling"]), Fraction(case["clip_norm"] or 10**9)
    low, high = (Fraction(end) for end in case["interval"] or (-(10**9), 10**9))
    divisor, part = Fraction(case["z_divisor"]), Fraction(case["z_noise"])
    x = before = z = g = last_weight = Fraction(0)
    found: dict[str, list[Fraction]] = {name: [] for name in case["expected"]}
    for t, batch in enumerate(case["batches"]):
        records = [(Fraction(k), Fraction(q)) for k, q in batch]
        changes = [eta[t] * (k * x - q) - last_weight * (k * before - q) for k, q in records]
        change = sum(max(-bound, min(bound, one)) for one in changes) / len(changes)
        g += change
        gradient, last_weight, before = g / eta[t], eta[t], x
        z = max(low, min(high, z - eta[t] * gradient / (divisor * beta) + part * noise[t]))
        y = max(low, min(high, x - gradient / beta + noise[t] / eta[t]))
        coupling = eta[t + 1] / sum(eta[: t + 2])
        x = (1 - coupling) * y + coupling * z
        for name, value in zip(found, (change, g, g - beta * noise[t], gradient, y, z, x), strict=True):
            found[name].append(value)
    return found


@pytest.mark.parametrize("case", VECTORS["cases"], ids=lambda case: case["name"])
def test_the_trajectories_of_the_vectors(case: dict[str, Any]) -> None:
    found = run_exactly(case)
    assert {name: [str(v) for v in values] for name, values in found.items()} == case["expected"]
    assert len(case["step_weights"]) == len(case["batches"]) + 1 == len(case["noise"]) + 1


def test_only_the_printed_z_step_is_a_function_of_the_noisy_prefix_sums() -> None:
    """z_{t+1} - z_t = -ghat_t/beta without active projection; not with z_divisor 2 nor with z_noise 0."""
    for case in VECTORS["cases"]:
        printed = case["z_divisor"] == case["z_noise"] == "1"
        if case["interval"] not in (None, ["-10", "10"]) or not any(map(Fraction, case["noise"])):
            continue
        z, released = ([Fraction(v) for v in case["expected"][name]] for name in ("z", "noisy_prefix_sums"))
        moves = [after - before for before, after in zip([Fraction(0), *z], z, strict=False)]
        assert (moves == [-g / Fraction(case["scaling"]) for g in released]) == printed


def test_the_constant_by_hand() -> None:
    by_hand = 4 * math.sqrt(2) * math.log2(1e4) ** 1.5 * math.sqrt(math.log(2e10)) * math.log(2.5e6)
    assert dp_constant(10**4, 1e-6) == pytest.approx(by_hand)
    assert dp_constant(10**4, 1e-6, "e") == pytest.approx(by_hand * math.log(2) ** 1.5)
    assert dp_constant(10**4) == pytest.approx(dp_constant(10**4, 1e-4))


def test_p1_by_hand() -> None:
    made, c = interior(LARGE), dp_constant(10**7, 1e-8)
    assert made.steps == round(c * 10**1.75)
    assert made.batch == 10**7 // made.steps == 2
    assert made.unused == 10**7 - 2 * made.steps
    beta = c**2 * 2.0 * max(1.0, math.sqrt(40) / (0.5 * math.sqrt(1e7))) / 3.0
    assert made.scaling == pytest.approx(beta)
    assert made.noise_bound == pytest.approx(c**2 * 2.0 * math.sqrt(40) / (0.5 * 2 * beta))
    sigma = c * 2.0 * math.sqrt(math.log2(made.steps) * math.log(2.5e8)) / (0.5 * 2 * beta)
    assert made.node_noise == pytest.approx(sigma)
    assert made.clip_norm == pytest.approx(c * 2.0)
    assert (made.failure, made.name) == (2.5e-9, "P1")
    assert [words.split(" ")[0] for words in made.violated] == ["c_DP"]
    assert made.printed_steps * made.printed_batch == pytest.approx(1e7)
    assert made.gradients == 2 * (2 * made.steps) - 2


def test_p1_promises_less_than_it_claims() -> None:
    made = interior(LARGE)
    assert made.claimed == ApproximateDP(0.5, 1e-8)
    nodes = 1 + math.floor(math.log2(made.steps))
    assert made.release().largest_mu == pytest.approx(
        claimed_mu(0.5, 1e-8) * math.sqrt(2 * nodes / math.log2(made.steps))
    )
    assert made.release().delta(0.5) > 4 * 1e-8
    promise = made.promise
    assert isinstance(promise.mechanism, Gaussian)
    assert promise.neighbours is Neighbours.ZERO_OUT
    assert promise.mechanism.noise_multiplier == pytest.approx(1 / made.release().largest_mu)
    doubled = made.release(Neighbours.REPLACE_ONE).promise.mechanism
    assert isinstance(doubled, Gaussian)
    assert doubled.noise_multiplier == pytest.approx(promise.mechanism.noise_multiplier / 2)


def test_p1_scaled_is_p1_with_another_constant() -> None:
    """Equal where kappa is c_DP; else the same formulas."""
    c = dp_constant(10**7, 1e-8)
    same = dataclasses.replace(scaled(LARGE, c), name="P1")
    for field in dataclasses.fields(same):
        value = getattr(interior(LARGE), field.name)
        assert getattr(same, field.name) == (pytest.approx(value) if isinstance(value, float) else value)
    small = scaled(Setting(10**4, 10**5, 1.0, 1e-6, radius=0.5), 2.0)
    assert (small.steps, small.batch, small.unused) == (20, 500, 0)
    assert small.scaling == pytest.approx(4 * math.sqrt(1e5) / 100 / 0.5)
    assert small.clip_norm == 2.0
    assert small.noise_bound == pytest.approx(4 * math.sqrt(1e5) / (500 * small.scaling))
    assert small.violated[-1].startswith("|b_t| <= ")


def test_what_the_theorem_assumes_is_named() -> None:
    good = Setting(4900, 1, 1.0, 1e-4)
    assert [words.split(" ")[0] for words in scaled(good, 200.0).violated] == ["c_DP"]
    changes: list[tuple[dict[str, Any], str]] = [
        ({"delta": 3e-4}, "delta"),
        ({"dimension": 4900**2 + 1}, "p"),
        ({"smoothness": 1e5}, "beta"),
    ]
    for change, word in changes:
        assert word in [words.split(" ")[0] for words in scaled(dataclasses.replace(good, **change), 200.0).violated]


def test_whole_steps_round_halves_up() -> None:
    assert [scaled(Setting(16, 1, 1.0, 1e-3), kappa).steps for kappa in (1.2, 1.25, 1.7, 1.75)] == [2, 3, 3, 4]
    assert presets.smallest_records(1e-3, constant=1.0) == 6  # 1.5^4 = 5.0625


@pytest.mark.parametrize("log_base", ["2", "e"])
@pytest.mark.parametrize("delta", [None, 1e-6, 1e-30])
def test_the_smallest_data_sets(log_base: str, delta: float | None) -> None:
    """One record fewer does not do, and the preset agrees."""
    least = presets.smallest_records(delta, log_base)
    for records, fits in ((least, True), (least - 1, False)):
        constant = dp_constant(records, delta, log_base)
        assert (math.floor(constant * records**0.25 + 0.5) <= records) == fits
        setting = Setting(records, 3, 1.0, delta or 1 / records, log_base=log_base)
        if fits:
            made = interior(setting)
            assert (made.batch, made.steps <= records) == (1, True)
        else:
            with pytest.raises(ConfigurationError, match="P1 needs T from 2 to n, got T = "):
                interior(setting)
    bounded = presets.smallest_records(delta, log_base, condition="noise bound")
    assert dp_constant(bounded, delta, log_base) == pytest.approx(bounded**0.25)
    assert 10**21 < bounded < 10**27
    violated = interior(Setting(2 * bounded, 3, 1.0, delta or 0.4 / bounded, log_base=log_base)).violated
    assert [words.split(" ")[0] for words in violated] == (["delta"] if delta == 1e-6 else [])


def test_known_smallest_data_sets() -> None:
    """Golden values: P1 has a record per batch from 1.5 million on, and b_max <= R from 8e25 on."""
    assert presets.smallest_records() == 1_505_838
    assert presets.smallest_records(log_base="e") == 540_531
    assert presets.smallest_records(condition="noise bound") == 80610543201306240282809788


def test_p2_by_hand() -> None:
    made = general(Setting(10**4, 5, 0.8, 1e-6, lipschitz=2.0, radius=3.0, smoothness=0.5), 50)
    c_m = 0.5 * 3 / 2
    assert (made.steps, made.batch, made.name) == (200, 50, "P2")
    beta = (16 * c_m + 8) * 2.0 * 1e6 / (3.0 * 2500)
    assert made.scaling == pytest.approx(beta)
    assert made.scaling >= 2 * 0.5 * made.steps
    logs = math.sqrt(math.log2(200) * math.log(2.5e6))
    assert made.node_noise == pytest.approx(
        (16 * math.sqrt(2) * c_m + 8 * math.sqrt(2)) * 2.0 * logs / (0.8 * 50 * beta)
    )
    assert made.clip_norm == pytest.approx((8 * c_m + 4) * 2.0)
    mu = 0.8 / math.sqrt(2 * math.log(2.5e6))
    bound = 4 * made.clip_norm / (50 * beta) * math.log2(200) ** 1.5 * math.sqrt(5 * math.log(4e8)) / mu
    assert made.noise_bound == pytest.approx(bound)
    assert made.release().largest_mu < claimed_mu(0.8, 1e-6)
    assert made.release().delta(0.8) < 1e-6
    largest = general(Setting(10**4 + 3, 5, 0.8, 1e-6))
    assert (largest.batch, largest.steps, largest.unused) == (100, 100, 3)


def test_where_p2_clips_nothing() -> None:
    """The limit on p of corollary 5.10, and not the one of lemma 5.6, which is 16 times as strict."""
    setting = Setting(4900, 7, 1.0, 1e-6)
    made = general(setting)
    printed = (made.batch * made.scaling) ** 2 / (32 * math.log2(70) ** 3 * math.log(140e6) * math.log(2.5e6))
    assert largest_dimension(made) == pytest.approx(printed)
    for dimension, words in ((1, 0), (math.floor(printed), 0), (math.floor(printed) + 1, 1)):
        assert len(general(dataclasses.replace(setting, dimension=dimension)).violated) == words
    kept = general(dataclasses.replace(setting, dimension=math.floor(printed)))
    allowed = made.clip_norm / (4 * setting.smoothness)
    exact = noise_bound(kept.node_noise, kept.steps, kept.setting.dimension, setting.delta / 2)
    assert exact <= allowed < kept.noise_bound


def test_p3_has_the_least_noise() -> None:
    setting = Setting(10**4, 5, 0.8, 1e-6, smoothness=2.0)
    inside, outside = (informal(setting, 50, 3.0, inside, 1.5) for inside in (True, False))
    assert (inside.scaling, outside.scaling) == (3.0, pytest.approx(3.0 * 400))
    assert informal(setting, 200, 3.0, False).scaling == pytest.approx(2.0 * 50)
    assert informal(setting, 3000, 3.0, True).unused == 1000
    for made in (inside, outside):
        assert (made.steps, made.unused) == (200, 0)
        assert made.node_noise == node_noise_needed(200, 50, 3.0, made.scaling, 0.8, 1e-6)
        assert made.release().largest_mu == pytest.approx(enclosed_mu(0.8, 1e-6).lower)
        assert made.release().delta(0.8) <= 1e-6


def test_what_a_run_reads() -> None:
    made = scaled(Setting(10**4, 3, 1.0, 1e-6), 2.0)
    assert made.step_weights.tolist() == list(range(1, 22))
    weights = made.step_weights
    assert made.couplings == pytest.approx(weights / np.cumsum(weights))
    noise = prefixes_from_nodes(made.node_noise * np.random.default_rng(3).normal(size=(2, made.steps, 3)))
    assert noise.shape == (2, 20, 3)


def test_units() -> None:
    """Scaling of the objective and of lengths: T, B and the promise stay; beta, noise and clipping scale."""
    for make in (lambda s: scaled(s, 3.0), general, lambda s: informal(s, 20, 2 * s.lipschitz, False)):
        one = make(Setting(10**4, 6, 0.7, 1e-6))
        other = make(Setting(10**4, 6, 0.7, 1e-6, lipschitz=6.0, radius=5.0, smoothness=1.2))
        assert (other.steps, other.batch) == (one.steps, one.batch)
        assert other.scaling == pytest.approx(1.2 * one.scaling)
        assert other.node_noise == pytest.approx(5 * one.node_noise)
        assert other.noise_bound == pytest.approx(5 * one.noise_bound)
        assert other.clip_norm == pytest.approx(6 * one.clip_norm)
        assert other.release().largest_mu == pytest.approx(one.release().largest_mu)


def test_the_two_norms_of_a_set() -> None:
    shifted = domains.ball(2.0, (3.0, 4.0))
    assert presets.set_norm(shifted) == 4.0
    assert presets.set_norm(shifted, "radius") == 7.0
    with pytest.raises(ConfigurationError, match="the norm of the domain must be finite"):
        presets.set_norm(domains.EVERYTHING)
    with pytest.raises(ConfigurationError, match="norm_of_set must be one of 'diameter', 'radius'"):
        presets.set_norm(shifted, "width")


def test_infeasible_presets_name_what_works() -> None:
    with pytest.raises(ConfigurationError, match="take records >= 1425255 or the scaled preset"):
        interior(Setting(10**5, 10, 1.0, 1e-6))
    with pytest.raises(ConfigurationError, match="take records >= 6 or another constant"):
        scaled(Setting(2, 10, 1.0, 1e-6), 1.0)
    with pytest.raises(ConfigurationError, match="T = 60 for n = 16 and the constant 30; take records >= 93 or"):
        scaled(Setting(16, 10, 1.0, 1e-6), 30.0)
    assert scaled(Setting(93, 10, 1.0, 1e-6), 30.0).batch == 1
    with pytest.raises(ConfigurationError, match="batch must be from 1 to 100, got 101"):
        general(Setting(10**4, 10, 1.0, 1e-6), 101)
    with pytest.raises(ConfigurationError, match="P2 needs 2 steps, so 2 records or more, got 1"):
        general(Setting(1, 10, 1.0, 1e-6))
    with pytest.raises(ConfigurationError, match=r"smoothness_constant must be at least 6\.0, got 5\.0"):
        Setting(100, 10, 1.0, 1e-6, radius=3.0, smoothness=2.0, smoothness_constant=5.0)
    with pytest.raises(ConfigurationError, match=r"constant must be at least 1\.0, got 0\.5"):
        scaled(Setting(100, 10, 1.0, 1e-6), 0.5)
    with pytest.raises(ConfigurationError, match="take a smaller constant"):
        presets.smallest_records(1e-6, constant=1e200, condition="noise bound")
    with pytest.raises(ConfigurationError, match=r"smoothness must be above 0\.0"):
        informal(Setting(100, 10, 1.0, 1e-6, smoothness=0.0), 10, 1.0, True)
