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
import tomllib
import traceback
from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass
from pathlib import Path
from types import ModuleType
from typing import Any

from dpaudit.algorithm import Algorithm
from dpaudit.claim import Claim
from dpaudit.errors import ConfigurationError, ContentError, DpauditError, MissingPackageError, UnknownNameError
from dpaudit.target import Target

_PACKAGE = Path(__file__).resolve().parent

EXTRAS = {
    "cvc5": "smt",
    "dask": "dask",
    "dp_accounting": "accountants",
    "hypothesis": "testing",
    "jax": "third-party",
    "jax_privacy": "third-party",
    "jinja2": "report",
    "matplotlib": "report",
    "opacus": "third-party",
    "opendp": "third-party",
    "ray": "ray",
    "sklearn": "mia",
    "torch": "torch",
    "z3": "smt",
}
"""Importable names of the optional packages, and the extra that installs each."""

THEOREMS = "assumed"
"""The folder beside the papers that lists named theorems, by theme; its Python files try them and hold no claim."""


@dataclass(frozen=True)
class Loaded:
    """A record, the module or the object of `dpaudit.adapters` that carries it, and the `path` of the file."""

    record: Any
    module: Any
    path: Path

    @property
    def name(self) -> str:
        """The id of a claim, the name of an algorithm or target."""
        return str(self.record.id if isinstance(self.record, Claim) else self.record.name)


@dataclass(frozen=True)
class Broken:
    """A file that could not be loaded: `error` says why, with file and line; `missing` is true
    when all that it lacks is an optional package."""

    name: str
    path: Path
    error: str
    missing: bool = False


Item = Loaded | Broken


@dataclass(frozen=True)
class Paper:
    """The content of a `paper.toml`; every field is required there."""

    key: str
    title: str
    authors: str
    year: int
    identifier: str
    version: str


def content_folder(kind: str, start: Path | None = None) -> tuple[Path, str]:
    """The folder `proofs` or `audits` and where it comes from, in words.

    The working directory comes first, so that a checkout or another repository uses its
    own content; then what ships inside the package. Raises ConfigurationError if neither is there.
    """
    own = (start or Path.cwd()) / kind
    return (own, "working directory") if own.is_dir() else (shipped_folder(kind), "package")


def shipped_folder(kind: str) -> Path:
    """The folder `proofs` or `audits` that came with dpaudit: in the installed package, or beside it in a checkout."""
    for folder in (_PACKAGE / "_content" / kind, _PACKAGE.parent / kind):
        if folder.is_dir():
            return folder
    raise ConfigurationError(f"no folder {kind!r} came with this dpaudit; name a file or folder")


def content_files(paths: Iterable[Path]) -> tuple[Path, ...]:
    """The Python files under `paths`, sorted, without the spot tests of THEOREMS and names that start with `_` or `.`.

    A file named directly is always taken. Raises ConfigurationError for a path that is not there.
    """
    found: dict[Path, None] = {}
    for path in paths:
        if not path.exists():
            raise ConfigurationError(f"no file or folder {str(path)!r}; see what there is with: dpaudit list")
        files = sorted(path.rglob("*.py")) if path.is_dir() else [path]
        found.update((f.resolve(), None) for f in files if not (path.is_dir() and is_hidden(f.relative_to(path))))
    return tuple(found)


def is_hidden(path: Path) -> bool:
    """Is this path, relative to a content folder, none that is collected?"""
    return path.parts[0] == THEOREMS or any(part[0] in "_." for part in path.parts)


def shown(path: Path) -> str:
    """`path` as verdicts name it: relative to the working directory, to the content, or the bare name."""
    for base in (Path.cwd().resolve(), _PACKAGE / "_content", _PACKAGE.parent):
        if path.resolve().is_relative_to(base):
            return path.resolve().relative_to(base).as_posix()
    return "/".join(path.parts[-2:])


def located(name: str) -> Path | None:
    """The file that `shown` calls `name`, None if it is not where this machine would look."""
    bases = (Path.cwd(), _PACKAGE / "_content", _PACKAGE.parent)
    files = (base / name for base in bases if (base / name).is_file())
    return next((file for file in files if shown(file) == name), None)


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


def load_paper(folder: Path) -> Paper | None:
    """The paper that `folder/paper.toml` describes, None without that file; ContentError if it is wrong."""
    file = folder / "paper.toml"
    if not file.is_file():
        return None
    try:
        data = tomllib.loads(file.read_text(encoding="utf-8"))
        return Paper(key=folder.name, **data)
    except (tomllib.TOMLDecodeError, TypeError) as error:
        raise ContentError(f"{shown(file)}: {error}; it needs title, authors, year, identifier and version") from error


