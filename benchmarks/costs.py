"""What walls and digests cost: the start of a sandbox with and without walls, and of a copy for a claim file, the
share of walls in the audits of `dpaudit run --level smoke`, and the share of digests in a run.

    python benchmarks/costs.py              all four, a quarter of an hour on a slow processor
    python benchmarks/costs.py sandboxes    one of them

Results go to `reports/benchmarks/costs.json`; docs/isolation.md and docs/reliability.md show them. Times are ratios or
differences of what was made in turns in one process, medians of many.
"""

from __future__ import annotations

import argparse
import json
import shutil
import statistics
import sys
import tempfile
import time
from collections.abc import Callable
from contextlib import ExitStack
from functools import cache
from pathlib import Path
from typing import Any
from unittest import mock

ROOT = Path(__file__).parents[1]
sys.path.insert(0, str(ROOT / "tests" / "support"))

from small_content import target_text, write  # noqa: E402  it lies with the tests

from dpaudit.audit.sandbox.session import Session  # noqa: E402
from dpaudit.confinement import enclosed, namespaces  # noqa: E402
from dpaudit.confinement.limits import Limits  # noqa: E402
from dpaudit.content.copies import in_copy  # noqa: E402
from dpaudit.records import digests, lines  # noqa: E402
from dpaudit.records.context import Level  # noqa: E402
from dpaudit.runs import check, execute, kept, reading, store, worker  # noqa: E402
from dpaudit.runs.plan import make_plan  # noqa: E402
from dpaudit.runs.settings import Part, Settings  # noqa: E402

FILE = ROOT / "reports" / "benchmarks" / "costs.json"
PAPER = ROOT / "proofs" / "rbcd"
AUDITS = ROOT / "audits"
Found = dict[str, Any]


def sandboxes(times: int) -> Found:
    """Seconds from the start of a sandbox until it has loaded a small file: without any wall, and as strong as here."""
    strong = namespaces.mode()
    with tempfile.TemporaryDirectory() as home:
        file = write(Path(home) / "a.py", target_text("toy/a", trials=1000))
        took: dict[str, list[float]] = {"plain": [], "walled": []}
        for _ in range(times):
            for name, mode in (("plain", None), ("walled", strong)):
                with mock.patch.object(namespaces, "mode", lambda network=False, mode=mode: mode):
                    began = time.perf_counter()
                    with Session(file, Limits()):
                        took[name].append(time.perf_counter() - began)
    return {"times": times, "strength": namespaces.strength(False)[1]} | _compared(took)


def copies(times: int) -> Found:
    """Seconds that a copy for a claim file takes which does nothing: without any wall, and as strong as here."""
    strong = enclosed.walls()
    took: dict[str, list[float]] = {"plain": [], "walled": []}
    for _ in range(times):
        for name, kind in (("plain", None), ("walled", strong)):
            with mock.patch.object(enclosed, "walls", cache(lambda kind=kind: kind)):
                began = time.perf_counter()
                in_copy(Path(__file__), lambda: None)
                took[name].append(time.perf_counter() - began)
    return {"times": times, "strength": enclosed.strength()[1]} | _compared(took)


def _compared(took: dict[str, list[float]]) -> Found:
    """The medians of both kinds, and that of the differences of what was made in turn."""
    medians = {f"{name}_seconds": round(statistics.median(rows), 3) for name, rows in took.items()}
    added = [walled - plain for plain, walled in zip(took["plain"], took["walled"], strict=True)]
    return medians | {"added_milliseconds": round(1000 * statistics.median(added), 1)}


def in_main_job(times: int, audits: Path = AUDITS) -> Found:
    """The audits of `dpaudit run --level smoke` as if somebody else had written them, so that each is in a sandbox: how
    many are started, and the share of the time that walls take, by what they add to the start of one. As they are, the
    audits that came with dpaudit start none.
    """
    starts, real = [0], Session._start

    def start(session: Session) -> None:
        starts[0] += 1
        real(session)

    with tempfile.TemporaryDirectory() as home, mock.patch.object(Session, "_start", start):
        shutil.copytree(audits, Path(home) / "audits")
        for file in (Path(home) / "audits").rglob("*.py"):
            file.write_text(file.read_text(encoding="utf-8") + "\n# of somebody else\n", encoding="utf-8")
        began = time.perf_counter()
        plan = make_plan(Settings("audit", (Part.AUDIT,), level=Level.SMOKE, audits=Path(home) / "audits", cache=False))
        execute.run(plan, Path(home) / "out", lambda task, verdicts: None)
        seconds = time.perf_counter() - began
    walls = starts[0] * sandboxes(times)["added_milliseconds"] / 1000
    share = round(100 * walls / seconds, 2)
    return {"sandboxes": starts[0], "seconds": round(seconds), "share_of_walls_percent": share}


def in_digests(times: int, paper: Path = PAPER) -> Found:
    """The share of the time of `dpaudit verify` on a paper that making and comparing digests takes, and of reading the
    run again."""
    spent, shares, read = [0.0], [], []
    users = (digests, lines, check, kept, reading, store, worker)
    for _ in range(times):
        with tempfile.TemporaryDirectory() as home, _timed(users, spent):
            spent[0], began = 0.0, time.perf_counter()
            plan = make_plan(Settings("verify", (Part.VERIFY,), (str(paper),), cache=False))
            execute.run(plan, Path(home) / "out", lambda task, verdicts: None)
            shares.append(spent[0] / (time.perf_counter() - began))
            spent[0], began = 0.0, time.perf_counter()
            reading.load_run(Path(home) / "out")
            read.append(spent[0] / (time.perf_counter() - began))
    return {
        "times": times,
        "share_of_run_percent": round(100 * statistics.median(shares), 3),
        "share_of_reading_percent": round(100 * statistics.median(read), 1),
    }


def _timed(users: tuple[Any, ...], spent: list[float]) -> Any:
    """Within, the time of each outermost call of a function of digests is added to `spent`."""
    inside = [0]

    def timed(real: Callable[..., Any]) -> Callable[..., Any]:
        def call(*arguments: Any) -> Any:
            inside[0] += 1
            began = time.perf_counter()
            try:
                return real(*arguments)
            finally:
                inside[0] -= 1
                if not inside[0]:
                    spent[0] += time.perf_counter() - began

        return call

    stack = ExitStack()
    for name in ("sha256", "with_digest", "without_digest", "digest_in"):
        made = timed(getattr(digests, name))
        for user in users:
            if hasattr(user, name):
                stack.enter_context(mock.patch.object(user, name, made))
    return stack


KINDS: dict[str, tuple[Callable[[int], Found], int]] = {
    "sandboxes": (sandboxes, 40), "copies": (copies, 100), "main_job": (in_main_job, 20), "digests": (in_digests, 3),
}  # fmt: skip


def main() -> None:
    """Measure what is named, by default all, and keep the rest of the file."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("kinds", nargs="*", choices=[*KINDS, []], default=[])
    found = json.loads(FILE.read_text(encoding="utf-8")) if FILE.is_file() else {}
    for kind in parser.parse_args().kinds or KINDS:
        measure, times = KINDS[kind]
        found[kind] = measure(times)
        print(kind, found[kind], flush=True)
        FILE.write_text(json.dumps(found, indent=1) + "\n", encoding="utf-8")


if __name__ == "__main__":
    main()
