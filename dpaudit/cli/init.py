"""The command `init`: files to start from."""

from __future__ import annotations

from pathlib import Path

import click

from dpaudit.cli import options, starters


@click.command(name="init")
@click.argument("what", type=click.Choice(starters.WHATS))
@click.argument("path", required=False, type=click.Path(path_type=Path))
@click.option("--kind", type=click.Choice(starters.KINDS), default=starters.KINDS[0], show_default=True,
              help="Kind of code that is audited.")  # fmt: skip
@click.option("--force", is_flag=True, help="Replace a file that exists.")
@options.verbose_option
def command(what: str, path: Path | None, kind: str, force: bool) -> None:
    """Write a starter file that runs as it stands.

    The next command to type is printed.
    """
    chosen = starters.starter(what, kind, path)
    starters.write(chosen, force)
    click.echo(str(chosen.path))
    click.echo(f"change what is marked, then: {chosen.next}", err=True)
