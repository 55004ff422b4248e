"""Probabilities of events: conditions that a claim file can use.

Unions and intersections: events with these probabilities exist, on some probability space, exactly where the conditions
hold (Frechet 1935). So what follows from them holds for all events, dependent or not, and a point that breaks a bound
is a space that does. Tails of sums are bounds alone.
"""

from __future__ import annotations

from dpaudit.records.errors import ContentError


def any_of(union: str, *events: str) -> tuple[str, ...]:
    """The probability `union` that at least one of the events happens, from their probabilities: the union bound, and
    no event is more probable than the union. All are terms with values in [0, 1], which their ranges say."""
    return (f"{union} <= {added('a union', events)}", *(f"{one} <= {union}" for one in events))


def all_of(intersection: str, *events: str) -> tuple[str, ...]:
    """The probability `intersection` that all of the events happen, from their probabilities: what all fail to have
    adds up at most, and no event is less probable. All are terms with values in [0, 1], which their ranges say."""
    least = f"{added('an intersection', events)} - {len(events) - 1} <= {intersection}"
    return (least, *(f"{intersection} <= {one}" for one in events))


def any_of_many(union: str, count: str, each: str) -> tuple[str, ...]:
    """The probability `union` that at least one of `count` events happens, each with probability `each` at most."""
    return (f"{union} <= ({count})*({each})",)


def martingale_tail(probability: str, deviation: str, squares: str) -> tuple[str, ...]:
    """The probability that a martingale is ever at least `deviation` above its start; squares: the sum of the squares
    of bounds on its differences, which may be half the range of independent terms of mean 0 (Azuma 1967; Hoeffding
    1963, Theorem 2)."""
    return (f"{probability} <= exp(-({deviation})**2/(2*({squares})))",)


def bounded_martingale_tail(probability: str, deviation: str, variance: str, bound: str) -> tuple[str, ...]:
    """The same where every difference is at most `bound`, and `variance` is a bound on the sum of their conditional
    variances (Freedman 1975, Theorem 1.6)."""
    return (f"{probability} <= exp(-({deviation})**2/(2*(({variance}) + ({bound})*({deviation})/3)))",)


def added(what: str, parts: tuple[str, ...], least: int = 2) -> str:
    """The sum of the parts of `what` as a term; ContentError where there are fewer than `least`."""
    if len(parts) < least:
        raise ContentError(f"{what} is of {least} parts or more, got {len(parts)}")
    return " + ".join(f"({one})" for one in parts)
