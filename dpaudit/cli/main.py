"""The command line. Data goes to standard output, progress and messages to standard error."""

from __future__ import annotations

import sys
import traceback
from collections.abc import Mapping
from pathlib import Path
from typing import Any

import click

from dpaudit import __version__
from dpaudit.audit.sandbox import isolation
from dpaudit.audit.sandbox.session import Limits
from dpaudit.cli import accept, config, diff, options, replay, starters
from dpaudit.cli import output as cli_output
from dpaudit.cli import report as cli_report
from dpaudit.cli import run as cli_run
from dpaudit.content import loading, places
from dpaudit.content.items import Broken, Item, Loaded
from dpaudit.records.errors import DpauditError, UnknownNameError
from dpaudit.records.target import Control
from dpaudit.records.verdict import ExitCode
from dpaudit.report.formats import json_schema
from dpaudit.report.formats import text as export
from dpaudit.runs import budget
from dpaudit.runs.settings import DEFAULT_SEED, Part, Settings

EPILOG = "Exit codes: " + "; ".join(f"{int(code)} {words}" for code, words in export.MEANINGS.items()) + "."
COLLECTIONS = ("claims", "algorithms", "targets")


class Program(click.Group):
    """The group of all commands; turns every exception into one line and the documented exit code."""

    def invoke(self, ctx: click.Context) -> Any:
        try:
            return super().invoke(ctx)
        except (click.ClickException, click.exceptions.Exit, click.Abort, BrokenPipeError):
            raise
        except KeyboardInterrupt:
            _complain("interrupted" + _way_on(ctx))
            ctx.exit(ExitCode.INTERRUPTED)
        except DpauditError as error:
            _complain(str(error))
            ctx.exit(ExitCode.USAGE)
        except OSError as error:  # what the user gave: a file that is not there, a full disk
            _complain(str(error) + _way_on(ctx))
            ctx.exit(ExitCode.USAGE)
        except Exception as error:
            _crashed(ctx, error)
            ctx.exit(ExitCode.CRASHED)


def main() -> None:
    """Entry point of the `dpaudit` command."""
    for stream in (sys.stdout, sys.stderr):
        if hasattr(stream, "reconfigure"):
            stream.reconfigure(errors="backslashreplace")  # a terminal without Unicode is no reason to crash
    program(prog_name="dpaudit")


@click.group(cls=Program, name="dpaudit", epilog=EPILOG, context_settings={"help_option_names": ["-h", "--help"]})
@click.version_option(__version__, prog_name="dpaudit")
@click.option("--config", "file", type=click.Path(path_type=Path),
              help="Configuration file.  [default: dpaudit.toml and pyproject.toml, if there]")  # fmt: skip
@click.pass_context
def program(context: click.Context, file: Path | None) -> None:
    """A referee and an auditor for differentially private optimisation."""
    options.use_colour(context)
    options.use_config(context, file)


@program.command()
@options.run_options
@options.proofs_option
@options.verify_options
@options.audits_option
def run(**flags: Any) -> None:
    """Verify every claim, compare every backend, audit every target and control, write a report."""
    cli_run.carry_out("run", (Part.VERIFY, Part.AGREE, Part.AUDIT), **flags)


@program.command()
@click.argument("names", nargs=-1, metavar="[PATH|ID]...")
@options.run_options
@options.proofs_option
@options.verify_options
def verify(names: tuple[str, ...], **flags: Any) -> None:
    """Verify claims: all, those of a paper, one by its id, or those of a file or folder."""
    cli_run.carry_out("verify", (Part.VERIFY,), names, **flags)


@program.command()
@click.argument("names", nargs=-1, metavar="[NAME]...")
@options.run_options
def agree(names: tuple[str, ...], **flags: Any) -> None:
    """Compare the backends of algorithms on the same noise."""
    cli_run.carry_out("agree", (Part.AGREE,), names, **flags)


@program.command()
@click.argument("names", nargs=-1, required=True, metavar="TARGET...")
@options.run_options
@options.audits_option
def audit(names: tuple[str, ...], **flags: Any) -> None:
    """Audit targets, each a name, a file or a folder, together with the controls."""
    cli_run.carry_out("audit", (Part.AUDIT,), names, **flags)


@program.command()
@click.argument("names", nargs=-1, metavar="[CONTROL]...")
@options.run_options
@options.audits_option
def controls(names: tuple[str, ...], **flags: Any) -> None:
    """Audit the controls, all or those named: known-bad ones must be refuted, null ones must not be."""
    chosen = names or tuple(
        item.name
        for item in _collection("targets", None, flags["audits"], sandbox=flags)
        if isinstance(item, Loaded) and item.record.control is not Control.NONE
    )
    cli_run.carry_out("controls", (Part.AUDIT,), chosen, **flags)


