"""How the findings of the engines become one outcome, and what a certificate holds."""

import json

import pytest

from dpaudit.claims.argument.nodes import as_data
from dpaudit.claims.argument.proof import Trail
from dpaudit.claims.certificates.certificate import source as source_of
from dpaudit.claims.judge import combine, judge, theorems_of
from dpaudit.claims.judge_mutants import judge_mutant
from dpaudit.claims.source import Source
from dpaudit.records.claim import (
    Bound,
    Boxes,
    ByTheorem,
    Cases,
    Exhibit,
    Induct,
    Monotone,
    Nowhere,
    Open,
    Positive,
    Rewrite,
    Statement,
    Step,
    gaussian,
    integer,
    real,
)
from dpaudit.records.context import Context, Level
from dpaudit.records.errors import ContentError
from dpaudit.records.verdict import Basis, Evidence, Outcome

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
    with pytest.raises(ContentError, match="an engine is wrong"):
        combine(True, trail(), [test(Outcome.REFUTED)])


@pytest.mark.parametrize(
    ("text", "named"),
    [
        ("max(log(0), r) <= 1", "log(0)"),
        ("r <= min(sqrt(-1), 1)", "sqrt((-1))"),
        ("E(max(log(0), norm(xi))) <= 1", "log(0)"),
        ("E(min(norm(xi), sqrt(-1))) <= r", "sqrt((-1))"),
    ],
)
@pytest.mark.parametrize("moves", [(), (Boxes(20),), (Positive(),)], ids=["no argument", "boxes", "positive"])
def test_a_largest_or_least_of_what_is_no_number_is_inconclusive_and_named(text, named, moves):
    statement = Statement(text, (R, gaussian("xi")))
    found = judge("a/B", Step("s1", "", statement, moves, candidates=((("r", "1/2"),),)), Source(), CONTEXT)
    assert found.outcome is Outcome.INCONCLUSIVE
    assert any(f"{named} needs " in evidence.detail for evidence in found.evidence)
    assert judge_mutant(statement, (), Step("s1", "", statement), CONTEXT).outcome is Outcome.INCONCLUSIVE


@pytest.mark.parametrize("moves", [(), (Boxes(20),)], ids=["no argument", "boxes"])
def test_a_scale_that_is_a_mean_is_refused_by_its_name(moves):
    for text in ("E(norm(xi)) <= 1", "r <= 1"):
        statement = Statement(text, (R, gaussian("eta"), gaussian("xi", "E(norm(eta))")))
        with pytest.raises(ContentError, match=r"the scale of xi must hold no mean, got E\(norm\(eta\)\)"):
            judge("a/B", Step("s1", "", statement, moves), Source(), CONTEXT)


def test_a_certificate_holds_statement_domain_and_split_tree(tmp_path):
    statement = Statement("r*(1 - r) <= 0.26", (R,))
    found = judge(
        "a/B", Step("s1", "", statement, (Boxes(),)), Source(), Context(3, Level.SMOKE, 1e-6, folder=str(tmp_path))
    )
    assert found.outcome is Outcome.PROVED
    data = json.loads((tmp_path / found.attachments[0]).read_text())
    assert (data["claim"], data["outcome"]) == ("a/B", "PROVED")
    assert data["statement"] == as_data(statement)
    assert data["source"] == source_of(statement, (Boxes(),))
    splits = data["proof"]["splits"].split()
    assert splits.count(".") == splits.count("0") + 1


def test_theorems_are_found_in_nested_moves():
    inner = Bound(left="1", argument=(Rewrite(left="x", by="one"), ByTheorem("two")))
    moves = (Cases((("r <= 1", (inner,)), ("otherwise", (Bound(left="2", by="three"), Open("rest"))))),)
    assert sorted(theorems_of(moves)) == ["one", "three", "two"]


def test_a_mutant_without_witness_and_without_proof_escapes():
    item = Step("s1", "", Statement("k <= k**2", (integer("k", "[1, oo)"),)))
    # False at k = 123457 alone, and no solver knows exp; the sum keeps the optimiser away.
    alone = "0 <= sum(j, 1, 2, j)*(exp(k/10**6) - exp(123457/10**6))**2 - 1/10**30"
    mutant = Statement(alone, item.statement.symbols)
    assert judge_mutant(mutant, ((("k", "123457"),),), item, CONTEXT).outcome is Outcome.REFUTED
    found = judge_mutant(mutant, (), item, CONTEXT, proved=True)
    assert found.outcome is Outcome.INCONCLUSIVE
    assert "escapes" in found.evidence[0].detail


