"""How many pairs of outputs a sequential audit takes: bets on a score, bets on a kernel witness, and the least.

    python benchmarks/sequential.py            some minutes of one core
    python benchmarks/sequential.py -o FILE    and the figures as JSON

Every audit plays two sequential tests on the same outputs, at alpha 0.05: the bets of `dpaudit/estimators/betting.py`
on the better of two attacks, the value and the distance from the middle; and the e-process of González, Dulce-Rubio,
Ramdas, Ribero, "Sequentially auditing differential privacy" (2025, arXiv 2509.07055), on the maximum mean discrepancy
with a Gaussian kernel, with online gradient ascent for the witness and online Newton steps for the bets. Both set
themselves up on the first 20 outputs a side, which count as pairs.

The means are those of DP-Auditorium (google/differential-privacy, python/dp_auditorium, mechanisms/mean.py): of records
in [0, 1], with noise for the true number of records, which tells how many there are; or with noise for a private number
where the mean is exact, and, as DP-Auditorium computes it, no noise where that number is negative, which tells the mean
(noise of 1e-12). The paper does not print its pairs; here it is one record and two.

`least`: ln(1/alpha) over the least relative entropy of the two laws to two laws that the claim allows. Where the laws
are known, the best test with power one takes so many pairs on average, up to its overshoot. It is computed for the
epsilon of the claim at delta 0, which makes it a little too small where delta is positive.

No figure is a time: all of them repeat with the seeds of this file.
"""

from __future__ import annotations

import argparse
import json
import math
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from pathlib import Path

import numpy as np
from numpy.typing import NDArray
from scipy.optimize import brentq
from scipy.spatial.distance import pdist
from scipy.stats import laplace, norm

from dpaudit.attacks.two_sided import TwoSided
from dpaudit.estimators.betting import BettingTest
from dpaudit.records.privacy import ApproximateDP

Floats = NDArray[np.float64]
Row = dict[str, float | int | str]

ALPHA, DELTA, FIRST, LONGEST = 0.05, 1e-5, 20, 3_000
GAUSSIAN_FACTOR = math.sqrt(2 * math.log(1.25 / DELTA))
NEWTON = 2 / (2 - math.log(3))


@dataclass(frozen=True)
class Audited:
    """A mechanism on two data sets. laws: of an output on either, from scipy; claim: what it is said to keep."""

    name: str
    laws: tuple[object, object]
    claim: ApproximateDP

    def draw(self, rng: np.random.Generator) -> tuple[Floats, Floats]:
        """LONGEST outputs of either side."""
        positive, negative = (law.rvs(LONGEST, random_state=rng) for law in self.laws)  # type: ignore[attr-defined]
        return positive, negative


def mean_of_ones(law: Callable[..., object], epsilon: float, factor: float) -> tuple[object, object]:
    """The mean of one record and of two, all of them 1, with noise for the true number of records."""
    return law(1.0, factor / epsilon), law(1.0, factor / epsilon / 2)


@dataclass(frozen=True)
class NoisyCount:
    """The exact mean of `records` records, plus Laplace noise for a private number of them, half of epsilon for each.

    As laws of scipy; the grid of `least_entropy` ends where next to nothing is left.
    """

    mean: float
    records: int
    epsilon: float

    def rvs(self, size: int, random_state: np.random.Generator) -> Floats:
        """Outputs."""
        number = self.records + random_state.laplace(0.0, 2 / self.epsilon, size)
        scale = np.maximum(2 / (self.epsilon * number), 1e-12)
        return np.asarray(random_state.laplace(self.mean, scale))

    @property
    def exact(self) -> float:
        """The probability that the private number is negative."""
        return math.exp(-self.records * self.epsilon / 2) / 2

    def ppf(self, level: float) -> float:
        """The ends of the grid."""
        return math.copysign(1e4, level - 0.5)

    def pdf(self, points: Floats) -> Floats:
        """Of the noisy outputs: the integral over private numbers t > 0 of (h / 2) exp(-h |t - n|) times (t h / 2)
        exp(-t h |x - mean|), h half of epsilon; below n by quadrature, beyond it closed."""
        half, distance = self.epsilon / 2, np.abs(points - self.mean)
        nodes, weights = np.polynomial.legendre.leggauss(64)
        below = np.zeros_like(distance)
        for number, weight in zip((nodes + 1) * self.records / 2, weights * self.records / 2, strict=True):
            below += weight * number * np.exp(half * (number - self.records) - half * distance * number)
        rate = half * (1 + distance)
        beyond = np.exp(-half * distance * self.records) * (self.records / rate + 1 / rate**2)
        return np.asarray((half / 2) ** 2 * (below + beyond))


