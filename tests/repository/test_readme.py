"""The README tells the truth: its ten lines are refuted as it shows, with the picture that it shows."""

from __future__ import annotations

import re
import shlex
from pathlib import Path

import pytest
from command_line import dpaudit

from dpaudit.cli import starters

ROOT = Path(__file__).parents[2]
README = (ROOT / "README.md").read_text(encoding="utf-8")
CODE = re.findall(r"```python\n(.*?)```", README, re.DOTALL)[0]
NUMBER = re.compile(r"-?\d+\.\d+")
PICTURE = ROOT / "docs" / "refutation.svg"
SHOWN = README[README.index("    x refuted, expected") : README.index("<!-- Made by the command")]


def one_line(text: str) -> str:
    """`text` with its words set apart by single spaces."""
    return " ".join(text.split())


def test_the_readme_is_short() -> None:
    assert len(README.splitlines()) <= 150
    assert sum(bool(line.strip()) for line in CODE.splitlines()) <= 10
    assert PICTURE.stat().st_size < 60_000


@pytest.mark.deep
def test_the_ten_lines_are_refuted_as_the_readme_shows(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    # Nothing is left to chance: the seed and the share of the error budget are those of the command that is shown.
    command = shlex.split(re.findall(r"replay: +dpaudit (.+)", SHOWN)[0])
    (tmp_path / "my_optimiser.py").write_text(CODE, encoding="utf-8")
    monkeypatch.chdir(tmp_path)
    done = dpaudit(*command, "--jobs", "1", "--run-dir", "run")
    assert done.exit_code == 1, done.output
    parts = [one_line(part) for part in re.split(r"\n(?=      [a-z]+: )", SHOWN)]
    assert len(parts) == 3
    assert [part for part in parts if part not in one_line(done.stdout)] == []
    drawn, shown = (
        path.read_text(encoding="utf-8") for path in (tmp_path / "run" / "plots" / "mine_step.svg", PICTURE)
    )
    assert NUMBER.sub("N", drawn) == NUMBER.sub("N", shown)
    # The last digits of a number are those of the machine; a hundredth of a point is seen by nobody.
    assert list(map(float, NUMBER.findall(drawn))) == pytest.approx(list(map(float, NUMBER.findall(shown))), abs=0.01)


def test_the_commands_of_a_section_fit_together() -> None:
    """What `init` writes is what the next commands read."""
    sections = [part for part in README.split("\n## ") if "$ dpaudit init" in part]
    assert len(sections) == 2
    for part in sections:
        [(what, kind)] = re.findall(r"\$ dpaudit init (\w+)(?: --kind (\w+))?", part)
        written = starters.starter(what, kind or starters.KINDS[0]).path.name
        assert set(re.findall(r"\$ dpaudit \w+ (\S+\.py)", part)) == {written}
