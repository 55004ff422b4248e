"""The language of statements: exact arithmetic, a few functions, vectors, expectations.

A statement is text in Python syntax with `**` for powers. Numbers are exact: `0.7` is
7/10. Scalars: exp, log, sqrt, abs, min, max, Phi (standard normal distribution function),
beta_tail(a, b, t) = P(Beta(a, b) > t), the constant pi. Vectors: + - and multiples,
dot(u, v), norm(u). E(x) is the mean over every gaussian symbol inside x.
"""

from __future__ import annotations

import ast
from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass
from fractions import Fraction
from functools import lru_cache

from dpaudit.claim import Statement, Symbol, SymbolKind
from dpaudit.errors import ContentError, UnknownNameError

ARITY = {
    "exp": (1, 1), "log": (1, 1), "sqrt": (1, 1), "abs": (1, 1), "Phi": (1, 1), "E": (1, 1),
    "norm": (1, 1), "dot": (2, 2), "beta_tail": (3, 3), "min": (2, 9), "max": (2, 9),
}  # fmt: skip
OPERATORS: dict[type, str] = {ast.Add: "+", ast.Sub: "-", ast.Mult: "*", ast.Div: "/", ast.Pow: "**"}
RELATIONS: dict[type, str] = {ast.LtE: "<=", ast.Lt: "<", ast.Eq: "==", ast.GtE: ">=", ast.Gt: ">"}


@dataclass(frozen=True)
class Expr:
    """A node: head is an operator, a function, `number` or `symbol`."""

    head: str
    args: tuple[Expr, ...] = ()
    value: Fraction = Fraction(0)
    name: str = ""

    def __str__(self) -> str:
        return _show(self, 0)


@dataclass(frozen=True)
class Relation:
    """`left sign right` with sign one of <= < == (>= and > are turned round when parsed)."""

    left: Expr
    sign: str
    right: Expr

    def __str__(self) -> str:
        return f"{self.left} {self.sign} {self.right}"


def number(value: Fraction | int) -> Expr:
    """The exact constant `value`."""
    return Expr("number", value=Fraction(value))


def symbol(name: str) -> Expr:
    """The symbol called `name`."""
    return Expr("symbol", name=name)


@lru_cache(maxsize=4096)
def parse(text: str) -> Expr:
    """The expression `text`; ContentError says what is not understood and where."""
    text = _one_line(text)
    return _convert(_body(text), text)


@lru_cache(maxsize=4096)
def parse_relation(text: str) -> Relation:
    """The relation `text`: exactly one of <= < == >= >."""
    text = _one_line(text)
    body = _body(text)
    if not isinstance(body, ast.Compare) or len(body.ops) != 1 or type(body.ops[0]) not in RELATIONS:
        raise ContentError(f"expected one relation (<=, <, ==, >=, >) in {text!r}")
    left, right = _convert(body.left, text), _convert(body.comparators[0], text)
    sign = RELATIONS[type(body.ops[0])]
    return Relation(right, "<" + sign[1:], left) if sign in (">=", ">") else Relation(left, sign, right)


def parse_statement(statement: Statement) -> tuple[Relation, tuple[Relation, ...]]:
    """Goal and conditions; every name used must be a symbol of the statement."""
    goal = parse_relation(statement.expression)
    conditions = tuple(parse_relation(text) for text in statement.conditions)
    known = _known(statement.symbols)
    for relation in (goal, *conditions):
        for name in sorted(names(relation.left) | names(relation.right)):
            if name not in known:
                raise UnknownNameError(f"symbol in {str(relation)!r}", name, known)
    return goal, conditions


def _known(symbols: tuple[Symbol, ...]) -> set[str]:
    """The names of the symbols; a name with two meanings or an empty range would let a statement hold for nothing."""
    known: set[str] = set()
    for s in symbols:
        if s.name in known or s.name == "pi":
            raise ContentError(f"the name {s.name!r} has two meanings in one statement")
        low, high = bound(s.lower), bound(s.upper)
        if low is not None and high is not None and (low > high or (low == high and (s.lower_open or s.upper_open))):
            raise ContentError(f"the range of {s.name} is empty: from {s.lower} to {s.upper}")
        known.add(s.name)
    return known


def names(expr: Expr) -> set[str]:
    """The symbols that occur in `expr`."""
    return {node.name for node in walk(expr) if node.head == "symbol"}


def walk(expr: Expr) -> Iterator[Expr]:
    """Every node of `expr`, parents first."""
    yield expr
    for arg in expr.args:
        yield from walk(arg)


def substitute(expr: Expr, values: Mapping[Expr, Expr]) -> Expr:
    """`expr` with whole sub-expressions replaced, all at once."""
    if expr in values:
        return values[expr]
    if not expr.args:
        return expr
    return Expr(expr.head, tuple(substitute(arg, values) for arg in expr.args), expr.value, expr.name)


