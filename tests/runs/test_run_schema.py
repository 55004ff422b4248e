"""What run.json may hold: ranges of settings, and fields that are there together."""

from __future__ import annotations

import copy
import json
from pathlib import Path
from typing import Any

import pytest

from dpaudit.records.errors import ContentError
from dpaudit.runs.run_schema import hold

SAMPLE = json.loads((Path(__file__).parents[2] / "reports" / "sample" / "run.json").read_text(encoding="utf-8"))


@pytest.mark.parametrize(
    ("place", "value", "words"),
    [
        (("settings", "jobs"), 0, "settings.jobs must be at least 1"),
        (("settings", "seed"), -1, "settings.seed must be at least 0"),
        (("settings", "alpha"), 0.7, "settings.alpha must be at most 0.5"),
        (("settings", "parts"), [], "settings.parts must have at least 1 items"),
        (("error_budget", "total"), {"float": "nan"}, "error_budget.total must be of the type number"),
        (("started",), "2026-13-45", "started must be a date-time"),
        (("hardware", "machine"), [1], "hardware.machine must be of the type string or"),
        (("plan", 0, "tests"), -1, r"plan\[0\].tests must be at least 0"),
        (("versions",), [], "versions must be of the type object"),
    ],
)
def test_what_no_run_writes_is_named(place: tuple[Any, ...], value: object, words: str) -> None:
    header = copy.deepcopy(SAMPLE)
    hold(header, "run.json")
    *way, last = place
    inner = header
    for key in way:
        inner = inner[key]
    inner[last] = value
    with pytest.raises(ContentError, match=f"^run.json: {words}"):
        hold(header, "run.json")
