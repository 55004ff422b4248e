"""Functions of other people: how they are named, found, called, and what is said of those that are wrong."""

from __future__ import annotations

import math
from pathlib import Path
from types import SimpleNamespace
from typing import Any

import numpy as np
import pytest
from small_content import write

from dpaudit.adapters import callables
from dpaudit.audit.accountant_grid import Cell
from dpaudit.content.audits import Audit
from dpaudit.content.loading import load_targets
from dpaudit.records.errors import ConfigurationError, ContentError

CELL = Cell(1.0, 1.0, 1, 1e-5)
BOUND = "def bound(x, y, delta, alpha):\n    return "


def bounds(path: Path, value: str, name: str = "bound") -> Any:
    write(path, BOUND + value + "\n")
    found = callables.auditor(callables.located(f"{path}:{name}")).bounds
    assert found is not None
    return found(np.zeros(2), np.ones(3), 1e-5, 0.05)


@pytest.mark.parametrize(
    ("value", "expected"),
    [("len(x) + len(y) + delta + alpha", 5.05001), ("__import__('numpy').float32(2)", 2.0), ("float('inf')", math.inf)],
)
def test_a_bound_gets_its_arguments_by_place(tmp_path: Path, value: str, expected: float) -> None:
    assert bounds(tmp_path / "mine.py", value) == pytest.approx(expected)


def test_a_record_may_carry_the_bound(tmp_path: Path) -> None:
    value = "__import__('types').SimpleNamespace(epsilon_lower=0.5, mu_lower=3.0)"
    assert bounds(tmp_path / "mine.py", value) == 0.5


def test_what_a_function_raises_is_told_with_its_class(tmp_path: Path) -> None:
    with pytest.raises(ContentError, match=r"^ZeroDivisionError: division by zero$"):
        bounds(tmp_path / "mine.py", "1 / 0")


def test_a_function_of_a_module(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(math, "mine", lambda s, q, T, d: s + q + T + d, raising=False)
    [audit] = callables.accountant("math:mine", [CELL.arguments])
    assert audit.accounts is not None
    [account] = audit.accounts()
    assert account.epsilon == 3 + 1e-5
    assert (account.mechanism, account.delta) == (CELL.mechanism, 1e-5)


@pytest.mark.parametrize(
    ("place", "reason"),
    [
        ("mine.py", "names no function"),
        (":bound", "names no function"),
        ("mine.py:not a name", "names no function"),
        ("no_such_file.py:bound", "there is no file 'no_such_file.py'"),
    ],
)
def test_places_that_name_nothing(place: str, reason: str) -> None:
    with pytest.raises(ContentError, match=reason):
        callables.located(place)


@pytest.mark.parametrize(
    ("place", "reason"),
    [
        ("no_such_module_here:bound", "there is no module 'no_such_module_here'"),
        ("math:copysin", "no function 'copysin'; did you mean 'copysign'"),
        ("math:pi", "pi must be a function, got float"),
        ("textwrap:dedent", r"is called with \(scores_in, scores_out, delta, alpha\), by place, and takes \(text\)"),
    ],
)
def test_functions_that_cannot_be_called(place: str, reason: str) -> None:
    with pytest.raises((ContentError, ConfigurationError), match=reason):
        callables.auditor(callables.located(place))


def test_written_files_are_targets(tmp_path: Path) -> None:
    write(tmp_path / "mine.py", BOUND + "0\n")
    place = callables.located(f"{tmp_path / 'mine.py'}:bound")
    write(tmp_path / "one.py", callables.written("auditor", place))
    write(tmp_path / "many.py", callables.written("accountant", place, [CELL, Cell(2.0, 0.5, 3, 1e-6)]))
    [one], many = load_targets([tmp_path / "one.py"]), load_targets([tmp_path / "many.py"])
    assert [item.name for item in (one, *many)] == ["callable", "callable-0", "callable-1"]
    assert all(isinstance(getattr(item, "carrier", SimpleNamespace()), Audit) for item in (one, *many))
