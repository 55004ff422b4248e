"""One task: data in, data out, and never an exception."""

from __future__ import annotations

import errno
import json
import os
import tempfile
from dataclasses import replace
from pathlib import Path
from types import ModuleType
from typing import Any

import pytest
from small_content import boxed_text, claim_text, target_text, write

from dpaudit.claims import verify
from dpaudit.confinement import scratch
from dpaudit.content import loading
from dpaudit.content.places import shipped_folder
from dpaudit.records.context import slug
from dpaudit.records.errors import MissingPackageError, install_line
from dpaudit.records.serial import decode
from dpaudit.records.verdict import Kind, Outcome, Verdict
from dpaudit.runs import store, worker
from dpaudit.runs.plan import make_plan
from dpaudit.runs.settings import Part, Settings
from dpaudit.runs.worker import Order, perform


@pytest.fixture
def order(workdir: Path) -> Order:
    """The task of a true claim."""
    path = write(workdir / "toy" / "lem_1.py", claim_text())
    write(workdir / "toy" / "paper.toml",
          'title = "T"\nauthors = "A and B"\nyear = 2024\nidentifier = "x"\nversion = "v1"\n')  # fmt: skip
    (workdir / "out").mkdir()
    plan = make_plan(Settings("verify", (Part.VERIFY,), (str(path),), seed=5))
    return Order(plan.tasks[0], plan.settings, plan.ledger.share)


def verdicts(order: Order) -> tuple[Verdict, ...]:
    """What comes back, through JSON; the files are written as a run does."""
    answer = perform(order)
    store.attach(Path("out"), answer.files)
    found = decode(json.loads(json.dumps(answer.verdicts)))
    assert isinstance(found, tuple)
    return found


def engine(monkeypatch: pytest.MonkeyPatch, answer: Any) -> None:
    """Let the engine of claims return `answer`, or raise it."""

    def verify_claim(claim: object, module: ModuleType, context: object, paper: str) -> Any:
        if isinstance(answer, BaseException):
            raise answer
        return answer

    monkeypatch.setattr(verify, "verify_claim", verify_claim)


def test_a_claim_is_verified(order: Order) -> None:
    first = verdicts(order)[0]
    assert (first.id, first.outcome, first.seed) == ("toy/LEM-1", Outcome.PROVED, 5)
    assert first.source == "A and B (2024), T, Lemma 1"
    assert first.replay == "dpaudit verify toy/LEM-1 --seed 5 --level smoke --no-cache --proofs toy/lem_1.py"
    assert first.duration_s > 0


@pytest.mark.parametrize("error", [RuntimeError("boom"), SystemExit(0), RecursionError("deep")])
def test_a_crash_is_an_error_verdict_with_its_traceback(
    order: Order, monkeypatch: pytest.MonkeyPatch, error: BaseException
) -> None:
    engine(monkeypatch, error)
    (found,) = verdicts(order)
    assert found.outcome is Outcome.ERROR
    assert type(error).__name__ in found.evidence[0].detail
    assert found.attachments == ("errors/toy_LEM-1.txt",)
    assert "Traceback" in Path("out/errors/toy_LEM-1.txt").read_text()
    assert found.replay


def test_a_missing_package_is_not_run(order: Order, monkeypatch: pytest.MonkeyPatch) -> None:
    engine(monkeypatch, MissingPackageError("z3", "smt"))
    (found,) = verdicts(order)
    assert (found.outcome, found.attachments) == (Outcome.NOT_RUN, ())
    assert install_line("smt") in found.evidence[0].detail


def test_an_interruption_goes_through(order: Order, monkeypatch: pytest.MonkeyPatch) -> None:
    engine(monkeypatch, KeyboardInterrupt())
    with pytest.raises(KeyboardInterrupt):
        perform(order)


def one(name: str, **more: Any) -> Verdict:
    """A verdict as an engine might make it."""
    return Verdict(name, Kind.CLAIM, Outcome.PROVED, Outcome.PROVED, "t", (), "s", 1, **more)


@pytest.mark.parametrize(
    ("answer", "reason"),
    [
        ([], "the engine gave no verdict"),
        ([one("toy/LEM-1"), one("toy/LEM-1")], "two verdicts are called 'toy/LEM-1'"),
        ([one("toy/LEM-1", witness=(("x", object()),))], "a record may not hold a object"),
    ],
)
def test_a_wrong_answer_of_an_engine_is_an_error(
    order: Order, monkeypatch: pytest.MonkeyPatch, answer: list[Verdict], reason: str
) -> None:
    engine(monkeypatch, answer)
    (found,) = verdicts(order)
    assert found.outcome is Outcome.ERROR
    assert reason in found.evidence[0].detail


