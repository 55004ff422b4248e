"""Vectors without coordinates, and Gaussian means by completing the square."""

import re
from fractions import Fraction

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from dpaudit.claims.language.expression import has_mean, parse, rational, symbol
from dpaudit.claims.language.gram import NoValueError, Translator, gram_name, scalar_expr, to_expr, under
from dpaudit.records.claim import gaussian, integer, real, vector
from dpaudit.records.errors import ContentError

SYMBOLS = (
    real("p", "[2, oo)"),
    real("c", "(0, 1]"),
    vector("u"),
    vector("v"),
    gaussian("xi", "3"),
    integer("k", "[1, oo)"),
)
SMALL = st.fractions(min_value=-3, max_value=3, max_denominator=8)


@given(st.lists(SMALL, min_size=3, max_size=3), st.lists(SMALL, min_size=3, max_size=3), SMALL)
def test_dot_products_expand_like_coordinates(u, v, t):
    form = scalar_expr(parse("dot(u - 2*v, u/4 + v) - dot(v, v)"), SYMBOLS)
    dot = lambda a, b: sum((x * y for x, y in zip(a, b, strict=True)), Fraction(0))  # noqa: E731
    values = {gram_name(m, n): dot(a, b) for m, a in (("u", u), ("v", v)) for n, b in (("u", u), ("v", v))}
    expected = dot(
        [a - 2 * b for a, b in zip(u, v, strict=True)], [a / 4 + b for a, b in zip(u, v, strict=True)]
    ) - dot(v, v)
    assert rational(form, values) == expected


def test_a_common_factor_leaves_a_norm_with_the_right_sign():
    translator = Translator(SYMBOLS)
    scaled = translator.scalar_form(parse("norm((1 - c)*u - (1 - c)*v)"))
    assert scaled - translator.scalar_form(parse("(1 - c)*norm(u - v)")) == 0
    flipped = translator.scalar_form(parse("norm((c - 1)*u)"))
    assert flipped - translator.scalar_form(parse("(1 - c)*norm(u)")) == 0


def test_the_norm_squared_is_the_dot_product():
    translator = Translator(SYMBOLS)
    assert translator.scalar_form(parse("norm(u - v)**2 - dot(u - v, u - v)")).expand() == 0


def test_a_gaussian_mean_agrees_with_quadrature():
    form = scalar_expr(parse("E(exp(dot(u, xi) - dot(v, xi)/2))"), SYMBOLS)
    assert not has_mean(form)
    nodes, weights = np.polynomial.hermite_e.hermegauss(60)
    slope = 0.4 - 0.5 * 0.2
    expected = (weights * np.exp(slope * 3 * nodes)).sum() / weights.sum()
    translator = Translator(SYMBOLS)
    values = {gram_name("u", "u"): 0.16, gram_name("u", "v"): 0.08, gram_name("v", "v"): 0.04}
    found = translator.scalar_form(parse("E(exp(dot(u, xi) - dot(v, xi)/2))"))
    found = found.subs({translator.atoms[name]: value for name, value in values.items()})
    assert float(found) == pytest.approx(expected, rel=1e-12)


@pytest.mark.parametrize(
    "text", ["E(abs(dot(u, xi)))", "E(dot(u, xi)**2)", "E(exp(dot(xi, xi)))", "E(abs(exp(dot(u, xi)) - 1)**p)"]
)
def test_a_mean_without_a_rule_is_left_standing(text):
    assert has_mean(scalar_expr(parse(text), SYMBOLS))


def test_an_even_power_of_a_difference_has_a_closed_form():
    assert not has_mean(scalar_expr(parse("E(abs(exp(dot(u, xi)) - 1)**2)"), SYMBOLS))


@pytest.mark.parametrize(
    ("text", "named"),
    [
        ("max(log(0), p)", "max(log(0), p)"),
        ("1 + 2*min(p, sqrt(-1))", "min(p, sqrt(-1))"),
        ("exp(max(sqrt(-p), c))", "max(sqrt(-p), c)"),
        ("E(max(log(p - p), norm(xi)))", "max(log(p - p), norm(xi))"),
        ("sum(j, 1, 3, min(1/(j - 2), p))", "min("),
    ],
)
def test_a_largest_or_least_of_what_is_no_number_has_no_value_and_is_named(text, named):
    with pytest.raises(NoValueError, match=re.escape(named)):
        scalar_expr(parse(text), SYMBOLS)


def test_a_bare_vector_is_refused():
    with pytest.raises(ContentError, match="inside dot"):
        scalar_expr(parse("u + 1"), SYMBOLS)


def test_scalars_are_left_as_written():
    assert scalar_expr(parse("1/p + 0*p"), SYMBOLS[:1]) == parse("1/p + 0*p")
    assert gram_name("b", "a") == gram_name("a", "b")
    assert symbol(gram_name("u", "v")).name == "dot(u, v)"


