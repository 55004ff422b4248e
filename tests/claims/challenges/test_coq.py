"""Answers in Coq: a theorem of what is asked, on the axioms of the real numbers, is accepted, and nothing else is."""

from __future__ import annotations

import shutil
from pathlib import Path

import pytest
from open_claims import papers, places

from dpaudit.claims.challenges import coq
from dpaudit.claims.challenges.answers import judge
from dpaudit.claims.challenges.confined import Ended
from dpaudit.claims.challenges.judgement import Judgement
from dpaudit.claims.challenges.unsettled import find, unsettled
from dpaudit.kernel import coqc
from dpaudit.kernel.text import NotExported
from dpaudit.records.claim import Statement, gaussian, real, sequence
from dpaudit.records.errors import ConfigurationError
from dpaudit.records.verdict import Outcome

STEP, CONSTANT = "toy/LEM-1/s1", "toy/LEM-1~best-height"
NO_COQ = coqc.absent()
needs_coq = pytest.mark.skipif(NO_COQ != "", reason=f"Coq is not installed ({NO_COQ})")
HEAD = "From Dp Require Import Support Asked.\nRequire Import Reals Lra Psatz.\nOpen Scope R_scope.\n"
PROOF = """Theorem answer : asked.
Proof. unfold asked. intros x H G. pose proof (Rle_0_sqr (x - 1/2)). unfold Rsqr in *. nra. Qed.
"""
REFUTATION = "Theorem answer : ~ asked.\nProof. unfold asked. intro H. specialize (H (1/2)). lra. Qed.\n"


