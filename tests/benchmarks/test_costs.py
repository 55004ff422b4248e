"""The costs of walls and digests are measured, and what is measured is them."""

from __future__ import annotations

from pathlib import Path
from types import SimpleNamespace
from typing import Any

import costs
import pytest
from small_content import claim_text, write

from dpaudit.confinement import namespaces
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
