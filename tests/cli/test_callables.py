"""Functions of somebody else behind the commands: they run in a sandbox, and errors name what was asked for."""

from __future__ import annotations

import os
from pathlib import Path

import numpy as np
import pytest
from small_content import write

from dpaudit.cli import callables
from dpaudit.confinement.limits import Limits
from dpaudit.records.errors import ConfigurationError

LIMITS = Limits(seconds=60.0)


@pytest.mark.parametrize("isolate", [True, False])
def test_a_function_runs_in_another_process_unless_asked_otherwise(tmp_path: Path, isolate: bool) -> None:
    where = f"import os\nHERE = os.getcwd() == {os.getcwd()!r}\n"
    write(tmp_path / "mine.py", f"{where}def bound(x, y, delta, alpha):\n    return float(HERE)\n")
    with callables.playing("auditor", f"{tmp_path / 'mine.py'}:bound", LIMITS, isolate) as [audit]:
        assert audit.bounds is not None
        same = audit.bounds(np.zeros(1), np.zeros(1), 1e-5, 0.05)
    assert same == (not isolate)


def test_a_file_imports_what_lies_beside_it(tmp_path: Path) -> None:
    write(tmp_path / "beside_of_mine.py", "NUMBER = 7\n")
    write(
        tmp_path / "mine.py", "from beside_of_mine import NUMBER\ndef bound(x, y, delta, alpha):\n    return NUMBER\n"
    )
    with callables.playing("auditor", f"{tmp_path / 'mine.py'}:bound", LIMITS, True) as [audit]:
        assert audit.bounds is not None
        assert audit.bounds(np.zeros(1), np.zeros(1), 1e-5, 0.05) == 7


def test_an_error_names_the_function_and_not_the_file_that_was_written(tmp_path: Path) -> None:
    write(tmp_path / "mine.py", "def bound(x):\n    return 0\n")
    place = f"{tmp_path / 'mine.py'}:bound"
    with (
        pytest.raises(ConfigurationError, match=r"mine.py:bound: bound is called with") as caught,
        callables.playing("auditor", place, LIMITS, True),
    ):
        pass
    assert callables.FILE not in str(caught.value)


def test_reasons_are_without_the_classes_that_carried_them() -> None:
    assert callables.reason("SandboxError: ValueError: x") == callables.reason("ContentError: ValueError: x")
    assert callables.reason("ValueError: x") == "ValueError: x"
    assert callables.reason(f"SandboxError: callable-1/{callables.FILE}: MemoryError: y") == "MemoryError: y"
