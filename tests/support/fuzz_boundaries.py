"""The boundaries of dpaudit, where what others wrote is read: what each does with any bytes, and how it may end.

`play(data)` hands the bytes to the code of dpaudit that reads them, and returns, or raises one of `refusals`, the
errors that the reader is documented to raise. Any other exception is a defect, and so is a Wrong: what was read breaks
a promise, such as a certificate that is accepted and proves what fails at a point.
"""

from __future__ import annotations

import json
import os
import tempfile
from collections.abc import Callable, Mapping
from contextlib import suppress
from dataclasses import dataclass
from fractions import Fraction
from functools import cache
from pathlib import Path
from random import Random
from typing import Any
from unittest.mock import patch

import numpy as np
from random_statements import Maker

from dpaudit.audit.sandbox import planning, remote_target, wire
from dpaudit.audit.sandbox.session import Limits, Session
from dpaudit.audit.structural.recording import Recorder
from dpaudit.claims.certificates import certificate
from dpaudit.claims.language import expression
from dpaudit.cli import config
from dpaudit.noise.stream import Stream, Trials
from dpaudit.recheck import check as checker
from dpaudit.recheck import terms
from dpaudit.recheck.__main__ import examine
from dpaudit.recheck.proof import Proof
from dpaudit.records.context import Context, Level
from dpaudit.records.digests import with_digest
from dpaudit.records.errors import ConfigurationError, ContentError, MissingPackageError, UnknownNameError
from dpaudit.records.serial import encode
from dpaudit.records.verdict import Kind, Outcome, Verdict
from dpaudit.report.page import figures
from dpaudit.runs import baseline_file, budget, kept, reading, spending, spending_file, store
from dpaudit.runs import cache as kept_verdicts
from dpaudit.runs.flows.audit import Audits
from dpaudit.runs.flows.flow import once
from dpaudit.runs.plan import asked, repeatable
from dpaudit.runs.settings import Part, Settings

CORPUS = Path(__file__).parents[1] / "fuzz_corpus"
"""A folder of kept inputs for each boundary."""
BASE = CORPUS / "_base"
"""Files beside those that an input stands for: of a small run, and what a sandbox says of a target."""
MOST_BYTES = 1 << 16
"""Of arrays in one message: more would only take longer."""
POINTS = 20
"""Exact points at which what a certificate proves is tried."""


class Wrong(Exception):
    """What was read breaks a promise."""


@dataclass(frozen=True)
class Boundary:
    """what: in words; play: reads the bytes; refusals: what it may raise; longest: bytes of an input; seconds: after
    which one input hangs; json_from: where JSON begins in an input, which then ends with it or with a line, None where
    there is none."""

    name: str
    what: str
    play: Callable[[bytes], None]
    refusals: tuple[type[BaseException], ...]
    longest: int = 4096
    seconds: int = 20
    json_from: int | None = None


def outcome(boundary: Boundary, data: bytes) -> str:
    """How the bytes end there: "read", or the name of the refusal; what is a defect is raised."""
    try:
        boundary.play(data)
    except boundary.refusals as error:
        return type(error).__name__
    return "read"


@cache
def _home() -> Path:
    """A folder for files that are read; it goes with the process."""
    quick = "/dev/shm" if os.access("/dev/shm", os.W_OK) else None  # in memory, where Linux has that
    made = tempfile.TemporaryDirectory(prefix="boundaries-", dir=quick)
    _KEPT.append(made)
    return Path(made.name)


_KEPT: list[tempfile.TemporaryDirectory[str]] = []


# Messages. ----------------------------------------------------------------------------------------


class Said:
    """The end of a socket on which the other end has said these bytes, and listens to nothing."""

    def __init__(self, data: bytes) -> None:
        self._left = data

    def settimeout(self, seconds: float | None) -> None:
        """Nothing waits here."""

    def recv(self, most: int) -> bytes:
        """What comes next, in pieces of 1,000 bytes, so that messages are cut."""
        found, self._left = self._left[: min(most, 1000)], self._left[min(most, 1000) :]
        return found

    def recv_into(self, view: memoryview) -> int:
        """As `recv`."""
        found = self.recv(len(view))
        view[: len(found)] = found
        return len(found)

    def send(self, data: memoryview) -> int:
        """All of it is taken."""
        return len(data)

    def close(self) -> None:
        """Nothing is held."""


