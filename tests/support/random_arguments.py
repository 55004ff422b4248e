"""Random attempts in the language of claims: the nodes of a proof as the moves of an argument."""

from __future__ import annotations

import random
from collections.abc import Callable
from typing import Any

from random_pieces import Attempt, Node
from random_statements import Said

from dpaudit.records import claim as moves
from dpaudit.records.claim import Move, Statement

EFFORT, BUDGET = 200_000, 30
"""Work of solvers and boxes on one goal: what is proved at all is proved with less."""
SYMBOLS: dict[str, Callable[[str, str], moves.Symbol]] = {
    "real": moves.real,
    "integer": moves.integer,
    "gaussian": moves.gaussian,
    "vector": lambda name, _: moves.vector(name),
}


def statement(goal: str, rows: Any, conditions: tuple[str, ...] = (), exists: bool = False) -> Statement:
    """The record of a statement."""
    return Statement(goal, tuple(SYMBOLS[kind](name, text) for name, kind, text in rows), conditions, exists)


def argument(node: Node, rng: random.Random) -> tuple[Move, ...] | None:
    """The moves that a node stands for; None where there is no such move."""
    by = node["by"]
    if by in CLOSING:
        return (_solved(CLOSING[by](node), rng),)
    if by not in CHAINED:
        return None
    inner = {key: argument(node[key], rng) for key in ("then", "inner", "base", "step") if key in node}
    if by == "cases":
        inner |= {part["case"]: argument(part["proof"], rng) for part in node["parts"]}
    if None in inner.values():
        return None
    return (CHAINED[by](node, inner), *(inner.get("then") or ()))


def _solved(move: Move, rng: random.Random) -> Move:
    """Now and then the solvers in its place, or nothing."""
    if rng.random() < 0.1:
        return moves.Solve(effort=EFFORT)
    return moves.Open("left") if rng.random() < 0.02 else move


CLOSING: dict[str, Callable[[Node], Move]] = {
    "positive": lambda _: moves.Positive(),
    "identical": lambda _: moves.Identical(),
    "boxes": lambda _: moves.Boxes(BUDGET),
    "enumerate": lambda _: moves.Enumerate(),
    "combine": lambda node: moves.Combine(tuple((factor, known) for factor, known in node["terms"])),
    "tangent": lambda node: moves.Tangent(node["variable"], node["point"]),
    "instance": lambda node: moves.ByTheorem(node["of"], at=tuple((name, value) for name, value in node["at"])),
}
CHAINED: dict[str, Callable[[Node, Any], Move]] = {
    "scale": lambda node, _: moves.Scale(node["factor"]),
    "shift": lambda node, _: moves.Shift(node["term"]),
    "logarithm": lambda _, __: moves.Logarithm(),
    "rewrite": lambda node, _: moves.Rewrite(node.get("left", ""), node.get("right", "")),
    "bound": lambda node, inner: moves.Bound(node.get("left", ""), node.get("right", ""), inner["inner"]),
    "monotone": lambda node, inner: moves.Monotone(node["variable"], node["at"], inner["inner"]),
    "antiderivative": lambda node, _: moves.Antiderivative(node["integral"], node["primitive"]),
    "induct": lambda node, inner: moves.Induct(node["variable"], inner["base"], inner["step"]),
    "cases": lambda node, inner: moves.Cases(tuple((part["case"], inner[part["case"]]) for part in node["parts"])),
    "substitute": lambda node, _: moves.Substitute(
        tuple(SYMBOLS[kind](name, text) for name, kind, text in node["symbols"]),
        tuple((old, new) for old, new in node["values"]),
        tuple((new, old) for new, old in node["inverse"]),
    ),
}


def of_attempt(attempt: Attempt, rng: random.Random) -> tuple[Statement, tuple[Move, ...], dict[str, Statement]] | None:
    """Statement, argument and grounds; None where the proof has no such form."""
    found = argument(attempt.node, rng)
    if found is None:
        return None
    grounds = {name: statement(goal, rows) for name, (goal, rows) in attempt.grounds.items()}
    return statement(attempt.goal, attempt.rows, attempt.conditions), found, grounds


def of_said(said: Said) -> Statement:
    """The record of a statement of known truth."""
    return statement(said.goal, said.rows, said.conditions)
