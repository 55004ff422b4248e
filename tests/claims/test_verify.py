"""One verdict for the claim, for each step and each mutant; no check can take another along."""

from dataclasses import replace
from types import ModuleType

import numpy as np
import pytest

from dpaudit.claims.argument.nodes import NODES
from dpaudit.claims.grounds import settle
from dpaudit.claims.verify import statistical_tests, verify_claim
from dpaudit.records.claim import (
    Boxes,
    Cases,
    Claim,
    ClaimKind,
    Combine,
    Condition,
    Identical,
    Mutant,
    Open,
    Origin,
    Reads,
    Rewrite,
    Sampling,
    Search,
    Solve,
    Statement,
    Step,
    Tightness,
    integer,
    real,
)
from dpaudit.records.context import Context, Level
from dpaudit.records.errors import ContentError
from dpaudit.records.verdict import OWN_SENTENCE, Basis, Kind, Outcome

# A sampling check below draws at alpha/2 = 5e-7 per verdict, so a false alarm here has probability at most 1e-6.
CONTEXT = Context(7, Level.SMOKE, 1e-6)
R = real("r", "[0, 1]")
TRUE = Claim(
    id="test/TRUE",
    title="e is below 3",
    words="exp(r^2) <= 3 on [0, 1]",
    place="nowhere",
    kind=ClaimKind.INEQUALITY,
    statement=Statement("exp(r**2) <= 3", (R,)),
    argument=(Boxes(),),
    mutants=(Mutant("constant", "2.7", "exp(r**2) <= 2.7"),),
)


def module_of(**content):
    module = ModuleType("claim")
    vars(module).update(content)
    return module


def outcome(claim, module=None, context=CONTEXT):
    return settle(verify_claim(claim, module, context))[0]


def test_a_true_claim_is_proved_and_its_mutant_refuted(tmp_path):
    context = Context(7, Level.SMOKE, 1e-6, folder=str(tmp_path))
    claim, mutant = verify_claim(TRUE, None, context, "A. Uthor (2026), A Paper")
    assert (claim.outcome, claim.kind, claim.expected) == (Outcome.PROVED, Kind.CLAIM, Outcome.PROVED)
    assert (mutant.outcome, mutant.kind, mutant.id) == (Outcome.REFUTED, Kind.MUTANT, "test/TRUE~constant")
    assert dict(mutant.witness)["r"] == "1"
    assert dict(claim.numbers)["largest_ratio"] == pytest.approx(0.906, abs=1e-3)
    assert claim.source == "A. Uthor (2026), A Paper, nowhere"
    assert claim.statement == "for all r in [0, 1]: exp(r**2) <= 3"
    assert (tmp_path / claim.attachments[0]).read_text().startswith("{")


def test_a_changed_constant_is_refuted_with_a_witness():
    broken = replace(TRUE, statement=Statement("exp(r**2) <= 2.7", (R,)))
    verdict = outcome(broken)
    assert verdict.outcome is Outcome.REFUTED
    assert dict(verdict.witness)["r"] == "1"
    assert not verdict.as_expected


def test_a_mutant_that_differs_in_two_places_says_so_or_is_an_error():
    several = Mutant("several", "2.7, of 2 r", "exp(2*r) <= 2.7", candidates=((("r", "1"),),))
    found = verify_claim(replace(TRUE, mutants=(several, *TRUE.mutants)), None, CONTEXT)
    assert [v.outcome for v in found] == [Outcome.PROVED, Outcome.ERROR, Outcome.REFUTED]
    assert "'several' differs from its statement in 2 places" in found[1].evidence[0].detail
    assert found[2].numbers == ()
    own = verify_claim(replace(TRUE, mutants=(replace(several, own_sentence=True),)), None, CONTEXT)[1]
    assert (own.outcome, own.expected) == (Outcome.REFUTED, Outcome.REFUTED)
    assert own.numbers == ((OWN_SENTENCE, True),)


def test_a_mutant_that_is_true_is_reported_as_slack():
    loose = replace(TRUE, mutants=(Mutant("loose", "2.9", "exp(r**2) <= 2.9"),))
    mutant = verify_claim(loose, None, CONTEXT)[1]
    assert mutant.outcome is Outcome.PROVED
    assert not mutant.as_expected


