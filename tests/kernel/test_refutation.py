"""Points that refute, and tactics put together."""

from __future__ import annotations

import pytest
from domains import goal

from dpaudit.kernel import refutation, scripts
from dpaudit.kernel.text import NotExported


def test_the_statement_is_taken_at_the_point() -> None:
    made = refutation.script(goal("x <= n", "x real (0, oo)", "n integer [1, oo)"), {"x": "7/2", "n": "1"})
    assert "(H_1 (7 / 2) (1)%Z _ _)" in made
    assert made.endswith("apply Rlt_not_le; at_point]")


@pytest.mark.parametrize(("value", "space"), [("(1,)", "line 1"), ("(1, -2)", "plane (1, (-2))%R")])
def test_vectors_are_those_of_a_line_or_a_plane(value: str, space: str) -> None:
    assert f"(H_1 {space} )" in refutation.script(goal("norm(u) <= 1", "u vector"), {"u": value})


def test_more_coordinates_are_not_said() -> None:
    with pytest.raises(NotExported):
        refutation.script(goal("norm(u) <= 1", "u vector"), {"u": "(1, 2, 3)"})


def test_tactics_are_joined() -> None:
    assert scripts.then("a", "", "b") == "a; b"
    assert scripts.split("a", "b", "c") == "a; [b | c]"
    assert scripts.split("a", "b") == "a; b"
    assert scripts.first("a") == "a"
    assert scripts.first("a", "b") == "first [solve [a] | solve [b]]"
    assert scripts.known("H", "P", "a") == "assert (H : P) by (a)"
    assert scripts.together(["a", "b"]) == "[a | b]"
