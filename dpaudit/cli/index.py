"""The command `index`: the table of claims and steps."""

from __future__ import annotations

from pathlib import Path

import click

from dpaudit.cli import options
from dpaudit.cli.output import writer
from dpaudit.report import errata
from dpaudit.runs.reading import load_run


@click.command(name="index")
@click.argument("folder", metavar="RUN", type=click.Path(path_type=Path))
@click.option("-o", "--output", type=click.Path(dir_okay=False, path_type=Path), help="Write to this file.")
@options.verbose_option
def command(folder: Path, output: Path | None) -> None:
    """Print the table of claims and proof steps of a RUN.

    This is how proofs/INDEX.md is made.
    """
    run = load_run(folder)
    with writer(output) as write:
        write(errata.index(run.verdicts, run.header["level"], run.header["seed"]))
