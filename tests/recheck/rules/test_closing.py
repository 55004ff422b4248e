"""Moves that end an argument: combinations, cases, enumeration, points; none of them proves what is false."""

from __future__ import annotations

from typing import Any

import pytest
from domains import stated, why_not

ROWS = ("x real (-oo, oo)", "y real (0, oo)", "c real [0, 1]", "n integer [1, 9]", "u vector", "v vector")


def reason(text: str, node: dict[str, Any], *conditions: str, rows: tuple[str, ...] = ROWS, **more: Any) -> str:
    return why_not(stated(text, *rows, conditions=conditions, **more), node)


def combine(*terms: list[str], **more: str) -> dict[str, Any]:
    return {"by": "combine", "terms": list(terms), **more}


@pytest.mark.parametrize(
    ("text", "node", "conditions"),
    [
        ("2*x <= 6", combine(["2", "x <= 3"]), ("x <= 3",)),
        ("x*y <= y", combine(["y", "x <= 1"]), ("x <= 1",)),
        (
            "dot(u, v) <= 1",
            combine(["1", "dot(u, v) <= norm(u)*norm(v)"], ["1", "norm(u)*norm(v) <= 1"]),
            ("norm(u)*norm(v) <= 1",),
        ),
        ("c*(2 - c) <= 1", combine(), ()),
        ("x <= 1/y", combine(["1", "x*y <= 1"], times="y"), ("x*y <= 1",)),
        ("x < 3", combine(["1", "x < 2"], ["1", "2 <= 3"]), ("x < 2",)),
        ("x < 3", combine(["1", "x <= 2"]), ("x <= 2",)),  # what is left is 1
        ("x < 3 + y", combine(["1", "x <= 3"]), ("x <= 3",)),
        ("x == 6", combine(["-2", "y == x"], ["-1", "x == 2*y - 6"]), ("y == x", "x == 2*y - 6")),
        ("c*y <= x", combine(["1", "c <= 1", "0 <= y"], ["1", "y <= x"]), ("y <= x",)),
        ("0 <= (x - y)**2", {"by": "positive"}, ()),
        ("n**2 <= 9*n", {"by": "enumerate"}, ()),
    ],
)
def test_true_uses(text: str, node: dict[str, Any], conditions: tuple[str, ...]) -> None:
    rows = ("n integer [1, 9]",) if node["by"] == "enumerate" else ROWS
    assert reason(text, node, *conditions, rows=rows) == ""


@pytest.mark.parametrize(
    ("text", "node", "conditions"),
    [
        ("x <= 2", combine(["1", "x <= 3"]), ("x <= 3",)),
        ("x <= 3", combine(["1", "x <= 3"]), ()),
        ("-x <= -3", combine(["-1", "x <= 3"]), ("x <= 3",)),
        ("x <= 0", combine(["x", "x <= 0"]), ("x**2 <= 0",)),
        ("x < 3", combine(["1", "x <= 3"]), ("x <= 3",)),
        ("x < 3", combine(["c", "x < 3"], ["1 - c", "x <= 3"]), ("x < 3 + 0*c", "x <= 3")),
        ("x < 3 + c", combine(["1", "x <= 3"]), ("x <= 3",)),  # what is left may be 0
        ("x < 3 + (x - y)**2", combine(["1", "x <= 3"]), ("x <= 3",)),
        ("x == 3", combine(["1", "x <= 3"]), ("x <= 3",)),
        ("x <= 0", combine(["1", "0 <= 0"], times="c"), ()),
        ("x <= 0", combine(times="0"), ()),
        ("0 <= x", combine(["1", "0 <= sqrt(x)*sqrt(x)"]), ()),
        ("0 <= x", combine(["1", "0 <= exp(log(x))"]), ()),
        ("x <= -1", combine(["1", "x <= 1", "x <= 1"]), ("x <= 1",)),
        ("x < x", {"by": "identical"}, ()),
        ("x <= 2*x", {"by": "identical"}, ()),
        ("0 < (x - y)**2", {"by": "positive"}, ()),
        ("x == x", {"by": "positive"}, ()),
        ("n <= 8", {"by": "enumerate"}, ()),
        ("n**2 <= 9*n", {"by": "enumerate"}, ()),  # other symbols are no integers
        ("x <= 1", {"by": "theorem"}, ()),
        ("x <= 1", {"by": "theorem", "theorem": ""}, ()),
        ("x <= 1", {"by": "exhibit", "point": [["x", "0"]]}, ()),
        ("x <= 1", {"by": "cases", "parts": []}, ()),
    ],
)
def test_uses_that_would_prove_too_much(text: str, node: dict[str, Any], conditions: tuple[str, ...]) -> None:
    assert reason(text, node, *conditions)


@pytest.mark.parametrize("text", ["n <= 8", "1/(n - 5) <= 1", "n < n"])
def test_each_case_of_an_enumeration_is_shown(text: str) -> None:
    assert reason(text, {"by": "enumerate"}, rows=("n integer [1, 9]",))


def split(case: str, first: dict[str, Any], last: dict[str, Any], name: str = "otherwise") -> dict[str, Any]:
    return {"by": "cases", "parts": [{"case": case, "proof": first}, {"case": name, "proof": last}]}


def test_cases_cover_the_domain() -> None:
    positive = {"by": "positive"}
    assert reason("x <= abs(x)", split("x <= 0", dict(positive), dict(positive))) == ""
    assert "otherwise" in reason("x <= abs(x)", split("x <= 0", dict(positive), dict(positive), "0 < x"))
    theorem = {"by": "theorem", "theorem": "t"}
    assert "complement" in reason("x <= 1", split("x == 0", dict(theorem), dict(theorem)))
    assert "needs 0 <= x" in reason("0 <= x", split("0 <= sqrt(x)", dict(theorem), dict(theorem)))
    assert reason("x <= 0", split("x <= 0", dict(positive), dict(positive)))  # the second case is false


def test_a_point_is_exhibited_exactly() -> None:
    rows, given = ("x real (0, 1]", "v vector"), ("norm(v) <= 1",)
    node = {"by": "exhibit", "point": [["x", "1/2"], ["v", "(3/5, 4/5)"]]}
    assert reason("x <= 1/2", node, *given, rows=rows, exists=True) == ""
    for point in ([["x", "0"], ["v", "(0,)"]], [["x", "1/2"], ["v", "(1, 1)"]], [["x", "3/4"], ["v", "(0,)"]]):
        assert "does not meet" in reason("x <= 1/2", node | {"point": point}, *given, rows=rows, exists=True)


def test_cases_are_about_numbers() -> None:
    positive = {"by": "positive"}
    parts = [{"case": "u <= 0", "proof": dict(positive)}, {"case": "otherwise", "proof": dict(positive)}]
    assert "a number is wanted" in reason("0 <= c", {"by": "cases", "parts": parts})


def test_cases_are_counted_before_they_are_written_out() -> None:
    assert "more than" in reason("0 <= n", {"by": "enumerate"}, rows=("n integer [0, 1e15]",))
    assert "no case" in reason("0 <= n", {"by": "enumerate"}, rows=("n integer (1/5, 4/5)",))
