"""Files that dpaudit reads, edited by somebody who puts their digests right, and what its commands say of them.

A home is a working directory with claims and targets, a finished and a stopped run, a baseline, settings, certificates
and kept verdicts. An edit changes one file of a copy of it; then the commands that read the file are called.
"""

from __future__ import annotations

import json
import os
import random
import shutil
import signal
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path
from types import FrameType
from typing import Any

import pytest
from click.testing import CliRunner
from plans import silent
from resumed_runs import fill, planned, stopped
from run_folder import change_file, edit
from small_content import claim_text, write

from dpaudit.cli.main import program
from dpaudit.records.digests import with_digest, without_digest
from dpaudit.report.formats.registry import FORMATS
from dpaudit.runs import cache
from dpaudit.runs.execute import run

SECONDS = 60
"""A command that takes longer hangs."""
WHOLE, STOPPED, CACHE = "whole", "stopped", "cache"
CLAIM, OPEN = "toy/LEM-1", "toy/LEM-3~best-height"
SHIPPED = "proofs/toy/certificates/toy_LEM-1.json"
_HOLE = "a value that is put in as it is written"
VALUES: dict[str, str] = {
    "null": "null", "true": "true", "negative": "-1", "a fraction": "0.5", "zero": "0", "text": '"text"',
    "5,000 digits": "9" * 5_000, "400 digits": "9" * 400, "300 digits": "9" * 300, "too large": "1e999", "NaN": "NaN",
    "infinite": '{"float": "inf"}', "no float": '{"float": []}', "deep": "[" * 100_000 + "]" * 100_000,

    "deep objects": '{"a":' * 900 + "1" + "}" * 900, "empty text": '""', "empty list": "[]", "empty object": "{}",
    "half a pair": r'"\ud800"', "controls": r'"\u0000\u001b[31m\r\n\u2028"', "closing markup": '"a [/red] b"',
    "open markup": '"[bold"', "another place": '"../../etc/passwd"', "a whole path": '"/dev/zero"',
    "slashes": '"a//b/"',
    "long": f'"{"x" * 1_000_000}"', "no date": '"2026-13-45T25:61:00+00:00"', "mixed list": '[1, "a", null, [], {}]',
    "another record": '{"type": "Entry"}', "no record": '{"type": []}',
}  # fmt: skip
"""What is put in the place of a value of JSON, by a name."""
SHAPES = ("deleted", "there twice", "one less", "one more")
"""What else is done to a value: its key goes or is there twice, or a list loses or repeats its last item."""


@dataclass(frozen=True)
class Edit:
    """what: in words; file: of the home, whose commands are called; make: changes the copy of the home."""

    what: str
    file: str
    make: Callable[[Path], None]


Lines = Callable[[str], list[list[str]]]
"""The command lines that are called after an edit of a file."""


class Hung(BaseException):
    """A command took longer than SECONDS."""


def home(folder: Path, patch: pytest.MonkeyPatch) -> Path:
    """Make the working directory `folder`, whose cache is `CACHE` of it."""
    folder.mkdir()
    patch.chdir(folder)
    for name, value in (("DPAUDIT_CACHE", CACHE), ("DPAUDIT_PROGRESS", "off"), ("XDG_CONFIG_HOME", str(folder))):
        patch.setenv(name, value)
    fill(folder)
    write(folder / "proofs" / "toy" / "lem_4.py", claim_text("toy/LEM-4", right="a**2"))
    (folder / "baseline.toml").write_text(BASELINE, encoding="utf-8")
    run(planned(), folder / "first", silent)
    (folder / SHIPPED).parent.mkdir(parents=True)
    shutil.move(folder / "first" / "certificates" / "toy_LEM-1.json", folder / SHIPPED)
    shutil.rmtree(folder / "first")
    run(planned(baseline=Path("baseline.toml")), folder / WHOLE, silent)
    stopped(folder / STOPPED, "toy/LEM-3", baseline=Path("baseline.toml"))
    said = {"result": "accepted", "detail": "", "digest": "0" * 64}
    text = with_digest(json.dumps({"opinions": {CLAIM: said}}))
    (folder / WHOLE / "kernel.json").write_text(text, encoding="utf-8")
    (folder / "dpaudit.toml").write_text(SETTINGS, encoding="utf-8")
    (folder / "pyproject.toml").write_text(f"[tool.dpaudit]\n{SETTINGS}", encoding="utf-8")
    called(["verify", CLAIM, "--no-report", "-q", "--run-dir", "filling"])
    shutil.rmtree(folder / "filling")
    assert list((folder / CACHE).iterdir()), "nothing is kept while the source of dpaudit changes"
    return folder


