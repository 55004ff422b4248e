"""Random statements with random proofs of every kind: nothing false is accepted, and a fault in the checker is found.

What is accepted is tried at exact points of its domain, by code that shares nothing with the checker; then the same
proof is handed in for statements with one change. The seeds are fixed.
"""

from __future__ import annotations

from typing import Any

import pytest
from depth import repeats
from random_attacks import Hunt

from dpaudit.recheck import proof as proofs
from dpaudit.recheck.rules import rewriting, variables
from dpaudit.recheck.signs import Context

SEED, TRIES = 20261124, 700


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


@pytest.mark.deep(keep=3)
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
