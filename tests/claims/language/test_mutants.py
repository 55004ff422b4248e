"""The fixed operators change what they say, and only identities get them."""

from dataclasses import replace

import pytest

from dpaudit.claims.language import mutants
from dpaudit.claims.language.expression import parse_relation
from dpaudit.records.claim import Mutant, Statement, real
from dpaudit.records.errors import ContentError

X = (real("x", "(0, oo)"),)


def test_each_mutant_differs_from_the_statement_and_from_the_others():
    statement = Statement("(x + 1)**2 == x**2 + 2*x + 1", X)
    made = mutants.of(statement)
    texts = [m.expression for m in made]
    assert len(made) == mutants.LIMIT
    assert len(set(texts)) == len(texts)
    assert str(parse_relation(statement.expression)) not in texts
    assert made[0].name == "auto-1"
    assert any("becomes 3" in m.change for m in made)
    assert any("+ becomes -" in m.change for m in made)


def test_inequalities_have_hand_written_mutants_only():
    assert mutants.of(Statement("x <= x + 1", X)) == ()


def test_mutants_of_an_inequality_on_request():
    statement = Statement("x*y <= 2*x + 1", (*X, real("y")), ("y <= 1", "0 <= y"))
    made = {m.name: m for m in mutants.of_inequality(statement)}
    assert made["auto-swapped"].expression == "2 * x + 1 <= x * y"
    assert made["auto-condition-1"].conditions == ("0 <= y",)
    assert made["auto-condition-2"].conditions == ("y <= 1",)
    texts = [m.expression for m in made.values() if m.expression]
    assert len(set(texts)) == len(texts)
    assert any("2 * x - 1" in text for text in texts)
    assert len(made) <= mutants.LIMIT_INEQUALITY


def test_identities_and_existence_have_no_such_mutants():
    assert mutants.of_inequality(Statement("x == x", X)) == ()
    for make in (mutants.of, mutants.of_inequality):
        assert make(Statement("x <= 1", X, (), True)) == ()


ORIGINAL = Statement(
    "x*y**2 + 5/4*y <= 2*x - 1", (real("x", "(0, oo)", "a length"), real("y")), ("y <= 1", "0 <= y + x")
)


@pytest.mark.parametrize(
    "changes",
    [
        {"expression": "x*y**2 + 6/5*y <= 2*x - 1"},
        {"expression": "x*y**3 + 5/4*y <= 2*x - 1"},
        {"expression": "x*y**2 <= 2*x - 1"},
        {"expression": "x*y**2 + 5/4*y <= x - 1"},
        {"expression": "x*y**2 + 5/4*y <= 2*x - 1 - x*y"},
        {"expression": "x*y**2 + 5/4*y < 2*x - 1"},
        {"expression": "2*x - 1 <= x*y**2 + 5/4*y"},
        {"expression": "x*y**2 + 5/4*y <= 2*x + -(1)"},
        {"expression": "x*y**2 + 5/4*y <= (2*x - 1)/8"},
        {"conditions": ("y <= 1",)},
        {"conditions": ("y <= 2", "0 <= y + x")},
        {"conditions": ("y <= 1", "0 <= y + x", "x <= y")},
        {"symbols": (real("x", "(0, 9)"), real("y"))},
    ],
    ids=str,
)
def test_what_differs_in_one_place(changes):
    assert mutants.places(ORIGINAL, replace(ORIGINAL, **changes)) == 1


@pytest.mark.parametrize(
    ("changes", "number"),
    [
        ({}, 0),
        ({"expression": "x*y**2 + (5/4)*y <= 2*x - 1"}, 0),
        ({"symbols": (real("x", "(0, oo)"), real("y"))}, 0),
        ({"expression": "x*y**3 + 6/5*y <= 2*x - 1"}, 2),
        ({"expression": "x*y**2 + 6/5*y <= 3*x - 1"}, 2),
        ({"expression": "x*y**2 + 5/4*y < 3*x - 1"}, 2),
        ({"expression": "x*y**3 + 5/4*y <= 2*x - 1", "conditions": ("y <= 1",)}, 2),
        ({"conditions": ()}, 2),
        ({"conditions": ("2*y <= 7", "0 <= y + x")}, 2),
        ({"conditions": ("y <= 2", "1 <= y + x")}, 2),
        ({"symbols": (real("x", "(0, 9)"), real("y", "(0, 9)"))}, 2),
    ],
    ids=str,
)
def test_what_differs_in_none_or_in_several(changes, number):
    assert mutants.places(ORIGINAL, replace(ORIGINAL, **changes)) == number


def test_the_fixed_operators_change_one_place():
    identity = Statement("(x + 1)**2 == x**2 + 2*x + 1", X)
    made = [(one, mutant) for one in (identity, ORIGINAL)
            for mutant in (*mutants.of(one), *mutants.of_inequality(one))]  # fmt: skip
    assert made
    assert {mutants.places(one, mutants.applied(one, mutant)) for one, mutant in made} == {1}


@pytest.mark.parametrize(("expression", "own", "refused"), [
    ("3*x*y**2 + 5/4*y <= 2*x - 1", False, ""),
    ("x*y**3 + 6/5*y <= 2*x - 1", True, ""),
    ("x*y**3 + 6/5*y <= 2*x - 1", False, "'m' differs from its statement in 2 places.*own_sentence=True"),
    ("", False, "'m' differs from its statement in 0 places"),
    ("", True, "'m' differs from its statement in 0 places"),
])  # fmt: skip
def test_a_mutant_that_is_a_sentence_of_its_own_must_say_so(expression, own, refused):
    mutant = Mutant("m", "change", expression, own_sentence=own)
    changed = mutants.applied(ORIGINAL, mutant)
    if not refused:
        mutants.refuse_unnamed_sentence(mutant, ORIGINAL, changed)
        return
    with pytest.raises(ContentError, match=refused):
        mutants.refuse_unnamed_sentence(mutant, ORIGINAL, changed)