BASELINE = """[[accepted]]
id = "toy/LEM-4"
outcome = "REFUTED"
reason = "known"
expires = 2999-01-01
issue = "#1"
"""
SETTINGS = """seed = 7
alpha = 0.001
level = "smoke"
format = ["text"]
select = []
cache = true
"""


def commands(file: str) -> list[list[str]]:
    """The command lines that read a file of the home."""
    top, _, rest = file.partition("/")
    exports = [word for form in FORMATS for word in ("--format", f"{form}=out.{form}")]
    if top == WHOLE and rest.startswith("scores/"):
        return [["report", WHOLE], ["plot", WHOLE, "toy/a"], ["check", WHOLE]]
    if top == WHOLE and rest.startswith("certificates/"):
        return [["recheck", WHOLE], ["check", WHOLE], ["judge", file, "--challenge", OPEN]]
    if top == WHOLE:
        until = ["--expires", "2027-01-01", "--reason", "x"]
        found = [
            ["report", WHOLE], ["report", WHOLE, *exports], ["check", WHOLE], ["resume", WHOLE, "--no-report"],
            ["diff", WHOLE, "other"], ["diff", "other", WHOLE, "--format", "json"], ["index", WHOLE],
            ["replay", WHOLE, CLAIM, "--no-report"], ["accept", WHOLE, "toy/LEM-4", *until], ["errata", WHOLE],
            ["plot", WHOLE], ["plot", WHOLE, "audits"], ["show", CLAIM, "--run", WHOLE],
        ]  # fmt: skip
        return found if rest == "run.json" else [*found, ["recheck", WHOLE]]
    if top == STOPPED:
        return [["check", STOPPED], ["report", STOPPED, *exports], ["resume", STOPPED, "--no-report"]]
    if top == CACHE:
        return [["verify", CLAIM, "--no-report", "--run-dir", "new"]]
    if top == "proofs":
        return [["verify", CLAIM, "--no-report", "--no-cache", "--run-dir", "new"], ["recheck", file], ["challenge"]]
    if file == "baseline.toml":
        return [["verify", CLAIM, "--no-report", "--run-dir", "new", "--baseline", file],
                ["accept", WHOLE, "toy/LEM-4", "-o", file, "--expires", "2027-01-01", "--reason", "x"]]  # fmt: skip
    return [["list"], ["verify", CLAIM, "--no-report", "--run-dir", "new"]]


def called(words: Sequence[str]) -> str:
    """Call a command in this process; what is wrong with how it ended, "" if it ended in order."""

    def hung(number: int, frame: FrameType | None) -> None:
        raise Hung

    before = signal.signal(signal.SIGALRM, hung)
    signal.alarm(SECONDS)
    try:
        found = CliRunner().invoke(program, list(words))
    except Hung:
        return f"hangs: {' '.join(words)}"
    finally:
        signal.alarm(0)
        signal.signal(signal.SIGALRM, before)
    said = next((line for line in found.stderr.splitlines() if "crashed, which is a defect" in line), "")
    strange = found.exception is not None and not isinstance(found.exception, SystemExit)
    return f"{' '.join(words)[:80]}: {said or repr(found.exception)}"[:300] if said or strange else ""


def tried(pristine: Path, folder: Path, change: Edit, called_of: Lines = commands) -> list[str]:
    """How commands end after an edit of a copy of the home in `folder`, each wrong end in words; called_of: gives those
    that are called."""
    crashes = []
    for words in called_of(change.file):
        shutil.copytree(pristine, folder, symlinks=True)
        if "other" in words:
            shutil.copytree(folder / WHOLE, folder / "other")
        before = Path.cwd()
        os.chdir(folder)
        try:
            change.make(folder)
            crashes.append(called(words))
        finally:
            os.chdir(before)
            shutil.rmtree(folder)
    return [f"{change.what}: {crash}" for crash in crashes if crash]


