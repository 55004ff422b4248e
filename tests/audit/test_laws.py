"""Laws with a known epsilon: against closed forms, other enclosures and draws; both orders; delta 0."""

from __future__ import annotations

import math

import numpy as np
import pytest

from dpaudit.accounting.epsilon import epsilon_bounds, gaussian_epsilon
from dpaudit.audit import laws
from dpaudit.audit.laws import Law
from dpaudit.records.mechanism import Laplace
from dpaudit.records.privacy import Neighbours

DELTAS = (0.0, 1e-5, 0.1)
DRAWS = 200_000


def law(name: str, delta: float) -> Law:
    return next(one for one in laws.known_laws(delta) if one.name == name)


@pytest.mark.deep(keep=1)
@pytest.mark.parametrize("delta", DELTAS)
@pytest.mark.parametrize("order", [(True, False), (False, True)], ids=["first", "second"])
def test_no_event_shows_more_than_the_epsilon(delta: float, order: tuple[bool, bool]) -> None:
    """Thresholds from 200,000 draws, in both directions: six standard errors above nothing."""
    for one in laws.known_laws(delta):
        rng = np.random.default_rng(7)
        first, second = (_finite(one.draw(rng, DRAWS, side)) for side in order)
        signs = (1, -1)
        for sign in signs:
            x, y = sign * first, sign * second
            thresholds = np.unique(np.quantile(np.concatenate([x, y]), np.linspace(0, 0.999, 200))) - 1e-12
            hits, alarms = ((values[:, None] > thresholds).mean(axis=0) for values in (x, y))
            excess = hits - math.exp(one.epsilon) * alarms
            errors = np.sqrt((hits + math.exp(2 * one.epsilon) * alarms + 1e-9) / DRAWS)
            assert (excess <= delta + 6 * errors).all(), one.name


@pytest.mark.deep(keep=1)
@pytest.mark.parametrize("delta", [1e-5, 0.1])
def test_some_event_shows_the_epsilon(delta: float) -> None:
    """At 0.9 of the epsilon some threshold shows more than delta, where draws can tell: at delta 0.1."""
    for one in laws.known_laws(delta) if delta == 0.1 else ():
        if one.epsilon == 0:
            continue
        rng = np.random.default_rng(8)
        x, y = (_finite(one.draw(rng, DRAWS, side)) for side in (True, False))
        thresholds = np.unique(np.quantile(np.concatenate([x, y]), np.linspace(0, 0.999, 500))) - 1e-12
        hits, alarms = ((values[:, None] > thresholds).mean(axis=0) for values in (x, y))
        assert (hits - math.exp(0.9 * one.epsilon) * alarms).max() > delta, one.name


def _finite(scores: np.ndarray) -> np.ndarray:
    """Infinities as numbers beyond all others, which quantiles can be taken of."""
    return np.clip(scores, -1e6, 1e6)


def test_closed_forms() -> None:
    bounds = epsilon_bounds(Laplace(1.0), 0.1, Neighbours.ADD_OR_REMOVE)
    assert law("Laplace, epsilon 1", 0.1).epsilon == pytest.approx(bounds.upper, abs=1e-3)
    assert law("Gaussian, mu 1", 1e-5).epsilon == pytest.approx(gaussian_epsilon(1e-5, 1.0))
    assert law("least favourable, epsilon 1", 0.1).epsilon == 1.0
    for name, epsilon in (("randomised response, epsilon 1", 1.0), ("randomised response, epsilon 4", 4.0)):
        assert law(name, 0.0).epsilon == pytest.approx(epsilon)


def test_masses_of_cells_give_the_epsilon_of_a_normal_shift() -> None:
    first, second = laws.masses(lambda x: np.exp(-x * x / 2), 1.0, 30)
    assert laws.cell_epsilon(first, second, 1e-5) == pytest.approx(gaussian_epsilon(1e-5, 1.0), abs=1e-4)
    assert laws.cell_epsilon(second, second, 1e-5) == 0.0


@pytest.mark.parametrize(
    ("name", "epsilon"), [("sum of 5 Laplace", math.sqrt(10)), ("logistic, shift 1", 1.0), ("t(10), shift 1", 1.7321)]
)
def test_at_delta_0_the_epsilon_is_the_largest_log_ratio(name: str, epsilon: float) -> None:
    assert law(name, 0.0).epsilon == pytest.approx(epsilon, abs=1e-4)


def test_no_law_without_an_epsilon() -> None:
    assert "Gaussian, mu 1" not in {one.name for one in laws.known_laws(0.0)}
    assert all(math.isfinite(one.epsilon) for delta in DELTAS for one in laws.known_laws(delta))


def test_there_are_ties_and_infinities() -> None:
    scores = law("no signal, ties and infinities", 1e-5).draw(np.random.default_rng(1), 1_000, True)
    assert set(np.unique(scores)) == {-math.inf, 0.0, 1.0, math.inf}
    told = [
        law("least favourable, epsilon 1", 0.1).draw(np.random.default_rng(1), 1_000, side) for side in (True, False)
    ]
    assert (math.inf in told[0], -math.inf in told[0]) == (True, False)
    assert (math.inf in told[1], -math.inf in told[1]) == (False, True)
