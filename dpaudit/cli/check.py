"""The command `check`: is a run folder as it was written?"""

from __future__ import annotations

from pathlib import Path

import click

from dpaudit.cli import options
from dpaudit.cli.output import complain, writer
from dpaudit.report.formats import text
from dpaudit.runs import check


@click.command(name="check")
@click.argument("folder", metavar="RUN", type=click.Path(path_type=Path))
@options.listing_options
@options.verbose_option
@click.pass_context
def command(context: click.Context, folder: Path, form: str, output: Path | None) -> None:
    """Say whether a RUN is as it was written.

    Looks at the digest of every record, mark and file, names what is damaged, and what `resume` would do. Digests
    show damage, not forgery. Exit code 1: something is damaged.
    """
    rows = check.check(folder)
    with writer(output) as write:
        write(text.listing(rows, form))
    code = check.exit_code(rows)
    if code:
        complain(f"{folder} is damaged; `dpaudit resume {folder}` mends a run that was stopped, start others anew")
    context.exit(int(code))
