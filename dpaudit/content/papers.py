"""What lies beside the claims of a paper: its description, and the named theorems that proofs may rest on."""

from __future__ import annotations

from dataclasses import dataclass
from pathlib import Path
from typing import Any

from dpaudit.content.places import PAPER_FILE, THEOREMS, shown
from dpaudit.records import documents
from dpaudit.records.errors import ContentError


@dataclass(frozen=True)
class Paper:
    """The content of a `paper.toml`; all but the last two fields are required there.

    claims, algorithms: what may not be missing among its claims, their printed steps and its algorithms, as whole ids
    (`resque/LEM-1.1/s2`); the file lists them without the name of the paper.
    """

    key: str
    title: str
    authors: str
    year: int
    identifier: str
    version: str
    claims: tuple[str, ...] = ()
    algorithms: tuple[str, ...] = ()


def load_paper(folder: Path) -> Paper | None:
    """The paper that `folder/paper.toml` describes, None without that file; ContentError if it is wrong."""
    file = folder / PAPER_FILE
    if not file.is_file():
        return None
    try:
        data = _toml(file)
        claims, algorithms = (_ids(folder.name, data.pop(field, [])) for field in ("claims", "algorithms"))
        return Paper(key=folder.name, claims=claims, algorithms=algorithms, **data)
    except (ContentError, TypeError) as error:
        said = str(error).removeprefix(f"{shown(file)}: ")
        raise ContentError(f"{shown(file)}: {said}; it needs title, authors, year, identifier and version") from error


def _toml(file: Path) -> dict[str, Any]:
    return documents.parse_toml(documents.read_text(file, documents.MOST_OF_SETTINGS), shown(file))


def _ids(paper: str, names: object) -> tuple[str, ...]:
    """The ids of a list of names; TypeError for anything else."""
    if not isinstance(names, list) or not all(isinstance(name, str) for name in names):
        raise TypeError(f"claims and algorithms are lists of ids, got {names!r}")
    return tuple(f"{paper}/{name}" for name in names)


def load_theorems(folder: Path) -> dict[str, dict[str, str]]:
    """The named theorems of a folder of papers: name -> statement and source. ContentError for a name listed twice."""
    theorems: dict[str, dict[str, str]] = {}
    for file in sorted((folder / THEOREMS).glob("*.toml")):
        for name, entry in _toml(file).items():
            if name in theorems:
                raise ContentError(f"the theorem {name!r} is listed twice, again in {shown(file)}")
            fields = ("statement", "source")
            if not isinstance(entry, dict) or not all(str(entry.get(field, "")).strip() for field in fields):
                raise ContentError(f"the theorem {name!r} of {shown(file)} needs a statement and a source")
            theorems[name] = entry
    return theorems
