"""The badge: a colour that agrees with the exit code, and counts."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest
import run_folder
from run_folder import verdict

from dpaudit.records.verdict import Kind, Outcome, Verdict
from dpaudit.report.formats import badge
from dpaudit.runs.reading import load_run

GOOD = verdict("toy/LEM-1", Kind.CLAIM, Outcome.PROVED)
BAD = verdict("toy/LEM-2", Kind.CLAIM, Outcome.REFUTED, Outcome.PROVED)
WEAK = verdict("toy/LEM-3", Kind.CLAIM, Outcome.INCONCLUSIVE, Outcome.PROVED)


def shown(folder: Path, *verdicts: Verdict, **changes: Any) -> dict[str, Any]:
    """The badge of a run folder."""
    run_folder.write(folder, list(verdicts), **changes)
    made: dict[str, Any] = json.loads(badge.document(load_run(folder)))
    return made


@pytest.mark.parametrize(
    ("verdicts", "message", "color", "wrong"),
    [
        ((GOOD,), "1 as expected", "brightgreen", False),
        ((GOOD, BAD), "1 of 2 not as expected", "red", True),
        ((GOOD, WEAK), "1 of 2 not as expected", "yellow", False),
        ((), "nothing collected", "lightgrey", False),
    ],
)
def test_a_badge_says_what_the_exit_code_says(
    tmp_path: Path, verdicts: tuple[Verdict, ...], message: str, color: str, wrong: bool
) -> None:
    made = shown(tmp_path, *verdicts)
    assert made == {
        "schemaVersion": 1, "label": "dpaudit", "message": message, "color": color, "isError": wrong
    }  # fmt: skip


def test_a_run_that_did_not_finish_is_not_green(tmp_path: Path) -> None:
    made = shown(tmp_path, GOOD, finished=None, exit_code=None, counts=None)
    assert (made["message"], made["color"], made["isError"]) == ("1 as expected, not finished", "lightgrey", False)
