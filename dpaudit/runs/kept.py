"""What a run folder holds: the tasks that are complete, and what is not as it was written.

A line without its end is torn: the run was stopped while it was written, and it counts as not written. Any other line
whose digest is not that of its text is damage, as is a file that is missing or has another digest than its record says.
So is a mark that leaves out a verdict of its task, or names one of another task: by it a refutation would be lost.
What is damaged is named, and its task is not complete.
"""

from __future__ import annotations

import os
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path

from dpaudit.records.digests import digest_in
from dpaudit.records.documents import MOST_OF_LINES, read_bytes
from dpaudit.records.errors import ContentError
from dpaudit.records.lines import read_object, read_verdict
from dpaudit.records.verdict import Verdict
from dpaudit.runs import reading, store


@dataclass(frozen=True)
class Kept:
    """complete: tasks by their place in the plan; damage: what is damaged, each a place and what is wrong there."""

    complete: dict[int, store.Complete]
    damage: tuple[tuple[str, str], ...]


@dataclass(frozen=True)
class Line:
    """A verdict of records.jsonl and the digest of its line."""

    verdict: Verdict
    digest: str


def kept(folder: Path, names: Sequence[str]) -> Kept:
    """What the folder of an unfinished run holds; names: of the tasks of its plan, in order."""
    damage: list[tuple[str, str]] = []
    records = read_records(folder, damage)
    own = _by_task(records, frozenset(names))
    found: dict[int, store.Complete] = {}
    for text, where in _lines(folder / store.TASKS, damage):
        try:
            place, complete = _marked(read_object(text, where), where, names, records)
            _hold_to_the_task(where, complete, own)
        except ContentError as error:
            damage.append(_split(error, where))
            continue
        lost = [one for verdict in complete.verdicts for one in lost_files(folder, verdict)]
        damage += lost
        if not lost:
            found[place] = complete
    return Kept(found, tuple(damage))


def lost_files(folder: Path, verdict: Verdict) -> list[tuple[str, str]]:
    """The files of a verdict that are missing, or are not what was written, each with what is wrong with it."""
    found = []
    for name in verdict.attachments:
        try:
            reading.read_attachment(folder, verdict, name)
        except ContentError as error:
            found.append(_split(error, str(folder / name)))
    return found


def read_records(folder: Path, damage: list[tuple[str, str]]) -> dict[str, Line]:
    """The sound lines of records.jsonl by the ids of their verdicts, of two of one id the first; others are added to
    the damage."""
    records: dict[str, Line] = {}
    for text, where in _lines(folder / store.RECORDS, damage):
        try:
            verdict = read_verdict(text, where)
            if verdict.id in records:
                raise ContentError(f"{where}: a second verdict with the id {verdict.id!r}; ids are unique in a run")
            records[verdict.id] = Line(verdict, digest_in(text))
        except ContentError as error:
            damage.append(_split(error, where))
    return records


def _marked(
    mark: dict[str, object], where: str, names: Sequence[str], records: dict[str, Line]
) -> tuple[int, store.Complete]:
    """The place and the verdicts of a task that is marked as complete; ContentError where they are not there."""
    place, name, digests = mark.get("task"), mark.get("name"), mark.get("verdicts")
    if type(place) is not int or not isinstance(digests, dict) or not digests:
        raise ContentError(f"{where}: a mark has the place of a task and the digests of its verdicts, got {mark!r}")
    if not 0 <= place < len(names) or names[place] != name:
        raise ContentError(f"{where}: the plan has no task {name!r} at {place}; the mark is of another run")
    for verdict, digest in digests.items():
        if verdict not in records or records[verdict].digest != digest:
            raise ContentError(f"{where}: {verdict!r} is not in {store.RECORDS} as it was written by {name}")
    verdicts = tuple(records[verdict].verdict for verdict in digests)
    return place, store.Complete(str(name), verdicts, mark.get("cached") is True)


def _by_task(records: Iterable[str], names: frozenset[str]) -> dict[str, set[str]]:
    """The ids of verdicts by the names of their tasks: that of a task itself, of its steps and of its mutants."""
    found: dict[str, set[str]] = {}
    for one in records:
        name = one
        while name and name not in names:
            name = name[: max(name.rfind("/"), name.rfind("~"), 0)]
        found.setdefault(name, set()).add(one)
    return found


def _hold_to_the_task(where: str, complete: store.Complete, own: dict[str, set[str]]) -> None:
    """ContentError where a mark names other verdicts than those of its task."""
    marked, there = {verdict.id for verdict in complete.verdicts}, own.get(complete.name, set())
    for strange in sorted(marked - there):
        raise ContentError(f"{where}: {strange!r} is no verdict of {complete.name}; the mark is not as it was written")
    for left_out in sorted(there - marked):
        raise ContentError(f"{where}: the mark leaves out {left_out!r}, a verdict of {complete.name}")


def _lines(path: Path, damage: list[tuple[str, str]]) -> Iterator[tuple[str, str]]:
    """The lines of a file that came to their end, each with the words that say where it is; none without the file."""
    try:
        data = read_bytes(path, MOST_OF_LINES, path.parent) if os.path.lexists(path) else b""
    except ContentError as error:
        damage.append(_split(error, str(path)))
        return
    for place, line in enumerate(data.split(b"\n")[:-1], start=1):
        where = f"{path}, line {place}"
        try:
            yield line.decode("utf-8"), where
        except UnicodeDecodeError:
            damage.append((where, "not UTF-8 text; it is damaged"))


def _split(error: ContentError, where: str) -> tuple[str, str]:
    """Where the error is, and what it is."""
    return where, str(error).removeprefix(where).lstrip(": ")
