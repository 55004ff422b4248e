"""Derivatives of terms, by the rules that are written down here and no others."""

from __future__ import annotations

from fractions import Fraction

from dpaudit.recheck.terms import Refused, Term, free, show

ONE, TWO = Fraction(1), Fraction(2)


def derivative(node: Term, name: str) -> Term:
    """The derivative in a scalar symbol, which exists wherever it has a value; Refused where no rule is known."""
    if name not in free(node):
        return Fraction(0)
    match node:
        case str():
            return ONE
        case ("neg", a):
            return "neg", derivative(a, name)
        case ("+" | "-" as sign, a, b):
            return sign, derivative(a, name), derivative(b, name)
        case ("*" | "dot" as head, a, b):
            return "+", _product(head, derivative(a, name), b), _product(head, a, derivative(b, name))
        case ("/", a, b):
            above = ("-", ("*", derivative(a, name), b), ("*", a, derivative(b, name)))
            return "/", above, ("**", b, TWO)
        case ("**", a, n) if name not in free(n):
            return "*", ("*", n, ("**", a, ("-", n, ONE))), derivative(a, name)
        case ("**", a, n):
            return "*", node, derivative(("*", n, ("log", a)), name)
        case ("exp", a):
            return "*", node, derivative(a, name)
        case ("log", a):
            return "/", derivative(a, name), a
        case ("log2", a):
            return "/", derivative(a, name), ("*", a, ("log", TWO))
        case ("sqrt", a):
            return "/", derivative(a, name), ("*", TWO, node)
        case ("norm", v):
            return "/", ("dot", v, derivative(v, name)), node
        case ("Phi", a):
            density = ("/", ("exp", ("neg", ("/", ("**", a, TWO), TWO))), ("sqrt", ("*", TWO, ("pi",))))
            return "*", density, derivative(a, name)
        case ("sum", index, low, high, body) if index != name and name not in free(low) | free(high):
            return "sum", index, low, high, derivative(body, name)
    raise Refused(f"no rule gives the derivative of {show(node)[:80]} in {name}")


def _product(head: str, a: Term, b: Term) -> Term:
    """A product; 0 where one factor is."""
    return Fraction(0) if a == 0 or b == 0 else (head, a, b)
