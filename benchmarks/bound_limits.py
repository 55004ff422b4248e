"""How much of epsilon any bound from two data sets could show, at 95 %: limits by the lemma of Neyman and Pearson.

    python benchmarks/bound_limits.py -o FILE     a few minutes

A bound above e refutes every pair of laws that keeps (e, delta), so that P(bound > e) is at most the power of the best
test of the truth against any one of them. That power is simulated here for the pair that is closest to the truth in
relative entropy. It bounds the median over the true epsilon, and the mean of the bound where it is cut at the truth: so
much could be shown by somebody who knew the laws of the scores but for epsilon, and no more by anybody.

The closest pair (P', Q'), for a symmetric truth with densities p and q: both stay as they are where the loss log p/q is
at most e; where it is more, their sum stays and their ratio is e, so far as delta pays for no more; from some loss on
it pays, and both stay in proportion. All is divided by the sum. The truth is put into bins of equal loss.
"""

from __future__ import annotations

import argparse
import json
from collections.abc import Iterator
from pathlib import Path

import numpy as np
from numpy.typing import NDArray
from one_run_limits import power
from scipy import stats
from tightness import ALPHA, DELTA, MU, ROWS, SIZES

from dpaudit.arithmetic.roots import bisected

Floats = NDArray[np.float64]
_BINS, _EPSILONS = 1_500, 30
_LARGEST_RATIO = 1e12
"""Of the losses beyond which delta pays, over epsilon."""

LAWS = {
    "Gaussian (1, 1e-5)": stats.norm(loc=MU),
    "Gaussian mu = 1": stats.norm(loc=1.0),
    "Laplace epsilon 1": stats.laplace(loc=1.0),
}
"""Of scores on D; on D' the same law around 0."""


def binned(law: stats.rv_continuous) -> tuple[Floats, Floats]:
    """The chances of bins on D and on D', ascending, symmetric; shape (_BINS,) each."""
    middle = law.mean() / 2
    reach = law.isf(1e-12) - middle
    on_data = np.diff(law.cdf(np.linspace(middle - reach, middle + reach, _BINS + 1)))
    on_data /= on_data.sum()
    return on_data, on_data[::-1].copy()


def closest(true: Floats, other: Floats, epsilon: float, delta: float) -> tuple[Floats, Floats]:
    """The pair of laws that keeps (epsilon, delta) and is closest to the symmetric pair `true`, `other`."""
    factor = np.exp(epsilon)

    def pair(beyond: float) -> tuple[Floats, Floats]:
        tied, free = true > factor * other, true > factor * beyond * other
        share = (1 + factor * beyond) / (1 + factor)
        high = np.where(free, true * share / beyond, factor * (true + other) / (1 + factor))
        low = np.where(free, other * share, (true + other) / (1 + factor))
        high, low = np.where(tied, high, true), np.where(tied, low, other)
        mirrored = tied[::-1]
        high, low = np.where(mirrored, low[::-1], high), np.where(mirrored, high[::-1], low)
        return high / high.sum(), low / low.sum()

    def allowed(log_beyond: float) -> bool:
        high, low = pair(float(np.exp(log_beyond)))
        return bool(np.maximum(high - factor * low, 0).sum() <= delta)

    return pair(float(np.exp(bisected(allowed, float(np.log(_LARGEST_RATIO)), 0.0, width=1e-6).inside)))


def powers(name: str, trials: int, repeats: int) -> tuple[Floats, list[float]]:
    """Of the best test at each of a grid of epsilon, as shares of the truth."""
    true, other = binned(LAWS[name])
    epsilon = next(row[2] for row in ROWS if row[0] == name)
    grid, found = (np.arange(_EPSILONS) + 0.5) / _EPSILONS, []
    rng = np.random.default_rng([trials, list(LAWS).index(name)])
    draws = [rng.multinomial(trials, law, repeats) for law in (true, other)]
    for share in grid:
        high, low = closest(true, other, share * epsilon, DELTA)
        ratios = np.log(true / high), np.log(other / low)
        nulls = [rng.multinomial(trials, law, repeats) for law in (high, low)]
        truth, null = (one[0] @ ratios[0] + one[1] @ ratios[1] for one in (draws, nulls))
        found.append(power(truth.tolist(), null.tolist()))
    return grid, found


def rows(repeats: int) -> Iterator[dict[str, object]]:
    """One row for each law and number of trials a side."""
    for name in LAWS:
        for trials in SIZES:
            grid, found = powers(name, trials, repeats)
            falling = np.minimum.accumulate([*found, ALPHA])  # at the truth the power is the level
            median = float(np.interp(-0.5, -falling, [*grid, 1.0]))
            mean = float(np.mean(found))
            yield {"row": name, "trials": trials, "mean": round(mean, 3), "median": round(median, 3)}


def main() -> None:
    """Print the table."""
    parser = argparse.ArgumentParser(description="how much of epsilon any bound from two data sets could show")
    parser.add_argument("--repeats", type=int, default=4_000)
    parser.add_argument("-o", "--output", type=Path)
    options = parser.parse_args()
    written: dict[str, object] = {"command": f"python benchmarks/bound_limits.py --repeats {options.repeats}"}
    table = []
    for row in rows(options.repeats):
        print(row, flush=True)
        table.append(row)
    if options.output:
        options.output.write_text(json.dumps(written | {"rows": table}, indent=1) + "\n", encoding="utf-8")


if __name__ == "__main__":
    main()
