"""Change of variables: every point of the domain must have a new one, and the statement must have a value there."""

from __future__ import annotations

from dpaudit.claims.argument.trail import Trail
from dpaudit.claims.engines import symbolic
from dpaudit.claims.language.expression import Expr, Relation, names, parse, parse_statement, range_facts, substitute
from dpaudit.claims.language.gram import gram_name, has_mean, scalar_expr
from dpaudit.records.claim import Statement, Substitute, SymbolKind
from dpaudit.records.errors import ContentError


def change_variables(goal: Statement, move: Substitute, because: str, trail: Trail) -> Statement | None:
    """New symbols: every old point has a new one (the inverse), and the values give the old point back."""
    relation, conditions = parse_statement(goal)
    scalar = [scalar_expr(side, goal.symbols) for side in (relation.left, relation.right)]
    taken = {s.name for s in goal.symbols} & {s.name for s in move.symbols}
    if taken:
        raise ContentError(f"Substitute() brings in {sorted(taken)[0]!r}, which is already a symbol: choose a new name")
    if any(s.kind is SymbolKind.GAUSSIAN for s in move.symbols) or any(map(has_mean, scalar)):
        raise ContentError("Substitute() cannot change the variable of a mean: eliminate E(...) first")
    if any(s.kind is SymbolKind.VECTOR for s in move.symbols):
        raise ContentError("Substitute() brings in real and integer symbols only")
    new, keys = sorted(s.name for s in move.symbols), sorted(name for name, _ in move.inverse)
    if new != keys:
        raise ContentError(f"the inverse must give each new symbol once, that is {new}, got {keys}")
    if len({name for name, _ in move.values}) < len(move.values):
        raise ContentError(f"a symbol has two values in {list(move.values)}")
    values = {_atom(name): parse(text) for name, text in move.values}
    lost = _without_vectors(goal) or _lost(goal, move, values)
    if not trail.note("symbolic", not lost, lost or f"change of variables, with its inverse checked{because}"):
        return None
    images = [substitute(side, values) for side in scalar]
    kept = tuple(
        s for s in goal.symbols if s.kind in (SymbolKind.REAL, SymbolKind.INTEGER) and parse(s.name) not in values
    )
    carried = _carried(conditions, goal, values, {s.name for s in (*move.symbols, *kept)})
    return Statement(str(Relation(images[0], relation.sign, images[1])), (*move.symbols, *kept), carried)


def _without_vectors(goal: Statement) -> str:
    """Which side may have no value where it had one, as it is written without vectors; empty if none.

    Roots of products are taken apart there: sqrt(dot(u, u)*s) has a value at u = 0 whatever s is.
    """
    relation, conditions = parse_statement(goal)
    for side in (relation.left, relation.right):
        form = scalar_expr(side, goal.symbols)
        if form != side and not symbolic.defined(form, goal.symbols, conditions):
            return f"{form}, which is {side} without vectors, is not shown to be defined on the whole domain"
    return ""


def _lost(goal: Statement, move: Substitute, values: dict[Expr, Expr]) -> str:
    """Which part of the domain the new symbols may miss; empty if every old point is shown to have a new one."""
    _, conditions = parse_statement(goal)
    inverse = {parse(name): parse(text) for name, text in move.inverse}
    back = {old: substitute(new, inverse) for old, new in values.items()}
    for term in (*inverse.values(), *back.values()):
        if not symbolic.defined(term, goal.symbols, conditions):
            return f"{term} is not shown to be defined on the whole domain"
    for old, term in back.items():
        if not symbolic.identical(parse(old.name) if old.name.startswith("dot(") else old, term, goal.symbols):
            return f"{old.name} = {values[old]} is not undone by the inverse"
    for s in move.symbols:
        value = inverse.get(parse(s.name), parse(s.name))
        if s.kind is SymbolKind.INTEGER and not symbolic.is_whole(value, goal.symbols):
            return f"{s.name} is not shown to be an integer"
        for fact in range_facts(s, value):
            if not symbolic.implied(fact, goal.symbols, conditions):
                return f"{fact} is not shown to follow from the domain"
    return ""


def _carried(
    conditions: tuple[Relation, ...], goal: Statement, values: dict[Expr, Expr], known: set[str]
) -> tuple[str, ...]:
    """The conditions that can be said in the new symbols; dropping one only enlarges the domain."""
    carried = []
    for c in conditions:
        forms = [scalar_expr(side, goal.symbols) for side in (c.left, c.right)]
        # It must be met wherever it was: where its form without vectors has no value, it is met nowhere.
        kept = all(
            form == side or symbolic.defined(form, goal.symbols, conditions)
            for form, side in zip(forms, (c.left, c.right), strict=True)
        )
        left, right = (substitute(form, values) for form in forms)
        if kept and names(left) | names(right) <= known:
            carried.append(str(Relation(left, c.sign, right)))
    return tuple(carried)


def _atom(text: str) -> Expr:
    """The symbol that stands for `p` or for `dot(v, v)` after vectors are eliminated."""
    node = parse(text)
    if node.head == "dot":
        return Expr("symbol", name=gram_name(node.args[0].name, node.args[1].name))
    return node
