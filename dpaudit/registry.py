"""Finds claims, algorithms and targets by path and loads each file on its own.

A file that cannot be loaded becomes a `Broken`, which the run turns into a verdict:
never a crash of the run, never a silent skip. Two records of one name, or a name that
nothing carries, are wrong arguments (exit code 2).
"""

from __future__ import annotations

import hashlib
import importlib
import pkgutil
import sys
from collections.abc import Callable, Iterable
from pathlib import Path
from types import ModuleType
from typing import Any

from dpaudit.algorithm import Algorithm
from dpaudit.claim import Claim
from dpaudit.errors import ContentError
from dpaudit.faults import describe, lacks_package
from dpaudit.items import Broken, Item, Loaded, refuse_duplicates
from dpaudit.places import content_files, shown
from dpaudit.target import Target


def load_module(path: Path) -> ModuleType:
    """Execute the file `path` under a name of its own; the same bytes are executed once per process.

    It can import what lies beside it: its folder is looked at last.
    """
    if str(path.resolve().parent) not in sys.path:
        sys.path.append(str(path.resolve().parent))
    content = path.read_bytes()
    digest = hashlib.sha256(str(path.resolve()).encode() + b"\0" + content).hexdigest()[:16]
    name = f"dpaudit_content_{path.stem}_{digest}"
    if name in sys.modules:
        return sys.modules[name]
    module = ModuleType(name)
    module.__file__ = str(path)
    sys.modules[name] = module
    try:
        # Not through the import system: its byte code cache takes a change within one second for none.
        exec(compile(content, str(path), "exec"), module.__dict__)
    except BaseException:
        del sys.modules[name]
        raise
    return module


def load_claims(paths: Iterable[Path]) -> tuple[Item, ...]:
    """Every claim of the files under `paths`, in the order of the files."""
    return _load(content_files(paths), load_module, "CLAIM", Claim)


def load_targets(paths: Iterable[Path]) -> tuple[Item, ...]:
    """Every audit target of the files under `paths`, in the order of the files.

    A file defines TARGET and the functions beside it, or AUDIT (or AUDITS, a tuple): objects of `dpaudit.adapters` that
    carry the same names.
    """
    return _load(content_files(paths), load_module, "TARGET", Target)


def load_algorithms() -> tuple[Item, ...]:
    """Every algorithm of the package `dpaudit.algorithms`, in the order of the files."""
    package = importlib.import_module("dpaudit.algorithms")
    names = sorted(m.name for m in pkgutil.iter_modules(package.__path__) if m.name[0] != "_")
    files = {Path(package.__path__[0]) / f"{name}.py": f"dpaudit.algorithms.{name}" for name in names}
    return _load(files, lambda path: importlib.import_module(files[path]), "ALGORITHM", Algorithm)


def _load(files: Iterable[Path], loader: Callable[[Path], ModuleType], variable: str, kind: type) -> tuple[Item, ...]:
    items: list[Item] = []
    for path in files:
        try:
            module = loader(path)
            carriers = _audits(module, path) if kind is Target else (module,)
            items.extend(
                Loaded(r, carrier, path) for carrier in carriers for r in _records(carrier, path, variable, kind)
            )
        except (Exception, SystemExit) as error:  # whatever a content file does, the run goes on
            items.append(Broken(shown(path).removesuffix(".py"), path, describe(error, path), lacks_package(error)))
    refuse_duplicates(items)
    return tuple(items)


def _audits(module: ModuleType, path: Path) -> tuple[Any, ...]:
    """What carries the targets of a file: the objects of AUDIT or AUDITS, else the file itself."""
    given = [name for name in ("TARGET", "AUDIT", "AUDITS") if hasattr(module, name)]
    if len(given) > 1:
        raise ContentError(f"{shown(path)} defines both {' and '.join(given)}; one of them would never run")
    if not given:
        raise ContentError(f"{shown(path)} defines no TARGET, AUDIT or AUDITS; see: dpaudit init audit")
    if given == ["TARGET"]:
        return (module,)
    carriers = (module.AUDIT,) if given == ["AUDIT"] else module.AUDITS
    wrong = [c for c in carriers if not hasattr(c, "TARGET")] if isinstance(carriers, tuple) else [carriers]
    if wrong or not carriers:
        got = type(wrong[0]).__name__ if wrong else "an empty tuple"
        raise ContentError(f"{shown(path)}: {given[0]} must hold what dpaudit.adapters makes, got {got}")
    return tuple(carriers)


def _records(module: Any, path: Path, variable: str, kind: type) -> tuple[Any, ...]:
    several = variable + "S"
    names = (variable, several) if kind is Claim else (variable,)
    given = [name for name in names if hasattr(module, name)]
    if len(given) > 1:
        raise ContentError(f"{shown(path)} defines both {' and '.join(given)}; one of them would never run")
    value = getattr(module, given[0]) if given else None
    if value is None:
        raise ContentError(f"{shown(path)} defines no {' or '.join(names)}; it must hold a {kind.__name__} record")
    records = value if isinstance(value, tuple) and kind is Claim else (value,)
    wrong = [r for r in records if not isinstance(r, kind)]
    if wrong or not records:
        got = type(wrong[0]).__name__ if wrong else "an empty tuple"
        raise ContentError(f"{shown(path)}: {variable} must be a {kind.__name__} record, got {got}")
    return records
