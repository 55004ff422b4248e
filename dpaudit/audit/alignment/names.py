"""Functions of libraries, replaced for a while wherever the program under audit finds them."""

from __future__ import annotations

import sys
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass
from functools import cache, lru_cache
from itertools import chain
from operator import is_
from pathlib import Path
from types import ModuleType
from typing import Any

from dpaudit.content.claim_folders import CLAIM_PACKAGE

Names = dict[str, Any]
Function = Callable[..., Any]
Replaced = dict[int, tuple[Function, Function]]
"""What is replaced, and by what, by the identity of the first."""


@contextmanager
def replaced(others: Replaced, libraries: Sequence[ModuleType]) -> Iterator[None]:
    """In this context the libraries, and the modules of the program that have imported from them, have the others."""
    changed: list[tuple[Names, str, Any]] = []
    try:
        for names, name in _places(others, [*map(vars, libraries), *_programs()]):
            changed.append((names, name, names[name]))
            names[name] = others[id(names[name])][1]
        yield
    finally:
        for names, name, value in reversed(changed):
            names[name] = value


def _places(others: Replaced, spaces: list[Names]) -> list[tuple[Names, str]]:
    """The names in `spaces` of what is replaced. They are looked up one by one only where something has another name or
    value than at the last time: a training is run hundreds of times, among the names of thousands of modules."""
    values = list(chain.from_iterable(map(dict.values, spaces)))
    last = _LAST.get(tuple(others))
    if last is None or not (_same(last.spaces, spaces) and _same(last.values, values) and last.holds(others)):
        found = [
            (names, name)
            for names in spaces
            for name, value in list(names.items())
            if id(value) in others and others[id(value)][0] is value
        ]
        last = _Looked(spaces, values, found)
        if len(_LAST) >= MOST_KEPT:
            _LAST.clear()
        _LAST[tuple(others)] = last
    return last.found


@dataclass(frozen=True)
class _Looked:
    """found: all names in `spaces` of what is replaced, when these had `values`."""

    spaces: list[Names]
    values: list[Any]
    found: list[tuple[Names, str]]

    def holds(self, others: Replaced) -> bool:
        """Does each of the names stand for something that is replaced?"""
        return all(id(names.get(name)) in others for names, name in self.found)


_LAST: dict[tuple[int, ...], _Looked] = {}
MOST_KEPT = 4


def _same(one: Sequence[object], two: Sequence[object]) -> bool:
    return len(one) == len(two) and all(map(is_, one, two))


def _programs() -> Iterator[Names]:
    """The names of the modules that belong to no library, and of trainings that came with this package."""
    known = map(sys.modules.get, _program_names(len(sys.modules), next(reversed(sys.modules))))
    return map(vars, filter(None, known))


@lru_cache(maxsize=1)
def _program_names(count: int, last: str) -> tuple[str, ...]:
    """Their names; count, last: of the imported modules, thousands, which are gone through when another one came."""
    known = [(name, getattr(module, "__file__", None)) for name, module in list(sys.modules.items())]
    return tuple(name for name, file in known if _is_program(name, file))


@cache
def _is_program(name: str, file: str | None) -> bool:
    if name == "__main__":
        return True
    if file is None or "site-packages" in Path(file).parts or name.partition(".")[0] in sys.stdlib_module_names:
        return False
    own = name.startswith(("dpaudit.", CLAIM_PACKAGE))  # claims are declarations, and in a run there are hundreds
    return not own or name.startswith("dpaudit.audit.planted.")