def test_without_a_proof_and_without_a_witness_it_is_inconclusive():
    unknown = replace(TRUE, statement=Statement("Gamma(1 + r) <= 1", (R,)), argument=(), mutants=())
    assert outcome(unknown).outcome is Outcome.INCONCLUSIVE
    assert "tried by themselves: Identical, Positive, Combine, Boxes, " in outcome(unknown).evidence[-1].detail
    harder = replace(TRUE, statement=Statement("r*(1 - r) <= 0.2501", (R,)), argument=(Boxes(1),), mutants=())
    assert outcome(harder).outcome is Outcome.INCONCLUSIVE


def test_a_statement_alone_is_proved_where_a_proof_is_found():
    assert outcome(replace(TRUE, argument=())).outcome is Outcome.PROVED
    # where a check is given, that check alone decides
    checked = replace(TRUE, argument=(), mutants=(), from_standard=(Search("draw", 0.9),))
    assert outcome(checked).outcome is Outcome.INCONCLUSIVE


def test_an_open_case_is_a_partial_proof():
    statement = Statement("k <= k**2", (integer("k", "[1, oo)"),))
    claim = replace(
        TRUE,
        statement=statement,
        mutants=(),
        argument=(Cases((("k <= 9", (Boxes(),)), ("otherwise", (Open("more"),)))),),
    )
    verdict = outcome(claim)
    assert (verdict.outcome, verdict.basis) == (Outcome.CONSISTENT, Basis.PARTIAL_PROOF)


@pytest.mark.parametrize("argument", [(Rewrite(left="nonsense"), Boxes()), (Boxes(), Boxes())])
def test_a_broken_argument_is_an_error_of_that_verdict_alone(argument):
    step = Step("s1", "fine", TRUE.statement, (Boxes(),), mutants=TRUE.mutants)
    verdicts = {v.id: v for v in verify_claim(replace(TRUE, argument=argument, steps=(step,)), None, CONTEXT)}
    assert verdicts["test/TRUE"].outcome is Outcome.ERROR
    assert verdicts["test/TRUE/s1"].outcome is Outcome.PROVED


def test_what_is_not_encoded_is_not_run():
    verdict = outcome(replace(TRUE, statement=None, argument=(), mutants=()))
    assert verdict.outcome is Outcome.NOT_RUN


def test_a_claim_falls_with_the_step_that_it_rests_on():
    false_step = Step("r1", "false", Statement("r**2 <= 0.9", (R,)), (Boxes(100),), rests_on=("other/LEM-1",))
    claim = replace(TRUE, rests_on=("test/TRUE/r1",), steps=(false_step,))
    verdict = outcome(claim)
    assert verdict.outcome is Outcome.INCONCLUSIVE
    true_step = replace(false_step, statement=Statement("r**2 <= 1.1", (R,)))
    verdict = outcome(replace(claim, steps=(true_step,)))
    assert verdict.outcome is Outcome.PROVED
    assert verdict.assuming == ("other/LEM-1",)


def test_a_theorem_that_is_not_listed_is_no_ground(tmp_path):
    from dpaudit.records.claim import ByTheorem

    (tmp_path / "assumed").mkdir()
    (tmp_path / "assumed" / "some.toml").write_text("[normal-tail]\nstatement = 'x'\nsource = 'y'\n")
    module = module_of(__file__=str(tmp_path / "paper" / "lem.py"))
    verdict = outcome(replace(TRUE, argument=(ByTheorem("normal-tial"),)), module)
    assert verdict.outcome is Outcome.ERROR
    assert "did you mean 'normal-tail'" in verdict.evidence[0].detail
    assert outcome(replace(TRUE, argument=(ByTheorem("normal-tail"),)), module).assuming == ("normal-tail",)


