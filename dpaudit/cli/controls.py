"""The command `controls`: what shows that the auditor finds planted bugs, and nothing else."""

from __future__ import annotations

from typing import Unpack

import click

from dpaudit.audit.sandbox.session import Limits
from dpaudit.cli import options
from dpaudit.cli.collected import collection
from dpaudit.cli.flags import RunFlags
from dpaudit.cli.running import carry_out
from dpaudit.content.items import Loaded
from dpaudit.records.target import Control, Target
from dpaudit.runs.settings import Part


@click.command(name="controls")
@click.argument("names", nargs=-1, metavar="[CONTROL]...")
@options.run_options
@options.audits_option
def command(names: tuple[str, ...], **flags: Unpack[RunFlags]) -> None:
    """Audit the controls, which test the auditor itself.

    Known-bad targets must be refuted, null targets must not be. All controls run, or those named.
    """
    limits = Limits(flags["time_limit"], flags["memory_limit"])
    chosen = names or tuple(
        item.name
        for item in collection("targets", None, flags["audits"], limits, flags["isolate"])
        if isinstance(item, Loaded) and isinstance(item.record, Target) and item.record.control is not Control.NONE
    )
    carry_out("controls", (Part.AUDIT,), chosen, **flags)
