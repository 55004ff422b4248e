"""Mutants of statements with constants; all others are in the tests of `judge` and of `verify`."""

from __future__ import annotations

from dataclasses import replace

from constants_of_statements import BOUNDED

from dpaudit.claims.judge_mutants import judge_mutant
from dpaudit.records.context import Context, Level
from dpaudit.records.verdict import Outcome

CONTEXT = Context(7, Level.SMOKE, 1e-6)


def test_a_mutant_fails_with_the_constant_that_is_chosen():
    mutant = replace(BOUNDED.statement, expression="2*x/(1 + x) <= C")
    assert judge_mutant(mutant, (), BOUNDED, CONTEXT, True).outcome is Outcome.REFUTED
    slack = replace(BOUNDED.statement, expression="x/(2 + x) <= C")
    assert judge_mutant(slack, (), BOUNDED, CONTEXT, True).outcome is Outcome.PROVED
    assert judge_mutant(mutant, (), replace(BOUNDED, argument=()), CONTEXT, True).outcome is Outcome.INCONCLUSIVE
