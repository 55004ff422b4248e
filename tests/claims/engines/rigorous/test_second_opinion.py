"""mpmath's values, and what it must refuse."""

import mpmath
import pytest

from dpaudit.claims.engines.rigorous.second_opinion import MPMATH, value
from dpaudit.claims.language.expression import parse, rational


def at(text, **names):
    return value(parse(text), {n: mpmath.mpf(v) for n, v in names.items()}, 40)


@pytest.mark.parametrize(
    "text",
    [
        "sum(k, 1, 9, k**2)", "sum(k, 3, 2, 1/0)", "factorial(6)", "binomial(9, 4)", "binomial(4, 9)", "Gamma(5)",
        "log2(1/8)", "floor(3*(1/3))", "ceil(-7/2)", "exprel(0)", "binomial_cdf(5/2, 6, 1/3)",
        "binomial_cdf(-1, 6, 1/3)", "binomial_cdf(7, 6, 1/3)", "sum(j, 0, 4, sum(i, 0, j, binomial(j, i)))",
    ],
)  # fmt: skip
def test_rational_values(text):
    exact = rational(parse(text), {})
    with mpmath.workdps(40):
        assert abs(at(text) * exact.denominator - exact.numerator) < 1e-35


def test_other_values():
    with mpmath.workdps(40):
        assert abs(at("integral(z, 0, x, exp(-z))", x=2) - 1 + mpmath.exp(-2)) < 1e-30
        assert abs(at("exprel(x)", x="1e-30") - 1) < 1e-29
        assert abs(at("gamma_tail(1, x)", x=3) - mpmath.exp(-3)) < 1e-35
        assert at("gamma_tail(2, -1)") == at("beta_tail(2, 3, -1)") == 1
        assert abs(at("beta_tail(1, 900, 99/100)") / mpmath.mpf(10) ** -1800 - 1) < 1e-30
        many = at("binomial_cdf(2005, 4000, 1/2)")
        assert abs(many - mpmath.betainc(1995, 2006, 0, 0.5, regularized=True)) < 1e-30


@pytest.mark.parametrize(
    "text",
    [
        "1/0", "log(0)", "log2(0)", "sqrt(-1)", "factorial(-1)", "Gamma(0)", "gamma_tail(0, 1)", "beta_tail(0, 1, 1/2)",
        "binomial_cdf(1, 5/2, 1/2)", "binomial_cdf(1, 2, 3/2)", "sum(k, 1/2, 3, k)", "sum(k, 1, 10**5, k)",
        "integral(z, -2, -1, sqrt(z))", "(-1)**(1/2)",
    ],
)  # fmt: skip
def test_what_is_no_real_number_is_refused(text):
    with pytest.raises((ArithmeticError, ValueError, TypeError)):
        at(text)


def test_where_mpmath_gives_up_there_is_no_value(monkeypatch):
    def give_up(x):
        raise mpmath.libmp.NoConvergence("too slow")

    monkeypatch.setitem(MPMATH, "exp", give_up)
    with pytest.raises(ValueError, match="mpmath finds no value"):
        at("exp(1)")


def test_every_function_has_a_second_opinion():
    from dpaudit.claims.engines.rigorous.second_opinion import EXACT
    from dpaudit.claims.language.enclosures import FUNCTIONS

    assert {*MPMATH, *EXACT} == {*FUNCTIONS}
