"""Signs and values are shown only where they are sure: at ends, open and closed, and under conditions."""

from __future__ import annotations

import pytest
from domains import domain

from dpaudit.recheck.terms import relation, term

ROWS = (
    "x real (-oo, oo)",
    "y real (0, oo)",
    "z real [0, oo)",
    "p real [2, oo)",
    "q real (0, 1)",
    "c real [0, 1]",
    "w real (-oo, 0]",
    "n integer [1, oo)",
    "m integer (-oo, oo)",
    "u vector",
    "v vector",
    "xi gaussian 1",
)
DOMAIN = domain(*ROWS)


@pytest.mark.parametrize(
    ("text", "sign"),
    [
        ("1 - q", 1),
        ("q*(1 - q)", 1),
        ("1/q - 1", 1),
        ("p - 1", 1),
        ("p**2 - 2*p", 0),
        ("x**2 - 2*x + 1", 0),
        ("n - 1", 0),
        ("y*exp(-x)", 1),
        ("1 - q**2", 1),
        ("1/(1 - q)", 1),
        ("1 + x**2", 1),
        ("dot(u, u)", 0),
        ("norm(u)", 0),
        ("sqrt(y)", 1),
        ("log(1 + y)", 1),
        ("c*(1 - c)", 0),
        ("1 - c", 0),
        ("2 - c", 1),
        ("-w", 0),
        ("1 - w", 1),
        ("w**2", 0),
        ("2**n - 2", 0),
        ("13/5*y - y - log(3)*y", 1),
        ("dot(u, u) - 2*dot(u, v) + dot(v, v)", 0),
        ("x**2 + x*y + y**2", 0),
        ("c - c**2", 0),
        ("E(norm(xi))", 0),
        ("E(exp(norm(xi)))", 1),
        ("sum(k, 1, n, 1/k)", 1),
        ("sum(k, 0, n, k)", 0),  # the first term is 0
        ("sum(k, 1, n, k - 1)", 0),
        ("sum(k, 2, n, 1/k)", 0),  # there may be no term
        ("binomial(n, 1)", 1),
        ("binomial(n, 3)", 0),
        ("max(x, 1)", 1),
        ("min(y, 1)", 1),
        ("1/3 - c/3", 0),
        ("(1 - c)*(2 - c)", 0),
        ("(2 - c)/(1 + c)", 1),
        ("Gamma(y)", 1),
        ("1/2 - c*(1 - c)", 1),
    ],
)
def test_signs_that_are_sure(text: str, sign: int) -> None:
    assert DOMAIN.sign(term(text)) == sign


@pytest.mark.parametrize(
    "text",
    [
        "x",
        "m",
        "w",
        "y - 1",
        "4 - p",
        "c - 1/2",
        "x**3",
        "dot(u, v)",
        "log(y)",
        "1 - p*q",
        "n - 2",
        "exp(x) - 1",
        "z - y",
        "dot(u, u) - 3*dot(u, v) + dot(v, v)",
        "x**2 + 3*x*y + y**2",
        "x**2 - 2*x",
        "sum(k, 1, n, k - 2)",
        "floor(c) - 1/2",
        "min(x, 1)",
        "c*(1 - c) - 1/4 - c",
        "-1",
        "y - y - 1/10**9",
    ],
)
def test_signs_that_are_not(text: str) -> None:
    assert DOMAIN.sign(term(text)) is None


@pytest.mark.parametrize(("low", "sign"), [("(0", 1), ("[0", 0)])
@pytest.mark.parametrize(("high", "other"), [("1)", 1), ("1]", 0)])
def test_an_end_counts_where_it_belongs_to_the_range(low: str, sign: int, high: str, other: int) -> None:
    context = domain(f"x real {low}, {high}")
    assert context.sign(term("x")) == context.sign(term("x + x**2")) == sign
    assert context.sign(term("1 - x")) == context.sign(term("1 - x**3")) == other
    assert context.sign(term("x*(1 - x)")) == min(sign, other)


def test_conditions_give_signs() -> None:
    context = domain(*ROWS, conditions=("60*p <= n", "x < y", "m <= 3", "y <= z", "z <= p"))
    assert context.sign(term("n - 60*p")) == 0
    assert context.sign(term("y - x")) == 1
    assert context.sign(term("3 - m")) == 0
    assert context.sign(term("p - y")) == 0
    assert context.sign(term("2*p - y - z")) == 0
    assert context.sign(term("n - 119")) == 1
    assert context.sign(term("n - 121")) is None


def test_a_condition_is_met_only_where_it_has_a_value() -> None:
    """0 <= sqrt(x) is no condition on where sqrt(x) has no value: it is not used for 0 <= x."""
    context = domain("x real (-oo, oo)", conditions=("0 <= sqrt(x)",))
    assert not context.shown(relation("0 <= x"))
    assert context.shown(relation("0 <= sqrt(x)"))


