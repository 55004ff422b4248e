"""The command `audit-auditor`: false alarms of somebody's lower bound on epsilon."""

from __future__ import annotations

import itertools
import math
from collections import defaultdict
from collections.abc import Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Any

import click

from dpaudit.cli import callables, options
from dpaudit.cli.output import complain, writer
from dpaudit.cli.progress import shown
from dpaudit.confinement.limits import Limits
from dpaudit.records.errors import ConfigurationError
from dpaudit.records.serial import Json
from dpaudit.records.verdict import ExitCode, Outcome
from dpaudit.report.formats import text
from dpaudit.runs import budget
from dpaudit.runs.settings import DEFAULT_SEED

if TYPE_CHECKING:
    from dpaudit.audit.false_alarms import Row, Sizes

TRIALS = ("20", "200", "2000", "200:2000")


@click.command(name="audit-auditor")
@click.argument("callable_", metavar="CALLABLE")
@click.option(
    "--confidence",
    type=options.Number(0.5, 1, min_open=True, max_open=True),
    default=0.95,
    show_default=True,
    help="What is asked of the bounds: alpha is 1 minus this.",
)
@click.option(
    "--delta",
    type=options.Number(0, 1, max_open=True),
    default=1e-5,
    show_default=True,
    help="The delta at which epsilon is asked for.",
)
@click.option(
    "--trials",
    multiple=True,
    default=TRIALS,
    show_default=True,
    metavar="N|N:M",
    help="Scores of each side, or of the first and of the second; may be repeated.",
)
@click.option("--repetitions", type=options.Whole(1), default=500, show_default=True, help="Audits of each row.")
@click.option(
    "--law",
    "names",
    multiple=True,
    metavar="NAME",
    help="Play the laws whose names begin so; may be repeated.  [default: all]",
)
@click.option(
    "--seed", type=options.Whole(0, 2**63 - 1), default=DEFAULT_SEED, show_default=True, help="Seed of the scores."
)
@click.option(
    "--alpha",
    type=options.Number(0, 0.5, min_open=True),
    default=budget.DEFAULT_TOTAL,
    show_default=True,
    help="Error budget: the probability that a bound that keeps its confidence is refuted.",
)
@options.isolation_options
@options.listing_options
@options.verbose_option
@click.pass_context
def command(
    context: click.Context,
    /,
    callable_: str,
    trials: tuple[str, ...],
    form: str,
    output: Path | None,
    seed: int,
    alpha: float,
    **rest: Any,
) -> None:  # the rest is for _played, each option of its own type
    """Count the false alarms of a lower bound on epsilon.

    CALLABLE: module:function or file.py:function, called as (scores_in, scores_out, delta, alpha), with NumPy arrays of
    scores that are larger where an output looks more like the first data set. It returns a number, or a record that
    has it as epsilon_lower. It is played on laws whose epsilon is known, and a row is refuted if so many bounds above
    the true epsilon have a probability of at most the row's share of --alpha, were their rate alpha.

    \b
    Example:
      dpaudit audit-auditor my_bound.py:lower_bound --trials 100 --trials 50:1000 --law Laplace
    """
    sizes = tuple(map(_sizes, trials))
    complain(f"seed {seed}")
    rows = _played(callable_, sizes, seed, alpha, **rest)
    code, sentence = _conclusion(rows, alpha)
    listed = [_printed(row) if form in ("text", "markdown") else _as_json(row) for row in rows]
    if form == "text":
        listed.insert(0, dict(zip(listed[0], listed[0], strict=True)))
    with writer(output) as write:
        write(text.listing(listed, form))
        for said in [*_reasons(rows), sentence]:
            (write if form == "text" else complain)(said)
    context.exit(int(code))


