"""The flow of audits: targets, and the controls that join them."""

from __future__ import annotations

import errno
import os
from dataclasses import replace
from pathlib import Path
from shutil import copyfile
from typing import Any

import pytest
from hostile_targets import told
from killed_sandboxes import held, killer
from plans import audit, names, own_audits, silent
from resumed_runs import go_on
from small_content import target_text, write

from dpaudit.audit import tiers
from dpaudit.audit.sandbox import isolation, session
from dpaudit.content.places import shipped_folder
from dpaudit.records.context import Level
from dpaudit.records.errors import ConfigurationError, UnknownNameError
from dpaudit.records.verdict import Kind, Outcome, Verdict
from dpaudit.runs.commands import again
from dpaudit.runs.execute import run
from dpaudit.runs.flows import flow_of
from dpaudit.runs.plan import Plan, make_plan
from dpaudit.runs.settings import Part, Settings


def test_an_audit_by_name_brings_the_shipped_controls_and_no_others(workdir: Path) -> None:
    own_audits(workdir)
    plan = audit("toy/sum")
    own, *joined = plan.tasks
    assert (own.name, own.kind) == ("toy/sum", Kind.AUDIT)
    assert {task.kind for task in joined} == {Kind.CONTROL}
    assert {task.expected for task in joined} == {Outcome.REFUTED, Outcome.CONSISTENT}
    assert not {"bad/half", "null/zero"} & {task.name for task in joined}
    assert [origin.origin for origin in plan.origins] == ["working directory", "controls of the package"]


def test_controls_can_be_left_out_and_are_not_added_to_controls(workdir: Path) -> None:
    own_audits(workdir)
    assert names(audit("toy/sum", controls=False)) == ["toy/sum"]
    assert names(audit("null/constant", audits=shipped_folder("audits"))) == ["null/constant"]


@pytest.mark.parametrize("control", ["NULL", "KNOWN_BAD"])
def test_a_file_that_calls_itself_a_control_does_not_stand_in_for_the_shipped_ones(workdir: Path, control: str) -> None:
    shipped = names(audit(str(write(workdir / "t.py", target_text()))))[1:]
    assert len(shipped) >= 5
    file = write(workdir / "own.py", target_text("toy/own", control=control))
    assert names(audit(str(file))) == ["toy/own", *shipped]


def test_a_file_with_the_name_of_a_shipped_control_is_an_error_and_the_control_is_played(workdir: Path) -> None:
    shipped = names(audit(str(write(workdir / "t.py", target_text()))))[1:]
    file = write(workdir / "own.py", target_text(shipped[0], control="NULL"))
    own, *joined = audit(str(file)).tasks
    assert (own.name, [task.name for task in joined]) == ("own", shipped)
    assert f"is called {shipped[0]!r} too; rename one" in own.error


def test_a_file_with_the_name_of_another_is_an_error_of_its_own(workdir: Path) -> None:
    for name in ("first", "second"):
        write(workdir / "audits" / f"{name}.py", target_text())
    first, second = audit(controls=False).tasks
    assert (first.name, first.error) == ("toy/sum", "")
    assert (second.name, second.kind) == ("audits/second", Kind.AUDIT)
    assert second.error.endswith("a target of audits/first.py is called 'toy/sum' too; rename one")


def test_a_file_elsewhere_brings_the_shipped_controls(workdir: Path) -> None:
    plan = audit(str(write(workdir / "t.py", target_text())))
    assert plan.tasks[0].name == "toy/sum"
    assert {task.kind for task in plan.tasks[1:]} == {Kind.CONTROL}
    assert {task.expected for task in plan.tasks[1:]} == {Outcome.REFUTED, Outcome.CONSISTENT}


def test_an_empty_folder_gives_an_empty_plan_without_controls(workdir: Path) -> None:
    (workdir / "nothing").mkdir()
    assert audit("nothing/").tasks == ()


def test_broken_files_are_in_the_plan(workdir: Path) -> None:
    own_audits(workdir)
    write(workdir / "audits" / "oops.py", "1 / 0")
    tasks = {task.name: task for task in make_plan(Settings("audit", (Part.AUDIT,))).tasks}
    broken = tasks["audits/oops"]
    assert (broken.kind, broken.expected) == (Kind.AUDIT, Outcome.CONSISTENT)
    assert "ZeroDivisionError" in broken.error


def late(folder: Path) -> None:
    """A folder `audits` with a target that begins at standard and one that does not."""
    text = target_text("toy/late").replace("    title=", "    from_level=Level.STANDARD,\n    title=")
    write(folder / "audits" / "late.py", "from dpaudit.records.context import Level\n" + text)
    write(folder / "audits" / "sum.py", target_text())


def test_below_its_level_a_target_is_left_out_as_expected_and_spends_nothing(workdir: Path) -> None:
    late(workdir)
    plan = audit(controls=False)
    later, played = plan.tasks
    assert (later.name, later.begins, later.expected, later.tests) == ("toy/late", Level.STANDARD, Outcome.NOT_RUN, 0)
    assert (played.begins, played.expected, plan.ledger.planned) == (None, Outcome.CONSISTENT, 1)
    assert again(later, plan.settings, plan.ledger.share).endswith("--level standard --no-controls")


