"""Whether a changed relation says no more than the original, so that the original's proof covers it."""

from __future__ import annotations

from dataclasses import replace

from dpaudit.claims.argument.nodes import as_data
from dpaudit.claims.argument.proof import tried
from dpaudit.claims.language.expression import Expr, Relation, parse, parse_relation
from dpaudit.recheck.goals import read_statement
from dpaudit.recheck.signs import Context
from dpaudit.recheck.terms import relation, term
from dpaudit.records.claim import Boxes, Combine, Move, Positive, Solve, Statement

EFFORT = 2_000_000
"""Solver resource units for one question."""
ZERO, ONE = parse("0"), parse("1")


def weaker(original: Statement, changed: Statement, moves: tuple[Move, ...]) -> bool:
    """Does `changed`, with one side changed on the same domain, follow from `original`?

    moves: the argument of the original; the inequalities that it names may help.
    """
    old, new = parse_relation(original.expression), parse_relation(changed.expression)
    if original.symbols != changed.symbols or original.conditions != changed.conditions or old.sign != new.sign:
        return False
    if old.left != new.left and old.right != new.right:
        return False
    smaller, larger = (old.right, new.right) if old.left == new.left else (new.left, old.left)
    known = read_statement(as_data(original)).context
    # Where the old side has no value the original says nothing.
    if not known.defined(term(str(smaller if old.left == new.left else larger))):
        return False
    if old.sign != "==" and grows(smaller, larger, known):
        return True
    between = replace(changed, expression=str(Relation(smaller, "==" if old.sign == "==" else "<=", larger)))
    ways: tuple[Move, ...] = (Positive(), Boxes(200), Solve(facts(moves), EFFORT))
    return any(tried(between, (way,)).closed for way in ways)


def facts(moves: tuple[Move, ...]) -> tuple[str, ...]:
    """The inequalities that an argument names."""
    named = [fact for move in moves if isinstance(move, Solve) for fact in move.facts]
    return (*named, *(text for move in moves if isinstance(move, Combine) for _, text in move.terms))


def grows(small: Expr, large: Expr, known: Context) -> bool:
    """Is `small` <= `large` by monotonicity alone, for two terms that differ in one place?

    Walks down to that place; each operation on the way must be monotone in the operand, by the
    signs of the other operands.
    """

    def at_least(part: Expr, least: Expr) -> bool:
        return known.shown(relation(str(Relation(least, "<=", part))))

    def above_zero(part: Expr) -> bool:
        return known.shown(relation(str(Relation(ZERO, "<", part))))

    def below(a: Expr, b: Expr) -> bool:
        if a == b:
            return True
        if a.head == b.head == "number":
            return a.value <= b.value
        if {a.head, b.head} == {"+", "-"} and a.args == b.args:
            added = a.args[1]
            return at_least(added if b.head == "+" else Expr("neg", (added,)), ZERO)
        if a.head != b.head or len(a.args) != len(b.args):
            return False
        places = [i for i, (x, y) in enumerate(zip(a.args, b.args, strict=True)) if x != y]
        return len(places) == 1 and _monotone(a, b, places[0])

    def _monotone(a: Expr, b: Expr, place: int) -> bool:
        x, y = a.args[place], b.args[place]
        others = [arg for i, arg in enumerate(a.args) if i != place]
        match a.head:
            case "+" | "exp" | "min" | "max" | "Phi" | "floor" | "ceil" | "exprel":
                return below(x, y)
            case "log" | "log2" | "sqrt":
                return below(x, y)
            case "-":
                return below(x, y) if place == 0 else below(y, x)
            case "neg":
                return below(y, x)
            case "*":
                return (at_least(others[0], ZERO) and below(x, y)) or (
                    at_least(Expr("neg", (others[0],)), ZERO) and below(y, x)
                )
            case "/":
                if place == 0:
                    return above_zero(others[0]) and below(x, y)
                return at_least(others[0], ZERO) and above_zero(x) and above_zero(y) and below(y, x)
            case "**":
                if place == 0:
                    return at_least(others[0], ZERO) and at_least(x, ZERO) and below(x, y)
                return (at_least(others[0], ONE) and below(x, y)) or (
                    above_zero(others[0]) and at_least(ONE, others[0]) and below(y, x)
                )
        return False

    return below(small, large)