@program.command()
@click.argument("what", type=click.Choice(starters.WHATS))
@click.argument("path", required=False, type=click.Path(path_type=Path))
@click.option("--kind", type=click.Choice(starters.KINDS), default=starters.KINDS[0], show_default=True,
              help="What an audit starts from.")  # fmt: skip
@click.option("--force", is_flag=True, help="Replace a file that is there already.")
@options.verbose_option
def init(what: str, path: Path | None, kind: str, force: bool) -> None:
    """Write a starter file that runs as it stands, and say what to type next."""
    chosen = starters.starter(what, kind, path)
    starters.write(chosen, force)
    click.echo(str(chosen.path))
    click.echo(f"change what is marked, then: {chosen.next}", err=True)


@program.command()
@click.argument("folder", metavar="RUN", type=click.Path(path_type=Path))
@click.option("--jobs", type=click.IntRange(1), help="Worker processes.  [default: as before]")
@options.executor_option
@options.time_option
@click.option(
    "--baseline",
    "moved",
    type=click.Path(dir_okay=False, path_type=Path),
    help="Where the baseline of the RUN lies now.  [default: where it was]",
)
@click.option("--report/--no-report", default=True, show_default=True, help="Write report.html.")
@options.output_options
@options.verbose_option
def resume(**flags: Any) -> None:
    """Go on with a RUN that was killed or interrupted, to the records that it would have had."""
    cli_run.go_on(**flags)


