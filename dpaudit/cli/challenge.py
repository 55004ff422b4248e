"""The command `challenge`: what is open, as a folder that anybody can work on."""

from __future__ import annotations

from datetime import UTC, datetime
from pathlib import Path
from shlex import quote

import click

from dpaudit.cli import options
from dpaudit.cli.output import complain, writer
from dpaudit.records.context import slug
from dpaudit.report.formats import text


@click.command(name="challenge")
@click.argument("name", metavar="[ID]", required=False)
@options.proofs_option
@click.option("--into", metavar="FOLDER", type=click.Path(file_okay=False, path_type=Path),
              help="Folder that is made for the challenge.  [default: challenge-ID]")  # fmt: skip
@options.listing_options
@options.verbose_option
def command(name: str | None, proofs: Path | None, into: Path | None, form: str, output: Path | None) -> None:
    """Write what is open as a folder to work on.

    Without an ID: list what is open, statements that are neither proved nor refuted and constants that are not known.
    With one: write the statement that counts, what is known, and a file to start an answer from. `dpaudit judge` says
    whether an answer settles it.
    """
    from dpaudit.claims.challenges import folder, unsettled

    if name is None:
        rows = [{"name": one.name, "open": one.what} for one in unsettled.unsettled(proofs)]
        with writer(output) as write:
            write(text.listing(rows, form))
        return
    asked = unsettled.find(name, proofs)
    made = folder.write(asked, into or Path(f"challenge-{slug(name)}"), datetime.now(UTC).year)
    click.echo(str(made))
    answer = made / "answer" / folder.ANSWER
    complain(f"read {made / 'README.md'}, then: dpaudit judge {answer} --challenge {quote(name)}")
