"""What Coq said of the certificates of a run: kept beside its records, and evidence of its verdicts when they are read.

`dpaudit recheck RUN --kernel` keeps it. An opinion is of the bytes of certificates: where these are others now, it is
forgotten. It changes no outcome.
"""

from __future__ import annotations

import hashlib
import json
import os
from collections.abc import Iterable, Mapping
from dataclasses import replace
from pathlib import Path

from dpaudit.records import documents, shapes
from dpaudit.records.digests import with_digest
from dpaudit.records.errors import ContentError
from dpaudit.records.hidden import visible
from dpaudit.records.lines import read_object
from dpaudit.records.verdict import Evidence, Outcome, Verdict
from dpaudit.runs import store

FILE = "kernel.json"
ENGINE = "coq"
"""Its name in evidence."""
ABSENT = "coqc"
"""What the one row is called that says that there is no Coq."""
_CERTIFICATES = "certificates/"
_SAID = {"accepted": "Coq accepts the certificate", "refused": "Coq does not accept the certificate"}
"""In evidence; other results are said as they are."""
_TEXT = {"type": "string"}
_OPINION = {"type": "object", "properties": {"result": _TEXT, "detail": _TEXT, "digest": _TEXT},
            "required": ["result", "detail", "digest"]}  # fmt: skip
_SCHEMA = {"type": "object", "properties": {"opinions": {"type": "object", "additionalProperties": _OPINION}},
           "required": ["opinions"]}  # fmt: skip


def keep(folder: Path, verdicts: Iterable[Verdict], rows: Iterable[Mapping[str, str]]) -> Path:
    """Write the rows of `opinion.opinions` on a run into its folder, or for all of its certificates that there was no
    Coq; the path of the file."""
    said = {row["name"]: row for row in rows}
    digests = {v.id: _digest(folder, v) for v in verdicts}
    found = {
        name: {"result": row["state"], "detail": row["detail"], "digest": digest}
        for name, digest in digests.items()
        if digest and (row := said.get(ABSENT, said.get(name)))
    }
    store.put(folder / FILE, with_digest(visible(json.dumps({"opinions": found}, indent=1, ensure_ascii=False))))
    return folder / FILE


def joined(folder: Path, verdicts: tuple[Verdict, ...]) -> tuple[Verdict, ...]:
    """The verdicts with what was kept of them; ContentError for a damaged file."""
    path = folder / FILE
    if not os.path.lexists(path):
        return verdicts
    try:
        data = read_object(documents.read_text(path, inside=folder), str(path))
        shapes.hold(data, _SCHEMA, {}, str(path))
    except ContentError as error:
        said = f"{path} is damaged ({str(error).removeprefix(str(path)).lstrip(': ')})"
        raise ContentError(f"{said}; remove it, and make it again by dpaudit recheck --kernel") from error
    kept = data["opinions"]
    return tuple(_with(folder, v, kept[v.id]) if v.id in kept else v for v in verdicts)


def _with(folder: Path, verdict: Verdict, kept: Mapping[str, str]) -> Verdict:
    if kept["digest"] != _digest(folder, verdict):
        return verdict
    result, detail = kept["result"], kept["detail"]
    shown = Outcome.REFUTED if verdict.outcome is Outcome.REFUTED else Outcome.PROVED
    outcome = {"accepted": shown, "refused": Outcome.INCONCLUSIVE}.get(result, Outcome.NOT_RUN)
    said = _SAID.get(result, "not run" if result == Outcome.NOT_RUN else result)
    evidence = Evidence(ENGINE, outcome, f"{said}: {detail}" if detail else said)
    return replace(verdict, evidence=(*verdict.evidence, evidence))


def _digest(folder: Path, verdict: Verdict) -> str:
    """Of the certificates of a verdict, in hexadecimal; empty where it has none."""
    files = [folder / name for name in verdict.attachments if name.startswith(_CERTIFICATES)]
    there = [documents.read_bytes(file, inside=folder) for file in files if os.path.lexists(file)]
    return hashlib.sha256(b"\0".join(there)).hexdigest() if there else ""
