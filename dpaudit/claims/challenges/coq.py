"""Answers in Coq: a file with a theorem `answer`, which is the statement that is asked, or says that it does not hold.

`coqc` compiles it where it can change nothing. What it made is taken to another such place, beside the statement as we
wrote it: there `coqchk` checks it again, from the file alone, and finds no axiom of the answer's own; then `coqc` says
whether `answer` is the statement, and which axioms of Coq's library it rests on.
"""

from __future__ import annotations

import re
import tempfile
from pathlib import Path

from dpaudit.claims.argument.nodes import as_data
from dpaudit.claims.challenges.confined import Confine, Confined, Ended
from dpaudit.claims.challenges.judgement import Judgement, no_news
from dpaudit.claims.challenges.unsettled import Unsettled, as_number
from dpaudit.kernel import batch, coqc
from dpaudit.kernel.export import theorem
from dpaudit.kernel.text import NotExported
from dpaudit.recheck.terms import Refused
from dpaudit.records.claim import Statement
from dpaudit.records.documents import MOST_OF_SETTINGS, read_bytes, read_text
from dpaudit.records.errors import ConfigurationError
from dpaudit.records.verdict import Outcome

SUFFIX = ".v"
SUPPORT, ASKED, ANSWER, VERDICT = "Support", "Asked", "Answer", "Verdict"
HEAD = f"""From Dp Require Import {SUPPORT}.
From Flocq Require Import Core.Raux.
Require Import Reals.
Open Scope R_scope.
"""
SAFE = ("type-in-type", "unsafe (co)fixpoints", "positivity is assumed")
"""What coqchk lists that no answer may rest on."""
_LIBRARY = ("-Q", ".", "Dp")


def statement_text(statement: Statement) -> str:
    """`Asked.v`: the statement as a proposition; NotExported where it is not said in Coq."""
    try:
        return f"{HEAD}Definition asked : Prop :=\n  {theorem(as_data(statement))}.\n"
    except Refused as error:
        raise NotExported(f"what the text needs is refused: {error}") from error


def starter() -> str:
    """A Coq file to start an answer from."""
    return f"""(* Compile it by: for file in {SUPPORT} {ASKED} answer; do coqc {" ".join(_LIBRARY)} $file.v; done
   To refute, the theorem is: ~ asked. *)
From Dp Require Import {SUPPORT} {ASKED}.
Require Import Reals Lra Psatz.
Open Scope R_scope.

Theorem answer : asked.
Proof.
  unfold asked.
Admitted.
"""


def judge(file: Path, asked: Unsettled, confine: Confine, value: str, seconds: float) -> Judgement:
    """What the Coq file shows of what is asked; ConfigurationError where it cannot be judged on this machine, where a
    value is missing, and of what is not said in Coq. seconds: for each program."""
    answer = read_text(file, MOST_OF_SETTINGS)
    statement = _valued(asked, value)
    if reason := no_news(value or None, asked):
        return Judgement(asked.name, reason)
    try:
        with tempfile.TemporaryDirectory(prefix="dpaudit-asked-") as trusted:
            _prepare(Path(trusted), statement)
            made = _compiled(Path(trusted), answer, confine, seconds)
            if isinstance(made, str):
                return Judgement(asked.name, made)
            return _judged(Path(trusted), made, asked.name, value, confine, seconds)
    except TimeoutError as error:
        return Judgement(asked.name, f"{error}, judged by Coq")


def _valued(asked: Unsettled, value: str) -> Statement:
    row = asked.constant
    if row is None and value:
        raise ConfigurationError(f"{asked.name} asks for no constant; leave out --value")
    if row is not None and as_number(value) is None:
        raise ConfigurationError(
            f"--value must be the value of the constant {row.name!r}, as 3/10 or 0.3, got {value!r}"
        )
    return asked.statement if row is None else row.with_value(asked.statement, value)


