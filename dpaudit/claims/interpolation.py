"""Functions of a class by their values and gradients at points: conditions that a claim file can use.

A convex function with these values and gradients exists exactly where the conditions hold (Taylor, Hendrickx and
Glineur 2017, Theorem 4). So what follows from them holds for all functions of the class, and a point that
breaks a bound is a function that does.
"""

from __future__ import annotations

from collections.abc import Iterator
from itertools import permutations

from dpaudit.records.errors import ContentError

Triple = tuple[str, str, str]
"""A point, the gradient there (empty where it is 0, as at a minimum), and the value."""


def convex_at(*points: Triple) -> tuple[str, ...]:
    """Convex functions; the gradients are subgradients."""
    return tuple(_conditions(points, ""))


def smooth_convex_at(smoothness: str, *points: Triple) -> tuple[str, ...]:
    """Convex functions with a gradient that is Lipschitz with the constant `smoothness`."""
    return tuple(_conditions(points, f" + {{difference}}/(2*({smoothness}))"))


def smooth_strongly_convex_at(smoothness: str, convexity: str, *points: Triple) -> tuple[str, ...]:
    """And strongly convex with the constant `convexity`, which is less than `smoothness`."""
    share = f"({convexity})/({smoothness})"
    inner = f"{{difference}}/({smoothness}) + ({convexity})*{{distance}} - 2*{share}*{{product}}"
    return tuple(_conditions(points, f" + ({inner})/(2*(1 - {share}))"))


def _conditions(points: tuple[Triple, ...], more: str) -> Iterator[str]:
    """For each two points: the value at the first is not below the tangent at the other, and `more`."""
    if len(points) < 2:
        raise ContentError(f"interpolation is between two points or more, got {len(points)}")
    for (x, g, f), (y, h, e) in permutations(points, 2):
        step, turn = f"(({x}) - ({y}))", _difference(g, h)
        tangent = f"{e} + dot({h}, {step})" if h else e
        parts = {
            "difference": f"norm({turn})**2" if turn else "0",
            "distance": f"norm{step}**2",
            "product": f"dot({turn}, {step})" if turn else "0",
        }
        yield f"{tangent}{more.format(**parts)} <= {f}"


def _difference(g: str, h: str) -> str:
    if g and h:
        return f"({g}) - ({h})"
    return f"({g})" if g else f"-({h})" if h else ""
