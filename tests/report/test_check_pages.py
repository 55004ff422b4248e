"""The explanations of structural checks in every format."""

from __future__ import annotations

import json

from dpaudit.audit.structural.explained import explanations, named
from dpaudit.report.check_pages import RENDER


def test_the_page_of_all_has_a_section_a_check() -> None:
    page = RENDER["markdown"](explanations(), True)
    assert [line[3:] for line in page.splitlines() if line.startswith("## ")] == [one.code for one in explanations()]


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
