"""Sums inside of sums: what the checker says of random ones, held against their values."""

from __future__ import annotations

import random
from fractions import Fraction
from typing import Any

import pytest
from domains import domain

from dpaudit.recheck.terms import Term, term

SEED, ROWS = 20261125, ("n integer [0, oo)", "m integer [1, 4]")
VARIABLES = ("i", "j", "k", "l")
ATOMS = (
    "abs({a} - {b})",
    "max({a}, {b})",
    "min({a}, {b})",
    "{a}*{b}",
    "{a} - {b}",
    "{a} + {b}",
    "({a} - {b})**2",
    "{a}",
)
APPLIED: dict[str, Any] = {
    "+": lambda a, b: a + b,
    "-": lambda a, b: a - b,
    "*": lambda a, b: a * b,
    "**": lambda a, b: a ** int(b),
    "neg": lambda a: -a,
    "abs": abs,
    "max": max,
    "min": min,
}


def drawn(rng: random.Random) -> str:
    """Two to four sums, one in the other, between 0, n, m and the variables around them."""
    depth = rng.randint(2, 4)
    names = VARIABLES[:depth]
    a, b = (rng.choice((*names, names[-1])) for _ in range(2))
    body = rng.choice(ATOMS).format(a=a, b=b)
    for place in reversed(range(depth)):
        low, high = rng.choice(("0", "0", "1", "m")), rng.choice(("n", "n", "m", *names[:place]))
        body = f"sum({names[place]}, {low}, {high}, {body})"
    return body


def value(node: Term, at: dict[str, Fraction]) -> Fraction:
    """The value, by the definition."""
    match node:
        case Fraction():
            return node
        case str():
            return at[node]
        case ("sum", str() as name, low, high, body):
            indices = range(int(value(low, at)), int(value(high, at)) + 1)
            return sum((value(body, {**at, name: Fraction(k)}) for k in indices), Fraction(0))
        case (str() as head, *rest):
            found: Fraction = APPLIED[head](*(value(one, at) for one in rest))
            return found
    raise AssertionError(node)


@pytest.mark.deep(keep=2)
@pytest.mark.parametrize("seed", range(8))
def test_signs_and_equal_forms_are_those_of_the_values(seed: int) -> None:
    rng, decided = random.Random(SEED + seed), 0
    points = [{"n": Fraction(n), "m": Fraction(m)} for n in range(4) for m in (1, 3)]
    for _ in range(40):
        context = domain(*ROWS)
        text = drawn(rng)
        found = context.sign(term(text))
        if found is not None:
            decided += 1
            assert all(value(term(text), at) >= (0 if found == 0 else Fraction(1, 10**9)) for at in points), text
        bare = text.replace("abs", "").replace("max", "min")
        if bare != text and context.equal(term(text), term(bare)):
            assert all(value(term(text), at) == value(term(bare), at) for at in points), text
    assert decided > 5
