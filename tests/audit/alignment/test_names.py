"""Functions of libraries that are replaced for a while."""

from __future__ import annotations

import math
import sys
from math import sqrt
from pathlib import Path
from types import ModuleType

import pytest

from dpaudit.audit.alignment import names
from dpaudit.content.claim_folders import load_folder, modules_of


def other(x: float) -> float:
    """In the place of the square root."""
    return -x


def test_the_library_and_the_program_have_the_other_function_and_get_their_own_back() -> None:
    own = sqrt
    with names.replaced({id(own): (own, other)}, (math,)):
        assert sqrt(4.0) == math.sqrt(4.0) == -4.0
    assert sqrt is math.sqrt is own
    with pytest.raises(ValueError, match="math domain error"), names.replaced({id(own): (own, other)}, (math,)):
        own(-1.0)
    assert sqrt is math.sqrt is own


def test_modules_of_libraries_keep_what_they_have_imported(monkeypatch: pytest.MonkeyPatch) -> None:
    module = ModuleType("a_library")
    module.__file__ = "/usr/lib/python3/site-packages/a_library.py"
    vars(module)["sqrt"] = sqrt
    monkeypatch.setitem(sys.modules, "a_library", module)
    with names.replaced({id(sqrt): (sqrt, other)}, (math,)):
        assert vars(module)["sqrt"](4.0) == 2.0
        assert math.sqrt(4.0) == -4.0


def test_claims_are_no_programs(tmp_path: Path) -> None:
    folder = tmp_path / "lem_1"
    folder.mkdir()
    (folder / "claim.py").write_text("from .numbers import sqrt\n")
    (folder / "numbers.py").write_text("from math import sqrt\n")
    claim = load_folder(folder)
    for module in (claim, *modules_of(claim)):
        assert found_in(module, "sqrt") == 2.0


def found_in(module: ModuleType, name: str) -> float:
    """What the square root of 4 is under a name of a module, while it is replaced."""
    with names.replaced({id(sqrt): (sqrt, other)}, (math,)):
        return float(vars(module)[name](4.0))


def test_a_name_that_changes_between_two_times_is_seen(monkeypatch: pytest.MonkeyPatch) -> None:
    """None of them changes how many names there are, and some not even the values in their order."""
    module = ModuleType("a_program")
    module.__file__ = "/home/me/a_program.py"
    monkeypatch.setitem(sys.modules, "a_program", module)
    vars(module).update(root=sqrt, power=pow)
    assert found_in(module, "root") == -4.0
    vars(module).update(power=sqrt)
    assert (found_in(module, "root"), found_in(module, "power")) == (-4.0, -4.0)
    vars(module).update(root=abs)
    assert (found_in(module, "root"), found_in(module, "power")) == (4.0, -4.0)
    del vars(module)["power"]
    vars(module)["radical"] = sqrt
    assert found_in(module, "radical") == -4.0
    assert "power" not in vars(module)
    again = ModuleType("a_program")
    vars(again).clear()
    vars(again).update(vars(module))
    monkeypatch.setitem(sys.modules, "a_program", again)
    assert found_in(again, "radical") == -4.0
    assert vars(again)["radical"] is sqrt
