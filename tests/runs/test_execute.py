"""Whole runs: records, run.json, order, jobs, interruptions."""

from __future__ import annotations

import json
from collections.abc import Sequence
from itertools import pairwise
from pathlib import Path
from typing import Any

import pytest
from plans import silent
from small_content import claim_text, target_text, write

from dpaudit.content import apart
from dpaudit.records.errors import ConfigurationError
from dpaudit.records.verdict import ExitCode, Verdict
from dpaudit.runs.execute import in_order, run
from dpaudit.runs.flows import claims
from dpaudit.runs.plan import Plan, make_plan
from dpaudit.runs.settings import Part, Settings
from dpaudit.runs.task import Task

WRONG = "a**2 + 3*a*b + b**2"


@pytest.fixture
def content(workdir: Path) -> Path:
    """Three claims, one of them false, and a target."""
    for number, right in enumerate(("a**2 + 2*a*b + b**2", WRONG, "(b + a)**2"), start=1):
        write(workdir / "proofs" / "toy" / f"lem_{number}.py", claim_text(f"toy/LEM-{number}", right))
    write(workdir / "audits" / "sum.py", target_text())
    return workdir


def planned(**more: Any) -> Plan:
    """A run of the claims and the target."""
    return make_plan(Settings("run", (Part.VERIFY, Part.AUDIT), controls=False, **more))


def records(folder: Path) -> list[dict[str, Any]]:
    """The records on disk without their times."""
    rows = [json.loads(row) for row in (folder / "records.jsonl").read_text().splitlines()]
    return [{key: value for key, value in row.items() if key not in ("duration_s", "digest")} for row in rows]


def test_a_run_leaves_its_records_and_its_description(content: Path) -> None:
    result = run(planned(seed=9), content / "out", silent)
    header = json.loads((content / "out" / "run.json").read_text())
    assert result.code is ExitCode.REFUTED
    assert (header["seed"], header["exit_code"], header["level"], header["tasks"]) == (9, 1, "smoke", 4)
    assert header["counts"]["verdicts"] == len(records(content / "out"))
    assert header["counts"]["unexpected"] >= 1
    assert header["error_budget"]["planned"] == 1
    assert header["finished"] >= header["started"]
    assert header["versions"]["dpaudit"]
    assert header["content"][0] == {
        "kind": "proofs", "folder": "proofs", "origin": "working directory", "digest": header["content"][0]["digest"],
    }  # fmt: skip
    assert {row["seed"] for row in records(content / "out")} == {9}


def test_the_number_of_jobs_does_not_show_in_the_records(content: Path) -> None:
    run(planned(jobs=1), content / "one", silent)
    run(planned(jobs=2), content / "two", silent)
    assert records(content / "one") == records(content / "two")
    assert (content / "one" / "scores").is_dir()


@pytest.mark.deep
def test_the_seed_shows_in_the_numbers(content: Path) -> None:
    run(planned(seed=1), content / "one", silent)
    run(planned(seed=2), content / "two", silent)
    one, two = (records(content / name)[-1] for name in ("one", "two"))
    assert one["numbers"] != two["numbers"]
    assert one["outcome"] == two["outcome"]


@pytest.mark.deep
def test_the_observer_sees_every_verdict_once_and_records_are_in_plan_order(content: Path) -> None:
    seen: list[str] = []
    ids: list[str] = []

    def observe(task: Task, verdicts: Sequence[Verdict]) -> None:
        seen.append(task.name)
        ids.extend(v.id for v in verdicts)

    result = run(planned(jobs=2), content / "out", observe)
    assert sorted(seen) == ["toy/LEM-1", "toy/LEM-2", "toy/LEM-3", "toy/sum"]
    assert sorted(ids) == sorted(v.id for v in result.verdicts)
    found = [row["id"] for row in records(content / "out")]
    assert found == [v.id for v in result.verdicts]
    assert [name for name in found if name in seen] == sorted(seen)


