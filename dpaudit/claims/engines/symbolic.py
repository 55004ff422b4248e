"""Engine `symbolic`: exact identities, signs, and sums of known inequalities.

Nothing here rests on a heuristic that could be wrong: an identity counts when the
difference expands to zero in exact arithmetic, a sign when SymPy's assumptions or an
enclosure over the whole domain prove it. What is not decided is None, with a reason.
"""

from __future__ import annotations

from collections.abc import Callable
from fractions import Fraction
from functools import lru_cache

import sympy

from dpaudit.claims.language import enclosures
from dpaudit.claims.language.expression import (
    ARITY,
    OPERATORS,
    Expr,
    Relation,
    bound,
    is_vector,
    names,
    parse,
    parse_relation,
    parse_statement,
    range_facts,
    rational,
    substitute,
    walk,
)
from dpaudit.claims.language.gram import Translator, scalar_expr, to_expr, under
from dpaudit.claims.language.sympy_heads import RelativeExponential, unfold
from dpaudit.records.claim import Statement, Symbol, SymbolKind, Tangent, real
from dpaudit.records.errors import ContentError

BINDERS = ("sum", "integral")
HEADS = frozenset({*ARITY, *OPERATORS.values(), "neg", "number", "symbol", "pi"})
Finding = tuple[bool, str]
"""Whether the check holds for certain, and one sentence that says what was done or what is missing."""


def identical(left: Expr, right: Expr, symbols: tuple[Symbol, ...]) -> bool:
    """True if the two sides are equal as exact expressions; False means undecided."""
    if left == right:
        return True
    if left.head == right.head == "Phi":  # equal arguments, equal values
        return identical(left.args[0], right.args[0], symbols)
    translator = Translator(symbols)
    if is_vector(left, symbols) or is_vector(right, symbols):
        difference = translator.vector(Expr("-", (left, right)))
        return all(is_zero(c) for c in difference.values())
    form = translator.scalar_form(left) - translator.scalar_form(right)
    return is_zero(form) or (form.has(RelativeExponential) and is_zero(unfold(form)))


def is_zero(form: sympy.Expr) -> bool:
    """True if `form` expands to 0 under one of a few exact rewritings."""
    rewritings: tuple[Callable[[sympy.Expr], sympy.Expr], ...] = (
        sympy.expand,
        lambda e: sympy.expand(sympy.fraction(sympy.together(e))[0]),
        lambda e: sympy.expand(sympy.expand_log(sympy.expand(e))),
        lambda e: sympy.expand(sympy.powsimp(sympy.expand(e))),
        lambda e: sympy.expand(sympy.powdenest(sympy.fraction(sympy.together(e))[0])),
        _by_powers,
    )
    return any(rewrite(form) == 0 for rewrite in rewritings)


def _by_powers(form: sympy.Expr) -> sympy.Expr:
    """`form` as a sum of products base**exponent, the exponents of each base added up and cancelled."""
    total = sympy.Integer(0)
    for term in sympy.Add.make_args(sympy.expand(sympy.expand_power_base(form), power_exp=False)):
        powers: dict[sympy.Expr, sympy.Expr] = {}
        for factor in sympy.Mul.make_args(term):
            base, exponent = factor.as_base_exp()
            powers[base] = powers.get(base, sympy.Integer(0)) + exponent
        total += sympy.Mul(*(base ** sympy.cancel(exponent) for base, exponent in powers.items()))
    return total


def implied(relation: Relation, symbols: tuple[Symbol, ...], conditions: tuple[Relation, ...]) -> bool:
    """True if ranges and conditions imply `relation` (<= or <); False means not shown.

    Both sides must be real numbers on the domain. Tried in turn: the enclosure over the
    whole box, SymPy's sign of the slack, and a positive multiple of one condition.
    """
    if relation in conditions:
        return True
    if not (defined(relation.left, symbols, conditions) and defined(relation.right, symbols, conditions)):
        return False
    if relation.sign == "==":
        return identical(relation.left, relation.right, symbols)
    strict = relation.sign == "<"
    if relation.left == parse("0") and _plainly(relation.sign, relation.right, symbols, conditions):
        return True
    if _holds_on_box(relation, symbols, conditions):
        return True
    translator = Translator(symbols)
    slack = translator.scalar_form(relation.right) - translator.scalar_form(relation.left)
    if _signed(slack, strict) or _signed(_counted_from_ends(slack, translator), strict):
        return True
    for condition in conditions:
        given = translator.scalar_form(condition.right) - translator.scalar_form(condition.left)
        if given == 0 or (strict and condition.sign != "<"):
            continue
        factor = sympy.simplify(slack / given)  # a guess; the next line checks it exactly
        # An equation may be used with either sign, but not divided by: its slack is zero.
        plain = condition.sign == "==" and sympy.fraction(sympy.together(factor))[1].is_number
        usable = plain or _signed(factor, True)
        if usable and is_zero(slack - factor * given) and defined(to_expr(factor), symbols, conditions):
            return True
    return False


