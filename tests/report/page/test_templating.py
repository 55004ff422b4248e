"""Texts of records in templates: escaped, cleaned, cut; formulas typeset; files from where the page lies; what failed
stands first."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path

import pytest
import run_folder
from report_page import Page, page_of

from dpaudit.records.verdict import EDITED, Evidence, Kind, Outcome
from dpaudit.report import deciding, sections, wording
from dpaudit.report.page.limits import Limits
from dpaudit.report.page.templating import POLICY, SCRIPT, environment

ALL = [*run_folder.claims(), *run_folder.agreements(), *run_folder.games()]


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


def test_the_first_screen_says_what_failed_by_how_much_and_how_to_repeat_it(html: str, page: Page) -> None:
    part = page.text[page.text.index("What failed") : page.text.index("What was checked")]
    wrong = sections.surprises(ALL)
    assert "srm/COR-6 (a surprise): refuted , but should be proved" in part
    assert "surprise/optimiser" in part
    assert "epsilon at least 3.3, claimed 1" in part
    for verdict in wrong[:5]:
        assert wording.clean(deciding.size(verdict)) in part
        assert wording.clean(verdict.statement)[:200] in part
        assert verdict.replay in part
        assert html.count(f'href="#{wording.finding(verdict.id)}"') == 1
        assert html.count(f'<article class="finding wrong" id="{wording.finding(verdict.id)}"') == 1
    assert wrong[5].replay not in part
    assert "And 1 more under Unexpected outcomes" in part


def test_a_claim_file_that_was_edited_is_named_first(tmp_path: Path) -> None:
    verdict = run_folder.verdict("srm/COR-6", Kind.CLAIM, Outcome.REFUTED, Outcome.PROVED, title="a surprise")
    stale = Evidence("recheck", Outcome.INCONCLUSIVE, f"the shipped certificate is stale: {EDITED}")
    said = [Page(page_of(tmp_path / name, [one])).text for name, one in
            (("a", verdict), ("b", replace(verdict, evidence=(*verdict.evidence, stale))))]  # fmt: skip
    words = "Its statement or argument was edited after the certificate that ships with it was made."
    assert [words in text[: text.index("What was checked")] for text in said] == [False, True]


def test_a_command_breaks_between_its_words_alone(html: str) -> None:
    assert (
        '<code class="command"><span>dpaudit</span> <span>verify</span> <span>srm/COR-6</span> <span>--seed</span>'
        in html
    )
