"""The language of statements, read a second time with code of its own.

A term is a number (`Fraction`), the name of a symbol (`str`), or a tuple of a head and its arguments: `x**2 + 1` is
`("+", ("**", "x", Fraction(2)), Fraction(1))`. Heads: + - * / ** neg, the functions of HEADS, pi without arguments, and
`at`: `e[t + 1]`, what a sequence of numbers or of vectors has at an index, is `("at", "e", ("+", "t", Fraction(1)))`.
"""

from __future__ import annotations

import ast
from collections.abc import Iterator, Mapping
from fractions import Fraction
from functools import lru_cache
from itertools import count
from keyword import iskeyword
from typing import Any, NamedTuple

Term = Fraction | str | tuple[Any, ...]
HEADS = {
    "exp": 1, "log": 1, "log2": 1, "sqrt": 1, "abs": 1, "floor": 1, "ceil": 1, "Phi": 1, "exprel": 1, "Gamma": 1,
    "factorial": 1, "binomial": 2, "gamma_tail": 2, "beta_tail": 3, "binomial_cdf": 3, "min": None, "max": None,
    "dot": 2, "norm": 1, "E": 1, "sum": 4, "integral": 4,
}  # fmt: skip
"""Functions and their numbers of arguments; None: two or more."""
BINDERS = ("sum", "integral")
"""Heads whose first argument is a name that is known in the last argument only."""
NAMED = (*BINDERS, "at")
"""Heads whose first argument is a name and no term."""
EVERY = "all"
"""Begins a condition at every index."""
OPERATORS: dict[type, str] = {ast.Add: "+", ast.Sub: "-", ast.Mult: "*", ast.Div: "/", ast.Pow: "**"}
SIGNS: dict[type, str] = {ast.LtE: "<=", ast.Lt: "<", ast.Eq: "==", ast.GtE: ">=", ast.Gt: ">"}
MOST_LETTERS = 200_000
MOST_DIGITS, MOST_EXPONENT = 4_000, 10_000
"""Longest number that is read, and largest power of ten in it: `1e999999999` is short to write."""
ZERO, ONE = Fraction(0), Fraction(1)


class Refused(Exception):
    """What is given is no valid proof; the message says why."""


class Relation(NamedTuple):
    """`left sign right` with sign one of <= < ==."""

    left: Term
    sign: str
    right: Term


class Every(NamedTuple):
    """`all(t, low, high, relation)`: the relation holds at each whole number t from low to high."""

    variable: str
    low: Term
    high: Term
    relation: Relation


@lru_cache(maxsize=8192)
def relation(text: str) -> Relation:
    """The relation `text`, turned round if it is written with > or >=."""
    text = one_line(text)
    return _relation(_parsed(text), text)


def condition(text: str) -> Relation | Every:
    """A relation, or `all(t, low, high, relation)`."""
    text = one_line(text)
    match _parsed(text):
        case ast.Call(func=ast.Name(id=name), args=[ast.Name(id=variable), low, high, inner], keywords=[]) if (
            name == EVERY
        ):
            refuse_name(variable)
            return Every(variable, _term(low, text), _term(high, text), _relation(inner, text))
        case body:
            return _relation(body, text)


def _relation(body: ast.expr, text: str) -> Relation:
    if not isinstance(body, ast.Compare) or len(body.ops) != 1 or type(body.ops[0]) not in SIGNS:
        raise Refused(f"{text[:80]!r} is not one relation")
    left, right = (_term(side, text) for side in (body.left, body.comparators[0]))
    sign = SIGNS[type(body.ops[0])]
    return Relation(right, "<" + sign[1:], left) if sign[0] == ">" else Relation(left, sign, right)


@lru_cache(maxsize=8192)
def term(text: str) -> Term:
    """The term that `text` writes."""
    text = one_line(text)
    return _term(_parsed(text), text)


def number(text: str) -> Fraction:
    """The rational number that `text` writes, for example `-3/4`."""
    found = term(text) if isinstance(text, str) and len(text) <= MOST_DIGITS else None
    if not isinstance(found, Fraction):
        raise Refused(f"{str(text)[:80]!r} is not a rational number")
    return found


def one_line(text: str) -> str:
    """The text with single blanks; Refused where letters look alike, or a part of it would not be read."""
    if type(text) is not str or len(text) > MOST_LETTERS or not text.isascii() or "#" in text:
        raise Refused("a text is missing, too long, has a comment, or letters that are not ASCII")
    return " ".join(text.split())


def _parsed(text: str) -> ast.expr:
    try:
        return ast.parse(text, mode="eval").body
    except (SyntaxError, ValueError, MemoryError, RecursionError) as error:
        raise Refused(f"cannot read {text[:80]!r}") from error