@pytest.fixture(scope="module")
def support(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Support, compiled once."""
    folder = tmp_path_factory.mktemp("support")
    coqc.prepare(folder)
    return folder


@pytest.fixture(autouse=True)
def compiled_once(request: pytest.FixtureRequest, monkeypatch: pytest.MonkeyPatch) -> None:
    """Where Coq is, its answers are not waited for longer than they must be."""
    if not NO_COQ:
        made = request.getfixturevalue("support")
        monkeypatch.setattr(coqc, "prepare", lambda folder: shutil.copytree(made, folder, dirs_exist_ok=True))


def judged(tmp_path: Path, name: str, text: str, value: str = "", head: str = HEAD) -> Judgement:
    file = tmp_path / "mine.v"
    file.write_text(head + text, encoding="utf-8")
    return judge(file, find(name, papers(tmp_path)), places(tmp_path), value, 300)


def test_the_statement_is_that_of_the_claim() -> None:
    text = coq.statement_text(Statement("x**2 <= x", (real("x", "[0, 1)"),)))
    assert text.startswith(coq.HEAD)
    assert "forall (x : R),\n  0 <= x ->\n  x < 1 ->\n  (x ^ 2) <= x." in text
    assert "asked" in coq.starter()


@pytest.mark.parametrize(
    ("statement", "words"),
    [
        (Statement("x <= x", (real("x"), gaussian("g"))), "gaussian"),
        (Statement("a[0] <= a[0]", (sequence("a", "[0, 1]"),)), "sequences"),
        (Statement("x**2 <= 0", (real("x"),), (), True), "there is a point"),
    ],
)
def test_what_is_not_said_in_coq_is_named(statement: Statement, words: str) -> None:
    with pytest.raises(NotExported, match=words):
        coq.statement_text(statement)


def test_many_open_statements_of_the_package_are_said_in_coq() -> None:
    said = 0
    for asked in unsettled():
        try:
            said += coq.statement_text(asked.statement).count("Definition asked")
        except NotExported:
            continue
    assert said >= 30


@pytest.mark.parametrize(
    ("name", "value", "words"),
    [(STEP, "1/2", "asks for no constant"), (CONSTANT, "", "must be the value of the constant 'height'"),
     (CONSTANT, "x", "must be the value")],
)  # fmt: skip
def test_a_value_is_given_where_one_is_asked(tmp_path: Path, name: str, value: str, words: str) -> None:
    with pytest.raises(ConfigurationError, match=words):
        judged(tmp_path, name, PROOF, value)


def test_a_value_that_is_no_news_is_refused_without_coq(tmp_path: Path) -> None:
    assert "2/5 is not between" in judged(tmp_path, CONSTANT, PROOF, "2/5").reason


@needs_coq
def test_without_walls_no_coq_file_is_run(tmp_path: Path) -> None:
    file = tmp_path / "mine.v"
    file.write_text(HEAD + PROOF, encoding="utf-8")
    with pytest.raises(ConfigurationError, match="no walls"):
        judge(file, find(STEP, papers(tmp_path)), places(tmp_path, walled=False))


@needs_coq
def test_a_proof_and_a_refutation_are_accepted(tmp_path: Path) -> None:
    proved = judged(tmp_path, STEP, PROOF)
    assert (proved.reason, proved.outcome, proved.judge) == ("", "PROVED", "Coq")
    assert set(proved.assuming) <= coq.batch.REALS
    better = judged(tmp_path, CONSTANT, PROOF, "3/10")
    assert (better.reason, better.outcome, better.value) == ("", "PROVED", "3/10")
    fails = judged(tmp_path, CONSTANT, REFUTATION, "6/25")
    assert (fails.reason, fails.outcome, fails.value) == ("", "REFUTED", "6/25")


MODULE = "Module ClassicalDedekindReals. Axiom sig_forall_dec : False. End ClassicalDedekindReals.\n"


@pytest.mark.deep(keep=3)
@needs_coq
@pytest.mark.parametrize(
    ("text", "reason"),
    [
        ("Theorem answer : asked.\nProof. Admitted.\n", "what is no axiom of Coq's library: Dp.Answer.answer"),
        (f"{MODULE}Theorem answer : asked.\nProof. destruct ClassicalDedekindReals.sig_forall_dec. Qed.\n",
         "Dp.Answer.ClassicalDedekindReals.sig_forall_dec"),
        ("Unset Guard Checking.\nFixpoint f (n : nat) : False := f n.\n"
         "Theorem answer : asked.\nProof. destruct (f 0%nat). Qed.\n", "coqchk does not exclude unsafe"),
        ("Require Import ClassicalEpsilon.\nTheorem answer : asked.\nProof.\n"
         "destruct (classical_indefinite_description (fun n => n = 0%nat) (inhabits 0%nat)) as [n _].\n"
         "unfold asked. intros. nra. Qed.\n", "it rests on ClassicalEpsilon.constructive_indefinite_description"),
        ("Theorem answer : True.\nProof. exact I. Qed.\n", "neither the statement nor its negation"),
        ("Definition asked := True.\nTheorem answer : asked.\nProof. exact I. Qed.\n", "neither the statement"),
        ("Theorem answer : asked.\nProof. lra. Qed.\n", "coqc refuses it"),
        ("Theorem other : asked.\nProof. unfold asked. intros. nra. Qed.\n", "neither the statement"),
    ],
)  # fmt: skip
def test_everything_else_is_refused(tmp_path: Path, text: str, reason: str) -> None:
    found = judged(tmp_path, STEP, text)
    assert found.outcome == ""
    assert reason in found.reason


@needs_coq
def test_another_statement_beside_the_answer_changes_nothing(tmp_path: Path) -> None:
    """In its own place an answer may write over what is asked: it is taken beside ours, and does not fit there."""
    file = tmp_path / "mine.v"
    file.write_text("Require Dp.Asked.\nTheorem answer : Dp.Asked.asked.\nProof. exact I. Qed.\n", encoding="utf-8")
    lie = 'if [ "$8" = Answer.v ]; then echo "Definition asked := True." > Asked.v; coqc -q -Q . Dp Asked.v; fi; "$@"'
    found = judge(file, find(STEP, papers(tmp_path)), places(tmp_path, "bash", "-c", lie, "lie"), "", 300)
    assert "coqchk refuses it" in found.reason


def test_an_answer_rests_on_the_axioms_of_the_real_numbers_alone() -> None:
    said = "Axioms:\n{} : forall P : Prop, P\n"
    real = coq._accepted("a", Outcome.PROVED, "", said.format("Classical_Prop.classic"))
    assert (real.reason, real.assuming) == ("", ("Classical_Prop.classic",))
    other = coq._accepted("a", Outcome.PROVED, "", said.format("Epsilon.choice"))
    assert (other.outcome, other.reason) == ("", "it rests on Epsilon.choice, beyond the axioms of the real numbers")
    assert "names none" in coq._accepted("a", Outcome.PROVED, "", "Axioms:\n").reason


def test_what_coqchk_says_is_read_as_it_stands() -> None:
    clear = "".join(f"* Constants relying on {words}: <none>\n" for words in coq.SAFE).replace("relying on pos", "pos")
    assert coq._unsound(Ended(0, clear)) == ""
    assert "refuses it" in coq._unsound(Ended(1, clear))
    assert "Dp.Answer.x" in coq._unsound(Ended(0, f"* Axioms:\n    Dp.Answer.x\n{clear}"))
    for words in coq.SAFE:
        assert words in coq._unsound(Ended(0, clear.replace(f"{words}: <none>", f"{words}:\n    x")))
        assert words in coq._unsound(Ended(0, clear.replace(words, "")))