def test_an_interruption_keeps_what_was_finished(content: Path) -> None:
    def observe(task: Task, verdicts: Sequence[Verdict]) -> None:
        if task.name == "toy/LEM-2":
            raise KeyboardInterrupt

    with pytest.raises(KeyboardInterrupt):
        run(planned(), content / "out", observe)
    header = json.loads((content / "out" / "run.json").read_text())
    kept = [row["id"] for row in records(content / "out") if row["kind"] == "claim"]
    assert header["exit_code"] == 130
    assert kept == ["toy/LEM-1", "toy/LEM-2"]
    assert header["counts"]["verdicts"] == len(records(content / "out"))


def test_a_worker_that_dies_is_an_error_of_its_target(content: Path) -> None:
    write(content / "audits" / "fatal.py", target_text("toy/fatal", run="import os; os._exit(3)"))
    result = run(planned(jobs=2), content / "out", silent)
    outcomes = {v.id: v.outcome.value for v in result.verdicts}
    assert outcomes["toy/fatal"] == "ERROR"
    assert outcomes["toy/sum"] == "CONSISTENT"
    assert outcomes["toy/LEM-3"] == "PROVED"


def test_allowing_what_is_open_is_part_of_the_run(content: Path) -> None:
    write(content / "proofs" / "toy" / "lem_2.py", claim_text("toy/LEM-2"))
    write(content / "audits" / "needy.py", target_text("toy/needy", needs="(('surely_missing', 'audits'),)"))
    strict = run(planned(), content / "strict", silent)
    lenient = run(planned(allow_inconclusive=True), content / "lenient", silent)
    assert (strict.code, lenient.code) == (ExitCode.INCONCLUSIVE, ExitCode.EXPECTED)


def test_an_empty_plan_collects_nothing(workdir: Path) -> None:
    (workdir / "proofs").mkdir()
    result = run(make_plan(Settings("verify", (Part.VERIFY,))), workdir / "out", silent)
    assert result.code is ExitCode.NOTHING_COLLECTED


def test_a_used_folder_is_refused_before_any_work(content: Path) -> None:
    (content / "out").mkdir()
    (content / "out" / "keep").write_text("x")
    with pytest.raises(ConfigurationError, match="is not empty"):
        run(planned(), content / "out", silent)
    assert [path.name for path in (content / "out").iterdir()] == ["keep"]


def test_two_tasks_that_give_one_id_are_refused(content: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    for module in (apart, claims):  # files of others that do so are broken before
        monkeypatch.setattr(module, "with_names_of_their_own", list)
    write(content / "proofs" / "toy" / "lem_5.py", claim_text("toy/LEM-5"))
    write(content / "proofs" / "toy" / "lem_5_s1.py", claim_text("toy/lem-5"))
    with pytest.raises(ConfigurationError, match=r"toy/LEM-5 and toy/lem-5 both give toy/lem-5; .* rename"):
        run(planned(), content / "out", silent)


def test_two_tasks_that_write_one_file_are_refused(content: Path) -> None:
    write(content / "audits" / "other.py", target_text("toy_sum"))
    with pytest.raises(ConfigurationError, match=r"both give the file scores/toy_sum\.json"):
        run(planned(isolate=False), content / "out", silent)


@pytest.mark.deep
def test_one_worker_keeps_the_order_of_the_plan_and_several_take_neighbours_apart(workdir: Path) -> None:
    for number in range(1, 10):
        write(workdir / "proofs" / "toy" / f"lem_{number}.py", claim_text(f"toy/LEM-{number}"))
    alone, two, three = (in_order(make_plan(Settings("verify", (Part.VERIFY,), jobs=jobs))) for jobs in (1, 2, 3))
    assert alone == list(range(9))
    assert two == three != alone
    assert sorted(two) == alone
    assert sum(abs(first - second) == 1 for first, second in pairwise(two)) < 4


def test_claims_are_begun_before_agreement_so_that_the_last_tasks_are_short(content: Path) -> None:
    plan = make_plan(Settings("run", (Part.VERIFY, Part.AGREE, Part.AUDIT), controls=False, isolate=False))
    begun = [plan.tasks[place].part for place in in_order(plan)]
    assert begun == sorted(begun, key=[Part.AUDIT, Part.VERIFY, Part.AGREE].index)
    assert set(begun) == set(Part)
