"""Starter files: what a user changes line by line, and what runs as it stands.

Audits have files of their own in `starter_files/`; a claim and an algorithm start from the templates that contributors
copy.
"""

from __future__ import annotations

from dataclasses import dataclass
from importlib.util import find_spec
from pathlib import Path

from dpaudit.content import places
from dpaudit.records.errors import ConfigurationError, UnknownNameError

PACKAGE = Path(__file__).parent
KINDS = ("function", "training", "torch", "opacus", "command")
"""What an audit may start from."""
WHATS = ("audit", "claim", "algorithm")


@dataclass(frozen=True)
class Starter:
    """source: the file that is copied; path: where to, unless the user says; next: the command to type then."""

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
        source, path = PACKAGE / "starter_files" / f"{kind}.py.txt", path or Path(f"my_{kind}_audit.py")
        return Starter(source, path, f"dpaudit audit {path}")
    if what == "claim":
        path = path or Path("my_claim.py")
        return Starter(places.shipped_folder("proofs") / "_template.py", path, f"dpaudit verify {path}")
    home = Path("dpaudit/algorithms")
    path = path or (home if home.is_dir() else Path()) / "my_algorithm.py"
    place = "" if path.parent == home else f" once it lies in {home}/ of a checkout"
    return Starter(PACKAGE / "algorithms" / "_template.py", path, f"dpaudit agree template/ALG-1{place}")


def write(chosen: Starter, force: bool = False) -> None:
    """Write the starter file, with its folders.

    ConfigurationError if something is there already and `force` does not say to replace it, for a name that is not that
    of a Python file, and for one that would hide an installed package from the file's own imports.
    """
    path = chosen.path
    if path.suffix != ".py":
        raise ConfigurationError(f"the file must end in .py, got {str(path)!r}; leave it out for a name of its own")
    if find_spec(path.stem) is not None and not path.exists():
        raise ConfigurationError(f"{path.name} would hide the installed package {path.stem!r}; take another name")
    if path.exists() and not (force and path.is_file()):
        raise ConfigurationError(f"{str(path)!r} is there already; name another file, or replace it with --force")
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_text(chosen.source.read_text(encoding="utf-8"), encoding="utf-8")
