"""A certificate as Coq text: the theorem that its statement is, the axioms that it assumes, a lemma for each node."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

from dpaudit.kernel import refutation, rules  # noqa: F401  # makes the scripts of rules known
from dpaudit.kernel.domain import Domain
from dpaudit.kernel.lemmas import Axiom, Lemma, Recorder, Writer
from dpaudit.kernel.text import NotExported
from dpaudit.recheck.check import check, limited, run
from dpaudit.recheck.goals import SEQUENCES, Goal, read_statement
from dpaudit.recheck.terms import Refused

THEOREM = "claim"


@dataclass(frozen=True)
class Exported:
    """What Coq is to judge. theorem: the statement as it stands in the certificate, made without its proof; proof: the
    script that shows it by the lemmas."""

    axioms: tuple[Axiom, ...]
    lemmas: tuple[Lemma, ...]
    theorem: str
    proof: str

    def sentences(self) -> list[str]:
        """All of it, one lemma or axiom each."""
        made = [f"Axiom {one.name} : {one.statement}." for one in self.axioms]
        made += [one.text for one in self.lemmas]
        return [*made, Lemma(THEOREM, self.theorem, "", self.proof).text]


def export(data: Mapping[str, Any]) -> Exported:
    """The Coq text of a certificate; NotExported where it is not said in Coq, Refused where the checker refuses it."""
    check(data)
    recorder = Recorder({name: read_statement(one) for name, one in data["grounds"].items()})
    with limited():
        run(data, recorder)
    try:
        return _exported(data, recorder)
    except Refused as error:
        raise NotExported(f"what the text needs is refused: {error}") from error


def theorem(statement: Mapping[str, Any]) -> str:
    """The proposition that a statement of a certificate is; NotExported where it is not said in Coq, Refused where it
    is none."""
    goal = _sayable(statement)
    if goal.exists:
        raise NotExported("a statement that there is a point")
    with limited():
        return Domain(goal).statement


def _sayable(statement: Mapping[str, Any]) -> Goal:
    goal = read_statement(statement)
    if goal.constants:
        raise NotExported("a statement that there is a constant")
    if goal.every or any(s.kind in SEQUENCES for s in goal.context.symbols):
        raise NotExported("sequences and conditions at every index are not said in Coq yet")
    return goal


def _exported(data: Mapping[str, Any], recorder: Recorder) -> Exported:
    goal = _sayable(data["statement"])
    if recorder.root is None:
        point = dict(data["proof"]["point"])
        return Exported((), (), refutation.theorem(goal), refutation.script(goal, point))
    if goal.exists:
        raise NotExported("a statement that there is a point")
    writer = Writer(recorder.grounds)
    last = writer.write(recorder.root)
    return Exported(tuple(writer.axioms), tuple(writer.lemmas), Domain(goal).statement, f"exact {last}")
