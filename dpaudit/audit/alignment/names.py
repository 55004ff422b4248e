"""Functions of libraries, replaced for a while wherever the program under audit finds them."""

from __future__ import annotations

import sys
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from functools import cache, lru_cache
from pathlib import Path
from types import ModuleType
from typing import Any

Function = Callable[..., Any]
Replaced = dict[int, tuple[Function, Function]]
"""What is replaced, and by what, by the identity of the first."""


@contextmanager
def replaced(others: Replaced, libraries: Sequence[ModuleType]) -> Iterator[None]:
    """In this context the libraries, and the modules of the program that have imported from them, have the others."""
    changed: list[tuple[dict[str, Any], str, Any]] = []
    try:
        for names in (*map(vars, libraries), *_programs()):
            for name, value in list(names.items()):
                other = others.get(id(value))
                if other is not None and other[0] is value:
                    changed.append((names, name, value))
                    names[name] = other[1]
        yield
    finally:
        for names, name, value in reversed(changed):
            names[name] = value


def _programs() -> Iterator[dict[str, Any]]:
    """The names of the modules that belong to no library, and of trainings that came with this package."""
    for name in _program_names(len(sys.modules), next(reversed(sys.modules))):
        if name in sys.modules:
            yield vars(sys.modules[name])


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
    return not name.startswith("dpaudit.") or name.startswith("dpaudit.audit.planted.")
