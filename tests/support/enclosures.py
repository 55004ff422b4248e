"""Helpers of the tests of enclosures: text over boxes, and exact comparison with values by mpmath."""

from fractions import Fraction

import mpmath
from flint import arb

from dpaudit.claims.engines.rigorous.second_opinion import value
from dpaudit.claims.language import enclosures
from dpaudit.claims.language.expression import parse

DIGITS = 60


def enclose(text, bits=enclosures.PRECISION, **ranges):
    """The enclosure of `text` over a box; a range is a pair, or a number for a point."""
    with enclosures.precision(bits):
        box = {n: enclosures.between(*(r if isinstance(r, tuple) else (r, r))) for n, r in ranges.items()}
        return enclosures.evaluate(parse(text), box)


def true_value(text, **point):
    """The value by mpmath at an exact point, or None where there is none."""
    with mpmath.workdps(DIGITS):
        names = {n: mpmath.mpf(Fraction(v).numerator) / Fraction(v).denominator for n, v in point.items()}
        try:
            return value(parse(text), names, DIGITS)
        except (ArithmeticError, ValueError, TypeError):
            return None


def ball_of(x, slack=1e-45):
    """A ball around a number of mpmath with a relative error of `slack`."""
    sign, mantissa, exponent, _ = x._mpf_
    with enclosures.precision(300):
        middle = arb(int(-mantissa if sign else mantissa)) * arb(2) ** int(exponent)
        return middle + arb(0, abs(middle).upper() * slack)


def holds(interval, x):
    """Does the interval contain the number of mpmath, up to the error of mpmath?"""
    found = ball_of(x)
    with enclosures.precision(300):
        return not (found < interval.low or found > interval.high)


def within(inner, outer, bits=100):
    """Does the outer interval contain the inner one, up to 2**-bits of the size?"""
    with enclosures.precision(300):
        slack = arb(2) ** -bits
        low = outer.low <= inner.low or outer.low - inner.low <= slack * (1 + abs(inner.low))
        high = outer.high >= inner.high or inner.high - outer.high <= slack * (1 + abs(inner.high))
    return bool(low and high)


def width(interval):
    """The width, as a float."""
    return float(interval.high - interval.low)
