"""Where content lies: folders of claims and targets, which files in them are collected, how a file is called."""

from __future__ import annotations

import os
from collections.abc import Iterable
from pathlib import Path

from dpaudit.records.documents import MOST_OF_SETTINGS, read_bytes
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


def files_of_targets(paths: Iterable[Path]) -> tuple[Path, ...]:
    """The Python files under `paths` that may hold targets, sorted, without names that start with `_` or `.`.

    A file named directly is always taken. Raises ConfigurationError for a path that is not there, or a file that is no
    Python. What else a name may be, such as a pipe, is for `python_bytes` to refuse: a file is none of the others'.
    """
    return tuple(dict.fromkeys(file for path in paths for file in _python_files(path)))


def files_of_claims(paths: Iterable[Path]) -> tuple[Path, ...]:
    """As `files_of_targets`, of claims: without the spot tests of THEOREMS and the notation of a paper.

    In the folder of a claim only `claim.py` is collected: the files beside it are its parts. Elsewhere every file is.
    A part that is named directly stands for its claim.
    """
    found: dict[Path, None] = {}
    for path in paths:
        spot_tests = real(path / THEOREMS)
        files = (file for file in _python_files(path) if not file.is_relative_to(spot_tests))
        claims = (file for file in files if not (path.is_dir() and is_notation(file)))
        found.update((file.with_name(CLAIM_FILE) if in_claim_folder(file) else file, None) for file in claims)
    return tuple(found)


def files_of(kind: str, paths: Iterable[Path]) -> tuple[Path, ...]:
    """The files under `paths` of content of the kind `proofs` or `audits`."""
    return files_of_claims(paths) if kind == "proofs" else files_of_targets(paths)


def _python_files(path: Path) -> list[Path]:
    if not (path.exists() or path.is_symlink()):
        raise ConfigurationError(f"no file or folder {str(path)!r}; see what there is with: dpaudit list")
    if not path.is_dir():
        if path.suffix != ".py":
            raise ConfigurationError(f"claims and targets are Python files (.py) or folders of them, got {str(path)!r}")
        return [_linked(path)]
    files = (file for file in sorted(path.rglob("*.py")) if not file.is_dir())
    return [_linked(file) for file in files if not is_hidden(file.relative_to(path))]


def _linked(path: Path) -> Path:
    """The Python file that a name leads to; the name itself where it leads to none."""
    place = real(path)
    return place if place.suffix == ".py" and place.is_file() else path.absolute()


def python_bytes(path: Path) -> bytes:
    """The bytes of a Python file; ContentError for what is no regular file, or is larger than any is."""
    return read_bytes(path, MOST_OF_SETTINGS)


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
    return any(part[0] in "_." for part in path.parts)


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
