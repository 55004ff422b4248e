"""Walks the argument of a claim: every move is checked, and what it rests on is collected.

A move turns the goal into one that implies it (`transforms`) or settles it (here). The first
move that cannot be checked ends the walk; its reason is the reason of the verdict. Only the
running layer joins the engines.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace
from typing import Any

from dpaudit.claims.argument.induction import induct
from dpaudit.claims.argument.trail import Trail
from dpaudit.claims.argument.transforms import TRANSFORM, all_defined, because
from dpaudit.claims.engines import exact, positivity, smt, symbolic
from dpaudit.claims.engines.rigorous.boxes import BoxProof, prove
from dpaudit.claims.engines.rigorous.extremum import worst_point
from dpaudit.claims.engines.rigorous.witness import certify, inside
from dpaudit.claims.language.expression import Relation, parse_relation, parse_statement
from dpaudit.records.claim import (
    Boxes,
    ByTheorem,
    Cases,
    Combine,
    Enumerate,
    Exhibit,
    Identical,
    Induct,
    Move,
    Nowhere,
    Open,
    Positive,
    Solve,
    Statement,
    Tangent,
)
from dpaudit.records.errors import ContentError
from dpaudit.records.verdict import Evidence, Numbers, Outcome

RATIO_BOXES = 300
"""Boxes that the search for the tightest ratio may look at, after a proof."""


def walk(statement: Statement, moves: tuple[Move, ...], trail: Trail) -> None:
    """Check `moves` one after the other from `statement`; the last one must close the goal."""
    goal = statement
    for position, move in enumerate(moves):
        if goal.exists and not isinstance(move, (Exhibit, Nowhere)):
            raise ContentError("a statement with `exists` is settled by Exhibit() or Nowhere() alone")
        if trail.dry and type(move) in LEAVES:
            return
        if type(move) in CLOSE:
            if position < len(moves) - 1:
                raise ContentError(f"{type(move).__name__} closes the goal; the moves after it are never reached")
            CLOSE[type(move)](goal, move, trail)
            return
        step = TRANSFORM[type(move)](goal, move, trail, walk)
        if step is None:
            return
        goal = step
    raise ContentError(f"the argument ends with the goal open: {goal.expression}")


def tried(statement: Statement, moves: tuple[Move, ...]) -> Trail:
    """The trail of moves that need not fit the statement: where they do not, it is not closed."""
    trail = Trail()
    try:
        walk(statement, moves, trail)
    except ContentError as error:
        trail.note("argument", False, str(error))
    trail.closed = trail.closed and not trail.partial
    return trail


def _cases(goal: Statement, move: Cases, trail: Trail) -> None:
    seen: list[Relation] = []
    for text, moves in move.cases:
        extra: tuple[str, ...]
        if text == "otherwise":
            # The complement of a <= b is b < a; its closure is checked, which is more.
            extra = tuple(str(Relation(r.right, "<=", r.left)) for r in seen)
        else:
            seen.append(parse_relation(text))
            if seen[-1].sign == "==":
                raise ContentError(f"the case {text!r} is an equation, whose complement is no condition: use <= or <")
            if not all_defined(goal, str(seen[-1].left), str(seen[-1].right), trail=trail):
                return
            extra = (text,)
        trail.evidence.append(Evidence("argument", Outcome.PROVED, f"case {text}{because(move)}"))
        walk(replace(goal, conditions=(*goal.conditions, *extra)), moves, trail)
    if move.cases[-1][0] != "otherwise":
        raise ContentError("the last case must be `otherwise`, so that the cases cover the domain")


def _identical(goal: Statement, move: Identical, trail: Trail) -> None:
    relation = parse_relation(goal.expression)
    same = symbolic.identical(relation.left, relation.right, goal.symbols) and relation.sign != "<"
    trail.note("symbolic", same, f"both sides of {goal.expression} are the same expression")


def _enumerate(goal: Statement, move: Enumerate, trail: Trail) -> None:
    cases, failing = exact.enumerate_cases(goal)
    trail.note("exact", failing is None and cases > 0, f"{cases} cases in rational arithmetic", (("cases", cases),))


def box_goals(statement: Statement, moves: tuple[Move, ...]) -> list[Statement]:
    """What the argument leaves to box proofs, in its order, without proving any of it."""
    trail = Trail(dry=True)
    walk(statement, moves, trail)
    return [goal for goal, _ in trail.boxes]


def _boxes(goal: Statement, move: Boxes, trail: Trail) -> None:
    if trail.dry:
        trail.boxes.append((goal, BoxProof()))
        return
    boxes = trail.certified(goal)
    if boxes:
        trail.reused = True
        detail = f"{goal.expression} on the whole box: {boxes} boxes of the shipped certificate, not searched again"
        trail.note(
            "recheck", True, f"{detail}; the independent checker accepts it", (("boxes", boxes), *_tightest(goal))
        )
        return
    proof = prove(goal, move.budget)
    if proof.proved:
        detail = f"{goal.expression} on the whole box: {proof.boxes} boxes"
        numbers: Numbers = (("boxes", proof.boxes), *_tightest(goal))
        trail.boxes.append((goal, proof))
    else:
        detail, numbers = f"{goal.expression}: {proof.reason}", (("boxes", proof.boxes),)
    trail.note("rigorous", proof.proved, detail, numbers)


def _tightest(goal: Statement) -> Numbers:
    """The largest ratio left/right: attained at an exact point, and an upper bound for the whole domain."""
    found = worst_point(goal, RATIO_BOXES)
    attained: Numbers = ()
    if found.lower is not None:
        at = ", ".join(f"{name} = {value}" for name, value in found.point)
        attained = (("largest_ratio", float(found.lower)), ("at", at))
    return (*attained, ("ratio_at_most", float(found.upper))) if found.upper is not None else attained


def _solve(goal: Statement, move: Solve, trail: Trail) -> None:
    """Facts enter the solvers only after the symbolic engine has shown each of them."""
    _, conditions = parse_statement(goal)
    facts = tuple(parse_relation(text) for text in move.facts)
    for fact in facts:
        if not symbolic.known(fact, goal.symbols, conditions):
            trail.note("symbolic", False, f"{fact} is neither a condition nor an instance of a known inequality")
            return
    solved = smt.solve(goal, facts, move.effort)
    if solved.model:
        trail.models.append(solved.model)
    trail.note("smt", solved.proved, f"{goal.expression}: {solved.detail}{because(move)}")


def _exhibit(goal: Statement, move: Exhibit, trail: Trail) -> None:
    found = inside(replace(goal, conditions=(*goal.conditions, goal.expression)), move.point)
    where = ", ".join(f"{name} = {value}" for name, value in move.point)
    trail.note("rigorous", goal.exists and found, f"conditions and relation at {where}{because(move)}")


def _nowhere(goal: Statement, move: Nowhere, trail: Trail) -> None:
    relation = parse_relation(goal.expression)
    if not goal.exists or relation.sign == "==":
        raise ContentError("Nowhere() refutes a statement with `exists` and an inequality")
    opposite = Relation(relation.right, "<" if relation.sign == "<=" else "<=", relation.left)
    walk(replace(goal, expression=str(opposite), exists=False), move.argument, trail)
    trail.refuted = trail.closed and not trail.partial
    trail.closed = trail.refuted  # a part of a proof of the opposite is no part of a proof


def _by_theorem(goal: Statement, move: ByTheorem, trail: Trail) -> None:
    said = f"{goal.expression} follows from {move.theorem}{because(move)}"
    trail.cite(move.theorem, said, parse_relation(goal.expression), goal, move.at)


def _open(goal: Statement, move: Open, trail: Trail) -> None:
    trail.partial = True
    trail.evidence.append(Evidence("argument", Outcome.CONSISTENT, f"left open{because(move)}"))


def violated(statement: Statement, point: tuple[tuple[str, str], ...]) -> bool:
    """Does the point certainly break a condition or the relation of a statement with `exists`?"""
    relations = (*statement.conditions, statement.expression)
    return any(certify(replace(statement, expression=r, conditions=(), exists=False), point) for r in relations)


CLOSE: dict[type, Callable[[Statement, Any, Trail], object]] = {
    Cases: _cases,
    Identical: _identical,
    Combine: lambda goal, move, trail: trail.note("symbolic", *symbolic.combine(goal, move.terms)),
    Tangent: lambda goal, move, trail: trail.note("symbolic", *symbolic.tangent(goal, move)),
    Boxes: _boxes,
    Enumerate: _enumerate,
    Positive: lambda goal, move, trail: trail.note("symbolic", *positivity.positive(goal)),
    Solve: _solve,
    Induct: lambda goal, move, trail: induct(goal, move, trail, walk),
    Exhibit: _exhibit,
    Nowhere: _nowhere,
    ByTheorem: _by_theorem,
    Open: _open,
}
"""The check of each closing move."""
LEAVES = (Identical, Combine, Tangent, Enumerate, Positive, Solve, Exhibit, ByTheorem, Open)
"""The closing moves that end in no box proof."""
