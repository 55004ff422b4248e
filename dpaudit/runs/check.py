"""Whether a run folder still holds what was written: every digest is looked at, and nothing is changed."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from pathlib import Path

from dpaudit.records.digests import sha256
from dpaudit.records.documents import MOST_OF_LINES, read_bytes
from dpaudit.records.errors import ContentError
from dpaudit.records.serial import Json
from dpaudit.records.verdict import ExitCode
from dpaudit.runs import opinions, resume, signatures, store
from dpaudit.runs.kept import kept, lost_files, read_records

SOUND, DAMAGED, OPEN = "sound", "damaged", "open"
Row = dict[str, str]


def check(folder: Path) -> list[Row]:
    """One row for all that is damaged, and for each task of an unfinished run that `resume` would do, else one that
    says what is sound. ConfigurationError if no run began there."""
    try:
        header = resume.header(folder)
        done = resume.finished(folder, header)
    except ContentError as error:
        damage = [(str(folder / store.RUN), str(error))]
        read_records(folder, damage)
        return [*map(_damaged, damage)]
    return _unfinished(folder, header) if done is None else _finished(folder, header)


def signed(folder: Path, signers: Path) -> Row:
    """Who of the file `signers` has signed the run, or what is wrong with that, see `signatures.signer`."""
    place = str(folder / signatures.SIGNATURE)
    try:
        return _row(SOUND, place, f"signed by {signatures.signer(folder, signers)}")
    except ContentError as error:
        return _damaged((place, str(error)))


def exit_code(rows: Sequence[Row]) -> ExitCode:
    """1 if something is damaged."""
    return ExitCode.REFUTED if any(row["state"] == DAMAGED for row in rows) else ExitCode.EXPECTED


def _finished(folder: Path, header: Json) -> list[Row]:
    damage: list[tuple[str, str]] = []
    records = read_records(folder, damage)
    verdicts = [line.verdict for line in records.values()]
    damage += [one for verdict in verdicts for one in lost_files(folder, verdict)]
    path = folder / store.RECORDS
    if not damage and header.get(store.DIGEST) != sha256(_bytes(path)):
        damage.append((str(path), f"its digest is not the one in {store.RUN}: lines are lost, or of another run"))
    damage += _opinions(folder)
    if damage:
        return [*map(_damaged, damage)]
    files = sum(len(verdict.attachments) for verdict in verdicts)
    return [_row(SOUND, str(folder), f"{len(verdicts)} verdicts and {files} files are as they were written")]


def _bytes(path: Path) -> bytes:
    return read_bytes(path, MOST_OF_LINES, path.parent) if path.exists() else b""


def _unfinished(folder: Path, header: Json) -> list[Row]:
    names = [str(row["name"]) for row in header.get("plan") or []]
    found = kept(folder, names)
    left = [_row(OPEN, name, "resume does it") for place, name in enumerate(names) if place not in found.complete]
    number = sum(len(complete.verdicts) for complete in found.complete.values())
    sound = _row(SOUND, str(folder), f"{number} verdicts of {len(found.complete)} tasks of {len(names)} are kept")
    return [*map(_damaged, [*found.damage, *_opinions(folder)]), sound, *left]


def _opinions(folder: Path) -> Iterable[tuple[str, str]]:
    try:
        opinions.joined(folder, ())
    except ContentError as error:
        yield str(folder / opinions.FILE), str(error)


def _damaged(damage: tuple[str, str]) -> Row:
    where, what = damage
    return _row(DAMAGED, where, what.removeprefix(where).lstrip(": "))


def _row(state: str, name: str, detail: str) -> Row:
    return {"state": state, "name": name, "detail": detail}
