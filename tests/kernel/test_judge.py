"""What Coq accepts and refuses: true certificates, and planted faults of every kind."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import replace
from pathlib import Path

import pytest
from coq import POSITIVE, certified, needs_coq, opinions, text_of
from domains import stated, written

from dpaudit.kernel import coqc, judge
from dpaudit.kernel.coqc import Absent
from dpaudit.kernel.export import Exported
from dpaudit.kernel.lemmas import Lemma

ROW = "x real [0, 1]"
SCALED = {"by": "scale", "factor": "2", "then": POSITIVE}
BY_THEOREM = {"by": "bound", "left": "x**2", "inner": {"by": "theorem", "theorem": "t"}, "then": POSITIVE}
GROUND = {"toy/LEM-2": stated("y <= 2*y", "y real [0, oo)")}


@needs_coq
def test_true_certificates_are_accepted_and_what_they_assume_is_what_coq_lists() -> None:
    scaled = certified("x*(1 - x) <= 1", {"by": "scale", "factor": "2", "then": dict(POSITIVE)}, ROW)
    resting = certified(
        "x <= 1 + x**2", {**BY_THEOREM, "inner": dict(BY_THEOREM["inner"]), "then": dict(POSITIVE)}, ROW
    )
    grounded = certified("x <= 2*x", {"by": "instance", "of": "toy/LEM-2", "at": [["y", "x"]]}, ROW, grounds=GROUND)
    point = written(stated("x <= 1/2", ROW), {"by": "witness", "point": [["x", "1"]]}, outcome="REFUTED")
    solved = certified("x <= 1", {"by": "solvers"}, ROW)
    changed = {**scaled, "claim": "toy/other"}
    found = opinions(scaled, resting, grounded, point, solved, changed)
    assert [one.result for one in found] == [*["accepted"] * 4, "not translated", "refused"]
    assert [one.assuming for one in found] == [(), ("t",), ("toy/LEM-2",), (), (), ()]
    assert found[4].reason == "the rule solvers"
    assert found[5].reason.startswith("the checker:")


@pytest.fixture(scope="module")
def place(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A folder with the compiled Support."""
    folder = tmp_path_factory.mktemp("texts")
    coqc.prepare(folder)
    return folder


@pytest.fixture
def good() -> Exported:
    """A text that Coq accepts."""
    return text_of("x*(1 - x) <= 1", {"by": "scale", "factor": "2", "then": dict(POSITIVE)}, ROW)


@needs_coq
def test_planted_faults_are_refused(place: Path, good: Exported) -> None:
    lemma = good.lemmas[0]
    faults = {
        "another constant in the statement": replace(good, theorem=good.theorem.replace("<= 1", "<= (1 / 10)")),
        "a wider domain": replace(good, theorem=good.theorem.replace("0 <= x ->", "")),
        "an empty proof": replace(good, lemmas=(replace(lemma, script="idtac"), *good.lemmas[1:])),
        "a false lemma": replace(good, lemmas=(Lemma(lemma.name, "1 <= 0", "", "lra"), *good.lemmas[1:])),
        "a lemma that is not there": replace(good, lemmas=good.lemmas[1:]),
        "a tactic that is none": replace(good, lemmas=(replace(lemma, script="nonsense"), *good.lemmas[1:])),
    }
    found = judge.tried(place, faults, 1)
    assert {name: one.result for name, one in found.items()} == dict.fromkeys(faults, "refused")


@needs_coq
def test_coqc_alone_accepts_and_one_bad_text_does_not_take_others_with_it(place: Path, good: Exported) -> None:
    bad = replace(good, theorem=good.theorem.replace("<= 1", "<= 0"))
    found = judge.final(place, "Mixed", {"a": good, "b": bad})
    assert [one.result for one in found.values()] == ["accepted", "refused"]


@pytest.mark.parametrize("script", ["admit", "admit.\nAdmitted", "lra.\nQed.\nAxiom more : False"])
def test_an_admitted_lemma_never_reaches_coq(tmp_path: Path, good: Exported, script: str) -> None:
    admitted = replace(good, lemmas=(replace(good.lemmas[0], script=script), *good.lemmas[1:]))
    assert judge.final(tmp_path, "Admitted", {"one": admitted})["one"].result == "refused"


@needs_coq
def test_what_is_assumed_in_secret_is_refused(place: Path, good: Exported, monkeypatch: pytest.MonkeyPatch) -> None:
    real = coqc.batch.text

    def planted(certificates: Mapping[str, Exported]) -> str:
        hidden = "Lemma node_0 : False.\nProof.\nAdmitted."
        used = real(certificates).replace("Module certificate_0.", f"Module certificate_0.\n{hidden}", 1)
        return used.replace("Proof.\nexact node_2.", "Proof.\ndestruct node_0.")

    monkeypatch.setattr(coqc.batch, "text", planted)
    found = judge.final(place, "Hidden", {"one": good})["one"]
    assert (found.result, "certificate_0.node_0 is assumed" in found.reason) == ("refused", True)


def test_without_coq_it_says_how_to_install_it(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    monkeypatch.setenv("PATH", str(tmp_path))
    with pytest.raises(Absent, match="apt install coq libcoq-interval libcoq-coquelicot"):
        judge.judge({}, tmp_path / "texts")


@pytest.mark.parametrize("data", [None, {}, [], {"format": 3}, "x"])
def test_what_is_no_certificate_is_refused(data: object) -> None:
    made = judge.translated(data)
    assert isinstance(made, judge.Judged)
    assert made.result == "refused"
