"""A whole object is written at the end and not before."""

from __future__ import annotations

from pathlib import Path

import run_folder

from dpaudit.records.verdict import Kind, Outcome
from dpaudit.report.formats.view import Whole
from dpaudit.runs.reading import load_run


def test_half_an_object_is_no_object(tmp_path: Path) -> None:
    written: list[str] = []
    run = load_run(run_folder.write(tmp_path))
    view = Whole(written.append, lambda finished: f"{len(finished.verdicts)} verdicts")
    view.start(run.header, tmp_path)
    view.show([run_folder.verdict("toy/LEM-1", Kind.CLAIM, Outcome.PROVED)])
    assert written == []
    view.end(run, ["a note"])
    assert written == [f"{len(run.verdicts)} verdicts"]
