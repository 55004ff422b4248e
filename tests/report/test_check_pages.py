"""The explanations of structural checks in every format, and the committed page of them."""

from __future__ import annotations

import json
from pathlib import Path

from dpaudit.audit.structural.explained import explanations, named
from dpaudit.report.check_pages import RENDER

PAGE = Path(__file__).parents[2] / "docs" / "checks.md"


def test_the_committed_page_is_that_of_the_checks() -> None:
    renewed = RENDER["markdown"](explanations(), True) + "\n"
    assert PAGE.read_text(encoding="utf-8") == renewed, "dpaudit explain --format markdown -o docs/checks.md"


def test_every_format_has_all_of_a_check() -> None:
    check = named("sensitivity")
    rows = json.loads(RENDER["json"]((check,), False)), [json.loads(RENDER["jsonl"]((check,), False))]
    assert rows[0] == rows[1]
    assert rows[0][0]["code"] == "sensitivity"
    for form in ("text", "markdown"):
        said = RENDER[form]((check,), False)
        assert all(part in said for part in (check.question, check.text, check.exception, check.false_alarm))


def test_the_list_is_a_line_a_check() -> None:
    lines = RENDER["text"](explanations(), True).splitlines()
    assert [line.split()[0] for line in lines] == [check.code for check in explanations()]
