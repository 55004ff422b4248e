"""Faults of disks, memory and processes: what a run folder says after each, and whether a run goes on all the same.

    python benchmarks/reliability.py                    all of it, ten minutes on a slow processor
    python benchmarks/reliability.py bits --times 500   one fault, so many times

Each fault is tried on a run of three claims and two targets, in a folder of its own. Results go to
`reports/benchmarks/reliability.json`, fault by fault; docs/reliability.md shows them.
"""

from __future__ import annotations

import argparse
import json
import os
import random
import shutil
import sys
import tempfile
from collections import Counter
from collections.abc import Callable
from dataclasses import replace
from itertools import islice
from pathlib import Path
from typing import Any

ROOT = Path(__file__).parents[1]
sys.path.insert(0, str(ROOT / "tests" / "support"))

import edited_files  # noqa: E402  it lies with the tests, as does what follows
import power_loss  # noqa: E402
import pytest  # noqa: E402
from failing_calls import Faults  # noqa: E402
from faulted_runs import SAME, STOPPED, Trial, Way, places  # noqa: E402
from killed_sandboxes import held, killer  # noqa: E402
from plans import silent  # noqa: E402
from resumed_runs import files, fill, go_on, planned, stopped  # noqa: E402

from dpaudit.records.errors import ContentError  # noqa: E402
from dpaudit.records.verdict import Verdict  # noqa: E402
from dpaudit.runs import check, reading, resume, store  # noqa: E402
from dpaudit.runs.execute import run  # noqa: E402
from dpaudit.runs.kept import kept  # noqa: E402
from dpaudit.runs.plan import make_plan  # noqa: E402
from dpaudit.runs.settings import Part, Settings  # noqa: E402

FILE = ROOT / "reports" / "benchmarks" / "reliability.json"
SEED = 20261128
Found = dict[str, int]


def bits(home: Path, times: int) -> Found:
    """Single bits of records.jsonl of a finished run: is it refused, read as it was, or read as something else?"""
    run(planned(), home / "out", silent)
    path, before = home / "out" / store.RECORDS, reading.load_run(home / "out").verdicts
    return _flipped(path, times, lambda: reading.load_run(home / "out").verdicts == before)


