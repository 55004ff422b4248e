"""Whoever gives up says why, and what would settle it: each place that makes an INCONCLUSIVE, and their verdicts."""

from __future__ import annotations

import ast
from collections.abc import Iterator
from dataclasses import replace
from pathlib import Path

import numpy as np
import pytest
from judged_games import gaussian_scores, judged, make_target

from dpaudit.audit.game import decide, decide_one_run
from dpaudit.claims.grounds import settle
from dpaudit.claims.judge import judge
from dpaudit.claims.judge_mutants import judge_mutant
from dpaudit.claims.source import Source
from dpaudit.records.claim import Boxes, Exhibit, Statement, Step, integer, real
from dpaudit.records.context import Context, Level
from dpaudit.records.privacy import ApproximateDP, GaussianDP
from dpaudit.records.verdict import Evidence, Kind, Outcome, Verdict

PACKAGE = Path(__file__).parents[2] / "dpaudit"
MARK = "; to settle it: "
SPOKEN_FOR = {
    ("claims/judge.py", "combine"),
    ("claims/argument/proof.py", "evidence"),
    ("claims/argument/proof.py", "left_open"),
    ("claims/certificates/certificate.py", "_confirmed"),
}
"""What these find goes into a verdict of `judge`, which says it of the whole."""
CONTEXT = Context(1, Level.SMOKE, 1e-6)
R, N = real("r", "[0, 1]"), integer("n", "[1, oo)")


def makers() -> Iterator[tuple[str, str, str]]:
    """File, function and source of everything in the flows that gives the outcome to something."""
    for path in sorted([*(PACKAGE / "audit").rglob("*.py"), *(PACKAGE / "claims").rglob("*.py")]):
        text = path.read_text(encoding="utf-8")
        for node in ast.walk(ast.parse(text)):
            if isinstance(node, ast.FunctionDef) and any(map(gives, ast.walk(node))):
                yield path.relative_to(PACKAGE).as_posix(), node.name, ast.get_source_segment(text, node) or ""


def gives(node: ast.AST) -> bool:
    """Is it a call, a tuple or a choice with Outcome.INCONCLUSIVE in it?"""
    parts = node.args if isinstance(node, ast.Call) else node.elts if isinstance(node, ast.Tuple) else []
    parts = [node.body, node.orelse] if isinstance(node, ast.IfExp) else parts
    return any(ast.unparse(part) == "Outcome.INCONCLUSIVE" for part in parts)


@pytest.mark.deep
def test_every_place_that_gives_up_says_what_would_settle_it() -> None:
    found = list(makers())
    assert {file.partition("/")[0] for file, _, _ in found} == {"audit", "claims"}
    silent = [(file, name) for file, name, text in found if "to settle it: " not in text and "SETTLED" not in text]
    assert set(silent) == SPOKEN_FOR


def said(evidence: tuple[Evidence, ...]) -> str:
    """The last word, with a why and a what to do."""
    why, mark, what = evidence[-1].detail.partition(MARK)
    assert evidence[-1].outcome is Outcome.INCONCLUSIVE
    assert mark
    assert len(why.split()) > 2
    assert len(what.split()) > 2
    return what


@pytest.mark.deep(keep=1)
@pytest.mark.parametrize(
    ("step", "words"),
    [
        (Step("s1", "w", Statement("sum(k, 1, n, 1/k**2) <= 17/10", (N,))), "name moves"),
        (Step("s1", "w", None), "give it one"),
        (
            Step("s1", "w", Statement("r*r <= r", (R,)), argument=(Exhibit((("r", "1/2"),)),)),
            "close it by another move",
        ),
    ],
)
def test_a_claim_that_is_not_decided_says_why(step: Step, words: str) -> None:
    finding = judge("a/B", step, Source(), CONTEXT)
    assert finding.outcome is Outcome.INCONCLUSIVE
    assert said(finding.evidence).startswith(words)


def test_a_mutant_that_escapes_says_why() -> None:
    item = Step("s1", "w", Statement("r >= -1", (R,)), argument=(Boxes(),))
    escaped = judge_mutant(Statement("sum(k, 1, n, 1/k**2) <= 17/10", (N,)), (), replace(item, argument=()), CONTEXT)
    shown = judge_mutant(Statement("r >= 0", (R,), exists=True), (), item, CONTEXT)
    assert {escaped.outcome, shown.outcome} == {Outcome.INCONCLUSIVE}
    assert said(escaped.evidence).startswith("name a point")
    assert said(shown.evidence).startswith("exhibit a point")


def test_a_claim_on_unproved_grounds_names_them() -> None:
    def verdict(name: str, outcome: Outcome, *grounds: str) -> Verdict:
        return Verdict(name, Kind.CLAIM, outcome, Outcome.PROVED, "", (), "", 1, rests_on=grounds)

    rests, _ = settle([verdict("a/B", Outcome.PROVED, "a/C"), verdict("a/C", Outcome.CONSISTENT)])
    assert said(rests.evidence) == "prove a/C, or rest on something else"


def test_an_audit_that_is_not_decided_says_why() -> None:
    few = decide.decide(judged(make_target(GaussianDP(4.0)), gaussian_scores(0.1, 40)))
    assert few[0] is Outcome.INCONCLUSIVE
    assert "the counts of so few trials can show an epsilon of at most" in few[1]
    assert said((Evidence("game", *few),)) == "run more trials (a higher level)"
    silent = decide.decide(judged(make_target(ApproximateDP(1.0, 1e-3)), gaussian_scores(0.1, 4_000)))
    assert silent[0] is Outcome.INCONCLUSIVE
    assert "says nothing at the quoted delta 1e-05" in silent[1]
    assert said((Evidence("game", *silent),)).startswith("quote epsilon at a delta")
    included, target = np.arange(10) < 5, make_target(GaussianDP(4.0))
    found = decide_one_run.judge(target, np.zeros(10), included, GaussianDP(4.0), 1e-3, np.random.default_rng(1))
    one = decide_one_run.decide(found)
    assert one[0] is Outcome.INCONCLUSIVE
    assert said((Evidence("game", *one),)) == "use more canaries"