def test_a_proof_that_meets_a_witness_is_an_error(monkeypatch):
    from dpaudit.recheck.proof import RULES

    monkeypatch.setitem(RULES, "boxes", lambda proof, goal, node, needs: None)
    monkeypatch.setitem(NODES, Boxes, lambda search, goal, move, rest: {"by": "boxes", "splits": ".", "panels": 1})
    verdict = outcome(replace(TRUE, statement=Statement("exp(r**2) <= 2.7", (R,))))
    assert verdict.outcome is Outcome.ERROR
    assert "an engine is wrong" in verdict.evidence[0].detail


def sampled(limit, near_miss, relation="<="):
    module = module_of(draw=lambda stream, trials: stream.normals(np.arange(trials), 0, 1)[:, 0] + 1.0)
    check = Sampling("draw", relation, limit, 1.0, near_miss, trials=100_000)
    return outcome(replace(TRUE, statement=None, argument=(), mutants=(), empirical=(check,)), module)


def test_sampling_is_never_a_proof():
    verdict = sampled(1.2, 0.8)
    assert (verdict.outcome, verdict.basis) == (Outcome.CONSISTENT, Basis.SAMPLING)


def test_sampling_refutes_and_repeats():
    verdict = sampled(0.8, 0.5)
    assert verdict.outcome is Outcome.REFUTED
    assert "repeated on fresh draws" in verdict.evidence[0].detail
    assert sampled(0.8, 0.5, "==").outcome is Outcome.REFUTED


def test_sampling_without_power_is_inconclusive():
    assert sampled(1.2, 0.999).outcome is Outcome.INCONCLUSIVE


def searched(values, near_miss=0.9):
    module = module_of(draw=lambda stream, trials: np.array(values))
    return outcome(
        replace(TRUE, statement=None, argument=(), mutants=(), empirical=(Search("draw", near_miss),)), module
    )


def test_a_search_on_shipped_code():
    assert searched([0.5, 0.99]).basis is Basis.SEARCH
    assert searched([0.5, 0.6]).outcome is Outcome.INCONCLUSIVE  # the near-miss was not broken: too weak a search
    assert searched([0.5, 1.01]).outcome is Outcome.REFUTED
    assert searched([0.5, float("nan")]).outcome is Outcome.ERROR
    assert searched([]).outcome is Outcome.ERROR


def test_a_missing_function_is_named():
    claim = replace(TRUE, empirical=(Search("nowhere", 0.9),))
    assert "no function 'nowhere'" in outcome(claim, module_of()).evidence[0].detail


def test_the_number_of_statistical_tests():
    check = Sampling("draw", "<=", 1.0, 1.0, 0.5)
    step = Step("s1", "", TRUE.statement, empirical=(check, Search("draw", 0.9)))
    assert statistical_tests(replace(TRUE, empirical=(check,), steps=(step,))) == 2


def test_a_slow_check_of_a_decided_statement_begins_at_standard():
    draws: list[int] = []

    def draw(stream: object, trials: int) -> np.ndarray:
        draws.append(trials)
        return np.array([0.95])

    claim = replace(TRUE, from_standard=(Search("draw", 0.9, trials=7),))
    early = outcome(claim, module_of(draw=draw))
    assert (early.outcome, draws) == (Outcome.PROVED, [])
    assert (early.evidence[-1].outcome, early.evidence[-1].detail) == (
        Outcome.NOT_RUN,
        "draw: begins at level standard",
    )
    late = verify_claim(claim, module_of(draw=draw), replace(CONTEXT, level=Level.STANDARD))[0]
    assert (late.outcome, draws) == (Outcome.PROVED, [7])
    assert late.evidence[-1].outcome is Outcome.CONSISTENT
    alone = replace(claim, statement=None, argument=(), mutants=())
    assert outcome(alone, module_of(draw=draw)).outcome is Outcome.INCONCLUSIVE
    assert verify_claim(alone, module_of(draw=draw), replace(CONTEXT, level=Level.STANDARD))[0].basis is Basis.SEARCH


def test_an_identity_gets_automatic_mutants():
    claim = replace(
        TRUE, statement=Statement("(r + 1)**2 == r**2 + 2*r + 1", (R,)), argument=(Identical(),), mutants=()
    )
    verdicts = verify_claim(claim, None, CONTEXT)
    assert verdicts[0].outcome is Outcome.PROVED
    assert len(verdicts) > 3
    assert all(v.outcome is Outcome.REFUTED for v in verdicts[1:])


