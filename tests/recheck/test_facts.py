"""Known inequalities match their instances and nothing beside them."""

from __future__ import annotations

import pytest
from domains import domain

from dpaudit.recheck import facts
from dpaudit.recheck.terms import relation

CONTEXT = domain("x real (-oo, oo)", "y real (0, oo)", "u vector", "v vector", "a vector")


@pytest.mark.parametrize(
    "text",
    [
        "norm(u + v) <= norm(u) + norm(v)",
        "norm((u - a) - v) <= norm(u - a) + norm(v)",
        "norm(x*u + v) <= norm(x*u) + norm(v)",
        "dot(u, v - a) <= norm(u)*norm(v - a)",
        "0 <= norm(u - v)",
        "0 <= dot(u - v, u - v)",
        "0 <= (x - y)**2",
        "x <= abs(x)",
        "-x <= abs(x)",
        "abs(x - y) <= abs(x) + abs(y)",
        "min(x, y) <= y",
        "y <= max(x, y)",
        "floor(x/2) <= x/2",
        "x < floor(x) + 1",
        "x <= floor(x) + 1",
        "ceil(x) < x + 1",
        "1 + x*y <= exp(x*y)",
        "log(y) <= y - 1",
        "Phi(x) <= 1",
        "norm(v + u) <= norm(u) + norm(v)",
    ],
)
def test_instances(text: str) -> None:
    assert facts.instance(CONTEXT, relation(text))


@pytest.mark.parametrize(
    "text",
    [
        "norm(u + v) <= norm(u) + norm(a)",
        "norm(u) + norm(v) <= norm(u + v)",
        "norm(u)*norm(v) <= dot(u, v)",
        "dot(u, v) <= norm(u)",
        "0 <= x**3",
        "0 <= dot(u, v)",
        "0 <= x",
        "abs(x) <= x",
        "x <= floor(x)",
        "x <= min(x, y)",
        "min(x, y) <= x + y",
        "floor(x) < x",
        "exp(x) <= 1 + x",
        "log(x) <= x - 1",
        "log(y) <= y",
        "x < abs(x)",
        "0 < (x - y)**2",
        "1 + x <= exp(y)",
        "0 == x**2",
        "norm(u - v) <= norm(u) - norm(v)",
    ],
)
def test_what_is_no_instance(text: str) -> None:
    assert not facts.instance(CONTEXT, relation(text))
