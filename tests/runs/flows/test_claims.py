"""The flow of claims: what it collects, and what its verdicts rest on."""

from __future__ import annotations

import os
import re
from collections.abc import Callable
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest
from plans import silent
from small_content import claim_text, write

from dpaudit.claims import verify
from dpaudit.records import documents
from dpaudit.records.claim import Claim
from dpaudit.records.context import Context, Level
from dpaudit.records.errors import ContentError
from dpaudit.records.verdict import Kind, Outcome, Verdict
from dpaudit.runs import cache
from dpaudit.runs.execute import run
from dpaudit.runs.flows import claims, flow_of
from dpaudit.runs.plan import make_plan
from dpaudit.runs.settings import Part, Settings
from dpaudit.runs.task import Task


def test_claims_by_name_and_by_path_are_planned_once(workdir: Path) -> None:
    path = write(workdir / "proofs" / "toy" / "lem_1.py", claim_text())
    plan = make_plan(Settings("verify", (Part.VERIFY,), ("toy/LEM-1", str(path))))
    assert [task.name for task in plan.tasks] == ["toy/LEM-1"]
    assert plan.ledger.planned == 0


def test_of_two_files_of_the_same_claim_both_are_broken(workdir: Path) -> None:
    write(workdir / "proofs" / "toy" / "lem_1.py", claim_text())
    copy = write(workdir / "copy.py", claim_text())
    plan = make_plan(Settings("verify", (Part.VERIFY,), ("toy/LEM-1", str(copy))))
    assert [task.name for task in plan.tasks] == ["copy", "proofs/toy/lem_1"]
    assert all("both give 'toy/LEM-1'" in task.error for task in plan.tasks)


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
    [task] = make_plan(Settings("verify", (Part.VERIFY,), (str(path),))).tasks
    with pytest.raises(ContentError, match="toy/LEM-1: its file gives verdicts or files that are not of this claim"):
        flow_of("verify").perform(task, Settings("verify", (Part.VERIFY,)), Context(1, Level.SMOKE, 1e-6))


def _fifo(place: Path) -> None:
    os.mkfifo(place)


def _loop(place: Path) -> None:
    place.symlink_to(place)


def _outside(place: Path) -> None:
    write(place.parents[3] / "elsewhere.json", "{}")
    place.symlink_to(place.parents[3] / "elsewhere.json")


def _device(place: Path) -> None:
    place.symlink_to("/dev/zero")


def _huge(place: Path) -> None:
    place.touch()
    os.truncate(place, documents.MOST + 1)


@pytest.mark.deep(keep=2)
@pytest.mark.parametrize(
    ("make", "said"),
    [(_fifo, "is no regular file"), (_loop, "outside|leads to itself"), (_outside, "points outside of the folder"),
     (_device, "outside"), (_huge, "is larger than 64 MiB")],
)  # fmt: skip
def test_what_is_no_certificate_is_an_error_of_its_claim_alone(
    workdir: Path, make: Callable[[Path], None], said: str
) -> None:
    write(workdir / "proofs" / "toy" / "lem_1.py", claim_text())
    write(workdir / "proofs" / "toy" / "lem_2.py", claim_text("toy/LEM-2"))
    place = write(workdir / "proofs" / "toy" / "certificates" / "toy_LEM-1.json", "")
    place.unlink()
    make(place)
    result = run(make_plan(Settings("verify", (Part.VERIFY,), ("toy",), jobs=1)), workdir / "out", silent)
    found = {verdict.id: verdict for verdict in result.verdicts}
    assert found["toy/LEM-1"].outcome is Outcome.ERROR
    assert re.search(said, found["toy/LEM-1"].evidence[0].detail)
    assert "proofs/toy/certificates/toy_LEM-1.json" in found["toy/LEM-1"].evidence[0].detail
    assert found["toy/LEM-2"].outcome is Outcome.PROVED


def test_a_claim_that_takes_too_long_is_an_error_of_it_alone(workdir: Path) -> None:
    """The check never ends, and is no declaration that could be refused."""
    endless = "def cases(*_):\n    return sum(range(10**14))\n"
    check = "    empirical=(Count('cases', '<=', near_miss=0.5, cases=10),),\n    argument="
    checked = claim_text().replace("    argument=", check).replace("import Claim,", "import Claim, Count,")
    write(workdir / "proofs" / "toy" / "lem_1.py", endless + checked)
    write(workdir / "proofs" / "toy" / "lem_2.py", claim_text("toy/LEM-2"))
    settings = Settings("verify", (Part.VERIFY,), ("toy",), time_limit=2.0)
    result = run(make_plan(settings), workdir / "out", silent)
    found = {verdict.id: verdict for verdict in result.verdicts}
    assert found["toy/LEM-1"].outcome is Outcome.ERROR
    said = "judging the claim took longer than 2 s: let it do less, or raise --time-limit"
    assert said in found["toy/LEM-1"].evidence[0].detail
    assert found["toy/LEM-2"].outcome is Outcome.PROVED


