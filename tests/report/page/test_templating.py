"""Texts of records in templates: escaped, cleaned, cut; formulas typeset; files from where the page lies."""

from __future__ import annotations

import pytest

from dpaudit.records.verdict import Outcome
from dpaudit.report.page.limits import Limits
from dpaudit.report.page.templating import POLICY, SCRIPT, environment


def drawn(template: str, above: str = "", **given: object) -> str:
    return str(environment(Limits(text=20), above).from_string(template).render(**given))


@pytest.mark.parametrize(
    ("text", "shown"),
    [
        ("<b>", "&lt;b&gt;"),
        ("a\x00b\u202e", "a\\u0000b\\u202e"),
        ("x" * 25, f"{'x' * 20} [5 more characters in records.jsonl]"),
    ],
)
def test_a_text_is_escaped_cleaned_and_cut(text: str, shown: str) -> None:
    assert drawn("{{ text }}", text=text) == shown


def test_files_are_addressed_from_where_the_page_lies() -> None:
    assert drawn("{{ 'plots/a b.svg'|file }}") == "plots/a%20b.svg"
    assert drawn("{{ 'plots/a.svg'|file }}", above="../") == "../plots/a.svg"


def test_a_formula_that_cannot_be_typeset_is_empty() -> None:
    assert "<math" in drawn("{{ typeset('x^2', 'a<b') }}")
    assert drawn("{{ typeset('', 'a') }}") == ""


def test_outcomes_have_words() -> None:
    assert drawn("{{ one|word }}", one=Outcome.NOT_RUN) == "not run"


def test_the_policy_lets_the_script_of_the_page_run_and_nothing_else() -> None:
    assert POLICY.count("sha256-") == 1
    assert "unsafe-inline" not in POLICY.partition("script-src")[2]
    assert "</script" not in SCRIPT.lower()
