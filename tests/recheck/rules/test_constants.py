"""Certificates of statements with constants: a choice, a point for every constant, and what a forger would try."""

from __future__ import annotations

import json
from contextlib import nullcontext

import pytest
from constants_of_statements import BOUNDED, LARGE, NEVER, UNBOUNDED, X

from dpaudit.claims.certificates.certificate import source
from dpaudit.claims.judge import judge
from dpaudit.claims.source import Source
from dpaudit.claims.writing import Positive, Statement, Step
from dpaudit.recheck import check as checker
from dpaudit.recheck.goals import read_statement
from dpaudit.recheck.proof import Proof
from dpaudit.recheck.rules.constants import for_every
from dpaudit.recheck.terms import Refused
from dpaudit.records.context import Context, Level


def certificate(step, tmp_path):
    context = Context(7, Level.SMOKE, 1e-6, folder=tmp_path)
    result = judge("toy/LEM-1/s1", step, Source(), context)
    (path,) = result.attachments
    return json.loads((tmp_path / path).read_text(encoding="utf-8"))


def forged(data, **changes):
    made = {**data, **changes}
    return made | {"digest": checker.digest(made)}


@pytest.mark.parametrize("step", [BOUNDED, UNBOUNDED, LARGE, NEVER])
def test_the_checker_accepts_the_certificate_and_no_other_outcome(step, tmp_path):
    data = certificate(step, tmp_path)
    checker.check(data)
    assert data["source"] == source(step.statement, step.argument)
    other = "PROVED" if data["outcome"] == "REFUTED" else "REFUTED"
    with pytest.raises(Refused):
        checker.check(forged(data, outcome=other))


def test_the_checker_refuses_what_a_forger_would_try(tmp_path):
    proved, refuted = certificate(BOUNDED, tmp_path), certificate(UNBOUNDED, tmp_path / "b")
    choice, point_ = proved["proof"], refuted["proof"]
    nodes = [
        (proved, choice | {"values": [["C", "x"]]}),  # hangs on the point
        (proved, choice | {"values": [["C", "-1"]]}),
        (proved, choice | {"values": []}),
        (proved, choice | {"values": [["C", "1"], ["C", "2"]]}),
        (proved, choice | {"values": [["C", "1"], ["x", "0"]]}),
        (proved, choice["then"]),
        (proved, {"by": "witness", "point": [["x", "9"]]}),
        (refuted, point_ | {"at": [["x", "-4*C**2"]]}),
        (refuted, point_ | {"at": [["x", "C**2"]]}),
        (refuted, point_ | {"at": []}),
        (refuted, point_ | {"then": {**point_["then"], "goal": "0 < 1"}}),
        (refuted, point_ | {"conditions": [{}]}),
        (refuted, {"by": "witness", "point": [["x", "9"]]}),
        (refuted, {"by": "witness", "point": [["x", "9"], ["C", "1"]]}),
    ]
    for data, node in nodes:
        with pytest.raises((Refused, LookupError)):
            checker.check(forged(data, proof=node))


def test_a_statement_with_constants_is_no_ground(tmp_path):
    data = certificate(Step("s2", "w", Statement("x <= x + 1", (X,)), (Positive(),)), tmp_path)
    ground = {"symbols": [["C", "constant", "(0, oo)"], ["x", "real", "[0, oo)"]], "conditions": [],
              "goal": "x <= x + 1", "exists": False}  # fmt: skip
    node = {"by": "instance", "of": "toy/LEM-1/s9", "at": []}
    with pytest.raises(Refused, match="not among the grounds"):
        checker.check(forged(data, proof=node, grounds={"toy/LEM-1/s9": ground}, assuming=["toy/LEM-1/s9"]))


def goal(text, *given, x="[0, 1]", c="(0, oo)"):
    symbols = [["C", "constant", c], ["x", "real", x]]
    return read_statement({"symbols": symbols, "conditions": list(given), "goal": text, "exists": False})


