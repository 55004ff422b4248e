"""Where in the program under audit a random function is called."""

from __future__ import annotations

import os
import sys
from functools import cache
from pathlib import Path
from types import CodeType

import dpaudit

_DEPTH = 3
"""How many frames of the program tell its call sites apart: a helper for noise is called from several places."""
_OURS = str(Path(dpaudit.__file__).parent / "audit")
_HARNESS = tuple(os.path.join(_OURS, name) for name in ("alignment", "structural", "sandbox"))
_ADAPTERS = str(Path(dpaudit.__file__).parent / "adapters")
_LIBRARIES = ("torch", "numpy", "functorch")
_STANDARD = os.path.dirname(os.__file__)


def call_site() -> str:
    """The places of the nearest frames outside libraries and this package, nearest first.

    Folders are left out, so that a training draws the same wherever it lies.
    """
    frame, found = sys._getframe(1), list[str]()
    while frame is not None and len(found) < _DEPTH:
        name = frame.f_code.co_filename
        if _harness(name) and found:
            break
        if _counts(name):
            found.append(_place(frame.f_code, frame.f_lasti))
        frame = frame.f_back  # type: ignore[assignment]
    return " < ".join(found)


def shown(site: str) -> str:
    """File and line of the nearest frame."""
    return site.split(" < ")[0].partition("@")[0] or "an unknown place"


def shown_with_caller(site: str) -> str:
    """The same, and where that was called: one helper may draw for several purposes."""
    nearest, *callers = (shown(frame) for frame in site.split(" < "))
    return f"{nearest} (called at {callers[0]})" if callers else nearest


@cache
def _place(code: CodeType, instruction: int) -> str:
    """File, line and column."""
    line, _, column, _ = list(code.co_positions())[instruction // 2]
    return f"{os.path.basename(code.co_filename)}:{line}@{column}"


@cache
def _harness(name: str) -> bool:
    return name.startswith((*_HARNESS, _ADAPTERS))


@cache
def _counts(name: str) -> bool:
    """Is the file a part of the program under audit?"""
    if name.startswith("<frozen") or _harness(name):
        return False
    folders = Path(name).parts
    if "site-packages" in folders:
        return folders[folders.index("site-packages") + 1] not in _LIBRARIES
    return not name.startswith(_STANDARD)


def described(misaligned: tuple[str, ...]) -> str:
    """What could not be aligned, for a sentence."""
    return ", ".join(dict.fromkeys(shown(one) for one in misaligned))
