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
@click.option(
    "--signers",
    metavar="FILE",
    type=click.Path(path_type=Path),
    help="Those whose signature of run.json counts, as ssh-keygen reads them: NAME KEY-TYPE KEY a line.",
)
@options.listing_options
@options.verbose_option
@click.pass_context
def command(context: click.Context, folder: Path, signers: Path | None, form: str, output: Path | None) -> None:
    """Say whether a RUN is as it was written.

    Looks at the digest of every record, mark and file, names what is damaged, and what `resume` would do. Digests
    show damage, not forgery: against that, --signers asks for a signature, which `ssh-keygen -Y sign -f KEY -n dpaudit
    RUN/run.json` makes. Exit code 1: something is damaged, or not signed by any of them.
    """
    found = check.check(folder)
    rows = found if signers is None else [*found, check.signed(folder, signers)]
    with writer(output) as write:
        write(text.listing(rows, form))
    if check.exit_code(found):
        complain(f"{folder} is damaged; `dpaudit resume {folder}` mends a run that was stopped, start others anew")
    elif check.exit_code(rows):
        complain(f"{folder} is as it was written, and nobody whose signature counts has signed that")
    context.exit(int(check.exit_code(rows)))
