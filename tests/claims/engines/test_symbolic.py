"""Exact identities, signs and combinations: what holds is shown, what does not is never shown."""

import pytest

from dpaudit.claims.engines import symbolic
from dpaudit.claims.language.expression import Expr, parse, parse_relation
from dpaudit.records.claim import Statement, Tangent, gaussian, integer, real, vector

X, Y, P = real("x", "(0, oo)"), real("y", "[0, 1]"), real("p", "[2, oo)")
U, V = vector("u"), vector("v")
SYMBOLS = (X, Y, P, U, V, gaussian("xi", "x"), integer("k", "[1, oo)"))


@pytest.mark.parametrize(
    "text",
    [
        "(x + y)**2 == x**2 + 2*x*y + y**2",
        "exp(x)*exp(y) == exp(x + y)",
        "sqrt(12*x**2*p) == 2*x*sqrt(3*p)",
        "log(exp(x*y)) == x*y",
        "(x*y)**p == x**p*y**p",
        "x**(p/(p + 1))*x**(1/(p + 1)) == x",
        "norm(2*u - 2*v) == 2*norm(v - u)",
        "dot(u + v, u - v) == norm(u)**2 - norm(v)**2",
        "E(exp(dot(u, xi))) == exp(x**2*dot(u, u)/2)",
        "Phi((x + y)**2) == Phi(x**2 + 2*x*y + y**2)",
        "(u + v)/x == u/x + v/x",
    ],
)
def test_true_identities_are_shown(text):
    relation = parse_relation(text)
    assert symbolic.identical(relation.left, relation.right, SYMBOLS)


@pytest.mark.parametrize(
    "text",
    [
        "(x + y)**2 == x**2 + x*y + y**2",
        "exp(x)*exp(y) == exp(x*y)",
        "sqrt(x**2 + y**2) == x + y",
        "norm(u - v) == norm(u) - norm(v)",
        "E(exp(dot(u, xi))) == exp(x**2*dot(u, u))",
        "(u + v)/x == u/x - v/x",
        "abs(x - y) == x - y",
    ],
)
def test_false_identities_are_not_shown(text):
    relation = parse_relation(text)
    assert not symbolic.identical(relation.left, relation.right, SYMBOLS)


@pytest.mark.parametrize(
    ("text", "conditions"),
    [
        ("0 < 1/p", ()), ("1/p <= 1/2", ()), ("0 <= 1/p", ()), ("0 <= norm(u - v)*x", ()), ("0 < x", ()),
        ("norm(u)*p/x <= 1", ("norm(u) <= x/p",)), ("x <= 3", ("x <= 3",)), ("1 <= x**y", ("1 <= x",)),
        ("2 < log(1/x)", ("x <= 1/8",)), ("0 <= (x - y)**2", ()), ("0 <= x**p*p**p", ()),
    ],
)  # fmt: skip
def test_what_ranges_and_conditions_imply(text, conditions):
    assert symbolic.implied(parse_relation(text), SYMBOLS, tuple(parse_relation(c) for c in conditions))


@pytest.mark.parametrize(
    ("text", "conditions"),
    [
        ("0 < y", ()), ("x <= 1", ()), ("0 < 1/p - 1/2", ()), ("norm(u)*p/x <= 1", ("norm(u) <= x",)),
        ("norm(u)*p/x < 1", ("norm(u) <= x/p",)), ("0 <= x - y", ()), ("0 <= log(x)", ()),
    ],
)  # fmt: skip
def test_what_they_do_not_imply(text, conditions):
    assert not symbolic.implied(parse_relation(text), SYMBOLS, tuple(parse_relation(c) for c in conditions))


TRIANGLE = Statement("norm(u - v) <= 2*x", (X, U, V), ("norm(u) <= x", "norm(v) <= x"))


def test_a_combination_of_known_inequalities():
    terms = (("1", "norm(u - v) <= norm(u) + norm(v)"), ("1", "norm(u) <= x"), ("1", "norm(v) <= x"))
    holds, detail = symbolic.combine(TRIANGLE, terms)
    assert holds, detail


@pytest.mark.parametrize(
    ("terms", "reason"),
    [
        ((("1", "norm(u - v) <= norm(u) + norm(v)"), ("1", "norm(u) <= x")), "add up"),
        ((("1", "norm(u - v) <= norm(u)"),), "neither a condition"),
        ((("-1", "norm(u) <= x"),), "not shown to be nonnegative"),
        ((("x - 1", "norm(u) <= x"),), "not shown to be nonnegative"),
        ((("1", "norm(u) <= x/2"),), "neither a condition"),
        ((("1", "dot(u, v) <= norm(u)"),), "neither a condition"),
        ((("1", "0 <= dot(u, v)"),), "neither a condition"),
    ],
)
def test_a_combination_that_does_not_prove_says_why(terms, reason):
    holds, detail = symbolic.combine(TRIANGLE, terms)
    assert not holds
    assert reason in detail


def test_a_tangent_line_of_a_convex_function():
    holds, _ = symbolic.tangent(Statement("log(x) <= x - 1", (X,)), Tangent("x", "1"))
    assert holds


@pytest.mark.parametrize(
    ("expression", "point", "reason"),
    [
        ("log(x) <= x - 1", "2", "vanish"),
        ("x - 1 <= log(x)", "1", "convexity"),
        ("log(x) <= 2*(x - 1)", "1", "vanish"),
        ("log(x) <= x - 1", "-1", "vanish"),
    ],
)
def test_a_wrong_tangent_is_refused(expression, point, reason):
    holds, detail = symbolic.tangent(Statement(expression, (X,)), Tangent("x", point))
    assert not holds
    assert reason in detail


def test_ranges_are_narrowed_by_simple_conditions():
    values = symbolic.ranges((X, Y), (parse_relation("x <= 3"), parse_relation("1 <= x")))
    assert (values["x"].low, values["x"].high) == (1, 3)
    assert parse("x").name in values


@pytest.mark.parametrize(
    ("text", "is_defined"),
    [
        ("1/x", True), ("1/y", False), ("1/(1 + y)", True), ("sqrt(y)", True), ("log(y)", False), ("log(x)", True),
        ("sqrt(y - 1)", False), ("y**p", True), ("y**-1", False), ("(y - 1)**2", True), ("(y - 1)**p", False),
        ("(y - 1)**k", True), ("0**y", True), ("norm(u)/x", True), ("x/norm(u)", False), ("E(log(y))", False),
        ("beta_tail(x, y, y)", False), ("E(exp(dot(u, xi)))", True), ("sign(x)", False),
    ],
)  # fmt: skip
def test_where_an_expression_is_a_real_number(text, is_defined):
    expr = parse(text) if "sign" not in text else Expr("sign", (parse("x"),))
    assert symbolic.defined(expr, SYMBOLS, ()) is is_defined


def test_conditions_make_terms_defined():
    assert symbolic.defined(parse("1/y"), SYMBOLS, (parse_relation("1/2 <= y"),))