def structured(pristine: Path, rng: random.Random) -> Iterator[Edit]:
    """Edits without end: each of one value of one file, the kinds of files in turn."""
    files = sorted(path for path in pristine.rglob("*") if path.is_file())
    names = [path.relative_to(pristine).as_posix() for path in files]
    kinds = [[n for n in names if wanted(n)] for wanted in _KINDS]
    while True:
        for kind in kinds:
            name = rng.choice(kind)
            yield _toml(name, rng) if name.endswith(".toml") else _json(pristine / name, name, rng)


_KINDS: tuple[Callable[[str], bool], ...] = (
    lambda name: name == f"{WHOLE}/run.json",
    lambda name: name == f"{WHOLE}/records.jsonl",
    lambda name: name.startswith(f"{WHOLE}/scores/"),
    lambda name: name.startswith(f"{WHOLE}/certificates/"),
    lambda name: name == f"{WHOLE}/kernel.json",
    lambda name: name == f"{STOPPED}/run.json",
    lambda name: name in (f"{STOPPED}/records.jsonl", f"{STOPPED}/tasks.jsonl"),
    lambda name: name == SHIPPED,
    lambda name: name.startswith(f"{CACHE}/"),
    lambda name: name == "baseline.toml",
    lambda name: name in ("dpaudit.toml", "pyproject.toml"),
)


def _json(path: Path, name: str, rng: random.Random) -> Edit:
    lines = path.read_text(encoding="utf-8").rstrip("\n").split("\n") if path.suffix == ".jsonl" else [""]
    line = rng.randrange(len(lines))
    text = lines[line] if path.suffix == ".jsonl" else path.read_text(encoding="utf-8")
    data = json.loads(without_digest(text) or text)
    places = list(_places(data))
    depth = rng.choice(sorted({len(place) for place in places}))
    place = rng.choice([one for one in places if len(one) == depth])
    what = rng.choice([*VALUES, *SHAPES])
    made = changed(data, place, what)

    def make(folder: Path) -> None:
        rewrite(folder, name, made, line)

    return Edit(f"{name}, line {line + 1}, {'.'.join(map(str, place)) or 'all of it'}: {what}", name, make)


def rewrite(folder: Path, name: str, text: str, line: int = 0) -> None:
    """Put a JSON text into a file, or its line, and its digest wherever it stands."""
    path = folder / name
    top, _, rest = name.partition("/")
    if path.suffix == ".jsonl":
        count = iter(range(1 << 30))
        edit(path, lambda one: text if next(count) == line else one)
    elif path.name in ("run.json", "kernel.json"):
        path.write_text(with_digest(text), encoding="utf-8")
    elif top in (WHOLE, STOPPED):
        change_file(folder / top, rest, text)
    elif top == CACHE:
        path.write_text(_kept(path.stem, text), encoding="utf-8")
    else:
        path.write_text(text, encoding="utf-8")


def _kept(key: str, text: str) -> str:
    """A kept entry with the digest that belongs to it, where it has any."""
    try:
        entry = json.loads(text)
        return json.dumps(entry | {"digest": cache._sum(key, entry["content"])})
    except (ValueError, TypeError, KeyError, RecursionError):
        return text


def changed(data: Any, place: tuple[str | int, ...], what: str) -> str:
    """The JSON of `data` with another value at a place, or another shape there."""
    whole = json.loads(json.dumps({"": data}))
    *way, last = ("", *place)
    inner: Any = whole
    for key in way:
        inner = inner[key]
    if what in VALUES or not place:
        inner[last] = _HOLE
    elif what == "deleted":
        del inner[last]
    elif what == "there twice" and isinstance(inner, dict):
        inner[_HOLE] = inner[last]
    elif isinstance(inner[last], list) and inner[last]:
        inner[last] = inner[last][:-1] if what == "one less" else [*inner[last], inner[last][-1]]
    else:
        inner[last] = [inner[last]]
    text = json.dumps(whole[""], ensure_ascii=False)
    key = json.dumps(last if what == "there twice" else "", ensure_ascii=False)
    return text.replace(json.dumps(_HOLE), VALUES.get(what, key))


