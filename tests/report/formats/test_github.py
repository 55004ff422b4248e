"""The step summary and the annotations: complete, short enough, and nothing of a target becomes structure."""

from __future__ import annotations

import re
import subprocess
import sys
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest
from command_line import dpaudit
from commands import commands_of
from run_folder import HOSTILE, header
from small_content import claim_text, target_text, write

from dpaudit.cli.main import program
from dpaudit.records.verdict import Evidence, ExitCode, Kind, Outcome, Verdict
from dpaudit.report.formats import github
from dpaudit.runs.reading import Run

BAD = Verdict(
    "acme/sum", Kind.AUDIT, Outcome.REFUTED, Outcome.CONSISTENT, "a sum", (Evidence("game", Outcome.REFUTED, "why"),),
    "README", 7, witness=(("threshold", 0.5),), effect="twice as much leaks", replay="dpaudit audit acme/sum --seed 7",
)  # fmt: skip
GOOD = replace(BAD, id="acme/mean", outcome=Outcome.CONSISTENT, witness=())
COMMANDS = "::error file=x::\n::set-output name=a::b\n::stop-commands::pause\n%0A::error::"
MARKDOWN = (
    "| a | <img src=x onerror=alert(1)> [l](http://e.example) `c` **b** @someone #1 \\| https://e.example\n# head\n---"
)


def shown(*verdicts: Verdict, **more: Any) -> tuple[str, list[str]]:
    """(the summary, the lines of workflow commands)."""
    plan = [{"part": "audit", "name": "acme/sum", "file": "audits/sum.py"}]
    head = header(list(verdicts), command="dpaudit audit acme/sum", plan=plan, **more)
    run = Run(Path("out"), head, verdicts)
    return github.summary(run), [line for text in github.commands(run) for line in text.splitlines()]


def rows(summary: str) -> list[str]:
    return [line for line in summary.splitlines() if line.startswith("| refuted") or line.startswith("| error")]


def test_what_is_unexpected_is_shown_with_witness_effect_and_replay() -> None:
    summary, lines = shown(BAD, GOOD)
    assert summary.startswith("## dpaudit: 1 of 2 outcomes is not as expected\n")
    (row,) = rows(summary)
    assert "acme/sum</code><br>a sum" in row.replace("&#47;", "/")
    assert "witness: <code>threshold = 0.5</code>" in row
    assert "twice as much leaks" in row
    assert "dpaudit audit acme/sum --seed 7" in row
    assert "Exit code 1: refuted where that was not expected" in summary
    assert "| audit | 0 | 1 | 1 | 0 | 0 | 0 |" in summary
    assert lines[0].startswith("::error file=audits/sum.py,title=acme/sum%3A refuted%2C not consistent::x refuted")
    assert lines[0].endswith("%0Awhy%0Atwice as much leaks%0Adpaudit audit acme/sum --seed 7")
    assert len(lines) == 1


def test_a_good_run_has_no_table_and_no_annotation() -> None:
    summary, lines = shown(GOOD)
    assert summary.startswith("## dpaudit: everything is as expected\n")
    assert (rows(summary), [line for line in lines if line.startswith("::")]) == ([], [])
    assert shown()[0].startswith("## dpaudit: nothing was collected\n")


def test_controls_are_counted_and_their_absence_is_said() -> None:
    assert "No control was run" in shown(GOOD)[0]
    found = replace(BAD, id="bug/1", kind=Kind.CONTROL, expected=Outcome.REFUTED)
    missed = replace(found, id="bug/2", outcome=Outcome.CONSISTENT)
    silent = replace(GOOD, id="null/1", kind=Kind.CONTROL)
    summary, lines = shown(found, missed, silent)
    assert "Controls: 1 of 2 planted bugs were found, 1 of 1 harmless releases" in summary
    assert lines[0].startswith("::error title=bug/2%3A consistent%2C not refuted::")
    assert "control bug/2" in lines[0]
    assert "control <code>bug/2</code>" in summary.replace("&#47;", "/")


@pytest.mark.parametrize("hostile", [MARKDOWN, COMMANDS, HOSTILE, "\x1b[31m\u202e\u0000"])
def test_nothing_of_a_target_becomes_structure(hostile: str) -> None:
    evil = replace(
        BAD, id=hostile, title=hostile, evidence=(Evidence(hostile, Outcome.REFUTED, hostile),), effect=hostile,
        witness=((hostile, hostile),), replay=hostile,
    )  # fmt: skip
    summary, lines = shown(evil)
    (row,) = rows(summary)
    assert len(re.findall(r"(?<!\\)\|", row)) == 6
    assert set(re.findall(r"<[^>]*>", row)) == {"<code>", "</code>", "<br>"}
    assert not re.search(r"[\[\]`*_@\\$~]|https?:|\x1b|\u202e", row.replace("records.jsonl", ""))
    assert not [line for line in summary.splitlines() if line.startswith("::")]
    commands = [line for line in lines if line.startswith("::")]
    assert len(commands) == 1
    assert commands[0].startswith("::error title=")
    assert len(lines) == 1


def test_a_long_summary_is_cut_with_a_sentence_and_ten_annotations_are_the_worst() -> None:
    many = [replace(BAD, id=f"acme/{i}", title="<" * 5_000) for i in range(400)]
    broken = replace(BAD, id="acme/broken", outcome=Outcome.INCONCLUSIVE)
    summary, lines = shown(broken, *many)
    assert 900_000 < len(summary.encode()) < github.MOST_BYTES
    kept = len(rows(summary))
    assert f"{401 - kept} more do not fit here; all are in records.jsonl" in summary
    assert "Controls" not in summary
    assert "No control was run" in summary
    commands = [line for line in lines if line.startswith("::")]
    assert len(commands) == 10
    assert all("refuted" in line for line in commands)


