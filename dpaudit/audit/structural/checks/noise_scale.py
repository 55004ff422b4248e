"""Is the noise as large as declared?

Under the declared law the sum of (noise/scale)^2 is chi-square with one degree of freedom a coordinate (Gaussian), the
sum of sqrt(2) |noise|/scale a sum of exponentials (Laplace): exact, two-sided. One test of all coordinates, one of each
name and one of each half of the steps share alpha, over all recordings whose noise is independent.

Sees: wrong factors, squares, divisions by a batch size; a scale that decays; 0.8 of the noise from about 500
coordinates on.

Cannot see: a factor nearer to 1 than the one that the finding names, and noise that is too small in a few coordinates
of a name, or in a few steps, alone.

False alarms: The tests are exact if the recorded noise is what the training drew, has the declared law, and its
coordinates are independent; `noise law` and `fresh noise` look at the last two, and cannot prove them. Noise that is
correlated by design may be refuted until the exception is declared. Noise that is larger than declared is refuted as
well, though it harms no claim.
"""

from __future__ import annotations

import math
from collections import Counter
from collections.abc import Sequence

from scipy.special import gammaincinv

from dpaudit.audit.structural.finding import Finding
from dpaudit.audit.structural.measures import half_degrees, total
from dpaudit.audit.structural.observed import Observed, correlated_by_design
from dpaudit.audit.structural.recording import Recording, Release
from dpaudit.audit.structural.tails import gamma_two_sided
from dpaudit.audit.wording import probability
from dpaudit.records.assumptions import Assumptions
from dpaudit.records.mechanism import Mechanism
from dpaudit.records.verdict import Outcome

NAME = "noise scale"
FALSE_ALARM = "alpha"
PLACE = 14
REPLAYS = False
SPLIT = True
EXCEPTION = (
    "Declare no scale at the release where none is promised; `Assumptions(independent_noise=False)` "
    "where noise is correlated by design."
)


def tests(mechanism: Mechanism | None, assumptions: Assumptions) -> int:
    """How many tests this check makes at most: none where noise is not meant to be independent."""
    return int(assumptions.independent_noise)


def examine(seen: Observed) -> Finding:
    """The finding on what was observed of one training."""
    return correlated_by_design(seen, NAME) or check(seen.recorded, seen.alpha, seen.independent[1:])


def check(recorded: Recording, alpha: float, others: Sequence[Recording] = ()) -> Finding:
    """REFUTED if the noise of all releases, of one name, or of the first or the second half of the steps, has a p-value
    within its share of alpha.

    others: recordings whose noise is independent of the first one's and of each other's. The coordinates of all are
    then independent if the noise is as declared, each sum is a gamma variable of as many degrees as it has terms,
    however many recordings there are, and P(refuted) is at most alpha by the union over the groups.
    """
    declared = [r for one in (recorded, *others) for r in one.releases if r.noise is not None and r.noise_scale]
    if not declared:
        return Finding(NAME, Outcome.NOT_RUN, "no release declares the scale of its noise")
    names = list(dict.fromkeys(r.name for r in declared))
    groups = [(name, [r for r in declared if r.name == name]) for name in names]
    groups += [("all releases", declared)] if len(names) > 1 else []
    groups += halves(recorded, declared)
    share = alpha / len(groups)
    found = [tested(*group) for group in groups]
    label, p_value, total, shape = min(found, key=lambda one: one[1])
    law = "gaussian" if all(r.law == "gaussian" for r in declared) else "laplace"
    ratio = measured(total, shape, law)
    factor = smallest_factor(sum(map(half_degrees, declared)), share, law)
    numbers = (
        ("tested", label),
        ("p_value", p_value),
        ("alpha", share),
        ("measured_over_declared", ratio),
        ("coordinates", int(sum(r.statistic.size for r in declared))),
        ("factor_caught_at_90", factor),
    )
    if p_value <= share:
        off = sum(one[1] <= share for one in found[: len(names)])
        many = f"; of {len(names)} named releases {off} have other noise than declared" if len(names) > 1 else ""
        said = f"the noise of {label} is {ratio:.4g} of what is declared (p {probability(p_value)})"
        return Finding(NAME, Outcome.REFUTED, f"statistical: {said}{many}", numbers)
    detail = f"the noise is as large as declared; {factor:.4g} of it would be seen with probability 0.9"
    return Finding(NAME, Outcome.CONSISTENT, detail, numbers)


def halves(recorded: Recording, declared: Sequence[Release]) -> list[tuple[str, list[Release]]]:
    """The releases of the first and of the second half of the steps; none where there is one step. A scale that decays
    shows in the second half, whatever the mean of all."""
    steps = Counter(r.name for r in recorded.releases)
    late = [2 * r.step >= steps[r.name] for r in declared]
    if all(late) or not any(late):
        return []
    first, second = (
        [r for r, is_late in zip(declared, late, strict=True) if is_late is which] for which in (False, True)
    )
    return [("the first half of the steps", first), ("the second half of the steps", second)]


def tested(label: str, releases: Sequence[Release]) -> tuple[str, float, float, float]:
    """The label, the p-value, the sum and its shape."""
    summed, shape = sum(map(total, releases)), sum(map(half_degrees, releases))
    return label, gamma_two_sided(summed, shape), summed, shape


def measured(summed: float, shape: float, law: str) -> float:
    """Measured over declared standard deviation."""
    return math.sqrt(summed / shape) if law == "gaussian" else summed / shape


def smallest_factor(shape: float, alpha: float, law: str = "gaussian", power: float = 0.9) -> float:
    """The largest factor below 1 on the noise that is caught with probability `power`: the limit of detection.

    Exact for one law; where Gaussian and Laplace releases are mixed, smaller factors than this one are caught.
    """
    ratio = gammaincinv(shape, alpha / 2) / gammaincinv(shape, power)
    return math.sqrt(ratio) if law == "gaussian" else float(ratio)
