"""What is said of unions and intersections holds for all events, and no more is said."""

from __future__ import annotations

import math
from fractions import Fraction
from itertools import product

import pytest

from dpaudit.claims.engines.rigorous.witness import inside
from dpaudit.claims.events import all_of, any_of, any_of_many, bounded_martingale_tail, martingale_tail
from dpaudit.claims.judge import judge
from dpaudit.claims.source import Source
from dpaudit.claims.writing import Statement, Step, real
from dpaudit.records.context import Context, Level
from dpaudit.records.errors import ContentError

P = tuple(real(name, "[0, 1]") for name in ("p", "a", "b", "c"))
QUARTERS = [Fraction(k, 4) for k in range(5)]


def holds(conditions, *values):
    at = tuple((s.name, str(value)) for s, value in zip(P, values, strict=False))
    return inside(Statement("0 <= p", P[: len(values)], conditions), at)


def spaces(events):
    """The probabilities of the events, of their union and of their intersection, on four points of weight 1/4."""
    found = {}
    for sets in product(product((0, 1), repeat=4), repeat=events):
        single = tuple(Fraction(sum(one), 4) for one in sets)
        either = Fraction(sum(map(max, zip(*sets, strict=True))), 4)
        both = Fraction(sum(map(min, zip(*sets, strict=True))), 4)
        found.setdefault(single, (set(), set()))
        found[single][0].add(either)
        found[single][1].add(both)
    return found


@pytest.mark.parametrize("events", [2, 3])
def test_the_conditions_hold_exactly_where_such_events_exist(events):
    names = ("a", "b", "c")[:events]
    for single, (unions, intersections) in spaces(events).items():
        assert {p for p in QUARTERS if holds(any_of("p", *names), p, *single)} == unions
        assert {p for p in QUARTERS if holds(all_of("p", *names), p, *single)} == intersections


@pytest.mark.parametrize(
    ("expected", "expression", "conditions"),
    [
        ("PROVED", "p <= 1/10", (*any_of("p", "a", "b"), "a <= 1/20", "b <= 1/20")),
        ("REFUTED", "p <= 99/1000", (*any_of("p", "a", "b"), "a <= 1/20", "b <= 1/20")),
        ("REFUTED", "p <= 1 - (1 - a)*(1 - b)", any_of("p", "a", "b")),  # only for independent events
        ("PROVED", "1 - 3*a <= p", (*all_of("p", "1 - a", "1 - b", "1 - c"), "b <= a", "c <= a")),
        ("REFUTED", "1 - 2*a <= p", (*all_of("p", "1 - a", "1 - b", "1 - c"), "b <= a", "c <= a")),
    ],
)
def test_a_union_bound_is_proved_and_independence_is_not_assumed(expected, expression, conditions):
    step = Step("s1", "a bound", Statement(expression, P, conditions))
    assert judge("toy/THM-1", step, Source(), Context(7, Level.SMOKE, 1e-6)).outcome == expected


@pytest.mark.parametrize("made", [any_of, all_of])
def test_one_event_is_no_union(made):
    with pytest.raises(ContentError, match="2 parts or more, got 1"):
        made("p", "a")


def binomial(trials, share, least):
    return sum(math.comb(trials, k) * share**k * (1 - share) ** (trials - k) for k in range(least, trials + 1))


@pytest.mark.parametrize("steps", [1, 5, 40, 200])
def test_tails_of_random_walks_are_below_the_bound(steps):
    """Exact tails of sums of fair signs, whose differences have the bound 1."""
    for above in range(1, steps + 1):
        tail = binomial(steps, 0.5, (steps + above + 1) // 2)
        (condition,) = martingale_tail("p", "a", "n")
        assert eval(condition, {"exp": math.exp, "p": tail, "a": above, "n": steps})


@pytest.mark.parametrize("share", [0.5, 0.1, 0.01])
def test_tails_of_rare_events_are_below_the_bound_and_not_below_that_of_their_variance(share):
    """Exact binomial tails: differences are 1 - share at most, above the mean; rare events come in lumps."""
    trials, broken = 100, False
    for least in range(math.ceil(trials * share), trials + 1):
        found = {"exp": math.exp, "p": binomial(trials, share, least), "a": least - trials * share, "b": 1 - share}
        found |= {"v": trials * share * (1 - share)}
        (condition,) = bounded_martingale_tail("p", "a", "v", "b")
        assert eval(condition, found)
        broken |= not eval(condition, found | {"b": 0})
    assert broken == (share < 0.5)


def test_a_union_of_disjoint_events_has_their_sum():
    (condition,) = any_of_many("p", "n", "q")
    assert eval(condition, {"p": 0.75, "n": 3, "q": 0.25})
    assert not eval(condition, {"p": 0.76, "n": 3, "q": 0.25})
