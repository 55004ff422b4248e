"""The language of statements: exact arithmetic, a few functions, vectors, expectations.

A statement is text in Python syntax with `**` for powers. Numbers are exact: `0.7` is
7/10. Scalars: exp, log, log2, sqrt, abs, floor, ceil, min, max, the constant pi,
Phi (standard normal distribution function), Gamma, factorial(n), binomial(n, k),
exprel(y) = (e^y - 1)/y with exprel(0) = 1, beta_tail(a, b, t) = P(Beta(a, b) > t),
gamma_tail(a, x) = P(Gamma(a, 1) > x), the regularised upper incomplete gamma function,
binomial_cdf(k, n, q) = P(Bin(n, q) <= k). sum(k, a, b, f) runs over the integers
k = a..b (nothing if b < a), integral(z, a, b, f) is the proper integral of f from a to b;
their variable is a name of their own. e[t] is the number, or the vector, of a sequence at a whole index.
Vectors: + - and multiples, dot(u, v), norm(u). E(x) is the mean over every gaussian symbol
inside x. A condition may be `all(t, a, b, relation)`: the relation at each whole number t
from a to b.
"""

from __future__ import annotations

import ast
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from fractions import Fraction
from functools import lru_cache
from itertools import count
from keyword import iskeyword

from dpaudit.arithmetic.rationals import MOST_TERMS, RATIONAL, ROUNDED, whole
from dpaudit.records.claim import Symbol, SymbolKind
from dpaudit.records.errors import ContentError, UnknownNameError

ARITY = {
    "exp": (1, 1), "log": (1, 1), "sqrt": (1, 1), "abs": (1, 1), "Phi": (1, 1), "E": (1, 1),
    "norm": (1, 1), "dot": (2, 2), "beta_tail": (3, 3), "min": (2, 9), "max": (2, 9),
    "log2": (1, 1), "floor": (1, 1), "ceil": (1, 1), "factorial": (1, 1), "Gamma": (1, 1), "exprel": (1, 1),
    "binomial": (2, 2), "gamma_tail": (2, 2), "binomial_cdf": (3, 3), "sum": (4, 4), "integral": (4, 4),
}  # fmt: skip
EVERY = "all"
"""Begins a condition at every index."""
RESERVED = frozenset({*ARITY, EVERY, "pi", "oo"})
"""Names that mean something in every statement."""
BINDERS = ("sum", "integral")
"""Heads whose first argument is a name that is known in the last argument only."""
OPERATORS: dict[type, str] = {ast.Add: "+", ast.Sub: "-", ast.Mult: "*", ast.Div: "/", ast.Pow: "**"}
RELATIONS: dict[type, str] = {ast.LtE: "<=", ast.Lt: "<", ast.Eq: "==", ast.GtE: ">=", ast.Gt: ">"}


KEPT = 10_000
"""Letters of the longest relation that is kept once it is read."""
DEPTH, MOST_DIGITS = 200, 4_000
"""Nesting of a text, and digits of a number with its exponent written out, so that whatever goes through a term comes
to its end. The checker has the same limit of digits; what ships is nested 39 deep at most."""
MOST_BITS_OF_SUM = 2**31
"""Of all partial sums of an exact sum: some seconds."""


@dataclass(frozen=True)
class Expr:
    """A node: head is an operator, a function, `number`, `symbol`, or `at`, a sequence and its index."""

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


@dataclass(frozen=True)
class Every:
    """`all(t, low, high, relation)`: the relation at each whole number t from low to high."""

    variable: str
    low: Expr
    high: Expr
    relation: Relation

    def __str__(self) -> str:
        return f"{EVERY}({self.variable}, {self.low}, {self.high}, {self.relation})"


def number(value: Fraction | int) -> Expr:
    """The exact constant `value`."""
    return Expr("number", value=Fraction(value))


def symbol(name: str) -> Expr:
    """The symbol called `name`."""
    return Expr("symbol", name=name)


def parse(text: str) -> Expr:
    """The expression `text`; ContentError says what is not understood and where."""
    return _parse(_one_line(text))


def parse_relation(text: str) -> Relation:
    """The relation `text`: exactly one of <= < == >= >."""
    text = _one_line(text)
    return (_parse_relation if len(text) <= KEPT else _parse_relation.__wrapped__)(text)


def parse_condition(text: str) -> Relation | Every:
    """The condition `text`: a relation, or `all(t, a, b, relation)`."""
    return _parse_condition(_one_line(text))


@lru_cache(maxsize=4096)
def _parse_condition(text: str) -> Relation | Every:
    body = _body(text)
    if not (isinstance(body, ast.Call) and isinstance(body.func, ast.Name) and body.func.id == EVERY):
        return _parse_relation(text)
    if len(body.args) != 4 or body.keywords or not isinstance(body.args[0], ast.Name):
        raise ContentError(f"{EVERY}(t, a, b, relation) needs a bare name, two ends and a relation, got {text!r}")
    variable, low, high = (_convert(arg, text) for arg in body.args[:3])
    refuse_name(variable.name)
    return Every(variable.name, low, high, _relation_of(body.args[3], text))