def audited() -> Iterator[Audited]:
    """What is audited: claims that are broken, and two that are kept."""
    for epsilon in (0.01, 0.1):
        gaussian, pure = ApproximateDP(epsilon, DELTA), ApproximateDP(epsilon, 0.0)
        yield Audited("Gaussian mean, true count", mean_of_ones(norm, epsilon, GAUSSIAN_FACTOR), gaussian)
        yield Audited("Laplace mean, true count", mean_of_ones(laplace, epsilon, 1.0), pure)
        means = NoisyCount(0.0, 1, epsilon), NoisyCount(0.5, 2, epsilon)
        yield Audited("Laplace mean, private count in the noise", means, pure)
    yield Audited("half of the Laplace noise", (laplace(1.0, 0.5), laplace(0.0, 0.5)), ApproximateDP(1.0, 0.0))
    yield Audited("kept: Laplace noise", (laplace(1.0, 1.0), laplace(0.0, 1.0)), ApproximateDP(1.0, 0.0))
    yield Audited("kept: Laplace noise", (laplace(1.0, 10.0), laplace(0.0, 10.0)), ApproximateDP(0.1, 0.0))


def bets(positive: Floats, negative: Floats, claim: ApproximateDP) -> int:
    """Pairs until dpaudit's bets refute the claim, those that choose the attack included; 0 for never."""
    first, other = positive[:FIRST], negative[:FIRST]
    rng = np.random.default_rng(0)
    scores = {
        "value": lambda outputs: outputs,
        "distance": TwoSided(far=True).fit(first, other, None, None, rng),
    }
    signed = [(sign, score) for score in scores.values() for sign in (1.0, -1.0)]
    sign, score = max(signed, key=lambda one: area(one[0] * one[1](first), one[0] * one[1](other)))
    test = BettingTest([claim], ALPHA)
    test.update(sign * score(positive[FIRST:]), sign * score(negative[FIRST:]))
    return int(test.stopped[0]) + FIRST if test.refuted[0] else 0


def area(positive: Floats, negative: Floats) -> float:
    """The share of pairs, one of each side, that the scores rank rightly."""
    return float((positive[:, None] > negative).mean())


def kernel_bets(positive: Floats, negative: Floats, claim: ApproximateDP) -> int:
    """Pairs until the e-process on the maximum mean discrepancy refutes the claim, the first included; 0 for never."""
    first = np.concatenate([positive[:FIRST], negative[:FIRST]])
    width = float(np.median(pdist(first[:, None])))
    limit = largest_discrepancy(claim)
    log_capital, stake, squares = 0.0, 0.0, 1.0
    for pair, gain in enumerate(witness_gains(positive[FIRST:] / width, negative[FIRST:] / width), start=1):
        payoff = gain - limit
        log_capital += math.log1p(stake * payoff)
        if log_capital >= -math.log(ALPHA):
            return pair + FIRST
        slope = payoff / (1 + stake * payoff)
        squares += slope**2
        stake = min(max(stake + NEWTON * slope / squares, 0.0), 1 / (8 + 4 * limit))
    return 0


def largest_discrepancy(claim: ApproximateDP) -> float:
    """What the maximum mean discrepancy is at most under the claim, by the bound of the paper for this kernel."""
    ratio = math.exp(-claim.epsilon)
    return 2 * ((1 + claim.delta * ratio) * (1 - ratio) / (1 + ratio) + ratio * claim.delta)


def witness_gains(positive: Floats, negative: Floats) -> Iterator[float]:
    """What a witness function, learned from the pairs before by online gradient ascent, says of each pair.

    The witness is a sum of kernels at the pairs before, weighted; a step is projected to norm 1.
    """
    weights, norms, moment = np.zeros(len(positive)), np.zeros(len(positive)), 0.0
    growth = np.zeros(len(positive))
    for pair, (x, y) in enumerate(zip(positive, negative, strict=True)):
        step = 2 - 2 * kernel(x, y)
        moment += step
        past_x, past_y = positive[:pair], negative[:pair]
        cross = kernel(past_x, x) - kernel(past_x, y) + kernel(past_y, y) - kernel(past_y, x)
        gain = float((cross * weights[:pair] / (2 * np.sqrt(norms[:pair]))).sum())
        norms[pair] = moment
        growth[pair] = gain / math.sqrt(moment) + step / (4 * moment)
        size = float((growth[:pair] * weights[:pair] ** 2).sum()) + growth[pair]
        weights[pair] = 1.0
        weights[: pair + 1] *= min(1.0, 1 / (2 * math.sqrt(size))) if size > 0 else 1.0
        yield gain


