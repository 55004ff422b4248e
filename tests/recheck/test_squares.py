"""Sums of squares by elimination, exact at the border."""

from __future__ import annotations

import pytest
from domains import domain

from dpaudit.recheck import squares
from dpaudit.recheck.terms import term

CONTEXT = domain("x real (-oo, oo)", "y real (-oo, oo)", "u vector", "v vector", "w vector")


def shown(text: str) -> bool:
    return squares.sign(CONTEXT.forms, CONTEXT.forms.form(term(text))) == 0


@pytest.mark.parametrize(
    "text",
    [
        "x**2 - 2*x*y + y**2",
        "x**2 + x + 1/4",
        "x**4 - 2*x**2*y + y**2",
        "dot(u - v, u - v)",
        "dot(u, u) + x**2",
        "dot(u + v - 2*w, u + v - 2*w)",
        "x**2*dot(u, u) - 2*x*dot(u, v) + dot(v, v)",
        "2*x**2 + 2*x*y + y**2",
    ],
)
def test_squares_are_seen(text: str) -> None:
    assert shown(text)


@pytest.mark.parametrize(
    "text",
    [
        "x**2 - 2*x*y + y**2 - 1/10**9",
        "x**2 + 3*x*y + y**2",
        "x*y",
        "x",
        "dot(u, v)",
        "dot(u, u) - 3*dot(u, v) + dot(v, v)",
        "x**2 + x",
        "x**2*dot(u, u) - 3*x*dot(u, v) + dot(v, v)",
        "-x**2",
        "x**2 + dot(u, v)",
        "x**3",
        "x**2 - y**2",
        "dot(u + v, u + v) + dot(w, w) + 2*dot(v, w)",
    ],
)
def test_what_is_none_is_not(text: str) -> None:
    assert not shown(text)


SIGNED = domain("a real (0, oo)", "b real [0, oo)", "x real (-oo, oo)", "u vector", "v vector")


@pytest.mark.parametrize(
    "text",
    [
        "a - 2*sqrt(a)*sqrt(b) + b",
        "a - 2*sqrt(a) + 1",
        "a + b - sqrt(a*b)",
        "a**3 - 2*a**2*b + a*b**2",
        "a*dot(u, u) - 2*dot(u, v) + dot(v, v)/a",
        "x**2/a - 2*x + a",
        "1/a - 2 + a",
    ],
)
def test_roots_of_what_is_not_negative_are_squared(text: str) -> None:
    assert SIGNED.nonnegative(term(text))


@pytest.mark.parametrize(
    "text",
    [
        "a - 3*sqrt(a)*sqrt(b) + b",
        "a - 2*sqrt(a) + 99/100",
        "x - 2*sqrt(a*b) + b",
        "x**3 - 2*x**2 + x",
        "a*dot(u, u) - 2*dot(u, v) + 99/100*dot(v, v)/a",
        "x**2/a - 2*x + 99/100*a",
        "x*dot(u, u) - 2*dot(u, v) + dot(v, v)/x",
        "1/x - 2 + x",
        "x - 2*sqrt(x) + 1 - 1/100",
        "a - a**2",
    ],
)
def test_and_not_of_what_may_be_negative_or_is_too_small(text: str) -> None:
    assert not SIGNED.nonnegative(term(text))
