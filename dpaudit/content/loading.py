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
from contextvars import ContextVar
from dataclasses import replace
from pathlib import Path
from types import ModuleType
from typing import TypeVar

from dpaudit.agreement.forms import Forms
from dpaudit.content import places
from dpaudit.content.audits import Audit, audit_of
from dpaudit.content.claim_folders import load_folder
from dpaudit.content.declarations import refuse_actions
from dpaudit.content.faults import describe, lacks_package, machine_failed
from dpaudit.content.items import AlgorithmItem, Broken, ClaimItem, Loaded, TargetItem, refuse_duplicates
from dpaudit.content.places import PACKAGE, in_claim_folder, is_hidden, shown
from dpaudit.records.algorithm import Algorithm
from dpaudit.records.claim import Claim
from dpaudit.records.errors import ContentError
from dpaudit.records.target import Target

Found = TypeVar("Found", Loaded[Claim, ModuleType], Loaded[Target, Audit], Loaded[Algorithm, Forms])


_EXECUTED: ContextVar[Path | None] = ContextVar("executed", default=None)


def home() -> Path:
    """The folder of the content file that is being executed; the working directory where none is."""
    file = _EXECUTED.get()
    return Path.cwd() if file is None else places.real(file).parent


def load_module(path: Path) -> ModuleType:
    """Execute the file `path` under a name of its own; the same bytes are executed once per process.

    It can import what lies beside it: its folder is looked at last.
    """
    place = places.real(path)
    if str(place.parent) not in sys.path:
        sys.path.append(str(place.parent))
    content = places.python_bytes(path)
    digest = hashlib.sha256(str(place).encode() + b"\0" + content).hexdigest()[:16]
    name = f"dpaudit_content_{path.stem}_{digest}"
    if name in sys.modules:
        return sys.modules[name]
    module = ModuleType(name)
    module.__file__ = str(path)
    sys.modules[name] = module
    token = _EXECUTED.set(path)
    try:
        # Not through the import system: its byte code cache takes a change within one second for none.
        exec(compile(content, str(path), "exec"), module.__dict__)
    except BaseException:
        del sys.modules[name]
        raise
    finally:
        _EXECUTED.reset(token)
    return module


def load_claim_module(path: Path) -> ModuleType:
    """As `load_module`, of a claim file; the `claim.py` of a claim's folder comes with its parts, as a package of its
    own (`claim_folders`)."""
    return load_folder(path.parent) if in_claim_folder(path) else load_module(path)


def load_claims(paths: Iterable[Path]) -> tuple[ClaimItem, ...]:
    """Every claim of the files under `paths`, in the order of the files: their CLAIM, or the tuple CLAIMS."""
    return _load(places.files_of_claims(paths), _claims)


def load_targets(paths: Iterable[Path]) -> tuple[TargetItem, ...]:
    """Every audit target of the files under `paths`, in the order of the files.

    A file defines AUDIT, or a tuple AUDITS: Audit records, or objects of `dpaudit.adapters`. Or it is the only target
    itself, with TARGET and its functions as names of the file. ERROR_SHARE is the part of the error budget that its
    targets share.
    """
    return _load(places.files_of_targets(paths), _targets)


def load_algorithms() -> tuple[AlgorithmItem, ...]:
    """Every algorithm of the package `dpaudit.algorithms`, in the order of papers and folders.

    An algorithm is a folder of a paper's folder whose `__init__.py` defines ALGORITHM; others hold what several share.
    """
    home = PACKAGE / "algorithms"
    found = [path for path in sorted(home.glob("*/*/__init__.py")) if not is_hidden(path.parent.relative_to(home))]
    return _load((path for path in found if _defines_algorithm(path)), _algorithm)


def forms_of(code: ModuleType) -> Forms:
    """What the folder of an algorithm holds; ContentError without the file `cases.py`."""
    algorithm, beside = code.ALGORITHM, Path(str(code.__file__)).parent
    if not (beside / "cases.py").is_file():
        raise ContentError(
            f"{shown(beside)} has no cases.py; its agreement_cases(seed) says on what forms are compared"
        )
    cases = importlib.import_module(f"{code.__name__}.cases").agreement_cases
    if not (beside / "reductions.py").is_file():
        return Forms(algorithm, code, cases)
    return Forms(algorithm, code, cases, importlib.import_module(f"{code.__name__}.reductions").reductions)


