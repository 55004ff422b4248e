"""Polynomials in distances from the ends of ranges: x = low + t, x = high - t, or between two ends both distances."""

from __future__ import annotations

from collections.abc import Iterator
from fractions import Fraction

from dpaudit.recheck.polynomials import Algebra, Exponent, Poly, as_number, constant, plus, scaled
from dpaudit.recheck.signs import Context
from dpaudit.recheck.symbols import Symbol
from dpaudit.recheck.terms import ONE, Term

Key = tuple[tuple[Term, Exponent], ...]
"""Terms that are not negative, with their powers."""
Counted = dict[Key, Poly]
MOST_DEGREE, MOST_ENDS = 24, 6


def counted(context: Context, forms: Algebra, form: Poly) -> Iterator[tuple[Term, Term]]:
    """What the form is multiplied by, and the sum that it is then, if there is one without a negative term."""
    by, above = _whole(context, forms, form)
    ranges = _ends(context, forms, above)
    if ranges is None:
        return
    degrees = {a: int(max((e for mono in above for b, e in mono if b == a), default=0)) for a in ranges}
    total: Counted = {}
    for mono, c in above.items():
        for key, value in _product(context, forms, dict(mono), c, ranges, degrees).items():
            total[key] = plus(total.get(key, {}), value)
    for a, s in ranges.items():
        if s.low is not None and s.high is not None and degrees[a]:
            by = ("*", by, (s.high - s.low) ** degrees[a])
    parts = [(key, value) for key, value in total.items() if value]
    if any(not set(value) <= {()} or value[()] < 0 for _, value in parts if as_number(value) is not None):
        return
    yield by, _sum([_term(forms, key, value) for key, value in parts])


def _whole(context: Context, forms: Algebra, form: Poly) -> tuple[Term, Poly]:
    """The form without fractions, and what it was multiplied by."""
    by: Term = ONE
    above, below = forms.cleared(form)
    for a, power in below.items():
        atom = forms.atoms[a]
        if forms.atom_sign(a) is None and power % 2:
            if forms.sign(scaled(atom.args[0], -1)) is None:
                above, power = forms.times(above, atom.args[0]), power + 1
            else:
                above, by = scaled(above, -1), ("*", by, Fraction(-1))
        by = ("*", by, ("**", atom.node, Fraction(power)))
    for a in sorted({a for mono in above for a, e in mono if e < 0 and e.denominator == 1}):
        power = int(max(-e for mono in above for b, e in mono if b == a))
        power += power % 2 if forms.atom_sign(a) is None else 0
        above = forms.times(above, {((a, power),): ONE})
        by = ("*", by, ("**", forms.atoms[a].node, Fraction(power)))
    return by, above


def _ends(context: Context, forms: Algebra, form: Poly) -> dict[int, Symbol] | None:
    """The symbols that are counted from ends of their ranges; None where a factor has no sign."""
    found: dict[int, Symbol] = {}
    for a in {a for mono in form for a, _ in mono}:
        atom = forms.atoms[a]
        exponents = {e for mono in form for b, e in mono if b == a}
        whole = all(e.denominator == 1 and 0 <= e <= MOST_DEGREE for e in exponents)
        s = context.by_name.get(atom.args[0]) if atom.head == "name" else None
        if s is not None and whole and (s.low or s.high is not None):
            found[a] = s
        elif atom.names and forms.atom_sign(a) is None and any(e.denominator != 1 or e % 2 for e in exponents):
            return None
    two = [s for s in found.values() if s.low is not None and s.high is not None]
    return None if len(two) > MOST_ENDS else found


def _product(
    context: Context, forms: Algebra, powers: dict[int, Exponent], c: Fraction, ranges: dict[int, Symbol],
    degrees: dict[int, int],
) -> Counted:  # fmt: skip
    """One product, written out."""
    numbers = {a: e for a, e in powers.items() if not forms.atoms[a].names}
    key = tuple((forms.atoms[a].node, e) for a, e in powers.items() if a not in ranges and a not in numbers)
    made: Counted = {key: {tuple(sorted(numbers.items())): c}}
    for a, s in ranges.items():
        made = _times(made, _power(s, int(powers.get(a, 0)), degrees[a]))
    return made


def _power(s: Symbol, e: int, degree: int) -> dict[Key, Fraction]:
    """A power of a symbol; between two ends times a power of their distance."""
    near, far = ("-", s.name, s.low) if s.low else s.name, ("-", s.high, s.name)
    if s.low is not None and s.high is not None:
        both = _raised({far: Fraction(1), near: Fraction(1)}, degree - e)
        return _flat_times(_raised({far: s.low, near: s.high}, e), both)
    if s.low is not None:
        return _raised({ONE: s.low, near: Fraction(1)}, e)
    assert s.high is not None
    return _raised({ONE: s.high, far: Fraction(-1)}, e)


def _raised(linear: dict[Term, Fraction], n: int) -> dict[Key, Fraction]:
    one: dict[Key, Fraction] = {(((term, 1),) if term != ONE else ()): c for term, c in linear.items() if c}
    total: dict[Key, Fraction] = {(): Fraction(1)}
    for _ in range(n):
        total = _flat_times(total, one)
    return total


def _flat_times(a: dict[Key, Fraction], b: dict[Key, Fraction]) -> dict[Key, Fraction]:
    total: dict[Key, Fraction] = {}
    for m, c in a.items():
        for n, d in b.items():
            key = _merged(m, n)
            total[key] = total.get(key, Fraction(0)) + c * d
    return total


def _times(a: Counted, b: dict[Key, Fraction]) -> Counted:
    total: Counted = {}
    for m, c in a.items():
        for n, d in b.items():
            key = _merged(m, n)
            total[key] = plus(total.get(key, {}), scaled(c, d))
    return total


def _merged(m: Key, n: Key) -> Key:
    powers = dict(m)
    for term, e in n:
        powers[term] = powers.get(term, 0) + e
    return tuple(sorted(powers.items(), key=repr))


def _term(forms: Algebra, key: Key, value: Poly) -> Term:
    made: Term | None = None if value == constant(1) and key else forms.node(value)
    for node, e in key:
        factor = node if e == 1 else ("**", node, Fraction(e))
        made = factor if made is None else ("*", made, factor)
    assert made is not None
    return made


def _sum(parts: list[Term]) -> Term:
    total: Term = parts[0] if parts else Fraction(0)
    for part in parts[1:]:
        total = ("+", total, part)
    return total