@pytest.mark.parametrize("more", [{"level": Level.STANDARD}, {"level": Level.DEEP}])
def test_from_its_level_on_a_target_is_played(workdir: Path, more: dict[str, object]) -> None:
    late(workdir)
    plan = audit(controls=False, **more)
    assert [task.begins for task in plan.tasks] == [None, None]
    assert plan.ledger.planned == 2


@pytest.mark.parametrize("name", ["toy/late", "toy", "audits/late.py"])
def test_named_a_target_is_played_at_any_level(workdir: Path, name: str) -> None:
    late(workdir)
    task = audit(name, controls=False).tasks[0]
    assert (task.begins, task.expected, task.tests) == (None, Outcome.CONSISTENT, 1)


def test_other_libraries_begin_at_standard_and_most_settings_of_papers_do_not() -> None:
    plan = make_plan(Settings("audit", (Part.AUDIT,)))
    later = {task.name for task in plan.tasks if task.begins}
    libraries = {task.name for task in plan.tasks if "third_party" in Path(task.path).parts}
    assert libraries < later
    assert len(libraries) > 100
    assert len(later - libraries) < len(plan.tasks) / 4


def controls(*names: str, **more: object) -> Plan:
    """The plan of `dpaudit controls names`."""
    return make_plan(Settings("controls", (Part.AUDIT,), names, **more))  # type: ignore[arg-type]


def test_controls_are_the_shipped_ones_and_those_of_the_folder_and_no_other_target(workdir: Path) -> None:
    shipped = names(controls())
    assert len(shipped) > 100
    own_audits(workdir)
    assert names(controls()) == ["bad/half", "null/zero", *shipped]
    assert {task.kind for task in controls().tasks} == {Kind.CONTROL}


def test_an_expression_chooses_among_the_controls(workdir: Path) -> None:
    found = names(controls(keyword="rbcd and noise"))
    assert found
    assert all("rbcd" in name and "noise" in name for name in found)
    assert "known-bad/rbcd-noise-as-variance" in found
    with pytest.raises(ConfigurationError, match="chooses none"):
        controls(keyword="no-such-control")


def test_a_folder_without_controls_leaves_the_shipped_ones_and_is_empty_where_it_is_named(workdir: Path) -> None:
    shipped = names(controls())
    write(workdir / "audits" / "sum.py", target_text())
    assert names(controls()) == shipped
    assert names(controls(audits=Path("audits"))) == names(controls("audits/sum.py")) == []


def test_controls_of_a_named_folder_or_file_are_played_alone(workdir: Path) -> None:
    own_audits(workdir)
    assert names(controls(audits=Path("audits"))) == ["bad/half", "null/zero"]
    assert names(controls("audits/null")) == ["null/zero"]


def test_a_target_that_is_no_control_is_no_choice_of_controls(workdir: Path) -> None:
    own_audits(workdir)
    assert names(controls("bad/half")) == ["bad/half"]
    with pytest.raises(UnknownNameError, match="unknown control 'toy/sum'"):
        controls("toy/sum")


def test_a_control_of_the_folder_stands_in_for_the_shipped_one_of_its_name(workdir: Path) -> None:
    name = names(controls())[0]
    file = write(workdir / "audits" / "mine.py", target_text(name, control="NULL"))
    assert [Path(task.path) for task in controls().tasks if task.name == name] == [file.resolve()]


def test_files_that_cannot_be_loaded_are_among_the_controls(workdir: Path) -> None:
    write(workdir / "audits" / "oops.py", "1 / 0")
    assert "audits/oops" in names(controls())


def test_a_shipped_control_is_repeated_beside_a_folder_of_targets(workdir: Path) -> None:
    own_audits(workdir)
    plan = controls()
    words = again(plan.tasks[-1], plan.settings, plan.ledger.share).split()
    assert words[:3] == ["dpaudit", "controls", plan.tasks[-1].name]
    assert Path(plan.tasks[-1].path).is_relative_to(shipped_folder("audits"))
    assert names(controls(words[2], controls=False)) == [words[2]]
    assert again(plan.tasks[0], plan.settings, plan.ledger.share).startswith("dpaudit audit bad/half ")


def test_only_a_target_that_came_with_dpaudit_may_be_kept(workdir: Path) -> None:
    shipped = shipped_folder("audits")
    flow = flow_of("audit")
    kept = workdir / "kept.py"
    copyfile(shipped / "null" / "constant.py", kept)
    mine = write(workdir / "mine.py", target_text())
    clock = shipped / "mechanisms" / "timing.py"
    plan = audit(str(kept), str(mine), str(clock), controls=False)
    known = {Path(task.path).name: flow.decides(task, plan.settings) for task in plan.tasks}
    assert known == {"kept.py": (), "mine.py": None, "timing.py": None}
    kept.write_text(kept.read_text() + "\n")
    assert flow.decides(audit(str(kept), controls=False).tasks[0], plan.settings) is None


