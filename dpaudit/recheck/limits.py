"""Limits of terms where one symbol goes to infinity, by the rules that are written down here and no others."""

from __future__ import annotations

from fractions import Fraction

from dpaudit.recheck.signs import Context
from dpaudit.recheck.terms import ONE, ZERO, Refused, Term, folded, free, show

Limit = Term | int
"""A number as a term, or 1 for oo and -1 for -oo."""


def limit(node: Term, name: str, end: int, context: Context) -> Term:
    """The limit of a term as a symbol goes to oo (end 1) or -oo (end -1), with all others fixed; Refused where it is
    infinite or no rule gives it.

    context: the domain of the other symbols. Every rule is a continuous function at the limits of its arguments, or
    one of its known limits at infinity; where the sign of a limit matters, it is shown.
    """
    found = _limit(node, name, end, context)
    if isinstance(found, int):
        raise Refused(f"{show(node)} has no finite limit")
    return found


def _limit(node: Term, name: str, end: int, context: Context) -> Limit:
    if name not in free(node):
        return node
    if node == name:
        return end
    if isinstance(node, tuple):
        if node[0] == "**" and isinstance(node[2], Fraction):
            return _power(_limit(node[1], name, end, context), node[2], context)
        if node[0] in ("neg", "exp", "log", "sqrt", "Phi"):
            return _unary(node[0], _limit(node[1], name, end, context), context)
        if node[0] in ("+", "-", "*", "/"):
            a, b = (_limit(arg, name, end, context) for arg in node[1:])
            return _binary(node[0], a, b, context)
    raise Refused(f"no rule gives the limit of {show(node)[:80]} in {name}")


def _unary(head: str, a: Limit, context: Context) -> Limit:
    """neg, exp, log, sqrt or Phi."""
    if isinstance(a, int):
        values: dict[str, tuple[Limit, Limit]] = {"neg": (1, -1), "exp": (ZERO, 1), "Phi": (ZERO, ONE)}
        low, high = values.get(head, (ZERO, 1))
        if head in ("log", "sqrt") and a < 0:
            raise Refused(f"{head} has no value at -oo")
        return low if a < 0 else high
    if head == "log" and not context.positive(a):
        raise Refused(f"0 < {show(a)} is not shown, so that the limit of its logarithm is not known")
    return folded((head, a))


def _binary(head: str, a: Limit, b: Limit, context: Context) -> Limit:
    """+ - * or /."""
    if head == "-":
        return _binary("+", a, _unary("neg", b, context), context)
    if head == "/":
        return _binary("*", a, _power(b, -ONE, context), context)
    if not isinstance(a, int) and not isinstance(b, int):
        return folded((head, a, b))
    if head == "*":
        return _sign(a, context) * _sign(b, context)
    ends = {one for one in (a, b) if isinstance(one, int)}
    if len(ends) > 1:
        raise Refused("oo - oo has no value")
    return ends.pop()


def _power(a: Limit, n: Fraction, context: Context) -> Limit:
    """A power with a number as exponent."""
    if isinstance(a, int):
        if n <= 0:
            return ZERO if n else ONE
        if a < 0 and n.denominator != 1:
            raise Refused("a root has no value at -oo")
        return a ** int(n) if a < 0 else 1
    if not context.positive(a) and not (n.denominator == 1 and (n >= 0 or context.nonzero(a))):
        raise Refused(f"0 < {show(a)} is not shown, so that the limit of its power is not known")
    return folded(("**", a, n))


def _sign(a: Limit, context: Context) -> int:
    """1 or -1, for a limit that is not 0."""
    if isinstance(a, int):
        return a
    if not context.nonzero(a):
        raise Refused(f"oo times {show(a)} has no value, unless that is not 0")
    return 1 if context.positive(a) else -1
