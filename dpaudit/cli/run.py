"""The command `run`: everything that there is to check."""

from __future__ import annotations

from typing import Unpack

import click

from dpaudit.cli import options
from dpaudit.cli.flags import RunFlags
from dpaudit.cli.running import carry_out
from dpaudit.runs.settings import Part


@click.command(name="run")
@options.run_options
@options.proofs_option
@options.verify_options
@options.audits_option
def command(**flags: Unpack[RunFlags]) -> None:
    """Verify every claim, compare every backend, audit every target and control, write a report."""
    carry_out("run", (Part.VERIFY, Part.AGREE, Part.AUDIT), **flags)
