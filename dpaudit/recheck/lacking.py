"""What is missing where something is not shown, in words: the term, and the fact that would be needed."""

from __future__ import annotations

from dpaudit.recheck.signs import Context
from dpaudit.recheck.terms import Refused, Relation, Term, args, show


def value(context: Context, node: Term) -> str:
    """Which part of a term has no value for sure, and what is not shown of it; empty if all have one."""
    if context.defined(node):
        return ""
    if context.random(node):
        return f"{_random(context, node)} is random: it stands inside of a mean, E(...), alone"
    return _part(context, node)


def fact(context: Context, given: Relation) -> str:
    """Why a relation is not shown: a side without a value, or the sign of the difference."""
    sides = [found for side in (given.left, given.right) if (found := value(context, side))]
    return f": {sides[0]}" if sides else ""


def difference(context: Context, node: Term) -> str:
    """The normal form of a term, which says what is left of it."""
    try:
        return show(context.forms.node(context.forms.form(node)))
    except Refused:  # a vector
        return show(node)


def _random(context: Context, node: Term) -> Term:
    if isinstance(node, str):
        return node
    return next(_random(context, arg) for arg in args(node) if context.random(arg))


def _part(context: Context, node: Term) -> str:
    match node:
        case ("sum" | "integral" as head, variable, low, high, _):
            return _bound(context, node, head, variable, low, high)
        case ("E", inner):
            return _mean(context, inner)
    for arg in args(node):
        if not context.valued(arg):
            return _part(context, arg)
    needed = _needed(node)
    return f"{show(node)} needs {needed}" if needed else f"{show(node)} is not sure to exist"


def _needed(node: Term) -> str:
    """What a function needs of its arguments."""
    match node:
        case ("/", _, b):
            return f"that {show(b)} is not 0"
        case ("at", _, index):
            return f"a whole index, and {show(index)} is not shown to be one"
        case ("sqrt" | "factorial", a):
            return f"0 <= {show(a)}"
        case ("log" | "log2" | "Gamma" | "gamma_tail", a, *_):
            return f"0 < {show(a)}"
        case ("**", a, _):
            return f"0 <= {show(a)}, or a whole exponent"
        case ("binomial", n, k):
            return f"0 <= {show(k)}, and a whole {show(k)} or {show(k)} <= {show(n)}"
        case ("beta_tail", a, b, _):
            return f"0 < {show(a)} and 0 < {show(b)}"
        case ("binomial_cdf", _, n, q):
            return f"a whole 0 <= {show(n)}, and {show(q)} in [0, 1]"
    return ""


def _bound(context: Context, node: Term, head: str, variable: str, low: Term, high: Term) -> str:
    """Of a sum or integral: its ends, or its body in its own variable."""
    for end in (low, high):
        if not context.valued(end):
            return _part(context, end)
        if head == "sum" and not context.whole(end):
            return f"{show(node)} needs whole ends, and {show(end)} is not shown to be one"
    if head == "integral" and not context.nonnegative(("-", high, low)):
        return f"{show(node)} needs {show(low)} <= {show(high)}"
    body = context.body(node)
    inner = context.index(head, low, high, frozenset())
    return _part(context, body).replace(inner, variable)


def _mean(context: Context, inner: Term) -> str:
    """Of a mean: the scale of a gaussian symbol, the integrand, or its growth."""
    for s in context.symbols:
        if s.kind == "gaussian" and not (context.valued(s.scale) and context.nonnegative(s.scale)):
            return f"the scale of {s.name} needs 0 <= {show(s.scale)}"
    if not context.valued(inner):
        return _part(context, inner)
    return f"E({show(inner)}) needs a mean that exists: its growth is not bounded by exp(a*norm(xi))"
