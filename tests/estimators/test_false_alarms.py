"""A slice of the validity table in every run of the tests: audits of each estimator at its tightest laws.

The full table is `docs/validity.md`, by benchmarks/validity.py. False alarm of this test: 1e-7 for each count.
"""

from __future__ import annotations

import importlib
import math
import sys
from functools import cache
from pathlib import Path
from types import ModuleType
from typing import Any

import numpy as np
import pytest
from depth import repeats
from scipy.stats import binom

from dpaudit.accounting.epsilon import gaussian_epsilon
from dpaudit.estimators import one_run, one_run_fdp, rank_test, simultaneous_band
from dpaudit.estimators.betting import BettingTest
from dpaudit.records.privacy import ApproximateDP

AUDITS, TRIALS, CANARIES = repeats(200, 500), 60, 60
FEWER_AUDITS = {"betting": repeats(20, 50), "rank_test": repeats(15, 30)}
"""Their inversions take long; their decisions about a claim that is kept with equality are counted instead."""
AT_CLAIM = ApproximateDP(1.0, 1e-5)
TIGHT = ("no signal, Gaussian", "randomised response, epsilon 1")


@cache
def validity() -> ModuleType:
    """benchmarks/validity.py, which is no part of the package."""
    sys.path.insert(0, str(Path(__file__).parents[2] / "benchmarks"))
    try:
        return importlib.import_module("validity")
    finally:
        del sys.path[0]


def estimators() -> dict[str, ModuleType]:
    """All that claim coverage."""
    every = {**validity().estimators(), "one_run": one_run, "one_run_fdp": one_run_fdp}
    return {name: module for name, module in every.items() if module.COVERS}


def cases() -> list[tuple[str, str]]:
    """Each estimator with its tightest laws; the conditional number with those that meet its assumption."""
    normal = ("no signal, Gaussian", "Gaussian, (1, 1e-5)")
    return [(name, law) for name in estimators() for law in (normal if name == "conditional_gaussian" else TIGHT)]


@pytest.mark.deep(keep=6)
@pytest.mark.parametrize(("name", "law"), cases())
def test_bounds_exceed_the_truth_no_more_often_than_stated(
    name: str, law: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(simultaneous_band, "_local_error", validity().shared(simultaneous_band._local_error))
    (chosen,) = (known for known in validity().laws() if known.name == law)
    size = CANARIES if name.startswith("one_run") else TRIALS
    audits = FEWER_AUDITS.get(name, AUDITS)
    found = validity().row(name, estimators()[name], chosen, size, range(audits), seconds=math.inf)
    allowed = binom.isf(1e-7, audits, validity().ALPHA)
    assert found["audits"] == audits
    assert found["epsilon_exceeded"] <= allowed
    assert found["mu_exceeded"] <= allowed


def bet(positive: Any, negative: Any, rng: np.random.Generator) -> bool:
    test = BettingTest((AT_CLAIM,), validity().ALPHA)
    test.update(positive, negative)
    return bool(test.refuted[0])


def rank(positive: Any, negative: Any, rng: np.random.Generator) -> bool:
    return rank_test.p_value(positive, negative, AT_CLAIM, rng) <= float(validity().ALPHA)


@pytest.mark.deep(keep=1)
@pytest.mark.parametrize("refutes", [bet, rank])
@pytest.mark.parametrize("kept", [True, False])
def test_a_claim_that_is_kept_with_equality_is_refuted_no_more_often_than_stated(refutes: Any, kept: bool) -> None:
    """Audits of the Laplace mechanism at its claim; with half of its scale two in five are refuted, or more."""
    audits, refuted = AUDITS if kept else repeats(50, 100), 0
    for seed in range(audits):
        rng = np.random.default_rng([seed, 17])
        scale = 1.0 if kept else 0.5
        refuted += refutes(rng.laplace(1, scale, TRIALS), rng.laplace(0, scale, TRIALS), rng)
    assert (refuted <= binom.isf(1e-7, audits, validity().ALPHA)) if kept else (refuted >= 0.4 * audits)


def test_the_truths_of_the_laws() -> None:
    """Against closed forms: Laplace and Gaussian as location pairs on the grid."""
    laws = importlib.import_module("score_laws")
    laplace = laws.location("laplace", None, 1.0, lambda x: np.exp(-abs(x)) / 2, 60)
    normal = laws.location("normal", None, 1.0, lambda x: np.exp(-x * x / 2) / np.sqrt(2 * np.pi), 30)
    known = {law.name: law for law in laws.laws()}
    assert laplace.epsilon == pytest.approx(known["Laplace, epsilon 1"].epsilon, abs=1e-3)
    assert laplace.mu == pytest.approx(known["Laplace, epsilon 1"].mu, abs=1e-3)
    assert normal.epsilon == pytest.approx(gaussian_epsilon(1e-5, 1.0), abs=1e-3)
    assert normal.mu == pytest.approx(1.0, abs=1e-3)
    density = laws.laplace_sum(np.linspace(-60, 60, 200_001), 5)
    assert density.sum() * 120 / 200_000 == pytest.approx(1.0, abs=1e-6)
    assert laws.laplace_sum(np.array([0.7]), 1)[0] == pytest.approx(np.exp(-0.7) / 2)
