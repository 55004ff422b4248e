"""The flow of claims: what it collects, and what its verdicts rest on."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest
from plans import silent
from small_content import claim_text, write

from dpaudit.claims import verify
from dpaudit.records.claim import Claim
from dpaudit.records.context import Context, Level
from dpaudit.records.errors import ConfigurationError, ContentError
from dpaudit.records.verdict import Kind, Outcome, Verdict
from dpaudit.runs import cache
from dpaudit.runs.execute import run
from dpaudit.runs.flows import flow_of
from dpaudit.runs.plan import make_plan
from dpaudit.runs.settings import Part, Settings
from dpaudit.runs.task import Task


def test_claims_by_name_and_by_path_are_planned_once(workdir: Path) -> None:
    path = write(workdir / "proofs" / "toy" / "lem_1.py", claim_text())
    plan = make_plan(Settings("verify", (Part.VERIFY,), ("toy/LEM-1", str(path))))
    assert [task.name for task in plan.tasks] == ["toy/LEM-1"]
    assert plan.ledger.planned == 0


def test_a_second_file_of_the_same_claim_is_refused(workdir: Path) -> None:
    write(workdir / "proofs" / "toy" / "lem_1.py", claim_text())
    copy = write(workdir / "copy.py", claim_text())
    with pytest.raises(ConfigurationError, match="two records are called 'toy/LEM-1'"):
        make_plan(Settings("verify", (Part.VERIFY,), ("toy/LEM-1", str(copy))))


def test_a_claim_rests_on_its_paper_the_named_theorems_and_its_certificates(workdir: Path) -> None:
    path = write(workdir / "proofs" / "toy" / "lem_1.py", claim_text())
    beside = ["toy/paper.toml", "assumed/all.toml", "toy/certificates/toy_LEM-1.json"]
    for name in (*beside, "toy/certificates/toy_LEM-2.json", "toy/other.toml"):
        write(workdir / "proofs" / name, "")
    task = Task(Part.VERIFY, "toy/LEM-1", str(path), "", Kind.CLAIM, Outcome.PROVED)
    assert flow_of("verify").files(task) == [workdir / "proofs" / name for name in beside]


CITING = """
from dpaudit.records.claim import ByTheorem, Claim, ClaimKind, Statement, real

CLAIM = Claim("toy/LEM-2", "t", "w", "Lemma 2", ClaimKind.IDENTITY, Statement("(a + b)**2 == a**2 + 2*a*b + b**2",
              (real("a"), real("b"))), (ByTheorem("toy/LEM-1"),))
"""


def test_a_claim_rests_on_those_that_it_cites_and_is_not_kept_once_they_change(workdir: Path) -> None:
    cited = write(workdir / "proofs" / "toy" / "lem_1.py", claim_text())
    write(workdir / "proofs" / "toy" / "lem_2.py", CITING)
    write(workdir / "proofs" / "toy" / "lem_3.py", claim_text("toy/LEM-3"))
    settings, keys = Settings("verify", (Part.VERIFY,), ("toy/LEM-2",)), []
    for right in ("a**2 + 2*a*b + b**2", "b**2 + 2*a*b + a**2"):
        write(cited, claim_text(right=right))
        (task,) = make_plan(settings).tasks
        more = flow_of("verify").decides(task, settings)
        assert more == (cited.resolve(),)
        assert cited.resolve() in flow_of("verify").files(task)
        keys.append(cache.key(Path(task.path), task.name, Context(7, Level.SMOKE, 1e-3), *more))
    assert keys[0] != keys[1]


def test_the_verdicts_of_a_claim_are_foreseen_unless_it_cannot_be_read(workdir: Path) -> None:
    write(workdir / "proofs" / "toy" / "lem_1.py", claim_text())
    (task,) = make_plan(Settings("verify", (Part.VERIFY,))).tasks
    foreseen = flow_of("verify").verdicts(task, Context(7, Level.SMOKE, 1e-3))
    assert next(iter(foreseen.items())) == ("toy/LEM-1", Kind.CLAIM)
    Path(task.path).write_text("1 / 0")
    assert flow_of("verify").verdicts(task, Context(7, Level.SMOKE, 1e-3)) == {"toy/LEM-1": Kind.CLAIM}


HOSTILE = """
from dpaudit.arithmetic.rationals import RATIONAL


def zero(a, b):
    return a - a


CHANGED = RATIONAL.update({"*": zero, "**": zero})
"""


@pytest.mark.deep(keep=1)
@pytest.mark.parametrize("jobs", [1, 2])
def test_a_file_that_changes_how_numbers_are_multiplied_changes_no_verdict_of_another(workdir: Path, jobs: int) -> None:
    write(workdir / "a_lem.py", HOSTILE + claim_text("toy/LEM-0"))
    for number in (1, 2, 3):
        write(workdir / f"b_{number}.py", claim_text(f"toy/LEM-{number}", right="a**2 + 3*a*b + b**2"))
    plan = make_plan(Settings("verify", (Part.VERIFY,), (str(workdir),), jobs=jobs, cache=False))
    result = run(plan, workdir / "run", silent)
    found = {v.id: v for v in result.verdicts}
    for number in (1, 2, 3):
        assert found[f"toy/LEM-{number}"].outcome is Outcome.REFUTED, found[f"toy/LEM-{number}"]
        assert dict(found[f"toy/LEM-{number}"].witness)


def test_a_file_gives_verdicts_of_its_own_claim_alone(workdir: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    original = verify.verify_claim

    def others(claim: Claim, *rest: Any) -> list[Verdict]:
        return [replace(v, id="toy/LEM-2") for v in original(claim, *rest)]

    monkeypatch.setattr(verify, "verify_claim", others)
    path = write(workdir / "lem_1.py", claim_text())
    task = Task(Part.VERIFY, "toy/LEM-1", str(path), "", Kind.CLAIM, Outcome.PROVED)
    with pytest.raises(ContentError, match="toy/LEM-1: its file gives verdicts that are not of this claim"):
        flow_of("verify").perform(task, Settings("verify", (Part.VERIFY,)), Context(1, Level.SMOKE, 1e-6))
