"""The two sequential tests that are compared, and the least number of pairs beside them."""

from __future__ import annotations

import math

import numpy as np
import pytest
import sequential
from scipy.optimize import minimize
from scipy.stats import laplace, norm

from dpaudit.records.privacy import ApproximateDP


def test_the_kernel_has_the_gains_of_a_sum_over_all_pairs_before() -> None:
    """Against the witness written out as a list of weights, step by step."""
    rng = np.random.default_rng(3)
    positive, negative = rng.normal(0.5, 1, 40), rng.normal(0, 1, 40)
    weights: list[float] = []
    moments: list[float] = []
    growths: list[float] = []
    for place, gain in enumerate(sequential.witness_gains(positive, negative)):

        def far(a: float, b: float) -> float:
            return math.exp(-((a - b) ** 2) / 2)

        x, y = positive[place], negative[place]
        expected = sum(
            weight * (far(u, x) - far(u, y) - far(v, x) + far(v, y)) / (2 * math.sqrt(moment))
            for weight, moment, u, v in zip(weights, moments, positive, negative, strict=False)
        )
        assert gain == pytest.approx(expected, abs=1e-12)
        step = 2 - 2 * far(x, y)
        moments.append((moments[-1] if moments else 0.0) + step)
        growths.append(gain / math.sqrt(moments[-1]) + step / (4 * moments[-1]))
        size = sum(g * w**2 for g, w in zip(growths, [*weights, 1.0], strict=True))
        shrink = min(1.0, 1 / (2 * math.sqrt(size))) if size > 0 else 1.0
        weights = [w * shrink for w in [*weights, 1.0]]


def test_the_least_entropy_is_that_to_the_middle_where_nothing_may_differ() -> None:
    """At epsilon 0 both laws of the claim are one, and the closest is the mean of the two."""
    laws = norm(1.0, 1.0), norm(0.0, 1.0)
    grid = np.linspace(-9, 10, 200_001)
    p, q = (law.pdf(grid) for law in laws)
    middle = (p + q) / 2
    expected = float(np.trapezoid(p * np.log(p / middle) + q * np.log(q / middle), grid))
    found = sequential.least_entropy(sequential.Audited("", laws, ApproximateDP(0.0, 0.0)))
    assert found == pytest.approx(expected, rel=1e-5)


@pytest.mark.parametrize("epsilon", [0.1, 0.5])
def test_the_least_entropy_is_what_a_solver_finds(epsilon: float) -> None:
    """Over all pairs of laws on five points, with the constraints of the claim."""
    p, q = np.array([0.4, 0.3, 0.1, 0.1, 0.1]), np.array([0.02, 0.08, 0.2, 0.3, 0.4])
    bound = math.exp(epsilon)

    def loss(laws: np.ndarray) -> float:
        return float((p * np.log(p / laws[:5])).sum() + (q * np.log(q / laws[5:])).sum())

    rules = [
        {"type": "eq", "fun": lambda laws: laws[:5].sum() - 1},
        {"type": "eq", "fun": lambda laws: laws[5:].sum() - 1},
        {"type": "ineq", "fun": lambda laws: bound * laws[5:] - laws[:5]},
        {"type": "ineq", "fun": lambda laws: bound * laws[:5] - laws[5:]},
    ]
    found = minimize(loss, np.full(10, 0.2), bounds=[(1e-9, 1)] * 10, constraints=rules, method="SLSQP", tol=1e-12)
    assert found.success
    assert sequential.entropy_to_claim(p, q, epsilon) == pytest.approx(found.fun, rel=1e-6)


def test_the_least_entropy_of_a_claim_that_is_kept_is_zero() -> None:
    laws = laplace(1.0, 1.0), laplace(0.0, 1.0)
    assert sequential.least_entropy(sequential.Audited("", laws, ApproximateDP(1.0, 0.0))) == pytest.approx(0, abs=1e-9)


def test_both_tests_refute_a_broken_claim_and_keep_a_true_one() -> None:
    """The kept claim is refuted in one of 20 audits at most, for either test; the seed is fixed."""
    broken, kept = (next(one for one in sequential.audited() if one.name.startswith(name)) for name in ("Gau", "kept"))
    positive, negative = broken.draw(np.random.default_rng(1))
    assert 0 < sequential.bets(positive, negative, broken.claim) < 300
    assert 0 < sequential.kernel_bets(positive, negative, broken.claim) < 600
    positive, negative = kept.draw(np.random.default_rng(1))
    assert sequential.bets(positive, negative, kept.claim) == 0
    assert sequential.kernel_bets(positive, negative, kept.claim) == 0


@pytest.mark.parametrize(("mean", "records", "epsilon"), [(0.0, 1, 0.1), (0.5, 2, 0.01), (0.5, 2, 1.0)])
def test_the_density_is_that_of_the_draws(mean: float, records: int, epsilon: float) -> None:
    """Two probabilities, by 100,000 draws each; false alarm of this test below 1e-6: 5.5 standard deviations."""
    law, draws = sequential.NoisyCount(mean, records, epsilon), 100_000
    outputs = law.rvs(draws, np.random.default_rng(0))
    points = np.linspace(mean - 3, mean + 3, 60_001)
    near = law.pdf(points).sum() * (points[1] - points[0])
    for found, expected in (
        (np.abs(outputs - mean) < 1e-9, law.exact),
        ((np.abs(outputs - mean) >= 1e-9) & (np.abs(outputs - mean) < 3), near),
    ):
        assert abs(found.mean() - expected) < 5.5 * np.sqrt(expected * (1 - expected) / draws) + 1e-6
