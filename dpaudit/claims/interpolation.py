"""Functions of a class by their values and gradients at points: conditions that a claim file can use.

A convex function with these values and gradients exists exactly where the conditions hold (Taylor, Hendrickx and
Glineur 2017, Theorem 4). So what follows from them holds for all functions of the class, and a point that
breaks a bound is a function that does.

Projections onto a convex set and minimisers over it are told apart from other points by their variational inequalities:
what follows from these holds for all closed convex sets, and the convex hull of points that meet them is one.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from itertools import permutations

import numpy as np

from dpaudit.claims.engines.rigorous.at_point import Place
from dpaudit.claims.language.expression import parse
from dpaudit.problems.interpolated import Interpolated
from dpaudit.records.claim import Point, Statement
from dpaudit.records.errors import ContentError

Triple = tuple[str, str, str]
"""A point, the gradient there (empty where it is 0, as at a minimum), and the value."""
Pair = tuple[str, str]
"""A point and its projection; or a minimiser and a gradient there."""


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


def worst_function(statement: Statement, at: Point, *points: Triple, smoothness: float | None = None) -> Interpolated:
    """The function of a witness, which an algorithm can be run on: convex, smooth with the constant `smoothness` or
    with kinks, through these points, gradients and values there. ConfigurationError where none of the class is."""
    place = Place(statement.symbols, at)
    known = [place.vector(parse(x)) for x, _, _ in points]
    slopes = [place.vector(parse(g)) if g else (0.0,) * len(known[0]) for _, g, _ in points]
    values = [place.rational(parse(f)) for _, _, f in points]
    if None in values:
        raise ContentError(f"values of a function at a witness are rational numbers, got {[f for _, _, f in points]}")
    return Interpolated(np.array(known), np.array(slopes), np.array(values, dtype=np.float64), smoothness)


def projected_at(*pairs: Pair, members: tuple[str, ...] = ()) -> tuple[str, ...]:
    """Points y and their projections p, pairs (y, p), onto one closed convex set; members: other points of the set.

    <y - p, x - p> <= 0 for every x of the set. Such a set exists exactly where the conditions hold: the convex hull of
    the projections and the members (Bauschke and Combettes 2017, Theorem 3.16).
    """
    return tuple(_obtuse([(p, f"({y}) - ({p})") for y, p in pairs], members))


def minimised_at(*pairs: Pair, members: tuple[str, ...] = ()) -> tuple[str, ...]:
    """Minimisers p of convex functions over one closed convex set, pairs (p, g) with a (sub)gradient g at p; members:
    other points of the set.

    0 <= <g, x - p> for every x of the set and one of the subgradients at p, where the function is finite everywhere
    (Rockafellar 1970, Theorem 27.4). The same g stands in the interpolation conditions of the function.
    """
    return tuple(_obtuse([(p, f"-({g})") for p, g in pairs], members))


def _obtuse(places: Sequence[Pair], members: tuple[str, ...]) -> Iterator[str]:
    """For each place and its direction: no other place and no member lies in the direction from there."""
    if not places or len(places) + len(members) < 2:
        said = f"got {len(places)} and {len(members)} members"
        raise ContentError(f"a projection or minimiser is told apart from other points of the set, {said}")
    for k, (place, direction) in enumerate(places):
        others = (*(other for j, (other, _) in enumerate(places) if j != k), *members)
        yield from (f"dot({direction}, ({x}) - ({place})) <= 0" for x in others)


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