@lru_cache(maxsize=4096)
def defined(expr: Expr, symbols: tuple[Symbol, ...], conditions: tuple[Relation, ...]) -> bool:
    """True if `expr` is shown to be a real number at every point of the domain.

    SymPy goes on with complex numbers and cancels x/x: a fact about a term that is not
    defined would prove too much, such as x >= 0 from 0 <= sqrt(x)*sqrt(x).
    """

    def holds(relation: Relation) -> bool:
        return implied(relation, symbols, conditions)

    def sign(relation: str, part: Expr) -> bool:
        return holds(Relation(parse("0"), relation, part))

    def nonzero(part: Expr) -> bool:
        return sign("<", part) or sign("<", Expr("neg", (part,)))

    if expr.head in BINDERS:
        return _defined_inside(expr, symbols, conditions)
    if expr.head not in HEADS or not all(defined(arg, symbols, conditions) for arg in expr.args):
        return False
    first, last = (expr.args[0], expr.args[-1]) if expr.args else (expr, expr)
    rules: dict[str, Callable[[], bool]] = {
        "/": lambda: nonzero(last),
        "sqrt": lambda: sign("<=", first),
        "log": lambda: sign("<", first),
        "log2": lambda: sign("<", first),
        "Gamma": lambda: sign("<", first),
        "gamma_tail": lambda: sign("<", first),
        "factorial": lambda: sign("<=", first),
        "binomial": lambda: sign("<=", last) and (is_whole(last, symbols) or holds(Relation(last, "<=", first))),
        "binomial_cdf": lambda: (
            sign("<=", expr.args[1])
            and is_whole(expr.args[1], symbols)
            and sign("<=", last)
            and holds(Relation(last, "<=", parse("1")))
        ),
        "beta_tail": lambda: sign("<", first) and sign("<", expr.args[1]),
        # 0**y with y >= 0 is 0 or 1; a negative base needs a whole exponent.
        "**": lambda: (
            sign("<=" if sign("<=", last) else "<", first)
            or (is_whole(last, symbols) and (sign("<=", last) or nonzero(first)))
        ),
        "E": lambda: all(defined(parse(s.scale), symbols, conditions) for s in symbols if s.scale),
    }
    return rules[expr.head]() if expr.head in rules else True


def _defined_inside(expr: Expr, symbols: tuple[Symbol, ...], conditions: tuple[Relation, ...]) -> bool:
    """A sum with whole ends, or an integral with its ends in order, of a body that is defined on the whole range."""
    _, low, high, _ = expr.args
    body, wider, known = under(expr, symbols)
    if not all(defined(end, symbols, conditions) for end in (low, high)):
        return False
    if expr.head == "sum":
        fits = is_whole(low, symbols) and is_whole(high, symbols)
    else:
        fits = implied(Relation(low, "<=", high), symbols, conditions)
    return fits and defined(body, wider, (*conditions, *known))


def is_whole(expr: Expr, symbols: tuple[Symbol, ...]) -> bool:
    """True if `expr` is shown to be an integer."""
    return Translator(symbols).scalar_form(expr).is_integer is True


def _plainly(sign: str, expr: Expr, symbols: tuple[Symbol, ...], conditions: tuple[Relation, ...]) -> bool:
    """True if `0 sign expr` by the shape of `expr`: norms, exponentials, products, quotients, sums, powers of such."""

    def holds(sign: str, part: Expr) -> bool:
        return implied(Relation(parse("0"), sign, part), symbols, conditions)

    match expr.head:
        case "exp" | "Phi" | "pi" | "exprel" | "Gamma" | "factorial":
            return True
        case "norm" | "abs" | "beta_tail" | "gamma_tail" | "binomial_cdf":
            return sign == "<="
        case "sum" | "integral":
            body, wider, known = under(expr, symbols)
            return sign == "<=" and implied(Relation(parse("0"), "<=", body), wider, (*conditions, *known))
        case "sqrt" | "**":
            return holds(sign, expr.args[0])
        case "*" | "/":
            return all(holds(sign, part) for part in expr.args)
        case "+":
            return all(holds("<=", part) for part in expr.args) and any(holds(sign, part) for part in expr.args)
    return False


