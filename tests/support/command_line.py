"""The command line of dpaudit in this process."""

from __future__ import annotations

from pathlib import Path

from click.testing import CliRunner, Result

from dpaudit.cli.main import program


def dpaudit(*words: str | Path, **more: object) -> Result:
    """What the command of these words does; more: for `CliRunner.invoke`."""
    return CliRunner().invoke(program, [str(word) for word in words], **more)  # type: ignore[arg-type]
