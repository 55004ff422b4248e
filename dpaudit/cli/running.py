"""Carries out a run for the command line: view, progress, report, exit code."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path
from typing import Unpack

import click

from dpaudit.cli import options
from dpaudit.cli.flags import RestFlags, SettingFlags
from dpaudit.cli.output import announce, destination, writer
from dpaudit.cli.progress import Progress, shown
from dpaudit.records.context import Level
from dpaudit.records.errors import MissingPackageError
from dpaudit.records.verdict import Verdict
from dpaudit.report.formats.registry import FORMATS
from dpaudit.report.formats.view import Filing, View, Write
from dpaudit.runs import baseline, resume, store
from dpaudit.runs.execute import Observer, Result, asked_for, in_order, run
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
    form: str,
    output: Path | None,
    run_dir: Path | None,
    report: bool,
    level: str,
    **rest: Unpack[SettingFlags],
) -> None:
    """Make the run that the flags ask for and leave with its exit code; `rest`: fields of Settings."""
    context = click.get_current_context()
    local.limit_threads()
    settings = Settings(command, parts, tuple(names), level=Level(level), **rest)
    with writer(*destination(form, output)) as write, shown() as progress:
        view = FORMATS[form].view(heard(write, progress, output), announce, options.is_verbose(context))
        if form == "text":
            write(f"seed {settings.seed}")
        progress.doing("collecting what there is to check")
        plan = make_plan(settings)
        folder = run_dir or store.default_folder(command, settings.seed)
        context.find_root().meta[FOLDER] = folder
        view.start(asked_for(plan), folder)
        result = run(plan, folder, observer(view, progress, plan))
        view.end(Run(result.folder, result.header, result.verdicts), notes(result, report, progress))
    context.exit(int(result.code))


def go_on(folder: Path, *, form: str, output: Path | None, report: bool, **rest: Unpack[RestFlags]) -> None:
    """Finish the stopped run of `folder` and leave with its exit code; one that is finished says so.

    rest: of `resume.planned`.
    """
    context = click.get_current_context()
    local.limit_threads()
    with store.Folder(folder, existing=True) as keep, writer(*destination(form, output)) as write, shown() as progress:
        header = resume.header(folder)
        code = load_run(folder).code if resume.finished(folder, header) is not None else None
        view = FORMATS[form].view(heard(write, progress, output), announce, options.is_verbose(context))
        if code is None:
            progress.doing("collecting what there is to check")
            plan = resume.planned(header, **rest)
            context.find_root().meta[FOLDER] = folder
            view.start(header, folder)
            result = resume.resume(plan, keep, observer(view, progress, plan))
            view.end(Run(result.folder, result.header, result.verdicts), notes(result, report, progress))
            code = result.code
        else:
            click.echo(f"dpaudit: the run of {str(folder)!r} is finished; exit code {int(code)}", err=True)
            if FORMATS[form].FILING is not Filing.GROWING:
                view.end(load_run(folder))
    context.exit(int(code))


def heard(write: Write, progress: Progress, output: Path | None) -> Write:
    """`write`; where it writes to standard output, not to the file `output`, the progress knows of each text."""
    if output is not None and output != Path("-"):
        return write

    def written(text: str) -> None:
        write(text)
        progress.heard()

    return written


def observer(view: View, progress: Progress, plan: Plan) -> Observer:
    """What a run calls after each task: shows its verdicts and moves the progress on."""
    known = plan.settings.executor == local.LOCAL
    progress.follow([plan.tasks[place] for place in in_order(plan)], plan.settings.jobs if known else 0)

    def observe(task: Task, verdicts: Sequence[Verdict]) -> None:
        view.show(verdicts)
        progress.done(task)

    return observe


def notes(result: Result, report: bool, progress: Progress) -> list[str]:
    """What the clock kept, what became of the baseline, where the page is: written here if `report` asks for it."""
    progress.doing("writing the report")
    kept = sum(map(not_begun, result.verdicts))
    rest = [f"{kept} checks not begun in time; to go on: dpaudit resume {result.folder}"] if kept else []
    return [*rest, *baseline.notes(result.header), *(_report(result) if report and result.verdicts else [])]


def _report(result: Result) -> list[str]:
    """Write the page; a line that says where it is, or why there is none."""
    from dpaudit.report.page.render import write_report

    try:
        return [f"report {write_report(result.folder)}"]
    except MissingPackageError as error:
        return [f"no report: {error}"]
