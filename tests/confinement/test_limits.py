"""Limits of what other people's code may use."""

from __future__ import annotations

import resource
import subprocess
import sys
from pathlib import Path

import pytest

from dpaudit.confinement import limits
from dpaudit.confinement.limits import Limits


def test_limits_hold_for_the_process(tmp_path: Path) -> None:
    code = (
        "import resource; from dpaudit.confinement.limits import confine; confine(1 << 30, 1 << 20)\n"
        "kinds = resource.RLIMIT_DATA, resource.RLIMIT_FSIZE, resource.RLIMIT_CORE\n"
        "print([resource.getrlimit(kind)[1] for kind in kinds])\n"
        "try: bytearray(1 << 31)\n"
        "except MemoryError: print('refused')"
    )
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    assert done.stdout.splitlines() == [f"[{1 << 30}, {1 << 20}, 0]", "refused"]


def test_a_smaller_limit_of_the_machine_stays(monkeypatch: pytest.MonkeyPatch) -> None:
    seen: dict[int, tuple[int, int]] = {}
    monkeypatch.setattr(resource, "getrlimit", lambda kind: (100, 100))
    monkeypatch.setattr(resource, "setrlimit", seen.__setitem__)
    limits.confine(1 << 30, 50)
    assert seen == {resource.RLIMIT_DATA: (100, 100), resource.RLIMIT_FSIZE: (50, 50), resource.RLIMIT_CORE: (0, 0)}


def test_a_claim_file_is_loaded_and_judged_within_the_limits_of_targets() -> None:
    asked = Limits(seconds=7200.0, gib=2.0, loading=30.0)
    assert (asked.of_loading.seconds, asked.of_loading.flag) == (30.0, "--load-limit")
    assert (asked.of_judging.seconds, asked.of_judging.flag) == (7200.0, "--time-limit")
    assert asked.of_judging.memory == asked.of_loading.memory == 2 << 30
    assert (Limits(seconds=5.0).of_loading.seconds, Limits(seconds=5.0).of_loading.flag) == (5.0, "--time-limit")
