"""Why a term is not negative: times something positive, it is a sum of terms that show their sign by their shape.

The same reasons as those of the checker (`recheck.counted`, `recheck.squares`, multiples of conditions), found again
and written out, so that Coq can check them as one equation and one sign for each term.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from fractions import Fraction
from functools import reduce

from dpaudit.kernel import ends, squared
from dpaudit.recheck.polynomials import Poly, lead, minus
from dpaudit.recheck.signs import Context
from dpaudit.recheck.terms import ONE, Refused, Relation, Term, free

Explained = tuple[Term, Term]
"""What is positive, and the sum that it makes of the term."""
MOST = 3


def sums(context: Context, node: Term) -> Iterator[Explained]:
    """Ways to write a positive multiple of the term as a sum of terms of known sign, simple ones first."""
    try:
        forms = context.plain.forms
        form = forms.form(node)
    except Refused:
        return
    yield from ends.counted(context, forms, form)
    if (total := squared.total(forms, form)) is not None:
        yield ONE, total
    yield from multiples(context, form)
    if context.forms is not forms:
        form = context.forms.form(node)
        yield from ends.counted(context, context.forms, form)
        if (total := squared.total(context.forms, form)) is not None:
            yield ONE, total


def multiples(context: Context, form: Poly) -> Iterator[Explained]:
    """Conditions times what has a sign, and a rest that has one."""
    forms, slacks = context.plain.forms, []
    for c in context.given:
        if not any(context.by_name[name].kind in ("vector", "gaussian") for name in free(c.left) | free(c.right)):
            slack = minus(forms.form(c.right), forms.form(c.left))
            if slack:
                slacks.append((c, slack))
    found = _multiples(context, form, slacks, MOST)
    if found is not None:
        yield ONE, added(found)


def _multiples(context: Context, wanted: Poly, slacks: list[tuple[Relation, Poly]], most: int) -> list[Term] | None:
    forms = context.plain.forms
    for i, (c, slack) in enumerate(slacks):
        first = lead(slack)
        inverse = forms.inverse({first: ONE})
        for mono, k in wanted.items():
            factor = forms.times({mono: k / slack[first]}, inverse)
            if forms.plain_sign(factor) is None and c.sign != "==":
                continue
            left = minus(wanted, forms.times(factor, slack))
            here: Term = ("*", forms.node(factor), ("-", c.right, c.left))
            if forms.zero(left):
                return [here]
            if forms.plain_sign(left) is not None:
                return [here, *terms(forms.node(left))]
            if len(left) <= len(wanted) and context.plain.sum_sign(forms, left) is not None:
                return [here, forms.node(left)]
            if most > 1 and len(left) <= len(wanted):
                rest = _multiples(context, left, slacks[i + 1 :], most - 1)
                if rest is not None:
                    return [here, *rest]
    return None


def added(parts: Iterable[Term]) -> Term:
    """The sum of terms; 0 of none."""
    made = list(parts)
    return reduce(lambda a, b: ("+", a, b), made) if made else Fraction(0)


def terms(node: Term) -> list[Term]:
    """The terms of a sum."""
    match node:
        case ("+", a, b):
            return [*terms(a), b]
    return [node]
