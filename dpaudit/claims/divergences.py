"""Divergences of two laws, numbers that are tied to those of the laws they come from: conditions for a claim file.

The laws are those of what two neighbouring runs release. A divergence is a symbol with the range [0, oo), a
hockey-stick divergence one with the range [0, 1]. Docstrings name the source of a rule, and where it is an equality:
there a point that breaks a bound is a pair of laws that does.
"""

from __future__ import annotations

from dpaudit.claims.events import added

Weighted = tuple[str, str]
"""The probability of a part of a mixture, and the divergence of that part."""


def gaussian_renyi(divergence: str, order: str, shift: str, scale: str) -> tuple[str, ...]:
    """The Renyi divergence, of order > 1, of N(0, scale^2 I) and N(v, scale^2 I) with |v| = shift (Mironov 2017,
    Proposition 7)."""
    return (f"{divergence} == ({order})*({shift})**2/(2*({scale})**2)",)


def gaussian_hockey_stick(divergence: str, epsilon: str, shift: str, scale: str) -> tuple[str, ...]:
    """The hockey-stick divergence at e^epsilon of N(0, scale^2 I) and N(v, scale^2 I) with |v| = shift > 0; at epsilon
    0 their total variation (Balle and Wang 2018, Theorem 8)."""
    mu = f"(({shift})/({scale}))"
    near, far = f"Phi(-({epsilon})/{mu} + {mu}/2)", f"Phi(-({epsilon})/{mu} - {mu}/2)"
    return (f"{divergence} == {near} - exp({epsilon})*{far}",)


def processed(after: str, before: str) -> tuple[str, ...]:
    """Any of the divergences after a map, random or not, of what is released (van Erven and Harremoes 2014, Theorem 9).
    Equal where the map loses nothing."""
    return (f"{after} <= {before}",)


def composed(whole: str, *parts: str) -> tuple[str, ...]:
    """The Renyi divergence of several releases, each made knowing those before, from bounds on each at the same order
    (Mironov 2017, Prop. 1). Equal for independent releases."""
    return (f"{whole} <= {added('a composition', parts, least=1)}",)


def composed_gaussians(whole: str, *parts: str) -> tuple[str, ...]:
    """mu of Gaussian differential privacy for several releases, each made knowing those before, from that of each
    (Dong, Roth and Su 2022, Corollary 2). Equal for independent Gaussians."""
    return (f"{whole} == sqrt({added('a composition', tuple(f'({one})**2' for one in parts), least=1)})",)


def mixed(divergence: str, *parts: str) -> tuple[str, ...]:
    """The Renyi divergence of two mixtures with the same weights, from those of their parts (van Erven and Harremoes
    2014, Theorem 13). Equal where all parts are as far apart and the mixture tells them from each other."""
    added("a mixture", parts, least=2)
    return (f"{divergence} <= max({', '.join(parts)})",)


def averaged(divergence: str, *parts: Weighted) -> tuple[str, ...]:
    """The hockey-stick divergence of two mixtures with the same weights (Balle, Barthe and Gaboardi 2018, joint
    convexity). Equal where the mixture tells its parts from each other."""
    return (f"{divergence} <= {added('a mixture', tuple(f'({weight})*({one})' for weight, one in parts), least=2)}",)


def sampled(after: str, epsilon_after: str, before: str, epsilon: str, rate: str) -> tuple[str, ...]:
    """The hockey-stick divergence at epsilon_after of what reads the record with probability `rate`, from that at
    epsilon of what reads it (Balle, Barthe and Gaboardi 2018, Theorems 8 and 9). Equal from what may read the record
    to what does not."""
    return (f"{epsilon_after} == log(1 + ({rate})*(exp({epsilon}) - 1))", f"{after} <= ({rate})*({before})")


def converted(delta: str, epsilon: str, divergence: str, order: str) -> tuple[str, ...]:
    """The hockey-stick divergence at epsilon from a Renyi divergence of order > 1 (Canonne, Kamath and Steinke 2020,
    Proposition 12)."""
    share = f"(1 - 1/({order}))**({order})/(({order}) - 1)"
    return (f"{delta} <= exp((({order}) - 1)*(({divergence}) - ({epsilon})))*{share}",)


def simply_converted(delta: str, epsilon: str, divergence: str, order: str) -> tuple[str, ...]:
    """The same without the last factor, which is less than 1 (Mironov 2017, Proposition 3): what most papers use."""
    return (f"{delta} <= exp((({order}) - 1)*(({divergence}) - ({epsilon})))",)


def transported(after: str, before: str, lipschitz: str, moved: str = "0") -> tuple[str, ...]:
    """The infinite Wasserstein distance of two laws after two maps, one with this Lipschitz constant, that are nowhere
    further apart than `moved`. Equal for points, a dilation, and a dilation with a translation."""
    return (f"{after} <= ({lipschitz})*({before}) + ({moved})",)


def shift_reduced(after: str, before: str, order: str, shift: str, scale: str) -> tuple[str, ...]:
    """The Renyi divergence of order > 1 after adding N(0, scale^2 I) to both laws, from `before`: that of some law no
    further than `shift` from the first in the infinite Wasserstein distance, and the second (Feldman, Mironov, Talwar
    and Thakurta 2018, Lemma 20). Equal for points."""
    return (f"{after} <= ({before}) + ({order})*({shift})**2/(2*({scale})**2)",)
