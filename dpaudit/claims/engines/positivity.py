"""Engine `symbolic`, positivity: a quotient of polynomials that cannot be negative on a box.

Every symbol is counted from the end of its range: x = low + t, x = high - t, or
x = (low + high t)/(1 + t), with t >= 0 in each case. A polynomial in such t without
negative coefficients is nonnegative: that is all that is used, and it is exact.
"""

from __future__ import annotations

from itertools import product

import sympy

from dpaudit.claims.language import enclosures
from dpaudit.claims.language.expression import bound, parse_statement
from dpaudit.claims.language.gram import Translator, to_expr
from dpaudit.records.claim import Statement, Symbol

Finding = tuple[bool, str]


def positive(statement: Statement) -> Finding:
    """Whether `right - left` is nonnegative (positive, for `<`) on the ranges; the conditions are not used."""
    goal, _ = parse_statement(statement)
    if goal.sign == "==":
        return False, "positivity proves <= or <, not an identity"
    translator = Translator(statement.symbols)
    slack = sympy.together(translator.scalar_form(goal.right) - translator.scalar_form(goal.left))
    used = [s for s in statement.symbols if translator.atoms.get(s.name) in slack.free_symbols]
    gram = slack.free_symbols - {translator.atoms[s.name] for s in used}
    if gram:
        return False, f"{min(map(str, gram))} has no range: substitute scalars first"
    strict = goal.sign == "<"
    signs = product(*((1, -1) if bound(s.lower) is bound(s.upper) is None else (1,) for s in used))
    for chosen in signs:
        reason = _orthant(slack, translator, list(zip(used, chosen, strict=True)), strict)
        if reason:
            return False, reason
    return True, f"counted from the ends of the ranges of {len(used)} symbols, no coefficient is negative"


def _orthant(slack: sympy.Expr, translator: Translator, signed: list[tuple[Symbol, int]], strict: bool) -> str:
    """Why the slack is not shown to be nonnegative for t >= 0 in every symbol; empty if it is shown."""
    offsets, attained = [], True
    form = slack
    for symbol, sign in signed:
        t = sympy.Dummy(f"t_{symbol.name}", nonnegative=True)  # a symbol of the statement may have that name
        form = form.subs(translator.atoms[symbol.name], _counted(symbol, sign, t))
        offsets.append(t)
        # The far end of a finite closed range is a limit t -> oo only: there < may become equality.
        attained = attained and not (_finite(symbol) and not symbol.upper_open)
    if strict and not attained:
        return "a strict inequality at the far end of a finite closed range: close the case by other means"
    parts = [_polynomial(part, offsets) for part in sympy.fraction(sympy.together(form))]
    if any(part is None for part in parts):
        return "right - left is not a quotient of polynomials"
    numerator, denominator = (part for part in parts if part is not None)
    for sign in (1, -1):
        if all(_sign(sign * c) for c in denominator.coeffs()):
            return _numerator(numerator * sign, strict)
    return "the denominator changes sign, or is not shown not to"


def _numerator(numerator: sympy.Poly, strict: bool) -> str:
    """A polynomial in t >= 0: why it is not shown to be nonnegative, or positive; empty if it is."""
    for powers, coefficient in numerator.terms():
        if not _sign(coefficient):
            return f"the coefficient {coefficient} of powers {powers} is negative"
    if strict and not (numerator.terms()[-1][0] == (0,) * len(numerator.gens) and _sign(numerator.coeffs()[-1], True)):
        return "the constant coefficient is zero: only <= is shown"
    return ""


def _polynomial(form: sympy.Expr, offsets: list[sympy.Symbol]) -> sympy.Poly | None:
    expanded = sympy.expand(form)
    if not offsets:
        return sympy.Poly(expanded, sympy.Symbol("t_none")) if expanded.is_number else None
    try:
        made = sympy.Poly(expanded, *offsets)
    except sympy.PolynomialError:
        return None
    return made if all(c.is_number for c in made.coeffs()) else None


def _finite(symbol: Symbol) -> bool:
    return bound(symbol.lower) is not None and bound(symbol.upper) is not None


def _counted(symbol: Symbol, sign: int, t: sympy.Symbol) -> sympy.Expr:
    """The symbol as a function of t >= 0 that reaches its whole range (a finite far end in the limit)."""
    low, high = (_rational(end) for end in (symbol.lower, symbol.upper))
    if low is not None and high is not None:
        return (low + high * t) / (1 + t)
    if low is not None:
        return low + t
    return high - t if high is not None else sign * t


def _rational(text: str) -> sympy.Rational | None:
    value = bound(text)
    return None if value is None else sympy.Rational(value.numerator, value.denominator)


def _sign(coefficient: sympy.Expr, strict: bool = False) -> bool:
    """Is the constant certainly >= 0 (> 0 if strict)? Irrational ones by enclosure, never by SymPy's guess."""
    if coefficient.is_Rational:
        return bool(coefficient > 0 if strict else coefficient >= 0)
    with enclosures.precision(enclosures.PRECISION):
        low = enclosures.evaluate(to_expr(coefficient), {}).low
    return bool(low > 0 if strict else low >= 0)
