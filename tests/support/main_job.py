"""What `tox -e suite`, and the audits of released libraries after it, have left, for tests that would do the same work
once more."""

from __future__ import annotations

from collections.abc import Mapping
from pathlib import Path

from depth import DEEP

from dpaudit.claims.certificates import certificate
from dpaudit.records.errors import ContentError
from dpaudit.records.verdict import Kind, Verdict
from dpaudit.runs import provenance
from dpaudit.runs.flows.flow import origin
from dpaudit.runs.reading import load_run

PLAYED = (Kind.AUDIT, Kind.CONTROL)
ROOT = Path(__file__).parents[2]
SUITE, LIBRARIES = ROOT / "runs" / "suite", ROOT / "runs" / "third-party"
Asked = tuple[str, str, list[str] | None]
"""Command, level and names of a run; None: whatever names."""
WHOLE: Asked = ("run", "smoke", [])
OF_LIBRARIES: Asked = ("audit", "smoke", None)


def left(kind: str, folder: Path = SUITE, wanted: Asked = WHOLE) -> dict[str, Verdict] | None:
    """The verdicts of the main job on "proofs" or "audits" by id, None where it has not run to its end on these very
    sources and this content, or where DPAUDIT_DEEP_TESTS is set. wanted: another run in `folder`, of audits."""
    try:
        run = load_run(folder)
    except ContentError:
        return None
    asked = run.header["settings"]
    whole = (asked["command"], asked["level"]) == wanted[:2] and wanted[2] in (None, asked["names"])
    content = origin(kind, ROOT / kind, "").digest in [one["digest"] for one in run.header["content"]]
    current = run.header["source"] == provenance.source_digest().hex()
    if DEEP or not (run.finished and whole and content and current):
        return None
    return {v.id: v for v in run.verdicts if v.kind is not Kind.AGREEMENT and (v.kind in PLAYED) == (kind == "audits")}


def accepted(verdicts: Mapping[str, Verdict], shipped: Path, folder: Path = SUITE) -> dict[str, Path]:
    """The certificates of the claims folder `shipped`, by statement, that the checker has accepted in the main job: it
    went through a file with the same bytes for a verdict of its own."""
    found = {}
    for name, verdict in verdicts.items():
        file = f"{certificate.FOLDER}/{certificate.file_name(name)}"
        own, made = shipped / name.partition("/")[0] / file, folder / file
        said = [e.outcome for e in verdict.evidence if e.engine == certificate.CHECKER]
        accepts = said == [verdict.outcome] and file in verdict.attachments
        if accepts and own.is_file() and made.is_file() and own.read_bytes() == made.read_bytes():
            found[name] = own
    return found