def test_theorems_are_found_in_the_newer_moves():
    by = lambda name: (ByTheorem(name),)  # noqa: E731
    moves = (Monotone("r", "low", by("a")), Induct("k", by("b"), by("c")), Nowhere(by("d")))
    assert list(theorems_of(moves)) == ["a", "b", "c", "d"]


def test_a_theorem_does_not_prove_a_mutant():
    """It is cited for the original; a ByTheorem() closes whatever stands in front of it."""
    natural = (integer("k", "[1, oo)"),)
    item = Step("s1", "", Statement("log(k) <= k", natural), (ByTheorem("log-concave"),))
    mutant = Statement("0 <= (exp(k/10**6) - exp(123457/10**6))**2*sum(j, 1, 2, j) - 1/10**30", natural)
    assert judge_mutant(mutant, (), item, CONTEXT, proved=True).outcome is Outcome.INCONCLUSIVE


SOME = Statement("r**2 <= 1/4", (R,), ("1/3 <= r",), exists=True)


def exists(statement, *argument):
    return judge("a/B", Step("s1", "", statement, argument), Source(), CONTEXT)


@pytest.mark.parametrize(
    ("value", "outcome"),
    [("1/2", Outcome.PROVED), ("1/3", Outcome.PROVED), ("3/4", Outcome.INCONCLUSIVE), ("1/4", Outcome.INCONCLUSIVE),
     ("-1/2", Outcome.INCONCLUSIVE)],
)  # fmt: skip
def test_existence_is_shown_by_a_point_that_meets_everything(value, outcome):
    assert exists(SOME, Exhibit((("r", value),))).outcome is outcome


@pytest.mark.parametrize(
    ("expression", "value", "outcome"),
    [
        ("r**2 == 1/4", "1/2", Outcome.PROVED),
        ("r**2 == 1/2", "7/10", Outcome.INCONCLUSIVE),
        ("exp(r) == 1", "0", Outcome.PROVED),
        ("r**2 < 1/4", "1/2", Outcome.INCONCLUSIVE),
        ("sqrt(r - 1)*sqrt(r - 1) <= 0", "1/2", Outcome.INCONCLUSIVE),  # not a real number there
        ("0*log(r) <= 0", "0", Outcome.INCONCLUSIVE),
    ],
)
def test_equality_at_a_point_is_exact(expression, value, outcome):
    statement = Statement(expression, (R,), (), exists=True)
    assert exists(statement, Exhibit((("r", value),))).outcome is outcome


def test_existence_is_refuted_by_a_proof_of_the_opposite():
    none = Statement("r**2 < 0", (R,), exists=True)
    assert exists(none, Nowhere((Positive(),))).outcome is Outcome.REFUTED
    edge = Statement("r**2 <= 0", (R,), exists=True)  # true at 0: the opposite 0 < r**2 is not shown
    assert exists(edge, Nowhere((Positive(),))).outcome is Outcome.INCONCLUSIVE
    assert exists(none, Nowhere((Open("later"),))).outcome is Outcome.INCONCLUSIVE


def test_existence_is_settled_by_its_own_moves_alone():
    for argument in ((Positive(),), (Boxes(),), (Rewrite(left="r**2"), Exhibit((("r", "1/2"),)))):
        with pytest.raises(ContentError, match="settled by Exhibit"):
            exists(SOME, *argument)
    with pytest.raises(ContentError, match="settled by Exhibit"):
        exists(Statement("r == 1/2", (R,), (), exists=True), Nowhere((Positive(),)))


def test_a_universal_statement_is_not_shown_by_a_point():
    found = judge("a/B", Step("s1", "", Statement("r**2 <= 1", (R,)), (Exhibit((("r", "1/2"),)),)), Source(), CONTEXT)
    assert found.outcome is Outcome.INCONCLUSIVE


def test_the_mutant_of_an_existence_must_lose_its_point():
    item = Step("s1", "", SOME, (Exhibit((("r", "1/2"),)),))
    broken = Statement("r**2 <= 1/5", (R,), ("1/3 <= r",), exists=True)
    assert judge_mutant(broken, (), item, CONTEXT).outcome is Outcome.REFUTED
    weaker = Statement("r**2 <= 1/3", (R,), ("1/3 <= r",), exists=True)
    assert judge_mutant(weaker, (), item, CONTEXT).outcome is Outcome.INCONCLUSIVE
    condition = Statement("r**2 <= 1/4", (R,), ("2/3 <= r",), exists=True)
    assert judge_mutant(condition, (), item, CONTEXT).outcome is Outcome.REFUTED
