"""Carries out a run for the command line: view, progress, report, exit code."""

from __future__ import annotations

import contextlib
import os
import sys
from collections.abc import Callable, Iterator, Sequence
from pathlib import Path
from typing import Any

import click

from dpaudit import cli_options, executor, export, github, resume, store
from dpaudit.context import Level
from dpaudit.errors import MissingPackageError
from dpaudit.plan import Part, Plan, Settings, Task, make_plan
from dpaudit.run import Result, run
from dpaudit.verdict import Verdict

FOLDER = "dpaudit.folder"
"""Key of the run folder in the meta data of the root context, for the traceback of a crash."""

_COLOURS = {"= ": "green", "~ ": "cyan", "x ": "red", "? ": "yellow", "- ": "yellow", "! ": "red"}


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
    **rest: Any,
) -> None:
    """Make the run that the flags ask for and leave with its exit code; `rest`: fields of Settings."""
    context = click.get_current_context()
    executor.limit_threads()
    settings = Settings(command, parts, tuple(names), level=Level(level), **rest)
    with writer(*_destination(form, output)) as write:
        view = _view(form, write, cli_options.is_verbose(context))
        if form == "text":
            write(f"seed {settings.seed}")
        plan = make_plan(settings)
        folder = run_dir or store.default_folder(command, settings.seed)
        context.find_root().meta[FOLDER] = folder
        view.start(plan, folder)
        with _progress(plan) as advance:
            result = run(plan, folder, _observer(view, advance))
        view.end(result, _report(result) if report and result.verdicts else [])
    context.exit(int(result.code))


def go_on(folder: Path, *, form: str, output: Path | None, report: bool, jobs: int | None) -> None:
    """Finish the stopped run of `folder` and leave with its exit code; one that is finished says so."""
    context = click.get_current_context()
    executor.limit_threads()
    with store.Folder(folder, existing=True) as keep, writer(*_destination(form, output)) as write:
        header = resume.header(folder)
        code = resume.finished(header)
        if code is None:
            plan = resume.planned(header, jobs)
            context.find_root().meta[FOLDER] = folder
            view = _view(form, write, cli_options.is_verbose(context))
            view.start(plan, folder)
            with _progress(plan) as advance:
                result = resume.resume(plan, keep, _observer(view, advance))
            view.end(result, _report(result) if report and result.verdicts else [])
            code = result.code
        else:
            click.echo(f"dpaudit: the run of {str(folder)!r} is finished; exit code {int(code)}", err=True)
    context.exit(int(code))


@contextlib.contextmanager
def writer(output: Path | None, mode: str = "w") -> Iterator[export.Write]:
    """A function that writes lines to the file `output`, opened in that mode, or to standard output.

    Control characters are replaced: titles and messages come from files of other people.
    """
    if output is None:
        yield lambda text: click.echo(_paint(export.printable(text)))
        return
    with output.open(mode, encoding="utf-8") as file:
        yield lambda text: print(export.printable(text), file=file, flush=True)


def _destination(form: str, output: Path | None) -> tuple[Path | None, str]:
    """Where a run is written, and how: a step summary is added to what the step has there already."""
    if form != "github":
        return output, "w"
    named = os.environ.get("GITHUB_STEP_SUMMARY")
    return output or (Path(named) if named else None), "a"


def _paint(text: str) -> str:
    """The mark in colour; click removes it off a terminal."""
    colour = None if "(expected)" in text else _COLOURS.get(text[:2])
    return click.style(text[0], fg=colour) + text[1:] if colour else text


def _view(form: str, write: export.Write, verbose: bool) -> export.View:
    if form == "json":
        return export.Json(write)
    if form == "github":
        return github.GitHub(write, click.echo)
    return export.JsonLines(write) if form == "jsonl" else export.Text(write, verbose)


def _observer(view: export.View, advance: Callable[[str], None]) -> Callable[[Task, Sequence[Verdict]], None]:
    def observe(task: Task, verdicts: Sequence[Verdict]) -> None:
        view.show(verdicts)
        advance(task.name)

    return observe


@contextlib.contextmanager
def _progress(plan: Plan) -> Iterator[Callable[[str], None]]:
    """A bar on standard error if that is a terminal, else nothing."""
    if not cli_options.wants_progress() or not plan.tasks:
        yield lambda name: None
        return
    from rich.console import Console
    from rich.progress import Progress

    # With standard output on the same terminal its lines must go above the bar, else the two would mix.
    both = sys.stdout.isatty()
    with Progress(console=Console(stderr=True), transient=True, redirect_stdout=both) as bar:
        work = bar.add_task(plan.settings.command, total=len(plan.tasks))
        yield lambda name: bar.update(work, advance=1, description=name)


def _report(result: Result) -> list[str]:
    """Write the page; a line that says where it is, or why there is none."""
    from dpaudit.report import write_report

    try:
        return [f"report {write_report(result.folder)}"]
    except MissingPackageError as error:
        return [f"no report: {error}"]
