"""A run folder back in memory; whatever is damaged is named by file and line."""

from __future__ import annotations

import json
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from dpaudit.records.digests import WRONG, sha256, without_digest
from dpaudit.records.errors import ContentError, DpauditError
from dpaudit.records.serial import SCHEMA, Json, decode
from dpaudit.records.verdict import ExitCode, Verdict, exit_code
from dpaudit.runs import opinions, store


@dataclass(frozen=True)
class Run:
    """A run folder in memory: the object of run.json and the verdicts in the order of records.jsonl."""

    folder: Path
    header: Json
    verdicts: tuple[Verdict, ...]

    @property
    def finished(self) -> bool:
        """Did the run come to its end?"""
        return self.header.get("finished") is not None and self.header.get("exit_code") != ExitCode.INTERRUPTED

    @property
    def allow_inconclusive(self) -> bool:
        """Was it asked to exit 0 even where required checks are undecided?"""
        return self.header.get("allow_inconclusive") is True

    @property
    def code(self) -> ExitCode:
        """The exit code as the verdicts give it, so that no line of run.json can make it look better."""
        return exit_code(self.verdicts, self.allow_inconclusive) if self.finished else ExitCode.INTERRUPTED


def load_run(folder: Path) -> Run:
    """Read run.json and records.jsonl, and what Coq said of the certificates where that was kept.

    Raises ContentError naming the file, and for records the line, of what is missing,
    cut off, damaged, of an unknown schema, or there twice. Every digest is looked at, but for those of attachments,
    which `read_attachment` reads.
    """
    header = read_header(folder / store.RUN)
    path = folder / store.RECORDS
    verdicts: dict[str, Verdict] = {}
    text = read_text(path)
    lines = text.split("\n")  # not splitlines: strings may hold other line separators
    for place, line in enumerate(lines[:-1] if lines[-1] == "" else lines, start=1):
        where = f"{path}, line {place}"
        add(verdicts, read_verdict(line, where), where)
    counts = header.get("counts")
    if isinstance(counts, dict) and counts.get("verdicts") != len(verdicts):
        wanted = counts.get("verdicts")
        raise ContentError(f"{path}, line {len(verdicts)}: the file ends here, but run.json counts {wanted} verdicts")
    if header.get("exit_code") is not None and header.get(store.DIGEST) != sha256(text):
        raise ContentError(f"{path}: its digest is not the one in run.json: lines are lost, or of another run")
    return Run(folder, header, opinions.joined(folder, tuple(verdicts.values())))


def read_header(path: Path) -> Json:
    """The object of a run.json; ContentError if it is missing, damaged or of an unknown schema."""
    return read_object(read_text(path), str(path))


def read_text(path: Path) -> str:
    """The text of a file of the run folder; ContentError names it, and the line that is not UTF-8. What is no regular
    file is not opened: a pipe could be waited for without end."""
    if path.exists() and not path.is_file():
        raise ContentError(f"{path} is no regular file: give the folder of a run, as `dpaudit run` prints it")
    try:
        return path.read_bytes().decode("utf-8")  # as it stands: every byte is in its digest
    except FileNotFoundError as error:
        raise ContentError(f"{path} is missing: give the folder of a run, as `dpaudit run` prints it") from error
    except UnicodeDecodeError as error:
        line = path.read_bytes()[: error.start].count(b"\n") + 1
        raise ContentError(f"{path}, line {line}: not UTF-8 text; the file is damaged") from error


def add(verdicts: dict[str, Verdict], verdict: Verdict, where: str) -> None:
    """Put a verdict under its id; ContentError if there is one already."""
    if verdict.id in verdicts:
        raise ContentError(f"{where}: a second verdict with the id {verdict.id!r}; ids are unique in a run")
    verdicts[verdict.id] = verdict


def read_json(text: str, where: str) -> Any:  # of any kind: who asks for it checks it
    """The JSON value in `text`; ContentError says `where` it is cut off or damaged."""
    try:
        return json.loads(text)
    except (ValueError, RecursionError) as error:
        raise ContentError(f"{where}: not valid JSON ({error}); it is cut off or damaged") from error


def read_object(text: str, where: str) -> Json:
    """The object in a JSON text that carries its digest; ContentError says `where` it is damaged or has another
    schema."""
    sound = without_digest(text)
    data = read_json(text if sound is None else sound, where)
    if not isinstance(data, dict):
        raise ContentError(f"{where} must hold a JSON object, got {type(data).__name__}")
    _check_schema(data, where)
    if sound is None:
        raise ContentError(f"{where}: {WRONG}")
    return data


def read_attachment(folder: Path, verdict: Verdict, name: str) -> str:
    """The text of a file of a verdict in the run folder `folder`.

    ContentError for a path that leads out of the folder, a file that is missing, or one that is not what was written.
    """
    file = folder / name
    if not file.resolve().is_relative_to(folder.resolve()):
        raise ContentError(f"{verdict.id}: the attachment {name!r} points outside of the run folder")
    text = read_text(file)
    if dict(zip(verdict.attachments, verdict.digests, strict=False)).get(name) != sha256(text):
        raise ContentError(f"{file}: its digest is not the one that the record of {verdict.id} has; it is damaged")
    return text


def read_verdict(line: str, where: str) -> Verdict:
    """The verdict of one line of records.jsonl; ContentError says `where` it is damaged or of another schema."""
    data = read_object(line, where)
    try:
        verdict = decode(data)
    except (DpauditError, TypeError, ValueError) as error:
        raise ContentError(f"{where}: {error}") from error
    if not isinstance(verdict, Verdict):
        raise ContentError(f"{where}: must hold a Verdict, got {type(verdict).__name__}")
    return verdict


def _check_schema(data: object, where: str) -> None:
    schema = data.get("schema", SCHEMA) if isinstance(data, dict) else SCHEMA
    if schema != SCHEMA:
        advice = "use the version that wrote the run"
        raise ContentError(f"{where}: schema {schema!r}, this version reads {SCHEMA}; {advice}")
