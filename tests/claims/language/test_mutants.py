"""The fixed operators change what they say, and only identities get them."""

from dpaudit.claims.language import mutants
from dpaudit.claims.language.expression import parse_relation
from dpaudit.records.claim import Statement, real

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
