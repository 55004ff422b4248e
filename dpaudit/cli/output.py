"""Where the command line writes: standard output, or a file that is there as a whole or not at all.

A place that cannot be written is refused before anything runs. Text and JSON lines come while a run goes, so that a
file of them grows line by line; a step summary is added to what the step has written already. Every other file is
replaced when its last line is there.
"""

from __future__ import annotations

import contextlib
import io
import os
import sys
from collections.abc import Iterator
from pathlib import Path
from typing import Literal, TextIO

import click

from dpaudit.records.errors import ConfigurationError
from dpaudit.records.hidden import visible
from dpaudit.report.escape_commands import disarm
from dpaudit.report.formats.registry import FORMATS
from dpaudit.report.formats.view import Filing, Write

_COLOURS = {"= ": "green", "~ ": "cyan", "x ": "red", "? ": "yellow", "- ": "yellow", "! ": "red"}


def destination(form: str, output: Path | None) -> tuple[Path | None, Filing]:
    """Where a run of the format `form` is written, and how; a step summary goes to the file that GitHub names."""
    filing = FORMATS[form].FILING
    if filing is not Filing.ADDED:
        return output, filing
    named = os.environ.get("GITHUB_STEP_SUMMARY")
    return output or (Path(named) if named else None), filing


@contextlib.contextmanager
def writer(output: Path | None, filing: Filing = Filing.WHOLE) -> Iterator[Write]:
    """A function that writes lines to the file `output`, or to standard output, which `-` stands for too.

    Control characters are replaced: titles and messages come from files of other people. ConfigurationError if the
    file cannot be written, before anything is written at all.
    """
    if output is None or output == Path("-"):
        yield lambda text: announce(_paint(_heard(visible(text))))
        return
    with contextlib.ExitStack() as stack:
        try:
            file = stack.enter_context(_opened(output, filing))
        except OSError as error:
            reason = error.strerror or error
            raise ConfigurationError(f"cannot write {str(output)!r}: {reason}; name another file") from error
        yield lambda text: print(visible(text), file=file, flush=True)


def announce(text: str) -> None:
    """A line on standard output as it is. A reader that went away, as `head` does, is no reason to lose a run."""
    try:
        click.echo(text)
    except BrokenPipeError:
        silence = os.open(os.devnull, os.O_WRONLY)
        os.dup2(silence, sys.stdout.fileno())
        os.close(silence)


def complain(text: str) -> None:
    """A line on standard error."""
    click.echo(_heard(visible(text)), err=True)


def _heard(text: str) -> str:
    """In a job of GitHub its runner reads along: what came from other people must be no command to it."""
    return disarm(text) if os.environ.get("GITHUB_ACTIONS") else text


def _opened(output: Path, filing: Filing) -> contextlib.AbstractContextManager[TextIO]:
    """The file; what is no plain one, such as /dev/stdout or a pipe, is never replaced."""
    if filing is Filing.WHOLE and (output.is_file() or not output.exists()):
        return _replacing(output.resolve())
    mode: Literal["a", "w"] = "a" if filing is Filing.ADDED else "w"
    return output.open(mode, encoding="utf-8", errors="backslashreplace")


@contextlib.contextmanager
def _replacing(path: Path) -> Iterator[TextIO]:
    """Keeps the lines in memory; in the end a file with all of them takes the place of `path`, unless anything failed.

    OSError before that if it could not. Without a line nothing changes.
    """
    draft = path.with_name(f".{path.name}.{os.getpid()}.tmp")
    if path.exists():
        path.open("a").close()  # a file that may not be written must not be replaced either
    draft.touch()
    draft.unlink()
    lines = io.StringIO()
    yield lines
    if not lines.tell():
        return
    try:
        draft.write_text(lines.getvalue(), encoding="utf-8", errors="backslashreplace")
        os.replace(draft, path)
    finally:
        draft.unlink(missing_ok=True)


def _paint(text: str) -> str:
    """The mark in colour; click removes it off a terminal."""
    colour = None if "(expected)" in text else _COLOURS.get(text[:2])
    return click.style(text[0], fg=colour) + text[1:] if colour else text
