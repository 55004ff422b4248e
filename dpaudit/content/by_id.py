"""Finds one claim by its id, for whatever cites it: in the same file, among the claims of the same paper, in the folder
of another paper beside it, or among the papers that come with dpaudit."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from contextlib import contextmanager, suppress
from contextvars import ContextVar
from functools import lru_cache
from pathlib import Path
from types import ModuleType

from dpaudit.confinement.limits import Limits
from dpaudit.content import loading, places
from dpaudit.content.apart import came_with_dpaudit, load_claims
from dpaudit.content.items import ClaimItem, Loaded
from dpaudit.records import documents
from dpaudit.records.claim import Claim
from dpaudit.records.errors import ConfigurationError, ContentError


def claim_of(statement: str) -> str:
    """The id of the claim that the statement of this id is, or is a step of."""
    return "/".join(statement.split("/")[:2])


def find_claim(name: str, near: Path) -> Loaded[Claim, ModuleType] | None:
    """The claim `name` as it reads now, None where there is none or its file is broken. near: the file that cites it,
    or any other of its paper.

    Only files in which the last part of the id is written, without the name of a variant, are loaded: those that did
    not come with dpaudit in copies of this process, see `apart`; where one of them is judged, see `judging`.
    """
    own, known = _JUDGED.get() or (None, {})
    if name in known:
        return known[name]
    short = name.partition("/")[2].partition("~")[0].encode()
    for file in dict.fromkeys(_files(name, near)):
        if file.suffix == ".py" and any(short in _bytes(part) for part in places.claim_files(file)):
            for item in _claims(file, own):
                if isinstance(item, Loaded) and item.name == name:
                    return item
    return None


@contextmanager
def judging(file: Path, known: Iterable[ClaimItem]) -> Iterator[None]:
    """Within, in a copy that judges a claim of `file`: `find_claim` executes no other file that did not come with
    dpaudit, which could change this verdict, but finds what is `known` of them."""
    loaded = {item.name: item for item in known if isinstance(item, Loaded)}
    token = _JUDGED.set((file.resolve(), loaded))
    try:
        yield
    finally:
        _JUDGED.reset(token)


@contextmanager
def planning(seen: Iterable[ClaimItem], limits: Limits) -> Iterator[None]:
    """Within, the files of what was `seen`, all claims of each, are not loaded again; others have these limits."""
    files: dict[Path, list[ClaimItem]] = {}
    for item in seen:
        files.setdefault(item.path.resolve(), []).append(item)
    token = _PLANNED.set((files, limits))
    try:
        yield
    finally:
        _PLANNED.reset(token)


_PLANNED: ContextVar[tuple[dict[Path, list[ClaimItem]], Limits]] = ContextVar("planned", default=({}, Limits()))
_JUDGED: ContextVar[tuple[Path, dict[str, Loaded[Claim, ModuleType]]] | None] = ContextVar("judged", default=None)


def _claims(file: Path, own: Path | None) -> Sequence[ClaimItem]:
    """The claims of a file; own: that of the claim that is being judged, None where none is."""
    if file.resolve() == own or came_with_dpaudit(file):
        return loading.load_claims([file])
    if own is not None:
        return ()
    seen, limits = _PLANNED.get()
    return seen.get(file.resolve()) or _loaded(file, _stamp(file), limits)


@lru_cache(maxsize=1024)
def _loaded(file: Path, stamp: tuple[tuple[int, int], ...], limits: Limits) -> tuple[ClaimItem, ...]:
    """The claims of a file that is as it was at `stamp`, with all that it may import."""
    return load_claims([file], limits)


def _stamp(file: Path) -> tuple[tuple[int, int], ...]:
    parts = sorted({*file.parent.glob("*.py"), *places.claim_files(file)})
    return tuple((found.st_mtime_ns, found.st_size) for found in (part.lstat() for part in parts))


def _bytes(file: Path) -> bytes:
    """What a file holds; nothing where it is none that can be read."""
    with suppress(ContentError, OSError):
        return documents.read_bytes(file)
    return b""


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
