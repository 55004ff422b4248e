"""What does not go through is named: the term, and the fact that is missing."""

from __future__ import annotations

from typing import Any

import pytest
from domains import domain, stated, why_not

from dpaudit.recheck.lacking import value
from dpaudit.recheck.terms import term

ROWS = ("x real [0, 1]", "y real (0, oo)", "n integer [1, oo)", "u vector", "xi gaussian 1", "zeta gaussian x - 1")
CONTEXT = domain(*ROWS)


@pytest.mark.parametrize(
    ("text", "missing"),
    [
        ("y + log(x)", "log(x) needs 0 < x"),
        ("1/(1 - x)", "(1 / (1 - x)) needs that (1 - x) is not 0"),
        ("sqrt(x - y)*x", "sqrt((x - y)) needs 0 <= (x - y)"),
        ("(x - y)**x", "((x - y)**x) needs 0 <= (x - y), or a whole exponent"),
        ("factorial(x - y)", "factorial((x - y)) needs 0 <= (x - y)"),
        ("binomial(x, y)", "binomial(x, y) needs 0 <= y, and a whole y or y <= x"),
        ("beta_tail(x, y, 1/2)", "beta_tail(x, y, (1/2)) needs 0 < x and 0 < y"),
        ("binomial_cdf(x, n, y)", "binomial_cdf(x, n, y) needs a whole 0 <= n, and y in [0, 1]"),
        ("sum(k, 1, n, 1/(k - 1))", "(1 / (k - 1)) needs that (k - 1) is not 0"),
        ("sum(k, 1, y, k)", "sum(k, 1, y, k) needs whole ends, and y is not shown to be one"),
        ("sum(k, 1, 1/x, k)", "(1 / x) needs that x is not 0"),
        ("integral(z, 0, y - 1, z)", "integral(z, 0, (y - 1), z) needs 0 <= (y - 1)"),
        ("integral(z, 0, y, log(z))", "log(z) needs 0 < z"),
        ("dot(xi, u) + 1", "xi is random: it stands inside of a mean, E(...), alone"),
    ],
)
def test_the_part_without_a_value_is_named(text: str, missing: str) -> None:
    assert value(CONTEXT, term(text)) == missing


def test_what_has_a_value_lacks_nothing() -> None:
    assert value(CONTEXT, term("x/y + sum(k, 1, n, 1/k)")) == ""


@pytest.mark.parametrize(
    ("rows", "text", "missing"),
    [
        (ROWS, "E(norm(zeta))", "the scale of zeta needs 0 <= (x - 1)"),
        (ROWS[:-1], "E(log(norm(xi)))", "log(norm(xi)) needs 0 < norm(xi)"),
        (ROWS[:-1], "E(exp(dot(xi, xi)))", "needs a mean that exists"),
    ],
)
def test_why_a_mean_has_none(rows: tuple[str, ...], text: str, missing: str) -> None:
    assert missing in value(domain(*rows), term(text))


@pytest.mark.parametrize(
    ("text", "node", "message"),
    [
        ("x <= 1/2", {"by": "positive"}, "right - left of x <= (1/2) is not shown: that of ((1/2) + ((-1) * x))"),
        ("x == x**2", {"by": "identical"}, "x and (x**2) are not shown to be equal: (x + ((-1) * (x**2))) is left"),
        ("x <= 1/2", {"by": "combine", "terms": [["1", "x <= 1"]]}, "right - left of x <= (1/2): (-1/2) is left"),
        ("x <= 1/2", {"by": "combine", "terms": [["1", "log(x) <= 1"]]}, "log(x) <= 1 is not shown: log(x) needs 0"),
        ("x <= y", {"by": "scale", "factor": "1/x"}, "0 < (1 / x) is not shown: (1 / x) needs that x is not 0"),
        ("x <= y", {"by": "scale", "factor": "x"}, "0 < x is not shown"),
        ("dot(xi, u) <= 1", {"by": "positive"}, "xi is random: it stands inside of a mean, E(...), alone"),
    ],
)  # fmt: skip
def test_typical_failures(text: str, node: dict[str, Any], message: str) -> None:
    assert message in why_not(stated(text, *ROWS[:-1]), node)