@lru_cache(maxsize=4096)
def _parse(text: str) -> Expr:
    return _convert(_body(text), text)


@lru_cache(maxsize=4096)
def _parse_relation(text: str) -> Relation:
    return _relation_of(_body(text), text)


def _relation_of(body: ast.expr, text: str) -> Relation:
    if not isinstance(body, ast.Compare) or len(body.ops) != 1 or type(body.ops[0]) not in RELATIONS:
        raise ContentError(f"expected one relation (<=, <, ==, >=, >) in {text!r}")
    left, right = _convert(body.left, text), _convert(body.comparators[0], text)
    sign = RELATIONS[type(body.ops[0])]
    return Relation(right, "<" + sign[1:], left) if sign in (">=", ">") else Relation(left, sign, right)


def has_mean(expr: Expr) -> bool:
    """Is there an E(...) in it, which no engine can evaluate at a point?"""
    return expr.head == "E" or any(has_mean(arg) for arg in expr.args)


def refuse_name(name: str) -> None:
    """A name is read as itself alone: letters that look alike, functions and constants are none."""
    if not (name.isascii() and name.isidentifier()):
        raise ContentError(f"a symbol needs a name of ASCII letters, digits and _, got {name!r}")
    if name in RESERVED or iskeyword(name):
        raise ContentError(f"{name!r} is a function, a constant or a word of Python: no symbol can have that name")


def names(expr: Expr) -> set[str]:
    """The symbols that occur in `expr`; the variable of a sum or integral is none of them."""
    if expr.head == "symbol":
        return {expr.name}
    if expr.head in BINDERS:
        variable, low, high, body = expr.args
        return names(low) | names(high) | (names(body) - {variable.name})
    return {name for arg in expr.args for name in names(arg)}


def bound_names(expr: Expr) -> set[str]:
    """The variables of the sums and integrals in `expr`."""
    return {node.args[0].name for node in walk(expr) if node.head in BINDERS}


def walk(expr: Expr) -> Iterator[Expr]:
    """Every node of `expr`, parents first."""
    yield expr
    for arg in expr.args:
        yield from walk(arg)


def substitute(expr: Expr, values: Mapping[Expr, Expr]) -> Expr:
    """`expr` with whole sub-expressions replaced, all at once.

    The variable of a sum or integral is left alone, and gets a new name where a replacement would be caught by it.
    """
    return _substituted(expr, values, all(old.head == "symbol" for old in values))


def _substituted(expr: Expr, values: Mapping[Expr, Expr], only_symbols: bool) -> Expr:
    """only_symbols: nothing else is replaced, so that no larger term has to be looked up."""
    if (expr.head == "symbol" or not only_symbols) and expr in values:
        return values[expr]
    if not expr.args:
        return expr
    if expr.head in BINDERS:
        return _substitute_inside(expr, values)
    return Expr(expr.head, tuple(_substituted(arg, values, only_symbols) for arg in expr.args), expr.value, expr.name)


def _substitute_inside(expr: Expr, values: Mapping[Expr, Expr]) -> Expr:
    variable, low, high, body = expr.args
    inner = {old: new for old, new in values.items() if variable.name not in names(old)}
    if any(variable.name in names(new) | bound_names(new) for new in inner.values()):
        taken = {name for part in (body, *inner, *inner.values()) for name in names(part) | bound_names(part)}
        fresh = symbol(next(f"{variable.name}_{i}" for i in count(1) if f"{variable.name}_{i}" not in taken))
        variable, body = fresh, substitute(body, {variable: fresh})
    ends = substitute(low, values), substitute(high, values)
    return Expr(expr.head, (variable, *ends, substitute(body, inner)))


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
    if expr.head == "at":
        return any(s.kind is SymbolKind.VECTOR_SEQUENCE and s.name == expr.args[0].name for s in symbols)
    return expr.head in ("+", "-", "*", "/", "neg") and any(is_vector(arg, symbols) for arg in expr.args)


def rational(expr: Expr, values: Mapping[str, Fraction], most_terms: int = MOST_TERMS) -> Fraction:
    """The exact value of a rational expression; ContentError for one that is not rational there.

    most_terms: of a sum, times those of the sums inside of it.
    """
    if expr.head == "number":
        return expr.value
    if expr.head == "symbol" and expr.name in values:
        return values[expr.name]
    try:
        return _rational_value(expr, values, most_terms)
    except (ArithmeticError, ValueError) as error:
        raise ContentError(f"{expr} has no rational value") from error


def _rational_value(expr: Expr, values: Mapping[str, Fraction], most_terms: int) -> Fraction:
    if expr.head == "sum":
        return _rational_sum(expr, values, most_terms)
    if expr.head in ("floor", "ceil") and expr.args[0].head in ROUNDED:
        # floor(log2(5)) is 2, although log2(5) is not rational.
        below, above = ROUNDED[expr.args[0].head](rational(expr.args[0].args[0], values, most_terms))
        return Fraction(below if expr.head == "floor" else above)
    if expr.head not in RATIONAL:
        raise ValueError("not a rational function")
    return RATIONAL[expr.head](*(rational(arg, values, most_terms) for arg in expr.args))


