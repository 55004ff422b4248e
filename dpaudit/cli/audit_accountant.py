"""The command `audit-accountant`: what an accountant states of DP-SGD, against enclosures of the true epsilon."""

from __future__ import annotations

import math
from collections import Counter
from collections.abc import Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Any

import click

from dpaudit.cli import callables, options
from dpaudit.cli.output import complain, writer
from dpaudit.cli.progress import shown
from dpaudit.confinement.limits import Limits
from dpaudit.records.errors import ConfigurationError, MissingPackageError, of_the_machine
from dpaudit.records.serial import Json
from dpaudit.records.verdict import ExitCode
from dpaudit.report.formats import text

if TYPE_CHECKING:
    from dpaudit.audit.accountant_grid import Cell, Judged
    from dpaudit.content.audits import Audit

MOST_CELLS = 1_000
WORDS = ("below", "within", "above", "unknown", "error")


@click.command(name="audit-accountant")
@click.argument("callable_", metavar="CALLABLE")
@click.option(
    "--noise-multiplier",
    "noises",
    type=options.Number(0, min_open=True),
    multiple=True,
    default=(0.5, 1.0, 4.0, 50.0),
    show_default=True,
    help="Of the grid; may be repeated.",
)
@click.option(
    "--sampling-rate",
    "rates",
    type=options.Number(0, 1, min_open=True),
    multiple=True,
    default=(1.0, 0.1, 0.001),
    show_default=True,
    help="Of Poisson samples, of the grid; may be repeated.",
)
@click.option(
    "--steps",
    type=options.Whole(1),
    multiple=True,
    default=(1, 100, 10_000),
    show_default=True,
    help="Of the grid; may be repeated.",
)
@click.option(
    "--delta",
    "deltas",
    type=options.Number(0, 1, min_open=True, max_open=True),
    multiple=True,
    default=(1e-10, 1e-5),
    show_default=True,
    help="Of the grid; may be repeated.",
)
@options.isolation_options
@options.listing_options
@options.verbose_option
@click.pass_context
def command(
    context: click.Context,
    /,
    callable_: str,
    noises: tuple[float, ...],
    rates: tuple[float, ...],
    steps: tuple[int, ...],
    deltas: tuple[float, ...],
    form: str,
    output: Path | None,
    isolate: bool,
    **limits: Any,
) -> None:  # limits: of the sandbox, each option of its own type
    """Hold the epsilons that an accountant states against enclosures.

    CALLABLE: module:function or file.py:function, called as (noise_multiplier, sampling_rate, steps, delta). It returns
    the epsilon of so many steps of the Gaussian mechanism on Poisson samples, under adding or removing a record. An
    epsilon below the enclosure of the true one is refuted; above it, it is valid and loose by the ratio that is
    printed. Nothing is random.

    \b
    Example:
      dpaudit audit-accountant my_accountant.py:epsilon --sampling-rate 0.01 --steps 1000 --delta 1e-6
    """
    from dpaudit.audit import accountant_grid

    cells = accountant_grid.grid(noises, rates, steps, deltas)
    if len(cells) > MOST_CELLS:
        raise ConfigurationError(f"a grid may have {MOST_CELLS} cells, this one has {len(cells)}: give fewer values")
    found = _found(callable_, cells, isolate, **limits)
    code, sentence = _conclusion(found)
    listed = [_printed(one) if form in ("text", "markdown") else _as_json(one) for one in found]
    if form == "text":
        listed.insert(0, dict(zip(listed[0], listed[0], strict=True)))
    with writer(output) as write:
        write(text.listing(listed, form))
        (write if form == "text" else complain)(sentence)
    context.exit(int(code))


def _found(place: str, cells: Sequence[Cell], isolate: bool, **limits: Any) -> list[Judged]:
    """Every cell, with a word on how far it is."""
    given = Limits(limits["time_limit"], limits["memory_limit"], limits["allow_network"], limits["load_limit"])
    found: list[Judged] = []
    with callables.playing("accountant", place, given, isolate, cells) as audits, shown() as progress:
        for number, (cell, audit) in enumerate(zip(cells, audits, strict=True), start=1):
            noise, rate, steps, delta = cell.arguments
            where = f"noise multiplier {noise:g}, rate {rate:g}, {steps} steps, delta {delta:g}"
            progress.doing(f"cell {number} of {len(cells)}: {where}")
            found.append(_judged(cell, audit))
    return found


def _judged(cell: Cell, audit: Audit) -> Judged:
    """What the accountant states of a cell, held against the truth; what it raises is kept in words."""
    from dpaudit.audit import accountant_grid

    assert audit.accounts is not None
    try:
        [account] = audit.accounts()
        epsilon = float(account.epsilon)
    except MissingPackageError:
        raise
    except Exception as error:  # whatever an accountant does is a finding about that accountant
        if of_the_machine(error):
            raise
        return accountant_grid.failed(cell, callables.reason(f"{type(error).__name__}: {error}"))
    return accountant_grid.judge(cell, epsilon)


def _as_json(one: Judged) -> Json:
    """A cell for programs; numbers that JSON lacks as words."""
    cell = one.cell
    found = {"noise_multiplier": cell.noise_multiplier, "sampling_rate": cell.sampling_rate, "steps": cell.steps,
             "delta": cell.delta, "stated": one.stated, "lower": one.lower, "upper": one.upper,
             "ratio": one.looseness}  # fmt: skip
    plain: Json = {name: value if math.isfinite(value) else str(value) for name, value in found.items()}
    return plain | {"standing": one.standing, "detail": one.detail}


def _printed(one: Judged) -> Json:
    """A cell for people."""
    names = {"noise_multiplier": "noise", "sampling_rate": "rate"}
    cell = {names.get(name, name): f"{value:g}" for name, value in vars(one.cell).items()}
    numbers = {name: _digits(getattr(one, name)) for name in ("stated", "lower", "upper")}
    ratio = _digits(one.looseness, 4)
    reason = f": {one.detail}" if one.standing in ("error", "unknown") else ""
    return cell | numbers | {"ratio": ratio, "standing": one.standing + reason}


def _digits(value: float, digits: int = 6) -> str:
    return "" if math.isnan(value) else f"{value:.{digits}g}"


def _conclusion(found: Sequence[Judged]) -> tuple[ExitCode, str]:
    """The exit code, and one sentence; a refutation outranks a crash."""
    counts = Counter(one.standing for one in found)
    known = f"of {len(found)} cells: {', '.join(f'{counts[word]} {word}' for word in WORDS if counts[word])}"
    if counts["below"]:
        worst = max((one for one in found if one.standing == "below"), key=lambda one: one.lower - one.stated)
        noise, rate, steps, _ = worst.cell.arguments
        where = f"noise multiplier {noise:g}, sampling rate {rate:g}, {steps} steps"
        return ExitCode.REFUTED, f"The accountant is refuted, {known}; the worst: {worst.detail} ({where})."
    if counts["error"]:
        return ExitCode.CRASHED, f"The accountant is not refuted, and failed in some cells; {known}."
    if counts["unknown"]:
        return ExitCode.INCONCLUSIVE, f"The accountant is not refuted where there is an enclosure; {known}."
    ratios = [one.looseness for one in found if not math.isnan(one.looseness)]
    loose = f"; at most {max(ratios):.4g} times too large" if ratios else ""
    return ExitCode.EXPECTED, f"No stated epsilon is too small; {known}{loose}."
