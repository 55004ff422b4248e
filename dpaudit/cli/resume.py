"""The command `resume`: the rest of a run that was stopped."""

from __future__ import annotations

from pathlib import Path
from typing import Unpack

import click

from dpaudit.cli import options
from dpaudit.cli.flags import ResumeFlags
from dpaudit.cli.running import go_on


@click.command(name="resume")
@click.argument("folder", metavar="RUN", type=click.Path(path_type=Path))
@click.option("--jobs", type=options.Whole(1), help="Worker processes.  [default: as before]")
@options.executor_option
@options.time_option
@click.option(
    "--baseline",
    "moved",
    type=click.Path(dir_okay=False, path_type=Path),
    help="The baseline of the RUN, if it has moved.  [default: where it was]",
)
@click.option("--report/--no-report", default=True, show_default=True, help="Write report.html.")
@options.maxfail_option
@options.export_options
@options.verbose_option
def command(folder: Path, **flags: Unpack[ResumeFlags]) -> None:
    """Continue a RUN that was stopped.

    Its records become those of a run that was never stopped.
    """
    go_on(folder, **flags)
