"""Functions of libraries that are replaced for a while."""

from __future__ import annotations

import math
import sys
from math import sqrt
from types import ModuleType

import pytest

from dpaudit.audit.alignment import names


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
