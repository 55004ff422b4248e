"""Random vectors by their second moments: conditions that a claim file can use.

A random vector with a finite second moment is a `vector`, where `dot(u, v)` is the mean of the dot product and
`norm(u)**2` that of the squared norm: what is proved of vectors in every dimension holds for them too. A conditional
mean is then an orthogonal projection. Vectors that meet the conditions are random vectors that do: what is known is
fixed, and what is not is its mean plus or minus the rest, by a fair coin.

Where conditions of interpolation stand beside these, they say what holds on average: a bound that is proved holds, but
a point that breaks one need not be a function.
"""

from __future__ import annotations

from collections.abc import Iterator


def conditional_mean(mean: str, random: str, *known: str) -> tuple[str, ...]:
    """`mean` is that of `random` given what is known: their difference has mean 0 against all that is known, which
    `mean` is too (Williams 1991, section 9.4)."""
    return tuple(f"dot(({random}) - ({mean}), {one}) == 0" for one in (mean, *known))


def unbiased(random: str, mean: str, variance: str, *known: str) -> tuple[str, ...]:
    """And a bound on the conditional variance, which may be random itself: its mean then."""
    return (*conditional_mean(mean, random, *known), f"norm(({random}) - ({mean}))**2 <= {variance}")


def fresh(noise: str, variance: str, *known: str) -> tuple[str, ...]:
    """Noise with mean 0 given all that is known, and E|noise|^2 = variance: d sigma^2 for a Gaussian in d
    dimensions."""
    return (*(f"dot({noise}, {one}) == 0" for one in known), f"norm({noise})**2 == {variance}")


def uncorrelated(*random: str) -> tuple[str, ...]:
    """Vectors with mean 0 that are independent, or a martingale's differences."""
    return tuple(_pairs(random))


def _pairs(random: tuple[str, ...]) -> Iterator[str]:
    for k, one in enumerate(random):
        yield from (f"dot({one}, {other}) == 0" for other in random[:k])
