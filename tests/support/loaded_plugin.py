"""How a pytest that is run inside a test gets the plugin of dpaudit, and small content for it."""

from __future__ import annotations

import importlib
from collections.abc import Callable
from importlib.metadata import entry_points
from pathlib import Path

import numba
import pytest
from command_line import dpaudit
from small_content import boxed_text, target_text, write

from dpaudit.records.verdict import Verdict
from dpaudit.runs.reading import load_run

LOADED = [] if any(e.name == "dpaudit" for e in entry_points(group="pytest11")) else ["-p", "dpaudit.pytest_plugin"]
"""What makes pytest load the plugin: nothing where dpaudit is installed with its entry points."""


@pytest.fixture(scope="module", autouse=True)
def warm(tmp_path_factory: pytest.TempPathFactory) -> None:
    """Load what an audit and a proof load: pytester unloads what it saw loaded, and numba cannot be loaded twice."""
    importlib.import_module("dpaudit.algorithms.rbcd.dp_skgd")
    numba.njit(lambda: 0)()  # numba loads the rest of itself when it first compiles
    with pytest.MonkeyPatch.context() as patch:
        patch.chdir(tmp_path_factory.mktemp("warm"))
        patch.setenv("DPAUDIT_CACHE", "cache")
        content(lem=boxed_text(), target=target_text(trials=2_000))
        command_line("audit", "audits/target.py", "--no-controls", "--run-dir", "one")
        command_line("verify", "proofs", "--run-dir", "two")


def command_line(*words: str) -> None:
    dpaudit(*words, "--jobs", "1", "--no-report", *(["--no-isolate"] * (words[0] == "audit")))


def content(**files: str) -> None:
    """Write claims (names that start with lem) below proofs/toy and targets below audits."""
    for name, text in files.items():
        write(Path("proofs/toy" if name.startswith("lem") else "audits") / f"{name}.py", text)


@pytest.fixture(name="audit")
def audited(pytester: pytest.Pytester) -> Callable[..., pytest.RunResult]:
    """Run `pytest --dpaudit` in the folder of the test, into the run folder `out`; no sandboxes, they have tests."""

    def run(*arguments: str, folder: str = "out", **rest: bool) -> pytest.RunResult:
        flags = ("--dpaudit", "--dpaudit-run-dir", folder, "--dpaudit-no-isolate", "-p", "no:cacheprovider", "-rs")
        return pytester.runpytest(*LOADED, *flags, *arguments, **rest)

    return run


def outcomes(result: pytest.RunResult) -> dict[str, str]:
    """passed, failed or skipped by the id of the verdict, from the reports of the items."""
    reports = result.reprec.getreports("pytest_runtest_logreport")  # type: ignore[attr-defined]
    return {r.nodeid.partition("::")[2]: r.outcome for r in reports if r.when == "call"}


def verdicts(folder: str = "out") -> dict[str, Verdict]:
    return {verdict.id: verdict for verdict in load_run(Path(folder)).verdicts}
