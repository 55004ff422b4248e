"""What a reviewer types: replay, diff, accept and --baseline."""

from __future__ import annotations

import json
from datetime import UTC, date, datetime, timedelta
from pathlib import Path

import pytest
import run_folder
from click.testing import Result
from command_line import dpaudit
from run_folder import REFUTED, verdict
from small_content import claim_text, write

from dpaudit.records.verdict import Kind, Outcome
from dpaudit.runs import baseline_file, store


def today() -> date:
    """Of the test, not of the file: midnight may lie between."""
    return datetime.now(UTC).date()


LATER = (today() + timedelta(30)).isoformat()


@pytest.fixture
def claim(workdir: Path) -> Path:
    """A file with a false claim."""
    return write(workdir / "lem_1.py", claim_text(right="a**2"))


QUICK = ("--jobs", "1", "--no-report", "--run-dir")


def accepted(*more: str) -> Result:
    """The findings of the run `out` accepted."""
    return dpaudit("accept", "out", *more, "--expires", LATER, "--reason", "being repaired")


def test_a_known_finding_stops_nobody_until_its_date(claim: Path) -> None:
    assert dpaudit("verify", claim, *QUICK, "out").exit_code == 1
    done = accepted("--issue", "https://x/1")
    assert (done.exit_code, done.stdout) == (0, "baseline.toml\n")
    assert done.stderr == f"accepted until {LATER}: 1 of 1 entries; use it with: --baseline baseline.toml\n"
    known = dpaudit("verify", claim, *QUICK, "two", "--baseline", "baseline.toml")
    assert known.exit_code == 0
    assert f"[accepted until {LATER}: being repaired (https://x/1, baseline.toml)]" in known.stdout
    text = Path("baseline.toml").read_text()
    write(Path("baseline.toml"), text.replace(LATER, (today() - timedelta(12)).isoformat()))
    over = dpaudit("verify", claim, *QUICK, "three", "--baseline", "baseline.toml")
    assert over.exit_code == 1
    assert "12 days ago; it counts again" in over.stdout


def test_a_configuration_names_the_baseline_for_runs_and_for_accept(claim: Path, workdir: Path) -> None:
    write(workdir / "dpaudit.toml", 'baseline = "ci/known.toml"\n')
    write(workdir / "ci" / "known.toml", "# nothing yet\n")
    assert dpaudit("verify", claim, *QUICK, "out").exit_code == 1
    assert accepted().exit_code == 0
    assert "# nothing yet" in (workdir / "ci" / "known.toml").read_text()
    assert dpaudit("verify", claim, *QUICK, "two").exit_code == 0
    header = json.loads((workdir / "two" / "run.json").read_text())
    assert header["baseline"]["file"] == "ci/known.toml"


def test_a_damaged_baseline_is_a_wrong_argument_before_anything_runs(claim: Path, workdir: Path) -> None:
    write(workdir / "baseline.toml", "[[accepted]]\n")
    done = dpaudit("verify", claim, *QUICK, "out", "--baseline", "baseline.toml")
    assert (done.exit_code, Path("out").exists()) == (2, False)
    assert "baseline.toml, line 1: id is missing" in done.stderr


def test_only_surprises_are_accepted(workdir: Path) -> None:
    run_folder.write(workdir / "out")
    refused = accepted("rbcd/LEM-2")
    assert refused.exit_code == 2
    assert "rbcd/LEM-2 is PROVED as expected: there is nothing to accept" in refused.stderr
    assert "did you mean" in accepted("srm/CR-6").stderr
    assert not Path("baseline.toml").exists()
    assert accepted("srm/COR-6").exit_code == 0
    assert list(baseline_file.read(Path("baseline.toml")).entries) == ["srm/COR-6"]
    assert accepted().exit_code == 0
    found = baseline_file.read(Path("baseline.toml")).entries
    assert list(found) == sorted(found)
    assert found["crash/target"].outcome is Outcome.ERROR
    assert "rbcd/LEM-2/s2" not in found, "an expected refutation is no surprise"


def test_where_nothing_is_surprising_nothing_is_written(workdir: Path) -> None:
    run_folder.write(workdir / "out", [verdict("a/b", Kind.CLAIM, REFUTED)])
    done = accepted()
    assert (done.exit_code, done.stdout) == (0, "")
    assert "as expected, or accepted already" in done.stderr
    assert not Path("baseline.toml").exists()


