"""Powers, roots, exponentials, logarithms and absolute values of forms.

A rule that needs a sign, such as the one for the root of a product, is used where the signs are shown.
"""

from __future__ import annotations

from fractions import Fraction

from dpaudit.recheck.polynomials import (
    HALF,
    MOST_POWER,
    NONE,
    ONE,
    Algebra,
    Atom,
    Exponent,
    Mono,
    Poly,
    as_number,
    constant,
    plus,
    scaled,
)
from dpaudit.recheck.polynomials import Powers as Factors
from dpaudit.recheck.terms import Term

MOST_FACTOR = 10_000
"""Largest prime that is looked for."""


class Powers(Algebra):
    """Forms with powers. What is raised as a term is taken apart before sums are written out."""

    def form(self, node: Term) -> Poly:
        """The normal form of a scalar term."""
        raise NotImplementedError

    def zero(self, form: Poly) -> bool:
        """As of sums, and with the powers of each base as one power."""
        left = self.cleared(form)[0]
        if not left or not any(self.atoms[a].head in ("power", "powers") for mono in left for a, _ in mono):
            return not left
        return not self.cleared(self._regrouped(left))[0]

    def _regrouped(self, form: Poly) -> Poly:
        """The form with the powers of each base as one power, so that exponents such as 1/a - 1/(a + a**2) add up."""
        total: Poly = {}
        for mono, c in form.items():
            exponents: dict[int, Poly] = {}
            for a, e in mono:
                whole = self.atoms[a].head not in ("power", "powers")
                base, inner = (a, constant(1)) if whole else (self.atoms[a].args[0], self._exponent(a))
                exponents[base] = plus(exponents.get(base, {}), scaled(inner, Fraction(e)))
            total = plus(total, scaled(self.times(*(self.atom_to(b, e) for b, e in exponents.items())), c))
        return total

    def power(self, base: Poly, exponent: Poly) -> Poly:
        """base**exponent, taken apart where every factor is shown not to be negative, or the exponent is whole."""
        n = as_number(exponent)
        if n is not None and n.denominator == 1 and (n <= MOST_POWER or len(base) == 1):
            return self.whole_power(base, int(n))
        if not base:
            return {} if n is not None and n > 0 else self.opaque("**", base, exponent)
        c, powers = self.factors(base)
        if not self.is_whole(exponent):
            powers = tuple(map(self._squared, powers))
            if c < 0 or any(self.atom_sign(a) is None for a, _ in powers):
                return self._root(c, powers) if n == HALF else self.opaque("**", base, exponent)
        return self.times(self._number_to(c, exponent), *(self.atom_to(a, scaled(exponent, e)) for a, e in powers))

    def raised(self, node: Term, exponent: Poly) -> Poly:
        """A power of a product by those of its factors, before sums are written out."""
        whole, plain = self.is_whole(exponent), self.signs.sign
        match node:
            case ("*" | "/" as head, a, b) if whole or (plain(a) is not None and plain(b) is not None):
                return self.times(self.raised(a, exponent), self.raised(b, scaled(exponent, 1 if head == "*" else -1)))
            case ("**", a, n) if whole or plain(a) is not None:
                return self.raised(a, self.times(self.form(n), exponent))
        return self.power(self.form(node), exponent)

    def _squared(self, power: tuple[int, Exponent]) -> tuple[int, Exponent]:
        """An even power of a number of unknown sign, as that of its absolute value."""
        a, e = power
        if self.atom_sign(a) is not None or e % 2:
            return power
        base = {((a, 1),): ONE}
        return self.atom("abs", (base,), 0, ("abs", self.atoms[a].node)), e

    def _root(self, c: Fraction, powers: Factors) -> Poly:
        """The square root as an atom; the size of the number comes out of it."""
        inner = self.reduced(dict(powers), ONE if c > 0 else -ONE)
        outer = self._number_to(abs(c), constant(HALF))
        return self.times(outer, self.one_atom("sqrt", (inner,), 0, ("sqrt", self.node(inner))))

    def _number_to(self, c: Fraction, exponent: Poly) -> Poly:
        """A number to a power, by its prime factors; a negative one to a whole power alone."""
        if c < 0:
            made = constant(1)
            for mono, k in exponent.items():
                head = self.atom("alternating", (mono,), None, ("**", Fraction(-1), self.node({mono: ONE})))
                made = self.times(made, self.reduced({head: k}, ONE) if mono else constant((-1) ** int(k)))
            return self.times(made, self._number_to(-c, exponent))
        made = constant(1)
        for value, sign in ((c.numerator, 1), (c.denominator, -1)):
            for prime, e in _primes(value):
                a = self.atom("prime", (Fraction(prime),), 1, Fraction(prime))
                made = self.times(made, self.atom_to(a, scaled(exponent, sign * e)))
        return made

    def atom_to(self, a: int, exponent: Poly) -> Poly:
        """A power of an atom that is not negative, or a whole power: one factor for each term of the exponent."""
        atom, made, exponent = self.atoms[a], constant(1), self.lowest(exponent)
        if atom.head in ("power", "powers"):
            return self.atom_to(atom.args[0], self.times(self._exponent(a), exponent))
        if as_number(exponent) is None and not self._apart(a, exponent):
            node = ("**", atom.node, self.node(exponent))
            return self.one_atom("powers", (a, exponent), None, node)
        for mono, c in exponent.items():
            made = self.times(made, self._one_power(a, atom, mono, c))
        return made

    def _exponent(self, a: int) -> Poly:
        """The exponent of an atom that is a power."""
        inner = self.atoms[a].args[1]
        return inner if self.atoms[a].head == "powers" else {inner: ONE}

    def _apart(self, a: int, exponent: Poly) -> bool:
        """Has the power a value only where the power to each term of the exponent has one? 0**(n - 1) is 1 at n = 1."""
        if self.atom_sign(a) == 1 or self.atoms[a].head == "alternating":
            return True
        if self.sign({((a, 1),): -ONE}) == 1:
            return True
        if len(exponent) == 1:
            return all(c > 0 for c in exponent.values())
        return all(self.sign({mono: c}) is not None for mono, c in exponent.items())

    def _one_power(self, a: int, atom: Atom, mono: Mono, c: Fraction) -> Poly:
        if not mono:
            return self.reduced({a: c}, ONE)
        logs = [b for b, e in mono if self.atoms[b].head == "log" and e == 1]
        below = () if atom.head == "e" else self._below(a, mono)
        if len(logs) == 1 and (atom.head == "e" or below):
            # exp(c m log(b)) is b**(c m), as is a**(c m log(b)/log(a)): b is positive where log(b) has a value
            rest = tuple(pair for pair in mono if pair[0] != logs[0] and pair not in below)
            base = self.atoms[logs[0]].args[0]
            size, powers = self.factors(base) if base else (NONE, ())
            if size > 0 and all(self.atom_sign(b) is not None for b, _ in powers):
                return self.power(base, {rest: c})
        node = ("**", atom.node, self.node({mono: ONE}))
        return self.reduced({self.atom("power", (a, mono), None, node): c}, ONE)

    def _below(self, a: int, mono: Mono) -> Mono:
        """The logarithm of the atom where the product is divided by it."""
        if not any(self.atoms[b].head == "log" and e == -1 for b, e in mono):
            return ()
        form = self._log_of_atom(a)
        ((own, c),) = form.items() if len(form) == 1 else (((), NONE),)
        return tuple(pair for pair in mono if own == ((pair[0], 1),) and c == 1 and pair[1] == -1)

    def log(self, base: Poly) -> Poly:
        """The logarithm: a sum over the factors where none is negative."""
        if not base:
            return self.opaque("log", base)
        c, powers = self.factors(base)
        if c < 0 or any(self.atom_sign(a) is None for a, _ in powers):
            return self.opaque("log", base)
        made = [scaled(self._log_of_atom(a), e) for a, e in powers]
        for value, sign in ((c.numerator, 1), (c.denominator, -1)):
            made += [scaled(self.opaque("log", constant(prime)), sign * e) for prime, e in _primes(value)]
        return plus(*made)

    def log_of(self, node: Term) -> Poly:
        """The logarithm of a product by those of its factors, none of them negative, before sums are written out."""
        match node:
            case ("*" | "/" as head, a, b) if self.signs.sign(a) is not None and self.signs.sign(b) is not None:
                return plus(self.log_of(a), scaled(self.log_of(b), 1 if head == "*" else -1))
            case ("**", a, n) if self.signs.sign(a) == 1:
                return self.times(self.form(n), self.log_of(a))
        return self.log(self.form(node))

    def _log_of_atom(self, a: int) -> Poly:
        atom = self.atoms[a]
        if atom.head == "prime":
            return self.opaque("log", constant(atom.args[0]))
        if atom.head == "e":
            return constant(1)
        if atom.head == "power":
            return self.times({atom.args[1]: ONE}, self._log_of_atom(atom.args[0]))
        if atom.head == "sqrt":
            return scaled(self.log(atom.args[0]), HALF)
        return self.opaque("log", atom.args[0] if atom.head == "poly" else {((a, 1),): ONE})

    def absolute(self, base: Poly) -> Poly:
        """|base|: factors of known sign and even powers come out."""
        if not base:
            return {}
        c, powers = self.factors(base)
        plain = {a: e for a, e in powers if self.atom_sign(a) is not None or e % 2 == 0}
        other = {a: e for a, e in powers if a not in plain}
        outside = self.reduced(plain, abs(c))
        if not other:
            return outside
        inner = self.reduced(other, ONE)
        if self.sign(scaled(inner, -1)) is not None:
            return self.times(outside, scaled(inner, -1))
        return self.times(outside, self.opaque("abs", inner))


def _primes(n: int) -> list[tuple[int, int]]:
    """Prime factors with their exponents; what is left beyond small ones counts as one."""
    found, p = [], 2
    while p * p <= n and p <= MOST_FACTOR:
        e = 0
        while n % p == 0:
            n, e = n // p, e + 1
        found += [(p, e)] if e else []
        p += 1 if p == 2 else 2
    return [*found, (n, 1)] if n > 1 else found