@pytest.mark.parametrize(
    "text",
    [
        "1/y",
        "sqrt(z)",
        "log(y)",
        "x**n",
        "y**x",
        "z**p",
        "1/(1 + x**2)",
        "binomial(n, 2)",
        "sum(k, 1, n, 1/k)",
        "1/(y*n)",
        "sum(k, 1, n, sqrt(n - k))",
        "integral(s, 0, y, sqrt(s))",
        "E(norm(xi)**3)",
        "E(exp(dot(xi, v)))",
        "(-1)**m",
        "x**0",
        "E(exp(norm(xi)))",
        "sqrt(dot(u, u) + dot(v, v) - 2*dot(u, v))",
        "Gamma(y)",
        "norm(u/y)",
        "binomial_cdf(x, n, c)",
    ],
)
def test_values_that_are_sure(text: str) -> None:
    assert DOMAIN.defined(term(text))


@pytest.mark.parametrize(
    "text",
    [
        "1/x",
        "1/z",
        "sqrt(x)",
        "log(z)",
        "x**p",
        "x**m",
        "z**x",
        "z**(-1)",
        "1/(x - 1)",
        "sum(k, 0, n, 1/k)",
        "sum(k, 1, x, k)",
        "sum(k, 1, n, sqrt(n - 1 - k))",
        "integral(s, 0, x, 1)",
        "E(exp(norm(xi)**2))",
        "E(1/norm(xi))",
        "E(log(norm(xi)))",
        "Gamma(z)",
        "factorial(m)",
        "binomial(n, x)",
        "norm(u/x)",
        "0*log(z)",
        "sqrt(dot(u, v))",
        "(-1)**x",
        "E(exp(dot(xi, xi)))",
        "binomial_cdf(x, n, p)",
        "beta_tail(z, y, c)",
    ],
)
def test_values_that_are_not(text: str) -> None:
    assert not DOMAIN.defined(term(text))


def test_a_shown_relation_has_values_on_both_sides() -> None:
    assert DOMAIN.shown(relation("0 < 1/q - 1"))
    assert not DOMAIN.shown(relation("0 <= sqrt(x)"))
    assert not DOMAIN.shown(relation("0 <= exp(log(x))"))
    assert DOMAIN.shown(relation("x/y == x*(1/y)"))
    assert not DOMAIN.shown(relation("x/x == 1"))


@pytest.mark.parametrize(
    ("text", "conditions"),
    [
        ("-1", ("x <= 0",)),  # only 0 is left of the range, and 1/x has no value there
        ("-y", ("x*y <= 0",)),
        ("-y", ("x*y == 0",)),
        ("-(x**(m + n))", ("x**n <= 0",)),
        ("sum(k, 1, m, k/x) - y", ("x*y <= 0",)),
    ],
)
def test_a_condition_is_not_divided_by_what_may_be_0(text: str, conditions: tuple[str, ...]) -> None:
    rows = ("x real [0, 1]", "y real (-oo, oo)", "n integer [1, 5]", "m integer [-5, 5]")
    assert domain(*rows, conditions=conditions).sign(term(text)) is None


def test_conditions_are_added_whatever_their_order() -> None:
    rows = ("p real [1, oo)", "q real [0, oo)", "j real [0, oo)")
    for conditions in (("q <= p", "j <= q"), ("j <= q", "q <= p")):
        assert domain(*rows, conditions=conditions).sign(term("p - j")) == 0
    assert domain("x real (0, 1]", "y real (-oo, oo)", conditions=("x*y <= 0",)).sign(term("-y")) == 0


def test_a_condition_is_divided_where_the_rest_is_sure_at_0() -> None:
    """t <= L/c by c t^2 <= L t: where t is 0, L/c is left."""
    rows = ("L real (0, oo)", "c real (0, oo)", "t real [0, oo)", "s real (-oo, oo)")
    given = domain(*rows, conditions=("c*t**2 <= L*t", "t*s <= 0"))
    assert given.sign(term("L/c - t")) == 0
    assert given.sign(term("-s")) is None


def test_signs_in_the_atoms_of_one_form_say_nothing_in_those_of_another() -> None:
    context = domain("x real [0, 1]", "y real (-oo, oo)", "n integer [3, oo)", "k integer [3, oo)")
    assert context.equal(term("abs(1 - x)"), term("1 - x"))
    assert not context.equal(term("abs(1 - y) + 0*binomial(n, k)"), term("1 - y + 0*binomial(n, k)"))


def test_conditions_that_contradict_each_other_bound_nothing() -> None:
    context = domain("x real [3, oo)", conditions=("x <= 1", "x < -1"))
    assert context.enclosure(term("exp(log(x))"))[1].is_infinite()
