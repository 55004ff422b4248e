"""Carries out a run for the command line: view, progress, report, exit code."""

from __future__ import annotations

import contextlib
import sys
from collections.abc import Callable, Iterator, Sequence
from pathlib import Path
from typing import Unpack

import click

from dpaudit.cli import options
from dpaudit.cli.flags import RestFlags, SettingFlags
from dpaudit.cli.output import announce, destination, writer
from dpaudit.records.context import Level
from dpaudit.records.errors import MissingPackageError
from dpaudit.records.verdict import Verdict
from dpaudit.report.formats.registry import FORMATS
from dpaudit.report.formats.view import Filing, View
from dpaudit.runs import baseline, resume, store
from dpaudit.runs.execute import Result, asked_for, run
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
    with writer(*destination(form, output)) as write:
        view = FORMATS[form].view(write, announce, options.is_verbose(context))
        if form == "text":
            write(f"seed {settings.seed}")
        plan = make_plan(settings)
        folder = run_dir or store.default_folder(command, settings.seed)
        context.find_root().meta[FOLDER] = folder
        view.start(asked_for(plan), folder)
        with progress(plan) as advance:
            result = run(plan, folder, observer(view, advance))
        view.end(Run(result.folder, result.header, result.verdicts), notes(result, report))
    context.exit(int(result.code))


def go_on(folder: Path, *, form: str, output: Path | None, report: bool, **rest: Unpack[RestFlags]) -> None:
    """Finish the stopped run of `folder` and leave with its exit code; one that is finished says so.

    rest: of `resume.planned`.
    """
    context = click.get_current_context()
    local.limit_threads()
    with store.Folder(folder, existing=True) as keep, writer(*destination(form, output)) as write:
        header = resume.header(folder)
        code = load_run(folder).code if resume.finished(folder, header) is not None else None
        view = FORMATS[form].view(write, announce, options.is_verbose(context))
        if code is None:
            plan = resume.planned(header, **rest)
            context.find_root().meta[FOLDER] = folder
            view.start(header, folder)
            with progress(plan) as advance:
                result = resume.resume(plan, keep, observer(view, advance))
            view.end(Run(result.folder, result.header, result.verdicts), notes(result, report))
            code = result.code
        else:
            click.echo(f"dpaudit: the run of {str(folder)!r} is finished; exit code {int(code)}", err=True)
            if FORMATS[form].FILING is not Filing.GROWING:
                view.end(load_run(folder))
    context.exit(int(code))


def observer(view: View, advance: Callable[[str], None]) -> Callable[[Task, Sequence[Verdict]], None]:
    """What a run calls after each task: shows its verdicts and moves the progress on."""

    def observe(task: Task, verdicts: Sequence[Verdict]) -> None:
        view.show(verdicts)
        advance(task.name)

    return observe


@contextlib.contextmanager
def progress(plan: Plan) -> Iterator[Callable[[str], None]]:
    """A bar on standard error if that is a terminal, else nothing."""
    if not options.wants_progress() or not plan.tasks:
        yield lambda name: None
        return
    from rich.console import Console
    from rich.progress import Progress

    # With standard output on the same terminal its lines must go above the bar, else the two would mix.
    both = sys.stdout.isatty()
    with Progress(console=Console(stderr=True), transient=True, redirect_stdout=both) as bar:
        work = bar.add_task(plan.settings.command, total=len(plan.tasks))
        yield lambda name: bar.update(work, advance=1, description=name)


def notes(result: Result, report: bool) -> list[str]:
    """What the clock kept, what became of the baseline, where the page is: written here if `report` asks for it."""
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
