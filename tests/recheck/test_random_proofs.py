"""Random statements with random proofs of every kind: nothing false is accepted, and a fault in the checker is found.

What is accepted is tried at exact points of its domain, by code that shares nothing with the checker; then the same
proof is handed in for statements with one change. The seeds are fixed.
"""

from __future__ import annotations

import random
from collections import Counter
from typing import Any

import pytest
from depth import repeats
from domains import why_not
from random_pieces import Attempt
from random_proofs import Prover
from random_statements import Maker

from dpaudit.recheck import proof as proofs
from dpaudit.recheck.rules import rewriting, variables
from dpaudit.recheck.signs import Context

SEED, TRIES, POINTS, SPOILT = 20261124, 1_200, 30, 3


def refused(attempt: Attempt) -> str:
    """Why the checker refuses an attempt; empty where it accepts it."""

    def said(goal: str, rows: list[tuple[str, str, str]], conditions: tuple[str, ...] = ()) -> dict[str, Any]:
        return {"symbols": list(map(list, rows)), "conditions": list(conditions), "goal": goal, "exists": False}

    grounds = {name: said(goal, rows) for name, (goal, rows) in attempt.grounds.items()}
    return why_not(said(attempt.goal, attempt.rows, attempt.conditions), attempt.node, grounds=grounds)


class Hunt:
    """accepted: attempts by kind; false: those that fail at a point, with the point."""

    def __init__(self, seed: int) -> None:
        rng = random.Random(seed)
        self.prover, self.judge = Prover(rng), Maker(random.Random(seed + 1))
        self.tried: Counter[str] = Counter()
        self.accepted: Counter[str] = Counter()
        self.false: list[str] = []

    def one(self, kind: str = "") -> None:
        """An attempt, and changes of it where it is accepted."""
        attempt = self.prover.attempt(kind)
        if self._look(attempt):
            for _ in range(SPOILT):
                self._look(self.prover.spoilt(attempt))

    def _look(self, attempt: Attempt) -> bool:
        self.tried[attempt.kind] += 1
        if refused(attempt):
            return False
        self.accepted[attempt.kind] += 1
        against = self.judge.against(attempt.rows, attempt.conditions, attempt.goal, POINTS)
        if against is not None:
            self.false.append(f"{attempt} fails at {against}")
        return True


def test_nothing_false_is_accepted() -> None:
    hunt = Hunt(SEED)
    for _ in range(repeats(TRIES, 200_000)):
        hunt.one()
    print(f"seed {SEED}:", *(f"{kind} {hunt.accepted[kind]}/{n}" for kind, n in sorted(hunt.tried.items())))
    assert hunt.false == []
    assert set(hunt.accepted) == set(hunt.prover.kinds)
    assert hunt.accepted.total() > 0.15 * hunt.tried.total()


def _nothing(*_: Any) -> None:
    return None


@pytest.mark.parametrize(
    ("place", "name", "fault", "kind", "seed"),
    [
        (Context, "valued", lambda self, node: True, "rewrite", 26),
        (proofs.Needs, "value", _nothing, "rewrite", 26),
        (proofs.Needs, "positive", _nothing, "scale", SEED),
        (proofs.Needs, "nonnegative", _nothing, "power", SEED),
        (proofs.Needs, "equal", _nothing, "tangent", SEED),
        (proofs.Needs, "relation", _nothing, "instance", SEED),
        (rewriting, "known", _nothing, "subtract", SEED),
        (variables, "in_range", lambda s, value: [], "substitute", SEED),
        (Context, "_at_zero", lambda self, form, a: 1, "", SEED),
    ],
    ids=lambda one: one if isinstance(one, str) else "",
)
def test_a_fault_in_the_checker_is_found(
    monkeypatch: pytest.MonkeyPatch, place: Any, name: str, fault: Any, kind: str, seed: int
) -> None:
    monkeypatch.setattr(place, name, fault)
    hunt = Hunt(seed)
    for _ in range(1_500):
        hunt.one(kind)
        if hunt.false:
            return
    pytest.fail(f"the fault stays hidden: {hunt.accepted}/{hunt.tried}")
