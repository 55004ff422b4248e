"""Symmetric linear maps by what they do to some vectors: conditions that a claim file can use.

Such a map exists exactly where the conditions hold, in some dimension (Bousselmi, Hendrickx and Glineur 2024, Theorem
3.3): so what follows from them holds for all maps, and a point that breaks a bound is a map that does. The Hessian
of a quadratic, a covariance, a preconditioner and a projector are such maps. What hangs on the eigenvalues alone, as
the trace does, is said of a `sequence` of them.
"""

from __future__ import annotations

from itertools import combinations, combinations_with_replacement

from dpaudit.records.errors import ContentError

Image = tuple[str, str]
"""A vector and what the map makes of it."""


def symmetric_at(low: str, high: str, *images: Image, slack: tuple[str, ...] = ()) -> tuple[str, ...]:
    """A symmetric map whose eigenvalues lie between `low` and `high`.

    slack: the names of as many vectors, which occur nowhere else, where there are two images or more. Their dot
    products say that a matrix has no negative eigenvalue: that of <A u - low u, high v - A v> over the vectors u, v.
    """
    if len(images) == 1 and not slack:
        ((x, y),) = images
        return (f"0 <= dot(({y}) - ({low})*({x}), ({high})*({x}) - ({y}))",)
    if len(slack) != len(images):
        raise ContentError(f"a map has one slack vector for each of its images, got {len(slack)} for {len(images)}")
    found = list(_symmetric(images))
    for (a, r), (b, s) in combinations_with_replacement(list(zip(images, slack, strict=True)), 2):
        above = f"dot(({a[1]}) - ({low})*({a[0]}), ({high})*({b[0]}) - ({b[1]}))"
        found.append(f"{above} == dot({r}, {s})")
    return tuple(found)


def projected_by(*images: Image) -> tuple[str, ...]:
    """An orthogonal projector onto a linear subspace: symmetric, and twice is once."""
    twice = (f"dot({y}, {z}) == dot({x}, {z})" for (x, y), (_, z) in combinations_with_replacement(images, 2))
    return (*_symmetric(images), *twice)


def trace(eigenvalues: str, dimension: str, power: str = "1") -> str:
    """The trace of the power of a symmetric map: the sum over its eigenvalues, a `sequence` with indices from 1 on."""
    term = f"{eigenvalues}[j]" if power == "1" else f"{eigenvalues}[j]**({power})"
    return f"sum(j, 1, {dimension}, {term})"


def _symmetric(images: tuple[Image, ...]) -> tuple[str, ...]:
    return tuple(f"dot({y}, {v}) == dot({x}, {w})" for (x, y), (v, w) in combinations(images, 2))