def choose(stated, value, then=None):
    """Write a choice and check it, side goals and all."""
    node = {"by": "choose", "values": [["C", value]], "then": then or {"by": "positive"}}
    Proof({}, writing=True).check(stated, node)


def refute(stated, at, then=None, conditions=()):
    node = {"by": "for-every", "at": [["x", at]], "conditions": [{"proof": one} for one in conditions]}
    for_every(Proof({}, writing=True), stated, node | {"then": then or {"by": "positive"}})


def test_a_number_of_its_range_that_bounds_all_points_is_a_choice():
    choose(goal("x <= C"), "1")
    choose(goal("x <= C", c="[1/2, 1]"), "1")


@pytest.mark.parametrize(
    ("stated", "value", "then"),
    [
        (goal("x <= C", c="(0, 1/2]"), "1", None),  # out of its range
        (goal("x <= C", c="(1, oo)"), "1", None),  # an open end
        (goal("x <= C"), "x", {"by": "identical"}),  # it hangs on the point
        (goal("x <= C"), "1/2", None),
        (goal("1/(x - C) <= 1/(x - C)"), "1", {"by": "identical"}),  # no value at x = 1
    ],
    ids=["range", "end", "point", "small", "value"],
)
def test_no_other_number_is(stated, value, then):
    with pytest.raises(Refused):
        choose(stated, value, then)


def test_nothing_else_shows_that_there_is_a_constant():
    for node in ({"by": "identical"}, {"by": "positive"}, {"by": "theorem", "theorem": "union-bound"}):
        with pytest.raises(Refused, match="by values of them"):
            Proof({}, writing=True).check(goal("C <= C"), node)


def test_a_point_above_every_constant_refutes():
    refute(goal("x <= C", x="[0, oo)"), "2*C")
    refute(goal("x < C", x="[0, oo)"), "C")
    refute(goal("x <= C", "C <= x", x="[0, oo)"), "2*C", conditions=({"by": "positive"},))


@pytest.mark.parametrize(
    ("stated", "at", "conditions"),
    [
        (goal("x <= C", x="[0, oo)"), "C", ()),  # equality is allowed
        (goal("x <= C"), "2*C", ()),  # out of its range
        (goal("x <= C", "x <= 1", x="[0, oo)"), "2*C", ({"by": "positive"},)),  # a condition fails
        (goal("x <= C", "x <= 1", x="[0, oo)"), "2*C", ()),  # and is not shown at all
        (goal("x <= C + 0*log(-C)", x="[0, oo)"), "2*C", ()),  # the statement says nothing there
        (goal("x <= C", "0*log(-C) <= x", x="[0, oo)"), "2*C", ({"by": "positive"},)),  # nor has the condition a value
    ],
    ids=["equal", "range", "condition", "unshown", "value", "condition's value"],
)
def test_a_point_that_shows_less_refutes_nothing(stated, at, conditions):
    with pytest.raises(Refused):
        refute(stated, at, conditions=conditions)


def test_a_whole_number_is_a_whole_number_whatever_the_constant_is():
    symbols = [["C", "constant", "(0, oo)"], ["n", "integer", "[1, oo)"]]
    data = {"symbols": symbols, "conditions": [], "goal": "n <= ceil(C)", "exists": False}
    for at, whole in (("1 + ceil(C)", True), ("1 + C", False)):
        node = {"by": "for-every", "at": [["n", at]], "conditions": [], "then": {"by": "positive"}}
        with nullcontext() if whole else pytest.raises(Refused, match="integer"):
            for_every(Proof({}, writing=True), read_statement(data), node)


@pytest.mark.parametrize(
    "change", [{"exists": True}, {"symbols": [["C", "constant", "(0, 1)"], ["g", "gaussian", "C"]]}]
)
def test_constants_stand_before_all_points_and_in_no_law(change):
    data = {"symbols": [["C", "constant", "(0, 1)"]], "conditions": [], "goal": "C <= 1", "exists": False}
    with pytest.raises(Refused, match="constants stand in a statement for all points"):
        read_statement(data | change)
