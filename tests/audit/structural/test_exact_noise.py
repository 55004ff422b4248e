"""Exact zeros in noise, and noise of a coarse type."""

from __future__ import annotations

import math

import numpy as np
import pytest
from recordings import recording

from dpaudit.audit.structural.checks import noise_law, outputs
from dpaudit.audit.structural.exact_noise import bare_coordinate, coarse_noise, grid
from dpaudit.audit.structural.recording import Recording, Release
from dpaudit.records.verdict import Outcome

RNG = np.random.default_rng(3)


def one(statistic: np.ndarray, noise: np.ndarray, scale: float = 1.0) -> Recording:
    return recording({"statistic": statistic, "noise": noise, "noise_scale": scale})


def release(statistic: np.ndarray, noise: np.ndarray, scale: float = 1.0) -> Release:
    return one(statistic, noise, scale).releases[0]


def test_a_coordinate_that_has_no_noise_on_one_side_and_moves_is_refuted() -> None:
    noise = RNG.normal(size=4)
    bare = np.where(np.arange(4) == 2, 0.0, noise)
    first, second = np.array([3.0, 4.0, 0.0, 5.0]), np.array([3.0, 4.0, 1.0, 5.0])
    found = outputs.check([("added", one(first, bare), one(second, noise))])
    assert found.outcome is Outcome.REFUTED
    assert dict(found.numbers)["coordinate"] == 2
    assert bare_coordinate(release(first, bare), release(second, noise), inferred=True) is None
    assert bare_coordinate(release(first, bare), release(second, bare), inferred=True) == (2, 1.0)
    assert bare_coordinate(release(first, bare), release(first, bare)) is None, "what is 0 on both is public"


def test_zeros_that_may_be_chance_are_not_accused() -> None:
    first, second, whole = np.zeros(50), np.ones(50), np.rint(5 * RNG.normal(size=50))
    assert (whole == 0).any()
    assert bare_coordinate(release(first, whole, 5.0), release(second, whole, 5.0)) is None, "whole numbers"
    single = RNG.normal(size=50).astype(np.float32)
    single[0] = 0.0
    large = 1e4 * first.astype(np.float32)
    assert bare_coordinate(release(large, single), release(large + 1, single)) is None, "one zero in single precision"


def test_the_grid_of_numbers() -> None:
    assert grid(np.array([3.0, 0.0, 0.75])) == 0.25
    assert grid(np.array([8.0, 24.0])) == 8.0
    assert grid(np.zeros(3)) == math.inf


@pytest.mark.parametrize("kind", ["float16", "bfloat16"])
@pytest.mark.parametrize("precision", [np.float32, np.float64])
def test_noise_of_a_coarse_type_is_refuted_on_a_finer_statistic(kind: str, precision: type) -> None:
    noise = RNG.normal(size=100).astype(np.float32)
    coarse = noise.astype(np.float16) if kind == "float16" else (noise.view(np.uint32) & 0xFFFF0000).view(np.float32)
    statistic = (1e-3 * RNG.normal(size=100)).astype(precision)
    found = noise_law.check(one(statistic, coarse.astype(precision)), 1e-6)
    assert found.outcome is Outcome.REFUTED
    assert kind in found.detail
    assert coarse_noise([one(statistic, noise.astype(precision))]) is None
    assert coarse_noise([one(coarse.astype(precision), coarse.astype(precision))]) is None, "all in half precision"
    assert coarse_noise([one(statistic[:63], coarse[:63].astype(precision))]) is None, "too few"


def test_whole_noise_on_whole_counts_is_not_accused() -> None:
    assert coarse_noise([one(np.full(100, 50_001.0), np.rint(100 * RNG.normal(size=100)), 100.0)]) is None
