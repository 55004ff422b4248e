"""Encloses terms: an interval that contains every value of a term, all reals where it has none for certain."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from decimal import Decimal
from fractions import Fraction
from functools import lru_cache
from itertools import pairwise

from dpaudit.recheck import interval, special
from dpaudit.recheck.interval import METER, REALS, Interval
from dpaudit.recheck.terms import MOST_EXPONENT, Refused, Term, show

MOST_TERMS = 5_000
LARGEST_INDEX = 10**18
FUNCTIONS: dict[str, Callable[..., Interval]] = {
    "+": interval.add,
    "-": special.minus,
    "*": interval.multiply,
    "/": special.divided,
    "**": interval.power,
    "neg": interval.negate,
    "exp": interval.exp,
    "log": interval.log,
    "log2": special.log2,
    "sqrt": interval.sqrt,
    "abs": interval.absolute,
    "min": interval.least,
    "max": interval.largest,
    "floor": interval.floor,
    "ceil": interval.ceil,
    "Phi": special.normal_cdf,
    "exprel": special.exprel,
    "Gamma": special.gamma,
    "factorial": special.factorial,
    "binomial": special.binomial,
    "gamma_tail": special.gamma_tail,
    "beta_tail": special.beta_tail,
    "binomial_cdf": special.binomial_cdf,
}
constant = lru_cache(maxsize=4096)(interval.enclose)


def sequence(name: str) -> str:
    """The key of an interval around every number of a sequence, which no symbol has."""
    return f"{name}[]"


def enclose(node: Term, values: Mapping[str, Interval], panels: int = 1) -> Interval:
    """An interval around the term. values: one around each symbol; panels: pieces of each integral."""
    METER.spend(1)
    match node:
        case Fraction():
            return constant(node)
        case str():
            if node not in values:
                raise Refused(f"the symbol {node!r} has no range")
            return values[node]
        case ("pi",):
            return special.PI
        case (("sum" | "integral") as head, index, low, high, body):
            ends = enclose(low, values, panels), enclose(high, values, panels)
            return (_sum if head == "sum" else _integral)(index, *ends, body, values, panels)
        case ("at", name, _) if sequence(name) in values:
            return values[sequence(name)]
        case (head, *rest) if head in FUNCTIONS:
            return FUNCTIONS[head](*(enclose(arg, values, panels) for arg in rest))
    raise Refused(f"{show(node)[:80]} has no value that can be enclosed")


def _sum(
    index: str, low: Interval, high: Interval, body: Term, values: Mapping[str, Interval], panels: int
) -> Interval:
    """Term by term, for ends that are single whole numbers."""
    first, last = interval.whole(low, LARGEST_INDEX), interval.whole(high, LARGEST_INDEX)
    if first is None or last is None or last - first > MOST_TERMS:
        return REALS
    total = special.at(interval.ZERO)
    for k in range(first, last + 1):
        total = interval.add(total, enclose(body, {**values, index: special.at(Decimal(k))}, panels))
    return total


def _integral(
    index: str, low: Interval, high: Interval, body: Term, values: Mapping[str, Interval], panels: int
) -> Interval:
    """Equal panels: width times the range of the integrand on each; ends that are single numbers."""
    ends = (low[0], high[0])
    if low[0] != low[1] or high[0] != high[1] or not low[0] <= high[0] or any(x.is_infinite() for x in ends):
        return REALS
    if any(x and abs(x.adjusted()) > MOST_EXPONENT for x in ends):  # too long as a fraction
        return REALS
    first, last = Fraction(low[0]), Fraction(high[0])
    width = interval.enclose((last - first) / panels)
    total, edges = special.at(interval.ZERO), [first + (last - first) * i / panels for i in range(panels + 1)]
    for left, right in pairwise(edges):
        panel = interval.enclose(left)[0], interval.enclose(right)[1]
        total = interval.add(total, interval.multiply(width, enclose(body, {**values, index: panel}, panels)))
    return total