def bound(text: str) -> Fraction | None:
    """An end point of a range: an exact number, or None for -oo and oo."""
    if text in ("oo", "-oo"):
        return None
    try:
        return rational(parse(text), {})
    except ContentError as error:
        raise ContentError(f"the end of a range must be an exact number, oo or -oo, got {text!r}") from error


def range_facts(s: Symbol, value: Expr) -> list[Relation]:
    """What it means that `value` lies in the range of `s`."""
    facts = []
    if bound(s.lower) is not None:
        facts.append(Relation(parse(s.lower), "<" if s.lower_open else "<=", value))
    if bound(s.upper) is not None:
        facts.append(Relation(value, "<" if s.upper_open else "<=", parse(s.upper)))
    return facts


def is_vector(expr: Expr, symbols: tuple[Symbol, ...]) -> bool:
    """True if `expr` is a vector: built of vector symbols outside dot and norm."""
    vectors = {s.name for s in symbols if s.kind in (SymbolKind.VECTOR, SymbolKind.GAUSSIAN)}
    if expr.head == "symbol":
        return expr.name in vectors
    return expr.head in ("+", "-", "*", "/", "neg") and any(is_vector(arg, symbols) for arg in expr.args)


def rational(expr: Expr, values: Mapping[str, Fraction]) -> Fraction:
    """The exact value of a rational expression; ContentError for one that is not rational there."""
    if expr.head == "number":
        return expr.value
    if expr.head == "symbol" and expr.name in values:
        return values[expr.name]
    args = [rational(arg, values) for arg in expr.args]
    if expr.head == "**" and args[1].denominator == 1 and (args[0] or args[1] >= 0):
        return args[0] ** int(args[1])
    if expr.head not in RATIONAL or (expr.head == "/" and args[1] == 0):
        raise ContentError(f"{expr} has no rational value")
    return RATIONAL[expr.head](*args)


RATIONAL: dict[str, Callable[..., Fraction]] = {
    "+": lambda a, b: a + b,
    "-": lambda a, b: a - b,
    "*": lambda a, b: a * b,
    "/": lambda a, b: a / b,
    "neg": lambda a: -a,
    "abs": abs,
    "min": min,
    "max": max,
}


def _one_line(text: str) -> str:
    return " ".join(text.split())


def _body(text: str) -> ast.expr:
    try:
        return ast.parse(text, mode="eval").body
    except SyntaxError as error:
        raise ContentError(f"cannot read {text!r}: {error.msg} at column {error.offset}") from error


def _convert(node: ast.expr, text: str) -> Expr:
    if isinstance(node, ast.Constant) and type(node.value) in (int, float):
        return number(Fraction(ast.get_source_segment(text, node) or str(node.value)))
    if isinstance(node, ast.Name):
        return symbol(node.id) if node.id != "pi" else Expr("pi")
    if isinstance(node, ast.UnaryOp) and isinstance(node.op, ast.USub):
        return Expr("neg", (_convert(node.operand, text),))
    if isinstance(node, ast.BinOp) and type(node.op) in OPERATORS:
        return Expr(OPERATORS[type(node.op)], (_convert(node.left, text), _convert(node.right, text)))
    if isinstance(node, ast.Call) and isinstance(node.func, ast.Name) and not node.keywords:
        return _call(node.func.id, tuple(_convert(arg, text) for arg in node.args), text)
    raise ContentError(f"{ast.unparse(node)!r} is not part of the statement language, in {text!r}")


def _call(name: str, args: tuple[Expr, ...], text: str) -> Expr:
    if name not in ARITY:
        raise UnknownNameError(f"function in {text!r}", name, ARITY)
    least, most = ARITY[name]
    if not least <= len(args) <= most:
        raise ContentError(f"{name} takes {least} to {most} arguments, got {len(args)}, in {text!r}")
    return Expr(name, args)


PRECEDENCE = {"+": 1, "-": 1, "*": 2, "/": 2, "neg": 3, "**": 4}


def _show(expr: Expr, outer: int) -> str:
    if expr.head == "number":
        text = str(expr.value)
        return f"({text})" if outer > 1 and ("/" in text or "-" in text) else text
    if expr.head in ("symbol", "pi"):
        return expr.name or "pi"
    level = PRECEDENCE.get(expr.head)
    if level is None:
        return f"{expr.head}({', '.join(_show(arg, 0) for arg in expr.args)})"
    if expr.head == "neg":
        text = "-" + _show(expr.args[0], 3)
    elif expr.head == "**":
        text = f"{_show(expr.args[0], 5)}**{_show(expr.args[1], 4)}"
    else:
        text = f"{_show(expr.args[0], level)} {expr.head} {_show(expr.args[1], level + 1)}"
    return f"({text})" if level < outer or (expr.head == "neg" and outer > 0) else text