def test_a_statement_about_no_point_is_not_proved():
    empty = replace(TRUE, statement=Statement("exp(r**2) <= 1", (R,), ("2 <= r",)), mutants=())
    verdict = outcome(empty)
    assert verdict.outcome is Outcome.INCONCLUSIVE
    assert "no point of the domain" in verdict.evidence[-1].detail


def test_an_argument_without_a_statement_is_an_error():
    module = module_of(draw=lambda stream, trials: np.array([0.95]))
    claim = replace(TRUE, statement=None, mutants=(), empirical=(Search("draw", 0.9),))
    assert outcome(claim, module).outcome is Outcome.ERROR


def test_grounds_are_followed_to_the_end_and_not_in_a_circle():
    weak = Step("r2", "false", Statement("r**2 <= 0.9", (R,)), (Boxes(100),))
    middle = Step("r1", "true", TRUE.statement, (Boxes(),), rests_on=("test/TRUE/r2",))
    claim = replace(TRUE, rests_on=("test/TRUE/r1",), steps=(middle, weak))
    assert outcome(claim).outcome is Outcome.INCONCLUSIVE
    circle = replace(claim, steps=(replace(middle, rests_on=("test/TRUE",)),))
    assert outcome(circle).outcome is Outcome.INCONCLUSIVE
    assert outcome(replace(TRUE, rests_on=("test/TRUE",))).outcome is Outcome.INCONCLUSIVE
    firm = replace(weak, statement=Statement("r**2 <= 1.1", (R,)), rests_on=("other/LEM-2",))
    verdict = outcome(replace(claim, steps=(middle, firm)))
    assert (verdict.outcome, verdict.assuming) == (Outcome.PROVED, ("other/LEM-2",))


HUMP = replace(TRUE, statement=Statement("r*(1 - r) <= 0.3", (R,)), mutants=())


def constants(*rows, claim=HUMP, context=CONTEXT):
    return {v.id: v for v in verify_claim(replace(claim, tightness=rows), None, context)}


def test_a_constant_is_proved_and_its_neighbour_refuted():
    row = Tightness("height", "0.3", "r*(1 - r) <= {c}", proved="0.251", refuted="0.249")
    found = constants(row)
    best, worse = found["test/TRUE~best-height"], found["test/TRUE~height-0.249"]
    assert (best.kind, best.outcome, best.expected) == (Kind.REDUCTION, Outcome.PROVED, Outcome.PROVED)
    assert dict(best.numbers)["proved"] == "0.251"
    assert dict(best.numbers)["refuted"] == "0.249"
    assert (worse.kind, worse.outcome) == (Kind.MUTANT, Outcome.REFUTED)


def test_a_best_constant_stands_where_its_statement_stands_and_rests_on_the_same():
    row = Tightness("height", "0.3", "r*(1 - r) <= {c}", proved="0.251", refuted="0.249")
    origins = (Condition("", Origin.GIVEN, "other/LEM-1"),)
    inferred = replace(HUMP, expects=Outcome.CONSISTENT, place="Lemma 2", origins=origins, reads=Reads.OURS)
    best, worse = list(constants(row, claim=inferred).values())[1:3]
    assert (best.expected, best.given) == (Outcome.CONSISTENT, ("other/LEM-1",))
    assert best.title == "height: 0.251 (stated: 0.3)"
    assert worse.title == "height: 0.249 (stated: 0.3)"
    assert constants(row)["test/TRUE~best-height"].title == "height: 0.251 (printed: 0.3)"
    placed = Step("s1", "the same", HUMP.statement, argument=HUMP.argument, place="(7)", tightness=(row,))
    found = {v.id: v for v in verify_claim(replace(HUMP, steps=(placed,)), None, CONTEXT)}
    assert found["test/TRUE/s1~best-height"].source == "(7)"


