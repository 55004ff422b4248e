"""Attacks on engine and checker with random statements: what each tried, and what is proved and should not be.

Statements are true by construction, or fail at a planted exact point, or their truth is not known: then what is proved
of them is tried at exact points of its domain, by code that shares nothing with the checker.
"""

from __future__ import annotations

import random
from collections import Counter
from dataclasses import dataclass, field
from typing import Any

from domains import why_not
from random_arguments import of_attempt, of_said
from random_pieces import Attempt
from random_proofs import Prover
from random_statements import Maker, Said

from dpaudit.claims.argument.nodes import Search
from dpaudit.claims.argument.proof import prove
from dpaudit.claims.certificates.certificate import by_witness
from dpaudit.claims.judge import find_witness
from dpaudit.recheck.check import check
from dpaudit.recheck.terms import Refused
from dpaudit.records import claim as moves
from dpaudit.records.claim import Move, Statement
from dpaudit.records.errors import DpauditError

POINTS, SPOILT = 30, 3
"""Exact points at which what is proved is tried, and changes of a proof that is accepted."""
ENDS: tuple[tuple[Move, ...], ...] = (
    (moves.Positive(),), (moves.Identical(),), (moves.Combine(()),), (moves.Boxes(30),), (moves.Solve(effort=200_000),),
    (moves.Cases((("x <= 1", (moves.Positive(),)), ("otherwise", (moves.Positive(),)))),),
    (moves.Scale("2"), moves.Positive()), (moves.Logarithm(), moves.Positive()), (moves.Shift("-x"), moves.Positive()),
    (moves.Enumerate(),), (moves.Induct("n", (moves.Positive(),), (moves.Positive(),)),),
)  # fmt: skip
"""Arguments of one move that end a proof."""
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


@dataclass
class Attacked:
    """How many statements were tried, how many of them shown (refuted, where they are false), and what is wrong; kinds:
    of moves in what was tried; shown_kinds: in what was proved."""

    tried: int = 0
    shown: int = 0
    wrong: list[str] = field(default_factory=list)
    kinds: Counter[str] = field(default_factory=Counter)
    shown_kinds: Counter[str] = field(default_factory=Counter)


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


def on_proofs(seed: int, times: int) -> Attacked:
    """Random proofs as arguments, of those `times` that can be written as one: wrong are those that are proved and fail
    at a point."""
    rng, judge = random.Random(seed), Maker(random.Random(seed + 1))
    prover, found = Prover(rng), Attacked()
    for _ in range(times):
        attempt = prover.attempt()
        made = of_attempt(attempt, rng)
        if made is None:
            continue
        said, argument, grounds = made
        found.tried += 1
        found.kinds.update(kinds(argument))
        if proved(said, argument, grounds):
            found.shown += 1
            found.shown_kinds.update(kinds(argument))
            against = judge.against(attempt.rows, attempt.conditions, attempt.goal, POINTS)
            found.wrong += [f"{said} by {argument} fails at {against}"] if against else []
    return found


def on_false_ones(seed: int, times: int) -> Attacked:
    """Statements that fail at a point, with two arguments each: wrong are those that are proved."""
    rng, found = random.Random(seed), Attacked(times)
    maker = Maker(rng)
    for _ in range(times):
        said = maker.false()
        found.wrong += [f"{said} by {end}" for end in rng.sample(ENDS, 2) if proved(of_said(said), end)]
        found.shown += find_witness(of_said(said), (said.point,), seed, count=0) is not None
    return found


def on_true_ones(seed: int, times: int) -> Attacked:
    """Statements that are true by construction, at eight points each: wrong are those that one refutes."""
    rng, found = random.Random(seed), Attacked(times)
    maker = Maker(rng)
    for _ in range(times):
        said = maker.true()
        points = tuple(maker.shown(maker.point()) for _ in range(8))
        if find_witness(of_said(said), points, seed, count=0) is not None:
            found.wrong.append(f"{said} is refuted")
        found.wrong += [f"{said} is refuted at {point}" for point in points if _accepted_as_witness(said, point)]
        found.shown += any(proved(of_said(said), end) for end in ENDS[:4])
    return found


def _accepted_as_witness(said: Said, point: dict[str, str]) -> bool:
    try:
        check(by_witness("toy/LEM-1", of_said(said), point, "0"))
    except Refused:
        return False
    return True


# The checker alone. -------------------------------------------------------------------------------


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
