"""The costs of walls and digests are measured, and what is measured is them."""

from __future__ import annotations

import json
from pathlib import Path
from types import SimpleNamespace
from typing import Any

import costs
import pytest
from small_content import claim_text, target_text, write

from dpaudit.confinement import enclosed, forked, namespaces
from dpaudit.records import digests
from dpaudit.runs import execute, reading


def test_a_sandbox_is_started_with_and_without_walls(monkeypatch: pytest.MonkeyPatch) -> None:
    started = []
    real = namespaces.command

    def command(*arguments: object) -> list[str]:
        started.append(real(*arguments))  # type: ignore[arg-type]
        return started[-1]

    monkeypatch.setattr(namespaces, "command", command)
    found = costs.sandboxes(1)
    assert [bool(words) for words in started] == [False, namespaces.mode() is not None]
    assert found["plain_seconds"] > 0


def test_a_copy_is_made_with_and_without_walls(monkeypatch: pytest.MonkeyPatch) -> None:
    entered = []
    real = forked.results

    def results(works: Any, *others: Any) -> Any:
        entered.extend(enclosed.walls() for _ in works)
        return real(works, *others)

    monkeypatch.setattr(forked, "results", results)
    found = costs.copies(2)
    assert entered == [None, enclosed.walls()] * 2
    assert found["plain_seconds"] > 0


def test_the_share_is_that_of_the_digests(workdir: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """By a clock that a digest moves by 1, the rest of a run by 100 and the rest of reading it by 10."""
    write(workdir / "proofs" / "toy" / "lem_1.py", claim_text("toy/LEM-1"))
    clock, made = [0.0], {"run": 0, "read": 0}
    monkeypatch.setattr(costs, "time", SimpleNamespace(perf_counter=lambda: clock[0]))
    real_sha256, real_run, real_read = digests.sha256, execute.run, reading.load_run
    within = [""]

    def sha256(data: bytes | str) -> str:
        clock[0] += 1
        made[within[0]] += 1
        return real_sha256(data)

    def run(*arguments: Any) -> Any:
        clock[0] += 100
        within[0] = "run"
        return real_run(*arguments)

    def load_run(*arguments: Any) -> Any:
        clock[0] += 10
        within[0] = "read"
        return real_read(*arguments)

    monkeypatch.setattr(digests, "sha256", sha256)
    monkeypatch.setattr(execute, "run", run)
    monkeypatch.setattr(reading, "load_run", load_run)
    within[0] = "run"
    found = costs.in_digests(1, workdir / "proofs")
    assert min(made.values()) > 0
    assert found["share_of_run_percent"] == round(100 * made["run"] / (made["run"] + 100), 3)
    assert found["share_of_reading_percent"] == round(100 * made["read"] / (made["read"] + 10), 1)


def test_the_walls_of_a_job_are_counted_by_its_sandboxes(workdir: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """By a clock that every look at it moves by 10 s, and with walls that add 500 ms to the start of a sandbox."""
    write(workdir / "shipped" / "a.py", target_text("toy/a", trials=1000))
    clock = iter(range(0, 1000, 10))
    monkeypatch.setattr(costs, "time", SimpleNamespace(perf_counter=lambda: next(clock)))
    monkeypatch.setattr(costs, "sandboxes", lambda times: {"added_milliseconds": 500.0})
    found = costs.in_main_job(1, workdir / "shipped")
    assert found["sandboxes"] >= 3  # for the plan, the trials and the scores
    assert found["seconds"] == 10
    assert found["share_of_walls_percent"] == round(100 * found["sandboxes"] * 0.5 / 10, 2)


def test_what_was_measured_is_within_what_is_allowed() -> None:
    """50 ms a sandbox or copy and 5 % of the audits for walls, 2 % of a run for digests."""
    found = json.loads(costs.FILE.read_text(encoding="utf-8"))
    for kind in ("sandboxes", "copies"):
        assert 0 < found[kind]["added_milliseconds"] <= 50
    assert 0 < found["main_job"]["share_of_walls_percent"] <= 5
    assert 0 < found["digests"]["share_of_run_percent"] <= 2
