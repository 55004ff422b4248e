"""JSON lines: the seed first, one verdict a line, the run last."""

from __future__ import annotations

import json
from pathlib import Path

import run_folder

from dpaudit.records.verdict import Kind, Outcome
from dpaudit.report.formats import jsonl
from dpaudit.report.formats.registry import FORMATS
from dpaudit.runs.reading import load_run


def test_every_line_is_an_object_in_the_order_of_the_run(tmp_path: Path) -> None:
    run = load_run(run_folder.write(tmp_path))
    lines: list[str] = []
    view = jsonl.view(lines.append, lines.append, verbose=False)
    view.start({"seed": 3, "level": "smoke", "error_budget": 0.5}, tmp_path)
    view.show([run_folder.verdict("toy/LEM-1", Kind.CLAIM, Outcome.PROVED)])
    view.end(run, ["not shown"])
    first, verdict, last = map(json.loads, lines)
    assert (first["type"], first["seed"], first["folder"]) == ("Start", 3, str(tmp_path))
    assert (verdict["type"], verdict["id"], verdict["outcome"]) == ("Verdict", "toy/LEM-1", "PROVED")
    assert last == {"type": "End", **json.loads(json.dumps(run.header))}


def test_it_is_a_format_whose_file_grows() -> None:
    assert FORMATS["jsonl"] is jsonl
    assert jsonl.FILING.name == "GROWING"
