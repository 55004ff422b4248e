"""The command line. Data goes to standard output, progress and messages to standard error."""

from __future__ import annotations

import errno
import importlib
import pkgutil
import signal
import sys
import traceback
from collections.abc import Iterator
from pathlib import Path

import click

from dpaudit import __version__, cli
from dpaudit.cli import options
from dpaudit.cli.output import complain
from dpaudit.cli.running import FOLDER
from dpaudit.records.errors import DpauditError, MachineFault, machine_words
from dpaudit.records.verdict import ExitCode
from dpaudit.report.formats.text import MEANINGS

EPILOG = "Exit codes: " + "; ".join(f"{int(code)} {words}" for code, words in MEANINGS.items()) + "."


class Program(click.Group):
    """The group of all commands; turns every exception into one line and the documented exit code."""

    def invoke(self, ctx: click.Context) -> object:
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
        except MachineFault as fault:
            _complain(str(fault) + _way_on(ctx))
            ctx.exit(ExitCode.USAGE)
        except OSError as error:  # what the user gave: a file that is not there, a full disk
            _complain(_said(error) + _way_on(ctx))
            ctx.exit(ExitCode.USAGE)
        except MemoryError as error:
            _complain(machine_words(error) + _way_on(ctx))
            ctx.exit(ExitCode.USAGE)
        except Exception as error:
            _crashed(ctx, error)
            ctx.exit(ExitCode.CRASHED)


def main() -> None:
    """Entry point of the `dpaudit` command."""
    for stream in (sys.stdout, sys.stderr):
        if hasattr(stream, "reconfigure"):
            stream.reconfigure(errors="backslashreplace")  # a terminal without Unicode is no reason to crash
    for name in ("SIGTERM", "SIGHUP"):  # as Ctrl-C does; SIGHUP is none on Windows, and nohup ignores it
        wanted = getattr(signal, name, None)
        if wanted is not None and signal.getsignal(wanted) is signal.SIG_DFL:
            signal.signal(wanted, signal.default_int_handler)
    program(prog_name="dpaudit")


@click.group(cls=Program, name="dpaudit", epilog=EPILOG, context_settings={"help_option_names": ["-h", "--help"]})
@click.version_option(__version__, prog_name="dpaudit")
@click.option("--config", "file", type=click.Path(path_type=Path),
              help="Configuration file.  [default: dpaudit.toml and pyproject.toml, if they exist]")  # fmt: skip
@click.pass_context
def program(context: click.Context, file: Path | None) -> None:
    """Check differentially private optimisation: the claims of papers, and the guarantees of implementations."""
    options.use_colour(context)
    options.use_config(context, file)


def _commands() -> Iterator[click.Command]:
    """What the files of this folder call `command`, each a command of its own."""
    for found in pkgutil.iter_modules(cli.__path__, f"{cli.__name__}."):
        if not found.name.endswith(".main"):
            command = getattr(importlib.import_module(found.name), "command", None)
            if isinstance(command, click.Command):
                yield command


for _command in _commands():
    program.add_command(_command)


def _said(error: OSError) -> str:
    """What the system said of which file, and what to do."""
    reason = error.strerror or str(error)
    what = f"cannot use {str(error.filename)!r}: {reason}" if error.filename is not None else reason
    advice = {errno.ENOSPC: "free some space", errno.EACCES: "change its rights or name another place",
              errno.EROFS: "name another place"}  # fmt: skip
    return f"{what}; {advice[error.errno]}" if error.errno in advice else what


def _way_on(ctx: click.Context) -> str:
    """How to go on with the run of this call, if it makes one."""
    folder = ctx.find_root().meta.get(FOLDER)
    return f"; to go on: dpaudit resume {folder}" if folder else ""


def _complain(message: str) -> None:
    complain(f"dpaudit: {message}")


def _crashed(context: click.Context, error: Exception) -> None:
    """One line about a defect of dpaudit; the traceback goes to the run folder, and here with -v."""
    text = "".join(traceback.format_exception(error))
    folder = context.find_root().meta.get(FOLDER)
    where = "use -v for the traceback"
    if folder is not None and folder.is_dir():
        (folder / "errors").mkdir(exist_ok=True)
        (folder / "errors" / "dpaudit.txt").write_text(text, encoding="utf-8", errors="backslashreplace")
        where = f"the traceback is in {folder / 'errors' / 'dpaudit.txt'}"
    if options.is_verbose(context):
        complain(text)
    _complain(f"crashed, which is a defect of dpaudit: {type(error).__name__}: {error}; {where}")
