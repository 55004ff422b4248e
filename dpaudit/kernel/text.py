"""Terms and relations as Coq text; what has no counterpart there is not exported."""

from __future__ import annotations

import re
from fractions import Fraction

from dpaudit.recheck.signs import Context
from dpaudit.recheck.symbols import Symbol
from dpaudit.recheck.terms import Relation, Term, show

RESERVED = frozenset((
    "C", "D1", "Derived", "E", "False", "I", "INR", "IZR", "Lg", "N", "O", "PI", "Prop", "R", "Rabs", "Req", "Rle",
    "Rlt", "Rmax", "Rmin", "Rpower", "S", "Set", "True", "Type", "Z", "Zceil", "Zfloor", "as", "at", "between",
    "carrier", "ceilR", "claim", "cofix", "dot", "else", "end", "exists", "exp", "fact", "factZ", "fix", "floorR",
    "for", "forall", "fun", "if", "in", "is_derive", "let", "line", "ln", "log2", "match", "nat", "norm", "plane",
    "pow", "powerRZ", "pw", "return", "space", "sqrt", "then", "using", "vadd", "vneg", "vscal", "vsub", "vzero",
    "where", "with", "xH", "xI", "xO", "zsum",
))  # fmt: skip
"""Names that mean something in statements or to Coq."""
MADE = re.compile(r"(index|real|low|high|given|value|theorem)_.*|([CEHKNP]|node)_\d+'*|V_")
"""Names that proofs give to hypotheses and numbers of their own."""
MOST_POWER = 400
"""Largest whole power that is written as a power of natural exponent."""
FUNCTIONS = {
    "exp": "exp", "log": "ln", "log2": "log2", "sqrt": "sqrt", "abs": "Rabs", "floor": "floorR", "ceil": "ceilR",
}  # fmt: skip
WHOLE = {"+": "+", "-": "-", "*": "*"}
SIGNS = {"<=": "<=", "<": "<", "==": "="}


class NotExported(Exception):
    """What a statement or a proof needs is not said in Coq yet; the message says what."""


def identifier(name: str) -> str:
    """A symbol as a name in Coq."""
    name = name.replace("#", "index_")
    return f"{name}'" if name in RESERVED or MADE.fullmatch(name) or name.startswith("_") else name


def number(value: Fraction) -> str:
    """A rational number."""
    if value.denominator == 1:
        return f"{value.numerator}" if value >= 0 else f"(-{-value.numerator})"
    return f"({value.numerator} / {value.denominator})"


class Text:
    """Writes the terms of one domain. `own` gives what stands for names that are no symbols of it."""

    def __init__(self, context: Context) -> None:
        self.context = context

    def relation(self, given: Relation) -> str:
        """A relation between real numbers."""
        return f"{self.real(given.left)} {SIGNS[given.sign]} {self.real(given.right)}"

    def real(self, node: Term) -> str:
        """A term as a real number."""
        match node:
            case Fraction():
                return number(node)
            case str():
                return self._name(node)
            case ("neg", a):
                return f"(- {self.real(a)})"
            case ("+" | "-" | "*" | "/" as sign, a, b):
                return f"({self.real(a)} {sign} {self.real(b)})"
            case ("**", base, exponent):
                return self._power(base, exponent)
            case ("pi",):
                return "PI"
            case ("dot", u, v):
                return f"(dot {self.vector(u)} {self.vector(v)})"
            case ("norm", u):
                return f"(norm {self.vector(u)})"
            case ("min" | "max" as head, first, *rest):
                made = self.real(first)
                for other in rest:
                    made = f"(R{head} {made} {self.real(other)})"
                return made
            case ("factorial", n) if (whole := self.whole(n)) is not None:
                return f"(factZ ({whole})%Z)"
            case ("sum", k, low, high, body):
                return self._sum(k, low, high, body)
            case (head, a) if head in FUNCTIONS:
                return f"({FUNCTIONS[head]} {self.real(a)})"
        raise NotExported(f"{node[0]} is not said in Coq yet")

    def _name(self, name: str) -> str:
        kind = self.context.kind(name)
        if kind not in ("real", "integer"):
            raise NotExported(f"{name} is a {kind} where a number stands")
        return identifier(name) if kind == "real" else f"(IZR {identifier(name)})"

    def _sum(self, k: str, low: Term, high: Term, body: Term) -> str:
        first, last, inside = self.whole(low), self.whole(high), self.inside(k, low, high)
        if first is None or last is None or not inside.context.valued(body):
            raise NotExported("a sum that may have no value, or whose ends are not built as whole numbers")
        return f"(zsum ({first})%Z ({last})%Z (fun {identifier(k)} : Z => {inside.real(body)}))"

    def inside(self, k: str, low: Term, high: Term) -> Text:
        """Writes what stands in a sum over k."""
        ends = (Relation(low, "<=", k), Relation(k, "<=", high))
        first, last = (end if isinstance(end, Fraction) else None for end in (low, high))
        symbol = Symbol(k, "integer", first, last, first is None, last is None)
        return Text(Context((*self.context.symbols, symbol), (*self.context.given, *ends)))

    def _power(self, base: Term, exponent: Term) -> str:
        below = self.real(base)
        if isinstance(exponent, Fraction) and exponent.denominator == 1 and abs(exponent) <= MOST_POWER:
            n = exponent.numerator
            return f"({below} ^ {n})" if n >= 0 else f"(/ ({below} ^ {-n}))"
        whole = self.whole(exponent)
        if whole is not None:
            return f"(powerRZ {below} ({whole})%Z)"
        if not self.context.nonnegative(base) and self.context.whole(exponent):
            raise NotExported(f"a power {show(exponent)[:40]} of a number that may be negative")
        return f"(pw {below} {self.real(exponent)})"

    def whole(self, node: Term) -> str | None:
        """A term as a whole number; None for one that is not built as such."""
        match node:
            case Fraction():
                return f"({node})" if node.denominator == 1 else None
            case str():
                return identifier(node) if self.context.kind(node) == "integer" else None
            case ("neg", a):
                inner = self.whole(a)
                return None if inner is None else f"(- {inner})"
            case ("+" | "-" | "*" as sign, a, b):
                left, right = self.whole(a), self.whole(b)
                return None if left is None or right is None else f"({left} {sign} {right})"
            case ("floor" | "ceil" as head, a):
                return f"(Z{head} {self.real(a)}%R)"
        return None

    def vector(self, node: Term) -> str:
        """A term as a vector."""
        match node:
            case Fraction() if not node:
                return "vzero"
            case str() if self.context.kind(node) == "vector":
                return identifier(node)
            case str():
                raise NotExported(f"the mean over a {self.context.kind(node)} symbol is not said in Coq")
            case ("neg", u):
                return f"(vneg {self.vector(u)})"
            case ("+" | "-" as sign, u, v):
                return f"({'vadd' if sign == '+' else 'vsub'} {self.vector(u)} {self.vector(v)})"
            case ("*", u, v):
                inner, factor = (u, v) if self.context.forms.is_vector(u) else (v, u)
                return f"(vscal {self.real(factor)} {self.vector(inner)})"
            case ("/", u, factor):
                return f"(vscal (/ {self.real(factor)}) {self.vector(u)})"
        raise NotExported(f"{show(node)[:60]} is not a vector that is said in Coq")
