"""What --format of a run takes: a format, or a format and its file."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path
from typing import NamedTuple

import click
from click.shell_completion import CompletionItem


class Export(NamedTuple):
    """A format and its file; without one it goes to the file of -o, else to standard output."""

    form: str
    file: Path | None = None


class ExportType(click.ParamType[Export]):
    """NAME or NAME=FILE, the name being one of `choices`."""

    name = "format"

    def __init__(self, choices: Sequence[str]) -> None:
        self.choices = tuple(choices)

    def get_metavar(self, param: click.Parameter, ctx: click.Context) -> str:
        """What help texts show."""
        return f"[{'|'.join(self.choices)}][=FILE]"

    def convert(self, value: str | Export, param: click.Parameter | None, ctx: click.Context | None) -> Export:
        """The Export that `value` stands for; a usage error that lists the names for any other."""
        if isinstance(value, Export):
            return value
        name, equals, file = value.partition("=")
        if equals and not file:
            self.fail(f"{value!r} names no file; write {name}=FILE, or {name} alone", param, ctx)
        return Export(click.Choice(self.choices).convert(name, param, ctx), Path(file) if file else None)

    def shell_complete(self, ctx: click.Context, param: click.Parameter, incomplete: str) -> list[CompletionItem]:
        """The names that begin like this."""
        return click.Choice(self.choices).shell_complete(ctx, param, incomplete)
