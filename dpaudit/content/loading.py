"""Finds claims, algorithms and targets by path and loads each file on its own.

A file that cannot be loaded becomes a `Broken`, which the run turns into a verdict:
never a crash of the run, never a silent skip. Two records of one name, or a name that
nothing carries, are wrong arguments (exit code 2).
"""

from __future__ import annotations

import hashlib
import importlib
import sys
from collections.abc import Callable, Iterable
from pathlib import Path
from types import ModuleType
from typing import Any

from dpaudit.agreement.forms import Forms
from dpaudit.content.claim_folders import load_folder
from dpaudit.content.faults import describe, lacks_package
from dpaudit.content.items import Broken, Item, Loaded, refuse_duplicates
from dpaudit.content.places import PACKAGE, content_files, in_claim_folder, is_hidden, shown
from dpaudit.records.algorithm import Algorithm
from dpaudit.records.claim import Claim
from dpaudit.records.errors import ContentError
from dpaudit.records.target import Target


def load_module(path: Path) -> ModuleType:
    """Execute the file `path` under a name of its own; the same bytes are executed once per process.

    It can import what lies beside it: its folder is looked at last. The `claim.py` of a claim's folder comes with its
    parts, as a package of its own (`claim_folders`).
    """
    if in_claim_folder(path):
        return load_folder(path.parent)
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
    """Every algorithm of the package `dpaudit.algorithms`, in the order of papers and folders.

    An algorithm is a folder of a paper's folder whose `__init__.py` defines ALGORITHM; the others hold what several share.
    """
    home = PACKAGE / "algorithms"
    files = [
        p
        for p in sorted(home.glob("*/*/__init__.py"))
        if not is_hidden(p.parent.relative_to(home)) and _defines_algorithm(p)
    ]
    names = {path: ".".join(path.parent.relative_to(PACKAGE.parent).parts) for path in files}
    return _load(files, lambda path: importlib.import_module(names[path]), "ALGORITHM", Algorithm)


def forms_of(code: ModuleType) -> Forms:
    """What the folder of an algorithm holds; ContentError without the file `cases.py`."""
    algorithm, beside = code.ALGORITHM, Path(str(code.__file__)).parent
    if not (beside / "cases.py").is_file():
        raise ContentError(
            f"{shown(beside)} has no cases.py; its agreement_cases(seed) says on what to compare the forms"
        )
    cases = importlib.import_module(f"{code.__name__}.cases").agreement_cases
    if not (beside / "reductions.py").is_file():
        return Forms(algorithm, code, cases)
    return Forms(algorithm, code, cases, importlib.import_module(f"{code.__name__}.reductions").reductions)


def _defines_algorithm(path: Path) -> bool:
    """Does this file assign ALGORITHM? Read as text, so that one that cannot be imported is found, too."""
    return any(line.startswith("ALGORITHM") for line in path.read_text(encoding="utf-8").splitlines())


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
