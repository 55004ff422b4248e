"""The flags that several commands share, and how configuration files fill them."""

from __future__ import annotations

import os
from collections.abc import Callable, Sequence
from pathlib import Path
from typing import Any, TypeVar

import click

from dpaudit.cli import config
from dpaudit.cli.config import ISOLATE
from dpaudit.cli.format_flag import ExportType
from dpaudit.confinement import enclosed
from dpaudit.confinement.limits import Limits
from dpaudit.confinement.namespaces import strength
from dpaudit.records.context import Level
from dpaudit.records.errors import DpauditError
from dpaudit.report.formats.registry import FORMATS
from dpaudit.runs import budget
from dpaudit.runs.executors import local
from dpaudit.runs.settings import DEFAULT_SEED

_OF_CLAIMS = ("run", "list", "show")
"""Commands that load claim files beside targets."""
_REQUIRE, _NO = ISOLATE[1:]
_ALONE = "dpaudit.alone"
"""Key of --no-isolate in the meta data of a context."""
F = TypeVar("F", bound=Callable[..., Any])

MISCONFIGURED = "dpaudit.misconfigured"
"""Key of the error of the configuration files in the meta data of the root context."""


class Whole(click.IntRange):
    """A range of integers; an error about a word that is none calls it so."""

    name = "integer"


class Number(click.FloatRange):
    """A range of numbers, as `Whole`."""

    name = "number"


def verbose_option(command: F, tolerant: bool = False) -> F:
    """-v: full tracebacks, and mutants one by one.

    Every command has it, so that here those that are not `tolerant` refuse configuration files that cannot be used.
    """
    return click.option("-v", "--verbose", is_flag=True, expose_value=False,
                        callback=_remember if tolerant else _configured,
                        help="Show tracebacks and every mutant.")(command)  # fmt: skip


def export_options(command: F) -> F:
    """--format, -o, -q and --durations, of a run."""
    chosen = click.option("--format", "forms", type=ExportType(tuple(FORMATS)), multiple=True,
                          help="How results are written, and to which file; may be repeated. Where no format takes "
                               "standard output, the text goes there.  [default: text]")  # fmt: skip
    output = click.option("-o", "--output", type=click.Path(dir_okay=False, path_type=Path),
                          help="File of the format that names none.")  # fmt: skip
    quiet = click.option("-q", "--quiet", is_flag=True, expose_value=False, callback=_remember,
                         help="Say what is not as expected and the last sentences only.")  # fmt: skip
    durations = click.option("--durations", type=Whole(0), default=0, metavar="N",
                             help="Name the N slowest checks at the end.")  # fmt: skip
    return chosen(output(quiet(durations(command))))


def listing_options(command: F) -> F:
    """--format and -o, of what is no run."""
    chosen = click.option("--format", "form", type=click.Choice(config.LISTINGS), default="text", show_default=True,
                          help="Format of the results.")  # fmt: skip
    output = click.option("-o", "--output", type=click.Path(dir_okay=False, path_type=Path),
                          help="Write the results to this file instead of standard output.")  # fmt: skip
    return chosen(output(command))