def _forged(**changes: Any) -> Callable[..., list[Verdict]]:
    original = verify.verify_claim

    def made(claim: Claim, module: Any, context: Context, *rest: Any) -> list[Verdict]:
        first, *others = original(claim, module, context, *rest)
        context.attach("certificates/../../../escaped.json", "{}")
        return [replace(first, **changes), *others]

    return made


@pytest.mark.parametrize(
    "changes",
    [{"attachments": ("certificates/../../../escaped.json",)}, {"attachments": ("certificates/toy_LEM-2.json",)},
     {"id": "toy/LEM-1~repaired"}, {"id": "toy/LEM-1/s1"}],
)  # fmt: skip
def test_files_and_ids_that_are_not_of_the_claim_are_refused(
    workdir: Path, changes: dict[str, Any], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(verify, "verify_claim", _forged(**changes))
    path = write(workdir / "lem_1.py", claim_text())
    [task] = make_plan(Settings("verify", (Part.VERIFY,), (str(path),))).tasks
    context = Context(1, Level.SMOKE, 1e-6, folder=str(workdir / "deep" / "deep" / "out"))
    with pytest.raises(ContentError):
        flow_of("verify").perform(task, Settings("verify", (Part.VERIFY,)), context)
    assert not list(workdir.rglob("escaped.json"))


def test_what_a_claim_is_at_is_told_while_it_is_judged(workdir: Path) -> None:
    path = write(workdir / "lem_1.py", claim_text())
    [task] = make_plan(Settings("verify", (Part.VERIFY,), (str(path),))).tasks
    context = Context(1, Level.SMOKE, 1e-6, stages=str(workdir / "stages"))
    flow_of("verify").perform(task, Settings("verify", (Part.VERIFY,)), context)
    assert (workdir / "stages").read_text(encoding="utf-8") == '{"at": "toy/LEM-1"}\n'


def test_a_file_that_names_what_another_one_cites_changes_no_verdict_of_it(workdir: Path) -> None:
    """It is looked through for the claim that is cited, and never ends."""
    write(workdir / "proofs" / "toy" / "a.py", "X = sum(range(10**14))  # LEM-1\n" + claim_text("toy/LEM-3"))
    write(workdir / "proofs" / "toy" / "lem_1.py", claim_text())
    citing = write(workdir / "proofs" / "toy" / "lem_2.py", CITING)
    settings = Settings("verify", (Part.VERIFY,), (str(citing), "toy/LEM-1"), load_limit=1.0)
    result = run(make_plan(settings), workdir / "out", silent)
    assert {v.id: v.outcome for v in result.verdicts if "~" not in v.id} == {
        "toy/LEM-1": Outcome.PROVED, "toy/LEM-2": Outcome.PROVED,
    }  # fmt: skip


def _verdict(name: str, *attachments: str) -> Verdict:
    return Verdict(name, Kind.CLAIM, Outcome.PROVED, Outcome.PROVED, "t", (), "s", 1, attachments=attachments)


OWN = "certificates/toy_LEM-1.json"


@pytest.mark.parametrize(
    "told",
    [
        5, (), ((),), ("a", "b"), ((_verdict("toy/LEM-1"),), ("x",)), ((_verdict("toy/LEM-1"), "x"), ()),
        ((_verdict("toy/LEM-1~repaired"),), ()), ((_verdict("toy/LEM-2"),), ()), ((_verdict("toy/LEM-2~auto-1"),), ()),
        ((_verdict("toy/LEM-1", OWN),), ()), ((_verdict("toy/LEM-1"),), ((OWN, "{}"),)),
        ((_verdict("toy/LEM-1", OWN),), ((OWN, 5),)),
        ((_verdict("toy/LEM-1", "certificates/../x"),), (("certificates/../x", "{}"),)),
        ((_verdict("toy/LEM-1", "certificates/toy_LEM-2.json"),), (("certificates/toy_LEM-2.json", "{}"),)),
    ],
)  # fmt: skip
def test_what_a_copy_tells_is_of_its_claim_or_refused(told: object) -> None:
    task = Task(Part.VERIFY, "toy/LEM-1", "lem_1.py", "", Kind.CLAIM, Outcome.PROVED, gives=("toy/LEM-1",))
    with pytest.raises(ContentError, match="that are not of this claim"):
        claims._own(told, task)
    own, mutant = _verdict("toy/LEM-1", OWN), _verdict("toy/LEM-1~auto-1")
    assert claims._own(((own, mutant), ((OWN, "{}"),)), task) == ([own, mutant], {OWN: "{}"})
