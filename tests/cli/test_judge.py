"""`dpaudit judge`: the line that says whether an answer settles what is open, and the exit code."""

from __future__ import annotations

import json
from pathlib import Path

import pytest
from command_line import dpaudit
from open_claims import papers

from dpaudit.cli import judge
from dpaudit.confinement import control_groups
from dpaudit.records.verdict import ExitCode


@pytest.mark.deep
def test_an_answer_is_accepted_with_what_it_rests_on_or_refused_with_the_reason(workdir: Path) -> None:
    folder = str(papers(workdir))
    dpaudit("challenge", "toy/LEM-1~best-height", "--proofs", folder, "--into", "it")
    answer = workdir / "it" / "answer" / "answer.py"
    words = ("judge", str(answer), "--challenge", "toy/LEM-1~best-height", "--proofs", folder)
    refused = dpaudit(*words)
    assert refused.exit_code == ExitCode.REFUTED
    assert refused.stdout.startswith("refused ")
    assert "2/5 is not between 2/5 and 1/5" in refused.stdout
    answer.write_text(answer.read_text(encoding="utf-8").replace("(2/5)", "(1/4)"), encoding="utf-8")
    accepted = dpaudit(*words, "--format", "json")
    assert accepted.exit_code == ExitCode.EXPECTED
    [row] = json.loads(accepted.stdout)
    assert row == {
        "state": "accepted",
        "name": "toy/LEM-1~best-height",
        "detail": "it is proved for 1/4",
        "rests on": "nothing but the checks",
        "judge": "checker",
    }
    assert "put 1/4 into the claim file as what is proved, and into constants.toml" in accepted.stderr
    assert '["LEM-1~best-height"]\nproved = { value = "1/4", holder = ' in accepted.stderr


@pytest.fixture
def tree(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """A plain folder, as a part of the tree of control groups that was handed to this user."""
    (tmp_path / "tree").mkdir()
    monkeypatch.setattr(control_groups, "home", lambda: tmp_path / "tree")
    monkeypatch.setattr(control_groups, "_PATIENCE", 0.0)
    return tmp_path / "tree"


def test_all_that_an_answer_starts_is_in_one_control_group(tmp_path: Path, tree: Path) -> None:
    with judge._confined(tmp_path / "answer.py") as place:
        [group] = tree.iterdir()
        assert (group / "memory.max").read_text() == str(control_groups.whole(16 << 30))
        (group / "cgroup.procs").write_text("")
        assert place.run(["echo", "said"], 60).said.strip() == "said"
        assert (group / "cgroup.procs").read_text() == "0\n"  # the program, and so all that comes of it


def test_an_answer_that_needs_too_much_memory_is_told_so(tmp_path: Path, tree: Path) -> None:
    with judge._confined(tmp_path / "answer.py") as place:
        assert "more memory" not in place.run(["true"], 60).said
        [group] = tree.iterdir()
        (group / "memory.events").write_text("oom 1\noom_kill 1\n")
        assert "needed more memory than they may have" in place.run(["true"], 60).said
