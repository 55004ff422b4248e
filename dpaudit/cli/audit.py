"""The command `audit`: targets."""

from __future__ import annotations

from typing import Unpack

import click

from dpaudit.cli import options
from dpaudit.cli.flags import RunFlags
from dpaudit.cli.running import carry_out
from dpaudit.runs.settings import Part


@click.command(name="audit")
@click.argument("names", nargs=-1, required=True, metavar="TARGET...")
@options.run_options
@options.audits_option
@options.checks_options
def command(names: tuple[str, ...], **flags: Unpack[RunFlags]) -> None:
    """Audit targets, each given as a name, a file or a folder.

    Some controls run with them, unless --no-controls is given.
    """
    carry_out("audit", (Part.AUDIT,), names, **flags)
