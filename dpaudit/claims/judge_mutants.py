"""What the engines find about a false variant of a statement: the checks that settle the statement must refute it."""

from __future__ import annotations

from dataclasses import replace

from dpaudit.claims.argument import loosening
from dpaudit.claims.argument.choice import chosen
from dpaudit.claims.argument.nodes import as_data
from dpaudit.claims.argument.proof import tried
from dpaudit.claims.engines.rigorous.witness import Witness, certify, describe
from dpaudit.claims.judge import SETTLED, Finding, complete, find_witness, numbers
from dpaudit.claims.language.sequences import indexed, written_out
from dpaudit.recheck.goals import read_statement, refuse_without_value
from dpaudit.recheck.terms import Refused
from dpaudit.records.claim import Claim, Exhibit, Move, Point, Solve, Statement, Step
from dpaudit.records.context import Context
from dpaudit.records.verdict import Evidence, Outcome

MUTANT_POINTS = 200
"""Points of the search for a witness against a mutant."""
CHOSEN = "with the constants as they are chosen"


def judge_mutant(
    statement: Statement, points: tuple[Point, ...], item: Claim | Step, context: Context, proved: bool = False
) -> Finding:
    """REFUTED by a witness, PROVED (then it is slack), or INCONCLUSIVE: it escapes. proved: the original is PROVED."""
    if statement.exists:
        return _judge_exists(statement, item)
    if statement.constants:
        return _judge_chosen(statement, points, item, context, proved)
    return _judge_plain(statement, points, item.statement, item.argument, context, proved)


def _judge_plain(
    statement: Statement,
    points: tuple[Point, ...],
    original: Statement | None,
    argument: tuple[Move, ...],
    context: Context,
    proved: bool,
) -> Finding:
    """A point first; then the argument of the original; then whether it follows from the original; then a search."""
    witness = find_witness(statement, points, context.seed, MUTANT_POINTS, vectors=True)
    if witness is not None:
        return _refuted(witness)
    trail = tried(statement, argument) if argument else None
    # A theorem is cited for the original, not for whatever stands in its place.
    if trail is not None and trail.closed and not trail.assuming:
        slack = Evidence("argument", Outcome.PROVED, "the mutant is true: slack")
        return Finding(Outcome.PROVED, (*trail.evidence, slack))
    if proved and original is not None and loosening.follows(original, statement, argument):
        implied = Evidence("symbolic", Outcome.PROVED, "the mutant is true: it follows from the original")
        return Finding(Outcome.PROVED, (implied,))
    return _searched(statement, argument, context)


def _refuted(witness: Witness) -> Finding:
    detail = Evidence("rigorous", Outcome.REFUTED, describe(witness))
    return Finding(Outcome.REFUTED, (detail,), witness=numbers(witness))


def _searched(statement: Statement, moves: tuple[Move, ...], context: Context) -> Finding:
    """What the solvers say about a mutant: a model that is a witness, a proof that it is true; or a proof that is found
    without a hint, or nothing."""
    for way in ((Solve(loosening.facts(moves), loosening.EFFORT),), ()):
        trail = tried(statement, way, quick=True)
        witness = find_witness(statement, complete(statement, trail.models), context.seed, count=0)
        if witness is not None:
            return _refuted(witness)
        if trail.closed:
            slack = Evidence("smt" if way else "argument", Outcome.PROVED, "the mutant is true: slack")
            return Finding(Outcome.PROVED, (*trail.evidence, slack))
    said = f"no witness found: it escapes{_without_value(statement)}; {SETTLED}"
    detail = Evidence("rigorous", Outcome.INCONCLUSIVE, f"{said}name a point that refutes it among its candidates")
    return Finding(Outcome.INCONCLUSIVE, (detail,))


def _without_value(statement: Statement) -> str:
    """Why a mutant cannot be proved that is true wherever it has a value, or nothing."""
    try:
        refuse_without_value(read_statement(as_data(statement)))
    except Refused as error:
        return f", and {error}"
    return ""


def _judge_exists(statement: Statement, item: Claim | Step) -> Finding:
    """The exhibited point must fail the mutant, so that exhibiting it is a check."""
    shown = [move.point for move in item.argument if isinstance(move, Exhibit)]
    if any(violated(statement, point) for point in shown):
        return Finding(Outcome.REFUTED, (Evidence("rigorous", Outcome.REFUTED, "the exhibited point breaks it"),))
    detail = f"the exhibited point still meets it; {SETTLED}exhibit a point that the change rules out"
    return Finding(Outcome.INCONCLUSIVE, (Evidence("rigorous", Outcome.INCONCLUSIVE, detail),))


def _judge_chosen(
    statement: Statement, points: tuple[Point, ...], item: Claim | Step, context: Context, proved: bool
) -> Finding:
    """The values that are chosen for the constants must fail the mutant, so that choosing them is a check."""
    with_values = chosen(statement, item.argument)
    if with_values.constants:
        said = f"nothing is chosen for its constants; {SETTLED}begin the argument with Choose()"
        return Finding(Outcome.INCONCLUSIVE, (Evidence("rigorous", Outcome.INCONCLUSIVE, said),))
    original = None if item.statement is None else chosen(item.statement, item.argument)
    found = _judge_plain(with_values, points, original, item.argument[1:], context, proved)
    first = found.evidence[0]
    return replace(found, evidence=(replace(first, detail=f"{CHOSEN}: {first.detail}"), *found.evidence[1:]))


def violated(statement: Statement, point: Point) -> bool:
    """Does the point certainly break a condition or the relation of a statement with `exists`?"""
    made = written_out(statement, point) if indexed(statement) else (statement, point)
    if made is None:
        return False
    statement, point = made
    relations = (*statement.conditions, statement.expression)
    return any(certify(replace(statement, expression=r, conditions=(), exists=False), point) for r in relations)
