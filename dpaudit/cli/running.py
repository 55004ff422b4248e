"""Carries out a run for the command line: view, progress, report, exit code."""

from __future__ import annotations

import contextlib
from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import Unpack

import click
from click.core import ParameterSource

from dpaudit.cli import options
from dpaudit.cli.exports import Views, opened
from dpaudit.cli.flags import RestFlags, SettingFlags
from dpaudit.cli.format_flag import Export
from dpaudit.cli.output import complain
from dpaudit.cli.progress import Progress, shown
from dpaudit.records.context import Level
from dpaudit.records.errors import ContentError, MissingPackageError
from dpaudit.records.verdict import Verdict
from dpaudit.report.formats.view import View
from dpaudit.runs import baseline, check, resume, spending, spending_file, store
from dpaudit.runs.execute import Observer, Result, asked_for, faults_told, in_order, run
from dpaudit.runs.executors import local
from dpaudit.runs.plan import Plan, make_plan
from dpaudit.runs.reading import Run, load_run
from dpaudit.runs.settings import Part, Settings
from dpaudit.runs.task import Task
from dpaudit.runs.worker import not_begun

FOLDER = "dpaudit.folder"
"""Key of the run folder in the meta data of the root context, for the traceback of a crash."""


def carry_out(
    command: str,
    parts: tuple[Part, ...],
    names: Sequence[str] = (),
    *,
    forms: Sequence[Export],
    output: Path | None,
    run_dir: Path | None,
    ledger: Path | None,
    report: bool,
    durations: int,
    level: str,
    select: Sequence[str] = (),
    ignore: Sequence[str] = (),
    **rest: Unpack[SettingFlags],
) -> None:
    """Make the run that the flags ask for and leave with its exit code; `rest`: fields of Settings."""
    context = click.get_current_context()
    local.limit_threads()
    ledger = _chosen(context, ledger)
    if ledger is not None and not _typed(context, "seed"):
        rest["seed"] = spending.drawn_seed()
    settings = Settings(command, parts, tuple(names), level=Level(level), left_out=_left_out(select, ignore), **rest)
    with progress_and_view(context, forms, output) as (progress, view):
        view.announce(f"seed {settings.seed}")
        progress.doing("collecting what there is to check")
        folder = run_dir or store.default_folder(command, settings.seed)
        plan = _planned(settings, ledger, folder)
        context.find_root().meta[FOLDER] = folder
        view.start(asked_for(plan), folder)
        result = run(plan, folder, observer(view, progress, plan), progress.stages)
        view.end(Run(result.folder, result.header, result.verdicts), notes(result, report, progress, durations))
    context.exit(int(result.code))


def _planned(settings: Settings, ledger: Path | None, folder: Path) -> Plan:
    """The plan, with a share of the ledger as its error budget if there is one."""
    if ledger is None:
        return make_plan(settings)
    spending_file.read(ledger)  # before a long search for what there is to check
    plan = spending_file.take(ledger, make_plan(settings), folder)
    if plan.spending is None:
        complain(f"dpaudit: no statistical test is planned, so nothing is taken from the ledger {ledger}")
    return plan


def _chosen(context: click.Context, ledger: Path | None) -> Path | None:
    """The ledger that gives the error budget; None where --alpha does, which outranks a configuration file."""
    if ledger is None or not _typed(context, "alpha"):
        return ledger
    if _typed(context, "ledger"):
        raise click.UsageError("--ledger and --alpha exclude each other: a ledger says what its runs may spend")
    return None


def _typed(context: click.Context, name: str) -> bool:
    """Does this flag stand on the command line?"""
    return context.get_parameter_source(name) is ParameterSource.COMMANDLINE


def _left_out(select: Sequence[str], ignore: Sequence[str]) -> tuple[str, ...]:
    """The structural checks that are not made."""
    if not (select or ignore):
        return ()
    from dpaudit.audit.structural.explained import left_out

    return left_out(select, ignore)


