"""Moves over a variable: changes of variables, slopes, primitives, and what holds at every index or draw."""

from __future__ import annotations

from dataclasses import replace

from dpaudit.recheck.calculus import derivative
from dpaudit.recheck.goals import Goal, read_symbol
from dpaudit.recheck.limits import limit
from dpaudit.recheck.proof import Needs, Node, Proof, in_range, rule
from dpaudit.recheck.signs import Context
from dpaudit.recheck.symbols import Symbol
from dpaudit.recheck.terms import (
    BINDERS,
    ONE,
    ZERO,
    Refused,
    Relation,
    Term,
    free,
    replaced,
    show,
    substitute,
    term,
    walk,
)


@rule
def substitute_(proof: Proof, goal: Goal, node: Node, needs: Needs) -> None:
    """New symbols: each old point has a new one (the inverse), and the values give the old point back."""
    context = goal.context
    fresh = tuple(map(read_symbol, node["symbols"]))
    values = {_key(goal, old): term(new) for old, new in node["values"]}
    inverse = {new: term(old) for new, old in node["inverse"]}
    names = {s.name for s in fresh}
    if len(values) < len(node["values"]) or len(inverse) < len(node["inverse"]) or set(inverse) != names:
        raise Refused("each old symbol has one value, and the inverse gives each new symbol once")
    if names & set(context.by_name) or any(s.kind not in ("real", "integer") for s in fresh):
        raise Refused("new symbols are real or integer numbers with names of their own")
    for value in inverse.values():
        needs.value(value)
    back: dict[Term, Term] = dict(inverse)
    for old, value in values.items():
        needs.value(substitute(value, back))
        needs.equal(old, substitute(value, back))
    for s in fresh:
        if s.kind == "integer":
            needs.whole(inverse[s.name])
        for fact in in_range(s, inverse[s.name]):
            needs.relation(fact)
    proof.part(_substituted(goal, fresh, values, needs), node, "then")


def _key(goal: Goal, text: str) -> Term:
    key = term(text)
    if isinstance(key, str) and goal.context.kind(key) in ("real", "integer"):
        return key
    if isinstance(key, tuple) and key[0] == "dot" and all(isinstance(side, str) for side in key[1:]):
        return ("dot", *sorted(key[1:]))
    raise Refused(f"{text!r} is neither a scalar symbol nor a product of two vectors")


def _substituted(goal: Goal, fresh: tuple[Symbol, ...], values: dict[Term, Term], needs: Needs) -> Goal:
    context = goal.context
    if any(isinstance(old, tuple) for old in values):
        plain = [_scalar(context, side, needs) for side in (goal.relation.left, goal.relation.right)]
        kept = tuple(s for s in context.symbols if s.kind in ("real", "integer") and s.name not in values)
    else:
        plain = [goal.relation.left, goal.relation.right]
        kept = tuple(s for s in context.symbols if s.name not in values)
    if any(free(s.scale) & set(filter(lambda old: isinstance(old, str), values)) for s in kept if s.kind == "gaussian"):
        raise Refused("a law that hangs on a symbol keeps it")
    known = {s.name for s in (*fresh, *kept)}
    made = [substitute(side, values) for side in plain]
    if not free(made[0]) | free(made[1]) <= known:
        raise Refused(f"{show(made[0])} and {show(made[1])} are not in the new symbols alone")
    carried = (_carried(context, c, values) for c in context.given)
    conditions = tuple(c for c in carried if c is not None and free(c.left) | free(c.right) <= known)
    return goal.on((*fresh, *kept), conditions, Relation(made[0], goal.relation.sign, made[1]))


def _scalar(context: Context, node: Term, needs: Needs) -> Term:
    """The term by products of vectors alone."""
    if not _has_vectors(node):
        return node
    plain = context.forms.node(context.forms.form(node))
    needs.value(plain)
    return plain


def _has_vectors(node: Term) -> bool:
    return any(isinstance(part, tuple) and part[0] in ("dot", "norm", "E") for part in walk(node))


def _carried(context: Context, c: Relation, values: dict[Term, Term]) -> Relation | None:
    """A condition in the new symbols; dropped where its form without vectors may have no value."""
    made = []
    for side in (c.left, c.right):
        if _has_vectors(side) and any(isinstance(old, tuple) for old in values):
            side = context.forms.node(context.forms.form(side))
            if not context.defined(side):
                return None
        made.append(substitute(side, values))
    return Relation(made[0], c.sign, made[1])


