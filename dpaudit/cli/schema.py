"""The command `schema`: JSON Schema of what dpaudit writes."""

from __future__ import annotations

from pathlib import Path

import click

from dpaudit.cli import options
from dpaudit.cli.output import writer
from dpaudit.report.formats import json_schema


@click.command(name="schema")
@click.argument("name", type=click.Choice(json_schema.NAMES), default=json_schema.NAMES[0])
@click.option("-o", "--output", type=click.Path(dir_okay=False, path_type=Path), help="Write to this file.")
@options.verbose_option
def command(name: str, output: Path | None) -> None:
    """Print the JSON Schema of what dpaudit writes.

    This is a record, run.json, the output of --format json, a ledger, or a certificate.
    """
    with writer(output) as write:
        write(json_schema.document(name))