def _term(node: ast.expr, text: str) -> Term:
    match node:
        case ast.Constant(value=value) if type(value) in (int, float):
            return _literal(node, text)
        case ast.Name(id="pi"):
            return ("pi",)
        case ast.Name(id=name):
            refuse_name(name)
            return name
        case ast.UnaryOp(op=ast.USub(), operand=inner):
            return folded(("neg", _term(inner, text)))
        case ast.BinOp(op=op) if type(op) in OPERATORS:
            return folded((OPERATORS[type(op)], _term(node.left, text), _term(node.right, text)))
        case ast.Call(func=ast.Name(id=name), keywords=[]) if name in HEADS:
            args = tuple(_term(arg, text) for arg in node.args)
            if len(args) != HEADS[name] and (HEADS[name] is not None or len(args) < 2):
                raise Refused(f"{name} with {len(args)} arguments")
            if name in BINDERS and (not isinstance(args[0], str) or args[0] in bound_names(args[3])):
                raise Refused(f"{name}(k, a, b, f) needs a name of its own first")
            return name, *args
        case ast.Subscript(value=ast.Name(id=name), slice=index):
            refuse_name(name)
            return "at", name, _term(index, text)
    raise Refused(f"{ast.unparse(node)[:80]!r} is not part of the language")


def folded(node: Term) -> Term:
    """A quotient of numbers, or a number with a minus, as one number."""
    match node:
        case ("neg", Fraction() as a):
            return -a
        case ("/", Fraction() as a, Fraction() as b) if b:
            return a / b
    return node


def _literal(node: ast.Constant, text: str) -> Fraction:
    """The exact value of a number as it is written."""
    written = text[node.col_offset : node.end_col_offset]
    if written[:2].lower() in ("0x", "0o", "0b"):
        raise Refused(f"the number {written[:40]!r} is not written in decimal digits")
    exponent = written.lower().partition("e")[2] or "0"
    if len(exponent) > 6 or len(written) + abs(int(exponent)) > MOST_DIGITS:
        raise Refused(f"the number {written[:40]!r} is too long")
    return Fraction(written)


def refuse_name(name: str) -> None:
    """A name is read as itself alone: functions, constants and look-alike letters are none."""
    if not (name.isascii() and name.isidentifier()) or name in HEADS or name in ("pi", "oo", EVERY) or iskeyword(name):
        raise Refused(f"{name[:80]!r} cannot be the name of a symbol")


def args(node: Term) -> tuple[Term, ...]:
    """The arguments of a term; none of a number or a name."""
    return node[1:] if isinstance(node, tuple) else ()


def walk(node: Term) -> Iterator[Term]:
    """Every part of a term, parents first."""
    yield node
    for arg in args(node):
        yield from walk(arg)


@lru_cache(maxsize=65_536)
def free(node: Term) -> frozenset[str]:
    """The names in a term; the variable of a sum or integral is none of them."""
    match node:
        case str():
            return frozenset((node,))
        case ("sum" | "integral", variable, low, high, body):
            return free(low) | free(high) | (free(body) - {variable})
    return frozenset().union(*map(free, args(node)))


def bound_names(node: Term) -> set[str]:
    """The variables of the sums and integrals in a term."""
    return {part[1] for part in walk(node) if isinstance(part, tuple) and part[0] in BINDERS}


def substitute(node: Term, values: Mapping[Term, Term]) -> Term:
    """The term with whole parts replaced, all at once; a bound variable that would catch a name gets another one."""
    if node in values:
        return values[node]
    match node:
        case ("sum" | "integral" as head, variable, low, high, body):
            inner = {old: new for old, new in values.items() if variable not in free(old)}
            taken = frozenset().union(*map(free, inner.values()))
            if variable in taken:
                every = taken | free(body) | bound_names(body) | frozenset().union(*map(free, inner))
                fresh = next(f"{variable}_{i}" for i in count(1) if f"{variable}_{i}" not in every)
                variable, body = fresh, substitute(body, {variable: fresh})
            return head, variable, substitute(low, values), substitute(high, values), substitute(body, inner)
        case tuple():
            return folded((node[0], *(substitute(arg, values) for arg in node[1:])))
    return node


def replaced(given: Relation, values: Mapping[Term, Term]) -> Relation:
    """Both sides with parts replaced."""
    return Relation(substitute(given.left, values), given.sign, substitute(given.right, values))


def everywhere(given: Every, values: Mapping[Term, Term]) -> Every:
    """A condition at every index with parts replaced; its variable gets another name where it would catch one."""
    variable, low, high, inner = given
    kept = {old: new for old, new in values.items() if variable not in free(old)}
    taken = frozenset().union(*map(free, kept.values()))
    if variable in taken:
        sides = (inner.left, inner.right)
        every = taken.union(*map(free, sides), *map(bound_names, sides), *map(free, kept))
        fresh = next(f"{variable}_{i}" for i in count(1) if f"{variable}_{i}" not in every)
        variable, inner = fresh, replaced(inner, {variable: fresh})
    return Every(variable, substitute(low, values), substitute(high, values), replaced(inner, kept))


def show(node: Term | Relation | Every) -> str:
    """A term, relation or condition as text, for messages."""
    match node:
        case Every(variable, low, high, inner):
            return f"{EVERY}({variable}, {show(low)}, {show(high)}, {show(inner)})"
        case Relation(left, sign, right):
            return f"{show(left)} {sign} {show(right)}"
        case Fraction():
            return str(node) if node.denominator == 1 and node >= 0 else f"({node})"
        case str():
            return node
        case ("neg", inner):
            return f"(-{show(inner)})"
        case (("+" | "-" | "*" | "/" | "**") as sign, left, right):
            return f"({show(left)}{sign if sign == '**' else f' {sign} '}{show(right)})"
        case ("pi",):
            return "pi"
        case ("at", name, index):
            return f"{name}[{show(index)}]"
    return f"{node[0]}({', '.join(map(show, node[1:]))})"