def run_options(command: F) -> F:
    """The flags of every command that makes a run."""
    options = (
        click.option("--seed", type=Whole(0, 2**63 - 1), default=DEFAULT_SEED, show_default=True,
                     help="Seed of every random choice."),
        click.option("--level", type=click.Choice([str(level) for level in Level]), default=Level.SMOKE.value,
                     show_default=True, help="How much work the run does."),
        click.option("--alpha", type=Number(), default=budget.DEFAULT_TOTAL, show_default=True,
                     help="Error budget: the probability that any statistical refutation of the run is false."),
        click.option("--ledger", type=click.Path(dir_okay=False, path_type=Path), metavar="FILE",
                     help="Take the error budget of the run from this file, which `dpaudit ledger` made: all runs that "
                          "name it share one total. Without --seed, the run draws a new one."),
        click.option("--device", default="cpu", show_default=True, help="Torch device: cpu, cuda, cuda:1, mps."),
        click.option("--jobs", type=Whole(1), default=local.default_jobs,
                     help=f"Worker processes.  [default: one per processor, at most {local.MOST_JOBS}]"),
        executor_option,
        time_option,
        maxfail_option,
        click.option("-k", "keyword", default="", metavar="EXPRESSION",
                     help="Choose items by parts of their names, such as 'srgd and not THM'."),
        click.option("--run-dir", type=click.Path(path_type=Path),
                     help="Folder of the run, new or empty.  [default: runs/TIME-COMMAND-SEED]"),
        click.option("--allow-inconclusive/--no-allow-inconclusive", default=False, show_default=True,
                     help="Exit with code 0 even if required checks are inconclusive or were not run."),
        baseline_option,
        cache_option,
        click.option("--report/--no-report", default=True, show_default=True, help="Write report.html."),
        export_options,
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
    return click.option("--time", type=Number(0, min_open=True), metavar="MINUTES",
                        help="Begin no new task after this time; `dpaudit resume` does the rest.  "
                             "[default: no limit]")(command)  # fmt: skip


def maxfail_option(command: F) -> F:
    """--maxfail."""
    return click.option("--maxfail", type=Whole(1), metavar="N",
                        help="After N outcomes that are not as expected begin nothing more; `resume` does the rest.  "
                             "[default: no limit]")(command)  # fmt: skip


def proofs_option(command: F) -> F:
    """--proofs."""
    return click.option("--proofs", type=click.Path(path_type=Path),
                        help="Folder or file of claims.  "
                             "[default: ./proofs, else the shipped ones]")(command)  # fmt: skip


def mutants_option(command: F) -> F:
    """--mutants."""
    return click.option(
        "--mutants/--no-mutants",
        default=False,
        show_default=True,
        help="Also try mutants that fixed rules make of inequalities; print the mutation score of each paper.",
    )(command)


def cache_option(command: F) -> F:
    """--cache."""
    return click.option("--cache/--no-cache", default=True, show_default=True,
                        help="Reuse verdicts while nothing that they depend on has changed; your own targets are "
                             "played each time.")(command)  # fmt: skip


def audits_option(command: F) -> F:
    """--audits, --controls and those of sandboxes."""
    folder = click.option("--audits", type=click.Path(path_type=Path),
                          help="Folder or file of targets.  [default: ./audits, else the shipped ones]")  # fmt: skip
    controls = click.option("--controls/--no-controls", default=True, show_default=True,
                            help="Also audit controls: planted bugs and harmless releases.")  # fmt: skip
    return folder(controls(isolation_options(command)))


def checks_options(command: F) -> F:
    """--select and --ignore."""
    select = click.option("--select", multiple=True, metavar="CHECK",
                          help="Make this structural check; may be repeated.  [default: all of them]")  # fmt: skip
    ignore = click.option("--ignore", multiple=True, metavar="CHECK",
                          help="Leave out this structural check; may be repeated. "
                               "`dpaudit explain` names them.")  # fmt: skip
    return select(ignore(command))


def isolation_options(command: F) -> F:
    """--isolate, --no-isolate, --allow-network, --load-limit, --time-limit and --memory-limit."""
    isolate = click.option("--isolate", type=click.Choice(ISOLATE), default=ISOLATE[0], show_default=True,
                           callback=_isolated,
                           help="Run targets that did not come with dpaudit in sandboxes; require: refuse to start "
                                "where these are not whole, as `dpaudit doctor` says.")  # fmt: skip
    alone = click.option("--no-isolate", is_flag=True, is_eager=True, expose_value=False, callback=_alone,
                         help="As --isolate=no: targets run in this process.")  # fmt: skip
    seconds = click.option("--time-limit", type=Number(0, min_open=True), default=Limits.seconds,
                           show_default=True, help="Most seconds that one call in a sandbox may take.")  # fmt: skip
    memory = click.option("--memory-limit", type=Number(0, min_open=True), default=Limits.gib,
                          show_default=True, help="Most memory of a process in a sandbox, in GiB.")  # fmt: skip
    network = click.option("--allow-network", is_flag=True, is_eager=True,
                           help="Let sandboxes use the network of this machine.")  # fmt: skip
    loading = click.option("--load-limit", type=Number(0, min_open=True), default=Limits.loading, show_default=True,
                           help="Most seconds in which a file is loaded in a sandbox.")  # fmt: skip
    return isolate(alone(network(loading(seconds(memory(command))))))


def claims_options(command: F) -> F:
    """--isolate, --load-limit, --time-limit and --memory-limit, where claim files alone are run."""
    isolate = click.option("--isolate", type=click.Choice(ISOLATE), default=ISOLATE[0], show_default=True,
                           expose_value=False, callback=_walled,
                           help="require: refuse to start where claim files have no walls, as `dpaudit doctor` says; "
                                "no concerns targets alone.")  # fmt: skip
    seconds = click.option("--time-limit", type=Number(0, min_open=True), default=Limits.seconds, show_default=True,
                           help="Most seconds in which one claim of yours is judged.")  # fmt: skip
    memory = click.option("--memory-limit", type=Number(0, min_open=True), default=Limits.gib, show_default=True,
                          help="Most memory of a process in which a claim of yours is judged, in GiB.")  # fmt: skip
    loading = click.option("--load-limit", type=Number(0, min_open=True), default=Limits.loading, show_default=True,
                           help="Most seconds in which a claim file of yours is loaded.")  # fmt: skip
    return isolate(loading(seconds(memory(command))))


def _walled(context: click.Context, parameter: click.Parameter, asked: str) -> None:
    """UsageError where claim files have less than all walls, and these are required."""
    whole, words = enclosed.strength() if asked == _REQUIRE else (True, "")
    if not whole:
        raise click.UsageError(f"claim files have no whole walls on this machine: {words}; see dpaudit doctor")


def _alone(context: click.Context, parameter: click.Parameter, asked: bool) -> None:
    context.meta[_ALONE] = asked


def _isolated(context: click.Context, parameter: click.Parameter, asked: str) -> bool:
    """Are there sandboxes? UsageError where more is required than this machine, or --no-isolate, gives."""
    alone = bool(context.meta.get(_ALONE))
    if asked == _REQUIRE:
        if alone:
            raise click.UsageError("--isolate=require and --no-isolate exclude each other")
        whole, words = strength(context.params.get("allow_network") is True)
        if not whole:
            raise click.UsageError(f"sandboxes are not whole on this machine: {words}; see dpaudit doctor")
        if context.command.name in _OF_CLAIMS:
            _walled(context, parameter, asked)
    return not alone and asked != _NO


def use_config(context: click.Context, file: Path | None) -> None:
    """Let the configuration files give the defaults of every command below `context`.

    A format that only a run has is no default of a command that makes none. Files that cannot be used are no reason
    to refuse help: `configured` raises their error when a command begins.
    """
    try:
        values = {key.replace("-", "_"): value for key, value in config.load(Path.cwd(), file).items()}
    except DpauditError as error:
        context.find_root().meta[MISCONFIGURED] = error
        return
    values["forms"] = values.pop("format", [])
    if "epsilon" in values:
        values["epsilons"] = values.pop("epsilon")
    assert isinstance(context.command, click.Group)
    context.default_map = {
        name: values | _single(values["forms"], command) for name, command in context.command.commands.items()
    }


def misconfigured(context: click.Context) -> DpauditError | None:
    """What is wrong with the configuration files of this call, if anything is."""
    found: DpauditError | None = context.find_root().meta.get(MISCONFIGURED)
    return found


def _single(forms: Sequence[str], command: click.Command) -> dict[str, str]:
    """The default of --format of a command that takes a single one, if it knows what the configuration names."""
    allowed = [p.type.choices for p in command.params if p.name == "form" and isinstance(p.type, click.Choice)]
    return {"form": forms[0]} if len(forms) == 1 and allowed and forms[0] in allowed[0] else {}


def use_colour(context: click.Context) -> None:
    """Colour on a terminal only, and none where NO_COLOR is set to anything."""
    if os.environ.get("NO_COLOR"):
        context.color = False


def is_verbose(context: click.Context) -> bool:
    """True if -v was given to any command of this call."""
    return bool(context.find_root().meta.get("dpaudit.verbose"))


def is_quiet(context: click.Context) -> bool:
    """True if -q was given to the command of this call."""
    return bool(context.find_root().meta.get("dpaudit.quiet"))


def _remember(context: click.Context, parameter: click.Parameter, value: bool) -> None:
    if value:
        context.find_root().meta[f"dpaudit.{parameter.name}"] = True


def _configured(context: click.Context, parameter: click.Parameter, value: bool) -> None:
    """As `_remember`, for commands that need the configuration; after help, which is eager."""
    _remember(context, parameter, value)
    if (error := misconfigured(context)) is not None:
        raise error
