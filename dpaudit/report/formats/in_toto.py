"""A run as an in-toto statement: the files of its folder by digest, and the test result that they hold.

Statement v1 with the predicate test-result v0.1 (github.com/in-toto/attestation, spec/v1 and spec/predicates). It is
not signed, so that it shows nothing by itself: a signature over it, made by whoever made the run, does.
"""

from __future__ import annotations

import hashlib
from collections.abc import Iterator
from pathlib import Path

from dpaudit.records.errors import ContentError
from dpaudit.records.serial import Json
from dpaudit.records.verdict import ExitCode, Verdict, exit_code
from dpaudit.report.formats import text
from dpaudit.report.formats.view import Filing, View, Whole, Write
from dpaudit.runs.reading import Run

NAME, PLACE, FILING = "in-toto", 8, Filing.WHOLE

TYPE = "https://in-toto.io/Statement/v1"
PREDICATE = "https://in-toto.io/attestation/test-result/v0.1"
REQUIRED = ("run.json", "records.jsonl")
OPTIONAL = ("report.html", "papers/*.html", "certificates/*.json")


def view(write: Write, announce: Write, verbose: bool) -> View:
    """See `Format`."""
    return Whole(write, statement)


def statement(run: Run) -> str:
    """The statement as JSON; ContentError if run.json or records.jsonl is not in the folder of the run."""
    subjects = [{"name": path.relative_to(run.folder).as_posix(), "digest": {"sha256": _digest(path)}}
                for path in _files(run.folder)]  # fmt: skip
    body = {"_type": TYPE, "subject": subjects, "predicateType": PREDICATE, "predicate": _predicate(run, subjects[0])}
    return text.dumps(body, indent=2)


def _files(folder: Path) -> Iterator[Path]:
    for name in REQUIRED:
        if not (folder / name).is_file():
            raise ContentError(f"{folder / name} is missing: a statement is about the files of a run folder")
        yield folder / name
    for pattern in OPTIONAL:
        yield from sorted(folder.glob(pattern))


def _digest(path: Path) -> str:
    with path.open("rb") as file:
        return hashlib.file_digest(file, "sha256").hexdigest()


def _predicate(run: Run, settings: Json) -> Json:
    """The result of the run. configuration: run.json, which holds the settings, and the commit that was tested."""
    passed = [v for v in run.verdicts if v.as_expected]
    failed = [v for v in run.verdicts if not v.as_expected and _fails(v, run.allow_inconclusive)]
    warned = [v for v in run.verdicts if not v.as_expected and not _fails(v, run.allow_inconclusive)]
    commit = (run.header.get("checkout") or {}).get("commit")
    tested = [{"name": "checkout", "digest": {"gitCommit": commit}}] if commit else []
    good = "WARNED" if warned else "PASSED"
    return {
        "result": good if run.code is ExitCode.EXPECTED else "FAILED",
        "configuration": [settings, *tested],
        "passedTests": [v.id for v in passed],
        "warnedTests": [v.id for v in warned],
        "failedTests": [v.id for v in failed],
    }


def _fails(verdict: Verdict, allow_inconclusive: bool) -> bool:
    """Would it alone make the run fail? What a baseline accepts or the user allows is a warning."""
    return exit_code([verdict], allow_inconclusive) is not ExitCode.EXPECTED
