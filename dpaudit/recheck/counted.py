"""Polynomials that cannot be negative: every symbol is counted from an end of its range.

x = low + t, x = high - t, or x = (low s + high t)/(s + t), where s and t are not negative: a polynomial in such s and t
without a negative coefficient is not negative. It is positive if on every part of the boundary that belongs to the
domain some term is.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping
from decimal import Decimal
from fractions import Fraction
from itertools import product
from typing import Protocol

from dpaudit.recheck.interval import METER
from dpaudit.recheck.polynomials import Algebra, Exponent, Poly, plus, scaled
from dpaudit.recheck.terms import Term

Key = tuple[tuple[str, Exponent], ...]
Counted = dict[Key, Poly]
"""A polynomial in variables that are not negative, by name; its coefficients are numbers such as 2 log(3) - 1."""
Plain = dict[Key, Fraction]
LARGEST_DEGREE, MOST_ENDS = 24, 6


class Range(Protocol):
    """The range of a symbol; None for an end at infinity."""

    @property
    def low(self) -> Fraction | None:
        """The low end."""

    @property
    def high(self) -> Fraction | None:
        """The high end."""

    @property
    def low_open(self) -> bool:
        """Does the low end lie outside?"""

    @property
    def high_open(self) -> bool:
        """Does the high end lie outside?"""


def sign(forms: Algebra, form: Poly, ranges: Mapping[str, Range], lower: Callable[[Term], Decimal]) -> int | None:
    """1 where the form is shown to be positive wherever it has a value, 0 where not negative, else None.

    lower: a number below the value of a term without symbols.
    """
    form = without_denominators(forms, form)
    made = _Counting(forms, ranges)
    total = made.polynomial(form)
    if total is None:
        return None
    least = {key: c.get((), Fraction(0)) if set(c) <= {()} else lower(forms.node(c)) for key, c in total.items()}
    if any(value < 0 for value in least.values()):
        return None
    return 1 if all(_one_left(least, zeros) for zeros in made.faces()) else 0


def without_denominators(forms: Algebra, form: Poly) -> Poly:
    """The form times sums and atoms, so that none stands below a fraction line: positive where it has a value."""
    form, below = forms.cleared(form)
    for a, times in below.items():
        base = forms.atoms[a].args[0]
        if forms.atom_sign(a) is None and times % 2:  # an odd power turns the sign where the base is negative
            form = forms.times(form, base) if forms.sign(scaled(base, -1)) is None else scaled(form, -1)
    for a in sorted({a for mono in form for a, e in mono if e < 0 and e.denominator == 1}):
        power = max(-e for mono in form for b, e in mono if b == a)
        if forms.atom_sign(a) is None:
            power += power % 2
        form = forms.times(form, {((a, power),): Fraction(1)})
    return form


def _one_left(least: Mapping[Key, Fraction | Decimal], zeros: frozenset[str]) -> bool:
    """Is some term not 0 where these variables are?"""
    return any(value > 0 and not zeros & {name for name, _ in mono} for mono, value in least.items())


class _Counting:
    """Which variables the atoms of a form became; zeros: those that may be 0, together with their other end."""

    def __init__(self, forms: Algebra, ranges: Mapping[str, Range]) -> None:
        self.forms, self.ranges = forms, ranges
        self.zeros: set[str] = set()
        self.ends: list[tuple[str, ...]] = []

    def polynomial(self, form: Poly) -> Counted | None:
        """The form in variables that are not negative; None where one of its atoms has no such variables."""
        numbers = {a for mono in form for a, _ in mono if not self.forms.atoms[a].names}
        atoms = {a for mono in form for a, _ in mono} - numbers
        degrees = {a: max((e for mono in form for b, e in mono if b == a), default=0) for a in atoms}
        made = {a: self._variables(a, degrees[a], form) for a in sorted(atoms)}
        if any(found is None for found in made.values()) or len(self.ends) > MOST_ENDS:
            return None
        total: Counted = {}
        for mono, c in form.items():
            powers = dict(mono)
            part: Counted = {(): {tuple(pair for pair in mono if pair[0] in numbers): c}}
            for a, ways in made.items():
                assert ways is not None
                part = _times(part, ways(powers.get(a, 0)))
            for key, value in part.items():
                total[key] = plus(total.get(key, {}), value)
        return {key: value for key, value in total.items() if value}

    def _variables(self, a: int, degree: Exponent, form: Poly) -> _Powers | None:
        """How a power of the atom is written; notes which variables may be 0."""
        atom = self.forms.atoms[a]
        exponents = {e for mono in form for b, e in mono if b == a}
        whole = all(e.denominator == 1 and 0 <= e <= LARGEST_DEGREE for e in exponents)
        even = all(e.denominator == 1 and e % 2 == 0 for e in exponents)
        s = self.ranges.get(atom.args[0]) if atom.head == "name" else None
        if s is not None and whole and (s.low or s.high is not None):
            return self._from_ends(f"{a}", s, degree)
        if self.forms.atom_sign(a) is None and not even:
            return None
        if self.forms.atom_sign(a) != 1:
            self.zeros.add(f"{a}")
        return _Powers(f"{a}", None, None, degree)

    def _from_ends(self, name: str, s: Range, degree: Exponent) -> _Powers:
        if s.low is not None and s.high is not None:
            ends = (*(() if s.low_open else (name,)), *(() if s.high_open else (f"{name}'",)))
            self.ends += [ends] if ends else []
        elif not (s.low_open if s.low is not None else s.high_open):
            self.zeros.add(name)
        return _Powers(name, s.low, s.high, degree)

    def faces(self) -> Iterator[frozenset[str]]:
        """The largest sets of variables that may be 0 together."""
        for chosen in product(*self.ends):
            yield frozenset((*self.zeros, *chosen))


class _Powers:
    """The powers of an atom in variables that are not negative: t, and for a range with two ends also t'."""

    def __init__(self, name: str, low: Fraction | None, high: Fraction | None, degree: Exponent) -> None:
        self.name, self.low, self.high, self.degree = name, low, high, degree
        self._made: dict[Exponent, Plain] = {}

    def __call__(self, e: Exponent) -> Plain:
        if e not in self._made:
            self._made[e] = self._of(e)
        return self._made[e]

    def _of(self, e: Exponent) -> Plain:
        near, far = self.name, f"{self.name}'"
        if self.low is not None and self.high is not None:
            # near is 0 at the low end, far at the high one: (low far + high near)^e (near + far)^(degree - e)
            inner = _power({far: self.low, near: self.high}, int(e))
            return _product(inner, _power({near: Fraction(1), far: Fraction(1)}, int(self.degree - e)))
        if self.low is not None:
            return _power({"": self.low, near: Fraction(1)}, int(e))
        if self.high is not None:
            return _power({"": self.high, near: Fraction(-1)}, int(e))
        return {((near, e),): Fraction(1)} if e else {(): Fraction(1)}


def _power(linear: dict[str, Fraction], n: int) -> Plain:
    one: Plain = {(((name, 1),) if name else ()): c for name, c in linear.items() if c}
    total: Plain = {(): Fraction(1)}
    for _ in range(n):
        total = _product(total, one)
    return total


def _product(a: Plain, b: Plain) -> Plain:
    METER.spend(len(a) * len(b))
    total: Plain = {}
    for m, c in a.items():
        for n, d in b.items():
            key = _merged(m, n)
            known = total.get(key)
            total[key] = c * d if known is None else known + c * d
    return total


def _times(a: Counted, b: Plain) -> Counted:
    METER.spend(len(a) * len(b))
    total: Counted = {}
    for m, c in a.items():
        for n, d in b.items():
            key = _merged(m, n)
            known, more = total.get(key), scaled(c, d)
            total[key] = more if known is None else plus(known, more)
    return total


def _merged(m: Key, n: Key) -> Key:
    if not (m and n):
        return m or n
    powers = dict(m)
    for name, e in n:
        powers[name] = powers.get(name, 0) + e
    return tuple(sorted(powers.items()))
