"""A statement of another claim enters a proof as an instance within its range, or the proof is refused."""

from __future__ import annotations

import json
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest
from small_content import claim_text, write

from dpaudit.claims.certificates import certificate
from dpaudit.claims.citations import Citations, citations_of, cited_by, items_of
from dpaudit.claims.verify import verify_claim
from dpaudit.content import loading
from dpaudit.content.items import Loaded
from dpaudit.recheck.check import digest
from dpaudit.records.claim import (
    Bound,
    Boxes,
    ByTheorem,
    Cases,
    Claim,
    ClaimKind,
    Positive,
    Rewrite,
    Statement,
    Step,
    Tightness,
    real,
)
from dpaudit.records.context import Context, Level
from dpaudit.records.verdict import Outcome, Verdict

X = real("x", "[0, 1]")
LEM_1 = """
from dpaudit.records.claim import Boxes, ByTheorem, Claim, ClaimKind, Outcome, Statement, real

CLAIM = Claim(
    id="toy/LEM-1", title="t", words="w", place="Lemma 1", kind=ClaimKind.INEQUALITY,
    statement=Statement("y*(1 - y) <= 1/4", (real("y", "{range}"),), {conditions}),
    argument=({argument},), expects=Outcome.{expects},
)
"""
LEM_2 = """
from dpaudit.records.claim import ByTheorem, Claim, ClaimKind, Statement, real

CLAIM = Claim(
    id="toy/LEM-2", title="t", words="w", place="Lemma 2", kind=ClaimKind.INEQUALITY,
    statement=Statement("{expression}", (real("x", "[0, 1]"),)),
    argument=(ByTheorem("toy/LEM-1", at=(("y", "{at}"),)),),
)
"""
SQUARE = "x**2*(1 - x**2) <= 1/4"


def lem_1(folder: Path, **more: str) -> Path:
    """The claim that is cited: y (1 - y) <= 1/4."""
    settings = {"range": "[0, 1]", "conditions": "()", "argument": "Boxes()", "expects": "PROVED"}
    return write(folder / "proofs" / "toy" / "lem_1.py", LEM_1.format(**(settings | more)))


def lem_2(folder: Path, expression: str = SQUARE, at: str = "x**2") -> Path:
    """The claim that cites it."""
    return write(folder / "proofs" / "toy" / "lem_2.py", LEM_2.format(expression=expression, at=at))


def verified(file: Path, folder: Path | None = None) -> Verdict:
    """The verdict on the claim of a file, as a run makes it."""
    (item,) = loading.load_claims([file])
    assert isinstance(item, Loaded)
    context = Context(7, Level.SMOKE, 1e-6, folder=str(folder) if folder else None)
    return certificate.confirm(verify_claim(item.record, item.carrier, context), context.folder)[0]


def said(verdict: Verdict) -> str:
    return " ".join(one.detail for one in verdict.evidence)


def test_an_instance_of_another_claim_is_a_part_of_the_proof(workdir: Path, tmp_path: Path) -> None:
    lem_1(workdir)
    verdict = verified(lem_2(workdir), tmp_path)
    assert (verdict.outcome, verdict.rests_on) == (Outcome.PROVED, ("toy/LEM-1",))
    data = json.loads((tmp_path / verdict.attachments[0]).read_text())
    assert data["proof"]["by"] == "instance"
    assert data["grounds"]["toy/LEM-1"]["goal"] == "y*(1 - y) <= 1/4"


@pytest.mark.parametrize(
    ("ground", "expression", "at", "reason"),
    [
        # beyond the range, or not within a condition: true all the same, and not by that lemma
        ({"range": "[0, 1/2]"}, SQUARE, "x**2", "(x**2) <= (1/2) is not shown"),
        ({"conditions": "('y <= 1/2',)"}, SQUARE, "x**2", "(x**2) <= (1/2) is not shown"),
        ({}, "2*x*(1 - 2*x) <= 1/4", "2*x", "(2 * x) <= 1 is not shown"),
        # more than the lemma says
        ({}, "x**2*(1 - x**2) <= 1/8", "x**2", "are not shown to be equal"),
        # something else
        ({}, "x*exp(-x) <= 1/2", "x**2", "are not shown to be equal"),
        # nothing is proved by it
        ({"expects": "REFUTED"}, SQUARE, "x**2", "toy/LEM-1 is expected to be REFUTED"),
        ({"argument": "ByTheorem('toy/LEM-2')"}, SQUARE, "x**2", "toy/LEM-1 itself rests on toy/LEM-2"),
    ],
)  # fmt: skip
def test_what_is_no_instance_is_not_proved_and_says_why(
    workdir: Path, ground: dict[str, str], expression: str, at: str, reason: str
) -> None:
    lem_1(workdir, **ground)
    verdict = verified(lem_2(workdir, expression, at))
    assert verdict.outcome is not Outcome.PROVED
    assert reason in said(verdict)


@pytest.mark.parametrize(
    ("ground", "expression", "at"),
    [
        ({"range": "[0, 1/2]"}, "x/2*(1 - x/2) <= 1/4", "x/2"),
        ({"conditions": "('y**2 <= 1/4',)"}, "x/2*(1 - x/2) <= 1/4", "x/2"),
        ({"range": "(-oo, oo)"}, "2*x*(1 - 2*x) <= 1/4", "2*x"),
        # 0 <= y by a known inequality
        ({}, "(x - floor(x))*(1 - x + floor(x)) <= 1/4", "x - floor(x)"),
        # it follows from an instance
        ({}, "3*x**2*(1 - x**2) <= 3/4", "x**2"),
        ({}, "x**2*(1 - x**2) <= 1/4 + x", "x**2"),
        ({}, "x**2*(1 - x) <= 1/4", "x**2"),
    ],
)
def test_near_misses_are_proved(workdir: Path, ground: dict[str, str], expression: str, at: str) -> None:
    lem_1(workdir, **ground)
    verdict = verified(lem_2(workdir, expression, at), workdir / "run")
    assert (verdict.outcome, verdict.rests_on) == (Outcome.PROVED, ("toy/LEM-1",))