def test_a_scale_that_is_itself_random_is_refused():
    symbols = (vector("u"), gaussian("eta"), gaussian("xi", "norm(eta)"))
    with pytest.raises(ContentError, match="must not be random"):
        scalar_expr(parse("E(exp(dot(u, xi)))"), symbols)


SCALARS = (real("x", "(0, oo)"), real("y"), integer("n", "[1, oo)"), integer("m", "[0, oo)"))


def scalar(text):
    return Translator(SCALARS).scalar_form(parse(text))


@pytest.mark.parametrize(
    ("left", "right"),
    [
        ("sum(j, 1, n, x*j + 2)", "x*sum(i, 1, n, i) + 2*sum(k, 1, n, 1)"),
        ("sum(j, 1, 3, x**j)", "x + x**2 + x**3"),
        ("sum(j, 3, 2, x**j)", "0"),
        ("sum(j, 1, n, sum(i, 1, j, i*x))", "x*sum(sum_1, 1, n, sum(a, 1, sum_1, a))"),
        ("sum(j, 1, n, exp(y*j + x))", "exp(x)*sum(j, 1, n, exp(y*j))"),
        ("integral(z, 0, x, (z + 1)*y)", "y*integral(t, 0, x, t) + y*integral(t, 0, x, 1)"),
        ("factorial(n + 1)", "(n + 1)*n*factorial(n - 1)"),
        ("Gamma(x + 2)/Gamma(x)", "x*(x + 1)"),
        ("binomial(n, 2)", "n*(n - 1)/2"),
        ("log2(8*x)*log(2)", "log(8*x)"),
        ("log2(1/8)", "-3"),
        ("floor(m)", "m"),
    ],
)
def test_equal_forms_look_equal(left, right):
    assert (scalar(left) - scalar(right)).expand() == 0


def test_rules_of_binomials():
    pascal = scalar("binomial(n + 1, m) - binomial(n, m) - binomial(n, m - 1)")
    assert pascal.together().expand().simplify() == 0


@pytest.mark.parametrize(
    ("left", "right"),
    [
        ("sum(j, 1, n, j)", "sum(j, 1, m, j)"),
        ("sum(j, 1, n, j)", "sum(j, 0, n, j)"),
        ("sum(j, 1, n, j*x)", "sum(j, 1, n, j)"),
        ("sum(j, 1, n, 1)", "n"),  # not for n < 0, so not as a rule
        ("floor(x)", "x"),
        ("exprel(y)*y", "exp(y)"),
        ("factorial(n + 1)", "n*factorial(n)"),
        ("integral(z, 0, x, z)", "integral(z, 0, y, z)"),
    ],
)
def test_different_forms_do_not(left, right):
    assert (scalar(left) - scalar(right)).expand() != 0


@pytest.mark.parametrize(
    "text",
    [
        "sum(j, 1, n, x**j*j)", "integral(z, 0, x, exp(-y*z**2))", "gamma_tail(x, y) + beta_tail(x, 2, y)",
        "Gamma(x/2)",
        "binomial_cdf(floor(y), n, 1/3)", "exprel(y)*Phi(y)", "sum(j, 1, n, sum(i, 1, j, x**(i*j)))", "ceil(x/2)",
    ],
)  # fmt: skip
def test_forms_come_back_as_text(text):
    back = to_expr(scalar(text))
    assert (scalar(str(back)) - scalar(text)).expand() == 0


def test_a_long_sum_stays_one_term():
    assert len(scalar("sum(j, 1, 41, x**j)").args) == 4
    assert len(scalar("sum(j, 1, 40, x**j)").args) == 40


def test_vectors_inside_sums():
    form = scalar_expr(parse("sum(j, 1, k, c**j*dot(u, u - v))"), SYMBOLS)
    values = {gram_name(*pair): Fraction(n) for pair, n in ((("u", "u"), 5), (("u", "v"), 2))}
    assert rational(form, {**values, "k": Fraction(3), "c": Fraction(1, 2)}) == Fraction(7, 8) * 3


def test_the_inside_of_a_sum_has_one_symbol_more():
    body, symbols, known = under(parse("sum(x, 1, n, 1/x)"), SCALARS)
    assert (str(body), str(symbols[-1]), [str(r) for r in known]) == (
        "1 / x_1", "x_1 integer in [1, oo)", ["1 <= x_1", "x_1 <= n"],
    )  # fmt: skip


def test_the_inside_of_an_integral_has_the_range_of_its_ends():
    _, symbols, _ = under(parse("integral(z, -1/2, y, z)"), SCALARS)
    assert str(symbols[-1]) == "z in [-1/2, oo)"


def test_a_largest_on_which_sympy_fails_stands_as_it_is_written():
    form = Translator(SYMBOLS).scalar_form(parse("max(3, (1/2)**(-k)) + min(3, (1/2)**(-k))"))
    assert [form.subs({next(iter(form.free_symbols)): k}) for k in (1, 2)] == [5, 7]
