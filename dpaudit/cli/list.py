"""The command `list`: the names of claims, algorithms and targets, and the level at which each begins."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import click

from dpaudit.cli import options
from dpaudit.cli.collected import COLLECTIONS, collection
from dpaudit.cli.output import writer
from dpaudit.confinement.limits import Limits
from dpaudit.content.items import Broken, Item
from dpaudit.records.algorithm import Algorithm
from dpaudit.records.claim import Claim, Step
from dpaudit.records.context import Level
from dpaudit.records.target import Target
from dpaudit.report.formats import text


@click.command(name="list")
@click.argument("what", type=click.Choice(COLLECTIONS), required=False)
@click.option(
    "--level",
    type=click.Choice([str(level) for level in Level]),
    help="Only what a run of everything plays from this level on.",
)
@options.proofs_option
@click.option("--audits", type=click.Path(path_type=Path), help="Folder of targets.")
@options.isolation_options
@options.listing_options
@options.verbose_option
def command(
    what: str | None,
    level: str | None,
    proofs: Path | None,
    audits: Path | None,
    form: str,
    output: Path | None,
    isolate: bool,
    time_limit: float,
    memory_limit: float,
    allow_network: bool,
    load_limit: float,
) -> None:
    """List claims, algorithms and targets.

    The level is that at which a run of everything plays an item first; the numba forms of algorithms in float32 begin
    at standard, and so do the checks of claims that are listed by themselves.
    """
    rows, limits = [], Limits(time_limit, memory_limit, allow_network, load_limit)
    for kind in [what] if what else COLLECTIONS:
        for item in collection(kind, proofs, audits, limits, isolate):
            title = f"broken: {item.error}" if isinstance(item, Broken) else item.record.title
            begins = _begins(item)
            if level in (None, begins):
                rows.append({"kind": kind.removesuffix("s"), "name": item.name, "level": begins, "title": title})
            if level in (None, Level.STANDARD):
                rows += [{"kind": "check", **row} for row in _late_checks(item)]
    with writer(output) as write:
        write(text.listing(rows, form))


def _late_checks(item: Item) -> Iterator[dict[str, str]]:
    """The checks of a claim that begin at level standard."""
    claim = None if isinstance(item, Broken) else item.record
    if isinstance(claim, Claim):
        parts: list[Claim | Step] = [claim, *claim.steps]
        for part in parts:
            name = f"{claim.id}/{part.name}" if isinstance(part, Step) else claim.id
            for check in part.from_standard:
                title = f"{type(check).__name__} by {check.function}"
                yield {"name": name, "level": Level.STANDARD, "title": title}


def _begins(item: Item) -> Level:
    """The level from which on a run of everything plays an item; every claim is verified at every level."""
    record = None if isinstance(item, Broken) else item.record
    return record.from_level if isinstance(record, (Algorithm, Target)) else Level.SMOKE
