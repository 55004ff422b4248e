"""Other laws of noise, tried by likelihood ratios: of single numbers, and of the lengths of whole releases.

Under the declared law the likelihood ratio of any fixed law to it has mean 1, and so has a mean of several such ratios.
So it exceeds 1/alpha with probability at most alpha, for every number of independent coordinates (Markov's inequality;
such ratios are e-values: Vovk, Wang 2021, "E-values: calibration, combination and applications"). Under one of the laws
that are tried it grows with a fixed power for each coordinate, Laplace noise against Gaussian by exp(0.072): some
hundred coordinates are enough where a distance of distribution functions needs thousands.

    numbers   Gaussian, Laplace, uniform and Student's law with 5 degrees of freedom, all with the declared standard
              deviation; the declared law on one side only, or cut off at 1, 2, 2.5 or 3 standard deviations
    lengths   the sum of squares of a release (Gaussian), or of absolute values (Laplace), spread less or more than the
              gamma law that it has: noise of a fixed norm, noise whose norm has a law of its own, a random scale.
              Releases in which numbers repeat are left out: a symmetric matrix may have symmetric noise, whose
              lengths spread more
"""

from __future__ import annotations

import math
from collections.abc import Sequence

import numpy as np
from scipy.special import gammaln, logsumexp, ndtr

from dpaudit.audit.structural.finding import Array
from dpaudit.audit.structural.measures import half_degrees, standardised, total
from dpaudit.audit.structural.recording import Release

CUT = (1.0, 2.0, 2.5, 3.0)
"""Where the declared law is cut off, in standard deviations."""
SPREADS = (1 / 256, 1 / 64, 1 / 16, 4.0, 16.0, 256.0, 4096.0)
"""The shape of the law of lengths, over that of the declared one: more is narrower."""
_STUDENT = 5.0


def log_ratio(releases: Sequence[Release]) -> tuple[float, str]:
    """The logarithm of a mean of likelihood ratios to the declared law, and the law that fits best. Under the declared
    law, with independent coordinates, it exceeds log(1/alpha) with probability at most alpha."""
    numbers, lengths = _of_numbers(releases), _of_lengths(releases)
    both = [(ratio - math.log(len(one)), law) for one in (numbers, lengths) for law, ratio in one.items()]
    shares = [ratio for ratio, _ in both]
    families = sum(bool(one) for one in (numbers, lengths))
    if not both:
        return 0.0, ""
    return float(logsumexp(shares)) - math.log(families), max(both)[1]


def _of_numbers(releases: Sequence[Release]) -> dict[str, float]:
    """The logarithm of the likelihood ratio of all numbers, by law."""
    totals: dict[str, float] = {}
    for law in sorted({r.law for r in releases}):
        drawn = np.concatenate([standardised(r) for r in releases if r.law == law])
        x = drawn[np.isfinite(drawn)]
        declared = _densities(x)[law]
        found = {name: float((density - declared).sum()) for name, density in _densities(x).items()}
        found |= _parts(x, law)
        totals = {name: totals.get(name, 0.0) + ratio for name, ratio in found.items()}
    return totals


def _densities(x: Array) -> dict[str, Array]:
    """Logarithms of densities with mean 0 and standard deviation 1."""
    half, width = math.sqrt(3.0), math.sqrt(1 - 2 / _STUDENT)
    student = gammaln((_STUDENT + 1) / 2) - gammaln(_STUDENT / 2) - math.log(math.sqrt(_STUDENT * math.pi) * width)
    return {
        "gaussian": -(x**2) / 2 - math.log(2 * math.pi) / 2,
        "laplace": -math.sqrt(2) * np.abs(x) - math.log(2) / 2,
        "uniform": np.where(np.abs(x) <= half, -math.log(2 * half), -np.inf),
        "Student's": student - (_STUDENT + 1) / 2 * np.log1p((x / width) ** 2 / _STUDENT),
    }


def _parts(x: Array, law: str) -> dict[str, float]:
    """The declared law given that a number is on one side, or not beyond a place."""
    found = {
        f"the {side} half of the declared": len(x) * math.log(2) if kept else -math.inf
        for side, kept in (("upper", bool(np.all(x >= 0))), ("lower", bool(np.all(x <= 0))))
    }
    furthest = float(np.max(np.abs(x), initial=0.0))
    for place in CUT:
        inside = 1 - 2 * float(ndtr(-place)) if law == "gaussian" else -math.expm1(-math.sqrt(2) * place)
        found[f"the declared, cut off at {place:g} scales,"] = (
            -len(x) * math.log(inside) if furthest <= place * (1 + 1e-6) else -math.inf
        )
    return found


def _of_lengths(releases: Sequence[Release]) -> dict[str, float]:
    """The logarithm of the likelihood ratio of the sums of all releases with several coordinates, by law."""
    chosen = [r for r in releases if len(np.unique(np.abs(standardised(r)))) == r.statistic.size > 1]
    finite = [(s, half_degrees(r)) for r in chosen if 0 < (s := total(r)) < math.inf]
    if not finite:
        return {}
    sums, shape = np.array(finite).T
    declared = (shape - 1) * np.log(sums) - sums - gammaln(shape)
    found = {}
    for factor in SPREADS:
        k = factor * shape
        other = (k - 1) * np.log(sums) - factor * sums + k * math.log(factor) - gammaln(k)
        how = f"{factor:g} times as narrow" if factor > 1 else f"{1 / factor:g} times as wide"
        found[f"the declared, with a law of lengths {how},"] = float((other - declared).sum())
    return found
