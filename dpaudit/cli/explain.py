"""The command `explain`: what a structural check of an audit asks, sees and cannot see."""

from __future__ import annotations

from pathlib import Path

import click

from dpaudit.audit.structural.explained import explanations, named
from dpaudit.cli import options
from dpaudit.cli.output import writer
from dpaudit.report import check_pages


@click.command(name="explain")
@click.argument("name", metavar="[CHECK]", required=False)
@options.listing_options
@options.verbose_option
def command(name: str | None, form: str, output: Path | None) -> None:
    """Explain a structural check of audits, or all of them.

    What it asks of a training, what it sees and cannot see, and how an exception is declared.
    """
    chosen = explanations() if name is None else (named(name),)
    with writer(output) as write:
        write(check_pages.RENDER[form](chosen, name is None))
