"""The command `power`: what it takes to catch a violation, before anything is spent."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Any

import click

from dpaudit.audit.sandbox import isolation
from dpaudit.cli import options
from dpaudit.cli.output import writer
from dpaudit.records.errors import ConfigurationError
from dpaudit.records.serial import Json
from dpaudit.records.verdict import Kind
from dpaudit.report.formats import text
from dpaudit.runs import budget
from dpaudit.runs.plan import make_plan
from dpaudit.runs.settings import DEFAULT_SEED, Part, Settings

if TYPE_CHECKING:
    from dpaudit.audit.forecast import Forecast

Row = Json


@click.command(name="power")
@click.argument("names", nargs=-1, required=True, metavar="TARGET...")
@click.option(
    "--epsilon",
    "epsilons",
    type=options.Number(0, min_open=True),
    multiple=True,
    help="Violation to catch, as an epsilon at the delta of the claim; may be repeated.  [default: too little noise]",
)
@click.option(
    "--chance",
    type=options.Number(0, 1, min_open=True, max_open=True),
    default=0.9,
    show_default=True,
    help="Probability with which it must be caught.",
)
@click.option(
    "--seed",
    type=options.Whole(0, 2**63 - 1),
    default=DEFAULT_SEED,
    show_default=True,
    help="Seed of the trials.",
)
@click.option(
    "--alpha",
    type=float,
    default=budget.DEFAULT_TOTAL,
    show_default=True,
    help="Error budget of the run that is planned.",
)
@options.audits_option
@options.listing_options
@options.verbose_option
def command(
    names: tuple[str, ...], epsilons: tuple[float, ...], chance: float, form: str, output: Path | None, **rest: Any
) -> None:  # the rest is for Settings, each option of its own type
    """Estimate how many trials it takes to catch a violation.

    A few trials are run to measure how long one takes; nothing else is.
    """
    rows = list(carry_out(Settings("power", (Part.AUDIT,), names, **rest), epsilons, chance))
    if form == "text":
        rows.insert(0, dict(zip(rows[0], rows[0], strict=True)))
    with writer(output) as write:
        write(text.listing(rows, form))


def carry_out(settings: Settings, epsilons: Sequence[float], chance: float) -> Iterator[Row]:
    """One row a violation and target, at the share of the budget that an audit of these targets would have."""
    from dpaudit.audit.forecast import forecast

    plan = make_plan(settings)
    tasks = [task for task in plan.tasks if task.kind is Kind.AUDIT or task.name in settings.names]
    for task in tasks:
        if task.error:
            raise ConfigurationError(task.error)
        with isolation.playing(Path(task.path), task.name, settings.limits, settings.isolate) as item:
            share = plan.ledger.of(task.name)
            for row in forecast(item.carrier, share, settings.seed, epsilons, chance):
                yield _row(item.name, row, share)


def _row(name: str, found: Forecast, alpha: float) -> Row:
    return {
        "target": name,
        "violation": found.violation,
        "epsilon": float(f"{found.epsilon:.4g}"),
        "trials_per_side": f"more than {found.most:,}" if found.trials is None else found.trials,
        "seconds": "" if found.seconds is None else float(f"{found.seconds:.3g}"),
        "level": found.level or "none",
        "alpha": float(f"{alpha:.3g}"),
    }