@rule
def monotone(proof: Proof, goal: Goal, node: Node, needs: Needs) -> None:
    """right - left is monotone in one variable: one end is enough, or the limit where the range has none. `inner`
    proves the sign of the slope.

    The end becomes part of the range, so that right - left is continuous there. Where it falls to a limit at infinity
    it is nowhere below that."""
    name, at = node["variable"], node["at"]
    old = goal.context.by_name.get(name)
    if old is None or old.kind not in ("real", "integer") or at not in ("low", "high") or goal.relation.sign == "==":
        raise Refused("a monotone move needs an inequality, a scalar symbol and one of its ends")
    end = old.low if at == "low" else old.high
    refuse_random(goal, name)
    kept = tuple(c for c in goal.context.given if name not in free(c.left) | free(c.right))
    low_open, high_open = (end is None, old.high_open) if at == "low" else (old.low_open, end is None)
    closed = replace(old, kind="real", low_open=low_open, high_open=high_open)
    whole = goal.on(exchanged(goal, closed), kept, goal.relation)
    between = Context(exchanged(goal, replace(closed, low_open=True, high_open=True)), kept)
    slack, stated = _slack(goal, node, needs, whole.context), term(node["slope"])
    slope = derivative(slack, name)
    needs.value(slope, between)
    needs.value(stated, between)
    needs.equal(slope, stated, between)
    signed = Relation(ZERO, "<=", stated) if at == "low" else Relation(stated, "<=", ZERO)
    proof.part(whole.with_relation(signed), node, "inner")
    rest = goal.on(tuple(s for s in goal.context.symbols if s.name != name), kept, goal.relation)
    if end is None:
        value = limit(slack, name, 1 if at == "high" else -1, rest.context)
        needs.value(value, rest.context)
        proof.part(rest.with_sides(ZERO, value), node, "then")
    else:
        proof.part(rest.with_relation(replaced(goal.relation, {name: end})), node, "then")


def _slack(goal: Goal, node: Node, needs: Needs, context: Context) -> Term:
    """right - left, or what the node says that it is, where both have a value on the whole domain."""
    slack: Term = ("-", goal.relation.right, goal.relation.left)
    needs.value(goal.relation.left, context)
    needs.value(goal.relation.right, context)
    if "slack" not in node:
        return slack
    plain = term(node["slack"])
    needs.value(plain, context)
    needs.equal(slack, plain, context)
    return plain


def exchanged(goal: Goal, s: Symbol) -> tuple[Symbol, ...]:
    """The symbols of the goal, with this one in the place of that of its name."""
    return tuple(s if s.name == old.name else old for old in goal.context.symbols)


def refuse_random(goal: Goal, name: str) -> None:
    """Refused where the spread of a gaussian symbol hangs on this one."""
    if any(name in free(s.scale) for s in goal.context.symbols if s.kind == "gaussian"):
        raise Refused(f"a law hangs on {name}")


@rule
def antiderivative(proof: Proof, goal: Goal, node: Node, needs: Needs) -> None:
    """An integral as it stands in the goal becomes the difference of a primitive at its ends."""
    integral, primitive = term(node["integral"]), term(node["primitive"])
    match integral:
        case ("integral", name, low, high, body):
            pass
        case _:
            raise Refused(f"{node['integral']!r} is no integral")
    context = goal.context
    if name in context.by_name:
        raise Refused(f"the variable {name} of an integral is a symbol as well")
    inside = Context((*context.symbols, Symbol(name, "real")),
                     (*context.given, Relation(low, "<=", name), Relation(name, "<=", high)))  # fmt: skip
    needs.relation(Relation(low, "<=", high))
    for side in (body, primitive):
        if any(isinstance(part, tuple) and part[0] in ("floor", "ceil", *BINDERS) for part in walk(side)):
            raise Refused("a step function has no antiderivative")
        needs.value(side, inside)
    slope = derivative(primitive, name)
    needs.value(slope, inside)
    needs.equal(slope, body, inside)
    value = ("-", substitute(primitive, {name: high}), substitute(primitive, {name: low}))
    proof.part(goal.with_relation(replaced(goal.relation, {integral: value})), node, "then")


@rule
def tangent(proof: Proof, goal: Goal, node: Node, needs: Needs) -> None:
    """right - left is convex in one variable, and 0 with slope 0 at a point of its range."""
    name, point, curvature = node["variable"], term(node["point"]), term(node["curvature"])
    s = goal.context.by_name.get(name)
    if s is None or s.kind != "real" or goal.relation.sign != "<=":
        raise Refused("a tangent proves <= in a real variable")
    refuse_random(goal, name)
    # The segment from the point to x may leave the conditions on x: convexity is shown without them.
    kept = tuple(c for c in goal.context.given if name not in free(c.left) | free(c.right))
    context = Context(goal.context.symbols, kept)
    slack = _slack(goal, node, needs, context)
    slope = derivative(slack, name)
    for part in (point, slope, derivative(slope, name), curvature):
        needs.value(part, context)
    for part in (slack, slope):
        needs.equal(substitute(part, {name: point}), ZERO, context)
    for fact in in_range(s, point):
        needs.relation(fact, context)
    needs.equal(derivative(slope, name), curvature, context)
    needs.relation(Relation(ZERO, "<=", curvature), context)


