"""Polynomials counted from the ends of ranges: never called positive where a grid of the domain says otherwise."""

from __future__ import annotations

import random
from fractions import Fraction

import pytest
from depth import repeats
from domains import domain

from dpaudit.recheck.terms import Term, term

RANGES = ("[0, 1]", "(0, 1)", "[1, oo)", "(-oo, 2]", "[-1, 3)", "(-oo, oo)", "(2, 5]")


def value(node: Term, at: dict[str, Fraction]) -> Fraction:
    match node:
        case Fraction():
            return node
        case str():
            return at[node]
        case ("neg", a):
            return -value(a, at)
    assert isinstance(node, tuple)
    a, b = (value(arg, at) for arg in node[1:])
    return {"+": a + b, "-": a - b, "*": a * b}[node[0]] if node[0] in "+-*" else a ** int(b)


def points(text: str) -> list[Fraction]:
    """Points of a range, its closed ends among them."""
    low, high = (None if "oo" in end else Fraction(end) for end in text[1:-1].split(","))
    first = low if low is not None else (high if high is not None else Fraction(0)) - 7
    last = high if high is not None else first + 9
    inner = [first + (last - first) * Fraction(i, 16) for i in range(1, 16)]
    return inner + ([first] if text[0] == "[" else []) + ([last] if text[-1] == "]" else [])


@pytest.mark.deep
def test_random_polynomials_have_the_signs_that_are_claimed() -> None:
    rng, shown = random.Random(20261124), 0
    for _ in range(repeats(1_500, 30_000)):
        ranges = rng.sample(RANGES, 2)
        context = domain(f"x real {ranges[0]}", f"y real {ranges[1]}")
        parts = (
            f"{rng.randint(-3, 4)}*x**{rng.randint(0, 3)}*y**{rng.randint(0, 2)}" for _ in range(rng.randint(1, 4))
        )
        node = term(" + ".join(parts))
        sign = context.sign(node)
        if sign is not None:
            shown += 1
            values = [value(node, {"x": x, "y": y}) for x in points(ranges[0]) for y in points(ranges[1])]
            assert min(values) >= 0, node
            assert sign == 0 or min(values) > 0, node
    assert shown > 100


def test_denominators_turn_the_sign() -> None:
    context = domain("x real (2, oo)", "y real [0, 1)")
    assert context.sign(term("1/(x - 1)")) == 1
    assert context.sign(term("1/(1 - x)")) is None
    assert context.sign(term("-1/(1 - x)")) == 1
    assert context.sign(term("x/(1 - y) - x")) == 0
    assert context.sign(term("1/(x - 3)")) is None
    assert context.sign(term("1/(x - 3)**2")) is not None


def test_numbers_that_are_not_rational_are_enclosed() -> None:
    context = domain("x real [0, oo)")
    assert context.sign(term("(sqrt(2) - 1)*x + log(3) - 1")) == 1
    assert context.sign(term("(sqrt(2) - 3/2)*x + 1")) is None
    assert context.sign(term("(pi - 22/7)*x")) is None