def _wire(data: bytes) -> None:
    connection = wire.Connection(Said(data))  # type: ignore[arg-type]
    for _ in range(4):
        value = connection.receive(MOST_BYTES)
        line, arrays = wire.encode(value)
        raw = b"".join(array.tobytes() for array in arrays)
        if len(raw) <= MOST_BYTES:  # one array may be named twice, and is sent twice then
            again = wire.Connection(Said(line + raw)).receive(MOST_BYTES)  # type: ignore[arg-type]
            if [line, raw] != [wire.encode(again)[0], b"".join(a.tobytes() for a in wire.encode(again)[1])]:
                raise Wrong(f"a message that is sent on is another one: {line[:200]!r}")


class _Ended:
    """The process of a sandbox that has ended, and the descriptor of what it said last."""

    pid = 0

    def wait(self, timeout: float | None = None) -> int:
        """Its exit code."""
        return 1


def session(data: bytes) -> Session:
    """A session whose sandbox says these bytes, whatever it is asked."""
    made = Session.__new__(Session)
    made.limits, made._shown, made._number, made._ended = Limits(output=MOST_BYTES), "a.py", 0, ""
    made.kept, made.killed, made._path = set(), False, Path("a.py")
    made._words = (_home() / "words").open("w+b")
    made._process = _Ended()  # type: ignore[assignment]
    made._connection = wire.Connection(Said(data))  # type: ignore[arg-type]
    made._end = made._words.close  # type: ignore[assignment]
    return made


_ROWS = np.arange(6.0).reshape(3, 2)
CALLS: dict[bytes, Callable[[Any], object]] = {
    b"n": lambda audit: audit.neighbours(np.random.default_rng(1)),
    b"f": lambda audit: audit.first_neighbours(np.random.default_rng(1)),
    b"r": lambda audit: audit.run(_ROWS, Trials(Stream(1, "x"), np.arange(3))),
    b"w": lambda audit: audit.without_noise(_ROWS, Trials(Stream(1, "x"), np.arange(3))),
    b"s": lambda audit: audit.score(_ROWS, _ROWS, _ROWS),
    b"l": lambda audit: audit.attacks["learns"].fit(_ROWS, _ROWS, _ROWS, _ROWS, np.random.default_rng(1))(_ROWS),
    b"i": lambda audit: audit.instrument(_ROWS, Recorder(seed=1)),
    b"o": lambda audit: audit.notes(),
    b"a": lambda audit: audit.accounts(),
    b"b": lambda audit: audit.bounds(_ROWS, _ROWS, 1e-5, 0.05),
}
"""The calls of an audit into its sandbox, by the first byte of an input; the answers are the rest of it."""


@cache
def _description() -> Any:
    """What a sandbox says of a target that has every function."""
    return json.loads((BASE / "described_target.json").read_text(encoding="utf-8"))


def _session(data: bytes) -> None:
    call = CALLS.get(data[:1])
    if call is None:
        return
    target = remote_target.RemoteTarget(_description(), Path("a.py"), Limits(output=MOST_BYTES))
    playing = session(data[1:])
    target.play_in(playing)
    target._scorer = playing
    try:
        call(target.audit)
    finally:
        playing.close()


def _plan(data: bytes) -> None:
    answering = session(data)
    try:
        items = remote_target.described(answering, Path("a.py"))
    finally:
        answering.close()
    found = once(planning.with_names_of_their_own(items))
    settings = Settings("audit", (Part.AUDIT,))
    tasks = [Audits()._task(item, settings) for item in found]
    ledger = budget.plan(settings.alpha, asked(tasks))
    for task in repeatable(tasks, settings, ledger):
        json.dumps([task.name, task.title, task.again, encode(task.target)], allow_nan=False).encode()


# Files. -------------------------------------------------------------------------------------------


def _put(name: str, data: bytes) -> Path:
    path = _home() / name
    if _WRITTEN.get(name) != data:
        path.parent.mkdir(exist_ok=True)
        path.write_bytes(data)
        _WRITTEN[name] = data
    return path


_WRITTEN: dict[str, bytes] = {}
"""What the files hold, so that none is written twice."""


def _absent(name: str) -> None:
    (_home() / name).unlink(missing_ok=True)
    _WRITTEN.pop(name, None)


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
        _put(f"run/{one}", content)
    if name != "kernel.json":
        _absent("run/kernel.json")
    found = reading.load_run(_home() / "run")
    [found.code, found.finished, found.allow_inconclusive]  # noqa: B018  what they raise is looked for
    return found