def _counted_from_ends(form: sympy.Expr, translator: Translator) -> sympy.Expr:
    """`form` with every scalar counted from a finite end of its range, so that SymPy sees a > 1 as a = 1 + t, t > 0."""
    values = {}
    for s in translator.symbols:
        atom = translator.atoms.get(s.name)
        low, high = (bound(s.lower), bound(s.upper)) if atom in form.free_symbols else (None, None)
        if atom is None or (low is None and high is None):
            continue
        end, sign, is_open = (low, 1, s.lower_open) if low is not None else (high, -1, s.upper_open)
        t = sympy.Symbol(f"{s.name}_from_end", positive=True) if is_open else sympy.Symbol(
            f"{s.name}_from_end", nonnegative=True)  # fmt: skip
        values[atom] = sympy.Rational(end) + sign * t
    return sympy.expand(form.subs(values, simultaneous=True))


def _signed(form: sympy.Expr, strict: bool) -> bool:
    forms = (form, sympy.factor(form))
    return any(f.is_positive or (not strict and f.is_nonnegative) for f in forms)


def _holds_on_box(relation: Relation, symbols: tuple[Symbol, ...], conditions: tuple[Relation, ...]) -> bool:
    values = ranges(symbols, conditions)
    left, right = (scalar_expr(side, symbols) for side in (relation.left, relation.right))
    if not names(left) | names(right) <= set(values) or _unusable(left) or _unusable(right):
        return False
    with enclosures.precision(enclosures.PRECISION):
        a, b = enclosures.evaluate(left, values), enclosures.evaluate(right, values)
        return (enclosures.below(a, b) if relation.sign == "<" else enclosures.at_most(a, b)) is True or (
            # an open end point makes a closed enclosure strict: 0 < x for x in (0, oo)
            relation.sign == "<" and enclosures.at_most(a, b) is True and _open_end(relation, symbols)
        )


def _open_end(relation: Relation, symbols: tuple[Symbol, ...]) -> bool:
    """True for `number < symbol` or `symbol < number` at an open end of the symbol's range."""
    for s in symbols:
        if relation.right == parse(s.name) and s.lower_open and bound(s.lower) == relation.left.value:
            return relation.left.head == "number"
        if relation.left == parse(s.name) and s.upper_open and bound(s.upper) == relation.right.value:
            return relation.right.head == "number"
    return False


def ranges(symbols: tuple[Symbol, ...], conditions: tuple[Relation, ...]) -> dict[str, enclosures.Interval]:
    """The closed range of every scalar symbol, narrowed by conditions `symbol <= number`."""
    values = {}
    for s in symbols:
        if s.kind not in (SymbolKind.REAL, SymbolKind.INTEGER):
            continue
        low, high = bound(s.lower), bound(s.upper)
        for c in conditions:
            above, under = _constant(c.right), _constant(c.left)
            if c.left == parse(s.name) and above is not None:
                high = above if high is None else min(high, above)
            if c.right == parse(s.name) and under is not None:
                low = under if low is None else max(low, under)
        values[s.name] = enclosures.between(low, high)
    return values


def _constant(expr: Expr) -> Fraction | None:
    """The value of a rational constant; None for anything else, such as log(3) or a symbol."""
    try:
        return rational(expr, {})
    except ContentError:
        return None


def _unusable(expr: Expr) -> bool:
    return any(node.head in ("E", "dot", "norm") for node in walk(expr))


def combine(statement: Statement, terms: tuple[tuple[str, str], ...]) -> Finding:
    """right - left equals the sum of multiplier * (greater - lesser) over known inequalities."""
    goal, conditions = parse_statement(statement)
    if goal.sign != "<=":
        return False, f"a combination proves <=, not {goal.sign}"
    symbols = statement.symbols
    translator = Translator(symbols)
    total = translator.scalar_form(goal.left) - translator.scalar_form(goal.right)
    for multiplier, text in terms:
        relation = parse_relation(text)
        if not known(relation, symbols, conditions):
            return False, f"{text} is neither a condition nor an instance of a known inequality"
        factor = parse(multiplier)
        if not implied(Relation(parse("0"), "<=", factor), symbols, conditions):
            return False, f"the multiplier {multiplier} is not shown to be nonnegative"
        slack = translator.scalar_form(relation.right) - translator.scalar_form(relation.left)
        total += translator.scalar_form(factor) * slack
    if not is_zero(total):
        return False, "the combination does not add up to right - left"
    return (
        True,
        f"right - left is a nonnegative combination of {len(terms)} known inequalities, valid in every dimension",
    )


