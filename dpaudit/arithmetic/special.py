"""Enclosures of special functions: end points where a function is monotone, all reals where it is undefined.

Arb's own values of the incomplete gamma and beta functions can be wide or not a number in
bad spots; the working precision is then raised, and what is left over is cut to [0, 1].
"""

from __future__ import annotations

from collections.abc import Callable

from flint import arb, ctx

from dpaudit.arithmetic.intervals import (
    INFINITY,
    REALS,
    Interval,
    absolute,
    add,
    exact,
    hull,
    increasing,
    multiply,
    precision,
)

MOST_PRECISION = 4096
GAMMA_MINIMUM = (arb("1.46163"), arb("1.46164"), arb("0.8856031944108").lower())
"""Bounds of the place and of the value of the minimum of Gamma on (0, oo): Gamma(1.461632...) = 0.88560319441088..."""


def log2(a: Interval) -> Interval:
    """The logarithm to base 2 of a >= 0, exact at powers of two."""
    if not (a.low >= 0 and a.high > 0):
        return REALS
    return increasing(_log2_at(a.low), _log2_at(a.high))


def _log2_at(x: arb) -> arb:
    if x == INFINITY or x == 0:
        return INFINITY if x > 0 else -INFINITY
    mantissa, exponent = x.man_exp()
    return arb(exponent) if mantissa == 1 else x.log() / arb.const_log2()


def floor(a: Interval) -> Interval:
    """The greatest integer at most a."""
    return increasing(*(x if abs(x) == INFINITY else x.floor() for x in (a.low, a.high)))


def ceil(a: Interval) -> Interval:
    """The least integer at least a."""
    return increasing(*(x if abs(x) == INFINITY else x.ceil() for x in (a.low, a.high)))


def exprel(a: Interval) -> Interval:
    """(e^a - 1)/a, with 1 at 0: the mean of e^(ta) over t in [0, 1], so increasing and positive."""

    def value(x: arb) -> arb:
        if x == 0:
            return arb(1)
        return arb(0) if x == -INFINITY else x if x == INFINITY else x.expm1() / x

    return increasing(value(a.low), value(a.high))


def normal_cdf(a: Interval) -> Interval:
    """The distribution function of N(0, 1)."""

    def value(x: arb) -> arb:
        if x == INFINITY or x == -INFINITY:
            return arb(1) if x > 0 else arb(0)
        return (-x / arb(2).sqrt()).erfc() / 2  # keeps a relative error in the lower tail

    return _probability(value(a.low), value(a.high))


def beta_tail(a: Interval, b: Interval, t: Interval) -> Interval:
    """P(Beta(a, b) > t): stochastically increasing in a, decreasing in b, decreasing in t."""
    if not (a.low >= 0 and b.low >= 0 and a.high > 0 and b.high > 0):
        return REALS
    return _probability(_beta_tail_at(a.low, b.high, t.high), _beta_tail_at(a.high, b.low, t.low))


def _beta_tail_at(a: arb, b: arb, t: arb) -> arb:
    if t <= 0:
        return arb(1)
    if t >= 1 or a == 0 or b == INFINITY:
        return arb(0)
    if b == 0 or a == INFINITY:
        return arb(1)
    # The smaller of both sides is computed: it keeps a relative accuracy, and Arb is fast there.
    if t * (a + b) < a:
        return _sharp(lambda: 1 - t.beta_lower(a, b, regularized=1))
    return _sharp(lambda: (1 - t).beta_lower(b, a, regularized=1))


def gamma_tail(a: Interval, x: Interval) -> Interval:
    """P(Gamma(a, 1) > x): increasing in a > 0, decreasing in x, 1 for x <= 0."""
    if not (a.low >= 0 and a.high > 0):
        return REALS
    return _probability(_gamma_tail_at(a.low, x.high), _gamma_tail_at(a.high, x.low))


