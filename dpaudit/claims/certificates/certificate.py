"""Certificates of box proofs: written here, checked by `dpaudit.recheck` in a process of its own.

Shipped certificates lie in `proofs/<paper>/certificates/`, one file a statement. `source` ties
a certificate to the text of its statement and argument, and its goals must be those that the argument
leaves to box proofs: if either differs, it is stale.
"""

from __future__ import annotations

import hashlib
import json
import subprocess
import sys
from collections.abc import Iterable, Sequence
from dataclasses import dataclass, replace
from fractions import Fraction
from pathlib import Path

from dpaudit.claims.argument.walk import box_goals
from dpaudit.claims.engines.rigorous.boxes import BoxProof, problem
from dpaudit.recheck.check import FORMAT, digest
from dpaudit.records.claim import Boxes, Cases, Claim, Move, Statement, Step, SymbolKind
from dpaudit.records.context import slug
from dpaudit.records.errors import ContentError
from dpaudit.records.serial import encode
from dpaudit.records.verdict import Evidence, Outcome, Verdict

FOLDER = "certificates"
GOAL = ("goal", "conditions", "symbols")
"""The fields of a part that say what it proves."""


def source(statement: Statement, argument: Sequence[Move]) -> str:
    """The digest of a statement with its argument."""
    body = [encode(statement), encode(tuple(argument))]
    return hashlib.sha256(json.dumps(body, sort_keys=True, ensure_ascii=True).encode()).hexdigest()


def file_name(name: str) -> str:
    """The name of the certificate of the statement `name` inside a folder of certificates."""
    return f"{slug(name)}.json"


def text(name: str, statement: Statement, argument: Sequence[Move], boxes: Iterable[tuple[Statement, BoxProof]]) -> str:
    """The certificate of all box proofs in the argument of one statement."""
    data = {
        "format": FORMAT,
        "claim": name,
        "source": source(statement, argument),
        "parts": [_part(goal, proof) for goal, proof in boxes],
    }
    return json.dumps(data | {"digest": digest(data)}, indent=1) + "\n"


def stated(statement: Statement) -> dict[str, object]:
    """The goal as the prover saw it: in scalars, over the closed box of the symbols that occur in it."""
    task = problem(statement)

    def end(value: Fraction | None, infinite: str) -> str:
        return infinite if value is None else str(value)

    rows = [
        [name, "integer" if task.symbols[name].kind is SymbolKind.INTEGER else "real", end(low, "-oo"), end(high, "oo")]
        for name, (low, high) in task.domain.items()
    ]
    return {"goal": str(task.goal), "conditions": [str(c) for c in task.conditions], "symbols": rows}


def _part(statement: Statement, proof: BoxProof) -> dict[str, object]:
    return {**stated(statement), "splits": " ".join(proof.splits), "panels": proof.panels}


def confirm(verdicts: Sequence[Verdict], folder: str | None) -> list[Verdict]:
    """The verdicts, each new box proof confirmed by the independent checker; ERROR where that refuses it.

    What a shipped certificate proves has been checked already.
    """
    if folder is None:
        return list(verdicts)
    fresh = [v for v in verdicts if not any(e.engine == "recheck" and e.outcome is Outcome.PROVED for e in v.evidence)]
    given = [(v.id, Path(folder) / name) for v in fresh for name in v.attachments if name.startswith(FOLDER)]
    found = dict(zip((name for name, _ in given), recheck([path for _, path in given]), strict=True))
    return [_confirmed(v, found[v.id]) if v.id in found else v for v in verdicts]


def _confirmed(verdict: Verdict, checked: Checked) -> Verdict:
    if checked.reason:
        said = f"the independent checker refuses the certificate: {checked.reason}"
        refused = Evidence("recheck", Outcome.ERROR, said)
        return replace(verdict, outcome=Outcome.ERROR, evidence=(*verdict.evidence, refused))
    said = f"certificate accepted by the independent checker: {checked.boxes} boxes"
    return replace(verdict, evidence=(*verdict.evidence, Evidence("recheck", Outcome.PROVED, said)))


@dataclass(frozen=True)
class Checked:
    """What the checker says about one file; reason: why it was refused, empty if it was accepted."""

    path: Path
    claim: str
    source: str
    boxes: int
    seconds: float
    reason: str


def recheck(paths: Sequence[Path]) -> list[Checked]:
    """Check certificate files in one fresh process that imports the standard library and the checker alone."""
    if not paths:
        return []
    given = "\n".join(str(path) for path in paths)
    # -P: what lies in the working directory is not the checker, whatever its name.
    command = [sys.executable, "-P", "-m", "dpaudit.recheck", "-"]
    done = subprocess.run(command, input=given, capture_output=True, text=True, check=False)
    lines = done.stdout.splitlines()
    if len(lines) != len(paths):
        raise ContentError(f"the checker ended early: {done.stderr.strip()[-300:] or 'no message'}")
    return [
        Checked(path, row["claim"], row["source"], row["boxes"], row["seconds"], row["reason"])
        for path, row in zip(paths, map(json.loads, lines), strict=True)
    ]


def stale(checked: Checked, claims: Iterable[Claim]) -> str:
    """Why an accepted certificate does not belong to a statement of `claims` as it reads now; empty if it does."""
    for claim in claims:
        for name, statement, argument in certifiable(claim):
            if name == checked.claim:
                if statement is None or source(statement, argument) != checked.source:
                    return f"{name} was edited after its certificate was made"
                return "" if _fits(checked.path, statement, argument) else f"it proves other goals than {name} needs"
    return f"there is no statement {checked.claim!r}"


def _fits(path: Path, statement: Statement, argument: tuple[Move, ...]) -> bool:
    """Are the parts of the certificate the goals that the argument leaves to box proofs?"""
    given = json.loads(path.read_text(encoding="utf-8"))["parts"]
    return [{key: part[key] for key in GOAL} for part in given] == list(map(stated, box_goals(statement, argument)))


def has_boxes(argument: Sequence[Move]) -> bool:
    """Does the argument, or one inside it, end in a box proof?"""
    inner = ((*getattr(m, "argument", ()), *getattr(m, "base", ()), *getattr(m, "step", ())) for m in argument)
    cases = (moves for m in argument if isinstance(m, Cases) for _, moves in m.cases)
    return any(isinstance(m, Boxes) for m in argument) or any(map(has_boxes, (*inner, *cases)))


def certifiable(claim: Claim) -> Iterable[tuple[str, Statement | None, tuple[Move, ...]]]:
    """(id, statement, argument) of everything in a claim that a certificate may be about."""
    items: list[tuple[str, Claim | Step]] = [(claim.id, claim), *((f"{claim.id}/{s.name}", s) for s in claim.steps)]
    for name, item in items:
        yield name, item.statement, item.argument
        for row in item.tightness:
            if item.statement is not None and row.proved:
                yield row.best_id(name), row.with_value(item.statement, row.proved), row.argument or item.argument
