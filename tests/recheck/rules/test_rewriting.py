"""Moves that put another relation in the place of a goal: each in a true use, and in uses that would prove too much."""

from __future__ import annotations

from typing import Any

import pytest
from domains import stated, why_not

POSITIVE: dict[str, Any] = {"by": "positive"}
SAME: dict[str, Any] = {"by": "identical"}
ROWS = ("x real (-oo, oo)", "y real (0, oo)", "c real [0, 1]", "n integer [1, oo)", "u vector", "xi gaussian y")


def reason(text: str, node: dict[str, Any], *conditions: str, rows: tuple[str, ...] = ROWS) -> str:
    return why_not(stated(text, *rows, conditions=conditions), node)


def then(by: str, node: dict[str, Any] = POSITIVE, **fields: Any) -> dict[str, Any]:
    return {"by": by, **fields, "then": dict(node)}


@pytest.mark.parametrize(
    ("text", "node", "conditions"),
    [
        ("(x + 1)**2 - 2*x - 1 <= x**2 + c", then("rewrite", left="x**2"), ()),
        ("c*y <= y", then("scale", factor="1/y"), ()),
        ("x - 1 <= x - c", then("shift", term="-x"), ()),
        ("y**2 <= (y + 1)**2", then("power", exponent="1/2"), ()),
        ("(1 - 1/(1 + y))**y <= exp(-y/(1 + y))", then("power", {"by": "theorem", "theorem": "t"}, exponent="1/y"), ()),
        ("exp(-y) <= 1", then("logarithm", then("rewrite", left="-y", right="0")), ()),
        ("x <= 3", then("subtract", fact="x <= 2"), ("x <= 2",)),
        ("x <= 1", then("have", fact="x <= c", inner={"by": "theorem", "theorem": "t"}), ()),
        ("x*(1 - x) <= 1", then("narrow"), ("0 <= x", "x <= 1")),
        (
            "sum(k, 1, n, 1/k) <= sum(k, 1, n, 1/k) + c",
            then("name", symbol=["h", "real", "(-oo, oo)"], term="sum(k, 1, n, 1/k)"),
            (),
        ),
        (
            "x <= 2*abs(x)",
            {
                "by": "bound",
                "left": "abs(x)",
                "inner": {"by": "combine", "terms": [["1", "x <= abs(x)"]]},
                "then": POSITIVE,
            },
            (),
        ),
    ],
)
def test_true_uses(text: str, node: dict[str, Any], conditions: tuple[str, ...]) -> None:
    assert reason(text, node, *conditions) == ""


@pytest.mark.parametrize(
    ("text", "node", "conditions"),
    [
        # a side of another value, or one that has none somewhere
        ("x <= 1", then("rewrite", left="c"), ()),
        ("x <= 0", then("rewrite", left="x/y*y - x"), ()),
        ("x**2 <= x", then("rewrite", right="x**2/x*1"), ()),
        ("1 <= 0*x", then("rewrite", left="x/x"), ()),
        ("sqrt(x**2) <= x", then("rewrite", left="x"), ()),
        # a factor or a power where a sign is not sure
        ("x <= 0", then("scale", factor="x"), ()),
        ("1 <= 0", then("scale", factor="0*y"), ()),
        ("1 <= c", then("scale", factor="c"), ()),
        ("-2 <= x", then("power", exponent="2"), ()),
        ("x <= -1", then("power", exponent="2"), ()),
        ("y <= 0", then("power", exponent="0"), ()),
        ("y <= 0", then("power", exponent="-1"), ()),
        ("y <= 0", then("power", exponent="-y"), ()),
        ("1 <= c", then("power", exponent="x"), ()),
        ("1 <= c", then("power", exponent="c"), ()),
        ("1 <= c", then("power", exponent="1/(n - 1)"), ()),
        ("1 <= c", then("power", exponent="log(y)"), ()),
        ("x <= y", then("power", exponent="y"), ()),
        ("x <= 1", then("logarithm"), ()),
        ("c <= 0", then("logarithm"), ()),
        # facts that are none
        ("x <= 0", then("subtract", fact="x <= 1"), ()),
        ("x == 0", then("subtract", SAME, fact="x <= 0"), ("x <= 0",)),
        ("x <= 0", then("have", fact="x <= 0", inner=POSITIVE), ()),
        ("x <= 0", then("have", fact="0 <= sqrt(x)", inner={"by": "theorem", "theorem": "t"}), ()),
        ("0 <= x", then("shift", term="log(x)"), ()),
        # narrowing by a condition on something else
        ("x <= 1", then("narrow"), ("x*y <= 1",)),
        # names for what is random, or hangs on a bound variable, or with a range that is not its own
        (
            "E(dot(xi, u)**2) <= E(dot(xi, u))**2",
            then("name", symbol=["h", "real", "(-oo, oo)"], term="dot(xi, u)"),
            (),
        ),
        ("sum(k, 1, n, k) <= n", then("name", symbol=["h", "real", "(-oo, oo)"], term="k"), ()),
        ("x <= 1", then("name", symbol=["h", "real", "[0, 1]"], term="x"), ()),
        ("x <= 1", then("name", symbol=["c", "real", "(-oo, oo)"], term="x"), ()),
        ("norm(u) <= 1", then("name", symbol=["h", "real", "(-oo, oo)"], term="u"), ()),
        # bounds in the wrong direction, of equations, of both sides
        ("x <= 0", {"by": "bound", "left": "0", "inner": POSITIVE, "then": POSITIVE}, ()),
        ("abs(x) <= 0", {"by": "bound", "right": "abs(x)", "inner": POSITIVE, "then": POSITIVE}, ()),
        ("x == 0", {"by": "bound", "left": "0", "inner": {"by": "theorem", "theorem": "t"}, "then": SAME}, ()),
        ("x <= 0", {"by": "bound", "left": "0", "right": "0", "inner": POSITIVE, "then": SAME}, ()),
        ("x <= 0", {"by": "bound", "left": "-1/0", "inner": {"by": "theorem", "theorem": "t"}, "then": SAME}, ()),
    ],
)
def test_uses_that_would_prove_too_much(text: str, node: dict[str, Any], conditions: tuple[str, ...]) -> None:
    assert reason(text, node, *conditions)
