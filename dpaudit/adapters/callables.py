"""Functions of other people that bound or account for epsilon, found by name, as audits.

`auditor(place)` and `accountant(place, cells)` make them of MODULE:FUNCTION or FILE.py:FUNCTION. `written` is the text
of a target file that does so, which `audit.sandbox.isolation` plays in a sandbox.
"""

from __future__ import annotations

import importlib
import math
import sys
from collections.abc import Callable, Sequence
from functools import partial
from pathlib import Path
from typing import Any

import numpy as np

from dpaudit.adapters.base import check_called
from dpaudit.audit.accountant_grid import NEIGHBOURS, Cell
from dpaudit.audit.accounts import Account
from dpaudit.content.audits import Audit
from dpaudit.content.loading import load_module
from dpaudit.records.errors import ContentError, DpauditError, nearest
from dpaudit.records.privacy import ApproximateDP, PrivacyClaim, View
from dpaudit.records.target import Target

AUDITOR = ("scores_in", "scores_out", "delta", "alpha")
ACCOUNTANT = ("noise_multiplier", "sampling_rate", "steps", "delta")
"""What such functions are called with, by place."""
NAME = "callable"
"""Of the target of an auditor; those of an accountant have the number of their cell after it."""
_FIELD = "epsilon_lower"


def written(kind: str, place: str, cells: Sequence[Cell] = ()) -> str:
    """The text of a target file. kind: auditor or accountant; place: of the function, files by their absolute path."""
    given = f"{place!r}, {[cell.arguments for cell in cells]!r}" if kind == "accountant" else repr(place)
    name = "AUDITS" if kind == "accountant" else "AUDIT"
    return f"import sys\nfrom dpaudit.adapters import callables\nsys.path.append({str(Path.cwd())!r})\n" + (
        f"{name} = callables.{kind}({given})\n"
    )


def located(place: str) -> str:
    """`place` with the absolute path of its file, if it names one; ContentError for what names no function."""
    home, colon, name = place.rpartition(":")
    if not (home and colon and name.isidentifier()):
        raise ContentError(f"{place!r} names no function: write module:function or file.py:function")
    if not home.endswith(".py"):
        return place
    if not Path(home).is_file():
        raise ContentError(f"{place!r}: there is no file {home!r}")
    return f"{Path(home).resolve()}:{name}"


def auditor(place: str) -> Audit:
    """The audit of a lower bound on epsilon; ContentError if it is not found or cannot be called with AUDITOR."""
    function = _found(place, AUDITOR)
    return Audit(_target(NAME, "Lower bound on epsilon"), bounds=lambda *given: _number(_called(function, *given)))


def accountant(place: str, cells: Sequence[tuple[float, float, int, float]]) -> tuple[Audit, ...]:
    """One audit a cell; ContentError if the function is not found or cannot be called with ACCOUNTANT."""
    function = _found(place, ACCOUNTANT)
    return tuple(
        Audit(_target(f"{NAME}-{number}", "Accountant"), accounts=partial(_states, function, Cell(*cell)))
        for number, cell in enumerate(cells)
    )


def _states(function: Callable[..., Any], cell: Cell) -> list[Account]:
    return [cell.stated(_number(_called(function, *cell.arguments)))]


def _called(function: Callable[..., Any], *given: Any) -> Any:
    """What the function gives; ContentError with what it raises, in words without the place of a written file."""
    try:
        return function(*given)
    except (DpauditError, MemoryError):
        raise
    except Exception as error:
        raise ContentError(f"{type(error).__name__}: {error}") from error


def _number(found: Any) -> float:
    """The bound, or that of a record which has it as `epsilon_lower`."""
    value = getattr(found, _FIELD, found)
    said = f"it must return a number, got {type(value).__name__}"
    if isinstance(value, (bool, np.bool_, str, bytes)):
        raise ContentError(said)
    try:
        return float(value)
    except (TypeError, ValueError) as error:
        raise ContentError(said) from error


def _target(name: str, title: str) -> Target:
    claim = PrivacyClaim(ApproximateDP(math.inf, 0.0), NEIGHBOURS, 1e-5, "what the function states")
    return Target(name=name, title=title, view=View.TRANSCRIPT, claim=claim, trials=None, effect="it is wrong")


def _found(place: str, arguments: tuple[str, ...]) -> Callable[..., Any]:
    home, _, name = place.rpartition(":")
    module = load_module(Path(home)) if home.endswith(".py") else _imported(home)
    found: Callable[..., Any] | None = getattr(module, name, None)
    if found is None:
        near = nearest(name, vars(module), most=1)
        raise ContentError(f"there is no function {name!r}" + (f"; did you mean {near[0]!r}?" if near else ""))
    check_called(name, found, *arguments)
    return found


def _imported(name: str) -> Any:
    try:
        return importlib.import_module(name)
    except ModuleNotFoundError as error:
        if error.name is None or not f"{name}.".startswith(f"{error.name}."):
            raise
        raise ContentError(
            f"there is no module {error.name!r} on the path of {Path(sys.executable).name}; install it, or name a file"
        ) from error
