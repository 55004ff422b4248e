"""Starter files: what a user changes line by line, and what runs as it stands.

Audits have files of their own in `starter_files/`; a claim and an algorithm start from the templates that contributors
copy: a file, and a folder.
"""

from __future__ import annotations

from dataclasses import dataclass
from importlib.util import find_spec
from pathlib import Path

from dpaudit.content import places
from dpaudit.records.errors import ConfigurationError, UnknownNameError

FILES = Path(__file__).parent / "starter_files"
TEMPLATE = places.PACKAGE / "algorithms" / "_template"
HOME = Path("dpaudit/algorithms")
"""Where algorithms lie in a checkout, each in the folder of a paper."""
KINDS = ("function", "training", "torch", "opacus", "command")
"""What an audit may start from."""
WHATS = ("audit", "claim", "algorithm")


@dataclass(frozen=True)
class Starter:
    """source: the file or folder that is copied; path: where to; next: the command to type then."""

    source: Path
    path: Path
    next: str


def starter(what: str, kind: str = "function", path: Path | None = None) -> Starter:
    """The starter of an audit of one of KINDS, of a claim, or of an algorithm; UnknownNameError for anything else."""
    if what not in WHATS:
        raise UnknownNameError("thing to start", what, WHATS)
    if kind not in KINDS:
        raise UnknownNameError("kind of audit", kind, KINDS)
    if what == "audit":
        source, path = FILES / f"{kind}.py.txt", path or Path(f"my_{kind}_audit.py")
        return Starter(source, path, f"dpaudit audit {path}")
    if what == "claim":
        path = path or Path("my_claim.py")
        return Starter(places.shipped_folder("proofs") / "_template.py", path, f"dpaudit verify {path}")
    path = path or (HOME / "mine" if HOME.is_dir() else Path()) / "my_algorithm"
    place = "" if path.parent.parent == HOME else f" once it lies in {HOME}/PAPER/ of a checkout"
    return Starter(TEMPLATE, path, f"dpaudit agree template/ALG-1{place}")


def write(chosen: Starter, force: bool = False) -> None:
    """Write the starter, with the folders that it lies in.

    ConfigurationError if something is there already and `force` does not say to replace it, for a name that is not that
    of a Python file, or of a package for an algorithm, and for one that would hide an installed package from the
    file's own imports.
    """
    path, folder = chosen.path, chosen.source.is_dir()
    if folder and not path.name.isidentifier():
        raise ConfigurationError(f"an algorithm is a folder with the name of a package, got {str(path)!r}")
    if not folder and path.suffix != ".py":
        raise ConfigurationError(f"the file must end in .py, got {str(path)!r}; leave it out for a name of its own")
    if find_spec(path.stem) is not None and not path.exists():
        raise ConfigurationError(f"{path.name} would hide the installed package {path.stem!r}; take another name")
    if path.exists() and not (force and path.is_dir() == folder):
        raise ConfigurationError(f"{str(path)!r} is there already; name another file, or replace it with --force")
    if folder:
        _copy(path)
        return
    _folder(path.parent)
    path.write_text(chosen.source.read_text(encoding="utf-8"), encoding="utf-8")


def _copy(path: Path) -> None:
    """The folder of the template as the package that it becomes at `path`: its files import each other."""
    _folder(path)
    old, new = (".".join((HOME / name).parts) for name in (TEMPLATE.name, Path(*path.parts[-2:])))
    for file in sorted(TEMPLATE.glob("*.py")):
        (path / file.name).write_text(file.read_text(encoding="utf-8").replace(old, new), encoding="utf-8")


def _folder(path: Path) -> None:
    """Make a folder, with those that it lies in; ConfigurationError if it cannot be."""
    try:
        path.mkdir(parents=True, exist_ok=True)
    except OSError as error:
        reason = f"{error.strerror}; name another file"
        raise ConfigurationError(f"cannot make the folder {str(path)!r}: {reason}") from error
