"""Certificates as text: the statement as it stands, one lemma a node, named theorems as axioms."""

from __future__ import annotations

from typing import Any

import pytest
from coq import POSITIVE, certified, text_of
from domains import goal, stated, written

from dpaudit.kernel.domain import Domain
from dpaudit.kernel.export import export
from dpaudit.kernel.text import NotExported
from dpaudit.recheck.terms import Refused

SCALED = {"by": "scale", "factor": "2", "then": POSITIVE}
BY_THEOREM = {"by": "bound", "left": "x**2", "inner": {"by": "theorem", "theorem": "t-1"}, "then": dict(POSITIVE)}


def test_one_lemma_a_node_and_the_statement_as_it_stands() -> None:
    made = text_of("x <= x + 1", dict(SCALED, then=dict(POSITIVE)), "x real [0, 1]")
    assert [one.name for one in made.lemmas] == ["node_1", "node_2"]
    assert made.theorem == Domain(goal("x <= x + 1", "x real [0, 1]")).statement
    assert made.proof == "exact node_2"
    assert made.axioms == ()


def test_a_named_theorem_is_an_axiom_on_its_domain() -> None:
    made = text_of("x <= 1 + x**2", dict(BY_THEOREM), "x real [0, 1]")
    assert [(one.name, one.of) for one in made.axioms] == [("theorem_1_t_1", "t-1")]
    assert made.axioms[0].statement.endswith("0 <= x ->\n  x <= 1 ->\n  x <= (x ^ 2)")


def test_a_point_refutes() -> None:
    data = written(stated("x <= 1", "x real [0, oo)"), {"by": "witness", "point": [["x", "2"]]}, outcome="REFUTED")
    made = export(data)
    assert made.theorem == "~ (forall (x : R),\n  0 <= x ->\n  x <= 1)"


def test_a_changed_certificate_is_refused_before() -> None:
    data = certified("x <= x + 1", dict(SCALED, then=dict(POSITIVE)), "x real [0, 1]")
    data["statement"]["goal"] = "x <= x - 1"
    with pytest.raises(Refused):
        export(data)


TERM_BY_TERM = {"by": "termwise", "inner": {"by": "identical"}}


@pytest.mark.parametrize(
    ("text", "node", "row", "why"),
    [
        ("x <= 1", {"by": "solvers"}, "x real [0, 1]", "the rule solvers"),
        ("Phi(x) <= 2", {"by": "positive"}, "x real [0, 1]", "Phi"),
        ("Phi(x) <= 1", {"by": "theorem", "theorem": "t"}, "x real [0, 1]", "Phi"),
        ("0 <= E(dot(u, u))", {"by": "theorem", "theorem": "t"}, "u gaussian 1", "gaussian"),
        ("x*0**(3/2) == 0", {"by": "identical"}, "x real [0, 1]", "which is 0"),
        ("0 <= e[0]", {"by": "positive"}, "e sequence [0, 1]", "sequences"),
        ("sum(k, 1, 3, x) == sum(k, 1, 3, x)", TERM_BY_TERM, "x real [0, 1]", "equal term by term"),
    ],
)
def test_what_is_not_translated_says_why(text: str, node: dict[str, Any], row: str, why: str) -> None:
    with pytest.raises(NotExported, match=why):
        text_of(text, node, row)
