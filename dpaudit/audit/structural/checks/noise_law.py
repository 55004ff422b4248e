"""Has the noise the law that is declared?

Two tests share alpha. The largest distance of the distribution function of all noise coordinates, over their declared
scale, from the declared one; its p-value is bounded by 2 exp(-2 n distance^2) for every n (Dvoretzky, Kiefer, Wolfowitz
1956; Massart 1990). And a mean of likelihood ratios of other laws to the declared one, which exceeds 1/alpha with
probability at most alpha (Markov): of single numbers, and of the lengths of whole releases.

Sees: Laplace for Gaussian from about 400 coordinates on (at 1e-6), uniform, heavy-tailed, one-sided, truncated or
coarsely rounded noise; noise whose vectors have a fixed norm, or a norm with a law of its own; a wrong scale shows here
as well. 64 draws or more that are all numbers of float16 or bfloat16, on a statistic that has digits below theirs, are
refuted: the chance is below 2^-600.

Cannot see: tails beyond the largest of n draws, laws that are none of those tried and close to the declared one, and
the last bits of other floating-point numbers.

False alarms: Both tests hold for every number of draws, if the coordinates are independent: the first by its bound, the
second by Markov's inequality. A scale that is declared wrongly refutes here too, also one that is declared too small.
Noise whose coordinates depend on each other by design may be refuted until the exception is declared.
"""

from __future__ import annotations

import math
from collections.abc import Sequence

import numpy as np
from scipy.special import ndtr

from dpaudit.audit.structural.exact_noise import coarse_noise
from dpaudit.audit.structural.finding import Array, Finding
from dpaudit.audit.structural.measures import standardised
from dpaudit.audit.structural.observed import Observed, correlated_by_design
from dpaudit.audit.structural.other_laws import log_ratio
from dpaudit.audit.structural.recording import Recording, Release
from dpaudit.audit.wording import probability
from dpaudit.records.assumptions import Assumptions
from dpaudit.records.mechanism import Mechanism
from dpaudit.records.verdict import Outcome

NAME = "noise law"
FALSE_ALARM = "alpha"
PLACE = 15
REPLAYS = False
SPLIT = True
EXCEPTION = (
    'Name the law at the release (`law="laplace"`); `Assumptions(independent_noise=False)` where noise '
    "is correlated by design."
)


def tests(mechanism: Mechanism | None, assumptions: Assumptions) -> int:
    """How many tests this check makes at most: none where noise is not meant to be independent."""
    return int(assumptions.independent_noise)


def examine(seen: Observed) -> Finding:
    """The finding on what was observed of one training."""
    return correlated_by_design(seen, NAME) or check(seen.recorded, seen.alpha, seen.independent[1:])


def check(recorded: Recording, alpha: float, others: Sequence[Recording] = ()) -> Finding:
    """REFUTED if the distance to the declared law, or the likelihood ratio of others to it, has a bounded p-value of at
    most alpha.

    others: recordings whose noise is independent of the first one's and of each other's; the bound is one for every
    number of independent coordinates, so that P(refuted) is at most alpha whatever was pooled.
    """
    declared = [r for one in (recorded, *others) for r in one.releases if r.noise is not None and r.noise_scale]
    if not declared:
        return Finding(NAME, Outcome.NOT_RUN, "no release declares the scale of its noise")
    coarse = coarse_noise((recorded, *others))
    if coarse:
        name, kind, draws = coarse
        said = f"{draws} draws of the noise of {name} are numbers of {kind} (chance below 2^-600)"
        detail = f"{said}, and the statistic has digits below theirs, which nothing hides"
        return Finding(NAME, Outcome.REFUTED, detail, (("release", name), ("type", kind), ("coordinates", draws)))
    return _tested(declared, alpha)


def _tested(declared: Sequence[Release], alpha: float) -> Finding:
    """Both tests have half of alpha: the p-value is twice the smaller one."""
    uniforms = np.sort(np.concatenate([uniform(r) for r in declared]))
    count, distance = len(uniforms), kolmogorov_distance(uniforms)
    far = 2 * math.exp(-2 * count * distance**2)
    ratio, law = log_ratio(declared)
    p_value = min(1.0, 2 * min(far, math.exp(-max(ratio, 0.0))))
    seen = smallest_distance(count, alpha / 2)
    numbers = (
        ("distance", distance),
        ("log_likelihood_ratio", ratio),
        ("p_value", p_value),
        ("alpha", alpha),
        ("coordinates", count),
        ("distance_caught_at_90", seen),
    )
    if p_value <= alpha:
        said = f"is {distance:.4g} away from its declared law in Kolmogorov's distance"
        if math.exp(-max(ratio, 0.0)) < far:
            said = (
                f"is exp({ratio:.4g}) times as likely under another law ({law.rstrip(',')}) as under the declared one"
            )
        detail = f"statistical: the noise {said} (p {probability(p_value, 'at most')})"
        return Finding(NAME, Outcome.REFUTED, detail, numbers)
    if seen >= 1:
        return Finding(NAME, Outcome.NOT_RUN, f"{count} noise coordinates are too few to see any other law", numbers)
    detail = f"the noise has its declared law; a distance of {seen:.4g} would be seen with probability 0.9"
    return Finding(NAME, Outcome.CONSISTENT, detail, numbers)


def uniform(release: Release) -> Array:
    """The declared distribution function at the noise: uniform on [0, 1] if the law is as declared; NaN goes to 0."""
    x = standardised(release)
    if release.law == "gaussian":
        values = ndtr(x)
    else:
        tail = 0.5 * np.exp(-math.sqrt(2) * np.abs(x))
        values = np.where(x < 0, tail, 1 - tail)
    return np.asarray(np.nan_to_num(values, nan=0.0))


def kolmogorov_distance(uniforms: Array) -> float:
    """The largest distance of the empirical distribution of sorted numbers, at least one, from the uniform one."""
    count = len(uniforms)
    steps = np.arange(count + 1) / count
    return float(max(np.max(steps[1:] - uniforms), np.max(uniforms - steps[:-1])))


def smallest_distance(count: int, alpha: float, power: float = 0.9) -> float:
    """A distance of the true law that `count` coordinates show with probability at least `power`.

    At its place of largest distance the empirical distribution falls short of the true one with Hoeffding's bound.
    """
    return (math.sqrt(math.log(2 / alpha)) + math.sqrt(-math.log(1 - power))) / math.sqrt(2 * count)