def test_what_is_not_there_is_an_error(workdir: Path) -> None:
    verdict = verified(lem_2(workdir))
    assert verdict.outcome is Outcome.ERROR
    assert "toy/LEM-1" in said(verdict)


def tampered(data: dict[str, Any], way: str) -> dict[str, Any]:
    """A certificate with a digest that fits, as somebody leaves it who knows the format."""
    if way == "assumed":
        node = {"by": "theorem", "theorem": "toy/LEM-1"}
        data |= {"proof": node, "grounds": {}}
    else:
        data["grounds"]["toy/LEM-1"]["goal"] = "y*(1 - y) < 1/4"
    return data | {"digest": digest(data)}


@pytest.mark.parametrize(
    ("way", "reason"),
    [("assumed", "a statement and no named theorem"), ("ground", "it rests on toy/LEM-1 as it does not read")],
)
def test_a_shipped_certificate_with_another_ground_counts_for_nothing(workdir: Path, way: str, reason: str) -> None:
    lem_1(workdir)
    file = lem_2(workdir)
    shipped = file.parent / verified(file, file.parent).attachments[0]
    shipped.write_text(json.dumps(tampered(json.loads(shipped.read_text()), way)))
    verdict = verified(file)
    assert verdict.outcome is Outcome.PROVED
    assert reason in said(verdict)


def test_a_shipped_certificate_is_stale_once_the_cited_claim_is_edited(workdir: Path) -> None:
    lem_1(workdir)
    file = lem_2(workdir)
    verified(file, file.parent)
    assert "searched for again" not in said(verified(file))
    lem_1(workdir, range="[0, 1/2]")
    verdict = verified(file)
    assert verdict.outcome is not Outcome.PROVED
    assert "it rests on toy/LEM-1 as it does not read now" in said(verdict)


def test_what_is_cited_is_followed_through_other_claims(workdir: Path) -> None:
    cited = lem_1(workdir, argument="ByTheorem('other/LEM-9')")
    last = write(workdir / "proofs" / "other" / "lem_9.py", claim_text("other/LEM-9"))
    (item,) = loading.load_claims([lem_2(workdir)])
    assert isinstance(item, Loaded)
    found = citations_of(item.record, item.path)
    assert set(found.items) == {"toy/LEM-2", "toy/LEM-1", "other/LEM-9"} == set(found.statements)
    assert found.files == (cited.resolve(), last.resolve())
    assert set(citations_of(item.record, None).items) == {"toy/LEM-2"}


def test_every_argument_of_an_item_is_looked_through() -> None:
    inner = Bound(left="1", argument=(Rewrite(left="x", by="toy/A"), ByTheorem("toy/B/s1")))
    moves = (Cases((("x <= 1", (inner,)), ("otherwise", (Bound(left="2", by="jensen"), Positive())))),)
    row = Tightness("c", "1", "x <= {c}", proved="1", argument=(ByTheorem("toy/C"),))
    assert cited_by(Step("s1", "", Statement("x <= 1", (X,)), moves, tightness=(row,))) == {
        "toy/A",
        "toy/B/s1",
        "toy/C",
    }


def chain(*steps: tuple[str, str, Outcome]) -> Citations:
    """Steps of one claim by name, the one that each cites, and what is expected of it."""
    made = [Step(a, "", Statement("x <= 1", (X,)), (ByTheorem(f"toy/L/{b}"),), expects=o) for a, b, o in steps]
    return Citations(items_of(Claim("toy/L", "", "", "", ClaimKind.TAIL, None, steps=tuple(made))))


def test_a_circle_of_any_length_bars_each_of_it() -> None:
    found = chain(*((a, b, Outcome.PROVED) for a, b in ("ab", "bc", "ca", "da")))
    for name, item in found.items.items():
        assert bool(found.barred(name, item.argument)) == (name[-2:] in ("/a", "/b", "/c"))


@pytest.mark.parametrize("expects", [Outcome.REFUTED, Outcome.CONSISTENT, Outcome.NOT_RUN])
def test_what_is_not_expected_to_be_proved_carries_no_proof(expects: Outcome) -> None:
    found = chain(("a", "b", Outcome.PROVED), ("b", "c", expects), ("best", "b", Outcome.CONSISTENT))
    argument = found.items["toy/L/a"].argument
    assert f"expected to be {expects}" in found.barred("toy/L/a", argument)["toy/L/b"]
    assert bool(found.barred("toy/L/a~best-c", argument))
    # what is inferred from an inference is an inference
    inferred = found.barred("toy/L/best", argument)
    assert bool(inferred) == (expects is not Outcome.CONSISTENT)


@pytest.mark.deep
def test_a_claim_made_in_memory_cites_its_own_statements_alone() -> None:
    ground = Step("s1", "", Statement("y*(1 - y) <= 1/4", (real("y", "[0, 1]"),)), (Boxes(),))
    claim = Claim("toy/L", "", "", "", ClaimKind.TAIL, Statement("x*(1 - x) <= 1/4", (X,)),
                  (ByTheorem("toy/L/s1", at=(("y", "x"),)),), steps=(ground,))  # fmt: skip
    context = Context(7, Level.SMOKE, 1e-6)
    assert verify_claim(claim, None, context)[0].outcome is Outcome.PROVED
    elsewhere = replace(claim, argument=(ByTheorem("resque/FACT-2"),))
    assert verify_claim(elsewhere, None, context)[0].outcome is Outcome.ERROR
