"""Mutants of statements with constants, and those that follow from the original; all others are in the tests of `judge`
and of `verify`."""

from __future__ import annotations

from dataclasses import replace

import pytest
from constants_of_statements import BOUNDED

from dpaudit.claims.engines import empirical, falsify
from dpaudit.claims.judge_mutants import judge_mutant
from dpaudit.claims.writing import Choose, Combine, Statement, Step, constant, integer, real, sequence, vector, where
from dpaudit.records.context import Context, Level
from dpaudit.records.verdict import Outcome

CONTEXT = Context(7, Level.SMOKE, 1e-6)


def test_a_mutant_fails_with_the_constant_that_is_chosen():
    mutant = replace(BOUNDED.statement, expression="2*x/(1 + x) <= C")
    assert judge_mutant(mutant, (), BOUNDED, CONTEXT, True).outcome is Outcome.REFUTED
    slack = replace(BOUNDED.statement, expression="x/(2 + x) <= C")
    assert judge_mutant(slack, (), BOUNDED, CONTEXT, True).outcome is Outcome.PROVED
    assert judge_mutant(mutant, (), replace(BOUNDED, argument=()), CONTEXT, True).outcome is Outcome.INCONCLUSIVE


GIVEN = "sum(k, 1, n, e[k]) <= y"
ROW = (integer("n", "[1, oo)"), sequence("e", "[0, oo)"), real("y", "[0, oo)"))
COMBINED = Combine(terms=(("1", GIVEN),))
BY_CONSTANT = Step(
    "s1",
    "w",
    Statement("sum(k, 1, n, e[k]) <= C*y", (constant("C"), *ROW), (GIVEN,)),
    (Choose(where("C=1")), COMBINED),
)
PLAIN = Step("s1", "w", Statement("sum(k, 1, n, e[k]) <= y", ROW, (GIVEN, "0 <= y")), (COMBINED,))


@pytest.mark.parametrize("item", [BY_CONSTANT, PLAIN], ids=str)
def test_a_mutant_follows_only_from_an_original_that_is_proved(item):
    fewer = replace(item.statement, expression=item.statement.expression.replace("k, 1", "k, 2"))
    found = judge_mutant(fewer, (), item, CONTEXT, True)
    assert found.outcome is Outcome.PROVED
    assert found.evidence[0].detail.endswith("it follows from the original")
    assert judge_mutant(fewer, (), item, CONTEXT, False).outcome is Outcome.INCONCLUSIVE
    more = replace(item.statement, expression=item.statement.expression.replace("k, 1", "k, 0"))
    assert judge_mutant(more, (), item, CONTEXT, True).outcome is Outcome.REFUTED


def test_a_mutant_without_an_argument_is_looked_for_by_combinations():
    open_ended = Step("s1", "w", Statement("y + 1 <= x", (real("x"), real("y")), ("y <= x - 1", "x <= 3")))
    dropped = replace(open_ended.statement, conditions=("y <= x - 1",))
    assert judge_mutant(dropped, (), open_ended, CONTEXT, False).outcome is Outcome.PROVED


def test_where_no_point_is_drawn_the_worst_vectors_are_looked_for(monkeypatch):
    for engine, name in ((falsify, "points"), (empirical, "candidate_points")):
        monkeypatch.setattr(engine, name, lambda *args: iter(()))
    vectors = tuple(map(vector, ("u", "v")))
    item = Step("s1", "w", Statement("dot(u, v) <= 1", vectors, ("norm(u)**2 <= 1", "norm(v)**2 <= 1")))
    mutant = replace(item.statement, expression="dot(u, v) <= 1/2")
    assert judge_mutant(mutant, (), item, CONTEXT, True).outcome is Outcome.REFUTED


def test_a_mutant_that_has_no_value_somewhere_is_neither_proved_nor_refuted():
    item = Step("s1", "w", Statement("1/x <= 2/x", (real("x", "[1, oo)"),)), (Combine(terms=(("1/x", "0 <= 1"),)),))
    found = judge_mutant(replace(item.statement, expression="1/x <= 2/(x - 1)"), (), item, CONTEXT, True)
    assert found.outcome is Outcome.INCONCLUSIVE
    assert "not shown to have a value on its whole domain" in found.evidence[-1].detail
