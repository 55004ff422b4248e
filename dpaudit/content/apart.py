"""Claim files that did not come with dpaudit, each loaded and judged in a copy of this process that ends afterwards.

A claim file declares (`declarations`), and still it runs: what it changes in a table of dpaudit would reach the claims
that are judged after it, or the files of the user. Its copy has limits, and walls where they stand (`confinement`); out
of it come records and verdicts alone. Whatever a file does ends in claims or in an error of this file. Files that came
with dpaudit are loaded here.
"""

from __future__ import annotations

import hashlib
import re
from collections.abc import Callable, Iterable, Iterator, Sequence
from functools import cache, partial
from pathlib import Path
from types import ModuleType
from typing import TypeVar

from dpaudit.confinement.limits import Bounds, Limits
from dpaudit.content import items, loading, places
from dpaudit.content.copies import LOADING, in_copies, in_copy
from dpaudit.content.items import Broken, ClaimItem, Loaded
from dpaudit.records.claim import Claim, Step
from dpaudit.records.context import file_key
from dpaudit.records.errors import (
    ConfigurationError,
    ContentError,
    MissingPackageError,
    machine_words,
    of_the_machine,
)

T = TypeVar("T")

Described = Claim | tuple[str, str, bool]
"""A claim; or of a broken file name, error and whether a package is missing."""

LONGEST = 120
"""Characters of the id of a claim."""
_MOST_SAID = 20_000
"""Characters of what a copy says of an error."""
_ID = re.compile(r"[^\W_][\w.~()+,:=-]*(/[\w.~()+,:=-]+)?")
_IDS = f"it is <paper>/<name>, of letters, digits and .~_-+,:=(), at most {LONGEST} of them, without ~auto-"


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


def apart(path: Path, make: Callable[[], T], bounds: Bounds = LOADING, keep: int = -1) -> T:
    """`make()`, which loads the claim file `path` and gives records: in a copy of this process, if the file did not
    come with dpaudit. bounds, keep: of the copy, see `copies.in_copy`."""
    return make() if came_with_dpaudit(path) else in_copy(path, make, bounds, keep)


def load_claims(paths: Iterable[Path], limits: Limits | None = None) -> tuple[ClaimItem, ...]:
    """As `loading.load_claims`; a claim of a file that did not come with dpaudit has an empty module. Such files are
    loaded side by side, and are broken where they take the name of another claim."""
    files = places.files_of_claims(paths)
    here = {path: loading.load_claims([path]) for path in files if came_with_dpaudit(path)}
    theirs = [path for path in files if path not in here]
    described = dict(zip(theirs, _described(theirs, (limits or Limits()).of_loading), strict=True))
    found = with_names_of_their_own([item for path in files for item in (here.get(path) or described[path])])
    items.refuse_duplicates(found)
    return tuple(found)


def with_names_of_their_own(found: Sequence[ClaimItem]) -> list[ClaimItem]:
    """The items; a claim of a file that did not come with dpaudit that has the name of another one, or whose verdicts
    have, is its file as a broken one, and so are both files where both did not: nobody can say whose the name is. Names
    are those of files too, where a slash is a line, and capitals may be none."""
    owners: dict[str, list[ClaimItem]] = {}
    for item in found:
        for name in {file_key(name) for name in names_of(item)}:
            owners.setdefault(name, []).append(item)
    taken = {id(one): (name, all_) for name, all_ in owners.items() if len(all_) > 1 for one in all_}
    ours = {item.path: came_with_dpaudit(item.path) for item in found if id(item) in taken}
    kept: dict[tuple[str, Path], ClaimItem] = {}
    for item in found:
        if id(item) in taken and not ours[item.path]:
            name, sharing = taken[id(item)]
            item = _clashing(item, next(one for one in sharing if one is not item), name)
        kept.setdefault((item.name, item.path), item)
    return list(kept.values())


def _clashing(item: ClaimItem, other: ClaimItem, name: str) -> Broken:
    given = next(one for one in names_of(item) if file_key(one) == name)
    said = f"its claim {item.name!r} and {other.name!r} of {places.shown(other.path)} both give {given!r}"
    return Broken(_name(item.path), item.path, f"{places.shown(item.path)}: {said}; rename one")


def names_of(item: ClaimItem) -> Iterator[str]:
    """The names of an item and of its steps, constants and mutants, which its verdicts will have."""
    if isinstance(item, Broken):
        yield item.name
        return
    claim = item.record
    parts: list[tuple[str, Claim | Step]] = [(claim.id, claim), *((f"{claim.id}/{s.name}", s) for s in claim.steps)]
    for name, part in parts:
        yield name
        yield from (f"{name}~{mutant.name}" for mutant in part.mutants)
        for row in part.tightness:
            yield from (row.best_id(name), f"{name}~{row.name}-{row.refuted}")


def _described(paths: Sequence[Path], bounds: Bounds) -> list[list[ClaimItem]]:
    """The claims of each file, or why it has none; ConfigurationError where the machine has no copies left."""
    try:
        told = in_copies(paths, [partial(_load, path, bounds) for path in paths], bounds)
    except OSError as error:
        if not of_the_machine(error):
            raise
        raise ConfigurationError(machine_words(error)) from error
    return [_items(path, one) for path, one in zip(paths, told, strict=True)]


def _load(path: Path, bounds: Bounds) -> list[Described]:
    return [_told(item, bounds) for item in loading.load_claims([path])]


def _items(path: Path, told: object) -> list[ClaimItem]:
    try:
        if isinstance(told, ContentError | MissingPackageError):
            raise told
        return [_item(path, one) for one in (told if isinstance(told, tuple) else (told,))]
    except (ContentError, MissingPackageError) as error:
        missing = isinstance(error, MissingPackageError)
        return [Broken(_name(path), path, f"{places.shown(path)}: {error}", missing)]


def _name(path: Path) -> str:
    return places.shown(path).removesuffix(".py")


def _is_name(name: object) -> bool:
    """Can a claim be called so? Its id is that of verdicts and files, beside those of other claims."""
    return isinstance(name, str) and len(name) <= LONGEST and bool(_ID.fullmatch(name)) and "~auto-" not in name


def _told(item: ClaimItem, bounds: Bounds) -> Described:
    if isinstance(item, Loaded):
        return item.record
    lacking = bounds.memory_words if f"{MemoryError.__name__}: " in item.error else ""
    return item.name, item.error.rstrip() + lacking, item.missing


def _item(path: Path, one: object) -> ClaimItem:
    match one:
        case Claim() if _is_name(one.id):
            return Loaded(one, ModuleType(one.id), path)
        case Claim():
            raise ContentError(f"{str(one.id)[:LONGEST]!r} is no id of a claim; {_IDS}")
        case (str(), str(error), bool(missing)):
            return Broken(_name(path), path, error[:_MOST_SAID], missing)
    raise ContentError("loaded by itself it gives no claims")
