"""Exact moments of linear recursions against closed forms and enumeration."""

from fractions import Fraction
from itertools import product

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from second_moments import Moments, Recursion, matrix

SETTINGS = settings(derandomize=True, deadline=None, database=None, max_examples=30)
SMALL = st.fractions(min_value=-2, max_value=2, max_denominator=5)


def enumerated(maps, noises, start, steps):
    """Moments by walking every path: the noise takes each of `noises` with equal chance."""
    ends = []
    for path in product(product(maps, noises), repeat=steps):
        x = list(start)
        for (a, b), noise in path:
            x = [sum(a[i][k] * x[k] for k in range(len(x))) + b[i] + noise[i] for i in range(len(x))]
        ends.append(x)
    size = range(len(start))
    mean = tuple(sum(x[i] for x in ends) / len(ends) for i in size)
    return Moments(mean, tuple(tuple(sum(x[i] * x[j] for x in ends) / len(ends) for j in size) for i in size))


@SETTINGS
@given(st.lists(SMALL, min_size=14, max_size=14), st.integers(0, 2))
def test_every_path_gives_the_same_moments(entries, steps):
    e = iter(entries)
    maps = tuple((((next(e), next(e)), (next(e), next(e))), (next(e), next(e))) for _ in range(2))
    u = (next(e), next(e))
    noises = (u, tuple(-x for x in u))
    covariance = tuple(tuple(x * y for y in u) for x in u)
    start = (Fraction(1), Fraction(-1, 2))
    assert Recursion(maps, covariance).run(start, steps) == enumerated(maps, noises, start, steps)


def test_gradient_descent_with_noise_has_a_geometric_sum():
    recursion = Recursion(((matrix([["9/10"]]), (Fraction(0),)),), matrix([["1/4"]]))
    found = recursion.run([Fraction(2)], 7)
    rate = Fraction(81, 100)
    assert found.mean == (2 * Fraction(9, 10) ** 7,)
    assert found.second == ((4 * rate**7 + Fraction(1, 4) * (1 - rate**7) / (1 - rate),),)
    assert found.quadratic(matrix([[1]]), (Fraction(3),)) == found.second[0][0] + 3 * found.mean[0]


@pytest.mark.parametrize(
    "build",
    [
        lambda: Recursion((), matrix([[1]])),
        lambda: Recursion(((matrix([[1, 0]]), (Fraction(0),)),), matrix([[1]])),
        lambda: Recursion(((matrix([[1]]), (Fraction(0),) * 2),), matrix([[1]])),
        lambda: Recursion(((matrix([[1]]), (Fraction(0),)),), matrix([[1]])).run([Fraction(0)], -1),
        lambda: matrix([[0.1]]),
    ],
)
def test_shapes_and_floats_are_refused(build):
    with pytest.raises(ValueError, match=r"must|need|exact"):
        build()
