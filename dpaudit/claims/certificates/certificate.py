"""Certificates as files: written here, checked by `dpaudit.recheck` in a process of its own.

Shipped ones lie in `proofs/<paper>/certificates/`, one file a verdict. `source` ties a certificate to the argument that
it was made of: where that or the statement reads otherwise now, it is stale.
"""

from __future__ import annotations

import hashlib
import json
import subprocess
import sys
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass, fields, replace
from pathlib import Path
from typing import Any

from dpaudit.claims.argument.nodes import as_data
from dpaudit.claims.citations import Citations
from dpaudit.recheck.check import FORMAT, digest
from dpaudit.records import documents
from dpaudit.records.claim import (
    Claim,
    Move,
    Point,
    Statement,
    Step,
    Symbol,
    constant,
    gaussian,
    integer,
    real,
    sequence,
    vector,
    vector_sequence,
)
from dpaudit.records.context import slug
from dpaudit.records.errors import ContentError
from dpaudit.records.serial import encode
from dpaudit.records.verdict import Basis, Evidence, Outcome, Verdict

FOLDER = "certificates"
CHECKER = "recheck"
"""The name of the checker in evidence."""


def source(statement: Statement, argument: Sequence[Move]) -> str:
    """The digest of a statement with its argument."""
    body = [encode(statement), encode(tuple(argument))]
    return hashlib.sha256(json.dumps(body, sort_keys=True, ensure_ascii=True).encode()).hexdigest()


def file_name(name: str) -> str:
    """The name of the certificate of the statement `name` inside a folder of them."""
    return f"{slug(name)}.json"


def text(data: dict[str, Any]) -> str:
    """A certificate as a file."""
    return json.dumps(data, indent=1) + "\n"


def read(path: Path, inside: Path | None = None) -> Any:
    """What a file of a certificate holds, whatever that is; inside: a folder that it lies in, links followed.
    ContentError for what is no JSON."""
    return documents.parse(documents.read_text(path, inside=inside), str(path))


def sha256(path: Path) -> str:
    """The SHA-256 of the bytes of a file."""
    return hashlib.sha256(path.read_bytes()).hexdigest()


def by_witness(name: str, statement: Statement, point: Point, of: str) -> dict[str, Any]:
    """The certificate of a refutation by a point; of: the digest of statement and argument."""
    named = {symbol.name for symbol in statement.symbols}
    data: dict[str, Any] = {
        "format": FORMAT, "claim": name, "source": of, "outcome": Outcome.REFUTED.value,
        "statement": as_data(statement), "grounds": {}, "assuming": [],
        "proof": {"by": "witness", "point": [list(pair) for pair in point if pair[0] in named]},
    }  # fmt: skip
    return data | {"digest": digest(data)}


def confirm(verdicts: Sequence[Verdict], folder: str | None) -> list[Verdict]:
    """The verdicts, each certificate confirmed by the checker in a fresh process; where it refuses one that was found
    proved, the verdict is CONSISTENT on the basis of a proof that nobody checked."""
    if folder is None:
        return list(verdicts)
    given = [(v.id, Path(folder) / name) for v in verdicts for name in v.attachments if name.startswith(FOLDER)]
    known = {path: _accepted.get(sha256(path)) for _, path in given}
    fresh = {one.path: one for one in recheck([path for path, found in known.items() if found is None])}
    found = {name: known[path] or fresh[path] for name, path in given}
    return [_confirmed(v, found[v.id]) if v.id in found else v for v in verdicts]


def counted(steps: int) -> str:
    """So many steps, in words."""
    return f"{steps} step{'s' if steps > 1 else ''}"


def _confirmed(verdict: Verdict, checked: Checked) -> Verdict:
    if checked.reason:
        said = f"the checker refuses the certificate: {checked.reason}"
        refused = (*verdict.evidence, Evidence(CHECKER, Outcome.INCONCLUSIVE, said))
        if verdict.outcome is Outcome.REFUTED and not any(e.outcome is Outcome.REFUTED for e in verdict.evidence):
            return replace(verdict, outcome=Outcome.INCONCLUSIVE, evidence=refused)  # only an argument refutes it
        if verdict.outcome is not Outcome.PROVED:
            return replace(verdict, evidence=refused)
        return replace(verdict, outcome=Outcome.CONSISTENT, basis=Basis.UNCHECKED_PROOF, evidence=refused)
    boxes = f", {checked.boxes} boxes" if checked.boxes else ""
    said = f"the checker accepts the certificate: {counted(checked.steps or 1)}{boxes}"
    return replace(verdict, evidence=(*verdict.evidence, Evidence(CHECKER, Outcome(checked.outcome), said)))