def known(relation: Relation, symbols: tuple[Symbol, ...], conditions: tuple[Relation, ...]) -> bool:
    """True if `relation` is a condition, an instance of a known inequality, or implied by ranges and conditions."""
    return _axiom(relation, symbols, conditions) or implied(relation, symbols, conditions)


def _axiom(relation: Relation, symbols: tuple[Symbol, ...], conditions: tuple[Relation, ...]) -> bool:
    """Instances of: triangle inequality, Cauchy-Schwarz, norm >= 0, square >= 0, min(a, b) <= a."""
    left, right = relation.left, relation.right
    if relation.sign != "<=" or not all(defined(side, symbols, conditions) for side in (left, right)):
        return False
    if left.head == "norm" and right.head == "+" and all(arg.head == "norm" for arg in right.args):
        x, y = right.args[0].args[0], right.args[1].args[0]
        inner = left.args[0]
        return any(identical(inner, Expr(sign, (x, y)), symbols) for sign in ("+", "-"))
    if left.head == "dot" and right.head == "*" and all(arg.head == "norm" for arg in right.args):
        return left.args == (right.args[0].args[0], right.args[1].args[0])
    if left == parse("0"):
        square = right.head == "**" and right.args[1] == parse("2")
        return right.head == "norm" or square or (right.head == "dot" and right.args[0] == right.args[1])
    return left.head == "min" and right in left.args


def antiderivative(
    integral: Expr, primitive: Expr, symbols: tuple[Symbol, ...], conditions: tuple[Relation, ...]
) -> tuple[Expr | None, str]:
    """F(b) - F(a) for integral(z, a, b, f) with F' = f on [a, b], and one sentence; None where that is not shown."""
    variable, low, high, body = integral.args
    wider = (*symbols, real(variable.name))
    inside = (*conditions, Relation(low, "<=", variable), Relation(variable, "<=", high))
    if not implied(Relation(low, "<=", high), symbols, conditions):
        return None, f"{low} <= {high} is not shown"
    if any(node.head in ("floor", "ceil") for side in (body, primitive) for node in walk(side)):
        return None, "a step function has no antiderivative"
    if not all(defined(side, wider, inside) for side in (body, primitive)):
        return None, f"{body} and {primitive} are not shown to be defined for {low} <= {variable} <= {high}"
    translator = Translator(wider)
    slope = sympy.diff(translator.scalar_form(primitive), translator.atoms[variable.name])
    if not is_zero(slope - translator.scalar_form(body)):
        return None, f"the derivative of {primitive} in {variable} is not {body}"
    ends = [substitute(primitive, {variable: end}) for end in (high, low)]
    return Expr("-", (ends[0], ends[1])), f"the derivative of {primitive} in {variable} is {body}"


def tangent(statement: Statement, move: Tangent) -> Finding:
    """h = right - left is convex in one variable with h = h' = 0 at a point of the range: h >= 0."""
    goal, conditions = parse_statement(statement)
    symbol = next(s for s in statement.symbols if s.name == move.variable)
    if goal.sign != "<=" or symbol.kind is not SymbolKind.REAL:
        return False, "a tangent proves <= in a real variable"
    # The segment from the point to x may leave the conditions on x: convexity is shown without them.
    conditions = tuple(c for c in conditions if move.variable not in names(c.left) | names(c.right))
    translator = Translator(statement.symbols)
    slack = translator.scalar_form(goal.right) - translator.scalar_form(goal.left)
    variable = translator.atoms[move.variable]
    point = translator.scalar_form(parse(move.point))
    if not all(defined(e, statement.symbols, conditions) for e in (goal.left, goal.right, parse(move.point))):
        return False, "the two sides and the point are not shown to be defined on the whole range"
    slope = sympy.diff(slack, variable)
    if not (is_zero(slack.subs(variable, point)) and is_zero(slope.subs(variable, point))):
        return False, f"right - left and its slope do not both vanish at {move.variable} = {move.point}"
    if not all(implied(fact, statement.symbols, conditions) for fact in range_facts(symbol, parse(move.point))):
        return False, f"the point {move.point} is not shown to lie in the range of {move.variable}"
    curvature = to_expr(sympy.factor(sympy.diff(slope, variable)))
    if not implied(Relation(parse("0"), "<=", curvature), statement.symbols, conditions):
        return False, f"convexity in {move.variable} is not shown"
    return (
        True,
        f"convex in {move.variable}, touching at {move.variable} = {move.point}: second derivative {curvature} >= 0",
    )
