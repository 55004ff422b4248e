"""Probabilities of unions and intersections of events: conditions that a claim file can use.

Events with these probabilities exist, on some probability space, exactly where the conditions hold (Frechet 1935). So
what follows from them holds for all events, dependent or not, and a point that breaks a bound is a space that does.
"""

from __future__ import annotations

from dpaudit.records.errors import ContentError


def any_of(union: str, *events: str) -> tuple[str, ...]:
    """The probability `union` that at least one of the events happens, from their probabilities: the union bound, and
    no event is more probable than the union. All are terms with values in [0, 1], which their ranges say."""
    return (f"{union} <= {_sum(events)}", *(f"{one} <= {union}" for one in events))


def all_of(intersection: str, *events: str) -> tuple[str, ...]:
    """The probability `intersection` that all of the events happen, from their probabilities: what all fail to have
    adds up at most, and no event is less probable. All are terms with values in [0, 1], which their ranges say."""
    least = f"{_sum(events)} - {len(events) - 1} <= {intersection}"
    return (least, *(f"{intersection} <= {one}" for one in events))


def _sum(events: tuple[str, ...]) -> str:
    if len(events) < 2:
        raise ContentError(f"a union or an intersection is of two events or more, got {len(events)}")
    return " + ".join(f"({one})" for one in events)