@dataclass(frozen=True)
class Checked:
    """What the checker says about one file. steps: nodes; solvers: goals that rest on the word of two solvers; reason:
    why it was refused, empty if it was accepted; sha256: of the bytes that it has read."""

    path: Path
    claim: str
    source: str
    outcome: str
    steps: int
    boxes: int
    solvers: int
    seconds: float
    reason: str
    sha256: str


_accepted: dict[str, Checked] = {}
"""What a fresh process has accepted, by the SHA-256 of its bytes: the same bytes need no second look."""


def recheck(paths: Sequence[Path]) -> list[Checked]:
    """Check files in one fresh process that imports the standard library and the checker alone."""
    if not paths:
        return []
    given = "\n".join(str(path) for path in paths)
    # -P: what lies in the working directory is not the checker, whatever its name.
    command = [sys.executable, "-P", "-m", "dpaudit.recheck", "-"]
    done = subprocess.run(command, input=given, capture_output=True, text=True, check=False)
    lines = done.stdout.splitlines()
    if len(lines) != len(paths):
        raise ContentError(f"the checker ended early: {done.stderr.strip()[-300:] or 'no message'}")
    rows = (json.loads(line) for line in lines)
    names = [field.name for field in fields(Checked) if field.name != "path"]
    found = [Checked(path, *(row[name] for name in names)) for path, row in zip(paths, rows, strict=True)]
    _accepted.update((one.sha256, one) for one in found if not one.reason)
    return found


def stale(checked: Checked, claims: Iterable[Claim], cited: Citations) -> str:
    """Why an accepted certificate does not belong to a statement of `claims` as it reads now; empty if it does. cited:
    what it may rest on."""
    for claim in claims:
        for name, statement, argument in certifiable(claim):
            if name == checked.claim:
                if statement is None or source(statement, argument) != checked.source:
                    return f"{name} was edited after its certificate was made"
                data = read(checked.path)
                if data["statement"] != as_data(statement):
                    return f"it is about another statement than {name}"
                return unsound_ground(data, argument, cited)
    return f"there is no statement {checked.claim!r}"


def unsound_ground(data: Mapping[str, Any], argument: Iterable[Move], cited: Citations) -> str:
    """Why a certificate may not rest on one of its grounds: it reads otherwise now, is expected to be refuted, or rests
    on what is to be proved; empty if it may rest on all."""
    barred = cited.barred(data["claim"], argument)
    for name, ground in data["grounds"].items():
        if name not in cited.statements or as_data(cited.statements[name]) != ground:
            return f"it rests on {name} as it does not read now"
        if name in barred:
            return f"it rests on {name}: {barred[name]}"
    return ""


def certifiable(claim: Claim) -> Iterable[tuple[str, Statement | None, tuple[Move, ...]]]:
    """(id, statement, argument) of everything in a claim that a certificate may be about."""
    items: list[tuple[str, Claim | Step]] = [(claim.id, claim), *((f"{claim.id}/{s.name}", s) for s in claim.steps)]
    for name, item in items:
        yield name, item.statement, item.argument
        for row in item.tightness:
            if item.statement is not None and row.proved:
                yield row.best_id(name), row.with_value(item.statement, row.proved), row.argument or item.argument


def expected(claim: Claim) -> Iterable[tuple[str, Statement | None, Outcome]]:
    """(id, statement, expected outcome) of everything in a claim that leaves a certificate once it is decided."""
    items: list[tuple[str, Claim | Step]] = [(claim.id, claim), *((f"{claim.id}/{s.name}", s) for s in claim.steps)]
    for name, item in items:
        yield name, item.statement, item.expects
        for row in item.tightness:
            if item.statement is not None and row.proved:
                yield row.best_id(name), item.statement, Outcome.NOT_RUN if row.deep else Outcome.PROVED


def statement_of(data: Mapping[str, Any]) -> Statement:
    """The statement of a certificate as a record, its ranges as they were written."""
    symbols = (_symbol(name, kind, text) for name, kind, text in data["symbols"])
    return Statement(data["goal"], tuple(symbols), tuple(data["conditions"]), data["exists"])


def _symbol(name: str, kind: str, text: str) -> Symbol:
    if kind in ("vector", "vector_sequence"):
        return (vector if kind == "vector" else vector_sequence)(name)
    made: dict[str, Callable[[str, str], Symbol]] = {
        "real": real,
        "integer": integer,
        "gaussian": gaussian,
        "constant": constant,
        "sequence": sequence,
    }
    return made[kind](name, text)
