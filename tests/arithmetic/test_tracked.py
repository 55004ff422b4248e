"""Rounding bounds: never smaller than what float32 and float64 really do, and not far above it.

Every rule is held against float32 arithmetic on random numbers and against exact rationals; no chance is involved
beyond the fixed seeds, because the bound must hold for every draw.
"""

from __future__ import annotations

from collections.abc import Callable
from fractions import Fraction
from typing import Any

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from dpaudit.arithmetic.tracked import FLOOR, UNIT, Tracked, lift, track, values_of

FORMULAS: dict[str, Callable[[Any, Any], Any]] = {
    "sum": lambda a, b: a + b,
    "difference": lambda a, b: a - b,
    "cancellation": lambda a, b: (a + b) - a,
    "product": lambda a, b: a * b,
    "quotient": lambda a, b: a / (b + 3.0),
    "reversed": lambda a, b: 1.0 / (2.0 + a * a),
    "power": lambda a, b: a**2 + b**3,
    "square": lambda a, b: np.square(a) - b,
    "root": lambda a, b: np.sqrt(a * a + b * b),
    "exponential": lambda a, b: np.exp(a - b),
    "logarithm": lambda a, b: np.log(1.5 + a * a),
    "log1p": lambda a, b: np.log1p(np.exp(-np.abs(a))),
    "waves": lambda a, b: np.sin(a) * np.cos(b) + np.tanh(a),
    "sign": lambda a, b: np.sign(a) * b,
    "extrema": lambda a, b: np.minimum(a, 0.3) + np.maximum(b, a),
    "clip": lambda a, b: np.clip(a, -0.5, 0.7) * b,
    "where": lambda a, b: np.where(a > 0, a, -b),
    "total": lambda a, b: np.sum(a * b),
    "mean": lambda a, b: (a - b).mean(),
    "inner product": lambda a, b: a @ b,
    "outer": lambda a, b: (a[:, None] * b[None, :]) @ b,
    "norm": lambda a, b: b / np.linalg.norm(a),
    "running": lambda a, b: np.cumsum(a) * b,
    "pieces": lambda a, b: np.concatenate([a[1:], b[:2]]) * 2.0,
    "stacked": lambda a, b: np.stack([a, b]).sum(axis=0),
    "logistic slope": lambda a, b: -b / (1.0 + np.exp(np.minimum(a * b, 700.0))),
}


@pytest.mark.parametrize("formula", FORMULAS.values(), ids=FORMULAS)
@pytest.mark.parametrize("size", [4, 33])
def test_float32_stays_within_the_bound(formula: Callable[[Any, Any], Any], size: int) -> None:
    rng = np.random.default_rng(7)
    largest = 0.0
    for _ in range(60):
        a, b = rng.normal(size=(2, size)) * 10.0 ** rng.uniform(-3, 0.8)
        bound = formula(track(a), track(b))
        exact = formula(a, b)
        single = formula(a.astype(np.float32), b.astype(np.float32)).astype(np.float64)
        assert bound.values == pytest.approx(exact, rel=1e-12, abs=1e-300)
        allowed = bound.errors * (UNIT + 2.0**-53)
        assert (np.abs(single - exact) <= allowed).all()
        largest = max(largest, float(np.max(np.abs(single - exact) / allowed)))
    assert largest > 2e-3, "a bound that no rounding comes near says nothing"


@given(st.lists(st.tuples(st.integers(-999, 999), st.integers(-999, 999)), min_size=2, max_size=12))
@settings(max_examples=150, deadline=None)
def test_the_bound_covers_the_distance_to_the_exact_value(pairs: list[tuple[int, int]]) -> None:
    """A polynomial in rationals, exactly, against float32."""
    a, b = (np.array(column) / 7.0 for column in zip(*pairs, strict=True))
    found = (track(a) * track(b)).sum() * (track(a) - track(b)).sum()
    left = sum(Fraction(float(x)) * Fraction(float(y)) for x, y in zip(a, b, strict=True))
    exact = left * sum(Fraction(float(x)) - Fraction(float(y)) for x, y in zip(a, b, strict=True))
    x, y = a.astype(np.float32), b.astype(np.float32)
    single = float((x * y).sum(dtype=np.float32) * (x - y).sum(dtype=np.float32))
    assert abs(Fraction(single) - exact) <= Fraction(float(found.errors)) * Fraction(UNIT)


