"""How much of epsilon any bound from one training could show, at 95 %: limits by the lemma of Neyman and Pearson.

    python benchmarks/one_run_limits.py -o FILE     a few minutes

A bound above e refutes every mechanism of epsilon e, so that P(bound > e) is at most the power of the best test of the
truth against any one of them. The mean of the bound over the true epsilon is at most the mean of that power over e, and
its median at most the largest e at which that power is a half.

    coins     Gaussian canaries, mu = 1, against the same scores with coins that are told through randomised response
              at e where they were told better. Every test that assumes only the coins is below
    family    the training of `benchmarks/one_run.py` against the same scores with coins that are random with some
              probability, which a member of the family dominates. Every test over the family that takes canaries for
              independent and alike and has no other canaries is below
"""

from __future__ import annotations

import argparse
import json
from collections.abc import Iterator
from pathlib import Path

import numpy as np
from numpy.typing import NDArray
from one_run import ALPHA, CANARIES, DELTA, canary_scores, noise_multiplier, training
from scipy.special import expit

from dpaudit.accounting.epsilon import epsilon_upper, gaussian_epsilon
from dpaudit.accounting.inclusion import with_leak
from dpaudit.estimators.one_run_family import curve_of_leak, grid_leak
from dpaudit.records.privacy import Neighbours

Floats = NDArray[np.float64]
_EPSILONS = 30
_KEPT = np.linspace(0.3, 0.99, 15)
"""Probabilities with which coins are not replaced by random ones."""


def ratios(true: Floats, other: Floats, right: NDArray[np.bool_]) -> float:
    """The logarithm of the likelihood ratio of coins: of chances `true` to be right, against `other`."""
    return float(np.where(right, np.log(true / other), np.log((1 - true) / (1 - other))).sum())


def power(under_truth: list[float], under_other: list[float]) -> float:
    """Of the best test at ALPHA, from simulated ratios; ties at the threshold are randomised."""
    truth, other = np.array(under_truth), np.array(under_other)
    threshold = np.quantile(other, 1 - ALPHA, method="higher")
    above, at = (other > threshold).mean(), (other == threshold).mean()
    share = (ALPHA - above) / at if at else 0.0
    return float((truth > threshold).mean() + share * (truth == threshold).mean())


def halved(grid: Floats, powers: list[float]) -> float:
    """Where the power falls below a half, as a share of the whole of an even grid: between two points by a line."""
    first = next(place for place, one in enumerate(powers) if one < 0.5)
    above, below = powers[first - 1], powers[first]
    return (first - 0.5 + (above - 0.5) / (above - below)) / len(grid)


def coins(repeats: int) -> Iterator[dict[str, object]]:
    """One row for each number of canaries."""
    truth = gaussian_epsilon(DELTA, 1.0)
    grid = (np.arange(_EPSILONS) + 0.5) / _EPSILONS * truth
    for canaries in (1_000, 10_000, 100_000):
        found: list[tuple[list[float], list[float]]] = [([], []) for _ in grid]
        for seed in range(repeats):
            rng = np.random.default_rng([seed, canaries])
            sure = np.abs(rng.normal(size=canaries) + np.where(rng.random(canaries) < 0.5, 0.5, -0.5))
            drawn = rng.random(canaries)
            for (true, other), epsilon in zip(found, grid, strict=True):
                used = sure > epsilon
                better, held = expit(sure[used]), np.full(int(used.sum()), expit(epsilon))
                true.append(ratios(better, held, drawn[used] < better))
                other.append(ratios(better, held, drawn[used] < held))
        powers = [power(*pair) for pair in found]
        yield {"canaries": canaries, "most": round(float(np.mean(powers)), 3), "median": round(halved(grid, powers), 3)}


def family(repeats: int) -> Iterator[dict[str, object]]:
    """One row for each true epsilon."""
    for epsilon in (1, 2, 4, 8):
        noise = noise_multiplier(epsilon)
        found: list[tuple[list[float], list[float]]] = [([], []) for _ in _KEPT]
        for seed in range(repeats):
            rng = np.random.default_rng([seed, epsilon, 3])
            chance = expit(canary_scores(noise, rng)[0][0])  # of "included", given the score
            drawn = rng.random(CANARIES)
            for (true, other), kept in zip(found, _KEPT, strict=True):
                less = 0.5 + kept * (chance - 0.5)
                true.append(ratios(chance, less, drawn < chance))
                other.append(ratios(chance, less, drawn < less))
        powers = [power(*pair) for pair in found]
        shown = [dominating(noise, float(kept)) / epsilon for kept in _KEPT]
        # Below the first point the power counts as 1, beyond the last as that of the last.
        steps = np.diff(np.concatenate([[0.0], shown, [1.0]]))
        yield {"epsilon": epsilon, "most": round(float(steps @ np.array([1.0, *powers])), 3)}


def dominating(noise: float, kept: float) -> float:
    """The epsilon of the least leak whose curve is above that of the coins that are kept so often."""
    levels = np.linspace(1e-4, 1 - 1e-4, 4001)
    rates = curve_of_leak(training(noise), 0).value(levels)
    middle = (levels + rates) / 2
    wrong, right = (kept * side + (1 - kept) * middle for side in (levels, rates))
    low, high = -800, 0
    while high - low > 1:
        place = (low + high) // 2
        above = bool(np.all(curve_of_leak(training(noise), place).value(wrong) >= right - 1e-6))
        low, high = (low, place) if above else (place, high)
    return epsilon_upper(with_leak(training(noise), grid_leak(high)), DELTA, Neighbours.ADD_OR_REMOVE)


def main() -> None:
    """Print both tables."""
    parser = argparse.ArgumentParser(description="how much of epsilon any bound from one training could show")
    parser.add_argument("--repeats", type=int, default=1_000)
    parser.add_argument("-o", "--output", type=Path)
    options = parser.parse_args()
    command = f"python benchmarks/one_run_limits.py --repeats {options.repeats}"
    written: dict[str, object] = {"command": command}
    for name, table in (("coins", coins), ("family", family)):
        written[name] = list(table(options.repeats))
        print(name, written[name], flush=True)
        if options.output:
            options.output.write_text(json.dumps(written, indent=1) + "\n")


if __name__ == "__main__":
    main()
