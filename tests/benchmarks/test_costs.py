"""The costs of walls and digests are measured, and what is measured is them."""

from __future__ import annotations

import time
from pathlib import Path

import costs
import pytest
from small_content import claim_text, write

from dpaudit.audit.sandbox import namespaces
from dpaudit.records import digests


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


def test_a_slow_digest_shows_in_the_share(workdir: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    write(workdir / "proofs" / "toy" / "lem_1.py", claim_text("toy/LEM-1"))
    quick = costs.in_digests(1, workdir / "proofs")
    real = digests.sha256

    def slow(data: bytes | str) -> str:
        time.sleep(0.2)
        return real(data)

    monkeypatch.setattr(digests, "sha256", slow)
    late = costs.in_digests(1, workdir / "proofs")
    assert quick["share_of_run_percent"] < late["share_of_run_percent"]
    assert quick["share_of_reading_percent"] < late["share_of_reading_percent"]
