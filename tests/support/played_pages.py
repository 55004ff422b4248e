"""Pages of the docs, done as a reader would: their files saved, their commands typed, what they print compared.

A block of code after the name of a file in backticks and a colon is that file. In a block marked `console`, a line that
starts with `$ ` is a command; what follows is what it must print. There a line `...` stands for any number of lines;
days and seconds, which a clock gave, are not compared.
"""

from __future__ import annotations

import os
import re
import subprocess
import sys
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path

DOCS = Path(__file__).parents[2] / "docs"
TUTORIALS = tuple(sorted((DOCS / "tutorials").glob("*.md")))
STEPS = re.compile(r"`([\w./]+)`:\n\n```(?:python|toml|bash)\n(.*?)```|```console\n(.*?)```", re.DOTALL)
CLOCK = re.compile(r"\b\d+(\.\d+)? s\b")
DAY = re.compile(r"\b20\d\d-\d\d-\d\d\b")
LONG = re.compile(r"\d+\.\d{5,}")
"""Numbers whose last digits are those of the machine: four decimals are compared."""


@dataclass(frozen=True)
class Step:
    """A file that the reader saves, or a command that the reader types.

    name: of the file, empty for a command; text: of the file, or the command; shown: what the page says is printed.
    """

    name: str
    text: str
    shown: str = ""


def steps(page: str) -> Iterator[Step]:
    """What the reader of the text `page` does, in order."""
    for found in STEPS.finditer(page):
        if found[1]:
            yield Step(found[1], found[2])
            continue
        for part in re.split(r"(?m)^\$ ", found[3]):
            if part.strip():
                command, _, shown = part.partition("\n")
                yield Step("", command, shown)


def plain(line: str) -> str:
    """A line without what a clock gave and without the last digits of numbers."""
    line = DAY.sub("DAY", CLOCK.sub("N s", line))
    return LONG.sub(lambda found: f"{float(found[0]):.4f}", line).rstrip()


def pattern(shown: str) -> re.Pattern[str]:
    """What is shown, as a pattern: `...` on a line of its own matches any lines."""
    lines = [plain(line) for line in shown.strip("\n").split("\n")] if shown.strip() else []
    return re.compile("".join(r"(?:.*\n)*?" if line == "..." else re.escape(line) + r"\n" for line in lines))


def typed(command: str, folder: Path, programs: Path = Path(sys.executable).parent) -> str:
    """What a command prints in `folder`, standard output and standard error together, every line as `plain` has it.

    programs: the folder with the `python` and the `dpaudit` that it finds.
    """
    path = os.pathsep.join([str(programs), os.environ["PATH"]])
    environment = {**os.environ, "PATH": path, "NO_COLOR": "1", "COLUMNS": "120"}
    done = subprocess.run(
        command, shell=True, cwd=folder, env=environment, text=True, timeout=600, check=False,
        stdout=subprocess.PIPE, stderr=subprocess.STDOUT,
    )  # fmt: skip
    return "".join(plain(line) + "\n" for line in done.stdout.splitlines())


def wrong(step: Step, folder: Path, programs: Path = Path(sys.executable).parent) -> str:
    """Does the step; what is wrong with what the page shows, empty if that is what is printed."""
    if step.name:
        file = folder / step.name
        file.parent.mkdir(parents=True, exist_ok=True)
        file.write_text(step.text, encoding="utf-8")
        return ""
    printed = typed(step.text, folder, programs)
    fits = pattern(step.shown).fullmatch(printed)
    return "" if fits else f"$ {step.text}\nprinted\n{printed}\nexpected\n{step.shown}"