TASKS = ("toy/LEM-1", "toy/LEM-2", "toy/LEM-3", "toy/LEM-4", "toy/a", "toy/b")
"""Of the plan of the small run."""


def _tasks(data: bytes, right: bool) -> None:
    for one, content in _sample().items():
        _put(f"run/{one}", content)
    _put(f"run/{store.TASKS}", _lines(data, right))
    kept.kept(_home() / "run", TASKS)


def _ledger(data: bytes, right: bool) -> None:
    found = spending_file.read(_put("ledger.json", _sound(data, right)))
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
    path = _put(f"kept/{key}.json", data)
    with patch.dict(os.environ, {kept_verdicts.VARIABLE: str(path.parent)}):
        kept_verdicts.load(key, Context(1, Level.SMOKE, 0.001, str(_home() / "attached")))


def _scores(data: bytes, right: bool) -> None:
    name = "scores/toy_a.json"
    path = _put(name, data)
    shown = Verdict("toy/a", Kind.AUDIT, Outcome.REFUTED, Outcome.REFUTED, "a", (), "b", 7, attachments=(name,),
                    digests=(reading.sha256(path.read_bytes()),))  # fmt: skip
    for one in figures.figures(path.parents[1], [shown]).values():
        list(one.tables)  # its pictures take a hundred times as long


def _certificate(data: bytes, right: bool) -> None:
    certificate.read(_put("certificate.json", data))


def _baseline(data: bytes, right: bool) -> None:
    baseline_file.read(_put("baseline.toml", data))


def _settings(data: bytes, right: bool) -> None:
    _put("settings/dpaudit.toml" if right else "settings/pyproject.toml", data)
    _absent("settings/pyproject.toml" if right else "settings/dpaudit.toml")
    config._of_folder(_home() / "settings")
    config.load(_home(), _home() / "settings" / ("dpaudit.toml" if right else "pyproject.toml"))


READERS: dict[bytes, Callable[[bytes, bool], object]] = {
    b"R": lambda data, right: _run(store.RUN, _sound(data, right)),
    b"V": lambda data, right: _run(store.RECORDS, _lines(data, right)),
    b"K": lambda data, right: _run("kernel.json", _sound(data, right)),
    b"T": _tasks, b"L": _ledger, b"C": _cache, b"F": _scores, b"P": _certificate, b"B": _baseline, b"S": _settings,
}  # fmt: skip
"""Readers of files by the first byte of an input; "=" as the second one has the digests put right."""


def _files(data: bytes) -> None:
    if data[:1] in READERS:
        READERS[data[:1]](data[2:], data[1:2] == b"=")


# Texts of statements. -----------------------------------------------------------------------------


AT = {"x": Fraction(3, 7), "y": Fraction(-2), "k": Fraction(5)}
"""Exact values of symbols, at which one text has one value, whoever reads it."""
LONGEST_COMPARED = 10_000
"""Bits of a value that is compared with decimals, which takes the square of them."""


def _expressions(data: bytes) -> None:
    reads = READS.get(data[:1])
    if reads is None or not data.isascii():
        return
    text = data[1:].decode("ascii")
    try:
        theirs = reads[1](text)
    except (terms.Refused, RecursionError):  # whoever calls it takes both as refusals
        theirs = None
    ours = reads[0](text)
    if isinstance(ours, expression.Expr):
        _same_value(text, ours, theirs)
    elif isinstance(ours, expression.Relation):
        str(ours.left), str(ours.right)
    else:
        str(ours.low), str(ours.high), str(ours.relation.left), str(ours.relation.right)


READS: dict[bytes, tuple[Callable[[str], Any], Callable[[str], Any]]] = {
    b"t": (expression.parse, terms.term),
    b"r": (expression.parse_relation, terms.relation),
    b"c": (expression.parse_condition, terms.condition),
}
"""What reads a text in the language, and in the checker, by the first byte of an input."""


