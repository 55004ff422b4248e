"""There is a constant, the same for all points: proved by a choice, refuted for every choice at once."""

from __future__ import annotations

from dataclasses import replace

import pytest
from constants_of_statements import BOUNDED, LARGE, NEVER, UNBOUNDED, C, X

from dpaudit.claims.argument.choice import chosen
from dpaudit.claims.judge import find_witness, judge
from dpaudit.claims.source import Source
from dpaudit.claims.writing import (
    ByTheorem,
    Cases,
    Choose,
    ForEvery,
    Have,
    Mutant,
    Positive,
    Statement,
    Step,
    Tightness,
    constant,
    integer,
    point,
    vector,
    where,
)
from dpaudit.records.context import Context, Level
from dpaudit.records.errors import ContentError, UnknownNameError
from dpaudit.records.verdict import Outcome

CONTEXT = Context(7, Level.SMOKE, 1e-6)


def found(step, statement=None):
    return judge("toy/LEM-1/s1", step if statement is None else replace(step, statement=statement), Source(), CONTEXT)


@pytest.mark.parametrize("step", [BOUNDED, LARGE])
def test_a_choice_proves(step):
    assert found(step).outcome is Outcome.PROVED, found(step).evidence


@pytest.mark.parametrize("step", [UNBOUNDED, NEVER])
def test_a_point_that_is_a_function_of_the_constant_refutes(step):
    result = found(step)
    assert result.outcome is Outcome.REFUTED, result.evidence
    assert "whatever the constants are" in result.evidence[0].detail


@pytest.mark.deep(keep=2)
@pytest.mark.parametrize(
    "argument",
    [
        (Choose(where("C=1/2")),),  # too small
        (Choose(where("C=0")),),  # out of its range
        (ForEvery(where("x=4*C**2")),),  # the statement is true
        (),
    ],
)
def test_what_is_not_shown_is_not_decided(argument):
    assert found(replace(BOUNDED, argument=argument)).outcome is Outcome.INCONCLUSIVE


@pytest.mark.parametrize(
    "at", ["x=-1", "x=C", "x=C+y", "x=x"], ids=["out of its range", "not far enough", "another name", "itself"]
)
def test_a_point_that_does_not_refute_refutes_nothing(at):
    assert found(replace(UNBOUNDED, argument=(ForEvery(where(at)),))).outcome is not Outcome.REFUTED


def test_a_point_must_meet_the_conditions_and_be_whole():
    short = replace(NEVER, argument=(ForEvery(where("n=101")),))
    broken = replace(NEVER, argument=(ForEvery(where("n=101+n_0")),))
    assert {found(step).outcome for step in (short, broken)} == {Outcome.INCONCLUSIVE}


def test_a_point_alone_refutes_no_statement_with_constants():
    false_at_one = Statement("x <= C", (C, X), ("x <= 5",))
    assert find_witness(false_at_one, (point("C=1 x=5"), point("x=5")), 7) is None
    assert found(Step("s1", "w", false_at_one, (Choose(where("C=5")),))).outcome is Outcome.PROVED


def test_a_choice_about_no_point_proves_nothing():
    empty = Statement("x <= C", (C, X), ("x <= -1",))
    assert found(Step("s1", "w", empty, (Choose(where("C=5")),))).outcome is not Outcome.PROVED


@pytest.mark.parametrize("argument", [(Positive(),), (Positive(), Choose(where("C=1")))])
def test_a_choice_comes_first(argument):
    with pytest.raises(ContentError, match="begins with Choose"):
        found(replace(BOUNDED, argument=argument))


def test_a_choice_is_made_for_constants_alone():
    with pytest.raises(ContentError, match="begins with Choose"):
        found(Step("s1", "w", Statement("x <= x + 1", (X,)), (Choose(where("x=1")),)))


def test_a_statement_reads_in_the_order_of_its_quantifiers():
    assert str(UNBOUNDED.statement) == ("there are constants C in (0, oo) so that for all x in [0, oo): x <= C*sqrt(x)")
    with pytest.raises(ContentError, match="no constants"):
        Step("s1", "w", Statement("x <= C", (C, X), exists=True))


def test_vectors_at_a_point_for_every_constant_are_refused():
    step = Step(
        "s1", "w", Statement("norm(v) <= C", (C, vector("v"))), (ForEvery((("v", "(2*C,)"),)),),
        mutants=(Mutant("m", "m"),),
    )  # fmt: skip
    assert found(step).outcome is not Outcome.REFUTED


@pytest.mark.parametrize(
    "argument",
    [
        (Choose(where("C=1")), Cases((("x <= 1", (ForEvery(where("x=C")),)), ("otherwise", ())))),
        (Choose(where("C=1")), Have("x <= 1", (ForEvery(where("x=C")),))),
        (ForEvery(where("x=4*C**2"), (ForEvery(where("x=1")),)),),
    ],
)
def test_a_point_for_every_constant_stands_alone(argument):
    with pytest.raises(ContentError):
        found(replace(UNBOUNDED, argument=argument))


def test_a_theorem_inside_of_a_fact_must_be_listed():
    hidden = (Choose(where("C=1")), Have("x <= 1", (ByTheorem("no-such-theorem"),)))
    with pytest.raises(UnknownNameError, match="no-such-theorem"):
        found(Step("s1", "w", Statement("x <= C", (C, X)), hidden))


def test_no_point_refutes_another_constant_of_a_statement_with_constants():
    row = Tightness("a", "1", "{c}*x/(1 + x) <= C", proved="1", refuted="2")
    with pytest.raises(ContentError, match="one point refutes no value"):
        replace(BOUNDED, tightness=(row,))


def test_the_domain_of_a_choice_is_that_of_the_certificate():
    statement = Statement("n**2 <= 10*n - 1", (constant("n_0", "[1, oo)"), integer("n", "[1, 50]")), ("n_0 <= n",))
    data = {"proof": {"by": "choose", "values": [["n_0", "60"]]}}
    assert chosen(statement, (Choose(where("n_0=1")),), data).conditions == ("60 <= n",)