MOST_ORDER = 8
"""Largest order of a Taylor polynomial."""


@rule
def taylor(proof: Proof, goal: Goal, node: Node, needs: Needs) -> None:
    """f = right - left at x is the sum of f^(k)(p)(x - p)^k/k! over k < n, and f^(n)(z)(x - p)^n/n! for some z between
    p and x. No term is negative.

    derivatives: f' to f^(n); side: x stands `above` p or `below`, or on `both` sides; there the odd terms are 0 and n
    is even. `inner` proves the sign of the last derivative."""
    name, point, derivatives, side = node["variable"], term(node["point"]), node["derivatives"], node["side"]
    s = goal.context.by_name.get(name)
    if s is None or s.kind not in ("real", "integer") or goal.relation.sign != "<=":
        raise Refused("a Taylor polynomial proves <= in a scalar variable")
    if not isinstance(derivatives, list) or not 1 <= len(derivatives) <= MOST_ORDER:
        raise Refused(f"a Taylor polynomial needs 1 to {MOST_ORDER} derivatives")
    if side not in ("above", "below", "both") or (side == "both" and len(derivatives) % 2):
        raise Refused("the side is above, below or both; on both sides the number of derivatives is even")
    refuse_random(goal, name)
    # The segment from the point to x may leave the conditions on x: all is shown without them.
    kept = tuple(c for c in goal.context.given if name not in free(c.left) | free(c.right))
    closed = replace(s, kind="real", low_open=s.low is None, high_open=s.high is None)
    ends = {"above": replace(closed, high_open=s.high_open), "below": replace(closed, low_open=s.low_open)}
    whole = goal.on(exchanged(goal, ends.get(side, replace(s, kind="real"))), kept, goal.relation)
    for fact in in_range(whole.context.by_name[name], point):
        needs.relation(fact, whole.context)
    if side != "both":
        needs.relation(Relation(point, "<=", name) if side == "above" else Relation(name, "<=", point), whole.context)
    f = _slack(goal, node, needs, whole.context)
    for k, derived in enumerate(map(term, derivatives)):
        value = substitute(f, {name: point})
        needs.value(value, whole.context)
        if side == "both" and k % 2:
            needs.equal(value, ZERO, whole.context)
        else:
            needs.relation(_signed(value, side, k), whole.context)
        slope = derivative(f, name)
        needs.value(slope, whole.context)
        needs.value(derived, whole.context)
        needs.equal(slope, derived, whole.context)
        f = derived
    proof.part(whole.with_relation(_signed(f, side, len(derivatives))), node, "inner")


def _signed(value: Term, side: str, k: int) -> Relation:
    """That a k-th derivative makes its term not negative: (x - p)**k is negative below p for odd k."""
    return Relation(value, "<=", ZERO) if side == "below" and k % 2 else Relation(ZERO, "<=", value)


@rule
def termwise(proof: Proof, goal: Goal, node: Node, needs: Needs) -> None:
    """Two sums over one range, integrals, or means: `inner` compares what stands inside, at every index or draw."""
    left, sign, right = goal.relation
    if not (isinstance(left, tuple) and isinstance(right, tuple) and left[0] == right[0] and sign != "<"):
        raise Refused("termwise compares two sums, integrals or means by <= or ==")
    context = goal.context
    match left, right:
        case ("E", a), ("E", b):
            if any(isinstance(part, tuple) and part[0] == "E" for part in (*walk(a), *walk(b))):
                raise Refused("a mean inside of a mean is not one of what is drawn")
            drawn = tuple(replace(s, kind="vector", scale=ONE) if s.kind == "gaussian" else s for s in context.symbols)
            # A condition on a mean says nothing of one draw.
            random = set(context.gaussians())
            fixed = tuple(c for c in context.given if not random & (free(c.left) | free(c.right)))
            inner = goal.on(drawn, fixed, Relation(a, sign, b))
        case (("sum" | "integral" as head, i, low, high, a), (_, j, first, last, b)):
            if (low, high) != (first, last) or i in context.by_name:
                raise Refused("termwise needs the same ends, and a variable that is no symbol")
            if head == "integral":
                needs.relation(Relation(low, "<=", high))
            index = Symbol(i, "integer" if head == "sum" else "real")
            ends = (Relation(low, "<=", i), Relation(i, "<=", high))
            compared = Relation(a, sign, substitute(b, {j: i}))
            inner = goal.on((*context.symbols, index), (*context.given, *ends), compared, goal.every)
        case _:
            raise Refused("termwise compares two sums, integrals or means")
    proof.part(inner, node, "inner")
