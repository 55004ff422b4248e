"""What all flows have in common."""

from __future__ import annotations

from pathlib import Path

from small_content import claim_text, write

from dpaudit.records.verdict import Kind
from dpaudit.runs.flows import FLOWS, flow_of
from dpaudit.runs.plan import make_plan
from dpaudit.runs.settings import Part, Settings


def test_every_part_has_one_flow_and_every_kind_of_verdict_comes_from_one() -> None:
    assert [flow.part for flow in FLOWS] == list(Part)
    assert sorted(kind for flow in FLOWS for kind in flow.kinds) == sorted(Kind)
    assert all(flow_of(part.value).part is part for part in Part)


def test_a_folder_that_the_user_named_is_searched_and_noted(workdir: Path) -> None:
    write(workdir / "mine" / "toy" / "lem_1.py", claim_text())
    settings = Settings("verify", (Part.VERIFY,), proofs=Path("mine"))
    (origin,) = make_plan(settings).origins
    assert (origin.kind, origin.folder, origin.origin, len(origin.digest)) == (
        "proofs",
        "mine",
        "named by the user",
        64,
    )
    write(workdir / "mine" / "toy" / "lem_1.py", claim_text() + "# another\n")
    assert make_plan(settings).origins[0].digest != origin.digest
