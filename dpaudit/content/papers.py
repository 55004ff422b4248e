"""What lies beside the claims of a paper: its description, and the named theorems that proofs may rest on."""

from __future__ import annotations

import tomllib
from dataclasses import dataclass
from pathlib import Path

from dpaudit.content.places import THEOREMS, shown
from dpaudit.records.errors import ContentError


@dataclass(frozen=True)
class Paper:
    """The content of a `paper.toml`; every field is required there."""

    key: str
    title: str
    authors: str
    year: int
    identifier: str
    version: str


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