def load_theorems(folder: Path) -> dict[str, dict[str, str]]:
    """The named theorems of a folder of papers: name -> statement and source. ContentError for a name listed twice."""
    theorems: dict[str, dict[str, str]] = {}
    for file in sorted((folder / THEOREMS).glob("*.toml")):
        for name, entry in tomllib.loads(file.read_text(encoding="utf-8")).items():
            if name in theorems:
                raise ContentError(f"the theorem {name!r} is listed twice, again in {shown(file)}")
            fields = ("statement", "source")
            if not isinstance(entry, dict) or not all(str(entry.get(field, "")).strip() for field in fields):
                raise ContentError(f"the theorem {name!r} of {shown(file)} needs a statement and a source")
            theorems[name] = entry
    return theorems


def select(items: Sequence[Item], names: Sequence[str], what: str) -> tuple[Item, ...]:
    """The items that `names` ask for, in the order of `items`; all of them if there are no names.

    A name is that of an item, the group before its first slash, or that of one of its
    steps. Raises UnknownNameError with the nearest known name.
    """
    chosen: set[int] = set()
    for name in names:
        hits = [i for i, item in enumerate(items) if item.name == name or item.name.startswith(f"{name}/")]
        hits = hits or [
            i for i, item in enumerate(items) if name.startswith(f"{item.name}/") or name in _variants(item)
        ]
        if not hits:
            raise _unknown(what, name, items)
        chosen.update(hits)
    return tuple(item for i, item in enumerate(items) if i in chosen or not names)


def _variants(item: Item) -> set[str]:
    """The ids of the mutants of a claim and of its best constants."""
    if not isinstance(item, Loaded) or not isinstance(item.record, Claim):
        return set()
    claim = item.record
    made = {f"{claim.id}~{mutant.name}" for mutant in claim.mutants}
    return made | {row.best_id(claim.id) for row in claim.tightness}


def _unknown(what: str, name: str, items: Sequence[Item]) -> ConfigurationError:
    broken = [item for item in items if isinstance(item, Broken)]
    error = UnknownNameError(what, name, [item.name for item in items if isinstance(item, Loaded)])
    if not broken:
        return error
    return ConfigurationError(f"{error}; {len(broken)} files could not be loaded, the first: {broken[0].error}")


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
            items.append(Broken(shown(path).removesuffix(".py"), path, describe(error, path), _lacks_package(error)))
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


def describe(error: BaseException, path: Path) -> str:
    """One line: what went wrong in the file `path`, and in which line of it."""
    if isinstance(error, SyntaxError):
        line = error.lineno
    else:
        frames = [f.lineno for f in traceback.extract_tb(error.__traceback__) if Path(f.filename).name == path.name]
        line = frames[-1] if frames else None
    place = shown(path) + (f", line {line}" if line else "")
    text = error.msg if isinstance(error, SyntaxError) else str(error)
    for folder in (Path.cwd(), _PACKAGE.parent):  # records name no place of this machine
        text = text.replace(f"{folder}/", "")
    kind = "" if isinstance(error, DpauditError) else f"{type(error).__name__}: "
    return f"{place}: {kind}{text}{_remedy(error)}"


def _remedy(error: BaseException) -> str:
    """What to do about a module that is not there, from its place in the sentence on."""
    if hint := _install_line(error):
        return f"; run: {hint}"
    if isinstance(error, ModuleNotFoundError):
        return f"; install the package that has {error.name}, or put the module beside this file"
    return ""


def _install_line(error: BaseException) -> str:
    name = (error.name or "").partition(".")[0] if isinstance(error, ModuleNotFoundError) else ""
    return f"pip install 'dpaudit[{EXTRAS[name]}]'" if name in EXTRAS else ""


def _lacks_package(error: BaseException) -> bool:
    return isinstance(error, MissingPackageError) or bool(_install_line(error))


def refuse_duplicates(items: Sequence[Item]) -> None:
    """ConfigurationError, naming both files, if two items have one name."""
    seen: dict[str, Path] = {}
    for item in items:
        if item.name in seen:
            raise ConfigurationError(
                f"two records are called {item.name!r}: in {shown(seen[item.name])} and {shown(item.path)}; rename one"
            )
        seen[item.name] = item.path
