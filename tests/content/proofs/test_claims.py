"""The shipped claims: every verdict is the expected one, every mutant is refuted, every assumption is listed."""

import builtins
import dis
from pathlib import Path
from types import CodeType

import main_job
import pytest

from dpaudit.claims.certificates import certificate, overview
from dpaudit.claims.grounds import settle
from dpaudit.claims.language import mutants
from dpaudit.claims.verify import verify_claim
from dpaudit.content import loading, places
from dpaudit.content import papers as content_papers
from dpaudit.content.claim_folders import modules_of
from dpaudit.records.claim import given
from dpaudit.records.context import Context, Level
from dpaudit.records.verdict import Kind, Outcome

# Without the main job all claims are verified once, in the setup of the first test: minutes on a busy machine.
pytestmark = pytest.mark.timeout(1200)

PROOFS = Path(__file__).resolve().parents[3] / "proofs"
CLAIMS = {item.record.id: item for item in loading.load_claims([PROOFS])}
PROVED = {
    "rbcd/LEM-3.9", "rbcd/LEM-D.3", "rbcd/LEM-D.7", "rbcd/LEM-D.8", "rbcd/THM-4.1",
    *(f"resque/{name}" for name in (
        "LEM-1.1", "LEM-1.2", "LEM-2.1", "LEM-2.2", "FACT-1", "FACT-2", "FACT-3", "FACT-4", "FACT-5", "PROP-10/s3",
    )),
}  # fmt: skip
PROVED_OR_REPAIRED = ("resque/LEM-5", "resque/LEM-6", "resque/PROP-1/s3")
"""Conclusions that must hold as printed or in a repaired form."""


PAPERS = [content_papers.load_paper(file.parent) for file in sorted(PROOFS.glob(f"*/{places.PAPER_FILE}"))]
COVERED = [name for paper in PAPERS for name in paper.claims]
"""The claims and printed steps that papers say may not be missing."""

# Sampling checks run at this level each; there are fewer than a hundred, so a false alarm of this file is below 1e-6.
CONTEXT = Context(20261121, Level.SMOKE, 1e-8)


def items(claim):
    return [(claim.id, claim), *((f"{claim.id}/{step.name}", step) for step in claim.steps)]


EVERY = [pair for item in CLAIMS.values() for pair in items(item.record)]
IDS = {name for name, _ in EVERY}


@pytest.fixture(scope="module")
def verdicts():
    """Those of the main job, where it has run on these claims."""
    made = main_job.left("proofs")
    if made:
        return made
    found = [v for item in CLAIMS.values() for v in verify_claim(item.record, item.carrier, CONTEXT)]
    return {v.id: v for v in settle(found)}


def test_a_mutant_differs_in_one_place_or_says_that_it_is_a_sentence_of_its_own():
    wrong = [
        f"{name}~{mutant.name}: {number} places"
        for name, item in EVERY
        for mutant in (item.mutants if item.statement is not None else ())
        for number in [mutants.places(item.statement, mutants.applied(item.statement, mutant))]
        if (number == 1) is mutant.own_sentence
    ]
    assert wrong == []


def test_the_first_paper_is_listed_whole():
    listed = [name for name in COVERED if name.startswith("resque/")]
    assert sum(name.count("/") == 1 for name in listed) == 48
    assert sum(name.count("/") == 2 for name in listed) == 172


def missing(name):
    """Has the claim or printed step no record? A step with several assertions may be split (s4, s4-bound)."""
    claim, _, printed = name.partition("/")[2].partition("/")
    claim = f"{name.partition('/')[0]}/{claim}"
    if claim not in CLAIMS or (CLAIMS[claim].record.statement is None and claim.startswith("resque/")):
        return True
    steps = [step.name for step in CLAIMS[claim].record.steps]
    return bool(printed) and not any(step == printed or step.startswith(f"{printed}-") for step in steps)


def test_every_claim_and_printed_step_that_a_paper_lists_is_there():
    assert [name for name in COVERED if missing(name)] == []


def test_few_outcomes_of_the_paper_are_inconclusive_and_none_is_left_out(verdicts):
    papers = [v for v in verdicts.values() if v.id.startswith("resque/") and v.kind is not Kind.MUTANT]
    assert sum(v.outcome is Outcome.INCONCLUSIVE for v in papers) < len(papers) / 20
    assert [v.id for v in papers if v.outcome is Outcome.NOT_RUN and "deep" not in v.evidence[0].detail] == []


@pytest.mark.parametrize("name", sorted(CLAIMS))
def test_every_verdict_is_the_expected_one(name, verdicts):
    wrong = {
        v.id: (v.outcome, [e.detail for e in v.evidence])
        for v in verdicts.values()
        if (v.id == name or v.id.startswith((f"{name}/", f"{name}~"))) and not v.as_expected
    }
    assert wrong == {}


def test_conclusions_are_proved(verdicts):
    assert {name for name in PROVED if verdicts[name].outcome is not Outcome.PROVED} == set()
    for name in PROVED_OR_REPAIRED:
        repaired = dict(EVERY)[name].repair or name
        assert verdicts[repaired].outcome is Outcome.PROVED


def test_a_consistent_outcome_could_have_been_a_refutation(verdicts):
    """A search or sample has a near-miss, a partial proof a mutant that is refuted, a best constant a better one."""
    for v in verdicts.values():
        if v.outcome is Outcome.CONSISTENT and v.kind is not Kind.MUTANT:
            near = any("would be refuted" in e.detail for e in v.evidence)
            tried = v.id.partition("~best-")[0]
            mutants = [m for m in verdicts.values() if m.kind is Kind.MUTANT and m.id.rsplit("~", 1)[0] == tried]
            assert near or any(m.outcome is Outcome.REFUTED for m in mutants), v.id


