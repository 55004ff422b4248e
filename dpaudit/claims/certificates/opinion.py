"""What Coq says of certificates, as rows: a second opinion on those that the checker reads."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import Any

from dpaudit.claims.certificates import certificate
from dpaudit.claims.certificates.overview import Row, certificates
from dpaudit.kernel.coqc import Absent
from dpaudit.kernel.judge import ACCEPTED, REFUSED, Judged, judge
from dpaudit.records.errors import ContentError
from dpaudit.records.verdict import ExitCode, Outcome


def opinions(names: Sequence[str], proofs: Path | None, folder: Path | None = None) -> list[Row]:
    """One row a certificate: state, id of the statement, detail; one row NOT_RUN where there is no Coq. folder: where
    the texts are left."""
    data = {str(path): _read(path) for path in certificates(names, proofs)}
    if not data:
        return []
    try:
        found = judge(data, folder)
    except Absent as absent:
        return [{"state": Outcome.NOT_RUN.value, "name": "coqc", "detail": str(absent)}]
    return list(_rows(data, found))


def exit_code(rows: Sequence[Row]) -> ExitCode:
    """1 if one is refused, 4 if one is not translated or there is no Coq, 5 if there is none."""
    states = {row["state"] for row in rows}
    if not rows:
        return ExitCode.NOTHING_COLLECTED
    if REFUSED in states:
        return ExitCode.REFUTED
    return ExitCode.EXPECTED if states == {ACCEPTED} else ExitCode.INCONCLUSIVE


def _read(path: Path) -> Any:
    try:
        return certificate.read(path)
    except (OSError, ContentError):  # what is none is refused by name
        return None


def _rows(data: dict[str, Any], found: dict[str, Judged]) -> Iterator[Row]:
    for path, judged in found.items():
        claim = data[path].get("claim") if isinstance(data[path], dict) else None
        detail = judged.reason or ("assuming " + ", ".join(judged.assuming) if judged.assuming else "")
        yield {"state": judged.result, "name": claim if isinstance(claim, str) else path, "detail": detail}