def _load(files: Iterable[Path], collect: Callable[[Path], Iterable[Found]]) -> tuple[Found | Broken, ...]:
    items: list[Found | Broken] = []
    for path in files:
        try:
            items += _collected(path, collect)
        except MemoryError:  # of the machine, or of a file that asks for it again
            items += _collected(path, collect, last=True)
    refuse_duplicates(items)
    return tuple(items)


def _collected(path: Path, collect: Callable[[Path], Iterable[Found]], last: bool = False) -> list[Found | Broken]:
    """The items of a file; OSError of the machine, and MemoryError unless it is the `last` attempt."""
    try:
        return list(collect(path))
    except (Exception, SystemExit) as error:  # whatever a content file does, the run goes on
        if machine_failed(error, path) and not (last and isinstance(error, MemoryError)):
            raise
        return [Broken(shown(path).removesuffix(".py"), path, describe(error, path), lacks_package(error))]


def _claims(path: Path) -> list[Loaded[Claim, ModuleType]]:
    refuse_actions(path)
    module = load_claim_module(path)
    name = _defined(module, path, ("CLAIM", "CLAIMS"), "it must hold a Claim record")
    given = getattr(module, name)
    claims = given if isinstance(given, tuple) else (given,)
    _check_kind(claims, Claim, path, "CLAIM must be a Claim record")
    return [Loaded(claim, module, path) for claim in claims]


def _targets(path: Path) -> list[Loaded[Target, Audit]]:
    module = load_module(path)
    name = _defined(module, path, ("TARGET", "AUDIT", "AUDITS"), "see: dpaudit init audit")
    if name == "TARGET":
        _check_kind((module.TARGET,), Target, path, "TARGET must be a Target record")
        carriers: tuple[object, ...] = (module,)
    else:
        held = getattr(module, name)
        carriers = tuple(held) if name == "AUDITS" and isinstance(held, tuple | list) else (held,)
        wrong = [one for one in carriers if not (isinstance(one, Audit) or hasattr(one, "TARGET"))]
        if wrong or not carriers:
            got = type(wrong[0]).__name__ if wrong else f"an empty {type(held).__name__}"
            raise ContentError(
                f"{shown(path)}: {name} must hold Audit records or what dpaudit.adapters makes, got {got}"
            )
    share = getattr(module, "ERROR_SHARE", None)
    found = [replace(audit_of(carrier), error_share=share) for carrier in carriers]
    return [Loaded(one.target, one, path) for one in found]


def _algorithm(path: Path) -> list[Loaded[Algorithm, Forms]]:
    code = importlib.import_module(".".join(path.parent.relative_to(PACKAGE.parent).parts))
    _check_kind((code.ALGORITHM,), Algorithm, path, "ALGORITHM must be an Algorithm record")
    return [Loaded(code.ALGORITHM, forms_of(code), path)]


def _defines_algorithm(path: Path) -> bool:
    """Does this file assign ALGORITHM? Read as text, so that one that cannot be imported is found, too."""
    return any(line.startswith("ALGORITHM") for line in path.read_text(encoding="utf-8").splitlines())


def _defined(module: ModuleType, path: Path, names: tuple[str, ...], advice: str) -> str:
    """The one of `names` that a file defines; ContentError for none and for two."""
    given = [name for name in names if hasattr(module, name)]
    if len(given) > 1:
        raise ContentError(f"{shown(path)} defines both {' and '.join(given)}; one of them would never run")
    if not given:
        raise ContentError(f"{shown(path)} defines no {', '.join(names[:-1])} or {names[-1]}; {advice}")
    return given[0]


def _check_kind(records: tuple[object, ...], kind: type, path: Path, wanted: str) -> None:
    wrong = [record for record in records if not isinstance(record, kind)]
    if wrong or not records:
        got = type(wrong[0]).__name__ if wrong else "an empty tuple"
        raise ContentError(f"{shown(path)}: {wanted}, got {got}")
