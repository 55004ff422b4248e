"""What is shown of terms on a domain: which sign they have, which relations hold.

Nothing here searches: the shape of a term, an enclosure over the whole domain, its form with every symbol counted from
the ends of its range, a multiple of one condition. What needs more is a step of a proof.
"""

from __future__ import annotations

from collections.abc import Iterator
from fractions import Fraction
from typing import Any

from dpaudit.recheck import counted, squares
from dpaudit.recheck.evaluate import enclose, sequence
from dpaudit.recheck.forms import Forms
from dpaudit.recheck.indices import Indices
from dpaudit.recheck.interval import INFINITY, REALS, Interval
from dpaudit.recheck.interval import enclose as around
from dpaudit.recheck.polynomials import Algebra, Poly, as_number, lead, minus
from dpaudit.recheck.symbols import Symbol
from dpaudit.recheck.terms import NAMED, Refused, Relation, Term, args, free, substitute, walk
from dpaudit.recheck.values import Values

ZERO, ONE = Fraction(0), Fraction(1)
MOST_CONDITIONS = 3
"""Conditions that are added up to show one sign."""


class Context(Values):
    """A domain: symbols with their ranges, and conditions, which are met only where both sides have a value.

    plain: signs without sums of conditions. Those are looked for in the forms of the plain context, so that no question
    rests on itself.
    """

    def __init__(
        self, symbols: tuple[Symbol, ...], conditions: tuple[Relation, ...], outer: Context | None = None
    ) -> None:
        self.symbols, self.given = symbols, conditions
        self._signs: dict[Any, int | None] = {}
        self._values: dict[Term, bool] = {}
        self.forms, self.other = Forms(self), None if outer else Forms(self, gamma=False)
        if outer is None:
            self.by_name = {s.name: s for s in symbols}
            self.conditions = list(conditions)
            self._indices = Indices()
            self._ranges: dict[str, Interval] = {}
        else:
            self.by_name, self.conditions, self._indices, self._ranges = outer.shared
        self.plain = self if outer else Context(symbols, conditions, self)
        for s in symbols if outer is None else ():
            if s.kind in ("real", "integer"):
                self._ranges[s.name] = self._range(s)
            if s.kind == "sequence":
                self._ranges[sequence(s.name)] = self._range(s)

    @property
    def shared(self) -> tuple[Any, ...]:
        """What a context and its plain one have together."""
        return self.by_name, self.conditions, self._indices, self._ranges

    def kind(self, name: str) -> str:
        """real, integer, vector, gaussian, sequence or vector_sequence."""
        if name not in self.by_name:
            raise Refused(f"the symbol {name!r} is not declared")
        return self.by_name[name].kind

    def scale(self, name: str) -> Term:
        """The standard deviation of a gaussian symbol."""
        return self.by_name[name].scale

    def gaussians(self) -> tuple[str, ...]:
        """The gaussian symbols, in their order."""
        return tuple(s.name for s in self.symbols if s.kind == "gaussian")

    def index(self, head: str, low: Term, high: Term, taken: frozenset[str]) -> str:
        """A name for the variable of sums and integrals with these ends, which lies between them (`Indices.known`)."""
        if (known := self._indices.known(head, low, high, taken, self.plain.equal)) is not None:
            return known
        name = self._indices.new(head, low, high)
        ends = [as_number(self.plain.forms.form(end)) for end in (low, high)]
        kind = "integer" if head == "sum" else "real"
        self.by_name[name] = symbol = Symbol(name, kind, ends[0], ends[1], False, False)
        self.conditions += [Relation(low, "<=", name), Relation(name, "<=", high)]
        self._ranges[name] = self._range(symbol)
        return name

    def _range(self, s: Symbol) -> Interval:
        """The closed range, narrowed by conditions that compare the symbol with a constant."""
        low = -INFINITY if s.low is None else around(s.low)[0]
        high = INFINITY if s.high is None else around(s.high)[1]
        for c in self.conditions:
            if c.left == s.name and not free(c.right):
                high = min(high, self.enclosure(c.right)[1])
            if c.right == s.name and not free(c.left):
                low = max(low, self.enclosure(c.left)[0])
        return (low, high) if low <= high else REALS  # conditions that contradict each other, or an empty sum

    def enclosure(self, node: Term) -> Interval:
        """An interval around the term on the whole domain."""
        try:
            return enclose(node, self._ranges)
        except Refused:
            return -INFINITY, INFINITY

    def sign(self, node: Term) -> int | None:
        """1 where the term is shown to be positive wherever it has a value, 0 where not negative, else None."""
        if node not in self._signs:
            self._signs[node] = None  # while it is looked for, nothing may rest on it
            self._signs[node] = self._sign(node)
        return self._signs[node]

    def _sign(self, node: Term) -> int | None:
        best: int | None = None
        for way in (self._by_condition, self._by_shape, self._by_enclosure, self._by_range):
            found = way(node)
            if found == 1:
                return 1
            best = found if best is None else best
        # Whether it is positive, and not only not negative, is not worth adding up conditions.
        found = (self if best is None else self.plain)._by_counting(node)
        return found if best is None or found == 1 else best

    def _by_condition(self, node: Term) -> int | None:
        wanted = (("-", c.right, c.left) == node or (c.left == ZERO and c.right == node) for c in self.conditions)
        signs = [c.sign for c, same in zip(self.conditions, wanted, strict=True) if same]
        return 1 if "<" in signs else 0 if signs else None

    def _by_shape(self, node: Term) -> int | None:
        match node:
            case Fraction():
                return 1 if node > 0 else 0 if node == 0 else None
            case ("exp" | "Phi" | "pi" | "exprel" | "Gamma" | "factorial", *_):
                return 1
            case ("norm" | "abs" | "beta_tail" | "gamma_tail" | "binomial_cdf", *_):
                return 0
            case ("dot", u, v):
                return 0 if u == v else None
            case ("at", name, _):
                return self._by_range(name)
            case ("E", inner):
                return self.sign(inner)
            case ("sum" | "integral", *_):
                return None if self.sign(self.body(node)) is None else int(self._starts_positive(node))
            case ("binomial", n, k):
                if self.nonnegative(k) and self.plain.nonnegative(("-", n, k)):
                    return 1
                return 0 if self.nonnegative(n) and self.whole(n) else None
            case ("log" | "log2", inner):
                return self.sign(("-", inner, ONE))
            case ("sqrt", inner):
                return 1 if self.sign(inner) == 1 else 0
            case ("**", base, exponent):
                even = isinstance(exponent, Fraction) and exponent.denominator == 1 and exponent % 2 == 0
                found = self.sign(base)
                return 0 if found is None and even else found
            case ("*" | "/", a, b):
                least = _least(self.sign(a), self.sign(b))
                return 0 if least is None and a == b and node[0] == "*" else least
            case ("+", a, b):
                return None if _least(self.sign(a), self.sign(b)) is None else max(self.sign(a) or 0, self.sign(b) or 0)
            case ("max", *parts):
                return max((s for s in map(self.sign, parts) if s is not None), default=None)
            case ("min", *parts):
                return _least(*map(self.sign, parts))
        return None

    def _starts_positive(self, node: Term) -> bool:
        """Has a sum at least one term, and is the first one positive?"""
        assert isinstance(node, tuple)
        head, variable, low, high, inner = node
        if head != "sum" or not (self.whole(low) and self.whole(high) and self.nonnegative(("-", high, low))):
            return False
        first = substitute(inner, {variable: low})
        return self.valued(first) and self.positive(first)

    def _by_enclosure(self, node: Term) -> int | None:
        low = self.enclosure(node)[0]
        return 1 if low > 0 else 0 if low >= 0 else None

    def _by_range(self, node: Term) -> int | None:
        """A symbol at an open end."""
        s = self.by_name.get(node) if isinstance(node, str) else None
        return 1 if s is not None and s.low is not None and s.low >= 0 and s.low_open else None

    def _by_counting(self, node: Term) -> int | None:
        if isinstance(node, str) or not self._countable(node):
            return None
        found = self.sum_sign(self.plain.forms, self.plain.forms.form(node))
        return self.sum_sign(self.forms, self.forms.form(node)) if found is None else found

    def sum_sign(self, forms: Algebra, form: Poly) -> int | None:
        """The sign of a sum of products in the atoms of these forms."""
        key = (forms, frozenset(form.items()))
        if key not in self._signs:
            self._signs[key] = None
            self._signs[key] = self._sum_sign(forms, form)
        return self._signs[key]

    def _sum_sign(self, forms: Algebra, form: Poly) -> int | None:
        found = counted.sign(forms, form, self.by_name, lambda one: self.enclosure(one)[0])
        if found is None and isinstance(forms, Forms):
            found = squares.sign(forms, counted.without_denominators(forms, form))
        if found is not None or self is self.plain:
            return found
        same = forms is self.plain.forms
        return self._by_multiples(form if same else self.plain.forms.form(forms.node(form)))

    def _countable(self, node: Term) -> bool:
        """Is the term a number, and not a vector? Those inside of dot products and norms do not count."""
        if isinstance(node, str):
            return node not in self.by_name or self.by_name[node].kind in ("real", "integer")
        if isinstance(node, tuple) and node[0] == "at" and self.kind(node[1]) != "sequence":
            return False
        inside = args(node)[1:] if isinstance(node, tuple) and node[0] in NAMED else args(node)
        return (isinstance(node, tuple) and node[0] in ("dot", "norm")) or all(map(self._countable, inside))

    def _by_multiples(self, form: Poly) -> int | None:
        """Conditions times products of known sign, and what is left has a sign as well."""
        forms, slacks = self.plain.forms, []
        named = frozenset[str]().union(*map(forms.names, form))
        for c in self.conditions:
            # What is known of the variable of a sum says nothing of the rest: the sum may be empty.
            inner = {name for name in free(c.left) | free(c.right) if name.startswith("#")}
            if inner <= named and self._countable(c.left) and self._countable(c.right):
                slacks.append((minus(forms.form(c.right), forms.form(c.left)), c.sign))
        return self._multiples(form, [pair for pair in slacks if pair[0]], MOST_CONDITIONS)

    def _multiples(self, wanted: Poly, slacks: list[tuple[Poly, str]], most: int) -> int | None:
        forms = self.plain.forms
        for i, (slack, sign) in enumerate(slacks):
            for factor, least in self._factors(wanted, slack):
                strict = forms.plain_sign(factor)
                if strict is None and sign != "==":
                    continue
                left = minus(wanted, forms.times(factor, slack))
                if forms.zero(left):
                    return min(least, 1 if strict == 1 and sign == "<" else 0)
                rest = forms.plain_sign(left)
                if rest is None and len(left) <= len(wanted):
                    rest = self.plain.sum_sign(forms, left)
                if rest is None and most > 1 and len(left) <= len(wanted):
                    rest = self._multiples(left, slacks[i + 1 :], most - 1)
                if rest is not None:
                    return min(least, rest)
        return None

    def _factors(self, wanted: Poly, slack: Poly) -> Iterator[tuple[Poly, int]]:
        """A term of one form over a term of the other, and the sign of the wanted form where that has no value."""
        forms = self.plain.forms
        below = {a for form in (wanted, slack) for mono in form for a, e in mono if e < 0}
        there = {a for form in (wanted, slack) for mono in form for a, _ in mono} - below
        at_zero = {a: 1 if forms.atom_sign(a) == 1 else self._at_zero(wanted, a) for a in there}
        leading = lead(slack)
        for first in sorted(slack, key=lambda mono: mono != leading):
            inverse, found = tuple((a, -e) for a, e in first), False
            for mono, c in wanted.items():
                powers = forms.merged(mono, inverse)
                least = [at_zero[a] for a, e in powers.items() if e < 0 and a not in below]
                if None not in least:
                    found = True
                    yield forms.reduced(powers, c / slack[first]), min((s for s in least if s is not None), default=1)
            if found:
                return

    def _at_zero(self, form: Poly, a: int) -> int | None:
        """The sign of a form at the points where an atom, which is nowhere below a fraction line, is 0."""
        return self.plain.forms.plain_sign({mono: c for mono, c in form.items() if all(b != a for b, _ in mono)})

    def body(self, node: Term) -> Term:
        """The body of a sum or integral in terms of the name that is kept for such ends."""
        assert isinstance(node, tuple)
        head, variable, low, high, inner = node
        return substitute(inner, {variable: self.index(head, low, high, free(inner))})

    def positive(self, node: Term) -> bool:
        """0 < node, wherever it has a value."""
        return self.sign(node) == 1

    def nonnegative(self, node: Term) -> bool:
        """0 <= node, wherever it has a value."""
        return self.sign(node) is not None

    def nonzero(self, node: Term) -> bool:
        """node != 0, wherever it has a value."""
        return self.positive(node) or self.positive(("neg", node))

    def whole(self, node: Term) -> bool:
        """Is every value of the term an integer?"""
        return self.forms.is_whole(self.forms.form(node))

    def shown(self, given: Relation) -> bool:
        """Both sides have a value on the whole domain, and the relation holds there."""
        if given in self.conditions:
            return True
        if not (self.defined(given.left) and self.defined(given.right)):
            return False
        if given.sign == "==":
            return self.equal(given.left, given.right)
        slack = given.right if given.left == ZERO else ("-", given.right, given.left)
        return self.positive(slack) if given.sign == "<" else self.nonnegative(slack)

    def equal(self, a: Term, b: Term) -> bool:
        """One value wherever both have one."""
        if a == b:
            return True
        if self.forms.is_vector(a) or self.forms.is_vector(b):
            u, v = self.forms.vector(a), self.forms.vector(b)
            return all(self.forms.zero(minus(u.get(name, {}), v.get(name, {}))) for name in {*u, *v})
        return self.zero(("-", a, b))

    def zero(self, node: Term) -> bool:
        """0 wherever it has a value."""
        if self.forms.zero(self.forms.form(node)):
            return True
        if self.other is None or not any(isinstance(part, tuple) and part[0] == "binomial" for part in walk(node)):
            return False
        return self.other.zero(self.other.form(node))


def _least(*signs: int | None) -> int | None:
    """The sign of a product: None where one is not known."""
    known = [s for s in signs if s is not None]
    return min(known) if len(known) == len(signs) else None
