"""The moves that turn a goal into one that implies it: each is checked here, with what it rests on.

A transform takes the goal, the move, the trail and `walk` (for arguments of its own) and
returns the new goal, or None where the check did not succeed.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace
from typing import Any

import sympy

from dpaudit.claims.argument.substitution import change_variables
from dpaudit.claims.argument.trail import Trail
from dpaudit.claims.engines import symbolic
from dpaudit.claims.language.expression import (
    Expr,
    Relation,
    bound,
    names,
    parse,
    parse_relation,
    parse_statement,
    substitute,
    symbol,
)
from dpaudit.claims.language.expression import walk as walk_terms
from dpaudit.claims.language.gram import Translator, to_expr
from dpaudit.claims.language.sympy_heads import NormalCdf
from dpaudit.records.claim import (
    Antiderivative,
    Bound,
    Logarithm,
    Monotone,
    Move,
    Rewrite,
    Scale,
    Shift,
    Statement,
    Substitute,
    Symbol,
    SymbolKind,
    real,
)
from dpaudit.records.errors import ContentError

Walk = Callable[[Statement, tuple[Move, ...], Trail], None]


def because(move: Move) -> str:
    """The reason that the author gives, ready to be appended."""
    reason = getattr(move, "because", "")
    return f": {reason}" if reason else ""


def _sides(goal: Statement, left: str, right: str) -> Statement:
    relation = parse_relation(goal.expression)
    new = Relation(parse(left) if left else relation.left, relation.sign, parse(right) if right else relation.right)
    return replace(goal, expression=str(new))


def _rewrite(goal: Statement, move: Rewrite, trail: Trail, walk: Walk) -> Statement | None:
    relation = parse_relation(goal.expression)
    new = _sides(goal, move.left, move.right)
    target = parse_relation(new.expression)
    if move.by != "symbolic":
        said = f"rewritten as {new.expression} by {move.by}{because(move)}"
        changed = (relation.left, target.left) if move.left else (relation.right, target.right)
        trail.cite(move.by, said, Relation(changed[0], "==", changed[1]), goal, move.at)
        return new
    if not all_defined(goal, move.left, move.right, trail=trail):
        return None
    same = all(
        old == fresh or symbolic.identical(old, fresh, goal.symbols)
        for old, fresh in ((relation.left, target.left), (relation.right, target.right))
    )
    return new if trail.note("symbolic", same, f"equal to {new.expression}{because(move)}") else None


def _bound(goal: Statement, move: Bound, trail: Trail, walk: Walk) -> Statement | None:
    relation = parse_relation(goal.expression)
    if relation.sign == "==":
        raise ContentError("Bound() cannot prove an identity")
    new = _sides(goal, move.left, move.right)
    if not all_defined(goal, move.left, move.right, trail=trail):
        return None
    if bool(move.left) == bool(move.right):
        raise ContentError("Bound() changes exactly one side")
    target = parse_relation(new.expression)
    pair = (relation.left, target.left) if move.left else (target.right, relation.right)
    used = Relation(pair[0], "<=", pair[1])
    if move.by:
        said = f"it is enough that {new.expression}, by {move.by}{because(move)}"
        trail.cite(move.by, said, used, goal, move.at)
        return new
    inner = replace(goal, expression=str(used))
    before = trail.closed
    walk(inner, move.argument, trail)
    return new if trail.closed and before else None


def all_defined(goal: Statement, *texts: str, trail: Trail) -> bool:
    """Are the new terms real numbers on the whole domain? Elsewhere the new goal would say nothing."""
    _, conditions = parse_statement(goal)
    for text in texts:
        if text and not symbolic.defined(parse(text), goal.symbols, conditions):
            return trail.note("symbolic", False, f"{text} is not shown to be defined on the whole domain")
    return True


def _scale(goal: Statement, move: Scale, trail: Trail, walk: Walk) -> Statement | None:
    _, conditions = parse_statement(goal)
    factor = parse(move.factor)
    positive = symbolic.implied(Relation(parse("0"), "<", factor), goal.symbols, conditions)
    if not trail.note("symbolic", positive, f"both sides multiplied by {move.factor} > 0{because(move)}"):
        return None
    return _both(goal, "*", factor)


def _shift(goal: Statement, move: Shift, trail: Trail, walk: Walk) -> Statement | None:
    if not all_defined(goal, move.term, trail=trail):
        return None
    trail.note("symbolic", True, f"{move.term} added to both sides{because(move)}")
    return _both(goal, "+", parse(move.term))


def _both(goal: Statement, operator: str, term: Expr) -> Statement:
    relation = parse_relation(goal.expression)
    left, right = (Expr(operator, (term, side)) for side in (relation.left, relation.right))
    return replace(goal, expression=str(Relation(left, relation.sign, right)))


def _logarithm(goal: Statement, move: Logarithm, trail: Trail, walk: Walk) -> Statement | None:
    relation, conditions = parse_statement(goal)
    zero = parse("0")
    positive = all(
        symbolic.implied(Relation(zero, "<", side), goal.symbols, conditions)
        for side in (relation.left, relation.right)
    )
    if not trail.note("symbolic", positive, f"logarithm of both sides, which are positive{because(move)}"):
        return None
    return replace(
        goal, expression=str(Relation(Expr("log", (relation.left,)), relation.sign, Expr("log", (relation.right,))))
    )


def _antiderivative(goal: Statement, move: Antiderivative, trail: Trail, walk: Walk) -> Statement | None:
    relation, conditions = parse_statement(goal)
    integral = parse(move.integral)
    if integral.head != "integral" or not any(integral in walk_terms(side) for side in (relation.left, relation.right)):
        raise ContentError(f"{move.integral!r} is no integral of the goal {goal.expression}")
    value, said = symbolic.antiderivative(integral, parse(move.primitive), goal.symbols, conditions)
    if not trail.note("symbolic", value is not None, f"{said}{because(move)}") or value is None:
        return None
    sides = (substitute(side, {integral: value}) for side in (relation.left, relation.right))
    return replace(goal, expression=str(Relation(next(sides), relation.sign, next(sides))))


def _monotone(goal: Statement, move: Monotone, trail: Trail, walk: Walk) -> Statement | None:
    """Only one end of the range of a variable has to be looked at, where right - left is monotone in it."""
    relation, conditions = parse_statement(goal)
    variable = scalar_symbol(goal, move.variable)
    end = {"low": variable.lower, "high": variable.upper}.get(move.at, "oo")
    if bound(end) is None or relation.sign == "==":
        raise ContentError(f"Monotone() needs an inequality, at='low' or 'high', and a finite end there, got {end}")
    refuse_random(goal, variable.name)
    # The segment from the point to the end may leave the conditions on the variable: they are dropped.
    kept = tuple(str(c) for c in conditions if variable.name not in names(c.left) | names(c.right))
    symbols = tuple(_closed(s) if s.name == variable.name else s for s in goal.symbols)
    whole = replace(goal, symbols=symbols, conditions=kept)
    if not all_defined(whole, str(relation.left), str(relation.right), trail=trail):
        return None
    slope, plain, constants = _slope(relation, variable.name, symbols)
    # The mean value theorem: between the ends the slope must exist, not only have its sign where it does.
    between = tuple(_opened(s) if s.name == variable.name else s for s in symbols)
    if not all_defined(replace(whole, symbols=(*between, *constants)), str(plain), trail=trail):
        return None
    signed = Relation(parse("0"), "<=", slope) if move.at == "low" else Relation(slope, "<=", parse("0"))
    before = trail.closed
    trail.note("symbolic", True, f"slope of right - left in {variable.name}: {slope}{because(move)}")
    walk(replace(whole, expression=str(signed)), move.argument, trail)
    if not (trail.closed and before):
        return None
    at_end = {symbol(variable.name): parse(end)}
    new = Relation(substitute(relation.left, at_end), relation.sign, substitute(relation.right, at_end))
    return replace(whole, expression=str(new), symbols=tuple(s for s in symbols if s.name != variable.name))


def _closed(s: Symbol) -> Symbol:
    """The closed real range around the range of `s`: monotone in the reals is monotone in the integers."""
    return replace(s, kind=SymbolKind.REAL, lower_open=bound(s.lower) is None, upper_open=bound(s.upper) is None)


def _opened(s: Symbol) -> Symbol:
    return replace(s, lower_open=True, upper_open=True)


def _slope(relation: Relation, name: str, symbols: tuple[Symbol, ...]) -> tuple[Expr, Expr, list[Symbol]]:
    """d(right - left)/d(variable), as it is and with symbols in place of what is below its roots; these symbols.

    ContentError where the derivative is not a plain formula.
    """
    translator = Translator(symbols)
    slack = translator.scalar_form(relation.right) - translator.scalar_form(relation.left)
    variable = translator.atoms[name]
    functions = slack.atoms(sympy.Function, sympy.Max, sympy.Min)
    unknown = [a for a in functions if a.has(variable) and not isinstance(a, SMOOTH)]
    if unknown:
        raise ContentError(f"Monotone() cannot differentiate {unknown[0]} in {name}")
    slope = sympy.factor(sympy.diff(slack, variable))
    powers = sorted(slack.atoms(sympy.Pow), key=str)
    # A root of the goal without the variable has a value wherever the goal has one: what is below it is not negative.
    below = [power.base for power in powers if power.exp == sympy.Rational(1, 2) and not power.has(variable)]
    named = {base: sympy.Symbol(f"constant_{i}", nonnegative=True) for i, base in enumerate(below)}
    constants = [real(symbol.name, "[0, oo)") for symbol in named.values()]
    return to_expr(slope), to_expr(slope.xreplace(named)), constants


def refuse_random(goal: Statement, name: str) -> None:
    """ContentError if the law of a gaussian symbol depends on `name`: a mean would then hide it."""
    for s in goal.symbols:
        if s.scale and name in names(parse(s.scale)):
            raise ContentError(f"{name!r} is in the scale of {s.name}: eliminate E(...) first")


def scalar_symbol(goal: Statement, name: str) -> Symbol:
    """The real or integer symbol called `name`; ContentError if the goal has none."""
    found = [s for s in goal.symbols if s.name == name and s.kind in (SymbolKind.REAL, SymbolKind.INTEGER)]
    if not found:
        raise ContentError(f"{name!r} is no scalar symbol of the goal {goal.expression}")
    return found[0]


SMOOTH = (sympy.exp, sympy.log, NormalCdf)
TRANSFORM: dict[type, Callable[[Statement, Any, Trail, Walk], Statement | None]] = {
    Rewrite: _rewrite,
    Bound: _bound,
    Scale: _scale,
    Shift: _shift,
    Logarithm: _logarithm,
    Substitute: lambda goal, move, trail, walk: change_variables(goal, move, because(move), trail),
    Monotone: _monotone,
    Antiderivative: _antiderivative,
}
"""The check of each transforming move."""
