"""A run folder back in memory; whatever is damaged is named by file and line."""

from __future__ import annotations

from dataclasses import dataclass
from pathlib import Path

from dpaudit.records import documents
from dpaudit.records.digests import sha256
from dpaudit.records.errors import ContentError
from dpaudit.records.lines import read_object, read_verdict
from dpaudit.records.serial import Json
from dpaudit.records.verdict import ExitCode, Verdict, exit_code
from dpaudit.runs import opinions, run_schema, store


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
    text = read_text(path, folder, documents.MOST_OF_LINES)
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
    """The object of a run.json; ContentError if it is missing, damaged, or not what its schema says."""
    header = read_object(read_text(path), str(path))
    run_schema.hold(header, str(path))
    return header


def read_text(path: Path, folder: Path | None = None, most: int = documents.MOST) -> str:
    """The text of a file of the run folder `folder`, by default the one that it lies in, as `documents.read_text`;
    ContentError also where it is missing."""
    try:
        return documents.read_text(path, most, folder or path.parent)  # as it stands: every byte is in its digest
    except FileNotFoundError as error:
        raise ContentError(f"{path} is missing: give the folder of a run, as `dpaudit run` prints it") from error


def add(verdicts: dict[str, Verdict], verdict: Verdict, where: str) -> None:
    """Put a verdict under its id; ContentError if there is one already."""
    if verdict.id in verdicts:
        raise ContentError(f"{where}: a second verdict with the id {verdict.id!r}; ids are unique in a run")
    verdicts[verdict.id] = verdict


def read_attachment(folder: Path, verdict: Verdict, name: str) -> str:
    """The text of a file of a verdict in the run folder `folder`.

    ContentError for a path that leads out of the folder, a file that is missing, or one that is not what was written.
    """
    file = folder / name
    text = read_text(file, folder)
    if dict(zip(verdict.attachments, verdict.digests, strict=False)).get(name) != sha256(text):
        raise ContentError(f"{file}: its digest is not the one that the record of {verdict.id} has; it is damaged")
    return text