def test_files_travel_with_the_verdicts_and_leave_nothing_behind(
    order: Order, workdir: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    (workdir / "scratch").mkdir()
    monkeypatch.setattr(tempfile, "tempdir", str(workdir / "scratch"))
    write(Path(order.task.path), boxed_text("toy/LEM-1"))
    answer = perform(replace(order, task=make_plan(order.settings).tasks[0]))
    assert sorted(answer.files) == sorted({name for v in decode(answer.verdicts) for name in v.attachments})
    assert all(name.startswith("certificates/") for name in answer.files)
    assert json.loads(answer.files["certificates/toy_LEM-1.json"])["claim"] == "toy/LEM-1"
    assert list(scratch.home().iterdir()) == []
    assert list(Path("out").iterdir()) == []


def test_too_much_to_hand_over_is_an_error(order: Order, monkeypatch: pytest.MonkeyPatch) -> None:
    write(Path(order.task.path), boxed_text("toy/LEM-1"))
    monkeypatch.setattr(worker, "MOST_BYTES", 99)
    answer = perform(order)
    [found] = decode(answer.verdicts)
    assert (found.outcome, answer.files) == (Outcome.ERROR, {})
    assert "99 are allowed" in found.evidence[0].detail


def test_times_of_the_engine_are_kept(order: Order, monkeypatch: pytest.MonkeyPatch) -> None:
    engine(monkeypatch, [one("toy/LEM-1", duration_s=1.5), one("toy/LEM-1~auto-1")])
    assert [v.duration_s for v in verdicts(order)] == [1.5, 0.0]


def test_a_file_that_changed_during_the_run_is_an_error(order: Order) -> None:
    write(Path(order.task.path), claim_text("toy/LEM-2"))
    (found,) = verdicts(order)
    assert "toy/LEM-1 is no longer in toy/lem_1.py" in found.evidence[0].detail


@pytest.mark.parametrize("isolate", [True, False])
def test_a_target_that_claims_less_than_when_it_was_planned_is_an_error(workdir: Path, isolate: bool) -> None:
    """Its share of the error budget, and the verdict that was expected, were those of another claim."""
    path = write(workdir / "t.py", target_text(mu=1.0, trials=200))
    plan = make_plan(Settings("audit", (Part.AUDIT,), (str(path),), controls=False, isolate=isolate))
    write(path, target_text(mu=50.0, trials=200))
    [found] = verdicts(Order(plan.tasks[0], plan.settings, plan.ledger.share))
    assert found.outcome is Outcome.ERROR
    assert "its file has changed" in found.evidence[0].detail


def test_names_become_file_names() -> None:
    assert slug("toy/LEM-1.2~x y") == "toy_LEM-1.2~x_y"


def test_what_begins_at_a_higher_level_is_not_run_and_not_loaded(
    workdir: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    text = target_text("toy/late").replace("    title=", "    from_level=Level.DEEP,\n    title=")
    write(workdir / "audits" / "late.py", "from dpaudit.records.context import Level\n" + text)
    plan = make_plan(Settings("audit", (Part.AUDIT,), controls=False, isolate=False))
    monkeypatch.setattr(loading, "load_module", lambda path: pytest.fail(f"{path} was loaded"))
    (found,) = verdicts(Order(plan.tasks[0], plan.settings, plan.ledger.share))
    assert found.outcome is Outcome.NOT_RUN
    assert found.as_expected
    assert found.evidence[0].detail == "begins at level deep"


@pytest.mark.deep
def test_a_target_that_came_with_dpaudit_is_played_once_and_one_of_the_user_each_time(
    workdir: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """What is kept is what was made, scores and times included."""
    shipped = shipped_folder("audits") / "null" / "randomised_response.py"
    mine = write(workdir / "mine.py", target_text())
    plan = make_plan(Settings("audit", (Part.AUDIT,), (str(shipped), str(mine)), controls=False))
    orders = [Order(task, plan.settings, plan.ledger.share) for task in plan.tasks]
    first, again = ([perform(order) for order in orders] for _ in range(2))
    assert [answer.cached for answer in first] == [False, False]
    assert [answer.cached for answer in again] == [True, False]
    assert again[0].verdicts == first[0].verdicts
    assert again[0].files == first[0].files != {}
    assert not perform(replace(orders[0], settings=replace(plan.settings, cache=False))).cached
    monkeypatch.setenv("OMP_NUM_THREADS", "7")
    assert not perform(orders[0]).cached


@pytest.mark.parametrize(("device", "kept"), [("cpu", True), ("cuda", False)])
def test_verdicts_of_another_device_are_made_each_time(order: Order, device: str, kept: bool) -> None:
    there = replace(order, settings=replace(order.settings, device=device))
    assert [perform(there).cached for _ in range(2)] == [False, kept]


@pytest.mark.parametrize("times", [1, 2])
def test_an_item_that_lacks_memory_is_tried_once_more(
    order: Order, monkeypatch: pytest.MonkeyPatch, times: int
) -> None:
    made, left = worker._verdicts, [times]

    def starved(*given: Any) -> Any:
        left[0] -= 1
        if left[0] >= 0:
            raise MemoryError
        return made(*given)

    monkeypatch.setattr(worker, "_verdicts", starved)
    (found, *_) = verdicts(order)
    assert found.outcome is (Outcome.PROVED if times == 1 else Outcome.ERROR)
    assert perform(order).fault == ""


def test_a_bad_disk_is_a_fault_and_no_verdict(order: Order, monkeypatch: pytest.MonkeyPatch) -> None:
    def failed(folder: Path) -> dict[str, str]:
        raise OSError(errno.EIO, os.strerror(errno.EIO))

    monkeypatch.setattr(worker, "_files", failed)
    answer = perform(order)
    assert answer.verdicts == []
    assert answer.fault == f"this machine failed: {os.strerror(errno.EIO)}; see its disks and ulimit -a"