def test_a_constant_that_is_too_good_is_refuted_and_one_that_holds_is_no_mutant():
    found = constants(Tightness("height", "0.3", "r*(1 - r) <= {c}", proved="0.24", refuted="0.26"))
    assert found["test/TRUE~best-height"].outcome is Outcome.REFUTED
    assert not found["test/TRUE~height-0.26"].as_expected


def test_a_constant_has_its_own_argument_and_its_level():
    row = Tightness("height", "0.3", "r*(1 - r) <= {c}", proved="1/4", argument=(Combine((("1", SQUARE),)),), deep=True)
    assert constants(row)["test/TRUE~best-height"].outcome is Outcome.NOT_RUN
    deep = replace(CONTEXT, level=Level.DEEP)
    assert constants(row, context=deep)["test/TRUE~best-height"].outcome is Outcome.PROVED


SQUARE = "0 <= (r - 1/2)**2"


def test_a_form_without_a_place_for_the_constant_is_refused():
    """Every value of the constant would be proved by it."""
    with pytest.raises(ContentError, match="no place"):
        constants(Tightness("height", "0.3", "r*(1 - r) <= 0.3", proved="0.0001"))


def test_a_refuted_constant_is_tried_where_the_printed_one_is_false():
    false = replace(HUMP, statement=Statement("r*(1 - r) <= 0.2", (R,)), expects=Outcome.REFUTED,
                    mutants=(Mutant("left", "more", "r <= 0.2"),))  # fmt: skip
    found = constants(Tightness("height", "0.2", "r*(1 - r) <= {c}", proved="0.26", refuted="0.24"), claim=false)
    assert found["test/TRUE~height-0.24"].outcome is Outcome.REFUTED
    assert set(found) == {"test/TRUE", "test/TRUE~best-height", "test/TRUE~height-0.24"}


def test_a_true_mutant_is_expected_of_the_operators_alone():
    named = replace(TRUE, mutants=(Mutant("auto-loose", "2.9", "exp(r**2) <= 2.9"),))
    assert not verify_claim(named, None, CONTEXT)[1].as_expected
    tried = verify_claim(replace(TRUE, mutants=()), None, replace(CONTEXT, mutants=True))[1:]
    assert tried
    assert all(v.as_expected for v in tried)
    assert {Outcome.REFUTED, Outcome.PROVED} == {v.outcome for v in tried}


def test_a_missing_solver_is_not_run_and_no_crash(monkeypatch):
    from dpaudit.claims.engines import smt

    monkeypatch.setattr(smt, "Z3", "import z3_that_is_not_there")
    verdict = outcome(replace(HUMP, argument=(Solve(),)))
    assert verdict.outcome is Outcome.NOT_RUN
    assert "'.[smt]'" in verdict.evidence[0].detail


def test_a_verdict_says_what_it_reads_and_where_its_conditions_come_from():
    from dpaudit.claims.writing import step

    printed = step(
        "s1", "w", "r**2 <= 1", (R,), ("r <= 1",), given={"test/TRUE/s2": "r <= 3/4"}, enough=("0 <= r",),
        ours=("r <= 7/8",), printed="r^2 \\le 1", place="page 7",
    )  # fmt: skip
    steps = (printed, replace(printed, name="s2", reads=Reads.GAP), replace(printed, name="r1"))
    found = {v.id: v for v in verify_claim(replace(TRUE, steps=steps), None, CONTEXT, "A Paper")}
    kinds = {"": Kind.CLAIM, "/s1": Kind.STEP, "/s2": Kind.STEP, "/r1": Kind.REDUCTION}
    reads = {"": Reads.PRINTED, "/s1": Reads.PRINTED, "/s2": Reads.GAP, "/r1": Reads.OURS}
    assert {name: found[f"test/TRUE{name}"].kind for name in kinds} == kinds
    assert {name: found[f"test/TRUE{name}"].reads for name in reads} == reads
    one = found["test/TRUE/s1"]
    assert (one.given, one.formula, one.source) == (("test/TRUE/s2",), "r^2 \\le 1", "A Paper, page 7")
    assert one.origins == (("r <= 3/4", "given"), ("0 <= r", "large enough"), ("r <= 7/8", "ours"))