def bits_elsewhere(home: Path, times: int) -> Found:
    """Single bits of any other file of a finished and of a stopped run: does `check` name damage?"""
    run(planned(), home / "finished", silent)
    stopped(home / "stopped", "toy/LEM-3")
    total: Counter[str] = Counter()
    rng = random.Random(SEED)
    listed = [path for name in ("finished", "stopped") for path in sorted((home / name).rglob("*")) if path.is_file()]
    for path in [one for one in listed if one.name != store.RECORDS]:
        folder = home / path.relative_to(home).parts[0]
        sound = [row for row in check.check(folder) if row["state"] != check.OPEN]
        same: Callable[[], bool] = lambda folder=folder, sound=sound: _sound(folder) == sound  # noqa: E731
        total.update(_flipped(path, times // len(listed), same, rng))
    return dict(total)


def _sound(folder: Path) -> list[check.Row]:
    """What `check` says; ContentError where it names damage."""
    rows = check.check(folder)
    if any(row["state"] == check.DAMAGED for row in rows):
        raise ContentError("damaged")
    return [row for row in rows if row["state"] != check.OPEN]


def _flipped(path: Path, times: int, same: Callable[[], bool], rng: random.Random | None = None) -> Found:
    rng, whole, found = rng or random.Random(SEED), path.read_bytes(), Counter[str]({"tried": 0, "read_as_other": 0})
    for place in rng.sample(range(8 * len(whole)), min(times, 8 * len(whole))):
        changed = bytearray(whole)
        changed[place // 8] ^= 1 << place % 8
        path.write_bytes(changed)
        try:
            found["read_as_it_was" if same() else "read_as_other"] += 1
        except ContentError:
            found["refused"] += 1
        found["tried"] += 1
    path.write_bytes(whole)
    return dict(found)


def power(home: Path, times: int) -> Found:
    """The power is lost at every moment of a run: does it go on to the records of one that was never stopped?"""
    run(planned(), home / "whole", silent)
    whole, disk = files(home / "whole"), power_loss.Disk(home / "out")
    with pytest.MonkeyPatch.context() as patch, disk.watched(patch):
        run(planned(), home / "out", lambda task, verdicts: disk.promise())
    names = [task.name for task in planned().tasks]
    found = Counter[str]({"moments": len(disk.moments), "states": 0, "lost": 0, "other_records": 0})
    for state, promised in power_loss.possible(disk.moments[: times or None], random.Random(SEED)):
        found.update(_after(home / "state", state, promised, whole, names))
    return dict(found)


def _after(folder: Path, state: dict[str, bytes], promised: int, whole: dict[str, str], names: list[str]) -> Found:
    power_loss.put(folder, state)
    found = {"states": 1}
    if store.RUN not in state:
        found["lost"] = int(promised > 0)
    else:
        if resume.finished(folder, resume.header(folder)) is None:
            found["lost"] = int(len(kept(folder, names).complete) < promised)
            go_on(folder)
        found["other_records"] = int(files(folder) != whole)
    shutil.rmtree(folder)
    return found


def sandboxes(home: Path, times: int) -> Found:
    """A sandbox is killed with signal 9 while its file is loaded, or while its target runs."""
    found = Counter[str]({"killed": 0, "same": 0})
    for where in ("loading", "run"):
        held(home, where)
        (whole,) = _audited(home / f"{where}-whole")
        for number in range(times // 2):
            with killer(home, 1) as killed:
                verdicts = _audited(home / f"{where}-{number}")
            found.update({"killed": len(killed), "same": int(verdicts == [whole])})
    return dict(found)


def _audited(out: Path) -> list[Verdict]:
    result = run(make_plan(Settings("audit", (Part.AUDIT,), controls=False)), out, silent)
    return [replace(verdict, duration_s=0.0) for verdict in result.verdicts]


def calls(home: Path, times: int) -> Found:
    """Calls of the operating system that fail, at so many places in the code."""
    return _failed(home, times, Faults.injected)


def memory(home: Path, times: int) -> Found:
    """Functions that get no memory, so many of them."""
    return _failed(home, times, Faults.starved)


def _failed(home: Path, times: int, way: Way) -> Found:
    with pytest.MonkeyPatch.context() as patch:
        trial = Trial(home, patch)
        made = trial.made(way)
        found = Counter[str]({"made": len(made), "tried": 0, SAME: 0, STOPPED: 0, "wrong": 0})
        possible = places(made, 2)
        for at in random.Random(SEED).sample(possible, min(times, len(possible))):
            ended = trial.ended(way, at)
            found.update({"tried": 1, ended if ended in (SAME, STOPPED) else "wrong": 1})
            if ended not in (SAME, STOPPED):
                print(f"call {at}, {made[at - 1]}: {ended}", flush=True)
    return dict(found)


def edits(home: Path, times: int) -> Found:
    """Files of all kinds are edited, their digests put right: does a command that reads them end in order?

    The command is drawn anew each time. Two in three edits are of a value of JSON or TOML, one is of bytes; then there
    are pipes, devices and links.
    """
    found, rng = Counter[str]({"edits": 0, "crashes": 0}), random.Random(SEED)
    drawn: edited_files.Lines = lambda file: [rng.choice(edited_files.commands(file))]  # noqa: E731
    with pytest.MonkeyPatch.context() as patch:
        pristine = edited_files.home(home / "pristine", patch)
        made = [*islice(edited_files.structured(pristine, rng), 2 * times // 3)]
        made += islice(edited_files.damaged(pristine, rng), times // 3)
        made += [one for name in edited_files.read_files(pristine) for one in edited_files.special(name)]
        for edit in made:
            crashes = edited_files.tried(pristine, home / "copy", edit, drawn)
            for crash in crashes:
                print(crash, flush=True)
            found.update({"edits": 1, "crashes": len(crashes)})
    return dict(found)


FAULTS: dict[str, tuple[Callable[[Path, int], Found], int]] = {
    "bits": (bits, 8_000), "bits_elsewhere": (bits_elsewhere, 2_000), "power": (power, 0), "sandboxes": (sandboxes, 20),
    "calls": (calls, 150), "memory": (memory, 80),
    "edits": (edits, 400),
}  # fmt: skip


def tried(name: str, times: int | None = None) -> Found:
    """What came of the fault `name`, in an empty folder that is the working directory."""
    work, usual = FAULTS[name]
    before = Path.cwd()
    with tempfile.TemporaryDirectory() as folder:
        os.chdir(folder)
        try:
            if name not in ("sandboxes", "calls", "memory"):
                fill(Path(folder))
            return work(Path(folder), usual if times is None else times)
        finally:
            os.chdir(before)


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("faults", nargs="*", choices=[[], *FAULTS], help="default: all")
    parser.add_argument("--times", type=int, help="how often; of power: moments, 0 for all")
    asked = parser.parse_args()
    record: dict[str, Any] = json.loads(FILE.read_text(encoding="utf-8")) if FILE.exists() else {}
    for name in asked.faults or FAULTS:
        record[name] = tried(name, asked.times)
        print(f"{name}: {record[name]}", flush=True)
        text = json.dumps({"how": "python benchmarks/reliability.py", "seed": SEED} | record, indent=1)
        FILE.write_text(f"{text}\n", encoding="utf-8")


if __name__ == "__main__":
    main()
