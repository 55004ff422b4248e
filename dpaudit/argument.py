"""Walks the argument of a claim: every move is checked, and what it rests on is collected.

A move turns the goal into one that implies it. The first move that cannot be checked ends
the walk; its reason is the reason of the verdict. Only this module joins the engines.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, field, replace
from typing import Any

from dpaudit import exact, symbolic
from dpaudit.claim import (
    Bound,
    Boxes,
    ByTheorem,
    Cases,
    Combine,
    Enumerate,
    Identical,
    Logarithm,
    Move,
    Open,
    Rewrite,
    Scale,
    Shift,
    Statement,
    Substitute,
    SymbolKind,
    Tangent,
)
from dpaudit.errors import ContentError
from dpaudit.expression import Expr, Relation, names, parse, parse_relation, parse_statement, range_facts, substitute
from dpaudit.gram import gram_name, has_mean, scalar_expr
from dpaudit.rigorous.boxes import BoxProof, prove
from dpaudit.verdict import Evidence, Numbers, Outcome


@dataclass
class Trail:
    """What a walk found. closed: every branch is settled; partial: some branch was left open."""

    evidence: list[Evidence] = field(default_factory=list)
    assuming: list[str] = field(default_factory=list)
    boxes: list[tuple[Statement, BoxProof]] = field(default_factory=list)
    closed: bool = True
    partial: bool = False

    def note(self, engine: str, holds: bool, detail: str, numbers: Numbers = ()) -> bool:
        """Record one checked move; a move that does not hold leaves the argument open."""
        outcome = Outcome.PROVED if holds else Outcome.INCONCLUSIVE
        self.evidence.append(Evidence(engine, outcome, detail, numbers))
        self.closed = self.closed and holds
        return holds

    def rest_on(self, theorem: str) -> None:
        """Remember a named theorem, once."""
        if theorem not in self.assuming:
            self.assuming.append(theorem)


def walk(statement: Statement, moves: tuple[Move, ...], trail: Trail) -> None:
    """Check `moves` one after the other from `statement`; the last one must close the goal."""
    goal = statement
    for position, move in enumerate(moves):
        last = position == len(moves) - 1
        if isinstance(move, CLOSING):
            if not last:
                raise ContentError(f"{type(move).__name__} closes the goal; the moves after it are never reached")
            _close(goal, move, trail)
            return
        step = _TRANSFORM[type(move)](goal, move, trail)
        if step is None:
            return
        goal = step
    raise ContentError(f"the argument ends with the goal open: {goal.expression}")


def _because(move: Move) -> str:
    reason = getattr(move, "because", "")
    return f": {reason}" if reason else ""


def _sides(goal: Statement, left: str, right: str) -> Statement:
    relation = parse_relation(goal.expression)
    new = Relation(parse(left) if left else relation.left, relation.sign, parse(right) if right else relation.right)
    return replace(goal, expression=str(new))


def _rewrite(goal: Statement, move: Rewrite, trail: Trail) -> Statement | None:
    relation = parse_relation(goal.expression)
    new = _sides(goal, move.left, move.right)
    if move.by != "symbolic":
        trail.rest_on(move.by)
        trail.note("theorem", True, f"rewritten as {new.expression} by {move.by}{_because(move)}")
        return new
    if not _all_defined(goal, move.left, move.right, trail=trail):
        return None
    target = parse_relation(new.expression)
    same = all(
        old == fresh or symbolic.identical(old, fresh, goal.symbols)
        for old, fresh in ((relation.left, target.left), (relation.right, target.right))
    )
    return new if trail.note("symbolic", same, f"equal to {new.expression}{_because(move)}") else None


def _bound(goal: Statement, move: Bound, trail: Trail) -> Statement | None:
    relation = parse_relation(goal.expression)
    if relation.sign == "==":
        raise ContentError("Bound() cannot prove an identity")
    new = _sides(goal, move.left, move.right)
    if not _all_defined(goal, move.left, move.right, trail=trail):
        return None
    if move.by:
        trail.rest_on(move.by)
        trail.note("theorem", True, f"it is enough that {new.expression}, by {move.by}{_because(move)}")
        return new
    if bool(move.left) == bool(move.right):
        raise ContentError("Bound() with an argument of its own changes exactly one side")
    target = parse_relation(new.expression)
    pair = (relation.left, target.left) if move.left else (target.right, relation.right)
    inner = replace(goal, expression=str(Relation(pair[0], "<=", pair[1])))
    before = trail.closed
    walk(inner, move.argument, trail)
    return new if trail.closed and before else None


def _all_defined(goal: Statement, *texts: str, trail: Trail) -> bool:
    """Are the new terms real numbers on the whole domain? Elsewhere the new goal would say nothing."""
    _, conditions = parse_statement(goal)
    for text in texts:
        if text and not symbolic.defined(parse(text), goal.symbols, conditions):
            return trail.note("symbolic", False, f"{text} is not shown to be defined on the whole domain")
    return True


def _scale(goal: Statement, move: Scale, trail: Trail) -> Statement | None:
    _, conditions = parse_statement(goal)
    factor = parse(move.factor)
    positive = symbolic.implied(Relation(parse("0"), "<", factor), goal.symbols, conditions)
    if not trail.note("symbolic", positive, f"both sides multiplied by {move.factor} > 0{_because(move)}"):
        return None
    return _both(goal, "*", factor)


def _shift(goal: Statement, move: Shift, trail: Trail) -> Statement | None:
    if not _all_defined(goal, move.term, trail=trail):
        return None
    trail.note("symbolic", True, f"{move.term} added to both sides{_because(move)}")
    return _both(goal, "+", parse(move.term))


def _both(goal: Statement, operator: str, term: Expr) -> Statement:
    relation = parse_relation(goal.expression)
    left, right = (Expr(operator, (term, side)) for side in (relation.left, relation.right))
    return replace(goal, expression=str(Relation(left, relation.sign, right)))


def _logarithm(goal: Statement, move: Logarithm, trail: Trail) -> Statement | None:
    relation, conditions = parse_statement(goal)
    zero = parse("0")
    positive = all(
        symbolic.implied(Relation(zero, "<", side), goal.symbols, conditions)
        for side in (relation.left, relation.right)
    )
    if not trail.note("symbolic", positive, f"logarithm of both sides, which are positive{_because(move)}"):
        return None
    return replace(
        goal, expression=str(Relation(Expr("log", (relation.left,)), relation.sign, Expr("log", (relation.right,))))
    )


def _change_variables(goal: Statement, move: Substitute, trail: Trail) -> Statement | None:
    """New symbols: every old point has a new one (the inverse), and the values give the old point back."""
    relation, conditions = parse_statement(goal)
    scalar = [scalar_expr(side, goal.symbols) for side in (relation.left, relation.right)]
    taken = {s.name for s in goal.symbols} & {s.name for s in move.symbols}
    if taken:
        raise ContentError(f"Substitute() brings in {sorted(taken)[0]!r}, which is already a symbol: choose a new name")
    if any(s.kind is SymbolKind.GAUSSIAN for s in move.symbols) or any(map(has_mean, scalar)):
        raise ContentError("Substitute() cannot change the variable of a mean: eliminate E(...) first")
    values = {_atom(name): parse(text) for name, text in move.values}
    lost = _lost(goal, move, values)
    if not trail.note("symbolic", not lost, lost or f"change of variables, with its inverse checked{_because(move)}"):
        return None
    images = [substitute(side, values) for side in scalar]
    kept = tuple(
        s for s in goal.symbols if s.kind in (SymbolKind.REAL, SymbolKind.INTEGER) and parse(s.name) not in values
    )
    carried = _carried(conditions, goal, values, {s.name for s in (*move.symbols, *kept)})
    return Statement(str(Relation(images[0], relation.sign, images[1])), (*move.symbols, *kept), carried)


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
        left, right = (substitute(scalar_expr(side, goal.symbols), values) for side in (c.left, c.right))
        if names(left) | names(right) <= known:
            carried.append(str(Relation(left, c.sign, right)))
    return tuple(carried)


def _atom(text: str) -> Expr:
    """The symbol that stands for `p` or for `dot(v, v)` after vectors are eliminated."""
    node = parse(text)
    if node.head == "dot":
        return Expr("symbol", name=gram_name(node.args[0].name, node.args[1].name))
    return node


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
            if not _all_defined(goal, str(seen[-1].left), str(seen[-1].right), trail=trail):
                return
            extra = (text,)
        trail.evidence.append(Evidence("argument", Outcome.PROVED, f"case {text}{_because(move)}"))
        walk(replace(goal, conditions=(*goal.conditions, *extra)), moves, trail)
    if move.cases[-1][0] != "otherwise":
        raise ContentError("the last case must be `otherwise`, so that the cases cover the domain")


def _close(goal: Statement, move: Move, trail: Trail) -> None:
    if isinstance(move, Cases):
        _cases(goal, move, trail)
    elif isinstance(move, Identical):
        relation = parse_relation(goal.expression)
        same = symbolic.identical(relation.left, relation.right, goal.symbols) and relation.sign != "<"
        trail.note("symbolic", same, f"both sides of {goal.expression} are the same expression")
    elif isinstance(move, Combine):
        trail.note("symbolic", *symbolic.combine(goal, move.terms))
    elif isinstance(move, Tangent):
        trail.note("symbolic", *symbolic.tangent(goal, move))
    elif isinstance(move, Boxes):
        _boxes(goal, move, trail)
    elif isinstance(move, Enumerate):
        cases, failing = exact.enumerate_cases(goal)
        trail.note("exact", failing is None and cases > 0, f"{cases} cases in rational arithmetic", (("cases", cases),))
    elif isinstance(move, ByTheorem):
        trail.rest_on(move.theorem)
        trail.note("theorem", True, f"{goal.expression} is an instance of {move.theorem}{_because(move)}")
    elif isinstance(move, Open):
        trail.partial = True
        trail.evidence.append(Evidence("argument", Outcome.CONSISTENT, f"left open{_because(move)}"))


def _boxes(goal: Statement, move: Boxes, trail: Trail) -> None:
    proof = prove(goal, move.budget)
    if proof.proved:
        detail = f"{goal.expression} on the whole box: {proof.boxes} boxes"
        numbers: Numbers = (("boxes", proof.boxes), ("largest_ratio", proof.ratio), ("at", proof.worst))
        trail.boxes.append((goal, proof))
    else:
        detail, numbers = f"{goal.expression}: {proof.reason}", (("boxes", proof.boxes),)
    trail.note("rigorous", proof.proved, detail, numbers)


CLOSING = (Cases, Identical, Combine, Tangent, Boxes, Enumerate, ByTheorem, Open)
_TRANSFORM: dict[type, Callable[[Statement, Any, Trail], Statement | None]] = {
    Rewrite: _rewrite,
    Bound: _bound,
    Scale: _scale,
    Shift: _shift,
    Logarithm: _logarithm,
    Substitute: _change_variables,
}
