"""The command `judge`: whether an answer settles what is open."""

from __future__ import annotations

from datetime import UTC, datetime
from pathlib import Path

import click

from dpaudit.cli import options
from dpaudit.cli.output import complain, writer
from dpaudit.records.verdict import ExitCode, Outcome
from dpaudit.report.formats import text


@click.command(name="judge")
@click.argument("file", type=click.Path(dir_okay=False, path_type=Path))
@click.option(
    "--challenge", "name", metavar="ID", required=True, help="What the FILE answers; dpaudit challenge lists it."
)
@options.proofs_option
@options.listing_options
@options.verbose_option
@click.pass_context
def command(context: click.Context, file: Path, name: str, proofs: Path | None, form: str, output: Path | None) -> None:
    """Judge an answer to a challenge.

    FILE: a claim file, which is run in a process of its own, or a certificate. It is accepted if the independent
    checker accepts a certificate of exactly the statement that is asked, which rests on nothing but statements of the
    papers that are proved without this one. Else the exit code is 1.
    """
    from dpaudit.claims.challenges import answers, holders, unsettled

    found = answers.judge(file, unsettled.find(name, proofs))
    said = found.reason or f"it is {found.outcome.lower()}" + (f" for {found.value}" if found.value else "")
    state = "refused" if found.reason else "accepted"
    rests = "" if found.reason else ", ".join(found.assuming) or "nothing but the checks"
    row = {"state": state, "name": found.asked, "detail": said} | ({"rests on": rests} if rests else {})
    with writer(output) as write:
        write(text.listing([row], form))
    if not found.reason and found.value:
        word = Outcome(found.outcome).word
        complain(f"put {found.value} into the claim file as what is {word}, and into {holders.FILE} of the paper:")
        complain(holders.entry(found.asked, word, found.value, datetime.now(UTC).date()))
    context.exit(int(ExitCode.REFUTED if found.reason else ExitCode.EXPECTED))
