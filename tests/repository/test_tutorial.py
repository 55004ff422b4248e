"""The tutorial, done as a reader would: its files saved, its commands typed, what they print compared with the page.

In a block marked `console`, a line that starts with `$ ` is a command; what follows is what it must print. There a
line `...` stands for any number of lines, and numbers that a clock gave are not compared. No random choice is left
open: every audit has a seed, and a true claim is refuted with probability 1e-3 at most at any other seed, with this one
never again.
"""

from __future__ import annotations

import os
import re
import subprocess
import sys
from pathlib import Path

import pytest

PAGE = Path(__file__).parents[2] / "docs" / "tutorial.md"
FILES = re.compile(r"`([\w.]+)`:\n\n```(?:python|toml)\n(.*?)```", re.DOTALL)
STEPS = re.compile(r"`([\w.]+)`:\n\n```(?:python|toml)\n(.*?)```|```console\n(.*?)```", re.DOTALL)
CLOCK = re.compile(r"\b\d+(\.\d+)? s\b")
LONG = re.compile(r"\d+\.\d{5,}")
"""Numbers whose last digits are those of the machine: four decimals are compared."""


def commands(block: str) -> list[tuple[str, str]]:
    """Pairs of a command and what it must print."""
    parts = re.split(r"(?m)^\$ ", block)
    return [(first, rest) for first, _, rest in (part.partition("\n") for part in parts if part.strip())]


def plain(line: str) -> str:
    """A line without what a clock gave and without the last digits of numbers."""
    return LONG.sub(lambda found: f"{float(found[0]):.4f}", CLOCK.sub("N s", line)).rstrip()


def pattern(expected: str) -> re.Pattern[str]:
    """The expected output as a pattern: `...` on a line of its own matches any lines."""
    lines = [plain(line) for line in expected.strip("\n").split("\n")]
    return re.compile("".join(r"(?:.*\n)*?" if line == "..." else re.escape(line) + r"\n" for line in lines))


def typed(command: str, folder: Path) -> str:
    """What a command prints, standard output and standard error together."""
    path = os.pathsep.join([str(Path(sys.executable).parent), os.environ["PATH"]])
    environment = {**os.environ, "PATH": path, "NO_COLOR": "1", "COLUMNS": "120"}
    done = subprocess.run(
        command, shell=True, cwd=folder, env=environment, text=True, timeout=600, check=False,
        stdout=subprocess.PIPE, stderr=subprocess.STDOUT,
    )  # fmt: skip
    return "".join(plain(line) + "\n" for line in done.stdout.splitlines())


def test_the_page_has_files_and_commands() -> None:
    text = PAGE.read_text(encoding="utf-8")
    assert len(FILES.findall(text)) >= 2
    assert sum(len(commands(found[3] or "")) for found in STEPS.finditer(text)) >= 3


@pytest.mark.timeout(280)
def test_every_command_prints_what_the_page_shows(tmp_path: Path) -> None:
    for found in STEPS.finditer(PAGE.read_text(encoding="utf-8")):
        if found[1]:
            (tmp_path / found[1]).write_text(found[2], encoding="utf-8")
            continue
        for command, expected in commands(found[3]):
            printed = typed(command, tmp_path)
            assert pattern(expected).fullmatch(printed), f"$ {command}\nprinted\n{printed}\nexpected\n{expected}"


def test_a_page_that_lies_is_noticed() -> None:
    assert pattern("one\n...\ntook 3.1 s\n").fullmatch("one\na\nb\ntook N s\n")
    assert pattern("moves by 0.942228\n").fullmatch(f"{plain('moves by 0.942226')}\n")
    assert not pattern("moves by 0.942228\n").fullmatch(f"{plain('moves by 0.94241')}\n")
    assert not pattern("one\n...\nfour\n").fullmatch("one\na\nb\nfive\n")
    assert not pattern("one\n").fullmatch("one\ntwo\n")
