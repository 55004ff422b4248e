"""The job for other processors, with stand-ins for what it calls: which settings, which calls, when it fails."""

from __future__ import annotations

import json
import os
import re
import shutil
import subprocess
from collections.abc import Callable
from itertools import product
from pathlib import Path

import pytest
from small_content import write

ROOT = Path(__file__).parents[2]
SCRIPT = ROOT / ".ci" / "processors"
STAND_IN = """#!/bin/sh
name=$(basename "$0")
echo "$name $* [$OMP_NUM_THREADS $NUMBA_NUM_THREADS $ATEN_CPU_CAPABILITY $OPENBLAS_CORETYPE]" >>calls
case "$name $*" in $WRONG) exit 1 ;; esac
"""
SETTING = ("_NUM_THREADS", "_CAPABILITY", "_CORETYPE", "_CPU_FEATURES")
"""How the variables end that the script sets."""
SETTINGS = [f"{threads} {threads} {rest}" for threads, rest in product("14", ("default Nehalem", "avx2 Haswell"))]
Job = Callable[[str], tuple[int, list[str]]]


@pytest.fixture
def job(tmp_path: Path) -> Job:
    """Runs the script where the call that looks as it is told goes wrong; its exit code and all calls."""
    (tmp_path / ".ci").mkdir()
    shutil.copy(SCRIPT, tmp_path / ".ci")
    for name in ("python", "pytest", "dpaudit", "grep"):
        write(tmp_path / "bin" / name, STAND_IN).chmod(0o755)
    kept = {name: value for name, value in os.environ.items() if not name.endswith(SETTING)}

    def called(wrong: str) -> tuple[int, list[str]]:
        environment = {**kept, "PATH": f"{tmp_path / 'bin'}{os.pathsep}{os.environ['PATH']}", "WRONG": wrong}
        (tmp_path / "calls").write_text("", encoding="utf-8")
        done = subprocess.run(
            ["bash", ".ci/processors"], cwd=tmp_path, env=environment, capture_output=True, check=False
        )
        return done.returncode, (tmp_path / "calls").read_text(encoding="utf-8").splitlines()

    return called


def test_tests_and_the_small_run_are_made_with_every_setting_and_compared_both_ways(job: Job) -> None:
    code, calls = job("")
    assert code == 0
    with_settings = {name: [call[call.index("[") + 1 : -1] for call in calls if call.startswith(name)]
                     for name in ("python -", "pytest ", "dpaudit run")}  # fmt: skip
    assert with_settings == {"python -": SETTINGS, "pytest ": SETTINGS, "dpaudit run": ["   ", *SETTINGS]}
    runs = [re.findall(r"--run-dir (\S+)", call)[0] for call in calls if call.startswith("dpaudit run")]
    diffs = [tuple(call.split()[2:4]) for call in calls if call.startswith("dpaudit diff")]
    assert diffs == [pair for other in runs[1:] for pair in ((runs[0], other), (other, runs[0]))]


@pytest.mark.parametrize(
    "wrong", ["python*", "pytest*", "dpaudit?run*plain", "dpaudit?run*oldest-4", "dpaudit?diff*plain", "dpaudit?diff*4"]
)
def test_it_fails_where_a_call_does(wrong: str, job: Job) -> None:
    assert job(wrong)[0] == 1


def test_it_says_what_it_needs(job: Job) -> None:
    code, calls = job("grep*")
    assert code == 2
    assert [call.split()[0] for call in calls] == ["grep"]


def test_it_names_tests_and_items_that_there_are() -> None:
    text = SCRIPT.read_text(encoding="utf-8")
    [tests] = re.findall(r"(?m)^tests=\((.+)\)$", text)
    assert [name for name in tests.split() if not any((ROOT / name).glob("test_*.py"))] == []
    items = " or ".join(re.findall(r'(?m)^items\+?="(?: or )?(.+)"$', text)).split(" or ")
    rows = map(json.loads, (ROOT / "reports" / "sample" / "records.jsonl").read_text(encoding="utf-8").splitlines())
    checked = [row["id"] for row in rows if row["outcome"] != "NOT_RUN"]
    assert len(items) > 5
    assert [item for item in items if not any(item in name for name in checked)] == []
