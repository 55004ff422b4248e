"""What is said of random vectors holds for random vectors of finite spaces, and bounds of stochastic steps follow."""

from __future__ import annotations

import numpy as np
import pytest
from at_numbers import hold

from dpaudit.claims.interpolation import smooth_convex_at
from dpaudit.claims.judge import judge
from dpaudit.claims.moments import conditional_mean, fresh, unbiased, uncorrelated
from dpaudit.claims.source import Source
from dpaudit.claims.writing import Statement, Step, real, vector
from dpaudit.records.context import Context, Level

SEED = 20261126


def held(condition, points, probability):
    """A condition, with means of dot products over a finite space in the place of `dot`; points: (outcomes, d)."""

    def dot(u, v):
        return float(probability @ (u * v).sum(axis=1))

    return hold((condition,), dot=dot, norm=lambda u: dot(u, u) ** 0.5, **points)


@pytest.mark.parametrize("seed", range(5))
def test_random_vectors_of_a_finite_space_meet_the_conditions(seed):
    """Eight outcomes; what is known is which of four pairs of them it is."""
    rng = np.random.default_rng([SEED, seed])
    probability = rng.dirichlet(np.ones(8))
    x, g = np.repeat(rng.normal(size=(4, 3)), 2, axis=0), rng.normal(size=(8, 3))
    weights = probability.reshape(4, 2, 1)
    m = np.repeat((weights * g.reshape(4, 2, 3)).sum(axis=1) / weights.sum(axis=1), 2, axis=0)
    variance = float(probability @ ((g - m) ** 2).sum(axis=1))
    points = {"x": x, "g": g, "m": m, "n": g - m, "s": variance}
    for condition in (*unbiased("g", "m", "s", "x"), *fresh("n", "s", "x", "m"), *uncorrelated("n", "x", "n")[:1]):
        assert held(condition, points, probability)
    assert not held(conditional_mean("x", "g", "m")[0], points, probability)
    assert not held(unbiased("g", "m", "s/2")[-1], points, probability)


def outcome(expression, vectors, numbers, conditions):
    statement = Statement(expression, (*map(vector, vectors.split()), *numbers), conditions)
    return judge("toy/THM-1", Step("s1", "a bound", statement), Source(), Context(7, Level.SMOKE, 1e-6)).outcome


VARIANCE = real("V", "[0, oo)")


@pytest.mark.parametrize(
    ("expected", "variance", "known"),
    [
        ("PROVED", "V", ("x",)),
        ("REFUTED", "99/100*V", ("x",)),
        ("REFUTED", "V", ()),  # a gradient that hangs on the noise
    ],
)
def test_the_variance_of_a_step_adds_up_where_the_point_is_known(expected, variance, known):
    """E|x - g|^2 = |x - m|^2 + E|g - m|^2."""
    bound = f"norm(x - g)**2 <= norm(x - m)**2 + {variance}"
    assert outcome(bound, "x g m", (VARIANCE,), unbiased("g", "m", "V", *known)) == expected


@pytest.mark.parametrize(("expected", "noise"), [("PROVED", "1/2*V"), ("INCONCLUSIVE", "2/5*V")])
def test_a_step_of_stochastic_gradient_descent_descends(expected, noise):
    """E f(x1) <= f(x0) - |m|^2/2 + V/2 for a smooth convex function at L = 1 and x1 = x0 - g."""
    conditions = (
        *smooth_convex_at("1", ("x", "m", "f"), ("x - g", "h", "e")),
        *unbiased("g", "m", "V", "x"),
    )
    found = outcome(f"e <= f - 1/2*norm(m)**2 + {noise}", "x g m h", (real("f"), real("e"), VARIANCE), conditions)
    assert found == expected or (expected, found) == ("INCONCLUSIVE", "REFUTED")


def test_noise_of_independent_steps_adds_up_in_squares():
    conditions = (*fresh("u", "V"), *fresh("v", "V"), *fresh("w", "V"), *uncorrelated("u", "v", "w"))
    assert outcome("norm(u + v + w)**2 <= 3*V", "u v w", (VARIANCE,), conditions) == "PROVED"
    assert outcome("norm(u + v + w)**2 <= 2*V", "u v w", (VARIANCE,), conditions) == "REFUTED"
    assert outcome("norm(u + v + w)**2 <= 3*V", "u v w", (VARIANCE,), conditions[:3]) == "REFUTED"