def _places(data: Any, place: tuple[str | int, ...] = ()) -> Iterator[tuple[str | int, ...]]:
    yield place
    pairs = data.items() if isinstance(data, dict) else enumerate(data[:3]) if isinstance(data, list) else ()
    for key, value in pairs:
        yield from _places(value, (*place, key))


TOML = (
    "9" * 5_000, "9" * 400, "-1", "1e999", "nan", "inf", "true", '""', "[]", "{}", "[" * 5_000 + "]" * 5_000,
    "0x" + "f" * 9_000, "2026-13-45",
    '"[/red]"', '"[bold"', '"../../etc"', '"/dev/zero"', r'"\u0000"', r'"\u001b[31m"', f'"{"x" * 1_000_000}"',
    "1979-05-27T07:32:00", "07:32:00", '[1, "a"]', "{ a = 1 }", "9999-12-31", "0001-01-01", '"REFUTED"', r'"\ud800"',
)  # fmt: skip
"""Values of TOML, or what looks like one."""


def _toml(name: str, rng: random.Random) -> Edit:
    value, key = rng.choice(TOML), rng.randrange(6)

    def make(folder: Path) -> None:
        lines = (folder / name).read_text(encoding="utf-8").splitlines()
        place = [n for n, line in enumerate(lines) if "=" in line][key % 5]
        left = lines[place].partition("=")[0]
        lines[place] = f"{left}= {value}" if key < 5 else ".".join("a" * 3_000) + f" = {value}"
        (folder / name).write_text("\n".join(lines) + "\n", encoding="utf-8")

    return Edit(f"{name}, key {key}: {value[:30]}", name, make)


def damaged(pristine: Path, rng: random.Random) -> Iterator[Edit]:
    """Edits without end: random bytes of any file are others, gone, or there twice; digests stay as they are, but those
    of one in two are put right."""
    files = sorted(
        p for p in pristine.rglob("*") if p.is_file() and any(k(p.relative_to(pristine).as_posix()) for k in _KINDS)
    )
    while True:
        path = rng.choice(files)
        data, name = bytearray(path.read_bytes()), path.relative_to(pristine).as_posix()
        start = rng.randrange(len(data))
        end = min(len(data), start + rng.randrange(1, 9))
        new = rng.choice([b"", bytes(data[start:end]) * 2, rng.randbytes(end - start), b'"', b"[", b"}", b"\xff", b"0"])
        data[start:end] = new
        yield Edit(f"{name}: bytes {start} to {end} are {new!r}", name, _writes(name, bytes(data), rng.random() < 0.5))


def _writes(name: str, data: bytes, right: bool) -> Callable[[Path], None]:
    def make(folder: Path) -> None:
        top, _, rest = name.partition("/")
        text = data.decode("utf-8") if _is_text(data) else ""
        own = name.endswith((".jsonl", "run.json", "kernel.json"))
        if right and text and top in (WHOLE, STOPPED) and not own:
            change_file(folder / top, rest, text)
            return
        (folder / name).write_bytes(data)
        if right and text and own:
            edit(folder / name, lambda line: line if line.endswith("}") else f"{line}}}")

    return make


def _is_text(data: bytes) -> bool:
    try:
        data.decode("utf-8")
    except UnicodeDecodeError:
        return False
    return True


def special(name: str) -> Iterator[Edit]:
    """A pipe, a device, a loop of links, a link out of the home, a folder, or nothing in the place of a file."""

    def put(what: str, make: Callable[[Path], None]) -> Edit:
        def change(folder: Path) -> None:
            (folder / name).unlink()
            make(folder / name)

        return Edit(f"{name}: {what}", name, change)

    yield put("a pipe", lambda path: os.mkfifo(path))
    yield put("a device", lambda path: path.symlink_to("/dev/zero"))
    yield put("a loop", lambda path: path.symlink_to(path.name))
    yield put("a link out", lambda path: path.symlink_to("/etc/hostname"))
    yield put("a folder", lambda path: path.mkdir())
    yield put("nothing", lambda path: None)


def read_files(pristine: Path) -> list[str]:
    """One file of each kind, by its name."""
    names = sorted(p.relative_to(pristine).as_posix() for p in pristine.rglob("*") if p.is_file())
    return [next(name for name in names if kind(name)) for kind in _KINDS]