@program.command()
@click.argument("names", nargs=-1, required=True, metavar="TARGET...")
@click.option(
    "--epsilon",
    "epsilons",
    type=click.FloatRange(0, min_open=True),
    multiple=True,
    help="Violation to catch, an epsilon at the quoted delta; may be repeated.  [default: shares of the noise]",
)
@click.option(
    "--chance",
    type=click.FloatRange(0, 1, min_open=True, max_open=True),
    default=0.9,
    show_default=True,
    help="Probability of catching it.",
)
@click.option(
    "--seed", type=click.IntRange(0, 2**63 - 1), default=DEFAULT_SEED, show_default=True, help="Seed of the pilot."
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
def power(
    names: tuple[str, ...], epsilons: tuple[float, ...], chance: float, form: str, output: Path | None, **rest: Any
) -> None:
    """Say how many trials and how much time an audit needs to catch a violation, before anything is spent."""
    from dpaudit.cli import power as cli_power

    rows = list(cli_power.carry_out(Settings("power", (Part.AUDIT,), names, **rest), epsilons, chance))
    if form == "text":
        rows.insert(0, dict(zip(rows[0], rows[0], strict=True)))
    with cli_output.writer(output) as write:
        write(export.listing(rows, form))


@program.command(name="list")
@click.argument("what", type=click.Choice(COLLECTIONS), required=False)
@options.proofs_option
@click.option("--audits", type=click.Path(path_type=Path), help="Folder of targets.")
@options.isolation_options
@options.listing_options
@options.verbose_option
def list_(
    what: str | None, proofs: Path | None, audits: Path | None, form: str, output: Path | None, **sandbox: Any
) -> None:
    """List claims, algorithms and targets."""
    rows = []
    for kind in [what] if what else COLLECTIONS:
        for item in _collection(kind, proofs, audits, sandbox=sandbox):
            title = f"broken: {item.error}" if isinstance(item, Broken) else item.record.title
            rows.append({"kind": kind.removesuffix("s"), "name": item.name, "title": title})
    with cli_output.writer(output) as write:
        write(export.listing(rows, form))


@program.command()
@click.argument("name", metavar="ID")
@options.proofs_option
@click.option("--audits", type=click.Path(path_type=Path), help="Folder of targets.")
@options.isolation_options
@options.listing_options
@options.verbose_option
def show(name: str, proofs: Path | None, audits: Path | None, form: str, output: Path | None, **sandbox: Any) -> None:
    """Show all that is stated about one claim, algorithm or target."""
    items = [item for kind in COLLECTIONS for item in _collection(kind, proofs, audits, sandbox=sandbox)]
    found = [item for item in items if item.name == name]
    if not found:
        raise UnknownNameError("id", name, [item.name for item in items])
    with cli_output.writer(output) as write:
        for item in found:
            write(export.shown_item(item, form))


@program.command()
@click.argument("folder", metavar="RUN", type=click.Path(path_type=Path))
@click.option("--format", "export", type=click.Choice((cli_report.PAGE, *config.FORMATS)), default=cli_report.PAGE,
              show_default=True, help="What is written; html: the page, into the RUN.")  # fmt: skip
@click.option("-o", "--output", type=click.Path(dir_okay=False, path_type=Path), help="Write to this file.")
@options.verbose_option
def report(folder: Path, export: str, output: Path | None) -> None:
    """Build the page of a run, or any other format, from its records alone."""
    cli_report.carry_out(folder, export, output)


@program.command()
@click.argument("name", type=click.Choice(json_schema.NAMES), default=json_schema.NAMES[0])
@click.option("-o", "--output", type=click.Path(dir_okay=False, path_type=Path), help="Write to this file.")
@options.verbose_option
def schema(name: str, output: Path | None) -> None:
    """Print the JSON Schema of what dpaudit writes: a record, run.json, the object of --format json, a certificate."""
    with cli_output.writer(output) as write:
        write(json_schema.document(name))


@program.command()
@click.argument("folder", metavar="[RUN]", required=False, type=click.Path(path_type=Path))
@options.proofs_option
@options.listing_options
@options.verbose_option
def errata(folder: Path | None, proofs: Path | None, form: str, output: Path | None) -> None:
    """Print the ledger of errata of papers: those that a RUN has found, or those of the claims as they are now."""
    from dpaudit.cli.errata import errata as collected

    found = collected(folder, proofs)
    with cli_output.writer(output) as write:
        write(export.errata(found, form))


@program.command()
@click.argument("folder", metavar="RUN", type=click.Path(path_type=Path))
@click.option("-o", "--output", type=click.Path(dir_okay=False, path_type=Path), help="Write to this file.")
@options.verbose_option
def index(folder: Path, output: Path | None) -> None:
    """Print the index of claims and steps (proofs/INDEX.md) from the records of a RUN."""
    from dpaudit.report import ledger
    from dpaudit.runs.reading import load_run

    run = load_run(folder)
    with cli_output.writer(output) as write:
        write(ledger.index(run.verdicts, run.header["level"], run.header["seed"]))


@program.command()
@click.argument("names", nargs=-1, metavar="[RUN|CERTIFICATE|FOLDER]...")
@options.proofs_option
@click.option("--ship", is_flag=True, help="Copy the certificates of the one RUN beside the claims that they prove.")
@options.listing_options
@options.verbose_option
@click.pass_context
def recheck(
    context: click.Context, names: tuple[str, ...], proofs: Path | None, ship: bool, form: str, output: Path | None
) -> None:
    """Check certificates with the independent checker: those shipped with the claims, of a run, or single files."""
    from dpaudit.cli import recheck as cli_recheck

    if ship:
        if len(names) != 1:
            raise click.UsageError("--ship needs exactly one RUN")
        click.echo(f"{cli_recheck.ship(Path(names[0]), proofs)} certificates shipped", err=True)
        return
    rows = list(cli_recheck.carry_out(names, proofs))
    with cli_output.writer(output) as write:
        write(export.listing(rows, form))
    context.exit(int(cli_recheck.exit_code(rows)))


@program.command()
@options.listing_options
@options.verbose_option
@click.pass_context
def doctor(context: click.Context, form: str, output: Path | None) -> None:
    """Say what works on this machine, and what to do about the rest."""
    from dpaudit.cli.doctor import examine

    found = list(examine())
    rows = [
        {"state": "works" if r.works else "broken" if r.required else "absent", "name": r.name, "detail": r.detail,
         "remedy": r.remedy}
        for r in found
    ]  # fmt: skip
    with cli_output.writer(output) as write:
        write(export.listing(rows, form))
    context.exit(ExitCode.EXPECTED if all(r.works or not r.required for r in found) else ExitCode.CRASHED)


for _command in (replay.command, diff.command, accept.command):
    program.add_command(_command)


def _collection(kind: str, proofs: Path | None, audits: Path | None, *, sandbox: Mapping[str, Any]) -> tuple[Item, ...]:
    """The items of one kind; sandbox: the flags of `cli_options.isolation_options`."""
    if kind == "algorithms":
        return loading.load_algorithms()
    if kind == "claims":
        return loading.load_claims([proofs or places.content_folder("proofs")[0]])
    seconds, gib = sandbox["time_limit"], sandbox["memory_limit"]
    folder = audits or places.content_folder("audits")[0]
    return isolation.load_targets([folder], Limits(seconds, gib), sandbox["isolate"])


def _way_on(ctx: click.Context) -> str:
    """How to go on with the run of this call, if it makes one."""
    folder = ctx.find_root().meta.get(cli_run.FOLDER)
    return f"; to go on: dpaudit resume {folder}" if folder else ""


def _complain(message: str) -> None:
    cli_output.complain(f"dpaudit: {message}")


def _crashed(context: click.Context, error: Exception) -> None:
    """One line about a defect of dpaudit; the traceback goes to the run folder, and here with -v."""
    text = "".join(traceback.format_exception(error))
    folder = context.find_root().meta.get(cli_run.FOLDER)
    where = "use -v for the traceback"
    if folder is not None and folder.is_dir():
        (folder / "errors").mkdir(exist_ok=True)
        (folder / "errors" / "dpaudit.txt").write_text(text, encoding="utf-8", errors="backslashreplace")
        where = f"the traceback is in {folder / 'errors' / 'dpaudit.txt'}"
    if options.is_verbose(context):
        cli_output.complain(text)
    _complain(f"crashed, which is a defect of dpaudit: {type(error).__name__}: {error}; {where}")
