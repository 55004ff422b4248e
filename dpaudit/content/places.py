"""Where content lies: folders of claims and targets, which files in them are collected, how a file is called."""

from __future__ import annotations

import os
from collections.abc import Iterable
from pathlib import Path

from dpaudit.records.errors import ConfigurationError

PACKAGE = Path(__file__).resolve().parents[1]
"""The installed package `dpaudit`."""

CLAIM_FILE = "claim.py"
"""In the folder of a claim, the one file that is collected; the others hold its parts."""

PAPER_FILE = "paper.toml"
"""In the folder of a paper, the file that describes it."""

NOTATION_FILE = "notation.py"
"""In the folder of a paper, the table of its symbols, a part of each claim there that has a folder of its own."""

THEOREMS = "assumed"
"""The folder beside the papers that lists named theorems, by theme; its Python files try them and hold no claim."""


def content_folder(kind: str, start: Path | None = None) -> tuple[Path, str]:
    """The folder `proofs` or `audits` and where it comes from, in words.

    The working directory comes first, so that a checkout or another repository uses its
    own content; then what ships inside the package. Raises ConfigurationError if neither is there.
    """
    own = (start or Path.cwd()) / kind
    return (own, "working directory") if own.is_dir() else (shipped_folder(kind), "package")


def shipped_folder(kind: str) -> Path:
    """The folder `proofs` or `audits` that came with dpaudit: in the installed package, or beside it in a checkout."""
    for folder in (PACKAGE / "_content" / kind, PACKAGE.parent / kind):
        if folder.is_dir():
            return folder
    raise ConfigurationError(f"no folder {kind!r} came with this dpaudit; name a file or folder")


def content_files(paths: Iterable[Path]) -> tuple[Path, ...]:
    """The Python files under `paths`, sorted, without the spot tests of THEOREMS and names that start with `_` or `.`.

    In the folder of a claim only `claim.py` is collected: the files beside it are its parts. Elsewhere every file is.
    A file named directly is always taken; a part stands for its claim.
    Raises ConfigurationError for a path that is not there, or a file that is no Python.
    """
    found: dict[Path, None] = {}
    for path in paths:
        if not path.exists():
            raise ConfigurationError(f"no file or folder {str(path)!r}; see what there is with: dpaudit list")
        if path.is_file() and path.suffix != ".py":
            raise ConfigurationError(f"claims and targets are Python files (.py) or folders of them, got {str(path)!r}")
        files = sorted(path.rglob("*.py")) if path.is_dir() else [path]
        seen = (f for f in files if not (path.is_dir() and is_hidden(f.relative_to(path))))
        claims = (f for f in map(Path.resolve, seen) if not (path.is_dir() and is_notation(f)))
        found.update((f.with_name(CLAIM_FILE) if in_claim_folder(f) else f, None) for f in claims)
    return tuple(found)


def in_claim_folder(path: Path) -> bool:
    """Does the file lie in the folder of a claim: one with a `claim.py` that is no paper's folder (no `paper.toml`)?"""
    return path.with_name(CLAIM_FILE).is_file() and not path.with_name(PAPER_FILE).is_file()


def claim_files(path: Path) -> tuple[Path, ...]:
    """The Python files that make up the claims of the file `path`: those of its folder, sorted, and the notation of its
    paper, or the file alone."""
    if not in_claim_folder(path):
        return (path,)
    own, notation = sorted(path.parent.glob("*.py")), path.parent.with_name(NOTATION_FILE)
    shared = is_notation(notation) and path.with_name(NOTATION_FILE) not in own
    return (*own, *([notation] if shared else ()))


def is_notation(path: Path) -> bool:
    """Is the file the table of symbols of a paper?"""
    return path.name == NOTATION_FILE and path.is_file() and path.with_name(PAPER_FILE).is_file()


def paper_of(path: Path) -> Path:
    """The folder of the paper that the claims of the file `path` are of, where `paper.toml` and certificates lie."""
    return path.parent.parent if in_claim_folder(path) else path.parent


def is_hidden(path: Path) -> bool:
    """Is this path, relative to a content folder, none that is collected?"""
    return path.parts[0] == THEOREMS or any(part[0] in "_." for part in path.parts)


def real(path: Path) -> Path:
    """The place where a file lies, links followed; of a loop of links too, which `Path.resolve` refuses."""
    return Path(os.path.realpath(path))


def shown(path: Path) -> str:
    """`path` as verdicts name it: relative to the working directory, to the content, or the bare name."""
    place = real(path)
    for base in (Path.cwd().resolve(), PACKAGE / "_content", PACKAGE.parent):
        if place.is_relative_to(base):
            return place.relative_to(base).as_posix()
    return "/".join(path.parts[-2:])


def located(name: str) -> Path | None:
    """The file that `shown` calls `name`, None if it is not where this machine would look."""
    bases = (Path.cwd(), PACKAGE / "_content", PACKAGE.parent)
    files = (base / name for base in bases if (base / name).is_file())
    return next((file for file in files if shown(file) == name), None)
