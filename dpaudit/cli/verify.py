"""The command `verify`: claims."""

from __future__ import annotations

from typing import Unpack

import click

from dpaudit.cli import options
from dpaudit.cli.flags import RunFlags
from dpaudit.cli.running import carry_out
from dpaudit.runs.settings import Part


@click.command(name="verify")
@click.argument("names", nargs=-1, metavar="[PATH|ID]...")
@options.run_options
@options.proofs_option
@options.mutants_option
@options.claims_options
def command(names: tuple[str, ...], **flags: Unpack[RunFlags]) -> None:
    """Verify claims of papers, or your own.

    All claims are verified, or those of a paper, of a file or of a folder, or one by its id.
    """
    carry_out("verify", (Part.VERIFY,), names, **flags)