def made(out: Path, **more: Any) -> dict[str, Any]:
    """The outcome, the detail and the share of the error budget of the one target of a run, its files beside."""
    settings = Settings("audit", (Part.AUDIT,), controls=False, **more)
    plan = make_plan(settings)
    result = run(plan, out, silent)
    (verdict,) = result.verdicts
    return {"verdict": replace(verdict, duration_s=0.0), "share": plan.ledger.share,
            "files": sorted(path.name for path in out.rglob("*"))}  # fmt: skip


@pytest.mark.parametrize("where", ["run", "loading"])
def test_a_sandbox_that_is_killed_once_is_started_again_and_nothing_shows(workdir: Path, where: str) -> None:
    held(workdir, where)
    undisturbed = made(workdir / "undisturbed")
    assert undisturbed["verdict"].outcome in (Outcome.CONSISTENT, Outcome.INCONCLUSIVE)
    with killer(workdir, 1) as killed:
        found = made(workdir / "disturbed")
    assert len(killed) == 1
    assert found == undisturbed


def test_a_target_whose_sandbox_is_killed_twice_is_an_error_and_the_others_are_played(workdir: Path) -> None:
    held(workdir, "run")
    write(workdir / "audits" / "other.py", target_text(name="toy/other", trials=200))
    with killer(workdir, 2) as killed:
        result = run(make_plan(Settings("audit", (Part.AUDIT,), controls=False)), workdir / "out", silent)
    assert len(killed) == 2
    outcomes = {verdict.id: verdict for verdict in result.verdicts}
    assert outcomes["toy/sum"].outcome is Outcome.ERROR
    assert "signal SIGKILL, perhaps for want of memory" in outcomes["toy/sum"].evidence[0].detail
    assert outcomes["toy/other"].outcome in (Outcome.CONSISTENT, Outcome.INCONCLUSIVE)


def test_a_target_that_was_refuted_and_ends_its_sandbox_is_not_judged_again(
    workdir: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    write(workdir / "audits" / "toy.py", target_text(trials=200))
    plan, times, audit_once = make_plan(Settings("audit", (Part.AUDIT,), controls=False)), [], tiers.audit

    def refuted(*given: Any) -> Verdict:
        times.append(1)
        return replace(audit_once(*given), outcome=Outcome.REFUTED)

    monkeypatch.setattr(tiers, "audit", refuted)
    monkeypatch.setattr(isolation, "was_killed", lambda item: True)
    (verdict,) = run(plan, workdir / "out", silent).verdicts
    assert (verdict.outcome, len(times)) == (Outcome.REFUTED, 1)


def test_a_crash_of_the_target_itself_is_not_tried_again(workdir: Path) -> None:
    crash = f"f = open({str(workdir / 'tried')!r}, 'w'); f.write('x'); f.close(); import ctypes; ctypes.string_at(0)"
    write(workdir / "audits" / "crash.py", target_text(run=crash, trials=200))
    with told(workdir / "tried") as tried:
        found = made(workdir / "out")
        assert tried() == "x"
    assert "SIGSEGV" in found["verdict"].evidence[0].detail


@pytest.mark.deep(keep=1)
@pytest.mark.parametrize("fault", [errno.EAGAIN, errno.ENOSPC])
def test_a_machine_that_cannot_start_a_sandbox_stops_the_run_which_then_goes_on(
    workdir: Path, monkeypatch: pytest.MonkeyPatch, fault: int
) -> None:
    write(workdir / "audits" / "toy.py", target_text(trials=200))
    undisturbed = made(workdir / "undisturbed")
    plan, started = make_plan(Settings("audit", (Part.AUDIT,), controls=False)), session.subprocess.Popen

    def refuse(times: int) -> None:
        left = [times]

        def popen(words: list[str], **more: Any) -> Any:
            if "dpaudit.audit.sandbox.server" in words and left[0] > 0:
                left[0] -= 1
                raise OSError(fault, os.strerror(fault))
            return started(words, **more)

        monkeypatch.setattr(session.subprocess, "Popen", popen)

    refuse(times=1)
    assert made(workdir / "once") == undisturbed
    refuse(times=2)
    with pytest.raises(ConfigurationError, match=rf"cannot start a sandbox: {os.strerror(fault)}.*dpaudit resume"):
        run(plan, workdir / "out", silent)
    monkeypatch.undo()
    monkeypatch.chdir(workdir)
    (verdict,) = go_on(workdir / "out").verdicts
    assert replace(verdict, duration_s=0.0) == undisturbed["verdict"]


def test_the_command_of_a_target_says_what_its_sandbox_may(workdir: Path) -> None:
    more = Settings("audit", (Part.AUDIT,), allow_network=True, load_limit=5.0)
    assert flow_of("audit").words(more) == ["--allow-network", "--load-limit", "5"]
    assert flow_of("audit").words(Settings("audit", (Part.AUDIT,))) == []
