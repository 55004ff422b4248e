"""The command `judge`: whether an answer settles what is open."""

from __future__ import annotations

import contextlib
import shutil
from collections.abc import Iterator
from datetime import UTC, datetime
from pathlib import Path
from typing import TYPE_CHECKING

import click

from dpaudit.cli import options
from dpaudit.cli.output import complain, writer
from dpaudit.records.verdict import ExitCode, Outcome
from dpaudit.report.formats import text

if TYPE_CHECKING:
    from dpaudit.claims.challenges.confined import Confined

_SHARED = 1 << 30
"""Bytes of the shared memory of an answer."""
_MEMORY = 16 << 30
"""Bytes of each process of an answer."""
_LIMITS = ("prlimit", f"--as={_MEMORY}", f"--fsize={1 << 30}")
"""Words before those of an answer: bytes of its memory, and of each file that it writes."""


@click.command(name="judge")
@click.argument("file", type=click.Path(dir_okay=False, path_type=Path))
@click.option(
    "--challenge", "name", metavar="ID", required=True, help="What the FILE answers; dpaudit challenge lists it."
)
@click.option("--value", default="", metavar="VALUE", help="Of a constant: the value that a Coq file is about.")
@options.proofs_option
@options.listing_options
@options.verbose_option
@click.pass_context
def command(
    context: click.Context, file: Path, name: str, value: str, proofs: Path | None, form: str, output: Path | None
) -> None:
    """Judge an answer to a challenge.

    FILE: a claim file or a Coq file, which is run in a sandbox, or a certificate. It is accepted if the independent
    checker accepts a certificate of exactly the statement that is asked, which rests on nothing but statements of the
    papers that are proved without this one; or if Coq accepts a theorem of that statement that rests on the axioms of
    the real numbers alone. Else the exit code is 1.
    """
    from dpaudit.claims.challenges import answers, holders, unsettled

    found = answers.judge(file, unsettled.find(name, proofs), lambda: _confined(file), value)
    said = found.reason or f"it is {found.outcome.lower()}" + (f" for {found.value}" if found.value else "")
    row = {"state": "refused" if found.reason else "accepted", "name": found.asked, "detail": said}
    if not found.reason:
        row |= {"rests on": ", ".join(found.assuming) or "nothing but the checks", "judge": found.judge}
    with writer(output) as write:
        write(text.listing([row], form))
    if not found.reason and found.value:
        word = Outcome(found.outcome).word
        complain(f"put {found.value} into the claim file as what is {word}, and into {holders.FILE} of the paper:")
        complain(holders.entry(found.asked, word, found.value, datetime.now(UTC).date()))
    context.exit(int(ExitCode.REFUTED if found.reason else ExitCode.EXPECTED))


@contextlib.contextmanager
def _confined(file: Path) -> Iterator[Confined]:
    """A sandbox for an answer, as strong as this machine allows: what that of a target has."""
    from dpaudit.audit.sandbox import session
    from dpaudit.claims.challenges.confined import Confined
    from dpaudit.confinement import control_groups, namespaces, scratch

    namespaces.hide()
    with scratch.made(namespaces.FOLDER) as folder, control_groups.made(_MEMORY) as group:
        joins, overrun = ((), bool) if group is None else (group.words, group.overrun)
        words = namespaces.command(folder, file.resolve(), _SHARED, network=False)
        limits = _LIMITS if shutil.which(_LIMITS[0]) else ()
        before = (*joins, *words, *limits)
        yield Confined(folder, before, session.environment(folder), namespaces.strength()[0], overrun)
