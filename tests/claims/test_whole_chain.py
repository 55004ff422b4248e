"""Random statements of known truth through engine and checker: a false one is never PROVED, a true one never REFUTED.

False ones fail at a planted exact point, true ones hold by construction; arguments are made of all moves. What is
proved of statements whose truth is not known is tried at exact points. The seeds are fixed; `PYTEST_ADDOPTS=-s` prints
what was tried.
"""

from __future__ import annotations

import random
from collections import Counter
from typing import Any

import pytest
from depth import repeats
from random_arguments import of_attempt, of_said, statement
from random_proofs import Prover
from random_statements import Maker

from dpaudit.claims.argument import nodes, proof
from dpaudit.claims.argument.nodes import Search
from dpaudit.claims.argument.proof import prove
from dpaudit.claims.certificates.certificate import by_witness
from dpaudit.claims.judge import find_witness
from dpaudit.recheck.check import check
from dpaudit.recheck.terms import Refused
from dpaudit.records import claim as moves
from dpaudit.records.claim import Move, Statement
from dpaudit.records.errors import DpauditError

SEED, POINTS = 20261124, 30
ENDS: tuple[tuple[Move, ...], ...] = (
    (moves.Positive(),), (moves.Identical(),), (moves.Combine(()),), (moves.Boxes(30),), (moves.Solve(effort=200_000),),
    (moves.Cases((("x <= 1", (moves.Positive(),)), ("otherwise", (moves.Positive(),)))),),
    (moves.Scale("2"), moves.Positive()), (moves.Logarithm(), moves.Positive()), (moves.Shift("-x"), moves.Positive()),
    (moves.Enumerate(),), (moves.Induct("n", (moves.Positive(),), (moves.Positive(),)),),
)  # fmt: skip

MOVES = {
    "Positive", "Identical", "Combine", "Boxes", "Solve", "Rewrite", "Bound", "Scale", "Shift", "Cases", "Enumerate",
    "Monotone", "Antiderivative", "Substitute", "Induct", "Logarithm", "Tangent", "ByTheorem", "Open",
}  # fmt: skip
"""All but `Exhibit` and `Nowhere`, which have a test of their own."""
NO_PROOF = (
    DpauditError,
    Refused,
    ValueError,
    TypeError,
    ArithmeticError,
    LookupError,
    AttributeError,
    NotImplementedError,
)
"""What an argument that does not fit may end in: each is an ERROR of the claim, and no verdict."""


def proved(said: Statement, argument: tuple[Move, ...], grounds: dict[str, Statement] | None = None) -> bool:
    """Is the statement PROVED, with a certificate that the checker accepts?"""
    try:
        trail = prove(said, argument, Search("toy/LEM-1", dict(grounds or {})))
    except NO_PROOF:
        return False
    if not trail.closed or trail.partial or trail.data is None:
        return False
    check(trail.data)
    return not trail.refuted


def kinds(argument: tuple[Move, ...]) -> set[str]:
    """The moves of an argument, those inside of others included."""
    found = set()
    for move in argument:
        found.add(type(move).__name__)
        for part in vars(move).values() if hasattr(move, "__dict__") else ():
            for inner in part if isinstance(part, tuple) else ():
                found |= kinds((inner,)) if isinstance(inner, Move) else set()
    return found


def hunt(seed: int, times: int) -> tuple[Counter[str], Counter[str], list[str]]:
    """Attempts of every kind: the moves tried, those of proved statements, and what is proved and fails at a point."""
    rng, judge = random.Random(seed), Maker(random.Random(seed + 1))
    prover = Prover(rng)
    tried: Counter[str] = Counter()
    accepted: Counter[str] = Counter()
    false = []
    for _ in range(times):
        attempt = prover.attempt()
        made = of_attempt(attempt, rng)
        if made is None:
            continue
        said, argument, grounds = made
        tried.update(kinds(argument))
        if proved(said, argument, grounds):
            accepted.update(kinds(argument))
            against = judge.against(attempt.rows, attempt.conditions, attempt.goal, POINTS)
            false += [f"{said} by {argument} fails at {against}"] if against else []
    return tried, accepted, false


def test_what_is_proved_fails_nowhere() -> None:
    tried, accepted, false = hunt(SEED, repeats(500, 20_000))
    print(f"seed {SEED}:", *(f"{kind} {accepted[kind]}/{n}" for kind, n in sorted(tried.items())))
    assert false == []
    assert set(tried) >= MOVES


def test_a_statement_that_fails_at_a_point_is_never_proved_and_its_point_refutes_it() -> None:
    rng = random.Random(SEED)
    maker, refuted, times = Maker(rng), 0, repeats(250, 20_000)
    for _ in range(times):
        said = maker.false()
        for argument in rng.sample(ENDS, 2):
            assert not proved(of_said(said), argument), (said, argument)
        refuted += find_witness(of_said(said), (said.point,), SEED, count=0) is not None
    print(f"seed {SEED}: {refuted} of {times} false statements refuted by their point")
    assert refuted > 0.6 * times


def test_a_statement_that_is_true_by_construction_is_never_refuted() -> None:
    rng = random.Random(SEED)
    maker, shown, times = Maker(rng), 0, repeats(250, 20_000)
    for _ in range(times):
        said = maker.true()
        points = tuple(maker.shown(maker.point()) for _ in range(8))
        assert find_witness(of_said(said), points, SEED, count=0) is None, said
        for point in points:
            with pytest.raises(Refused):
                check(by_witness("toy/LEM-1", of_said(said), point, "0"))
        shown += any(proved(of_said(said), argument) for argument in ENDS[:4])
    print(f"seed {SEED}: {shown} of {times} true statements proved by one move")
    assert shown > 0.3 * times


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


def test_a_fault_in_the_engine_is_found(monkeypatch: pytest.MonkeyPatch) -> None:
    """The certificate is of another statement than the claim: open ends are lost."""
    whole = nodes.as_data

    def loosened(said: Statement) -> dict[str, Any]:
        return whole(said) | {"goal": said.expression.replace(" < ", " <= ")}

    monkeypatch.setattr(proof, "as_data", loosened)
    assert hunt(SEED, 500)[2]