@pytest.mark.parametrize(
    ("flags", "words"),
    [
        (("--expires", "2020-01-01", "--reason", "x"), "--expires 2020-01-01 is over"),
        (("--expires", LATER, "--reason", " "), "--reason must say why"),
        (("--expires", "tomorrow", "--reason", "x"), "does not match the format"),
        (("--reason", "x"), "Missing option '--expires'"),
    ],
)
def test_a_reason_and_a_date_to_come_are_required(workdir: Path, flags: tuple[str, ...], words: str) -> None:
    run_folder.write(workdir / "out")
    done = dpaudit("accept", "out", *flags)
    assert (done.exit_code, Path("baseline.toml").exists()) == (2, False)
    assert words in done.stderr


def test_a_date_far_ahead_is_named_and_an_unfinished_run_refused(workdir: Path) -> None:
    run_folder.write(workdir / "out")
    far = dpaudit("accept", "out", "--expires", (today() + timedelta(367)).isoformat(), "--reason", "x")
    assert far.exit_code == 0
    assert "is more than 366 days ahead" in far.stderr
    run_folder.write(workdir / "half", finished=None)
    done = dpaudit("accept", "half", "--expires", LATER, "--reason", "x")
    assert done.exit_code == 2
    assert "dpaudit resume half" in done.stderr
    write(workdir / "out" / store.TASKS, "")
    assert "dpaudit resume out" in accepted().stderr, "the clock stopped it: what was not begun is no finding"


def test_a_replay_says_what_came_out(claim: Path, workdir: Path) -> None:
    dpaudit("verify", claim, *QUICK, "out")
    done = dpaudit("replay", "out", "toy/LEM-1", "--no-report", "--run-dir", "again")
    assert done.exit_code == 0
    assert done.stdout.startswith("seed ")
    assert done.stdout.endswith("toy/LEM-1: identical to what is recorded\nExit code 0: the outcome is as recorded.\n")
    path = workdir / "out" / "records.jsonl"
    run_folder.edit(path, lambda line: line.replace('"title": "square of a sum"', '"title": "x\\n= proved y"'))
    other = dpaudit("replay", "out", "toy/LEM-1", "--no-report", "--run-dir", "more", "--exact")
    assert other.exit_code == 1
    assert "  title: was 'x\\n= proved y', is 'square of a sum'\nExit code 1: every value" in other.stdout


def test_a_replay_of_another_outcome_exits_with_1_and_an_unknown_id_with_2(claim: Path, workdir: Path) -> None:
    dpaudit("verify", claim, *QUICK, "out")
    path = workdir / "out" / "records.jsonl"
    refuted, proved = (f'"outcome": "{outcome}", "expected": "PROVED"' for outcome in ("REFUTED", "PROVED"))
    run_folder.edit(path, lambda line: line.replace(refuted, proved))
    done = dpaudit("replay", "out", "toy/LEM-1", "--no-report", "--format", "json", "--run-dir", "again")
    assert done.exit_code == 1
    found = json.loads(done.stdout)["run"]["replay"]
    assert (found["of"], found["likeness"], found["exit_code"]) == ("out", "different", 1)
    unknown = dpaudit("replay", "out", "toy/LEM-2")
    assert unknown.exit_code == 2
    assert "did you mean 'toy/LEM-1'" in unknown.stderr
    write(claim, claim_text())
    changed = dpaudit("replay", "out", "toy/LEM-1", "--no-report")
    assert changed.exit_code == 2
    assert "has changed since the run" in changed.stderr
    anyway = dpaudit("replay", "out", "toy/LEM-1", "--no-report", "--anyway", "--run-dir", "anyway")
    assert (anyway.exit_code, "replayed as it is now" in anyway.stdout) == (0, True)


@pytest.fixture
def two(workdir: Path) -> Path:
    """Two runs: what was proved is refuted, one claim is gone, one is new, and one says something else."""
    old = [verdict("a/1", Kind.CLAIM, Outcome.PROVED), verdict("a/2", Kind.CLAIM, Outcome.PROVED),
           verdict("a/3", Kind.CLAIM, Outcome.PROVED), verdict("a/5", Kind.CLAIM, Outcome.PROVED)]  # fmt: skip
    new = [verdict("a/1", Kind.CLAIM, REFUTED, Outcome.PROVED, detail=run_folder.HOSTILE),
           verdict("a/3", Kind.CLAIM, Outcome.PROVED, title="| new\n# title"),
           verdict("a/4", Kind.CLAIM, Outcome.PROVED), verdict("a/5", Kind.CLAIM, Outcome.PROVED)]  # fmt: skip
    run_folder.write(workdir / "old", old)
    run_folder.write(workdir / "new", new, seed=8)
    return workdir


