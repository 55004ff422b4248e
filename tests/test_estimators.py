"""A slice of the validity table in every run of the tests: 500 audits of each estimator at its tightest laws.

The full table is `docs/validity.md`, by benchmarks/validity.py. False alarm of this test: 1e-7 for each count.
"""

from __future__ import annotations

import importlib.util
import math
import sys
from functools import cache
from pathlib import Path
from types import ModuleType

import pytest
from scipy.stats import binom

from dpaudit.estimators import one_run, one_run_fdp, simultaneous_band

AUDITS, FEW_AUDITS, TRIALS, CANARIES = 500, 50, 60, 100
SLOW = {"betting", "rank_test"}
"""Take over 10 ms an audit."""
TIGHT = ("no signal, Gaussian", "randomised response, epsilon 1")


@cache
def validity() -> ModuleType:
    """benchmarks/validity.py, which is no part of the package."""
    path = Path(__file__).parent.parent / "benchmarks/validity.py"
    spec = importlib.util.spec_from_file_location("validity", path)
    assert spec is not None
    assert spec.loader is not None
    module = importlib.util.module_from_spec(spec)
    sys.modules["validity"] = module
    spec.loader.exec_module(module)
    return module


def estimators() -> dict[str, ModuleType]:
    """All that claim coverage."""
    every = {**validity().estimators(), "one_run": one_run, "one_run_fdp": one_run_fdp}
    return {name: module for name, module in every.items() if module.COVERS}


def cases() -> list[tuple[str, str]]:
    """Each estimator with its tightest laws; the conditional number with those that meet its assumption."""
    normal = ("no signal, Gaussian", "Gaussian, (1, 1e-5)")
    return [(name, law) for name in estimators() for law in (normal if name == "conditional_gaussian" else TIGHT)]


@pytest.mark.parametrize(("name", "law"), cases())
def test_bounds_exceed_the_truth_no_more_often_than_stated(
    name: str, law: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(simultaneous_band, "_local_error", validity().shared(simultaneous_band._local_error))
    (chosen,) = (known for known in validity().laws() if known.name == law)
    size = CANARIES if name.startswith("one_run") else TRIALS
    audits = FEW_AUDITS if name in SLOW else AUDITS
    found = validity().row(name, estimators()[name], chosen, size, range(audits), seconds=math.inf)
    allowed = binom.isf(1e-7, audits, validity().ALPHA)
    assert found["audits"] == audits
    assert found["epsilon_exceeded"] <= allowed
    assert found["mu_exceeded"] <= allowed


def test_the_truths_of_the_laws() -> None:
    """Against closed forms: Laplace and Gaussian as location pairs on the grid."""
    import numpy as np

    from dpaudit.accounting import gaussian_epsilon

    laplace = validity().location("laplace", None, 1.0, lambda x: np.exp(-abs(x)) / 2, 60)
    normal = validity().location("normal", None, 1.0, lambda x: np.exp(-x * x / 2) / np.sqrt(2 * np.pi), 30)
    known = {law.name: law for law in validity().laws()}
    assert laplace.epsilon == pytest.approx(known["Laplace, epsilon 1"].epsilon, abs=1e-3)
    assert laplace.mu == pytest.approx(known["Laplace, epsilon 1"].mu, abs=1e-3)
    assert normal.epsilon == pytest.approx(gaussian_epsilon(1e-5, 1.0), abs=1e-3)
    assert normal.mu == pytest.approx(1.0, abs=1e-3)
    density = validity().laplace_sum(np.linspace(-60, 60, 200_001), 5)
    assert density.sum() * 120 / 200_000 == pytest.approx(1.0, abs=1e-6)
    assert validity().laplace_sum(np.array([0.7]), 1)[0] == pytest.approx(np.exp(-0.7) / 2)
