"""The functions of the statement language in exact rational arithmetic.

Each takes Fractions and returns one; ArithmeticError or ValueError where there is no
rational value, or where it would be too large to write down.
"""

from __future__ import annotations

import math
from collections.abc import Callable
from fractions import Fraction

LARGEST, MOST_TERMS, MOST_FACTORS, MOST_BITS = 10**18, 1_000_000, 10_000, 2**22
"""What exact arithmetic takes on: integers, terms of a sum, factors of a factorial, bits of a power."""


def whole(value: Fraction, least: int | None = None) -> int:
    """`value` as an integer of at least `least`."""
    if value.denominator != 1 or (least is not None and value < least) or abs(value) > LARGEST:
        raise ValueError("not an integer in the range of the function")
    return int(value)


def _power(base: Fraction, exponent: Fraction) -> Fraction:
    n = whole(exponent)
    if abs(n) * max(base.numerator.bit_length(), base.denominator.bit_length()) > MOST_BITS:
        raise ValueError("too large for exact arithmetic")
    return base**n


def _log2_ends(x: Fraction) -> tuple[int, int]:
    """Floor and ceiling of log2(x)."""
    if x <= 0:
        raise ValueError("log2 of a number that is not positive")
    floor = x.numerator.bit_length() - x.denominator.bit_length()
    floor -= Fraction(2) ** floor > x
    return floor, floor + (Fraction(2) ** floor < x)


def _sqrt_ends(x: Fraction) -> tuple[int, int]:
    """Floor and ceiling of sqrt(x)."""
    floor = math.isqrt(x.numerator // x.denominator)
    return floor, floor + (floor * floor < x)


def _log2(x: Fraction) -> Fraction:
    below, above = _log2_ends(x)
    if below != above:
        raise ValueError("not a power of two")
    return Fraction(below)


def _sqrt(x: Fraction) -> Fraction:
    root = Fraction(math.isqrt(x.numerator), math.isqrt(x.denominator))
    if root * root != x:
        raise ValueError("not the square of a rational number")
    return root


def _factorial(n: Fraction) -> Fraction:
    if n > MOST_FACTORS:
        raise ValueError("too large for exact arithmetic")
    return Fraction(math.factorial(whole(n, 0)))


def _binomial(n: Fraction, k: Fraction) -> Fraction:
    """Binomial coefficient of an integer n >= 0 and any integer k; 0 outside 0 <= k <= n."""
    if min(k, n - k) > MOST_FACTORS:
        raise ValueError("too large for exact arithmetic")
    top, bottom = whole(n, 0), whole(k)
    return Fraction(math.comb(top, bottom) if bottom >= 0 else 0)


def _binomial_cdf(k: Fraction, n: Fraction, q: Fraction) -> Fraction:
    trials = whole(n, 0)
    if not 0 <= q <= 1 or trials > MOST_FACTORS:
        raise ValueError("not a probability, or too many trials")
    last = min(math.floor(k), trials)
    if last >= trials:
        return Fraction(1)
    if last < 0 or q == 1:
        return Fraction(0)
    good, bad = q.numerator, q.denominator - q.numerator
    term = total = bad**trials  # in units of denominator**trials: comb(trials, i) good**i bad**(trials - i)
    for i in range(last):
        term = term * (trials - i) * good // ((i + 1) * bad)
        total += term
    return Fraction(total, q.denominator**trials)


def _exprel(y: Fraction) -> Fraction:
    if y:
        raise ValueError("rational at 0 only")
    return Fraction(1)


ROUNDED: dict[str, Callable[[Fraction], tuple[int, int]]] = {"log2": _log2_ends, "sqrt": _sqrt_ends}
RATIONAL: dict[str, Callable[..., Fraction]] = {
    "+": lambda a, b: a + b,
    "-": lambda a, b: a - b,
    "*": lambda a, b: a * b,
    "/": lambda a, b: a / b,
    "**": _power,
    "neg": lambda a: -a,
    "abs": abs,
    "min": min,
    "max": max,
    "floor": lambda a: Fraction(math.floor(a)),
    "ceil": lambda a: Fraction(math.ceil(a)),
    "log2": _log2,
    "sqrt": _sqrt,
    "factorial": _factorial,
    "Gamma": lambda a: _factorial(Fraction(whole(a, 1) - 1)),
    "binomial": _binomial,
    "binomial_cdf": _binomial_cdf,
    "exprel": _exprel,
}
