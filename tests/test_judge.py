"""How the findings of the engines become one outcome, and what a certificate holds."""

import json

import pytest

from dpaudit.argument import Trail
from dpaudit.claim import Bound, Boxes, ByTheorem, Cases, Open, Rewrite, Statement, Step, integer, real
from dpaudit.context import Context, Level
from dpaudit.judge import combine, judge, judge_mutant, theorems_of
from dpaudit.verdict import Basis, Evidence, Outcome

CONTEXT = Context(3, Level.SMOKE, 1e-6)
R = real("r", "[0, 1]")


def trail(closed=True, partial=False):
    return Trail([Evidence("rigorous", Outcome.PROVED, "")], closed=closed, partial=partial)


def test(outcome):
    return Evidence("empirical", outcome, ""), Basis.SAMPLING


test.__test__ = False


@pytest.mark.parametrize(
    ("proved", "found", "tests", "expected"),
    [
        (True, trail(), [], (Outcome.PROVED, None)),
        (True, trail(), [test(Outcome.CONSISTENT)], (Outcome.PROVED, None)),
        (True, trail(), [test(Outcome.INCONCLUSIVE)], (Outcome.INCONCLUSIVE, None)),
        (False, trail(partial=True), [], (Outcome.CONSISTENT, Basis.PARTIAL_PROOF)),
        (False, trail(closed=False, partial=True), [], (Outcome.INCONCLUSIVE, None)),
        (False, Trail(), [test(Outcome.CONSISTENT)], (Outcome.CONSISTENT, Basis.SAMPLING)),
        (False, Trail(), [test(Outcome.CONSISTENT), test(Outcome.INCONCLUSIVE)], (Outcome.INCONCLUSIVE, None)),
        (False, Trail(), [test(Outcome.REFUTED)], (Outcome.REFUTED, None)),
        (False, Trail(), [], (Outcome.INCONCLUSIVE, None)),
    ],
)
def test_one_outcome_from_all_engines(proved, found, tests, expected):
    assert combine(proved, found, tests) == expected


def test_a_test_against_a_proof_is_an_engine_error():
    from dpaudit.errors import ContentError

    with pytest.raises(ContentError, match="an engine is wrong"):
        combine(True, trail(), [test(Outcome.REFUTED)])


def test_a_certificate_holds_statement_domain_and_split_tree(tmp_path):
    statement = Statement("r*(1 - r) <= 0.26", (R,))
    found = judge(
        "a/B", Step("s1", "", statement, (Boxes(),)), None, Context(3, Level.SMOKE, 1e-6, folder=str(tmp_path))
    )
    assert found.outcome is Outcome.PROVED
    data = json.loads((tmp_path / found.attachments[0]).read_text())
    assert data["statement"]["expression"] == statement.expression
    assert len(data["digest"]) == 64
    splits = data["splits"].split()
    assert splits.count(".") == splits.count("0") + 1


def test_theorems_are_found_in_nested_moves():
    inner = Bound(left="1", argument=(Rewrite(left="x", by="one"), ByTheorem("two")))
    moves = (Cases((("r <= 1", (inner,)), ("otherwise", (Bound(left="2", by="three"), Open("rest"))))),)
    assert sorted(theorems_of(moves)) == ["one", "three", "two"]


def test_a_mutant_without_witness_and_without_proof_escapes():
    item = Step("s1", "", Statement("k <= k**2", (integer("k", "[1, oo)"),)))
    mutant = Statement("k <= k**2 - (k - 1)*(k - 10**9)**2/10**40", item.statement.symbols)
    found = judge_mutant(mutant, (), item, CONTEXT, proved=True)
    assert found.outcome is Outcome.INCONCLUSIVE
    assert "escapes" in found.evidence[0].detail
