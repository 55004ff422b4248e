"""Every estimator file keeps the contract of `dpaudit.estimators.bound`: found by name, tried at the edges."""

from __future__ import annotations

import importlib
import math
import pkgutil
from typing import Any

import numpy as np
import pytest

import dpaudit.estimators
from dpaudit.estimators.bound import Bound
from dpaudit.records.errors import ContentError

DELTA, ALPHA = 1e-5, 0.05
INF = math.inf


def estimators() -> list[Any]:
    """The modules with all names of the contract; a module with only some of them is a mistake."""
    names = ("NAME", "ASSUMES", "COVERS", "SOURCE", "lower_bound")
    found = []
    for item in pkgutil.iter_modules(dpaudit.estimators.__path__):
        module = importlib.import_module(f"dpaudit.estimators.{item.name}")
        has = [hasattr(module, name) for name in names]
        if has[-1]:
            assert all(has), f"{item.name} lacks {[n for n, h in zip(names, has, strict=True) if not h]}"
            found.append(module)
    return found


ALL = estimators()
each = pytest.mark.parametrize("module", ALL, ids=lambda m: m.__name__.rpartition(".")[2])
covering = pytest.mark.parametrize("module", [m for m in ALL if m.COVERS], ids=lambda m: m.__name__.rpartition(".")[2])


def bound(module: Any, positive: Any, negative: Any, alpha: float = ALPHA, seed: int = 1) -> Bound:
    """The bound, with its ranges checked."""
    found = module.lower_bound(positive, negative, DELTA, alpha, np.random.default_rng(seed))
    assert isinstance(found, Bound)
    assert 0 <= found.epsilon_lower <= INF
    assert 0 <= found.mu_lower <= INF
    assert found.alpha == alpha
    assert all(0 <= f <= 1 and 0 <= t <= 1 for f, t in found.region)
    return found


def test_there_are_estimators() -> None:
    assert len(ALL) >= 5


@each
def test_it_says_what_it_is(module: Any) -> None:
    assert module.NAME
    assert module.SOURCE
    assert isinstance(module.ASSUMES, str)
    assert isinstance(module.COVERS, bool)


@covering
@pytest.mark.parametrize(("positive", "negative"), [(0, 0), (0, 1), (1, 0), (0, 50), (50, 0), (1, 1)])
def test_without_trials_nothing_is_said(module: Any, positive: int, negative: int) -> None:
    found = bound(module, np.ones(positive), np.zeros(negative))
    assert (found.epsilon_lower, found.mu_lower) == (0.0, 0.0)


@each
@pytest.mark.parametrize(("trials", "others"), [(2, 2), (9, 10), (10, 9), (2, 40), (40, 2)])
def test_few_trials_are_no_exception(module: Any, trials: int, others: int) -> None:
    """Around the sizes from which on a trial of a side is held out."""
    found = bound(module, np.linspace(0.5, 1, trials), np.linspace(-1, 0, others))
    assert 0.0 <= found.epsilon_lower < INF
    assert 0.0 <= found.mu_lower < INF


@covering
@pytest.mark.parametrize("value", [0.0, 3.5, INF, -INF])
def test_equal_scores_say_little(module: Any, value: float) -> None:
    found = bound(module, np.full(400, value), np.full(400, value))
    assert found.epsilon_lower < 0.7
    assert found.mu_lower < 0.7


@pytest.mark.parametrize(
    "module", [m for m in ALL if m.COVERS and "normal" not in m.ASSUMES], ids=lambda m: m.__name__.rpartition(".")[2]
)
def test_separated_scores_say_what_the_number_of_trials_allows(module: Any) -> None:
    """Rates below 3/n and above 1 - 3/n cannot be told from 0 and 1 at 95 %: epsilon is at most about log(n/3)."""
    for low, high in ((0.0, 1.0), (-INF, INF)):
        found = bound(module, np.full(500, high), np.full(500, low))
        assert 0.3 * math.log(500 / 3) < found.epsilon_lower < 1.2 * math.log(500)


@each
def test_nan_and_wrong_shapes_are_refused(module: Any) -> None:
    good = np.linspace(0, 1, 30)
    for bad in (np.where(good > 0.5, math.nan, good), good.reshape(5, 6)):
        for pair in ((bad, good), (good, bad)):
            with pytest.raises(ContentError):
                bound(module, *pair)


@each
def test_wrong_levels_are_refused(module: Any) -> None:
    scores = np.linspace(0, 1, 30)
    for delta, alpha in ((DELTA, 0.0), (DELTA, 1.0), (DELTA, math.nan), (-0.1, ALPHA), (1.0, ALPHA), (math.nan, ALPHA)):
        with pytest.raises(ContentError):
            module.lower_bound(scores, scores, delta, alpha, np.random.default_rng(1))


@each
def test_pure_dp_is_refused_by_name_or_bounded(module: Any) -> None:
    """At delta 0 the laws of the two sides differ by epsilon 1 at most."""
    rng = np.random.default_rng(5)
    positive, negative = (rng.random((2, 400)) < np.array([[math.e], [1.0]]) / (1 + math.e)).astype(float)
    try:
        right = 0.0 < module.lower_bound(positive, negative, 0.0, 1e-6, rng).epsilon_lower <= 1.0
    except ContentError as refused:
        right = "pure DP" in str(refused)
    assert right


@each
def test_equal_seeds_give_equal_bounds_and_inputs_stay(module: Any) -> None:
    rng = np.random.default_rng(3)
    positive, negative = rng.normal(1, 1, 220), rng.normal(0, 1, 220)
    kept = positive.copy(), negative.copy()
    assert bound(module, positive, negative, seed=7) == bound(module, positive, negative, seed=7)
    assert np.array_equal(positive, kept[0])
    assert np.array_equal(negative, kept[1])


@pytest.mark.deep(keep=6)
@covering
@pytest.mark.parametrize("seed", range(2))
def test_the_truth_is_not_exceeded_at_a_tiny_level(module: Any, seed: int) -> None:
    """False alarm 1e-9 for each bound: the Laplace mechanism of epsilon 1 has mu <= 1.04 (at its centre)."""
    rng = np.random.default_rng(seed)
    found = bound(module, rng.laplace(1, 1, 700), rng.laplace(0, 1, 700), alpha=1e-9, seed=seed)
    assert found.epsilon_lower <= 1.0
    assert found.mu_lower <= 1.04
