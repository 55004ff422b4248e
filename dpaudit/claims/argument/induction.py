"""Checked induction over an integer symbol of the goal."""

from __future__ import annotations

from dataclasses import replace

from dpaudit.claims.argument.trail import Trail
from dpaudit.claims.argument.transforms import Walk, because, refuse_random, scalar_symbol
from dpaudit.claims.engines import symbolic
from dpaudit.claims.language.expression import (
    BINDERS,
    Expr,
    Relation,
    bound,
    names,
    number,
    parse_relation,
    parse_statement,
    substitute,
    symbol,
)
from dpaudit.claims.language.expression import walk as walk_terms
from dpaudit.claims.language.gram import Translator
from dpaudit.records.claim import Induct, Statement, SymbolKind, real
from dpaudit.records.errors import ContentError

TOTAL = ("+", "-", "*", "neg", "exp", "abs", "min", "max", "Phi", "exprel", "floor", "ceil")
"""Heads that have a value wherever their arguments have one."""


def induct(goal: Statement, move: Induct, trail: Trail, walk: Walk) -> None:
    """Base and step, each by an argument of its own; raises ContentError where induction does not apply."""
    variable = scalar_symbol(goal, move.variable)
    start = bound(variable.lower)
    if variable.kind is not SymbolKind.INTEGER or start is None or variable.lower_open or start.denominator != 1:
        raise ContentError(f"Induct() needs an integer from a whole closed low end on, got {variable}")
    refuse_random(goal, variable.name)
    relation, conditions = parse_statement(goal)
    at_start = {symbol(variable.name): number(start)}
    others = tuple(s for s in goal.symbols if s.name != variable.name)
    base = replace(goal, symbols=others, expression=str(_at(relation, at_start)),
                   conditions=tuple(str(_at(c, at_start)) for c in conditions))  # fmt: skip
    trail.note("argument", True, f"induction over {variable.name}: base {variable.name} = {start}{because(move)}")
    walk(base, move.base, trail)
    step = _step(goal, relation, conditions, variable.name, trail)
    if step is not None:
        trail.note("argument", True, f"induction over {variable.name}: step to {step.expression}")
        walk(step, move.step, trail)


def _step(
    goal: Statement, relation: Relation, conditions: tuple[Relation, ...], name: str, trail: Trail
) -> Statement | None:
    """The goal at n + 1, given the goal at n; None where that is not shown to be what is needed."""
    upper = next(s for s in goal.symbols if s.name == name).upper
    # n + 1 must lie in the range as well: n runs to one less than the upper end.
    symbols = tuple(
        replace(s, upper=str(bound(upper) - 1)) if s.name == name and bound(upper) is not None else s  # type: ignore[operator]
        for s in goal.symbols
    )
    after = {symbol(name): Expr("+", (symbol(name), number(1)))}
    later = tuple(_at(c, after) for c in conditions)
    for c in conditions:
        if name in names(c.left) | names(c.right) and not symbolic.implied(c, symbols, later):
            trail.note("symbolic", False, f"{c} at {name} is not shown to follow from it at {name} + 1")
            return None
    at_next = Relation(_unfold(relation.left, name, symbols), relation.sign, _unfold(relation.right, name, symbols))
    whole = replace(goal, symbols=symbols, conditions=tuple(map(str, later)))
    step = _named_sums(replace(whole, expression=str(at_next), conditions=(*whole.conditions, str(relation))))
    if not _usable(step, relation, at_next, trail):
        return None
    if relation.sign == "<=" or relation.sign == "<":
        return step
    sides = [Expr("-", pair) for pair in ((at_next.left, relation.left), (at_next.right, relation.right))]
    return _named_sums(replace(whole, expression=str(Relation(sides[0], "==", sides[1]))))


def _usable(step: Statement, relation: Relation, at_next: Relation, trail: Trail) -> bool:
    """Has the goal at n a value wherever it has one at n + 1? Else there is nothing to start the step from."""
    there = {node for side in (at_next.left, at_next.right) for node in walk_terms(side)}
    _, known = parse_statement(replace(step, conditions=step.conditions[:-1]))

    def has_value(expr: Expr) -> bool:
        """Each part of the goal at n + 1 has a value where that goal has one, each quotient no zero below."""
        if expr in there:
            return True
        if not any(node.head in BINDERS for node in walk_terms(expr)) and symbolic.defined(expr, step.symbols, known):
            return True
        if expr.head == "/":
            below = Expr("/", (number(1), expr.args[1]))
            nonzero = any(node.head == "/" and node.args[1] == expr.args[1] for node in there)
            return has_value(expr.args[0]) and (nonzero or (expr != below and has_value(below)))
        whole = expr.head == "**" and expr.args[1].value.denominator == 1 and expr.args[1].value > 0
        return (whole or expr.head in TOTAL) and all(map(has_value, expr.args))

    for side in (relation.left, relation.right):
        if not has_value(side):
            return trail.note("symbolic", False, f"{side} is not shown to be defined wherever the goal at n + 1 is")
    return True


def _at(relation: Relation, values: dict[Expr, Expr]) -> Relation:
    return Relation(substitute(relation.left, values), relation.sign, substitute(relation.right, values))


def _unfold(expr: Expr, name: str, symbols: tuple[object, ...]) -> Expr:
    """`expr` at n + 1, with sums that end at n + 1 split into the sum to n and the last term."""
    if expr.head == "sum" and names(expr.args[2]) == {name}:
        index, low, high, term = expr.args
        ends_here = Translator(symbols).scalar_form(Expr("-", (high, symbol(name))))  # type: ignore[arg-type]
        if ends_here.is_Integer and name not in names(low) | names(term):
            last = Expr("+", (high, number(1)))
            if not symbolic.implied(Relation(low, "<=", last), symbols, ()):  # type: ignore[arg-type]
                raise ContentError(f"the sum {expr} may end before it begins: start the induction later")
            return Expr("+", (expr, substitute(term, {index: last})))
    if not any(name in names(arg) for arg in expr.args):
        return substitute(expr, {symbol(name): Expr("+", (symbol(name), number(1)))})
    return Expr(expr.head, tuple(_unfold(arg, name, symbols) for arg in expr.args), expr.value, expr.name)


def _named_sums(statement: Statement) -> Statement:
    """Each different sum as a real symbol of its own; what is known of it stands in the conditions only."""
    relations = [parse_relation(text) for text in (statement.expression, *statement.conditions)]
    sums: dict[Expr, Expr] = {}
    random = frozenset(s.name for s in statement.symbols if s.kind is SymbolKind.GAUSSIAN)
    for relation in relations:
        for side in (relation.left, relation.right):
            _collect(side, random, sums)
    taken = {s.name for s in statement.symbols} & {e.name for e in sums.values()}
    if taken:
        raise ContentError(f"Induct() calls its sums sum_1, sum_2, ...: rename the symbol {min(taken)!r}")
    goal, *conditions = (str(_at(relation, sums)) for relation in relations)
    named = tuple(real(atom.name, meaning=str(total)) for total, atom in sums.items())
    return replace(statement, expression=goal, conditions=tuple(conditions), symbols=(*statement.symbols, *named))


def _collect(expr: Expr, unfixed: frozenset[str], sums: dict[Expr, Expr]) -> None:
    """The sums that are one number each: none with a gaussian symbol, or with the variable of a sum around it."""
    if expr.head == "sum" and not unfixed & names(expr):
        sums.setdefault(expr, symbol(f"sum_{len(sums) + 1}"))
        return
    inner = unfixed | {expr.args[0].name} if expr.head in BINDERS else unfixed
    for arg in expr.args:
        _collect(arg, inner, sums)
