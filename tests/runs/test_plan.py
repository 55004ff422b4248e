"""The plan: which items, which controls, which share of the error budget."""

from __future__ import annotations

from pathlib import Path

from small_content import target_text, write

from dpaudit.runs.plan import Plan, make_plan
from dpaudit.runs.settings import Part, Settings


def audit(*names: str, **more: object) -> Plan:
    """The plan of `dpaudit audit names`."""
    return make_plan(Settings("audit", (Part.AUDIT,), names, **more))  # type: ignore[arg-type]


def names(plan: Plan) -> list[str]:
    """Names of the tasks, in plan order."""
    return [task.name for task in plan.tasks]


def own_audits(folder: Path) -> None:
    """A folder `audits` with a target and both controls."""
    write(folder / "audits" / "sum.py", target_text())
    write(folder / "audits" / "known_bad" / "half.py", target_text("bad/half", control="KNOWN_BAD", expects="REFUTED"))
    write(folder / "audits" / "null" / "zero.py", target_text("null/zero", control="NULL"))


def test_every_audit_is_a_registered_test(workdir: Path) -> None:
    own_audits(workdir)
    ledger = audit("toy/sum", alpha=4e-3).ledger  # the null control has two
    assert (ledger.total, ledger.planned, ledger.share) == (4e-3, 4, 1e-3)
    assert [entry.name for entry in ledger.entries] == ["toy/sum", "bad/half", "null/zero"]
<<<<<<< HEAD
=======


def test_an_empty_folder_gives_an_empty_plan_without_controls(workdir: Path) -> None:
    (workdir / "nothing").mkdir()
    assert audit("nothing/").tasks == ()


def test_broken_files_are_in_the_plan_with_their_folder_as_kind(workdir: Path) -> None:
    own_audits(workdir)
    write(workdir / "audits" / "known_bad" / "oops.py", "1 / 0")
    write(workdir / "audits" / "oops.py", "1 / 0")
    tasks = {task.name: task for task in make_plan(Settings("audit", (Part.AUDIT,))).tasks}
    bad, plain = tasks["audits/known_bad/oops"], tasks["audits/oops"]
    assert (bad.kind, bad.expected) == (Kind.CONTROL, Outcome.REFUTED)
    assert (plain.kind, plain.expected) == (Kind.AUDIT, Outcome.CONSISTENT)
    assert "ZeroDivisionError" in plain.error


def test_claims_by_name_and_by_path_are_planned_once(workdir: Path) -> None:
    path = write(workdir / "proofs" / "toy" / "lem_1.py", claim_text())
    plan = make_plan(Settings("verify", (Part.VERIFY,), ("toy/LEM-1", str(path))))
    assert names(plan) == ["toy/LEM-1"]
    assert plan.ledger.planned == 0


def test_a_second_file_of_the_same_claim_is_refused(workdir: Path) -> None:
    write(workdir / "proofs" / "toy" / "lem_1.py", claim_text())
    copy = write(workdir / "copy.py", claim_text())
    with pytest.raises(ConfigurationError, match="two records are called 'toy/LEM-1'"):
        make_plan(Settings("verify", (Part.VERIFY,), ("toy/LEM-1", str(copy))))


def test_a_replay_line_spends_the_share_of_the_run(workdir: Path) -> None:
    own_audits(workdir)
    plan = audit("toy/sum", seed=7, level=Level.STANDARD)
    words = shlex.split(replay(plan.tasks[0], plan.settings, plan.ledger.share))
    alone = float(words[words.index("--alpha") + 1])
    assert words[:3] == ["dpaudit", "audit", "toy/sum"]
    assert words[3:7] == ["--seed", "7", "--level", "standard"]
    assert audit("toy/sum", alpha=alone, controls=False).ledger.share == plan.ledger.share
    assert "--no-controls" in words


def test_a_replay_line_of_a_claim_is_short(workdir: Path) -> None:
    write(workdir / "proofs" / "toy" / "lem_1.py", claim_text())
    plan = make_plan(Settings("verify", (Part.VERIFY,), seed=7))
    again = replay(plan.tasks[0], plan.settings, plan.ledger.share)
    assert again == "dpaudit verify toy/LEM-1 --seed 7 --level smoke"


def test_folders_named_by_the_user_are_in_every_command(workdir: Path) -> None:
    own_audits(workdir)
    settings = Settings("audit", (Part.AUDIT,), ("toy/sum",), audits=Path("audits"), device="cuda")
    plan = make_plan(settings)
    assert replay(plan.tasks[0], settings, 1e-3).endswith("--device cuda --no-controls --audits audits")
    assert command_line(settings).endswith("--alpha 0.001 --device cuda --audits audits")


def test_a_file_named_by_path_is_replayed_by_path(workdir: Path) -> None:
    plan = audit(str(write(workdir / "t.py", target_text())), controls=False)
    assert shlex.split(replay(plan.tasks[0], plan.settings, 1e-3))[:3] == ["dpaudit", "audit", "t.py"]


def test_companions_alone_join_where_the_folder_has_any(workdir: Path) -> None:
    own_audits(workdir)
    file = workdir / "audits" / "null" / "zero.py"
    text = file.read_text()
    file.write_text(text.replace("TARGET = Target(", "TARGET = Target(companion=True, ", 1))
    assert names(audit("toy/sum")) == ["toy/sum", "null/zero"]


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
    assert replay(later, plan.settings, plan.ledger.share).endswith("--level standard --no-controls")


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


def test_other_libraries_begin_at_standard_and_nothing_else_does() -> None:
    plan = make_plan(Settings("audit", (Part.AUDIT,)))
    later = {task.name for task in plan.tasks if task.begins}
    assert later == {task.name for task in plan.tasks if "third_party" in Path(task.path).parts}
    assert len(later) > 100
>>>>>>> 0d0dc1c0c7ad2ac34a54794a910be8721b3bc869
