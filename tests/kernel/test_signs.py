"""Scripts for signs: by shape, by ranges, by conditions, by enclosures; none where nothing is shown."""

from __future__ import annotations

import pytest
from domains import goal

from dpaudit.kernel.prover import Prover
from dpaudit.kernel.text import NotExported
from dpaudit.recheck.terms import relation, term

PROVER = Prover(
    goal("0 <= 1", "x real (0, oo)", "y real (-oo, oo)", "c real [0, 1]", "u vector", conditions=("y <= c",))
)


@pytest.mark.parametrize(
    ("text", "strict", "part"),
    [
        ("3/4", True, "clear; lra"),
        ("x", True, "exact low_x"),
        ("x", False, "apply Rlt_le; exact low_x"),
        ("x*exp(y)", True, "apply mul_pos; [exact low_x | apply exp_pos]"),
        ("norm(u)", False, "apply norm_nonneg"),
        ("y**2", False, "apply (even_nonneg _ 1)"),
        ("sqrt(x)/x", True, "apply div_pos"),
        ("c - y", False, "apply le_slack; exact given_0"),
        ("1 - c", False, "apply le_slack; exact high_c"),
        ("1 - sqrt(c)", False, "enclosed"),
        ("1 - x**2 + (x - 1)*(x + 1)", False, "nonneg_by"),
    ],
)
def test_scripts(text: str, strict: bool, part: str) -> None:
    assert part in PROVER.signs.prove(term(text), strict)


@pytest.mark.parametrize(("text", "strict"), [("y", False), ("c", True), ("norm(u)", True), ("y - c", False)])
def test_what_is_not_shown_has_no_script(text: str, strict: bool) -> None:
    assert PROVER.signs.find(term(text), strict) is None
    with pytest.raises(NotExported, match="is not shown"):
        PROVER.signs.prove(term(text), strict)


def test_relations_are_shown_by_hypotheses_first() -> None:
    assert PROVER.relation(relation("y <= c")) == "exact given_0"
    assert PROVER.relation(relation("0 <= x")).endswith("exact low_x")
    assert PROVER.signs.nonzero(term("x")) == "apply ne_of_pos; exact low_x"
