"""What `tox -e suite` has left, for tests that would do the same work once more."""

from __future__ import annotations

from pathlib import Path

from depth import DEEP

from dpaudit.records.errors import ContentError
from dpaudit.records.verdict import Kind, Verdict
from dpaudit.runs import provenance
from dpaudit.runs.flows.flow import origin
from dpaudit.runs.reading import load_run

PLAYED = (Kind.AUDIT, Kind.CONTROL)
ROOT = Path(__file__).parents[2]


def left(kind: str, folder: Path = ROOT / "runs" / "suite") -> dict[str, Verdict] | None:
    """The verdicts of the main job on "proofs" or "audits" by id, None where it has not run to its end on these very
    sources and this content, or where DPAUDIT_DEEP_TESTS is set."""
    try:
        run = load_run(folder)
    except ContentError:
        return None
    asked = run.header["settings"]
    whole = (asked["command"], asked["level"], asked["names"]) == ("run", "smoke", [])
    content = origin(kind, ROOT / kind, "").digest in [one["digest"] for one in run.header["content"]]
    current = run.header["source"] == provenance.source_digest().hex()
    if DEEP or not (run.finished and whole and content and current):
        return None
    return {v.id: v for v in run.verdicts if v.kind is not Kind.AGREEMENT and (v.kind in PLAYED) == (kind == "audits")}
