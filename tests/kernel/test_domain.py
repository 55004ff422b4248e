"""Domains in Coq: open and closed ends, conditions, and that terms have a value where the checker does not show it."""

from __future__ import annotations

import pytest
from domains import goal

from dpaudit.kernel.domain import Domain
from dpaudit.kernel.text import NotExported


@pytest.mark.parametrize(
    ("text", "rows", "expected"),
    [
        ("x <= 1", ("x real (0, 1]",), "forall (x : R),\n  0 < x ->\n  x <= 1 ->\n  x <= 1"),
        ("x < 1", ("x real [0, 1)",), "forall (x : R),\n  0 <= x ->\n  x < 1 ->\n  x < 1"),
        ("n <= 1", ("n integer [0, oo)",), "forall (n : Z),\n  0 <= (IZR n) ->\n  (IZR n) <= 1"),
        ("0 <= norm(u)", ("u vector",), "forall (V_ : space) (u : V_),\n  0 <= (norm u)"),
        ("1/x <= 1", ("x real [0, 1]",), "0 <= x ->\n  x <= 1 ->\n  x <> 0 ->\n  (1 / x) <= 1"),
        ("log(x) <= x", ("x real [0, 1]",), "0 < x ->\n  (ln x) <= x"),
        ("sqrt(x) <= x", ("x real (-oo, 1]",), "0 <= x ->\n  (sqrt x) <= x"),
        ("x**-1 <= x", ("x real [0, 1]",), "x <> 0 ->\n  (/ (x ^ 1)) <= x"),
        ("x**(1/3) <= 1", ("x real (-oo, 1]",), "(0 < x \\/ (x = 0 /\\ 0 <= (1 / 3))) ->\n  (pw x (1 / 3)) <= 1"),
    ],
)
def test_statements(text: str, rows: tuple[str, ...], expected: str) -> None:
    assert Domain(goal(text, *rows)).statement.endswith(expected)


def test_a_condition_holds_only_where_it_has_a_value() -> None:
    made = Domain(goal("x <= 1", "x real [0, 1]", conditions=("1/x <= 2",))).statement
    assert "(1 / x) <= 2 ->\n  x <> 0 ->" in made


def test_what_is_shown_is_not_supposed() -> None:
    assert "<> 0" not in Domain(goal("1/x <= 1", "x real [1, 2]")).statement


def test_means_are_not_said() -> None:
    with pytest.raises(NotExported):
        Domain(goal("0 <= E(dot(xi, xi))", "xi gaussian 1"))
