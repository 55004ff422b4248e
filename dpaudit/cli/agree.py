"""The command `agree`: the forms of algorithms."""

from __future__ import annotations

from typing import Unpack

import click

from dpaudit.cli import options
from dpaudit.cli.flags import RunFlags
from dpaudit.cli.running import carry_out
from dpaudit.runs.settings import Part


@click.command(name="agree")
@click.argument("names", nargs=-1, metavar="[NAME]...")
@options.run_options
def command(names: tuple[str, ...], **flags: Unpack[RunFlags]) -> None:
    """Compare the forms of algorithms on the same noise.

    numba and torch are compared with the NumPy reference, step by step.
    """
    carry_out("agree", (Part.AGREE,), names, **flags)