def _prepare(folder: Path, statement: Statement) -> None:
    """Compile what is asked, and what it needs, outside of the reach of the answer."""
    try:
        text = statement_text(statement)
        coqc.prepare(folder)
        coqc.compile_file(folder, ASKED, text)
    except NotExported as error:
        raise ConfigurationError(f"the statement is not said in Coq: {error}; answer by a claim file") from error
    except coqc.Absent as error:
        raise ConfigurationError(f"there is no Coq here to judge it: {error}") from error


def _compiled(trusted: Path, answer: str, confine: Confine, seconds: float) -> bytes | str:
    """The compiled answer, or why there is none."""
    with confine() as place:
        _refuse_open(place)
        _copy(trusted, place, SUPPORT, ASKED)
        (place.folder / f"{ANSWER}.v").write_text(answer, encoding="utf-8")
        ended = _coqc(place, ANSWER, seconds)
        if ended.code:
            return f"coqc refuses it: {_short(ended.said)}"
        return read_bytes(place.folder / f"{ANSWER}.vo", inside=place.folder)


def _judged(trusted: Path, made: bytes, name: str, value: str, confine: Confine, seconds: float) -> Judgement:
    with confine() as place:
        _refuse_open(place)
        _copy(trusted, place, SUPPORT, ASKED)
        (place.folder / f"{ANSWER}.vo").write_bytes(made)
        modules = [word for one in (ASKED, ANSWER) for word in ("-norec", f"Dp.{one}")]
        checked = place.run(["coqchk", "-silent", "-o", *_LIBRARY, *modules], seconds)
        if reason := _unsound(checked):
            return Judgement(name, reason)
        for sign, outcome in (("", Outcome.PROVED), ("~ ", Outcome.REFUTED)):
            text = (
                f"Require Dp.{ASKED} Dp.{ANSWER}.\nDefinition verdict : {sign}Dp.{ASKED}.asked := Dp.{ANSWER}.answer.\n"
            )
            (place.folder / f"{VERDICT}.v").write_text(f"{text}Print Assumptions verdict.\n", encoding="utf-8")
            ended = _coqc(place, VERDICT, seconds)
            if not ended.code:
                return _accepted(name, outcome, value, ended.said)
        return Judgement(name, f"its `answer` is neither the statement nor its negation: {_short(ended.said)}")


def _unsound(checked: Ended) -> str:
    """What coqchk finds wrong with the compiled answer; empty where it finds nothing."""
    if checked.code:
        return f"coqchk refuses it: {_short(checked.said)}"
    unclear = [words for words in SAFE if f"{words}: <none>" not in checked.said]
    if unclear:
        return f"coqchk does not exclude {', '.join(unclear)}"
    own = re.findall(r"^ +(Dp\.\S+)", checked.said, re.MULTILINE)
    return f"it assumes what is no axiom of Coq's library: {', '.join(own[:3])}" if own else ""


def _accepted(name: str, outcome: Outcome, value: str, said: str) -> Judgement:
    try:
        assumed = batch.assumed(said)
    except batch.Suspect as error:
        return Judgement(name, str(error))
    if more := sorted(assumed - batch.REALS):
        return Judgement(name, f"it rests on {', '.join(more)}, beyond the axioms of the real numbers")
    return Judgement(name, "", outcome.value, value, tuple(sorted(assumed)), "Coq")


def _refuse_open(place: Confined) -> None:
    if not place.walled:
        raise ConfigurationError("a Coq file may write files and start programs; this machine has no walls for it")


def _copy(trusted: Path, place: Confined, *names: str) -> None:
    for name in names:
        (place.folder / f"{name}.vo").write_bytes((trusted / f"{name}.vo").read_bytes())


def _coqc(place: Confined, name: str, seconds: float) -> Ended:
    return place.run(["coqc", *coqc.FLAGS, *_LIBRARY, f"{name}.v"], seconds)


def _short(said: str) -> str:
    return " ".join(said.split())[-400:]
