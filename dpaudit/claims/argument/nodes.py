"""How each move of an argument becomes a node of a certificate. What has to be searched for is searched for here:
slopes in a simple form, split trees, what solvers say. The checker decides about the node."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any, NamedTuple

import sympy

from dpaudit.claims.argument import automatic, citing
from dpaudit.claims.engines import smt
from dpaudit.claims.engines.rigorous.boxes import BoxProof, prove
from dpaudit.claims.language.expression import names, parse, parse_relation
from dpaudit.claims.language.gram import Translator, to_expr
from dpaudit.recheck.calculus import derivative
from dpaudit.recheck.goals import SEQUENCES, Goal, read_statement
from dpaudit.recheck.proof import in_range
from dpaudit.recheck.rules.rewriting import narrowed, sides
from dpaudit.recheck.symbols import Symbol
from dpaudit.recheck.terms import Every, Refused, Relation, Term, free, relation, show, term, walk
from dpaudit.records import claim as moves
from dpaudit.records.claim import Move, Statement, SymbolKind
from dpaudit.records.errors import ContentError, UnknownNameError

Node = dict[str, Any]


class Pending(NamedTuple):
    """Moves that are still to be written, in the place of the node that they will be. step: of an induction over
    that symbol, so that sums are taken apart and named first."""

    moves: tuple[Move, ...]
    step: str = ""


@dataclass
class Search:
    """What the nodes of one argument may use. name: the id of what is proved; statements: those that moves may cite, by
    id; barred: which of them a proof may not use, and why; splits: split trees that are known, by goal; models:
    counter-examples that solvers propose; grounds: the statements that the argument uses; tries: attempts that were
    made where no move was given; quick: make none."""

    name: str = ""
    statements: dict[str, Statement] = field(default_factory=dict)
    splits: dict[str, Node] = field(default_factory=dict)
    models: list[moves.Point] = field(default_factory=list)
    grounds: dict[str, Goal] = field(default_factory=dict)
    tries: int = 0
    quick: bool = False
    barred: Mapping[str, str] = field(default_factory=dict)


def statement_of(goal: Goal) -> Statement:
    """A goal of the checker as a statement of the engines, without sequences that its relation does not name."""
    named = free(goal.relation.left) | free(goal.relation.right)
    left_out = {s.name for s in goal.context.symbols if s.kind in SEQUENCES and s.name not in named}
    symbols = tuple(_symbol(s) for s in goal.context.symbols if s.name not in left_out)
    conditions = (c for c in goal.context.given if not left_out & (free(c.left) | free(c.right)))
    return Statement(show(goal.relation), symbols, tuple(map(show, conditions)), goal.exists)


def _symbol(s: Symbol) -> moves.Symbol:
    if s.kind == "gaussian":
        return moves.gaussian(s.name, show(s.scale))
    low, high = ("-oo" if s.low is None else str(s.low)), ("oo" if s.high is None else str(s.high))
    return moves.Symbol(s.name, SymbolKind(s.kind), low, high, s.low_open, s.high_open)


def row(s: moves.Symbol) -> list[str]:
    """A symbol as a row of a certificate."""
    if s.kind is SymbolKind.GAUSSIAN:
        return [s.name, "gaussian", s.scale]
    if s.kind in (SymbolKind.VECTOR, SymbolKind.VECTOR_SEQUENCE):
        return [s.name, s.kind.value, ""]
    ends = f"{'(' if s.lower_open else '['}{s.lower}, {s.upper}{')' if s.upper_open else ']'}"
    return [s.name, s.kind.value, ends]


def as_data(statement: Statement) -> Node:
    """A statement as it was written, for a certificate."""
    return {
        "symbols": list(map(row, statement.symbols)),
        "conditions": list(statement.conditions),
        "goal": statement.expression,
        "exists": statement.exists,
    }


def key(goal: Goal) -> str:
    """What a split tree proves: goal, conditions and ranges."""
    return str(statement_of(goal))


# Moves that change the goal ----------------------------------------------------------------------------------------


def _rewrite(search: Search, goal: Goal, move: moves.Rewrite, rest: tuple[Move, ...]) -> Node:
    node = _sides(goal, move)
    if move.by != "symbolic":
        old, new = _changed(goal, node)
        node["inner"] = _cited(search, goal.with_relation(Relation(old, "==", new)), move.by, move.at)
    return {"by": "rewrite", **node, "then": Pending(rest)}


def _bound(search: Search, goal: Goal, move: moves.Bound, rest: tuple[Move, ...]) -> Node:
    if goal.relation.sign == "==":
        raise ContentError("Bound() cannot prove an identity")
    if bool(move.left) == bool(move.right):
        raise ContentError("Bound() changes exactly one side")
    node = _sides(goal, move)
    old, new = _changed(goal, node)
    if move.by:
        pair = (old, new) if move.left else (new, old)
        inner = _cited(search, goal.with_relation(Relation(pair[0], "<=", pair[1])), move.by, move.at)
        return {"by": "bound", **node, "inner": inner, "then": Pending(rest)}
    return {"by": "bound", **node, "inner": Pending(move.argument), "then": Pending(rest)}


def _sides(goal: Goal, move: moves.Rewrite | moves.Bound) -> Node:
    """The new sides as they are written."""
    return {name: _text(goal, text) for name, text in (("left", move.left), ("right", move.right)) if text}


def _text(goal: Goal, text: str) -> str:
    """A term of a move; ContentError for what is not in the language, or no symbol of the goal."""
    found = parse(text)
    unknown = names(found) - set(goal.context.by_name)
    if unknown:
        raise UnknownNameError(f"symbol in {text!r}", min(unknown), goal.context.by_name)
    return str(found)


def _changed(goal: Goal, node: Node) -> tuple[Term, Term]:
    """The side that a node names, before and after."""
    left, right = sides(goal, node)
    return (goal.relation.left, left) if "left" in node else (goal.relation.right, right)


def _cited(search: Search, goal: Goal, by: str, at: tuple[tuple[str, str], ...]) -> Node:
    """A goal that a named theorem carries, or that is shown to follow from another statement."""
    if "/" not in by:
        return {"by": "theorem", "theorem": by}
    if by == search.name:
        raise Refused(f"{by} is what is to be proved")
    if by in search.barred:
        raise Refused(search.barred[by])
    if by not in search.statements:
        raise UnknownNameError("statement", by, search.statements)
    known = {s.name for s in search.statements[by].symbols}
    for name, _ in at:
        if name not in known:
            raise UnknownNameError("symbol of the ground", name, known)
    search.grounds.setdefault(by, read_statement(as_data(search.statements[by])))
    return citing.node(goal, by, at, search.grounds)


def _have(search: Search, goal: Goal, move: moves.Have, rest: tuple[Move, ...]) -> Node:
    fact = relation(move.fact)
    for side in (fact.left, fact.right):
        _text(goal, show(side))
    return {"by": "have", "fact": move.fact, "inner": Pending(move.argument), "then": Pending(rest)}


def _narrow(goal: Goal, variable: str, point: Term | None = None) -> bool:
    """Do conditions narrow the range of the variable, and is the point still in it?"""
    s = _scalar(goal, variable)
    made = narrowed(s, goal.context.given)
    return made != s and (point is None or all(map(goal.context.shown, in_range(made, point))))


def _monotone(search: Search, goal: Goal, move: moves.Monotone, rest: tuple[Move, ...]) -> Node:
    if _narrow(goal, move.variable):
        return {"by": "narrow", "then": Pending((move, *rest))}
    if move.at not in ("low", "high") or goal.relation.sign == "==":
        raise ContentError("Monotone() needs an inequality, and at='low' or 'high'")
    slack, (slope,) = _derived(goal, move.variable, (1,), 1)
    node = {"by": "monotone", "variable": move.variable, "at": move.at, **slack, "slope": slope}
    return {**node, "inner": Pending(move.argument), "then": Pending(rest)}


def _derived(goal: Goal, name: str, orders: Sequence[int], written: int) -> tuple[Node, list[str]]:
    """Derivatives of right - left in a simple form; and right - left itself in one, unless its own derivatives to the
    order `written` have a value."""
    _scalar(goal, name)
    slope: Term = ("-", goal.relation.right, goal.relation.left)
    fits = True
    for _ in range(written):
        slope = derivative(slope, name)
        fits = fits and goal.context.defined(slope)
    statement = statement_of(goal)
    symbols = Translator(statement.symbols)
    left, right = (symbols.scalar_form(parse(show(side))) for side in (goal.relation.left, goal.relation.right))
    simple = [sympy.factor(sympy.diff(right - left, symbols.atoms[name], k)) for k in orders]
    return {} if fits else {"slack": str(to_expr(right - left))}, [str(to_expr(one)) for one in simple]


def _scalar(goal: Goal, name: str) -> Symbol:
    s = goal.context.by_name.get(name)
    if s is None or s.kind not in ("real", "integer"):
        raise ContentError(f"{name!r} is no scalar symbol of the goal {show(goal.relation)}")
    return s


def _antiderivative(search: Search, goal: Goal, move: moves.Antiderivative, rest: tuple[Move, ...]) -> Node:
    integral = term(move.integral)
    inside = (part for side in (goal.relation.left, goal.relation.right) for part in walk(side))
    if not (isinstance(integral, tuple) and integral[0] == "integral" and integral in inside):
        raise ContentError(f"{move.integral!r} is no integral of the goal {show(goal.relation)}")
    node = {"by": "antiderivative", "integral": move.integral, "primitive": move.primitive}
    return {**node, "then": Pending(rest)}


def _substitute(search: Search, goal: Goal, move: moves.Substitute, rest: tuple[Move, ...]) -> Node:
    taken = {s.name for s in move.symbols} & set(goal.context.by_name)
    if taken:
        raise ContentError(f"Substitute() brings in {min(taken)!r}, which is already a symbol: choose a new name")
    return {
        "by": "substitute",
        "symbols": list(map(row, move.symbols)),
        "values": [list(pair) for pair in move.values],
        "inverse": [list(pair) for pair in move.inverse],
        "then": Pending(rest),
    }


# Moves that close the goal -----------------------------------------------------------------------------------------


def _cases(search: Search, goal: Goal, move: moves.Cases, rest: tuple[Move, ...]) -> Node:
    return {"by": "cases", "parts": [{"case": text, "proof": Pending(argument)} for text, argument in move.cases]}


def _tangent(search: Search, goal: Goal, move: moves.Tangent, rest: tuple[Move, ...]) -> Node:
    point = _text(goal, move.point)
    if _narrow(goal, move.variable, term(point)):
        return {"by": "narrow", "then": Pending((move,))}
    slack, (curvature,) = _derived(goal, move.variable, (2,), 2)
    return {"by": "tangent", "variable": move.variable, "point": point, **slack, "curvature": curvature}


def _taylor(search: Search, goal: Goal, move: moves.Taylor, rest: tuple[Move, ...]) -> Node:
    point = _text(goal, move.point)
    if _narrow(goal, move.variable, term(point)):
        return {"by": "narrow", "then": Pending((move,))}
    slack, derivatives = _derived(goal, move.variable, range(1, move.order + 1), 1)
    node = {"by": "taylor", "variable": move.variable, "point": point, "side": move.side, **slack}
    return {**node, "derivatives": derivatives, "inner": Pending(move.argument)}


def _at_index(search: Search, goal: Goal, move: moves.AtIndex, rest: tuple[Move, ...]) -> Node:
    text = _text(goal, move.index)
    fits = [i for i, one in enumerate(goal.every) if has_index(goal, one, term(text))]
    if not fits:
        conditions = "; ".join(map(show, goal.every)) or "there are none"
        raise Refused(
            f"{text} is not shown to be a whole number in the range of a condition at every index: {conditions}"
        )
    *first, last = ({"by": "at-index", "of": i, "index": text} for i in fits)
    node: Node = {**last, "then": Pending(rest)}
    for one in reversed(first):
        node = {**one, "then": node}
    return node


def has_index(goal: Goal, one: Every, index: Term) -> bool:
    """Is the index shown to be a whole number in the range of a condition?"""
    context = goal.context
    inside = (Relation(one.low, "<=", index), Relation(index, "<=", one.high))
    return context.defined(index) and context.whole(index) and all(map(context.shown, inside))


def _boxes(search: Search, goal: Goal, move: moves.Boxes, rest: tuple[Move, ...]) -> Node:
    if any(s.kind in SEQUENCES for s in statement_of(goal).symbols):
        raise Refused(f"{show(goal.relation)} has numbers of sequences: give them names, by Name(), before Boxes()")
    known = search.splits.get(key(goal))
    if known is not None:
        return {"by": "boxes", "splits": known["splits"], "panels": known["panels"]}
    proof: BoxProof = prove(statement_of(goal), move.budget)
    if not proof.proved:
        raise Refused(f"{show(goal.relation)}: {proof.reason}")
    return {"by": "boxes", "splits": " ".join(proof.splits), "panels": proof.panels}


def _solve(search: Search, goal: Goal, move: moves.Solve, rest: tuple[Move, ...]) -> Node:
    """A proof that the checker can go through, or else the word of two solvers.

    Facts enter only after each of them is shown."""
    named = tuple(map(relation, move.facts))
    for given in named:
        if not citing.known(goal.context, given):
            raise Refused(f"{show(given)} is neither a condition nor an instance of a known inequality")
    solved = smt.solve(statement_of(goal), tuple(map(parse_relation, move.facts)), move.effort)
    if solved.model:
        search.models.append(solved.model)
    if not solved.proved:
        raise Refused(f"{show(goal.relation)}: {solved.detail}")
    return automatic.proof(goal, named) or {"by": "solvers", "facts": list(move.facts)}


def _induct(search: Search, goal: Goal, move: moves.Induct, rest: tuple[Move, ...]) -> Node:
    s = _scalar(goal, move.variable)
    if s.kind != "integer" or s.low is None or s.low_open:
        raise ContentError(f"Induct() needs an integer from a whole closed low end on, got {move.variable}")
    base, step = Pending(move.base), Pending(move.step, step=move.variable)
    return {"by": "induct", "variable": move.variable, "base": base, "step": step}


NODES: dict[type, Callable[[Search, Goal, Any, tuple[Move, ...]], Node]] = {
    moves.Rewrite: _rewrite,
    moves.Bound: _bound,
    moves.Scale: lambda _, goal, move, rest: {"by": "scale", "factor": _text(goal, move.factor), "then": Pending(rest)},
    moves.Shift: lambda _, goal, move, rest: {"by": "shift", "term": _text(goal, move.term), "then": Pending(rest)},
    moves.Logarithm: lambda search, goal, move, rest: {"by": "logarithm", "then": Pending(rest)},
    moves.Power: lambda _, goal, move, rest: (
        {"by": "power", "exponent": _text(goal, move.exponent), "then": Pending(rest)}
    ),
    moves.Have: _have,
    moves.Narrow: lambda search, goal, move, rest: {"by": "narrow", "then": Pending(rest)},
    moves.Name: lambda _, goal, move, rest: (
        {
            "by": "name",
            "symbol": [move.symbol, "real", "(-oo, oo)"],
            "term": _text(goal, move.term),
            "then": Pending(rest),
        }
    ),
    moves.Substitute: _substitute,
    moves.Monotone: _monotone,
    moves.Antiderivative: _antiderivative,
    moves.Cases: _cases,
    moves.Identical: lambda search, goal, move, rest: {"by": "identical"},
    moves.Combine: lambda _, goal, move, rest: {
        "by": "combine",
        "terms": [[_text(goal, factor), *texts] for factor, *texts in move.terms],
    },
    moves.Tangent: _tangent,
    moves.Taylor: _taylor,
    moves.Termwise: lambda search, goal, move, rest: {"by": "termwise", "inner": Pending(move.argument)},
    moves.Boxes: _boxes,
    moves.Enumerate: lambda search, goal, move, rest: {"by": "enumerate"},
    moves.Positive: lambda search, goal, move, rest: {"by": "positive"},
    moves.Solve: _solve,
    moves.Induct: _induct,
    moves.AtIndex: _at_index,
    moves.Exhibit: lambda search, goal, move, rest: {"by": "exhibit", "point": [list(pair) for pair in move.point]},
    moves.Choose: lambda search, goal, move, rest: {
        "by": "choose",
        "values": [list(pair) for pair in move.values],
        "then": Pending(rest),
    },
    moves.ByTheorem: lambda search, goal, move, rest: _cited(search, goal, move.theorem, move.at),
}
CLOSING = (
    moves.Cases, moves.Identical, moves.Combine, moves.Tangent, moves.Taylor, moves.Termwise, moves.Boxes,
    moves.Enumerate, moves.Positive, moves.Solve, moves.Induct, moves.Exhibit, moves.Nowhere, moves.ForEvery,
    moves.ByTheorem, moves.Open,
)  # fmt: skip
"""Moves that end an argument."""
