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
@options.mutants_option
@options.audits_option
@options.checks_options
def command(**flags: Unpack[RunFlags]) -> None:
    """Check everything: claims, algorithms, targets and controls.

    A report is written, too.
    """
    carry_out("run", (Part.VERIFY, Part.AGREE, Part.AUDIT), **flags)
