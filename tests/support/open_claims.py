"""A paper with something open, for tests: a statement that nobody settled, and a constant between two values."""

from __future__ import annotations

import contextlib
import os
import tempfile
from collections.abc import Iterator
from pathlib import Path

from small_content import write

from dpaudit.claims.challenges.confined import Confine, Confined

OPEN = """
from dpaudit.claims.writing import *

X = real("x", "[0, 1]")
CLAIM = Claim(
    id="toy/LEM-1",
    title="a hump",
    words="x(1 - x) is at most 1/2",
    place="Lemma 1",
    kind=ClaimKind.INEQUALITY,
    statement=Statement("x*(1 - x) <= 1/2", (X,)),
    argument=(Boxes(),),
    tightness=(Tightness("height", "1/2", "x*(1 - x) <= {c}", "2/5", "1/5", candidates=(point("x=1/2"),)),),
    steps=(
        step("s1", "nobody knows", "x**2 <= x", (X,), expects=Outcome.CONSISTENT),
        step("s2", "rests on what is open", "x**2 <= 2*x", (X,), argument=(Bound(left="x", by="toy/LEM-1/s1"),)),
    ),
)
"""
PAPER = 'title = "A paper"\nauthors = "A"\nyear = 2024\nidentifier = "draft"\nversion = "1"\n'


def papers(folder: Path) -> Path:
    """The folder of claims, with one paper."""
    write(folder / "papers" / "toy" / "paper.toml", PAPER)
    write(folder / "papers" / "toy" / "lem_1.py", OPEN)
    return folder / "papers"


def places(folder: Path, *words: str, walled: bool = True) -> Confine:
    """Places in `folder` where an answer of a test is run, without walls; words: before its own."""

    @contextlib.contextmanager
    def made() -> Iterator[Confined]:
        yield Confined(Path(tempfile.mkdtemp(dir=folder)), words, os.environ, walled)

    return made
