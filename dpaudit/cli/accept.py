"""The command `accept`: writes what is not as expected in a run into a baseline, until a date."""

from __future__ import annotations

from collections.abc import Sequence
from datetime import UTC, date, datetime
from pathlib import Path

import click

from dpaudit.cli import options
from dpaudit.cli.output import complain
from dpaudit.records.errors import ConfigurationError, UnknownNameError
from dpaudit.records.verdict import Verdict
from dpaudit.runs import baseline_file, resume
from dpaudit.runs.baseline import LONGEST, Entry
from dpaudit.runs.reading import Run, load_run


@click.command(name="accept")
@click.argument("folder", metavar="RUN", type=click.Path(path_type=Path))
@click.argument("names", nargs=-1, metavar="[ID]...")
@click.option(
    "--expires",
    required=True,
    type=click.DateTime(["%Y-%m-%d"]),
    metavar="YYYY-MM-DD",
    help="Last day on which the outcomes are accepted.",
)
@click.option("--reason", required=True, help="Why they are accepted; the report shows it.")
@click.option("--issue", default="", help="Link to the place where they are discussed.")
@click.option(
    "-o",
    "--output",
    "baseline",
    type=click.Path(dir_okay=False, path_type=Path),
    default=baseline_file.DEFAULT,
    show_default=True,
    help="Baseline file; entries are added to one that exists.",
)
@options.verbose_option
def command(folder: Path, names: tuple[str, ...], expires: datetime, reason: str, issue: str, baseline: Path) -> None:
    """Accept outcomes that are not as expected, until a date.

    All such outcomes of the RUN are accepted, or those named. Runs with this --baseline do not count them in their
    exit code.
    """
    last = expires.date()
    _check(reason, last)
    chosen = surprises(load_run(folder), names)
    if not chosen:
        complain(f"dpaudit: nothing to accept: every outcome of {str(folder)!r} is as expected, or accepted already")
        return
    entries = [Entry(verdict.id, verdict.outcome, reason, last, issue) for verdict in chosen]
    total = baseline_file.extend(baseline, entries)
    click.echo(str(baseline))
    complain(f"accepted until {last}: {len(entries)} of {total} entries; use it with: --baseline {baseline}")


def surprises(run: Run, names: Sequence[str]) -> list[Verdict]:
    """The verdicts of a run that are not as expected and not accepted, or the named ones that are not as expected.

    Raises ConfigurationError for a run that is not finished and for what is as expected, UnknownNameError for an id
    that the run does not have.
    """
    if not run.finished or resume.finished(run.folder, run.header) is None:  # by hand, or by the clock
        raise ConfigurationError(f"the run of {str(run.folder)!r} is not finished; first: dpaudit resume {run.folder}")
    known = {verdict.id: verdict for verdict in run.verdicts}
    for name in names:
        if name not in known:
            raise UnknownNameError(f"verdict of {str(run.folder)!r}", name, known)
        if known[name].as_expected:
            said = known[name].outcome.value
            raise ConfigurationError(f"{name} is {said} as expected: there is nothing to accept; nothing was written")
    return [known[name] for name in dict.fromkeys(names)] or [v for v in run.verdicts if v.surprising]


def _check(reason: str, last: date) -> None:
    if not reason.strip():
        raise ConfigurationError("--reason must say why the findings are accepted; it is empty")
    ahead = (last - datetime.now(UTC).date()).days
    if ahead < 0:
        raise ConfigurationError(f"--expires {last} is over; give the last day on which the findings are accepted")
    if ahead > LONGEST:
        complain(f"dpaudit: {last} is more than {LONGEST} days ahead; a date that nobody will see is no date")
