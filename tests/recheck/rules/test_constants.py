"""Certificates of statements with constants: a choice, a point for every constant, and what a forger would try."""

from __future__ import annotations

import json

import pytest
from constants_of_statements import BOUNDED, LARGE, NEVER, UNBOUNDED, X

from dpaudit.claims.certificates.certificate import source
from dpaudit.claims.judge import judge
from dpaudit.claims.source import Source
from dpaudit.claims.writing import Positive, Statement, Step
from dpaudit.recheck import check as checker
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
