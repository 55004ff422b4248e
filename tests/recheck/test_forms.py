"""Terms with one form have one value wherever both have one; what looks alike and is not has another form."""

from __future__ import annotations

import pytest
from domains import domain

from dpaudit.recheck.terms import Refused, term

ROWS = (
    "x real (-oo, oo)",
    "y real (0, oo)",
    "z real [0, oo)",
    "p real [2, oo)",
    "q real (0, 1)",
    "n integer [1, oo)",
    "m integer (-oo, oo)",
    "u vector",
    "v vector",
    "xi gaussian y",
    "zeta gaussian 1",
)


def equal(a: str, b: str, *conditions: str) -> bool:
    return domain(*ROWS, conditions=conditions).equal(term(a), term(b))


@pytest.mark.parametrize(
    ("a", "b"),
    [
        ("(x + 1)**2", "x**2 + 2*x + 1"),
        ("1/(1 + y) - 1", "-y/(1 + y)"),
        ("x/x", "1"),
        ("(x**2 - 1)/(x - 1)", "x + 1"),
        ("y**p*y", "y**(p + 1)"),
        ("(y**p)**2", "y**(2*p)"),
        ("sqrt(y*p)", "sqrt(y)*sqrt(p)"),
        ("sqrt(x**2)", "abs(x)"),
        ("sqrt(8)", "2*sqrt(2)"),
        ("4**n", "2**(2*n)"),
        ("exp(p*log(y))", "y**p"),
        ("2**(log(y)/log(2))", "y"),
        ("log(y/(1 + y))", "log(y) - log(1 + y)"),
        ("log((1 - q)/q)", "log(1 - q) - log(q)"),
        ("log2(8)", "3"),
        ("log((3 + y)**2*exp(-y))", "2*log(3 + y) - y"),
        ("exp(x + 1)", "exp(1)*exp(x)"),
        ("(x*y)**n", "x**n*y**n"),
        ("(-1)**(n + 1)", "-(-1)**n"),
        ("(-1)**(2*n)", "1"),
        ("(1 + 1/n)**p", "((n + 1)/n)**p"),
        ("abs(-x*y)", "y*abs(x)"),
        ("factorial(n + 1)", "(n + 1)*factorial(n)"),
        ("binomial(n + 1, n)", "n + 1"),
        ("binomial(n, n)", "1"),
        ("binomial(n, 2)", "n*(n - 1)/2"),
        ("exprel(y)*y", "exp(y) - 1"),
        ("(y + y**2)**(1/2)", "sqrt(y)*sqrt(1 + y)"),
        ("(y**2)**((1 + q)/q)", "y**(2 + 2/q)"),
        ("max(y, y + 1)", "y + 1"),
        ("min(q, 1)", "q"),
        ("floor(n)", "n"),
        ("sum(k, 1, n, x*k)", "x*sum(j, 1, n, j)"),
        ("sum(k, 1, n, 1)", "n"),
        ("sum(k, 1, 3, k**2)", "14"),
        ("sum(k, 1, n + 1, x**k)", "sum(k, 1, n, x**k) + x**(n + 1)"),
        ("sum(k, 3, 1, x)", "0"),
        ("integral(w, 0, y, x*w)", "x*integral(w, 0, y, w)"),
    ],
)
def test_equal_terms_have_one_form(a: str, b: str) -> None:
    assert equal(a, b)


@pytest.mark.parametrize(
    ("a", "b"),
    [
        ("norm(2*x*u - 2*x*v)", "2*abs(x)*norm(u - v)"),
        ("norm(u + v)**2", "norm(u)**2 + 2*dot(u, v) + norm(v)**2"),
        ("norm((1 + y)*(u - v)/(1 + y))", "norm(v - u)"),
        ("dot(u + v, u - v)", "dot(u, u) - dot(v, v)"),
        ("E(exp(dot(xi, v)))", "exp(y**2*dot(v, v)/2)"),
        ("E(dot(xi, v)**2)", "y**2*dot(v, v)"),
        ("E(dot(xi, v))", "0"),
        ("E(dot(xi, v)**4)", "3*y**4*norm(v)**4"),
        ("E(dot(xi, v)*dot(xi, u))", "y**2*dot(u, v)"),
        ("E(dot(xi, v)*exp(dot(xi, u)))", "y**2*dot(u, v)*exp(y**2*dot(u, u)/2)"),
        ("E(x)", "x"),
        ("E(exp(dot(xi, v) + dot(zeta, u)))", "exp((y**2*dot(v, v) + dot(u, u))/2)"),
        ("E(x*norm(xi))", "x*E(norm(xi))"),
        ("E(exp((2*dot(v, xi) - dot(v, v))/(2*y**2)))", "1"),
        ("E(norm(xi)) + E(dot(xi, v))", "E(norm(xi) + dot(xi, v))"),
    ],
)
def test_vectors_and_means(a: str, b: str) -> None:
    assert equal(a, b)


