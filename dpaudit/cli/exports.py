"""The formats that a run is written in, and where each of them goes.

One format may take standard output. Where none does, the text for people goes there; where another one does, the
surprises and the last sentences go to standard error, so that no run ends without a word.
"""

from __future__ import annotations

import contextlib
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path

import click

from dpaudit.cli import options
from dpaudit.cli.format_flag import Export
from dpaudit.cli.output import announce, complain, destination, writer
from dpaudit.records.errors import ConfigurationError
from dpaudit.records.serial import Json
from dpaudit.records.verdict import Verdict
from dpaudit.report.formats import text
from dpaudit.report.formats.registry import FORMATS
from dpaudit.report.formats.view import Filing, View, Write
from dpaudit.runs.reading import Run

SCREEN = Path("-")
"""Standard output."""


@dataclass(frozen=True)
class Views(View):
    """All views of a run as one. views: each with how its file comes to be; say: where the text for people goes."""

    views: tuple[tuple[Filing, View], ...]
    say: tuple[Write, ...]

    def announce(self, line: str) -> None:
        """A line for people, before the run is known."""
        for write in self.say:
            write(line)

    def start(self, header: Json, folder: Path) -> None:
        for _, view in self.views:
            view.start(header, folder)

    def show(self, verdicts: Sequence[Verdict]) -> None:
        for _, view in self.views:
            view.show(verdicts)

    def end(self, run: Run, notes: Sequence[str] = ()) -> None:
        for _, view in self.views:
            view.end(run, notes)

    def repeat(self, run: Run) -> None:
        """A run that was finished before, in the formats that are made from the finished run alone."""
        for filing, view in self.views:
            if filing is not Filing.GROWING:
                view.end(run)


def placed(asked: Sequence[Export], output: Path | None) -> tuple[Export, ...]:
    """`asked` with the file of -o for the one that names none; a step summary goes to the file that GitHub names.

    ConfigurationError where two would go to one place.
    """
    found = [(form, destination(form, file or output)[0] or SCREEN) for form, file in asked]
    seen: dict[Path, str] = {}
    for form, file in found:
        where = file if file == SCREEN else file.resolve()
        if where in seen:
            place = "standard output" if file == SCREEN else repr(str(file))
            raise ConfigurationError(
                f"--format {seen[where]} and --format {form} both go to {place}; give one of them a file of its own, "
                f"such as --format {form}=FILE"
            )
        seen[where] = form
    return tuple(Export(form, file) for form, file in found)


@contextlib.contextmanager
def opened(
    asked: Sequence[Export], output: Path | None, heard: Callable[[], None], people: type[text.Text] = text.Text
) -> Iterator[Views]:
    """The views of a run in the formats that are asked for, and of the text for people; see the module.

    heard: called whenever standard output had something; people: makes the text. ConfigurationError if a place cannot
    be written, or is wanted twice, before anything is written at all.
    """
    named = tuple(asked) if any(file is None for _, file in asked) else (*asked, Export("text"))
    places = placed(named, output)
    taken = {form for form, file in places if file == SCREEN}
    with written(places if taken else (*places, Export("text", SCREEN)), heard, people) as found:
        quiet = not taken or "text" in taken or options.is_quiet(click.get_current_context())
        end = () if quiet else ((Filing.GROWING, people(complain, quiet=True)),)
        yield Views((*found.views, *end), found.say)


@contextlib.contextmanager
def written(
    places: Sequence[Export], heard: Callable[[], None] = lambda: None, people: type[text.Text] = text.Text
) -> Iterator[Views]:
    """The views of a run at these places; see `opened`."""
    context = click.get_current_context()
    verbose, quiet = options.is_verbose(context), options.is_quiet(context)
    views: list[tuple[Filing, View]] = []
    say: list[Write] = []
    with contextlib.ExitStack() as stack:
        for form, file in places:
            write = stack.enter_context(writer(file, FORMATS[form].FILING))
            write = _noted(write, heard) if file == SCREEN else write
            own = people(write, verbose, quiet) if form == "text" else FORMATS[form].view(write, announce, verbose)
            views.append((FORMATS[form].FILING, own))
            say += [write] if form == "text" and not quiet else []
        yield Views(tuple(views), tuple(say))


def _noted(write: Write, heard: Callable[[], None]) -> Write:
    """`write`, with word of it."""

    def both(line: str) -> None:
        write(line)
        heard()

    return both
