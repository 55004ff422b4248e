"""The flags that several commands share, and how configuration files fill them."""

from __future__ import annotations

import os
from collections.abc import Callable, Collection
from pathlib import Path
from typing import Any, TypeVar

import click

from dpaudit.audit.sandbox.session import Limits
from dpaudit.cli import config
from dpaudit.records.context import Level
from dpaudit.report.formats.registry import FORMATS
from dpaudit.runs import budget
from dpaudit.runs.executors import local
from dpaudit.runs.settings import DEFAULT_SEED

F = TypeVar("F", bound=Callable[..., Any])


def verbose_option(command: F) -> F:
    """-v: full tracebacks, and mutants one by one."""
    return click.option("-v", "--verbose", is_flag=True, expose_value=False, callback=_remember,
                        help="Show tracebacks and every mutant.")(command)  # fmt: skip


def output_options(command: F) -> F:
    """--format and -o, of a run."""
    return _output(command, tuple(FORMATS))


def listing_options(command: F) -> F:
    """--format and -o, of what is no run."""
    return _output(command, config.LISTINGS)


def _output(command: F, formats: tuple[str, ...]) -> F:
    chosen = click.option("--format", "form", type=click.Choice(formats), default="text", show_default=True,
                          help="Format of the results.")  # fmt: skip
    output = click.option("-o", "--output", type=click.Path(dir_okay=False, path_type=Path),
                          help="Write the results to this file instead of standard output.")  # fmt: skip
    return chosen(output(command))


def run_options(command: F) -> F:
    """The flags of every command that makes a run."""
    options = (
        click.option("--seed", type=click.IntRange(0, 2**63 - 1), default=DEFAULT_SEED, show_default=True,
                     help="Seed of every random choice."),
        click.option("--level", type=click.Choice([str(level) for level in Level]), default=Level.SMOKE.value,
                     show_default=True, help="How much work the run does."),
        click.option("--alpha", type=float, default=budget.DEFAULT_TOTAL, show_default=True,
                     help="Error budget: the probability that any statistical refutation of the run is false."),
        click.option("--device", default="cpu", show_default=True, help="Torch device: cpu, cuda, cuda:1, mps."),
        click.option("--jobs", type=click.IntRange(1), default=local.default_jobs,
                     help=f"Worker processes.  [default: one per processor, at most {local.MOST_JOBS}]"),
        executor_option,
        time_option,
        click.option("--run-dir", type=click.Path(path_type=Path),
                     help="Folder of the run, new or empty.  [default: runs/TIME-COMMAND-SEED]"),
        click.option("--allow-inconclusive/--no-allow-inconclusive", default=False, show_default=True,
                     help="Exit with code 0 even if required checks are inconclusive or were not run."),
        baseline_option,
        click.option("--report/--no-report", default=True, show_default=True, help="Write report.html."),
        output_options,
        verbose_option,
    )  # fmt: skip
    for option in reversed(options):
        command = option(command)
    return command


def executor_option(command: F) -> F:
    """--executor."""
    return click.option("--executor", metavar="[local|dask://HOST:PORT|ray://HOST:PORT]", default=local.LOCAL,
                        show_default=True,
                        help="Where tasks run: in --jobs processes on this machine, or on a Dask or Ray cluster "
                             "(Ray is best effort).")(command)  # fmt: skip


def baseline_option(command: F) -> F:
    """--baseline."""
    return click.option("--baseline", type=click.Path(dir_okay=False, path_type=Path),
                        help="File with known findings, each accepted until a date.")(command)  # fmt: skip


def time_option(command: F) -> F:
    """--time."""
    return click.option("--time", type=click.FloatRange(0, min_open=True), metavar="MINUTES",
                        help="Begin no new task after this time; `dpaudit resume` does the rest.  "
                             "[default: no limit]")(command)  # fmt: skip


def proofs_option(command: F) -> F:
    """--proofs."""
    return click.option("--proofs", type=click.Path(path_type=Path),
                        help="Folder of claims.  [default: ./proofs, else the shipped ones]")(command)  # fmt: skip


def verify_options(command: F) -> F:
    """--mutants and --cache."""
    mutants = click.option(
        "--mutants/--no-mutants",
        default=False,
        show_default=True,
        help="Also try mutants that fixed rules make of inequalities; print the mutation score of each paper.",
    )
    cache = click.option(
        "--cache/--no-cache",
        default=True,
        show_default=True,
        help="Reuse verdicts on claims while nothing that they depend on has changed.",
    )
    return mutants(cache(command))  # fmt: skip


def audits_option(command: F) -> F:
    """--audits, --controls and those of sandboxes."""
    folder = click.option("--audits", type=click.Path(path_type=Path),
                          help="Folder of targets.  [default: ./audits, else the shipped ones]")  # fmt: skip
    controls = click.option("--controls/--no-controls", default=True, show_default=True,
                            help="Also audit controls: planted bugs and harmless releases.")  # fmt: skip
    return folder(controls(isolation_options(command)))


def isolation_options(command: F) -> F:
    """--isolate, --time-limit and --memory-limit."""
    isolate = click.option("--isolate/--no-isolate", default=True, show_default=True,
                           help="Run targets that did not come with dpaudit in sandboxes.")  # fmt: skip
    seconds = click.option("--time-limit", type=click.FloatRange(0, min_open=True), default=Limits.seconds,
                           show_default=True, help="Most seconds that one call in a sandbox may take.")  # fmt: skip
    memory = click.option("--memory-limit", type=click.FloatRange(0, min_open=True), default=Limits.gib,
                          show_default=True, help="Most memory of a process in a sandbox, in GiB.")  # fmt: skip
    return isolate(seconds(memory(command)))


def use_config(context: click.Context, file: Path | None) -> None:
    """Let the configuration files give the defaults of every command below `context`.

    A format that only a run has is no default of a command that makes none.
    """
    names = {"format": "form", "epsilon": "epsilons"}
    values = {names.get(k, k.replace("-", "_")): v for k, v in config.load(Path.cwd(), file).items()}
    assert isinstance(context.command, click.Group)
    context.default_map = {
        name: {key: value for key, value in values.items() if key != "form" or value in _formats(command)}
        for name, command in context.command.commands.items()
    }


def _formats(command: click.Command) -> Collection[str]:
    """What --format of a command may be; empty without that flag."""
    return next((p.type.choices for p in command.params if p.name == "form" and isinstance(p.type, click.Choice)), ())


def use_colour(context: click.Context) -> None:
    """Colour on a terminal only, and none where NO_COLOR is set to anything."""
    if os.environ.get("NO_COLOR"):
        context.color = False


def is_verbose(context: click.Context) -> bool:
    """True if -v was given to any command of this call."""
    return bool(context.find_root().meta.get("dpaudit.verbose"))


def _remember(context: click.Context, parameter: click.Parameter, value: bool) -> None:
    if value:
        context.find_root().meta["dpaudit.verbose"] = True