@pytest.mark.parametrize(
    ("a", "b"),
    [
        # a root or a power of a product whose factors may be negative, or where one vanishes
        ("sqrt(x*y)", "sqrt(x)*sqrt(y)"),
        ("sqrt(x)*sqrt(x - 1)", "sqrt(x*(x - 1))"),
        ("(x**2)**(1/2)", "x"),
        ("((x - 1)**2)**(3/2)", "(x - 1)**3"),
        ("(x*y)**p", "x**p*y**p"),
        ("(x**3)**(1/3)", "x"),
        ("sqrt(x**2*m)", "abs(x)*sqrt(m)"),
        # logarithms and absolute values
        ("log(x**2)", "2*log(x)"),
        ("log(x*m)", "log(x) + log(m)"),
        ("abs(x)", "x"),
        ("abs(x + y)", "abs(x) + y"),
        # exponents that are not whole, signs that alternate
        ("(-1)**p", "1"),
        ("(-1)**m", "1"),
        ("(-y)**m", "y**m"),
        ("2**x*2**m", "4**(x + m)"),
        ("exp(x)**m", "exp(x*m + 1)"),
        # binomial coefficients outside of 0 <= k <= n, Gamma at its poles
        ("binomial(x, n)", "Gamma(x + 1)/(Gamma(n + 1)*Gamma(x - n + 1))"),
        ("Gamma(m + 1)", "m*Gamma(m)"),
        # sums: another end, an index that is caught, a range that may be empty or end before
        ("sum(k, 1, n, k)", "sum(k, 1, n, n)"),
        ("sum(k, 1, n, k)", "sum(k, 0, n + 1, k)"),
        ("sum(k, 5, n, 1)", "n - 4"),
        ("sum(k, 5, n + 1, k)", "sum(k, 5, n, k) + n + 1"),
        ("sum(k, 1, n, k**2)", "sum(k, 1, n, k)**2"),
        # means: no product of means, no moment without its variance, another gaussian
        ("E(dot(xi, v)**2)", "E(dot(xi, v))**2"),
        ("E(dot(xi, v)*dot(zeta, v))", "E(dot(xi, v)**2)"),
        ("E(norm(xi)**2)", "E(norm(xi))**2"),
        ("E(exp(2*dot(xi, v)))", "E(exp(dot(xi, v)))**2"),
        ("E(dot(xi, v)**3*dot(xi, u))", "dot(u, v)"),
        ("norm(u + v)", "norm(u) + norm(v)"),
        ("norm(x*u)", "x*norm(u)"),
        ("dot(u, v)", "norm(u)*norm(v)"),
        ("min(x, m)", "x"),
        ("floor(x)", "x"),
        ("exprel(x)*x", "exp(x)"),
    ],
)
def test_what_only_looks_equal_has_another_form(a: str, b: str) -> None:
    assert not equal(a, b)


def test_conditions_decide_signs() -> None:
    assert equal("abs(x)", "-x", "x <= 0")
    assert equal("sqrt(x*m)", "sqrt(x)*sqrt(m)", "0 <= x", "0 <= m")
    assert equal("min(x, m)", "m", "m <= x")
    assert not equal("min(x, m)", "m", "m <= 2*x")


def test_a_minimum_of_two_terms_is_none_of_three() -> None:
    assert not equal("min(x, q)", "min(x, q, y)")
    assert equal("min(x, q) + min(x, q, y) - min(x, q)", "min(x, q, y)")


def test_nothing_is_known_of_what_a_sum_leaves_empty() -> None:
    """The variable k of sum(k, 0, m, ...) lies between 0 and m, and yet m may be negative."""
    context = domain(*ROWS)
    assert context.defined(term("sum(k, 0, m, k)"))
    assert not context.nonnegative(term("m"))
    assert not context.equal(term("abs(m)"), term("m"))


def test_integrals_need_their_ends_in_order() -> None:
    context = domain(*ROWS)
    with pytest.raises(Refused, match="in order"):
        context.forms.form(term("integral(w, 0, x, w)"))


def test_symbols_that_are_not_declared_are_refused() -> None:
    with pytest.raises(Refused, match="not declared"):
        equal("a", "b")