def _gamma_tail_at(a: arb, x: arb) -> arb:
    if x <= 0:
        return arb(1)
    if x == INFINITY or a == 0:
        return arb(0)
    if a == INFINITY:
        return arb(1)
    return _sharp(lambda: x.gamma_upper(a, regularized=1))


def binomial_cdf(k: Interval, n: Interval, q: Interval) -> Interval:
    """P(Bin(n, q) <= k), n >= 0 an integer, 0 <= q <= 1: increasing in k, decreasing in n and q."""
    least, most, last = ceil(n).low, floor(n).high, floor(k)
    if not (least >= 0 and least <= most and q.low >= 0 and q.high <= 1):
        return REALS
    return _probability(_binomial_cdf_at(last.low, most, q.high), _binomial_cdf_at(last.high, least, q.low))


def _binomial_cdf_at(k: arb, n: arb, q: arb) -> arb:
    if k < 0:
        return arb(0)
    if k >= n or q == 0:
        return arb(1)
    if q == 1 or n == INFINITY:
        return arb(0)
    if n * q < k:
        return _sharp(lambda: 1 - q.beta_lower(k + 1, n - k, regularized=1))
    return _sharp(lambda: (1 - q).beta_lower(n - k, k + 1, regularized=1))


def _sharp(value: Callable[[], arb]) -> arb:
    """The value with an accuracy of half the working precision, at a higher precision where that is needed."""
    wanted, bits = ctx.prec // 2, ctx.prec
    found = value()
    while (found.is_nan() or found.rel_accuracy_bits() < wanted) and bits < MOST_PRECISION:
        bits *= 2
        with precision(bits):
            found = value()
    return found


def _probability(low: arb, high: arb) -> Interval:
    """The balls at both ends, cut to [0, 1]; a ball that is not a number gives the whole of it."""
    ends = increasing(low, high)
    return Interval(ends.low if ends.low > 0 else arb(0), ends.high if ends.high < 1 else arb(1))


def gamma(a: Interval) -> Interval:
    """The Gamma function on a > 0, and at single points elsewhere that are not poles."""
    if a.low == a.high:
        return REALS if abs(a.low) == INFINITY else hull(a.low.gamma())
    if not a.low >= 0:
        return REALS
    low, high = (INFINITY if x == 0 or x == INFINITY else x.gamma() for x in (a.low, a.high))
    before, after, least = GAMMA_MINIMUM
    if a.high <= before:
        return increasing(high, low)
    if a.low >= after:
        return increasing(low, high)
    return Interval(least, hull(low, high).high)


def factorial(n: Interval) -> Interval:
    """n! = Gamma(n + 1)."""
    return gamma(add(n, exact(1)))


def binomial(n: Interval, k: Interval) -> Interval:
    """The binomial coefficient: a polynomial in n for an integer k, else by Gamma where 0 <= k <= n."""
    if k.low == k.high and k.low.is_integer() and k.low >= 0 and k.low <= 1000 and n.low >= k.low - 1:
        return _falling(n, int(k.low.unique_fmpz()))
    if not (k.low >= 0 and k.high <= n.low):
        return REALS
    # Increasing in n; in k log-concave and symmetric about n/2, so least at an end and greatest nearest n/2.
    low = hull(*(_coefficient(n.low, x) for x in (k.low, k.high))).low
    middle = n.high / 2
    top = k.high if k.high <= middle else k.low if k.low >= middle else middle
    high = INFINITY if n.high == INFINITY else _coefficient(n.high, top)
    return increasing(low, high)


def _falling(n: Interval, k: int) -> Interval:
    """n(n-1)...(n-k+1)/k! for n >= k - 1, where no factor is negative."""
    total = exact(1)
    for i in range(k):
        factor = add(n, exact(-i))
        total = multiply(total, multiply(absolute(factor), hull(1 / arb(i + 1))))
    return total


def _coefficient(n: arb, k: arb) -> arb:
    return (n + 1).gamma() * (k + 1).rgamma() * (n - k + 1).rgamma()
