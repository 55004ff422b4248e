"""--maxfail: after so many surprises nothing begins, the run ends in order, and `resume` does the rest."""

from __future__ import annotations

from pathlib import Path

import pytest
from command_line import dpaudit
from resumed_runs import files
from small_content import claim_text, write

from dpaudit.records.errors import ConfigurationError
from dpaudit.records.verdict import Evidence, Kind, Outcome, Verdict
from dpaudit.runs.orders import Orders
from dpaudit.runs.plan import make_plan
from dpaudit.runs.reading import load_run
from dpaudit.runs.settings import Part, Settings
from dpaudit.runs.worker import LIMIT

QUICK = ("--jobs", "1", "--no-report", "--no-cache")


@pytest.fixture
def content(workdir: Path) -> Path:
    """Five claims, of which the second and the third are false."""
    for number in range(1, 6):
        right = "a**2" if number in (2, 3) else "a**2 + 2*a*b + b**2"
        write(workdir / "proofs" / "toy" / f"lem_{number}.py", claim_text(f"toy/LEM-{number}", right))
    return workdir


def outcomes(folder: str) -> list[Outcome]:
    """Of the claims, in the order of the plan."""
    return [v.outcome for v in load_run(Path(folder)).verdicts if v.kind is Kind.CLAIM]


@pytest.mark.deep
def test_after_so_many_surprises_nothing_begins_and_resume_does_the_rest(content: Path) -> None:
    dpaudit("verify", *QUICK, "--run-dir", "whole")
    done = dpaudit("verify", *QUICK, "--run-dir", "out", "--maxfail", "1")
    assert done.exit_code == 1
    assert outcomes("out") == [Outcome.PROVED, Outcome.REFUTED, *[Outcome.NOT_RUN] * 3]
    (found,) = (v for v in load_run(Path("out")).verdicts if v.id == "toy/LEM-3")
    assert found.evidence[0].detail == "maxfail: not begun, since --maxfail 1 was reached"
    assert "3 checks not begun; to go on: dpaudit resume out" in done.stdout
    again = dpaudit("resume", "out", "--no-report", "--maxfail", "1")
    assert outcomes("out") == [Outcome.PROVED, *[Outcome.REFUTED] * 2, *[Outcome.NOT_RUN] * 2], again.output
    assert dpaudit("resume", "out", "--no-report").exit_code == 1
    assert files(Path("out")) == files(Path("whole"))


def test_what_is_not_begun_does_not_count(content: Path) -> None:
    plan = make_plan(Settings("verify", (Part.VERIFY,), maxfail=2))
    orders = Orders(plan, [0, 1, 2])
    reason = Evidence("run", Outcome.NOT_RUN, LIMIT)
    held = Verdict("a", Kind.CLAIM, Outcome.NOT_RUN, Outcome.PROVED, "", (reason,), "", 1)
    wrong = Verdict("b", Kind.CLAIM, Outcome.REFUTED, Outcome.PROVED, "", (), "", 1)
    orders.note([held, held, wrong])
    assert [order.held for order in orders] == ["", "", ""]
    orders.note([wrong])
    assert orders[0].task.name == "toy/LEM-1"
    assert [order.held for order in orders[1:]] == [f"{LIMIT}, since --maxfail 2 was reached"] * 2


def test_a_limit_of_none_is_refused(content: Path) -> None:
    with pytest.raises(ConfigurationError, match="maxfail must be 1 outcome or more, got 0"):
        make_plan(Settings("verify", (Part.VERIFY,), maxfail=0))
    assert "0 is not in the range x>=1" in dpaudit("verify", "--maxfail", "0").stderr


def test_the_slowest_are_named(content: Path) -> None:
    done = dpaudit("verify", *QUICK, "--run-dir", "out", "--durations", "2", "-k", "LEM-1 or LEM-4")
    lines = done.stdout.splitlines()
    start = next(n for n, line in enumerate(lines) if line.startswith("the 2 slowest of"))
    seconds = sorted((round(v.duration_s, 2) for v in load_run(Path("out")).verdicts), reverse=True)
    assert [float(line.split()[0]) for line in lines[start + 1 : start + 3]] == seconds[:2]
    assert outcomes("out") == [Outcome.PROVED] * 2
