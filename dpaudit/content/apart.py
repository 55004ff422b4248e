"""Claim files that did not come with dpaudit, each loaded and judged in a copy of this process that ends afterwards.

A claim file declares (`declarations`), and still it runs: what it changes in a table of dpaudit would reach the claims
that are judged after it. From its copy come records and verdicts alone. Files that came with dpaudit are loaded here.
"""

from __future__ import annotations

import hashlib
from collections.abc import Callable, Iterable
from functools import cache
from pathlib import Path
from types import ModuleType
from typing import TypeVar

from dpaudit.content import items, loading, places
from dpaudit.content.copies import in_copy
from dpaudit.content.items import Broken, ClaimItem, Loaded
from dpaudit.records.claim import Claim
from dpaudit.records.errors import ConfigurationError, ContentError

T = TypeVar("T")

Described = Claim | tuple[str, str, bool]
"""A claim; or of a broken file name, error and whether a package is missing."""


def came_with_dpaudit(path: Path) -> bool:
    """Have the claim file `path` and all Python files beside it the bytes of files that came with dpaudit?

    A checkout has its own copies of them.
    """
    try:
        return {_digest(part) for part in (*path.parent.glob("*.py"), *places.claim_files(path))} <= _shipped()
    except (OSError, ContentError):
        return False  # loading it says why


@cache
def _shipped() -> frozenset[str]:
    try:
        folder = places.shipped_folder("proofs")
    except ConfigurationError:
        return frozenset()
    return frozenset(_digest(path) for path in folder.rglob("*.py"))


def _digest(path: Path) -> str:
    return hashlib.sha256(places.python_bytes(path)).hexdigest()


def apart(path: Path, make: Callable[[], T]) -> T:
    """`make()`, which loads the claim file `path` and gives records: in a copy of this process, if the file did not
    come with dpaudit."""
    return make() if came_with_dpaudit(path) else in_copy(path, make)


def load_claims(paths: Iterable[Path]) -> tuple[ClaimItem, ...]:
    """As `loading.load_claims`; a claim of a file that did not come with dpaudit has an empty module."""
    found: list[ClaimItem] = []
    for path in places.files_of_claims(paths):
        found += loading.load_claims([path]) if came_with_dpaudit(path) else _described(path)
    items.refuse_duplicates(found)
    return tuple(found)


def _described(path: Path) -> list[ClaimItem]:
    try:
        told = in_copy(path, lambda: list(map(_told, loading.load_claims([path]))))
        return [_item(path, one) for one in (told if isinstance(told, tuple) else (told,))]
    except ContentError as error:
        return [Broken(places.shown(path).removesuffix(".py"), path, f"{places.shown(path)}: {error}")]


def _told(item: ClaimItem) -> Described:
    return item.record if isinstance(item, Loaded) else (item.name, item.error, item.missing)


def _item(path: Path, one: object) -> ClaimItem:
    match one:
        case Claim():
            return Loaded(one, ModuleType(one.id), path)
        case (str(name), str(error), bool(missing)):
            return Broken(name, path, error, missing)
    raise ContentError("loaded by itself it gives no claims")
