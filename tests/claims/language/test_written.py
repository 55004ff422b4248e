"""What the solvers are told says no more than the statement: no root is taken apart, nothing divided out or hidden."""

import pytest

from dpaudit.claims.argument.proof import tried
from dpaudit.claims.engines.rigorous.witness import certify
from dpaudit.claims.language.expression import parse
from dpaudit.claims.language.written import Written
from dpaudit.records.claim import Nowhere, Solve, Statement, gaussian, integer, real, vector

X, Y, S = real("x", "[0, oo)"), real("y", "[-1, 1]"), real("s", "[-1, 1]")
U, V, N, K = vector("u"), vector("v"), integer("n", "[1, oo)"), integer("k", "[0, oo)")
XI = gaussian("xi")
EVEN = 20_000_000


def solved(expression, symbols, conditions=()):
    return tried(Statement(expression, symbols, conditions), (Solve(effort=EVEN),)).closed


FALSE = [
    # At u = 0 (x = 0) the root is 0 whatever the sign of the other factor is.
    ("-s*dot(u, u) - s <= 4*sqrt(dot(u, u)*s)", (S, U), "s=-1 u=(0,)"),
    ("-y - x*y <= 4*sqrt(x*y)", (X, Y), "x=0 y=-1"),
    ("0 <= y + sqrt(x**2*y)", (X, Y), "x=0 y=-1"),
    ("0 <= y + (x*y)**(3/2)", (X, Y), "x=0 y=-1"),
    ("0 <= y + sqrt(x*y/(1 + x))", (X, Y), "x=0 y=-1"),
    ("0 <= y + norm(sqrt(x*y)*u)", (X, Y, U), "x=0 y=-1 u=(1,)"),
    ("0 <= y + sum(j, 1, n, sqrt(x*y))", (X, Y, N), "x=0 y=-1 n=3"),
    ("0 <= y + sum(j, 1, k, 1/y) + 1/2", (Y, K), "y=-1 k=0"),
    # No value of the sum at n = 0 hangs on 1/y.
    ("0 < y**2 + sum(j, 1, k, 1/y)**2", (Y, K), "y=0 k=0"),
    ("0 < y**2 + sum(j, 1, k, sqrt(x*y))**2 + x", (X, Y, K), "x=0 y=0 k=0"),
]  # fmt: skip


@pytest.mark.parametrize(("expression", "symbols", "at"), FALSE)
def test_what_is_false_where_one_factor_vanishes_is_not_proved(expression, symbols, at):
    point = tuple((name, value) for name, value in (pair.split("=") for pair in at.split()))
    assert certify(Statement(expression, symbols), point) is not None
    assert not solved(expression, symbols)


@pytest.mark.parametrize(
    ("expression", "conditions"),
    [
        ("y + 1/2 <= -4*sqrt(x*y)", ()),
        ("x*y + y <= -4*sqrt(x*y)", ("y <= -1/2",)),
        ("2*y + 1 <= -sqrt(x**3*y)", ()),
    ],
)
def test_what_holds_somewhere_is_not_refuted_everywhere(expression, conditions):
    """At x = 0, y = -1 each of them holds."""
    there = (("x", "0"), ("y", "-1"))
    turned = Statement(expression, (X, Y), conditions, exists=True)
    assert not tried(turned, (Nowhere((Solve(),)),)).refuted
    assert certify(Statement("x <= 0", (X, Y), (expression, *conditions)), there) is None  # the conditions are met


@pytest.mark.parametrize(
    "expression",
    [
        "E(binomial(n, abs(dot(xi, v)))**2) <= E(binomial(n, abs(dot(xi, v))))**2",
        "E(sum(j, 1, n, factorial(j)*abs(dot(xi, v)))**2) <= E(sum(j, 1, n, factorial(j)*abs(dot(xi, v))))**2",
        "E(Gamma(n + abs(dot(xi, v)))**2) <= E(Gamma(n + abs(dot(xi, v))))**2",
        "E(integral(z, 0, 1, Gamma(n)*abs(dot(xi, v)))**2) <= E(integral(z, 0, 1, Gamma(n)*abs(dot(xi, v))))**2",
        "E(sqrt(abs(dot(xi, v)))**2) <= E(sqrt(abs(dot(xi, v))))**2",
        "E(1/(1 + abs(dot(xi, v)))**2) <= E(1/(1 + abs(dot(xi, v))))**2",
    ],
)
def test_nothing_random_is_a_constant_of_its_mean(expression):
    """Each says that a variance is not positive."""
    assert not solved(expression, (N, V, XI))


@pytest.mark.parametrize(
    ("expression", "symbols", "conditions"),
    [
        ("sqrt(x*y)**2 <= x*y", (X, Y), ("0 <= y",)),
        ("sqrt(4*x**2) <= 2*x", (X,), ()),
        ("sqrt(y**2) <= abs(y)", (Y,), ()),
        ("norm(3*u) <= 3*norm(u)", (U,), ()),
        ("norm(u/x) <= norm(u)/x", (U, real("x", "(0, oo)")), ()),
        ("x/(x*y) <= 1/y", (real("x", "(0, oo)"), real("y", "(0, oo)")), ()),
        ("x**(-1/2)*x <= sqrt(x)", (real("x", "(0, oo)"),), ()),
        ("log(2/(2*exp(-x))) <= x + 1/1000*x", (X,), ()),
        ("sqrt(x*y) <= (x + y)/2", (X, Y), ("0 <= y",)),
    ],
)
def test_true_statements_are_still_proved(expression, symbols, conditions):
    assert solved(expression, symbols, conditions)


def test_equal_roots_and_inverses_are_one_unknown():
    form = Written((X, Y)).scalar_form(parse("sqrt(x*y + x) - sqrt(x*(y + 1)) + 1/(x*y) - 1/(y*x)"))
    assert form == 0
