"""What is written for `coqc`, and how its answer is read: nothing that is not said plainly counts."""

from __future__ import annotations

from dataclasses import replace

import pytest

from dpaudit.kernel.batch import REALS, Suspect, assumed, module, refuse_suspect, shared_out, text
from dpaudit.kernel.export import Exported
from dpaudit.kernel.lemmas import Axiom, Lemma

GOOD = Exported((), (Lemma("node_1", "0 <= 1", "", "lra"),), "0 <= 1", "exact node_1")
RESTING = replace(GOOD, axioms=(Axiom("theorem_1_t", "t", "0 <= 2"),))
SIG = "ClassicalDedekindReals.sig_forall_dec"


def test_a_file_ends_with_one_list_of_what_is_assumed() -> None:
    made = text({"a": GOOD, "b": GOOD})
    assert made.count("Print Assumptions") == 1
    assert "Definition everything := (conj a.claim (conj b.claim I))." in made
    assert made.count("Lemma claim : 0 <= 1.\nProof.\nexact node_1.\nQed.") == 2


@pytest.mark.parametrize(
    "sentence",
    [
        "Lemma a : 0 <= 1.\nProof.\nlra.\nAdmitted.",
        "Lemma a : 0 <= 1.\nProof.\nadmit.\nQed.",
        "Lemma a : 0 <= 1.\nProof.\ngive_up.\nQed.",
        "Lemma a : 0 <= 1.\nProof.\nlra.\nQed.\nAxiom b : 1 <= 0.",
        "Lemma a : 0 <= 1. Axiom b : 1 <= 0. Lemma c : 0 <= 1.\nProof.\nlra.\nQed.",
        "Lemma a : 0 <= 1.\nProof.\nlra. lra.\nQed.",
        "Lemma a : 0 <= 1.\nProof.\nlra",
        "Lemma a : 0 <= 1 (* 2.\nProof.\nlra *).\nProof.\nlra.\nQed.",
        "Axiom a : 0 <= 1. Axiom b : 1 <= 0.",
        "Axiom a : 0 <= 1",
        "Parameter a : R.",
        "Definition a := 0.",
        "Unset Guard Checking.",
        'Lemma a : 0 <= 1.\nProof.\nidtac "x".\nQed.',
        "Variable a : False.",
        "",
    ],
)
def test_a_sentence_that_says_more_is_suspect(sentence: str) -> None:
    with pytest.raises(Suspect):
        refuse_suspect(sentence)


@pytest.mark.parametrize(
    "script", ["admit", "lra.\nQed.\nAxiom b : False.\nLemma c : True.\nProof.\nexact I", "lra; abstract admit"]
)
def test_a_script_that_says_more_is_suspect(script: str) -> None:
    with pytest.raises(Suspect):
        module("a", replace(GOOD, proof=script))


@pytest.mark.parametrize(
    ("answer", "names"),
    [
        ("Closed under the global context\n", set()),
        (f"Axioms:\n{SIG} : forall P : nat -> Prop, x\n", {SIG}),
        (f"Axioms:\n{SIG}\n  : forall P : nat -> Prop,\n    x\na.theorem_1_t : 0 <= 2\n", {SIG, "a.theorem_1_t"}),
    ],
)
def test_answers(answer: str, names: set[str]) -> None:
    assert assumed(answer) == names


@pytest.mark.parametrize(
    "answer",
    [
        "",
        "Axioms:\nnode_1 is assumed to be guarded.\n",
        "Error: nothing\n",
        "Closed under the global context\nAxioms:\na : b\n",
        f"{SIG} : x\n",
        "Axioms:\n\n",
        "Theory:\nType hierarchy is collapsed\n",
    ],
)
def test_an_answer_of_another_form_is_suspect(answer: str) -> None:
    with pytest.raises(Suspect):
        assumed(answer)


def test_theorems_are_those_of_the_certificate_that_declares_them() -> None:
    batch = {"a": RESTING, "b": GOOD}
    assert shared_out(frozenset({SIG, "a.theorem_1_t"}), batch) == {"a": {"t"}, "b": frozenset()}
    assert shared_out(REALS, batch) == {"a": frozenset(), "b": frozenset()}


@pytest.mark.parametrize(
    "name", ["b.theorem_1_t", "theorem_1_t", "a.node_1", "sig_forall_dec", "PrimInt63.add", "a.theorem_2"]
)
def test_what_nobody_declares_is_suspect(name: str) -> None:
    with pytest.raises(Suspect, match="is assumed and not declared"):
        shared_out(frozenset({SIG, name}), {"a": RESTING, "b": GOOD})