def test_plain_numbers_are_taken_as_parameters() -> None:
    assert lift(3).errors == 0.0
    assert lift(0.3).errors == pytest.approx(1.2)
    assert track(0.3).errors == pytest.approx(0.3)
    assert values_of(track([1.0, 2.0])).tolist() == [1.0, 2.0]
    assert lift(np.array([True, False])).values.tolist() == [1.0, 0.0]
    assert lift(1 << 30).errors > 0, "an integer that float32 cannot hold is rounded"


def test_a_sign_that_rounding_decides_has_no_useful_bound() -> None:
    near = track(1.0) + Tracked(-1.0, 0.0)
    assert np.sign(near).errors * UNIT >= 2
    assert np.sign(track(-2.0)).errors == 0.0


def test_of_two_numbers_that_are_far_apart_only_the_chosen_one_misses() -> None:
    assert np.minimum(track(0.5), 700.0).errors == np.maximum(track(0.5), -700.0).errors == 0.5
    assert np.clip(track(5.0), -1.0, 1.0).errors == lift(1.0).errors
    near = Tracked(1.0, 3.0)
    assert np.minimum(near, track(1.0)).errors == np.maximum(track(1.0), near).errors == 3.0, "either may be chosen"
    nearly = Tracked(1.0 + 2 * UNIT, 3.0)
    assert np.minimum(nearly, track(1.0)).errors == 3.0, "rounding may take the other one"
    apart = Tracked(1.0 + 6 * UNIT, 3.0)
    assert np.maximum(apart, track(1.0)).errors == 3.0
    assert np.minimum(apart, track(1.0)).errors == 1.0


def test_a_division_by_what_may_be_zero_has_no_bound() -> None:
    near = track(1.0) - 1.0
    assert np.isinf((1.0 / near).errors)


def test_underflow_is_covered() -> None:
    tiny = np.exp(track(-100.0))
    assert abs(float(np.exp(np.float32(-100.0))) / float(tiny.values) - 1) > 1e-3
    assert abs(float(np.exp(np.float32(-100.0))) - tiny.values) <= tiny.errors * UNIT
    assert tiny.errors >= FLOOR


@pytest.mark.parametrize("size", [1e-25, 1e-21, 3e-20, 1e-18, 1e-10])
def test_squares_and_products_that_underflow_are_covered(size: float) -> None:
    vector = size * np.arange(1.0, 51.0)
    single, found = vector.astype(np.float32), np.linalg.norm(track(vector))
    for length in (np.sqrt((single * single).sum()), np.sqrt(np.where(single**2 < 2.0**-126, 0, single**2).sum())):
        assert abs(float(length) - float(found.values)) <= found.errors * UNIT
    product = track(vector) @ track(np.full(50, 1e-19))
    flushed = np.where(single * np.float32(1e-19) < 2.0**-126, 0, single * np.float32(1e-19)).sum()
    assert abs(float(flushed) - float(product.values)) <= product.errors * UNIT
    assert np.linalg.norm(track(np.zeros(3))).errors <= FLOOR, "a zero vector is known to be one"
    assert np.linalg.norm(track(np.ones(4))).errors < 20, "at usual sizes underflow adds nothing"


def test_arrays_are_handled_as_numpy_arrays() -> None:
    a = track(np.arange(6.0).reshape(2, 3))
    assert (a.shape, a.ndim, a.size, len(a)) == ((2, 3), 2, 6, 2)
    assert a.T.shape == np.moveaxis(a, 0, 1).shape == (3, 2)
    assert np.broadcast_to(a[0], (4, 3)).shape == (4, 3)
    assert [part.shape for part in np.split(a, 2)] == [(1, 3), (1, 3)]
    assert a.reshape(3, 2).values.tolist() == np.reshape(a, (3, 2)).values.tolist()
    b = a.copy()
    b[0, 1:] = 9.0
    assert a.values[0, 1] == 1.0
    assert b.values[0].tolist() == [0.0, 9.0, 9.0]
    assert np.zeros_like(a).errors.max() == 0.0
    assert int(np.argmax(a)) == 5
    assert int(np.argmin(a)) == 0
    assert (a >= 3.0).tolist() == [[False] * 3, [True] * 3]


@pytest.mark.parametrize(
    "operation",
    [np.arctan, lambda a: a**0.5, np.median, lambda a: np.add.reduce(a), np.floor],
    ids=["arctan", "power", "median", "reduce", "floor"],
)
def test_what_has_no_rule_is_refused(operation: Callable[[Any], Any]) -> None:
    with pytest.raises(TypeError, match="no rounding rule"):
        operation(track([1.0, 2.0]))