def test_every_statement_has_a_mutant(verdicts):
    mutated = {v.id.rpartition("~")[0] for v in verdicts.values() if v.kind is Kind.MUTANT}
    stated = [name for name, item in EVERY if item.statement and item.expects is not Outcome.REFUTED]
    assert [name for name in stated if name not in mutated] == []


@pytest.mark.parametrize(("name", "item"), [p for p in EVERY if p[1].expects is Outcome.REFUTED])
def test_every_erratum_says_what_is_wrong_and_what_is_right(name, item):
    assert len(item.finding) > 60
    assert item.repair in IDS
    repaired = dict(EVERY)[item.repair]
    assert repaired.expects is Outcome.PROVED


@pytest.mark.parametrize(("name", "item"), [p for p in EVERY if given(p[1])])
def test_every_conclusion_that_is_given_is_a_record(name, item):
    assert set(given(item)) <= IDS - {name}


def below(name, records):
    """The statement, and those that are given to it or that it rests on, and to these."""
    reached, new = set(), {name}
    while new:
        reached |= new
        new = {below for one in new for below in (*given(records[one]), *records[one].rests_on)} & IDS - reached
    return reached


def test_nobody_expects_a_proof_from_a_refuted_conclusion():
    """It is a valid inference at most: CONSISTENT, also where the refuted conclusion is given to what it rests on."""
    records = dict(EVERY)
    refuted = {name for name, item in EVERY if item.expects is Outcome.REFUTED}
    proved = [name for name, item in EVERY if item.expects is Outcome.PROVED]
    wrong = {n: {g for one in below(n, records) for g in given(records[one])} & refuted for n in proved}
    assert {name: taken for name, taken in wrong.items() if taken} == {}


def theorems():
    return content_papers.load_theorems(PROOFS)


def test_every_assumption_is_listed_and_used(verdicts):
    used = {name for v in verdicts.values() for name in v.assuming if v.kind is not Kind.MUTANT}
    assert {name for name in used if name not in IDS} == set(theorems())
    for v in verdicts.values():
        assert v.id not in v.assuming
        for name in v.assuming:
            if name in IDS:
                assert verdicts[name].outcome is Outcome.PROVED, f"{v.id} rests on {name}"


def _spot_test(name):
    """The function of the file beside the list, called like the theorem with `-` as `_`."""
    modules = [loading.load_module(path) for path in sorted((PROOFS / places.THEOREMS).glob("*.py"))]
    found = [getattr(module, name.replace("-", "_")) for module in modules if hasattr(module, name.replace("-", "_"))]
    assert len(found) == 1
    return found[0]


@pytest.mark.parametrize("name", sorted(theorems()))
def test_every_theorem_has_a_source_and_a_spot_test(name):
    theorem = theorems()[name]
    assert theorem["statement"]
    assert theorem["source"]
    ratio = _spot_test(name)()
    assert 0 < ratio <= 1


def test_ids_carry_the_name_of_their_folder():
    assert {name for name, item in CLAIMS.items() if name.split("/")[0] != places.paper_of(item.path).name} == set()


def test_nothing_rests_on_itself():
    """Not through other claims either: the grounds form no circle."""
    below = {name: {ground for ground in item.rests_on if ground in IDS} for name, item in EVERY}

    def reached(name, seen):
        for ground in below[name] - seen:
            seen = reached(ground, seen | {ground})
        return seen

    assert {name for name in IDS if name in reached(name, set())} == set()


def test_every_shipped_certificate_is_accepted_and_none_is_stale_or_absent():
    """What the main job's checker has accepted byte for byte is read from it; all others are checked now."""
    known = main_job.accepted(main_job.left("proofs") or {}, PROOFS)
    others = sorted({*PROOFS.glob("*/certificates/*.json")} - {*known.values()})
    rows = list(overview.overview([str(path) for path in others], PROOFS)) if others else []
    assert [row for row in rows if row["state"] != overview.ACCEPTED] == []
    expected = {
        name
        for item in CLAIMS.values()
        for name, statement, outcome in certificate.expected(item.record)
        if statement is not None and outcome in (Outcome.PROVED, Outcome.REFUTED)
    }
    assert len(expected) > 1000
    assert expected - {*known} - {row["name"] for row in rows} == set(), "no certificate: dpaudit recheck RUN --ship"


def test_the_index_lists_every_claim_and_step():
    text = (PROOFS / "INDEX.md").read_text(encoding="utf-8")
    listed = {line.split(" | ")[0].removeprefix("| ") for line in text.splitlines() if line.startswith("| ")}
    assert listed >= IDS, "made anew by: dpaudit index RUN -o proofs/INDEX.md"
    assert {name for name in listed if "/" in name and "~best-" not in name} <= IDS


def test_every_name_that_a_claim_file_uses_is_bound():
    """The star imports of claim files hide misspelt names from the linter."""
    loading.load_claims([PROOFS])
    modules = [module for item in CLAIMS.values() for module in modules_of(item.carrier)]
    assert len({module.__file__ for module in modules}) > 100
    assert {f"{module.__file__}: {name}" for module in modules for name in _unbound(module)} == set()


def _unbound(module):
    """The global names that the functions of a module use and that nothing binds."""
    codes = [compile(Path(module.__file__).read_text(encoding="utf-8"), module.__file__, "exec")]
    used = set()
    while codes:
        code = codes.pop()
        used |= {i.argval for i in dis.get_instructions(code) if i.opname in ("LOAD_GLOBAL", "LOAD_NAME")}
        codes += [const for const in code.co_consts if isinstance(const, CodeType)]
    return used - set(vars(module)) - set(vars(builtins))
