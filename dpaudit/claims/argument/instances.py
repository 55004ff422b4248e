"""Is what a move uses an instance of the statement that it names? Only then does that statement carry it.

A ground inside of the same claim is looked up, its symbols are replaced (those that a move does not name stand for
themselves), and its ranges and conditions must follow from the goal. Where that is not shown, and for statements of
other claims, the ground stays among what the proof assumes, proved or not.
"""

from __future__ import annotations

from dpaudit.claims.engines import symbolic
from dpaudit.claims.language.expression import (
    Expr,
    Relation,
    names,
    parse,
    parse_statement,
    range_facts,
    substitute,
    symbol,
)
from dpaudit.records.claim import Statement, Symbol, SymbolKind
from dpaudit.records.errors import ContentError, UnknownNameError

Values = tuple[tuple[str, str], ...]
IMPLIES = {"<=": ("<=", "<", "=="), "<": ("<",), "==": ("==",)}
"""Which signs of a ground give each sign."""


def missing(used: Relation, goal: Statement, ground: Statement, at: Values) -> str:
    """Why `used` is not shown to be `ground` at these values, on the domain of `goal`; empty if it is."""
    values = _values(goal, ground, at)
    symbols = goal.symbols
    if ground.exists:
        return "it says that there is a point, not that all are such"
    relation, hypotheses = parse_statement(ground)
    _, conditions = parse_statement(goal)
    for s in ground.symbols:
        if reason := _outside(s, values.get(symbol(s.name), symbol(s.name)), goal):
            return reason
    for hypothesis in hypotheses:
        needed = _at(hypothesis, values)
        if not symbolic.known(needed, symbols, conditions):
            return f"its condition {needed} is not shown"
    found = _at(relation, values)
    turned = Relation(found.right, "==", found.left)
    options = [found, turned] if relation.sign == "==" else [found]
    if relation.sign not in IMPLIES[used.sign] or not any(_same(used, one, goal) for one in options):
        return f"it says {found} there, not {used}"
    return ""


def _values(goal: Statement, ground: Statement, at: Values) -> dict[Expr, Expr]:
    """What stands for the symbols of the ground; ContentError where a move names none of its symbols."""
    known = {s.name for s in ground.symbols}
    for name, _ in at:
        if name not in known:
            raise UnknownNameError("symbol of the ground", name, known)
    if len({name for name, _ in at}) < len(at):
        raise ContentError(f"a symbol of the ground has two values in {list(at)}")
    values = {symbol(name): parse(text) for name, text in at}
    strange = {name for value in values.values() for name in names(value)} - {s.name for s in goal.symbols}
    if strange:
        raise UnknownNameError("symbol", min(strange), {s.name for s in goal.symbols})
    return values


def _outside(s: Symbol, value: Expr, goal: Statement) -> str:
    """Why the value of a symbol of the ground is not shown to be one that it may have."""
    _, conditions = parse_statement(goal)
    here = next((other for other in goal.symbols if symbol(other.name) == value), None)
    if here is None and names(value) - {other.name for other in goal.symbols}:
        return f"its symbol {s.name} has no value"
    if s.kind in (SymbolKind.VECTOR, SymbolKind.GAUSSIAN):
        same = here is not None and here.kind is s.kind and here.scale == s.scale
        return "" if same else f"its {s.kind} {s.name} stands for another kind of symbol"
    if here is not None and here.kind in (SymbolKind.VECTOR, SymbolKind.GAUSSIAN):
        return f"its symbol {s.name} stands for a vector"
    if s.kind is SymbolKind.INTEGER and not symbolic.is_whole(value, goal.symbols):
        return f"{value} is not shown to be an integer"
    if not symbolic.defined(value, goal.symbols, conditions):
        return f"{value} is not shown to be defined"
    facts = (fact for fact in range_facts(s, value) if not symbolic.implied(fact, goal.symbols, conditions))
    return next((f"{fact} is not shown" for fact in facts), "")


def _at(relation: Relation, values: dict[Expr, Expr]) -> Relation:
    return Relation(substitute(relation.left, values), relation.sign, substitute(relation.right, values))


def _same(used: Relation, found: Relation, goal: Statement) -> bool:
    """Are both sides the same, and do those of the ground have a value wherever they are used?"""
    _, conditions = parse_statement(goal)
    pairs = ((used.left, found.left), (used.right, found.right))
    return all(
        a == b or (symbolic.defined(b, goal.symbols, conditions) and symbolic.identical(a, b, goal.symbols))
        for a, b in pairs
    )