def _played(
    place: str,
    sizes: Sequence[Sizes],
    seed: int,
    alpha: float,
    *,
    confidence: float,
    delta: float,
    repetitions: int,
    names: Sequence[str],
    isolate: bool,
    **limits: Any,
) -> list[Row]:
    """Every row, with a word on how far it is; limits: of the sandbox."""
    from dpaudit.audit import false_alarms

    cells = list(itertools.product(false_alarms.chosen_laws(delta, names), sizes))
    given = Limits(limits["time_limit"], limits["memory_limit"], limits["allow_network"], limits["load_limit"])
    found: list[Row] = []
    with callables.playing("auditor", place, given, isolate) as [audit], shown() as progress:
        assert audit.bounds is not None
        level = round(1 - confidence, 12)
        played = false_alarms.rows(audit.bounds, cells, repetitions, seed=seed, alpha=alpha, level=level)
        for number, (law, (first, second)) in enumerate(cells, start=1):
            progress.doing(f"row {number} of {len(cells)}: {law.name}, {first} and {second} trials")
            found.append(next(played))
    return found


def _sizes(given: str) -> Sizes:
    first, _, second = given.partition(":")
    try:
        found = int(first), int(second or first)
    except ValueError as error:
        raise ConfigurationError(f"--trials takes N or N:M, got {given!r}") from error
    if min(found) < 1:
        raise ConfigurationError(f"--trials must be at least 1 on each side, got {given!r}")
    return found


def _printed(row: Row) -> Json:
    """A row for people."""
    low, high = (100 * row.number(name) for name in ("rate_lower_95", "rate_upper_95"))
    first, second = row.sizes
    above = f"{100 * row.played.alarms / row.played.audits:.1f} [{low:.1f}, {high:.1f}]"
    none = math.isnan(row.played.mean)  # nothing was said that could be too large
    return {
        "law": row.law.name,
        "trials": str(first) if first == second else f"{first}:{second}",
        "audits": row.played.audits,
        "% above [95 %]": "" if none else above,
        "mean of true": "" if none else f"{row.played.mean:.3g} of {row.law.epsilon:.3g}",
        "no bound": row.played.raised.total(),
        "p": f"{row.number('p_value'):.2g}",
        "verdict": row.finding.outcome.word,
    }


def _as_json(row: Row) -> Json:
    """A row for programs; numbers that JSON lacks as words."""
    found: Json = {"law": row.law.name, "delta": row.law.delta, "trials_in": row.sizes[0], "trials_out": row.sizes[1]}
    found |= {name: _finite(value) for name, value in row.finding.numbers}
    reason = row.played.mostly_raised
    more = {"mean_bound": _finite(row.played.mean), "no_bound": row.played.raised.total(), "reason": reason}
    return found | more | {"verdict": row.finding.outcome.value}


def _finite(value: object) -> object:
    return str(value) if isinstance(value, float) and not math.isfinite(value) else value


def _reasons(rows: Sequence[Row]) -> list[str]:
    """Why there was no bound, a line for each reason."""
    found: dict[str, list[int]] = defaultdict(list)
    for row in rows:
        for reason, times in row.played.raised.items():
            found[callables.reason(reason)].append(times)
    return [f"no bound in {sum(times)} audits, in {len(times)} rows: {reason}" for reason, times in found.items()]


def _conclusion(rows: Sequence[Row], alpha: float) -> tuple[ExitCode, str]:
    """The exit code, and one sentence; a refutation outranks a crash. alpha: of a wrong refutation."""
    refuted = [row for row in rows if row.finding.outcome is Outcome.REFUTED]
    crashed = sum(bool(row.played.raised) for row in rows)
    if refuted:
        worst = max(refuted, key=lambda row: row.played.alarms / row.played.audits)
        share = f"{100 * worst.played.alarms / worst.played.audits:.3g} % of the bounds are above the true epsilon"
        where = f"{worst.law.name}, {worst.sizes[0]} and {worst.sizes[1]} trials"
        error = f"(a bound that keeps its confidence is, with probability at most {alpha:g})"
        return (
            ExitCode.REFUTED,
            f"The bound is refuted on {len(refuted)} of {len(rows)} rows {error}: {share} on {where}.",
        )
    if crashed:
        return ExitCode.CRASHED, f"The bound is not refuted; it gave no number in some audits of {crashed} rows."
    return ExitCode.EXPECTED, f"The bound is not refuted on any of {len(rows)} rows; other laws were not played."
