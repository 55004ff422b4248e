"""Derivatives agree with difference quotients, and there is none where no rule is written down."""

from __future__ import annotations

import mpmath
import pytest

from dpaudit.recheck.calculus import derivative
from dpaudit.recheck.terms import Refused, Term, term

FUNCTIONS = {
    "exp": mpmath.exp, "log": mpmath.log, "sqrt": mpmath.sqrt, "Phi": mpmath.ncdf, "log2": lambda x: mpmath.log(x, 2),
}  # fmt: skip


def value(node: Term, at: dict[str, mpmath.mpf]) -> mpmath.mpf:
    if isinstance(node, str):
        return at[node]
    if not isinstance(node, tuple):
        return mpmath.mpf(node.numerator) / node.denominator
    if node == ("pi",):
        return +mpmath.pi
    if node[0] == "sum":
        ends = (int(value(end, at)) for end in node[2:4])
        return mpmath.fsum(value(node[4], {**at, node[1]: mpmath.mpf(k)}) for k in range(next(ends), next(ends) + 1))
    parts = [value(arg, at) for arg in node[1:]]
    simple = {"+": lambda a, b: a + b, "-": lambda a, b: a - b, "*": lambda a, b: a * b, "/": lambda a, b: a / b,
              "**": lambda a, b: a**b, "neg": lambda a: -a}  # fmt: skip
    return (simple | FUNCTIONS)[node[0]](*parts)


@pytest.mark.parametrize(
    "text",
    [
        "x**3 - 2*x + 1",
        "1/(1 + x)",
        "exp(-x**2/2)*x",
        "log(1 + x)/x",
        "sqrt(1 + x**2)",
        "Phi(2*x)",
        "x**y",
        "y**x",
        "x**x",
        "log2(x)",
        "-x*(y - x)",
        "sum(k, 1, 4, x**k/k)",
        "(x/(1 + x))**(1/2)",
    ],
)
def test_a_derivative_is_the_limit_of_quotients(text: str) -> None:
    with mpmath.workdps(50):
        at = {"x": mpmath.mpf("0.7"), "y": mpmath.mpf("1.3")}
        step = mpmath.mpf(10) ** -20
        quotient = (value(term(text), at | {"x": at["x"] + step}) - value(term(text), at | {"x": at["x"] - step})) / (
            2 * step
        )
        assert abs(value(derivative(term(text), "x"), at) - quotient) < mpmath.mpf(10) ** -30


@pytest.mark.parametrize(
    "text",
    ["abs(x)", "min(x, 1)", "floor(x)", "Gamma(x)", "integral(z, 0, x, z)", "sum(k, 1, x, k)", "E(x)", "exprel(x)"],
)
def test_where_no_rule_is_written_there_is_no_derivative(text: str) -> None:
    with pytest.raises(Refused, match="no rule gives the derivative"):
        derivative(term(text), "x")


def test_what_does_not_hang_on_the_variable_is_constant() -> None:
    assert derivative(term("abs(y) + floor(y)"), "x") == 0
