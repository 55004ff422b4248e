"""The commands that repeat a run, and one task of it."""

from __future__ import annotations

import shlex
from dataclasses import replace
from pathlib import Path

import pytest
from plans import audit, names, own_audits
from small_content import claim_text, target_text, write

from dpaudit.records.context import Level
from dpaudit.records.verdict import Kind, Outcome
from dpaudit.runs.commands import again, command_line
from dpaudit.runs.plan import make_plan
from dpaudit.runs.settings import Part, Settings
from dpaudit.runs.task import Task


def test_a_replay_line_spends_the_share_of_the_run(workdir: Path) -> None:
    own_audits(workdir)
    plan = audit("toy/sum", seed=7, level=Level.STANDARD)
    words = shlex.split(again(plan.tasks[0], plan.settings, plan.ledger.share))
    alone = float(words[words.index("--alpha") + 1])
    assert words[:3] == ["dpaudit", "audit", "toy/sum"]
    assert words[3:7] == ["--seed", "7", "--level", "standard"]
    assert audit("toy/sum", alpha=alone, controls=False).ledger.share == plan.ledger.share
    assert "--no-controls" in words


def test_a_replay_line_of_a_claim_is_short(workdir: Path) -> None:
    write(workdir / "proofs" / "toy" / "lem_1.py", claim_text())
    plan = make_plan(Settings("verify", (Part.VERIFY,), seed=7))
    assert plan.tasks[0].again == "dpaudit verify toy/LEM-1 --seed 7 --level smoke --no-cache"


def test_folders_named_by_the_user_are_in_every_command(workdir: Path) -> None:
    own_audits(workdir)
    settings = Settings("audit", (Part.AUDIT,), ("toy/sum",), audits=Path("audits"), device="cuda")
    plan = make_plan(settings)
    assert again(plan.tasks[0], settings, 1e-3).endswith("--device cuda --no-controls --audits audits")
    assert command_line(settings).endswith("--alpha 0.001 --device cuda --audits audits")


TWO = """
from dataclasses import replace
from dpaudit import Audit

MORE = replace(TARGET, name="toy/sum-too")
AUDITS = [Audit(one, neighbours=neighbours, run=run, score=score) for one in (TARGET, MORE)]
del TARGET
"""


@pytest.mark.parametrize("named", ["audits/t.py", "audits"])
def test_what_is_named_by_path_is_replayed_from_its_file(workdir: Path, named: str) -> None:
    """Also where the id would be found again: the line alone says where, and plays no other target of the file."""
    write(workdir / "audits" / "t.py", target_text() + TWO)
    plan = audit(named, controls=False)
    words = shlex.split(plan.tasks[1].again)
    assert words[:3] + words[-3:] == ["dpaudit", "audit", "toy/sum-too", "--no-controls", "--audits", "audits/t.py"]
    alone = audit(words[2], alpha=float(words[words.index("--alpha") + 1]), audits=Path(words[-1]), controls=False)
    assert names(alone) == ["toy/sum-too"]
    assert alone.ledger.share == plan.ledger.share


def test_the_flags_of_a_flow_are_in_the_commands_of_that_flow_alone(workdir: Path) -> None:
    settings = Settings("run", tuple(Part), mutants=True, isolate=False, time_limit=5.0)
    assert command_line(settings).endswith("--device cpu --mutants --time-limit 5 --no-isolate")
    claim = Task(Part.VERIFY, "toy/LEM-1", "proofs/toy/lem_1.py", "", Kind.CLAIM, Outcome.PROVED)
    target = Task(Part.AUDIT, "toy/sum", "audits/sum.py", "", Kind.AUDIT, Outcome.CONSISTENT, tests=2)
    words = "dpaudit verify toy/LEM-1 --seed 20261121 --level smoke --no-cache --mutants --time-limit 5"
    assert again(claim, settings, 1e-3) == words
    line = "dpaudit audit toy/sum --seed 20261121 --level smoke --alpha 0.002 --no-controls --no-isolate"
    assert again(target, settings, 1e-3) == line


def test_a_file_that_cannot_be_loaded_is_named_by_its_path(workdir: Path) -> None:
    broken = Task(Part.AUDIT, "audits/oops", "audits/oops.py", "", Kind.AUDIT, Outcome.CONSISTENT, error="boom")
    assert again(broken, Settings("audit", (Part.AUDIT,)), 1e-3).startswith("dpaudit audit audits/oops.py ")


def test_limits_that_claims_and_targets_have_stand_once(workdir: Path) -> None:
    settings = Settings("run", (Part.VERIFY, Part.AUDIT), load_limit=5.0, memory_limit=2.0, time_limit=7.0)
    for flag, value in (("--load-limit", "5"), ("--memory-limit", "2"), ("--time-limit", "7")):
        words = shlex.split(command_line(settings))
        assert words.count(flag) == 1
        assert words[words.index(flag) + 1] == value
    assert shlex.split(command_line(replace(settings, parts=(Part.VERIFY,)))).count("--load-limit") == 1