def go_on(
    folder: Path,
    *,
    forms: Sequence[Export],
    output: Path | None,
    report: bool,
    durations: int,
    **rest: Unpack[RestFlags],
) -> None:
    """Finish the stopped run of `folder` and leave with its exit code; one that is finished says so.

    rest: of `resume.planned`.
    """
    context = click.get_current_context()
    context.find_root().meta[FOLDER] = folder
    with faults_told(folder):
        local.limit_threads()
        with store.Folder(folder, existing=True) as keep, progress_and_view(context, forms, output) as (progress, view):
            header = resume.header(folder)
            code = load_run(folder).code if resume.finished(folder, header) is not None else None
            if code is None:
                progress.doing("collecting what there is to check")
                plan = resume.planned(header, **rest)
                view.start(header, folder)
                result = resume.resume(plan, keep, observer(view, progress, plan), progress.stages, complain)
                view.end(Run(result.folder, result.header, result.verdicts), notes(result, report, progress, durations))
                code = result.code
            else:
                _hold(folder)
                click.echo(f"dpaudit: the run of {str(folder)!r} is finished; exit code {int(code)}", err=True)
                view.repeat(load_run(folder))
    context.exit(int(code))


def _hold(folder: Path) -> None:
    """ContentError for a finished run of which a record or a file is not as it was written."""
    damaged = [row for row in check.check(folder) if row["state"] == check.DAMAGED]
    if damaged:
        more = f" (and {len(damaged) - 1} more)" if len(damaged) > 1 else ""
        raise ContentError(f"{damaged[0]['name']}: {damaged[0]['detail']}{more}; see: dpaudit check {folder}")


@contextlib.contextmanager
def progress_and_view(
    context: click.Context, forms: Sequence[Export], output: Path | None
) -> Iterator[tuple[Progress, Views]]:
    """What says how far the run is, and what shows its verdicts."""
    with shown(options.is_quiet(context)) as progress, opened(forms, output, progress.heard) as view:
        yield progress, view


def observer(view: View, progress: Progress, plan: Plan) -> Observer:
    """What a run calls after each task: shows its verdicts and moves the progress on."""
    known = plan.settings.executor == local.LOCAL
    progress.follow([plan.tasks[place] for place in in_order(plan)], plan.settings.jobs if known else 0)

    def observe(task: Task, verdicts: Sequence[Verdict]) -> None:
        view.show(verdicts)
        progress.done(task)

    return observe


def notes(result: Result, report: bool, progress: Progress, durations: int = 0) -> list[str]:
    """What was kept from beginning, what became of the baseline, the slowest checks, where the page is.

    The page is written here if `report` asks for it; durations: so many checks are named.
    """
    progress.doing("writing the report")
    kept = sum(map(not_begun, result.verdicts))
    rest = [f"{kept} checks not begun; to go on: dpaudit resume {result.folder}"] if kept else []
    page = _report(result) if report and result.verdicts else []
    if cached := result.header.get("cached"):
        said = "kept from an earlier run, since nothing they depend on has changed"
        rest.append(f"{said}: the verdicts of {len(cached)} items; --no-cache checks them again")
    return [*rest, *baseline.notes(result.header), *_slowest(result.verdicts, durations), *page]


def _slowest(verdicts: Sequence[Verdict], most: int) -> Iterator[str]:
    """The `most` checks that took longest, a line each."""
    rows = sorted(verdicts, key=lambda verdict: -verdict.duration_s)[:most]
    if rows:
        yield f"the {len(rows)} slowest of {len(verdicts)} checks:"
    yield from (f"  {verdict.duration_s:8.2f} s  {verdict.id}" for verdict in rows)


def _report(result: Result) -> list[str]:
    """Write the page; a line that says where it is, or why there is none."""
    from dpaudit.report.page.render import write_report

    try:
        return [f"report {write_report(result.folder, result.header['jobs'])}"]
    except MissingPackageError as error:
        return [f"no report: {error}"]
