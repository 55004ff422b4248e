"""The command `list`: the names of claims, algorithms and targets."""

from __future__ import annotations

from pathlib import Path

import click

from dpaudit.audit.sandbox.session import Limits
from dpaudit.cli import options
from dpaudit.cli.collected import COLLECTIONS, collection
from dpaudit.cli.output import writer
from dpaudit.content.items import Broken
from dpaudit.report.formats import text


@click.command(name="list")
@click.argument("what", type=click.Choice(COLLECTIONS), required=False)
@options.proofs_option
@click.option("--audits", type=click.Path(path_type=Path), help="Folder of targets.")
@options.isolation_options
@options.listing_options
@options.verbose_option
def command(
    what: str | None,
    proofs: Path | None,
    audits: Path | None,
    form: str,
    output: Path | None,
    isolate: bool,
    time_limit: float,
    memory_limit: float,
) -> None:
    """List claims, algorithms and targets."""
    rows, limits = [], Limits(time_limit, memory_limit)
    for kind in [what] if what else COLLECTIONS:
        for item in collection(kind, proofs, audits, limits, isolate):
            title = f"broken: {item.error}" if isinstance(item, Broken) else item.record.title
            rows.append({"kind": kind.removesuffix("s"), "name": item.name, "title": title})
    with writer(output) as write:
        write(text.listing(rows, form))
