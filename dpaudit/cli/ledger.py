"""The command `ledger`: makes the file of an error budget that many runs share, and shows what they have taken."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import fields
from pathlib import Path

import click

from dpaudit.cli import options
from dpaudit.cli.output import complain, writer
from dpaudit.records.serial import Json
from dpaudit.report.formats import text
from dpaudit.runs import spending, spending_file
from dpaudit.runs.spending import Spending, Spent


@click.command(name="ledger")
@click.argument("file", metavar="FILE", type=click.Path(path_type=Path))
@click.option(
    "--total",
    type=options.Number(),
    help="Make FILE: the probability that any statistical refutation in any of its runs is false is at most this.",
)
@click.option(
    "--horizon",
    type=options.Whole(1),
    metavar="N",
    help=f"Give equal shares to the first N runs; later ones have less.  [default: {spending.DEFAULT_HORIZON}]",
)
@options.listing_options
@options.verbose_option
def command(file: Path, total: float | None, horizon: int | None, form: str, output: Path | None) -> None:
    """Make a ledger, or show what its runs have taken.

    A ledger is the FILE of an error budget that many runs share: those with --ledger FILE. With --total it is made,
    once; else there is a row for each run that took a share, and one for the run that comes next.
    """
    if total is not None:
        found = spending_file.make(file, total, horizon or spending.DEFAULT_HORIZON)
    elif horizon is not None:
        raise click.UsageError("--horizon is set when a ledger is made: give it with --total")
    else:
        found = spending_file.read(file)
    rows = list(_rows(found))
    if form == "text":
        rows.insert(0, dict(zip(rows[0], rows[0], strict=True)))
    with writer(output) as write:
        write(text.listing(rows, form))
    complain(_summary(found, file))


def _rows(found: Spending) -> Iterator[Json]:
    """What each run took, and what the next one will have."""
    names = [field.name for field in fields(Spent)]
    yield from ({name: getattr(run, name) for name in names} for run in found.runs)
    due = {"number": len(found.runs) + 1, "taken": "the next run", "share": spending.next_share(found)}
    yield {name: due.get(name, "") for name in names}


def _summary(found: Spending, file: Path) -> str:
    """What is spent, what is left, for how many runs."""
    taken = len(found.runs)
    runs = f"{taken} run{'' if taken == 1 else 's'} of {file}"
    spent = f"{runs} took {found.total - spending.left(found):.4g} of {found.total:g}"
    first = spending.share(found.total, found.horizon, 1)
    equal = found.horizon - taken
    if equal > 0:
        return f"{spent}; the next {equal} have {first:.4g} each, and each run after them less than the one before it"
    return f"{spent}; each run has less than the one before it now, and what is left suffices for any number of runs"
