"""The file of a baseline: read with every fault named by its line, written without loss of what people wrote in it."""

from __future__ import annotations

import hashlib
import itertools
import json
import os
import re
from collections.abc import Iterable, Mapping
from datetime import date, datetime
from pathlib import Path

from dpaudit.content import places
from dpaudit.records import documents
from dpaudit.records.errors import ConfigurationError, UnknownNameError
from dpaudit.records.verdict import Outcome
from dpaudit.runs import store
from dpaudit.runs.baseline import Baseline, Entry

DEFAULT = "baseline.toml"
REQUIRED = ("id", "outcome", "reason", "expires")
KEYS = (*REQUIRED, "issue")
_TABLE = re.compile(r"\s*\[\[\s*accepted\s*\]\]")
_HINT = "an entry is a table [[accepted]] with id, outcome, reason, expires, and an issue if there is one"


def read(path: Path) -> Baseline:
    """The baseline in the file `path`.

    ConfigurationError names the file and the line of what cannot be read, is missing, unknown or there twice.
    """
    return _read(path)[0]


def _read(path: Path) -> tuple[Baseline, str]:
    """The baseline, and the text of its file."""
    name = places.shown(path)
    try:
        data = documents.read_bytes(path, documents.MOST_OF_SETTINGS, refuse=ConfigurationError)
        text = data.decode("utf-8")
    except OSError as error:
        reason = f"{error.strerror or error}; `dpaudit accept RUN` writes one"
        raise ConfigurationError(f"cannot read the baseline {name}: {reason}") from error
    except UnicodeDecodeError as error:
        line = data[: error.start].count(b"\n") + 1
        raise ConfigurationError(f"{name}, line {line}: not UTF-8 text") from error
    return Baseline(name, hashlib.sha256(data).hexdigest(), parse(text, name)), text


def parse(text: str, name: str) -> dict[str, Entry]:
    """The entries of the text of a baseline by id; errors as of `read`, which call the file `name`."""
    data = documents.parse_toml(text, name, ConfigurationError)
    unknown = next((key for key in data if key != "accepted"), None)
    if unknown is not None:
        raise ConfigurationError(f"{name}, line {_line(text, unknown)}: unknown key {unknown!r}; {_HINT}")
    rows = data.get("accepted", [])
    if not isinstance(rows, list):
        raise ConfigurationError(f"{name}, line {_line(text, 'accepted')}: {_HINT}")
    tables = [number for number, line in enumerate(text.split("\n"), start=1) if _TABLE.match(line)]
    entries: dict[str, Entry] = {}
    for place, row in enumerate(rows):
        where = f"{name}, line {tables[place] if len(tables) == len(rows) else _line(text, 'accepted')}"
        entry = _entry(row, where)
        if entry.id in entries:
            raise ConfigurationError(f"{where}: a second entry for {entry.id!r}; one outcome is accepted of a check")
        entries[entry.id] = entry
    return entries


def _line(text: str, key: str) -> int:
    """The line on which `key` is first written, 1 if that cannot be told."""
    pattern = re.compile(rf"\s*[\[\"']*\s*{re.escape(key)}\b")
    return next((n for n, line in enumerate(text.split("\n"), start=1) if pattern.match(line)), 1)


def _entry(row: object, where: str) -> Entry:
    if not isinstance(row, dict):
        raise ConfigurationError(f"{where}: {_HINT}; got {row!r}")
    for key in row:
        if key not in KEYS:
            raise UnknownNameError(f"key in {where}:", key, KEYS)
    for key in REQUIRED:
        if key not in row:
            raise ConfigurationError(f"{where}: {key} is missing; {_HINT}")
    for key in ("id", "outcome", "reason", "issue"):
        if key in row and not (isinstance(row[key], str) and row[key].strip()):
            raise ConfigurationError(f"{where}: {key} must be a text that is not empty, got {row[key]!r}")
    expires = row["expires"]
    if not isinstance(expires, date) or isinstance(expires, datetime):
        raise ConfigurationError(f"{where}: expires must be a date without quotes such as 2027-03-31, got {expires!r}")
    if row["outcome"] not in tuple(Outcome):
        raise UnknownNameError(f"outcome in {where}:", row["outcome"], [outcome.value for outcome in Outcome])
    return Entry(row["id"], Outcome(row["outcome"]), row["reason"], expires, row.get("issue", ""))


def extend(path: Path, added: Iterable[Entry]) -> int:
    """Write `added` into the baseline `path`, new or there, sorted by id, in place of entries of the same ids.

    Other entries, all comments and the rights of the file stay as they are; several processes may add at a time.
    Returns how many entries there are then. Raises ConfigurationError for a file that `read` refuses, or whose entries
    are not written as tables of their own.
    """
    try:
        with store.alone(path.parent):
            return _extended(path, added)
    except OSError as error:
        raise ConfigurationError(f"cannot write {path}: {error.strerror or error}") from error


def _extended(path: Path, added: Iterable[Entry]) -> int:
    baseline, text = _read(path) if os.path.lexists(path) else (Baseline(str(path), "", {}), "")
    before = baseline.entries
    wanted = {**before, **{entry.id: entry for entry in added}}
    made = _joined(text, before, wanted)
    if parse(made, str(path)) != wanted:  # such as a text that runs over lines and holds "[[accepted]]"
        raise ConfigurationError(f"cannot add to {path} without changing what it says; {_HINT}")
    store.put(path, made)
    return len(wanted)


def _joined(text: str, before: Mapping[str, Entry], wanted: Mapping[str, Entry]) -> str:
    """The text of `wanted`, where `text` has the entries `before`: its own words wherever they still hold."""
    head, blocks = _blocks(text)
    if len(blocks) != len(before):
        raise ConfigurationError(f"cannot add to a baseline whose entries are no tables of their own; {_HINT}")
    kept = dict(zip(before, blocks, strict=True))
    parts = [kept[name] if before.get(name) == wanted[name] else _written(wanted[name]) for name in sorted(wanted)]
    return "\n\n".join(filter(None, [head, *parts])) + "\n"


def _blocks(text: str) -> tuple[str, list[str]]:
    """What stands before the first entry, and each entry with the comment that stands right above it."""
    lines = text.split("\n")
    starts = []
    for start, line in enumerate(lines):
        if _TABLE.match(line):
            while start and lines[start - 1].lstrip().startswith("#"):
                start -= 1
            starts.append(start)
    blocks = ["\n".join(lines[a:b]).strip("\n") for a, b in itertools.pairwise([*starts, len(lines)])]
    return "\n".join(lines[: starts[0]] if starts else lines).strip("\n"), blocks


def _written(entry: Entry) -> str:
    rows = [f"{key} = {_value(value)}" for key, value in vars(entry).items() if value != ""]
    return "\n".join(["[[accepted]]", *rows])


def _value(value: object) -> str:
    """TOML: a date as it is, else a basic string, which escapes what JSON does and the delete character."""
    if isinstance(value, date):
        return value.isoformat()
    return json.dumps(str(value), ensure_ascii=False).replace("\x7f", "\\u007f")
