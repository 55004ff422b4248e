"""The command `controls`: what shows that the auditor finds planted bugs, and nothing else."""

from __future__ import annotations

from typing import Unpack

import click

from dpaudit.cli import options
from dpaudit.cli.flags import RunFlags
from dpaudit.cli.running import carry_out
from dpaudit.runs.settings import Part


@click.command(name="controls")
@click.argument("names", nargs=-1, metavar="[CONTROL]...")
@options.run_options
@options.audits_option
@options.checks_options
def command(names: tuple[str, ...], **flags: Unpack[RunFlags]) -> None:
    """Audit the controls, which test the auditor itself.

    Known-bad targets must be refuted, null targets must not be. All controls run, or those named: those that came with
    dpaudit and those of ./audits; with --audits, those of that folder alone.
    """
    carry_out("controls", (Part.AUDIT,), names, **flags)
