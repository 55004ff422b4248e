"""Random statements of known truth through engine and checker: a false one is never PROVED, a true one never REFUTED.

False ones fail at a planted exact point, true ones hold by construction; arguments are made of all moves. What is
proved of statements whose truth is not known is tried at exact points. The seeds are fixed; `PYTEST_ADDOPTS=-s` prints
what was tried.
"""

from __future__ import annotations

import random
from typing import Any

import pytest
from depth import repeats
from random_arguments import statement
from random_attacks import ENDS, NO_PROOF, on_false_ones, on_proofs, on_true_ones, proved
from random_statements import Maker

from dpaudit.claims.argument import nodes, proof
from dpaudit.claims.argument.nodes import Search
from dpaudit.claims.argument.proof import prove
from dpaudit.records import claim as moves
from dpaudit.records.claim import Move, Statement

SEED = 20261124
MOVES = {
    "Positive", "Identical", "Combine", "Boxes", "Solve", "Rewrite", "Bound", "Scale", "Shift", "Cases", "Enumerate",
    "Monotone", "Antiderivative", "Substitute", "Induct", "Logarithm", "Tangent", "ByTheorem", "Open",
}  # fmt: skip
"""All but `Exhibit` and `Nowhere`, which have a test of their own."""


def test_what_is_proved_fails_nowhere() -> None:
    found = on_proofs(SEED, repeats(250, 20_000))
    print(f"seed {SEED}:", *(f"{kind} {found.shown_kinds[kind]}/{n}" for kind, n in sorted(found.kinds.items())))
    assert found.wrong == []
    assert set(found.kinds) >= MOVES


def test_a_statement_that_fails_at_a_point_is_never_proved_and_its_point_refutes_it() -> None:
    found = on_false_ones(SEED, repeats(80, 20_000))
    print(f"seed {SEED}: {found.shown} of {found.tried} false statements refuted by their point")
    assert found.wrong == []
    assert found.shown > 0.6 * found.tried


def test_a_statement_that_is_true_by_construction_is_never_refuted() -> None:
    found = on_true_ones(SEED, repeats(80, 20_000))
    print(f"seed {SEED}: {found.shown} of {found.tried} true statements proved by one move")
    assert found.wrong == []
    assert found.shown > 0.3 * found.tried


def test_what_there_is_and_what_there_is_not() -> None:
    """A point is exhibited only where there is one, and none is denied that is there."""
    rng = random.Random(SEED)
    maker = Maker(rng)
    for _ in range(repeats(100, 10_000)):
        said = maker.true()
        left, _, right = said.goal.partition(" <= ")
        if right:
            nowhere = statement(f"{right} < {left}", said.rows, said.conditions, exists=True)
            assert not proved(nowhere, (moves.Exhibit(maker.shown(maker.point())),)), nowhere
        false = maker.false()
        sign = next(sign for sign in (" <= ", " < ", " == ") if sign in false.goal)
        left, right = false.goal.split(sign)
        there = statement(f"{right} <= {left}" if sign != " == " else f"{left} < {right}", false.rows,
                          false.conditions, exists=True)  # fmt: skip
        if sign != " == ":
            assert not _denied(there, (rng.choice(ENDS[:4]))), there


def _denied(said: Statement, argument: tuple[Move, ...]) -> bool:
    try:
        return prove(said, (moves.Nowhere(argument),), Search()).refuted
    except NO_PROOF:
        return False


@pytest.mark.deep
def test_a_fault_in_the_engine_is_found(monkeypatch: pytest.MonkeyPatch) -> None:
    """The certificate is of another statement than the claim: open ends are lost."""
    whole = nodes.as_data

    def loosened(said: Statement) -> dict[str, Any]:
        return whole(said) | {"goal": said.expression.replace(" < ", " <= ")}

    monkeypatch.setattr(proof, "as_data", loosened)
    assert on_proofs(SEED, 500).wrong
