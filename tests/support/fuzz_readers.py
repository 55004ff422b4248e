"""Files that dpaudit reads: of runs, ledgers, baselines, settings, kept verdicts, scores and certificates."""

from __future__ import annotations

import json
import os
from collections.abc import Callable
from functools import cache
from unittest.mock import patch

from fuzz_files import BASE, Wrong, absent, home, put

from dpaudit.claims.certificates import certificate
from dpaudit.cli import config
from dpaudit.records.context import Context, Level
from dpaudit.records.digests import with_digest
from dpaudit.records.verdict import Kind, Outcome, Verdict
from dpaudit.report.page import figures
from dpaudit.runs import baseline_file, kept, reading, spending, spending_file, store
from dpaudit.runs import cache as kept_verdicts


def _lines(data: bytes, right: bool) -> bytes:
    """The lines, with the digest of each put right."""
    return b"\n".join(_sound(line, right) if line else line for line in data.split(b"\n"))


def _sound(data: bytes, right: bool) -> bytes:
    """An object of JSON with its digest put right, if that is wanted and it is text."""
    try:
        return with_digest(data.decode("utf-8")).encode() if right else data
    except UnicodeDecodeError:
        return data


@cache
def _sample() -> dict[str, bytes]:
    """The files of a small run: its unfinished run.json without digest, and a line of each verdict."""
    return {name: (BASE / name).read_bytes() for name in (store.RUN, store.RECORDS)}


def _run(name: str, data: bytes) -> reading.Run:
    """The run with this content of one of its files in the place of its own."""
    for one, content in {**_sample(), name: data}.items():
        put(f"run/{one}", content)
    if name != "kernel.json":
        absent("run/kernel.json")
    found = reading.load_run(home() / "run")
    [found.code, found.finished, found.allow_inconclusive]  # noqa: B018  what they raise is looked for
    return found


TASKS = ("toy/LEM-1", "toy/LEM-2", "toy/LEM-3", "toy/LEM-4", "toy/a", "toy/b")
"""Of the plan of the small run."""


def _tasks(data: bytes, right: bool) -> None:
    for one, content in _sample().items():
        put(f"run/{one}", content)
    put(f"run/{store.TASKS}", _lines(data, right))
    kept.kept(home() / "run", TASKS)


def _ledger(data: bytes, right: bool) -> None:
    found = spending_file.read(put("ledger.json", _sound(data, right)))
    if found.total < spending.next_share(found) or spending.left(found) < -1e-9 * found.total:
        raise Wrong(f"a ledger gives more than its total: {found}")


def _cache(data: bytes, right: bool) -> None:
    key = "0" * 64
    if right:
        try:
            content = json.loads(data)
            entry = {"digest": kept_verdicts._sum(key, content), "content": content}
            data = json.dumps(entry).encode()
        except (ValueError, RecursionError):
            pass
    path = put(f"kept/{key}.json", data)
    with patch.dict(os.environ, {kept_verdicts.VARIABLE: str(path.parent)}):
        kept_verdicts.load(key, Context(1, Level.SMOKE, 0.001, str(home() / "attached")))


def _scores(data: bytes, right: bool) -> None:
    name = "scores/toy_a.json"
    path = put(name, data)
    shown = Verdict("toy/a", Kind.AUDIT, Outcome.REFUTED, Outcome.REFUTED, "a", (), "b", 7, attachments=(name,),
                    digests=(reading.sha256(path.read_bytes()),))  # fmt: skip
    for one in figures.figures(path.parents[1], [shown]).values():
        list(one.tables)  # its pictures take a hundred times as long


def _certificate(data: bytes, right: bool) -> None:
    certificate.read(put("certificate.json", data))


def _baseline(data: bytes, right: bool) -> None:
    baseline_file.read(put("baseline.toml", data))


def _settings(data: bytes, right: bool) -> None:
    put("settings/dpaudit.toml" if right else "settings/pyproject.toml", data)
    absent("settings/pyproject.toml" if right else "settings/dpaudit.toml")
    config._of_folder(home() / "settings", {})
    config.load(home(), home() / "settings" / ("dpaudit.toml" if right else "pyproject.toml"))


READERS: dict[bytes, Callable[[bytes, bool], object]] = {
    b"R": lambda data, right: _run(store.RUN, _sound(data, right)),
    b"V": lambda data, right: _run(store.RECORDS, _lines(data, right)),
    b"K": lambda data, right: _run("kernel.json", _sound(data, right)),
    b"T": _tasks, b"L": _ledger, b"C": _cache, b"F": _scores, b"P": _certificate, b"B": _baseline, b"S": _settings,
}  # fmt: skip
"""Readers of files by the first byte of an input; "=" as the second one has the digests put right."""


def read(data: bytes) -> None:
    if data[:1] in READERS:
        READERS[data[:1]](data[2:], data[1:2] == b"=")
