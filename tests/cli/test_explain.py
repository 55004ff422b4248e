"""The command `explain`, and checks that are selected or ignored."""

from __future__ import annotations

import json
from pathlib import Path

import pytest
from command_line import dpaudit
from small_content import write

from dpaudit.records.verdict import Kind, Outcome, Verdict
from dpaudit.runs.reading import load_run

UNCLIPPED = """
import numpy as np
from dpaudit import Training, claim

def train(records, recorder):
    rng = np.random.default_rng(recorder.seed)
    total = records[recorder.batch(np.arange(len(records)))].sum(axis=0)
    recorder.release("sum", total, 2.0 * rng.normal(size=2), sensitivity=1.0, noise_scale=2.0)

AUDIT = Training("unclipped/sum", train, records=np.eye(2)[[0, 1, 0, 1]] * 3.0, claim=claim(mu=0.5), trials=None)
"""


@pytest.fixture
def target(workdir: Path) -> Path:
    return write(workdir / "unclipped.py", UNCLIPPED)


def audited(*words: str) -> Verdict:
    """The verdict on the target."""
    folder = f"run{len(list(Path().iterdir()))}"
    done = dpaudit("audit", "unclipped.py", "--no-isolate", "--jobs", "1", "--no-report", "--run-dir", folder, *words)
    (found,) = (v for v in load_run(Path(folder)).verdicts if v.kind is Kind.AUDIT) if done.exit_code < 2 else ()
    return found


def refuting(verdict: Verdict) -> set[str]:
    return {e.detail.partition(": ")[0] for e in verdict.evidence if e.outcome is Outcome.REFUTED}


def test_a_check_is_explained_and_all_are_listed(workdir: Path) -> None:
    assert "Exception: Declare no sensitivity" in dpaudit("explain", "sensitivity").stdout
    assert len(json.loads(dpaudit("explain", "--format", "json").stdout)) == len(dpaudit("explain").stdout.splitlines())
    wrong = dpaudit("explain", "sensitvity")
    assert wrong.exit_code == 2
    assert "did you mean 'sensitivity'" in wrong.stderr


def test_a_refutation_says_where_its_check_is_explained(target: Path) -> None:
    flags = ("--no-isolate", "--no-controls", "--jobs", "1", "--no-report")
    done = dpaudit("audit", "unclipped.py", *flags, "--select", "sensitivity")
    assert "explain:   docs/checks.md#sensitivity, or dpaudit explain sensitivity" in done.stdout
    for form in ("sarif", "github"):
        told = dpaudit("report", str(next(Path("runs").iterdir())), "--format", form)
        assert "docs/checks.md#sensitivity, or dpaudit explain sensitivity" in told.stdout


@pytest.mark.deep
def test_what_is_ignored_refutes_no_longer_and_the_record_says_so(target: Path) -> None:
    everything = audited()
    assert {"sensitivity", "accountant"} & refuting(everything) == {"sensitivity"}
    ignored = audited("--ignore", "sensitivity", "--ignore", "bad-records")
    assert refuting(ignored) == refuting(everything) - {"sensitivity", "bad records"}
    said = [e.detail for e in ignored.evidence if e.outcome is Outcome.NOT_RUN]
    assert "sensitivity: left out by --select or --ignore" in said
    assert "--ignore sensitivity --ignore bad-records" in ignored.replay


@pytest.mark.deep
def test_what_is_selected_is_made_with_its_control_alone(target: Path) -> None:
    selected = audited("--select", "sensitivity")
    made = [e.detail.partition(": ")[0] for e in selected.evidence if e.outcome is not Outcome.NOT_RUN]
    assert made == ["repeatable replay", "sensitivity"]


@pytest.mark.deep
def test_the_configuration_names_checks_too(target: Path) -> None:
    write(Path("dpaudit.toml"), 'ignore = ["sensitivity", "bad-records"]\n')
    assert "sensitivity" not in refuting(audited())
    write(Path("dpaudit.toml"), "ignore = [3]\n")
    done = dpaudit("audit", "unclipped.py")
    assert done.exit_code == 2
    assert "dpaudit.toml, line 1: ignore must be a list of strings, got [3]" in done.stderr
