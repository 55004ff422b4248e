"""Special functions: enclosures contain what mpmath finds, grow with the box, and are all reals where undefined."""

from fractions import Fraction

import pytest
from enclosures import enclose, holds, true_value, width, within
from hypothesis import given, settings
from hypothesis import strategies as st

from dpaudit.claims.language import enclosures

SETTINGS = settings(derandomize=True, deadline=None, database=None, max_examples=30)


def real(low, high):
    return st.fractions(min_value=low, max_value=high, max_denominator=64)


POSITIVE, ANY, UNIT = real(Fraction(1, 32), 12), real(-9, 9), real(0, 1)
WHOLE = st.integers(0, 14).map(Fraction)
CASES = {
    "log2(x)": {"x": POSITIVE},
    "floor(x)": {"x": ANY},
    "ceil(3*x)": {"x": ANY},
    "exprel(x)": {"x": ANY},
    "Gamma(x)": {"x": POSITIVE},
    "factorial(x - 1/2)": {"x": POSITIVE},
    "gamma_tail(a, x)": {"a": POSITIVE, "x": ANY},
    "beta_tail(a, b, t)": {"a": POSITIVE, "b": POSITIVE, "t": real(-1, 2)},
    "binomial_cdf(x, n, q)": {"x": ANY, "n": WHOLE, "q": UNIT},
    "binomial(n + k, k)": {"n": WHOLE, "k": WHOLE},
    "binomial(a, 3)": {"a": real(2, 9)},
    "Phi(x)": {"x": ANY},
}


@pytest.mark.deep(keep=1)
@pytest.mark.parametrize("text", CASES)
@SETTINGS
@given(st.data())
def test_the_value_lies_in_the_enclosure_and_that_in_the_enclosure_of_a_wider_box(text, data):
    point, inner, outer = {}, {}, {}
    for name, values in CASES[text].items():
        a, b, c, d, e = sorted(data.draw(st.lists(values, min_size=5, max_size=5), label=name))
        point[name], inner[name], outer[name] = c, (b, d), (a, e)
    narrow, wide, exact = enclose(text, **inner), enclose(text, **outer), enclose(text, **point)
    found = true_value(text, **point)
    if found is not None:
        assert holds(exact, found)
        assert holds(narrow, found)
    assert within(exact, narrow)
    assert within(narrow, wide)


@pytest.mark.parametrize("text", [text for text in CASES if "binomial" not in text and "3*x" not in text])
@SETTINGS
@given(st.data())
def test_points_are_enclosed_closely(text, data):
    point = {name: data.draw(values, label=name) for name, values in CASES[text].items()}
    assert width(enclose(text, **point)) < 1e-18 * (1 + abs(float(enclose(text, **point).high)))


@pytest.mark.parametrize(
    ("text", "ranges"),
    [
        ("log2(x)", {"x": (-1, 1)}),
        ("log2(x)", {"x": 0}),
        ("log(x)", {"x": 0}),
        ("Gamma(x)", {"x": 0}),
        ("Gamma(x)", {"x": -2}),
        ("Gamma(x)", {"x": (Fraction(-1, 2), 1)}),
        ("factorial(x)", {"x": -1}),
        ("gamma_tail(x, 1)", {"x": 0}),
        ("gamma_tail(x, 1)", {"x": (-1, 1)}),
        ("beta_tail(x, 1, 1/2)", {"x": (-1, 1)}),
        ("binomial(n, k)", {"n": (2, 3), "k": (1, 5)}),
        ("binomial_cdf(1, n, 1/2)", {"n": Fraction(5, 2)}),
        ("binomial_cdf(1, 3, x)", {"x": (0, 2)}),
        ("binomial_cdf(1, n, 1/2)", {"n": (-3, 2)}),
        ("0**(-x)", {"x": (1, 2)}),
        ("x**y", {"x": (-1, 1), "y": (1, 2)}),
    ],
)
def test_where_there_is_no_value_nothing_is_said(text, ranges):
    assert enclose(text, **ranges) == enclosures.REALS


@pytest.mark.parametrize(
    ("text", "ranges", "low", "high"),
    [
        ("exprel(x)", {"x": (None, None)}, 0, enclosures.INFINITY),
        ("exprel(x)", {"x": 0}, 1, 1),
        ("log2(x)", {"x": (Fraction(1, 4), 32)}, -2, 5),
        ("log2(x)", {"x": (0, None)}, -enclosures.INFINITY, enclosures.INFINITY),
        ("floor(log2(x))", {"x": (3, 9)}, 1, 3),
        ("floor(x)", {"x": (None, Fraction(5, 2))}, -enclosures.INFINITY, 2),
        ("gamma_tail(a, x)", {"a": (0, None), "x": (0, None)}, 0, 1),
        ("gamma_tail(a, x)", {"a": (1, 2), "x": (-2, 0)}, 1, 1),
        ("beta_tail(a, b, t)", {"a": (0, None), "b": (0, None), "t": (0, 1)}, 0, 1),
        ("binomial_cdf(k, n, q)", {"k": (None, None), "n": (0, None), "q": (0, 1)}, 0, 1),
        ("binomial_cdf(k, n, q)", {"k": -1, "n": (0, 9), "q": (0, 1)}, 0, 0),
        ("binomial_cdf(k, n, q)", {"k": 9, "n": (0, 9), "q": (0, 1)}, 1, 1),
        ("factorial(n)", {"n": (3, None)}, 6, enclosures.INFINITY),
        ("binomial(n, 2)", {"n": (2, None)}, 1, enclosures.INFINITY),
        ("binomial(n, k)", {"n": 4, "k": 7}, 0, 0),
        ("binomial(n, k)", {"n": (4, 6), "k": (1, 4)}, 1, 20),
        ("Phi(x)", {"x": (None, None)}, 0, 1),
        ("x**2", {"x": (2, None)}, 4, enclosures.INFINITY),
        ("x**3", {"x": (None, -2)}, -enclosures.INFINITY, -8),
        ("x**2", {"x": (None, -2)}, 4, enclosures.INFINITY),
    ],
)
def test_ends_that_are_known_exactly(text, ranges, low, high):
    found = enclose(text, **ranges)
    assert abs(found.low - low) < 1e-30 or found.low == low
    assert abs(found.high - high) < 1e-30 or found.high == high


def test_gamma_knows_its_minimum():
    wide = enclose("Gamma(x)", x=(1, 2))
    assert 0.885603 < float(wide.low) < 0.8856031944109
    assert holds(enclose("Gamma(x)", x=(Fraction(14, 10), Fraction(15, 10))), true_value("Gamma(x)", x=Fraction(3, 2)))
    at = Fraction(14616321449683623, 10**16)
    assert holds(enclose("Gamma(x)", x=at), true_value("Gamma(x)", x=at))
    assert within(enclose("Gamma(x)", x=at), wide)


def test_rounding_does_not_reach_what_is_exact():
    assert enclose("ceil(3*(1/3))") == enclosures.exact(1)
    assert enclose("floor(n/3 + 2/3)", n=1) == enclosures.exact(1)
    assert enclose("binomial_cdf(1, 3, 1/2)") == enclosures.exact(Fraction(1, 2))
    assert enclose("x/3 - 1", x=3) == enclosures.exact(0)


def test_far_tails_keep_a_relative_accuracy():
    for text in ("gamma_tail(1000, 9000)", "beta_tail(1, 900, 99/100)", "binomial_cdf(3, 3000, 9/10)", "Phi(-90)"):
        found = enclose(text)
        assert found.low > 0
        assert float((found.high - found.low) / found.low) < 1e-15
        assert holds(found, true_value(text))