def test_five_thousand_hostile_outcomes_stay_within_both_limits() -> None:
    evil = replace(
        BAD, title=MARKDOWN * 40, effect=COMMANDS * 40, evidence=(Evidence("game", Outcome.REFUTED, "é" * 4_000),)
    )
    summary, lines = shown(*(replace(evil, id=f"acme/{i}{COMMANDS}") for i in range(5_000)))
    assert len(summary.encode()) < github.MOST_BYTES < 2**20
    assert sum(line.startswith("::") for line in lines) == github.MOST_ANNOTATIONS
    assert not [line for line in summary.splitlines() if line.lstrip().startswith("::") or "##[" in line]
    left = re.search(r"^(\d+) more do not fit here", summary, flags=re.MULTILINE)
    assert left is not None
    assert len(rows(summary)) + int(left[1]) == 5_000


def test_what_is_accepted_is_named_apart_without_an_annotation() -> None:
    known = [replace(BAD, id=f"acme/{i}", accepted="until 2027-01-01: known (b.toml)") for i in range(12)]
    summary, lines = shown(*known)
    assert summary.startswith("## dpaudit: everything is as expected or accepted\n")
    assert "Not as expected, but accepted by a baseline (12):" in summary
    assert summary.count("accepted until 2027-01-01&#58; known") == 10
    assert "- and 2 more" in summary
    assert not [line for line in lines if line.startswith("::")]


def test_what_the_user_must_know_of_the_baseline_is_there_and_short() -> None:
    row = {"outcome": "REFUTED", "state": "expired", "expires": "2026-01-01", "found": "REFUTED", "overdue": 3}
    used = {"file": "known.toml", "entries": [{"id": f"acme/{place}<b>", **row} for place in range(30)]}
    summary, _ = shown(BAD, baseline=used)
    lines = [line for line in summary.splitlines() if "expired on 2026-01-01, 3 days ago" in line]
    assert len(lines) == 10
    assert all(line.startswith("- ") and "<b>" not in line for line in lines)
    assert summary.endswith("\n- and 20 more")
    assert "expired" not in shown(BAD, baseline=used, finished=None)[0]


def test_what_the_user_allows_is_a_warning() -> None:
    weak = replace(BAD, outcome=Outcome.INCONCLUSIVE)
    assert shown(weak)[1][0].startswith("::error ")
    assert shown(weak, allow_inconclusive=True)[1][0].startswith("::warning ")


@pytest.mark.deep
def test_the_command_line_adds_to_the_summary_of_the_step(workdir: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    write(workdir / "audits" / "sum.py", target_text(mu=0.3, trials=5_000))
    step = write(workdir / "step.md", "# before\n")
    flags = ["--format", "github", "--jobs", "1", "--no-report", "--no-controls", "--no-isolate"]
    done = dpaudit("audit", "audits/sum.py", *flags, "-o", "step.md")
    assert done.exit_code == ExitCode.REFUTED
    assert step.read_text().startswith("# before\n## dpaudit: 1 of 1 outcomes is not as expected\n")
    assert "\n::error file=audits/sum.py,title=toy/sum%3A refuted" in done.stdout
    assert done.stdout.count("Exit code 1: ") == 1
    monkeypatch.setenv("GITHUB_STEP_SUMMARY", "other.md")
    dpaudit("audit", "audits/sum.py", *flags)
    assert Path("other.md").read_text().startswith("## dpaudit")


def test_without_a_file_the_summary_is_printed(workdir: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.delenv("GITHUB_STEP_SUMMARY", raising=False)
    write(workdir / "proofs" / "toy" / "lem.py", claim_text())
    done = dpaudit("verify", "--format", "github", "--jobs", "1", "--no-report")
    assert done.stdout.startswith("## dpaudit: everything is as expected\n")
    refused = dpaudit("show", "toy/LEM-1", "--format", "github")
    assert refused.exit_code == ExitCode.USAGE
    assert "'github' is not one of 'text', 'json', 'jsonl', 'markdown'" in refused.stderr


DOCS = Path(__file__).parents[3] / "docs"
PAGES = [DOCS / "pytest.md", DOCS / "continuous_integration.md", *sorted((DOCS / "recipes").iterdir())]


@pytest.mark.parametrize("page", PAGES, ids=lambda page: page.name)
def test_every_command_of_the_pages_exists(page: Path) -> None:
    for _, name, *words in commands_of(page):
        options = {flag for parameter in program.commands[name].params for flag in parameter.opts}
        assert {word for word in words if word.startswith("-")} <= options, (page.name, name)


def test_the_pages_and_recipes_name_commands_at_all() -> None:
    named = {words[1] for page in PAGES for words in commands_of(page)}
    assert named == {"audit", "controls", "ledger", "power", "report"}


def test_tox_reads_the_recipe(tmp_path: Path) -> None:
    pytest.importorskip("tox")
    recipe = str(DOCS / "recipes" / "tox.ini")
    words = [sys.executable, "-m", "tox", "config", "-c", recipe, "--workdir", str(tmp_path), "-k", "commands"]
    done = subprocess.run(words, capture_output=True, text=True, timeout=240, check=True)
    assert "commands = dpaudit audit audits" in done.stdout
    assert "commands = pytest --dpaudit audits tests" in done.stdout
