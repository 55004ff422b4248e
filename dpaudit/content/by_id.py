"""Finds one claim by its id, for whatever cites it: in the same file, among the claims of the same paper, in the folder
of another paper beside it, or among the papers that come with dpaudit."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import suppress
from pathlib import Path
from types import ModuleType

from dpaudit.content import places
from dpaudit.content.items import Loaded
from dpaudit.content.loading import load_claims
from dpaudit.records.claim import Claim
from dpaudit.records.errors import ConfigurationError


def claim_of(statement: str) -> str:
    """The id of the claim that the statement of this id is, or is a step of."""
    return "/".join(statement.split("/")[:2])


def find_claim(name: str, near: Path) -> Loaded[Claim, ModuleType] | None:
    """The claim `name` as it reads now, None where there is none or its file is broken. near: the file that cites it,
    or any other of its paper.

    Only files in which the last part of the id is written, without the name of a variant, are loaded.
    """
    short = name.partition("/")[2].partition("~")[0].encode()
    for file in dict.fromkeys(_files(name, near)):
        if file.suffix == ".py" and any(short in places.python_bytes(part) for part in places.claim_files(file)):
            for item in load_claims([file]):
                if isinstance(item, Loaded) and item.name == name:
                    return item
    return None


def _files(name: str, near: Path) -> Iterator[Path]:
    """The files that may hold the claim, the nearest first."""
    yield near.with_name(places.CLAIM_FILE) if places.in_claim_folder(near) else near
    for folder in paper_folders(name.partition("/")[0], places.paper_of(near)):
        yield from sorted(file for file in folder.glob("*.py") if not _hidden(file))
        yield from sorted(file for file in folder.glob(f"*/{places.CLAIM_FILE}") if not _hidden(file.parent))


def paper_folders(paper: str, home: Path) -> Iterator[Path]:
    """Where claims of a paper may lie, seen from the folder of another one or of the same."""
    yield home
    if (home.parent / paper).is_dir():
        yield home.parent / paper
    with suppress(ConfigurationError):  # nothing came with this dpaudit, and nothing lies here
        yield places.content_folder("proofs")[0] / paper
        yield places.shipped_folder("proofs") / paper


def _hidden(path: Path) -> bool:
    return path.name[0] in "_." or path.name == places.THEOREMS or places.is_notation(path)
