"""The command `recheck`: what the independent checker says of certificates."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from pathlib import Path

import click

from dpaudit.cli import options
from dpaudit.cli.output import complain, writer
from dpaudit.report.formats import text
from dpaudit.runs import opinions
from dpaudit.runs.reading import load_run
from dpaudit.runs.store import RECORDS


@click.command(name="recheck")
@click.argument("names", nargs=-1, metavar="[RUN|CERTIFICATE|FOLDER]...")
@options.proofs_option
@click.option("--ship", is_flag=True, help="Copy the certificates of one RUN next to the claims that they prove.")
@click.option("--kernel", is_flag=True, help="Let Coq judge the certificates: a second opinion. Needs coqc.")
@click.option(
    "--texts", type=click.Path(file_okay=False, path_type=Path), help="With --kernel: leave the Coq texts here."
)
@options.listing_options
@options.verbose_option
@click.pass_context
def command(
    context: click.Context,
    names: tuple[str, ...],
    proofs: Path | None,
    ship: bool,
    kernel: bool,
    texts: Path | None,
    form: str,
    output: Path | None,
) -> None:
    """Check proof certificates with the independent checker.

    Without a name: the certificates that are shipped with the claims.
    """
    from dpaudit.claims.certificates import opinion, overview

    if ship and kernel:
        raise click.UsageError("--ship and --kernel exclude each other")
    if texts and not kernel:
        raise click.UsageError("--texts goes with --kernel")
    if ship:
        if len(names) != 1:
            raise click.UsageError("--ship needs exactly one RUN")
        click.echo(f"{overview.ship(Path(names[0]), proofs)} certificates shipped", err=True)
        return
    rows = opinion.opinions(names, proofs, texts) if kernel else list(overview.overview(names, proofs))
    if kernel:
        _keep(names, rows)
    with writer(output) as write:
        write(text.listing(rows, form))
    context.exit(int(opinion.exit_code(rows) if kernel else overview.exit_code(rows)))


def _keep(names: Sequence[str], rows: Sequence[Mapping[str, str]]) -> None:
    """Leave the opinions in the folders of runs that are named."""
    for folder in (Path(name) for name in names if (Path(name) / RECORDS).is_file()):
        file = opinions.keep(folder, load_run(folder).verdicts, rows)
        complain(f"kept in {file}; dpaudit report {folder} shows it")