def kernel(one: Floats, other: float) -> Floats:
    """The Gaussian kernel of width 1."""
    return np.asarray(np.exp(-((one - other) ** 2) / 2))


def least_entropy(one: Audited, points: int = 400_001) -> float:
    """`entropy_to_claim` of the two laws of an output, by a grid."""
    low, high = (min(law.ppf(1e-12) for law in one.laws), max(law.ppf(1 - 1e-12) for law in one.laws))  # type: ignore[attr-defined]
    grid = np.linspace(low, high, points)
    p, q = (law.pdf(grid) / law.pdf(grid).sum() for law in one.laws)  # type: ignore[attr-defined]
    exact = [getattr(law, "exact", 0.0) for law in one.laws]  # each at a value of its own
    p, q = np.append((1 - exact[0]) * p, [exact[0], 0.0]), np.append((1 - exact[1]) * q, [0.0, exact[1]])
    return entropy_to_claim(p, q, one.claim.epsilon)


def entropy_to_claim(p: Floats, q: Floats, epsilon: float) -> float:
    """The least relative entropy of a pair of laws to two laws that are epsilon-close; (points,) probabilities.

    Where the likelihood ratio is beyond e^epsilon, the closest pair has that ratio and the weight of both laws; a
    weight w of the one law against 2 - w of the other makes both of them sum to 1.
    """
    bound = math.exp(epsilon)

    def closest(weight: float) -> tuple[Floats, Floats]:
        near, other = p / weight, q / (2 - weight)
        above, below = near > bound * other, other > bound * near
        q_above = (p + q) / (weight * bound + 2 - weight)
        p_below = (p + q) / (weight + (2 - weight) * bound)
        return (
            np.where(above, bound * q_above, np.where(below, p_below, near)),
            np.where(above, q_above, np.where(below, bound * p_below, other)),
        )

    def surplus(weight: float) -> float:
        return float(closest(weight)[0].sum()) - 1

    apart = surplus(0.2) > 0 > surplus(1.8)  # at epsilon 0 the closest laws are one law, whatever the weight
    near, other = closest(brentq(surplus, 0.2, 1.8, xtol=1e-13) if apart else 1.0)
    with np.errstate(divide="ignore", invalid="ignore"):
        loss = np.where(p > 0, p * np.log(p / near), 0.0) + np.where(q > 0, q * np.log(q / other), 0.0)
    return float(loss.sum())


def study(one: Audited, audits: int) -> Row:
    """Both tests on the same outputs, as often as asked."""
    stops: dict[str, list[int]] = {"bets": [], "kernel": []}
    for seed in range(audits):
        positive, negative = one.draw(np.random.default_rng(seed))
        stops["bets"].append(bets(positive, negative, one.claim))
        stops["kernel"].append(kernel_bets(positive, negative, one.claim))
    row: Row = {"mechanism": one.name, "epsilon": one.claim.epsilon, "delta": one.claim.delta, "audits": audits}
    if not one.name.startswith("kept"):
        row["least"] = -math.log(ALPHA) / least_entropy(one)
    for name, pairs in stops.items():
        row[f"{name}_refuted"] = audits - pairs.count(0)
        row[f"{name}_pairs"] = float(np.mean([pair or LONGEST for pair in pairs]))
    if "least" in row:
        row["bets_over_least"] = round(float(row["bets_pairs"]) / float(row["least"]), 2)
    return row


def main() -> None:
    """Print the figures."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--audits", type=int, default=200, help="of each mechanism (default: %(default)s)")
    parser.add_argument("-o", "--output", type=Path, help="file for the figures as JSON")
    options = parser.parse_args()
    rows = []
    for one in audited():
        rows.append(study(one, options.audits))
        print(json.dumps(rows[-1]), flush=True)
    found = {"command": "python benchmarks/sequential.py", "alpha": ALPHA, "longest": LONGEST, "rows": rows}
    if options.output:
        options.output.write_text(json.dumps(found, indent=1) + "\n", encoding="utf-8")


if __name__ == "__main__":
    main()