def _same_value(text: str, ours: expression.Expr, theirs: terms.Term | None) -> None:
    """What is rational has one value in language, its own print, and checker."""
    printed = str(ours)
    try:
        value = expression.rational(ours, AT)
    except ContentError:
        return
    with suppress(ContentError):  # a number is a quotient in print, which may be nested too deep
        again = expression.rational(expression.parse(printed), AT)
        if again != value:
            raise Wrong(f"{text!r} is {value}, and its print {printed!r} is {again}")
    if theirs is None or max(value.numerator.bit_length(), value.denominator.bit_length()) > LONGEST_COMPARED:
        return
    with suppress(terms.Refused, RecursionError):
        low, high = _of_the_checker(theirs)
        if not low <= value <= high:
            raise Wrong(f"{text!r} is {value}; the checker says {low} to {high}")


def _of_the_checker(node: terms.Term) -> Any:
    from dpaudit.recheck import evaluate, interval

    with checker.limited():
        return evaluate.enclose(node, {name: interval.enclose(value) for name, value in AT.items()})


# Certificates. ------------------------------------------------------------------------------------


MOST_WORK = 100_000
"""Operations that one certificate may cost here, a hundredth of what the checker allows: what is not counted hangs."""


def _certificates(data: bytes) -> None:
    with patch.object(checker, "MOST_WORK", MOST_WORK):
        try:
            content = json.loads(data[1:])
            if data[:1] == b"=":
                _put_right(content)
            path = _put("one.json", json.dumps(content).encode())
        except (ValueError, RecursionError):
            content, path = None, _put("one.json", data[1:])
        found = examine(str(path))
    if not found["accepted"]:
        raise terms.Refused(str(found["reason"]))
    if not found["assuming"] and not found["solvers"]:
        _true(content)


def _put_right(content: Any) -> None:
    """What a certificate says of itself: the goals and side goals of its nodes, as far as the checker comes, what it
    assumes, and its digest. Else hardly a change would come past the first comparison."""
    with suppress(*MALFORMED, terms.Refused), checker.limited():
        proof = Proof(checker.grounds(content), writing=True)
        checker.run(content, proof)
        content["assuming"] = sorted(proof.assuming)
    if isinstance(content, dict):
        content["digest"] = checker.digest(content)


MALFORMED = (ValueError, RecursionError, ArithmeticError, LookupError, TypeError, AttributeError)
"""What the checker may run into where a certificate is malformed; `examine` says so of it, and refuses."""


def _true(content: Mapping[str, Any]) -> None:
    """Wrong if a statement that is proved fails at a point, or is one that is known and ends the other way."""
    said = content["statement"]
    known = _known().get(_key(said))
    if known not in (None, content["outcome"]):
        raise Wrong(f"{said} is {content['outcome']}, and {known} by the certificate that ships")
    rows = [tuple(row) for row in said["symbols"]]
    judged = not said["exists"] and all(kind in ("real", "integer", "vector") for _, kind, _ in rows)
    if known is None and content["outcome"] == Outcome.PROVED and judged:
        try:
            against = Maker(Random(1)).against(rows, tuple(said["conditions"]), said["goal"], POINTS)
        except Exception:  # the judge knows fewer statements than the checker: it says nothing of this one
            return
        if against is not None:
            raise Wrong(f"{said} is proved and fails at {against}")


def _key(said: Mapping[str, Any]) -> str:
    return json.dumps(said, sort_keys=True)


@cache
def _known() -> dict[str, str]:
    """The outcomes of the certificates that ship, by their statements, of those that rest on nothing."""
    files = (Path(__file__).parents[2] / "proofs").glob("*/certificates/*.json")
    found = [json.loads(path.read_text(encoding="utf-8")) for path in files if path.stat().st_size < 4096]
    return {_key(one["statement"]): one["outcome"] for one in found if not one["assuming"]}


BOUNDARIES = {one.name: one for one in (
    Boundary("wire", "messages between a sandbox and dpaudit", _wire, (ContentError, EOFError), json_from=0),
    Boundary("session", "answers of a sandbox to the calls of an audit", _session, (ContentError, MissingPackageError),
             json_from=1),
    Boundary("plan", "what a sandbox says of the targets of a file", _plan, (ContentError, MissingPackageError),
             json_from=0),
    Boundary("readers", "files of runs, ledgers, baselines, settings, kept verdicts, scores and certificates", _files,
             (ContentError, ConfigurationError), longest=8192, json_from=2),
    Boundary("expressions", "texts of statements, read by the language and by the checker", _expressions,
             (ContentError, UnknownNameError), longest=1024),
    Boundary("recheck", "certificates, for the checker", _certificates, (terms.Refused,), seconds=60, json_from=1),
)}  # fmt: skip
"""Every boundary by its name."""
