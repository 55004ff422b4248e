"""Special functions with proven errors: series of positive terms with a geometric tail, Stirling's series.

Every function takes and gives intervals. Values at a point come from a truncated series whose
remainder is bounded by its first omitted terms; intervals use the monotonicity that is
stated with each function.
"""

from __future__ import annotations

import math
from collections.abc import Iterator
from decimal import Decimal
from fractions import Fraction
from functools import lru_cache

from dpaudit.recheck.interval import (
    DIGITS,
    INFINITY,
    METER,
    ONE,
    REALS,
    TWO,
    ZERO,
    Interval,
    add,
    ceil,
    enclose,
    exp,
    floor,
    hull,
    log,
    monotone,
    multiply,
    negate,
    reciprocal,
    sqrt,
    whole,
    whole_power,
)

HALF = Decimal("0.5")
TINY = Decimal(10) ** -(DIGITS + 6)
MOST_TERMS = 20_000
SMALL_TAIL = Decimal(10) ** -(DIGITS // 2)


def pi() -> Interval:
    """The number pi, by Machin's formula in whole numbers."""
    scale = 10 ** (DIGITS + 12)

    def arctan(inverse: int) -> int:
        total: int = scale // inverse
        term, n, sign = total, 3, -1
        while term:
            term //= inverse * inverse
            total += sign * (term // n)
            n, sign = n + 2, -sign
        return total

    middle = 4 * (4 * arctan(5) - arctan(239))  # each of fewer than 200 truncated terms is off by less than 1
    return enclose(Fraction(middle - 5_000, scale))[0], enclose(Fraction(middle + 5_000, scale))[1]


PI = pi()


def at(x: Decimal) -> Interval:
    """The interval of one number."""
    return x, x


def minus(a: Interval, b: Interval) -> Interval:
    """a - b."""
    return add(a, negate(b))


def divided(a: Interval, b: Interval) -> Interval:
    """a / b."""
    return multiply(a, reciprocal(b))


def positive_series(first: Interval, ratios: Iterator[Interval]) -> Interval:
    """first * (1 + r_1 + r_1 r_2 + ...) for positive ratios that decrease: once a ratio is at most 1/2, the
    rest is at most the last term."""
    total, term = first, first
    for _, ratio in zip(range(MOST_TERMS), ratios, strict=False):
        term = multiply(term, ratio)
        total = add(total, term)
        if ratio[1] <= HALF and term[1] <= TINY * total[0]:
            return add(total, (ZERO, term[1]))
    return total[0], INFINITY


def normal_cdf(a: Interval) -> Interval:
    """Phi, increasing."""
    low, high = monotone(_normal_cdf_at, a, ZERO, ONE)
    return max(low, ZERO), min(high, ONE)


def _normal_cdf_at(x: Decimal) -> Interval:
    size = x.copy_abs()
    density = divided(exp(divided(multiply(at(size), at(size.copy_negate())), at(TWO))), sqrt(multiply(at(TWO), PI)))
    if size > 12:
        tail = multiply(density, _mills(size))
        return tail if x < 0 else minus(at(ONE), tail)
    square = multiply(at(size), at(size))
    odd = (divided(square, at(Decimal(2 * k + 1))) for k in range(1, MOST_TERMS))
    middle = multiply(density, positive_series(at(size), odd)) if size else at(ZERO)
    half = at(HALF)
    return add(half, middle) if x > 0 else minus(half, middle)


def _mills(x: Decimal) -> Interval:
    """(1 - Phi(x))/phi(x) for x > 12: partial sums of the asymptotic series lie above and below it in turn."""
    term = total = reciprocal(at(x))
    low, high = ZERO, total[1]
    square = multiply(at(x), at(x))
    for k in range(1, 60):
        term = negate(multiply(term, divided(at(Decimal(2 * k - 1)), square)))
        total = add(total, term)
        low, high = (max(low, total[0]), high) if k % 2 else (low, min(high, total[1]))
    return low, high


def exprel(a: Interval) -> Interval:
    """(e^x - 1)/x, 1 at 0: increasing."""
    return monotone(_exprel_at, a, ZERO, INFINITY)


def _exprel_at(x: Decimal) -> Interval:
    if x.copy_abs() > 1:
        return divided(minus(exp(at(x)), at(ONE)), at(x))
    total = term = at(ONE)
    for n in range(2, 60):
        term = multiply(term, divided(at(x), at(Decimal(n))))
        total = add(total, term)
    rest = max(term[0].copy_abs(), term[1].copy_abs())  # |x|/n <= 1/60: the rest is less than the last term
    return add(total, (rest.copy_negate(), rest))


def log2(a: Interval) -> Interval:
    """The logarithm to base 2 of a >= 0, exact at powers of two: increasing."""
    return monotone(_log2_at, a, -INFINITY, INFINITY) if a[0] > 0 else divided(log(a), log(at(TWO)))


def _log2_at(x: Decimal) -> Interval:
    if abs(x.adjusted()) <= DIGITS:
        top, bottom = Fraction(x).as_integer_ratio()
        if not top & (top - 1) and not bottom & (bottom - 1):
            return at(Decimal(top.bit_length() - bottom.bit_length()))
    return divided(log(at(x)), log(at(TWO)))


BERNOULLI: list[Fraction] = []
for n in range(64):  # B_n from sum_{j <= n} C(n + 1, j) B_j = 0
    BERNOULLI.append(Fraction(n == 0) if n == 0 else -sum(
        (math.comb(n + 1, j) * BERNOULLI[j] for j in range(n)), Fraction(0)) / (n + 1))  # fmt: skip


@lru_cache(maxsize=4096)
def log_gamma(x: Interval) -> Interval:
    """log Gamma on a narrow interval above 0, by Stirling's series at x + n >= 40.

    Its rest is at most the first term that is left out.
    """
    shift, exact = at(ONE), x
    while exact[0] < 40:
        shift = multiply(shift, exact)
        exact = add(exact, at(ONE))
    half = at(HALF)
    main = minus(multiply(minus(exact, half), log(exact)), exact)
    total = add(main, multiply(half, log(multiply(at(TWO), PI))))
    for k in range(1, 30):
        total = add(total, multiply(enclose(BERNOULLI[2 * k] / (2 * k * (2 * k - 1))), whole_power(exact, 1 - 2 * k)))
    rest = multiply(enclose(abs(BERNOULLI[60]) / (60 * 59)), whole_power(exact, -59))[1]
    return minus(add(total, (rest.copy_negate(), rest)), log(shift))


def gamma(a: Interval) -> Interval:
    """Gamma on a > 0: decreasing up to 1.46, increasing from 1.47, at least 0.88 between."""
    if not a[0] > 0:
        return REALS
    ends = [exp(log_gamma(at(x))) if x.is_finite() else at(INFINITY) for x in a]
    if a[0] >= Decimal("1.47"):
        return ends[0][0], ends[1][1]
    if a[1] <= Decimal("1.46"):
        return ends[1][0], ends[0][1]
    return Decimal("0.88"), max(ends[0][1], ends[1][1])


def factorial(n: Interval) -> Interval:
    """n!, exact at whole numbers."""
    exact = whole(n, 2_000)
    if exact is not None and exact >= 0:
        METER.spend(100)
        return enclose(Fraction(math.factorial(exact)))
    return gamma(add(n, at(ONE)))


def binomial(n: Interval, k: Interval) -> Interval:
    """The binomial coefficient: exact at whole numbers, the product n(n-1)... for a whole k, nothing else."""
    top, bottom = whole(n, 10**18), whole(k, 1_000)
    if bottom is None or bottom < 0:
        return REALS
    if top is not None and top >= 0:
        METER.spend(bottom)
        return enclose(Fraction(math.comb(top, bottom)))
    total = at(ONE)
    for i in range(bottom):
        total = divided(multiply(total, minus(n, at(Decimal(i)))), at(Decimal(i + 1)))
    return total


def gamma_tail(a: Interval, x: Interval) -> Interval:
    """P(Gamma(a, 1) > x): increasing in a > 0, decreasing in x."""
    if not (a[0] > 0 and a[1].is_finite()):
        return REALS
    return _within(_gamma_tail_at(a[0], x[1]), _gamma_tail_at(a[1], x[0]))


def _gamma_tail_at(a: Decimal, x: Decimal) -> Interval:
    if x <= 0:
        return at(ONE)
    if x.is_infinite():
        return at(ZERO)
    shape, point = at(a), at(x)
    first = exp(minus(minus(multiply(shape, log(point)), point), log_gamma(add(shape, at(ONE)))))
    ratios = (divided(point, add(shape, at(Decimal(n)))) for n in range(1, MOST_TERMS))
    return minus(at(ONE), positive_series(first, ratios))


def beta_tail(a: Interval, b: Interval, t: Interval) -> Interval:
    """P(Beta(a, b) > t): increasing in a, decreasing in b and in t; ends 0 and oo stand for the limits there."""
    if not (a[0] >= 0 and b[0] >= 0 and a[1] > 0 and b[1] > 0):
        return REALS
    return _within(_beta_tail_at(a[0], b[1], t[1]), _beta_tail_at(a[1], b[0], t[0]))


@lru_cache(maxsize=4096)
def _beta_tail_at(a: Decimal, b: Decimal, t: Decimal) -> Interval:
    if t <= 0:
        return at(ONE)
    if t >= 1:
        return at(ZERO)
    # At both limits at once, such as a = 0 and b = 0, nothing is certain.
    to_zero, to_one = a == 0 or b == INFINITY, b == 0 or a == INFINITY
    if to_zero or to_one:
        return (ZERO, ONE) if to_zero and to_one else at(ZERO) if to_zero else at(ONE)
    if t <= HALF:  # the series in t converges fast; unless the tail is tiny, taking it from 1 loses few digits
        tail = minus(at(ONE), _incomplete_beta(at(t), minus(at(ONE), at(t)), a, b))
        if tail[0] > SMALL_TAIL:
            return tail
    return _incomplete_beta(minus(at(ONE), at(t)), at(t), b, a)


def _incomplete_beta(x: Interval, rest: Interval, p: Decimal, q: Decimal) -> Interval:
    """I_x(p, q) = x^p rest^q/(p B(p, q)) (1 + (p+q)/(p+1) x + (p+q)(p+q+1)/((p+1)(p+2)) x^2 + ...), rest = 1 - x."""
    one, both = add(at(p), at(ONE)), add(at(p), at(q))
    beta = minus(add(log_gamma(at(p)), log_gamma(at(q))), log_gamma(both))
    powers = add(multiply(at(p), log(x)), multiply(at(q), log(rest)))
    first = divided(exp(minus(powers, beta)), at(p))
    total, term = first, first
    for n in range(MOST_TERMS):
        step = at(Decimal(n))
        ratio = multiply(divided(add(both, step), add(one, step)), x)
        term = multiply(term, ratio)
        total = add(total, term)
        # Later ratios lie between this one and x: below 1 they bound a geometric rest.
        most = max(ratio[1], x[1])
        if most < 1 and term[1] <= TINY * total[0]:
            return add(total, (ZERO, divided(multiply(term, at(most)), minus(at(ONE), at(most)))[1]))
    return total[0], INFINITY


def binomial_cdf(k: Interval, n: Interval, q: Interval) -> Interval:
    """P(Bin(n, q) <= k): increasing in k, decreasing in n and q; whole n up to 2000."""
    fewest, most, last = ceil(n)[0], floor(n)[1], floor(k)
    if not (0 <= fewest <= most <= 2_000 and q[0] >= 0 and q[1] <= 1):
        return REALS
    last = (max(min(last[0], most), -ONE), max(min(last[1], most), -ONE))  # beyond 0 and n nothing changes
    return _within(_binomial_cdf_at(int(last[0]), int(most), q[1]), _binomial_cdf_at(int(last[1]), int(fewest), q[0]))


def _binomial_cdf_at(k: int, n: int, q: Decimal) -> Interval:
    if k >= n:
        return at(ONE)
    other = minus(at(ONE), at(q))
    total = at(ZERO)
    for j in range(k + 1):
        weight = enclose(Fraction(math.comb(n, j)))
        total = add(total, multiply(weight, multiply(whole_power(at(q), j), whole_power(other, n - j))))
    return total


def _within(low: Interval, high: Interval) -> Interval:
    """A probability between the lower end of one enclosure and the upper end of another."""
    found = hull((low[0], high[1]))
    return max(found[0], ZERO), min(found[1], ONE)
