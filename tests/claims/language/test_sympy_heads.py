"""SymPy functions that stand for heads of the language: signs, derivatives, nothing that is not exact."""

from fractions import Fraction

import pytest
import sympy
from enclosures import true_value

from dpaudit.claims.language import sympy_heads
from dpaudit.claims.language.expression import parse
from dpaudit.claims.language.gram import Translator, to_expr
from dpaudit.records.claim import integer, real

SYMBOLS = (real("x", "(0, oo)"), real("y"), integer("n", "[1, oo)"), integer("m", "[0, oo)"))
FORMS = Translator(SYMBOLS)


def form(text):
    return FORMS.scalar_form(parse(text))


def slope(text, name):
    return sympy.diff(form(text), FORMS.atoms[name])


@pytest.mark.parametrize("text", ["Phi(2*y)", "exprel(y)", "sum(k, 1, n, y**k)", "x*Phi(y)**2 - exprel(x*y)"])
@pytest.mark.parametrize("at", [Fraction(1, 3), Fraction(-5, 4)])
def test_derivatives_agree_with_differences(text, at):
    step, others = Fraction(1, 10**12), {"x": Fraction(3, 2), "n": 4}
    above, under = (true_value(text, y=y, **others) for y in (at + step, at - step))
    found = true_value(str(to_expr(slope(text, "y"))), y=at, **others)
    assert abs(found - (above - under) / (2e-12)) < 1e-10


def test_signs():
    assert form("Phi(y)").is_positive
    assert form("exprel(y)").is_positive
    assert form("gamma_tail(x, y)").is_nonnegative
    assert form("binomial_cdf(y, n, 1/2)").is_nonnegative
    assert form("beta_tail(x, x, y)").is_nonnegative
    assert form("Gamma(x)").is_positive
    assert form("factorial(m)").is_positive
    assert form("sum(k, 1, n, y)").is_positive is None
    assert form("integral(z, 0, 1, z)").is_real


def test_rounding_is_exact_or_left_alone():
    assert form("floor(n + 2)") == form("n + 2")
    assert form("ceil(7/2)") == 4
    assert form("floor(-7/2)") == -4
    assert isinstance(form("floor(x)"), sympy_heads.Floor)
    assert form("floor(x)").is_integer
    assert to_expr(form("ceil(x)")) == parse("ceil(x)")


def test_the_bound_variable_is_not_free():
    assert form("sum(k, m, n, k*x)").free_symbols == {FORMS.atoms[name] for name in ("m", "n", "x")}
    assert slope("sum(k, 1, 2*n, k)", "x") == 0


def test_a_derivative_that_is_not_known_is_left_standing():
    assert isinstance(slope("sum(k, 1, n, k)", "n"), sympy.Derivative)
    assert slope("integral(z, 0, 1, exp(x*z))", "x").has(sympy.Derivative)


def test_unfolding():
    difference = form("y*exprel(y) - exp(y) + 1")
    assert sympy.expand(difference) != 0
    assert sympy.expand(sympy_heads.unfold(difference)) == 0
    assert form("exprel(0)") == 1
