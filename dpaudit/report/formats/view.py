"""How a run is shown in a format: what every format module of this folder makes."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from enum import Enum, auto
from pathlib import Path
from typing import Protocol

from dpaudit.records.serial import Json
from dpaudit.records.verdict import Verdict
from dpaudit.runs.reading import Run

Write = Callable[[str], None]
"""Takes a text without its last line end."""


class Filing(Enum):
    """How a file of a format comes to be: as a whole at the end, line by line, or added to what is there."""

    WHOLE = auto()
    GROWING = auto()
    ADDED = auto()


class View(Protocol):
    """Shows a run: `start` before it, `show` for the verdicts of each task as they come, `end` after it.

    header: the object of run.json, as far as it is known; notes: what else happened, in words.
    """

    def start(self, header: Json, folder: Path) -> None: ...
    def show(self, verdicts: Sequence[Verdict]) -> None: ...
    def end(self, run: Run, notes: Sequence[str] = ()) -> None: ...


class Format(Protocol):
    """A module of this folder that names itself a format.

    NAME: what --format calls it; PLACE: where it stands among the others in help texts; FILING: how its file comes to
    be; `view`: shows a run by `write`; announce: takes workflow commands for GitHub; verbose: name every mutant.
    """

    NAME: str
    PLACE: int
    FILING: Filing

    def view(self, write: Write, announce: Write, verbose: bool) -> View: ...


class Whole(View):
    """Everything at the end, as a function of the finished run alone: half an object is no object."""

    def __init__(self, write: Write, render: Callable[[Run], str]) -> None:
        self._write = write
        self._render = render

    def start(self, header: Json, folder: Path) -> None:
        """Nothing before the end."""

    def show(self, verdicts: Sequence[Verdict]) -> None:
        """Nothing before the end."""

    def end(self, run: Run, notes: Sequence[str] = ()) -> None:
        self._write(self._render(run))
