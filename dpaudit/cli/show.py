"""The command `show`: all that is stated about one item."""

from __future__ import annotations

from pathlib import Path

import click

from dpaudit.audit import minimum
from dpaudit.cli import options
from dpaudit.cli.collected import COLLECTIONS, collection
from dpaudit.cli.output import writer
from dpaudit.confinement.limits import Limits
from dpaudit.content.audits import Audit
from dpaudit.content.items import Loaded, of_group
from dpaudit.records.claim import Claim
from dpaudit.records.errors import UnknownNameError
from dpaudit.report.formats import text
from dpaudit.report.severity import Standing
from dpaudit.runs.reading import load_run


@click.command(name="show")
@click.argument("name", metavar="ID")
@options.proofs_option
@click.option("--run", "folder", metavar="RUN", type=click.Path(path_type=Path), help="Run whose outcomes are shown.")
@click.option("--audits", type=click.Path(path_type=Path), help="Folder of targets.")
@options.isolation_options
@options.listing_options
@options.verbose_option
def command(
    name: str,
    proofs: Path | None,
    folder: Path | None,
    audits: Path | None,
    form: str,
    output: Path | None,
    isolate: bool,
    time_limit: float,
    memory_limit: float,
    allow_network: bool,
    load_limit: float,
) -> None:
    """Show all that is stated about a claim, algorithm or target.

    A claim is shown like a page of its paper: what is printed, what was checked, the outcome in the margin, what it
    rests on, and what rests on it.
    """
    limits = Limits(time_limit, memory_limit, allow_network, load_limit)
    items = [item for kind in COLLECTIONS for item in collection(kind, proofs, audits, limits, isolate)]
    found = [item for item in items if item.name == name]
    if not found:
        known = [item.name for item in items]
        raise UnknownNameError("id", name, of_group(name, known) or known, see="dpaudit list")
    verdicts = {} if folder is None else {v.id: v for v in load_run(folder).verdicts}
    standing = Standing.of_claims(i.record for i in items if isinstance(i, Loaded) and isinstance(i.record, Claim))
    with writer(output) as write:
        for item in found:
            write(text.shown_item(item, form, verdicts, standing))
            if form == "text" and isinstance(item, Loaded) and isinstance(item.carrier, Audit):
                for line in _needed(item.carrier):
                    write(line)


def _needed(subject: Audit) -> tuple[str, ...]:
    """What a CONSISTENT of this target rests on at least; nothing of accountants and auditors."""
    if subject.instrument is not None:
        return (f"consistent_needs: {' or '.join(minimum.RECORDED)}",)
    if subject.target.canaries:
        return (f"consistent_needs: {' or '.join(minimum.ONE_RUN)}",)
    return (f"consistent_needs: {minimum.GAME}",) if subject.target.trials is not None else ()