def _rational_sum(expr: Expr, values: Mapping[str, Fraction], most_terms: int) -> Fraction:
    variable, low, high, body = expr.args
    first, last = (whole(rational(end, values, most_terms)) for end in (low, high))
    terms = last - first + 1
    if terms > most_terms:
        raise ValueError("too many terms")
    total, bits = Fraction(0), 0
    for k in range(first, last + 1):
        total += rational(body, {**values, variable.name: Fraction(k)}, most_terms // terms)
        bits += total.numerator.bit_length() + total.denominator.bit_length()
        if bits > MOST_BITS_OF_SUM:
            raise ValueError("too large for exact arithmetic")
    return total


def _one_line(text: str) -> str:
    """The text in one line; ContentError where readers may read another one than is parsed."""
    if type(text) is not str:  # a subclass may print something else
        raise ContentError(f"a statement is a plain text, got one of type {type(text).__name__}: {str(text)!r}")
    if not text.isascii():
        odd = next(letter for letter in text if not letter.isascii())
        raise ContentError(f"{odd!r} is no ASCII character, in {text!r}: some letters look alike")
    if "#" in text:
        raise ContentError(f"a statement has no comments, got {text!r}")
    return " ".join(text.split())


def _body(text: str) -> ast.expr:
    try:
        body = ast.parse(text, mode="eval").body
    except SyntaxError as error:
        raise ContentError(f"cannot read {text!r}: {error.msg} at column {error.offset}") from error
    except (RecursionError, MemoryError) as error:  # what Python says of a text that is nested too deep for it
        raise _too_deep(text) from error
    level: list[ast.AST] = [body]
    for _ in range(DEPTH):
        level = [inner for node in level for inner in ast.iter_child_nodes(node)]
        if not level:
            return body
    raise _too_deep(text)


def _too_deep(text: str) -> ContentError:
    return ContentError(f"a statement is nested at most {DEPTH} deep, got {text[:80]!r}...; name parts of it")


def _convert(node: ast.expr, text: str) -> Expr:
    if isinstance(node, ast.Constant) and type(node.value) in (int, float):
        return _literal(text[node.col_offset : node.end_col_offset], text)
    if isinstance(node, ast.Name):
        return symbol(node.id) if node.id != "pi" else Expr("pi")
    if isinstance(node, ast.UnaryOp) and isinstance(node.op, ast.USub):
        return Expr("neg", (_convert(node.operand, text),))
    if isinstance(node, ast.BinOp) and type(node.op) in OPERATORS:
        return Expr(OPERATORS[type(node.op)], (_convert(node.left, text), _convert(node.right, text)))
    if isinstance(node, ast.Call) and isinstance(node.func, ast.Name) and not node.keywords:
        return _call(node.func.id, tuple(_convert(arg, text) for arg in node.args), text)
    if isinstance(node, ast.Subscript) and isinstance(node.value, ast.Name):
        refuse_name(node.value.id)
        return Expr("at", (symbol(node.value.id), _convert(node.slice, text)))
    raise ContentError(f"{ast.unparse(node)!r} is not part of the statement language, in {text!r}")


def _literal(written: str, text: str) -> Expr:
    """The exact value of a number as it is written."""
    exponent = written.lower().partition("e")[2] or "0"
    if len(exponent) > 6 or (exponent.lstrip("+-").isdecimal() and len(written) + abs(int(exponent)) > MOST_DIGITS):
        raise ContentError(f"the number {written[:40]!r} has more than {MOST_DIGITS} digits; write it as a power")
    try:
        return number(Fraction(written))
    except ValueError as error:
        raise ContentError(f"the number {written!r} is not written in decimal digits, in {text!r}") from error


def _call(name: str, args: tuple[Expr, ...], text: str) -> Expr:
    if name not in ARITY:
        raise UnknownNameError(f"function in {text!r}", name, ARITY)
    least, most = ARITY[name]
    if not least <= len(args) <= most:
        wanted = str(least) if least == most else f"{least} to {most}"
        raise ContentError(f"{name} takes {wanted} arguments, got {len(args)}, in {text!r}")
    if name in BINDERS and args[0].head != "symbol":
        raise ContentError(f"{name}(k, a, b, f) needs a bare name first, got {str(args[0])!r}, in {text!r}")
    if name in BINDERS:
        refuse_name(args[0].name)
    if name in BINDERS and args[0].name in bound_names(args[3]):
        raise ContentError(f"{args[0].name!r} is the variable of two nested sums or integrals, in {text!r}")
    return Expr(name, args)


PRECEDENCE = {"+": 1, "-": 1, "*": 2, "/": 2, "neg": 3, "**": 4}


def _show(expr: Expr, outer: int) -> str:
    if expr.head == "number":
        text = str(expr.value)
        return f"({text})" if outer > 1 and ("/" in text or "-" in text) else text
    if expr.head in ("symbol", "pi"):
        return expr.name or "pi"
    if expr.head == "at":
        return f"{expr.args[0].name}[{_show(expr.args[1], 0)}]"
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