TEXT = """\
seed: was 7, is 8

Worse: outcome changed (1)
  a/1  was proved; is refuted, expected proved
      rigorous 1 outcome: PROVED -> REFUTED
"""


def test_a_comparison_as_text(two: Path) -> None:
    done = dpaudit("diff", "old", "new")
    assert done.exit_code == 1
    assert done.stdout.startswith(TEXT)
    lines = done.stdout.splitlines()
    assert lines[-2:] == ["proved 4 -> 3, refuted 0 -> 1.",
                          "2 worse, 1 better, 1 other, 1 the same. Exit code 1: something is worse."]  # fmt: skip
    assert "Worse: gone (1)" in lines
    assert "  a/2  was proved" in lines
    assert "Better: new (1)" in lines
    assert "Other: same outcome, other evidence (1)" in lines
    assert not any(line.startswith("  a/3") for line in lines)
    assert "  a/3  proved" in dpaudit("diff", "old", "new", "-v").stdout.splitlines()
    assert "      title: title of a/3 -> | new # title" in dpaudit("diff", "old", "new", "-v").stdout.splitlines()
    assert dpaudit("diff", "old", "new").stdout == done.stdout


def test_a_comparison_for_programs(two: Path) -> None:
    data = json.loads(dpaudit("diff", "old", "new", "--format", "json").stdout)
    assert [(row["direction"], row["what"], row["id"]) for row in data["changes"]] == [
        ("worse", "outcome", "a/1"), ("worse", "gone", "a/2"), ("better", "new", "a/4"), ("other", "evidence", "a/3"),
    ]  # fmt: skip
    assert data["changes"][1]["after"] is None
    assert data["context"] == [{"what": "seed", "before": 7, "after": 8}]
    assert (data["same"], data["exit_code"]) == (1, 1)
    assert data["counts"]["REFUTED"] == {"before": 0, "after": 1}
    rows = [json.loads(line) for line in dpaudit("diff", "old", "new", "--format", "jsonl").stdout.splitlines()]
    assert [row["type"] for row in rows] == ["Change"] * 4 + ["End"]
    assert rows[-1]["exit_code"] == 1


def test_a_comparison_as_markdown_shows_no_markup_of_others(two: Path) -> None:
    done = dpaudit("diff", "old", "new", "--format", "markdown", "-v")
    assert "<script>" not in done.stdout
    assert "## Worse: outcome changed (1)" in done.stdout
    rows = [line for line in done.stdout.splitlines() if line.startswith("| <code>a&#47;") or "a/" in line]
    assert len(rows) == 4
    assert all(row.count("|") == 4 for row in rows)
    assert "\n# title" not in done.stdout


def test_what_is_not_worse_exits_with_0(two: Path) -> None:
    same = dpaudit("diff", "old", "old")
    assert (same.exit_code, same.stdout) == (
        0, "0 worse, 0 better, 0 other, 4 the same. Exit code 0: nothing is worse.\n",
    )  # fmt: skip
    assert dpaudit("diff", "new", "old", "--ignore-missing").exit_code == 0
    assert dpaudit("diff", "old", "absent").exit_code == 2
    assert dpaudit("diff", "old", "new", "--format", "sarif").exit_code == 2


def opened(text: str) -> str:
    """The run.json of a run that goes on."""
    return json.dumps(json.loads(text) | {"finished": None, "exit_code": None, "counts": None})


def test_a_run_that_did_not_finish_is_not_compared(two: Path) -> None:
    path = two / "run.json"
    for folder in [path.parent] if path.exists() else sorted(p.parent for p in two.rglob("run.json"))[:1]:
        run_folder.edit(folder / "run.json", opened)
        done = dpaudit("diff", folder, folder, "--ignore-missing")
        assert done.exit_code == 2
        assert "did not finish: dpaudit resume" in done.stderr
