"""Plays a function of somebody else for the commands that audit auditors and accountants."""

from __future__ import annotations

import contextlib
import re
import tempfile
from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import TYPE_CHECKING

from dpaudit.audit.sandbox import isolation
from dpaudit.confinement.limits import Limits
from dpaudit.content.audits import Audit
from dpaudit.records.errors import ConfigurationError, ContentError

if TYPE_CHECKING:
    from dpaudit.audit.accountant_grid import Cell

FILE = "callable_target.py"
_PLACE = re.compile(rf"^.*?{re.escape(FILE)}(?:, line \d+)?: ")
"""How an error of the file that is written here begins; whoever named a function knows nothing of it."""


def reason(said: str) -> str:
    """What was raised by the function, without the classes of errors that it came through and the file written here."""
    return _PLACE.sub("", said.removeprefix("SandboxError: ").removeprefix("ContentError: "))


@contextlib.contextmanager
def playing(
    kind: str, place: str, limits: Limits, isolate: bool, cells: Sequence[Cell] = ()
) -> Iterator[tuple[Audit, ...]]:
    """The function at `place` as audits to be played, in a sandbox unless not `isolate`; see `adapters.callables`.

    ConfigurationError if it is not found, or cannot be called as it must be.
    """
    from dpaudit.adapters import callables

    with tempfile.TemporaryDirectory(prefix="callable-") as folder, contextlib.ExitStack() as opened:
        path = Path(folder, FILE)
        path.write_text(callables.written(kind, callables.located(place), cells), encoding="utf-8")
        try:
            items = opened.enter_context(isolation.all_playing(path, limits, isolate))
        except ContentError as error:
            raise ConfigurationError(f"{place}: {_PLACE.sub('', str(error))}") from error
        yield tuple(item.carrier for item in items)
