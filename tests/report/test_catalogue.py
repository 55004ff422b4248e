"""The table of planted bugs of a run, the mutation score, and the page that lists all bugs."""

from __future__ import annotations

import json
from dataclasses import replace
from pathlib import Path

from dpaudit.content.items import Loaded
from dpaudit.content.loading import load_targets
from dpaudit.records.verdict import Evidence, Kind, Numbers, Outcome, Verdict
from dpaudit.report import catalogue
from dpaudit.report.formats import json as as_json
from dpaudit.report.formats.text import Text
from dpaudit.runs.reading import Run

ROOT = Path(__file__).parents[2]


def control(name: str, tier: str, outcome: Outcome, engine: str, check: str = "", cost: int = 100) -> Verdict:
    numbers: Numbers = (("planted_tier", tier), ("planted_check", check), ("planted_cost", cost))
    evidence = (Evidence("structural", Outcome.CONSISTENT, "fine"), Evidence(engine, outcome, "what was found"))
    return Verdict(
        f"known-bad/{name}", Kind.CONTROL, outcome, Outcome.REFUTED, name, evidence, "source", 7, numbers=numbers
    )


VERDICTS = (
    control("half-noise", "structural", Outcome.REFUTED, "structural", "noise scale", 22),
    control("no-noise", "game", Outcome.REFUTED, "game"),
    control("two-tiers", "game", Outcome.REFUTED, "structural"),
    control("quiet", "coverage", Outcome.CONSISTENT, "coverage"),
    control("absent", "accounts", Outcome.NOT_RUN, "run", cost=1),
    replace(control("x", "game", Outcome.CONSISTENT, "game"), id="null/constant", numbers=()),
    replace(control("y", "game", Outcome.REFUTED, "game"), id="mine", kind=Kind.AUDIT),
)
BUGS = catalogue.planted(VERDICTS)


def test_planted_bugs_are_controls_that_say_what_is_planted() -> None:
    assert [bug.name for bug in BUGS] == ["half-noise", "no-noise", "two-tiers", "quiet", "absent"]
    assert [bug.by for bug in BUGS] == ["structural", "game", "structural", "missed", "not run"]


def test_the_score_is_caught_of_planted_by_tier() -> None:
    assert catalogue.score(BUGS) == (
        "mutation score of the auditor: 3 of 5 planted bugs caught (accounts 0 of 1, structural 1 of 1, game 2 of 2, "
        "coverage 0 of 1); 1 by another tier than the one they name"
    )
    assert catalogue.score(BUGS[:1]).endswith("1 of 1 planted bugs caught (structural 1 of 1)")


def test_the_table_has_the_missed_ones_first() -> None:
    head, *rows = catalogue.rows(BUGS)
    assert head == ["planted bug", "must be caught by", "was caught by", "check", "cost"]
    assert [row[0] for row in rows] == ["quiet", "absent", "half-noise", "no-noise", "two-tiers"]
    assert rows[2] == ["half-noise", "structural", "structural", "noise scale", "22 trainings"]
    assert rows[0][-1] == "100 audits"


def test_plain_data_count_what_they_list() -> None:
    data = json.loads(json.dumps(catalogue.as_json(BUGS)))
    assert (data["planted"], data["caught"]) == (5, 3)
    assert data["bugs"][1] == {
        "name": "no-noise", "tier": "game", "by": "game", "check": "", "cost": 100, "unit": "trials a side",
    }  # fmt: skip


def test_controls_print_table_and_score(tmp_path: Path) -> None:
    """Other commands print the score alone."""
    for command, listed in (("controls", True), ("run", False)):
        lines: list[str] = []
        view = Text(lines.append)
        view.end(Run(tmp_path, {"command": f"dpaudit {command} --seed 7"}, VERDICTS))
        text = "\n".join(lines)
        assert "mutation score of the auditor: 3 of 5" in text
        assert ("must be caught by" in text) == listed


def test_json_has_the_catalogue(tmp_path: Path) -> None:
    assert json.loads(as_json.document(Run(tmp_path, {}, VERDICTS)))["catalogue"]["caught"] == 3


def test_the_page_is_made_from_the_targets() -> None:
    """If this fails: python benchmarks/catalogue.py --page."""
    loaded = [item for item in load_targets([ROOT / "audits"]) if isinstance(item, Loaded)]
    text = (ROOT / "docs" / "catalogue.md").read_text(encoding="utf-8")
    start, end = catalogue.MARKS
    tables = text.partition(start)[2].partition(end)[0]
    assert tables.strip() == catalogue.page(item.record for item in loaded).strip()
    assert "## Not caught" in text


def test_every_unit_is_named() -> None:
    assert set(catalogue.UNITS) == set(catalogue.Tier)
