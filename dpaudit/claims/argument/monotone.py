"""Which of two terms is at most the other by monotonicity alone, and which is a share of the other.

Every rule holds wherever both terms have a value; what is asked of other terms the checker shows on the whole domain.
"""

from __future__ import annotations

from fractions import Fraction

from dpaudit.recheck.signs import Context
from dpaudit.recheck.terms import ONE, ZERO, Relation, Term, free, substitute

INCREASING = ("exp", "Phi", "floor", "ceil", "exprel", "log", "log2", "sqrt", "min", "max")
"""Functions that grow with each of what they are taken of."""


def below(a: Term, b: Term, known: Context) -> bool:
    """Is a <= b wherever both have a value? Walks down to where they differ; there the checker is asked."""
    if a == b:
        return True
    if isinstance(a, Fraction) and isinstance(b, Fraction):
        return a <= b
    match a, b:
        case ("+", x, u), ("-", y, v) if (x, u) == (y, v):
            return at_most(u, ZERO, known)
        case ("-", x, u), ("+", y, v) if (x, u) == (y, v):
            return at_most(ZERO, u, known)
        case ("+", x, u), ("+", y, v):
            return below(x, y, known) and below(u, v, known)
        case ("-", x, u), ("-", y, v):
            return below(x, y, known) and below(v, u, known)
        case ("neg", x), ("neg", y):
            return below(y, x, known)
        case ("*", x, u), ("*", y, v):
            return _products((x, u), (y, v), known) or _products((u, x), (v, y), known)
        case ("/", x, u), ("/", y, v):
            return _quotients((x, u), (y, v), known)
        case ("**", x, n), ("**", y, m):
            return _powers((x, n), (y, m), known)
        case ("abs", x), ("abs", y):
            return _within(x, y, known) or at_most(a, b, known)
        case ("sum", *_), ("sum", *_):
            return _sums(a, b, known)
        case (str() as head, *parts), (str() as other, *others) if head == other and len(parts) == len(others):
            if head in INCREASING and all(below(x, y, known) for x, y in zip(parts, others, strict=True)):
                return True
    return at_most(a, b, known)


def at_most(a: Term, b: Term, known: Context) -> bool:
    """Have both a value on the whole domain, and is a <= b there?"""
    return known.shown(Relation(a, "<=", b))


def _above_zero(node: Term, known: Context) -> bool:
    return known.shown(Relation(ZERO, "<", node))


def _products(small: tuple[Term, Term], large: tuple[Term, Term], known: Context) -> bool:
    """x u <= y u <= y v by the signs of u and y."""
    (x, u), (y, v) = small, large
    return _times(u, x, y, known) and _times(y, u, v, known)


def _times(factor: Term, a: Term, b: Term, known: Context) -> bool:
    """factor a <= factor b."""
    if a == b or (at_most(ZERO, factor, known) and below(a, b, known)):
        return True
    return at_most(factor, ZERO, known) and below(b, a, known)


def _quotients(small: tuple[Term, Term], large: tuple[Term, Term], known: Context) -> bool:
    """x/u <= y/u <= y/v for positive u and v, by the sign of y; or with x/v in between, by the sign of x."""
    (x, u), (y, v) = small, large
    if not (_above_zero(u, known) and _above_zero(v, known) and below(x, y, known)):
        return False
    grows = below(v, u, known) and at_most(ZERO, y, known)
    return u == v or grows or (below(u, v, known) and at_most(x, ZERO, known))


def _powers(small: tuple[Term, Term], large: tuple[Term, Term], known: Context) -> bool:
    (x, n), (y, m) = small, large
    if n == m:
        if isinstance(n, Fraction) and n.denominator == 1 and n >= 0 and n % 2 == 0 and _within(x, y, known):
            return True
        up = at_most(ZERO, n, known) and at_most(ZERO, x, known) and below(x, y, known)
        return up or (at_most(n, ZERO, known) and _above_zero(y, known) and below(y, x, known))
    if x != y:
        return False
    if at_most(ONE, x, known):
        return below(n, m, known)
    # At 0 the powers are 0 for positive exponents, so that 0 may be among the values where both are positive.
    inside = _above_zero(x, known) or (at_most(ZERO, x, known) and _above_zero(n, known) and _above_zero(m, known))
    return inside and at_most(x, ONE, known) and below(m, n, known)


def _within(x: Term, y: Term, known: Context) -> bool:
    """-y <= x <= y, so that y is not negative."""
    return at_most(("neg", y), x, known) and below(x, y, known)


def _sums(a: Term, b: Term, known: Context) -> bool:
    """Sums over one range, term by term; or of the same terms over two ranges, one inside of the other, where what is
    left out of the smaller sum is not negative, or what it has more is nowhere positive."""
    assert isinstance(a, tuple)
    assert isinstance(b, tuple)
    (_, i, low, high, f), (_, j, first, last, g) = a, b
    if (i, f) != (j, g):
        if (low, high) != (first, last):
            return False
        index = known.index("sum", low, high, free(f) | free(g))  # one name for both, and none of a sum around them
        return below(substitute(f, {i: index}), substitute(g, {j: index}), known)
    if not all(map(known.whole, (low, high, first, last))):
        return False
    fewer = at_most(first, low, known) and at_most(high, last, known)
    more = at_most(low, first, known) and at_most(last, high, known)
    return (fewer and known.nonnegative(known.body(b))) or (more and known.nonnegative(("neg", known.body(a))))


def share(part: Term, whole: Term) -> tuple[Term, Term]:
    """(p, q) with part = p/q whole, where all have a value and q is not 0: what differs in products and quotients."""
    match part, whole:
        case (("*", x, u), ("*", y, v)) | (("/", x, u), ("/", y, v)) if u == v:
            return share(x, y)
        case (("*", x, u), ("*", y, v)) if x == y:
            return share(u, v)
        case (("/", x, u), ("/", y, v)) if x == y:
            return share(v, u)
    return part, whole


def bounded(old: Relation, new: Relation, known: Context) -> bool:
    """Does `new` follow from `old` because one side became a share or a multiple of itself?

    c left <= c right <= right for 0 <= c <= 1 and 0 <= right, or 1 <= c and right <= 0; left <= c left <= c right for
    0 <= c <= 1 and left <= 0; left <= right <= c right for 1 <= c and 0 <= left. c is positive, for strict relations.
    """
    left = old.right == new.right
    over, under = share(new.left, old.left) if left else share(new.right, old.right)
    if not (left or old.left == new.left) or not (_above_zero(over, known) and _above_zero(under, known)):
        return False
    low, high = (ZERO, old.right) if left else (old.left, ZERO)
    if at_most(over, under, known):
        return at_most(low, high, known)
    return at_most(under, over, known) and at_most(high, low, known)
