"""What one training with 5,000 canaries shows: bounds on epsilon, mean over repeats.

    python benchmarks/one_run.py            20 repeats, about a minute
    python benchmarks/one_run.py -o FILE    and the figures as JSON

Each canary is in by a fair coin and moves a coordinate of its own in 30 Poisson steps of rate 0.2; the noise is that of
(epsilon, 1e-5)-DP for adding or removing one record, by the project's accountant. Columns:

    counts       (epsilon, delta) alone, Steinke et al. (2023); no assumption but the coins
    curve        the recursion of Mahloujifar et al. (2024) for (epsilon, delta); no assumption but the coins
    curve, mu    their bound on mu, converted: speaks of Gaussian curves
    ranks, mu    the rank test's bound on mu, converted: canaries independent and alike, Gaussian curves
"""

from __future__ import annotations

import argparse
import json
from collections.abc import Iterator
from pathlib import Path

import numpy as np
from numpy.typing import NDArray

from dpaudit.accounting.epsilon import epsilon_upper, gaussian_epsilon
from dpaudit.estimators import one_run, one_run_fdp, rank_test
from dpaudit.records.mechanism import Gaussian, PoissonSampled, SelfComposed
from dpaudit.records.privacy import Neighbours

CANARIES, STEPS, RATE, DELTA, ALPHA = 5_000, 30, 0.2, 1e-5, 0.05
COLUMNS = ("counts", "curve", "curve, mu", "ranks, mu")
SCORES = ("likelihood ratio", "sum")


def noise_multiplier(epsilon: float) -> float:
    """The noise multiplier of the training, to 1e-6, from above."""
    low, high = 0.3, 20.0
    while high - low > 1e-6:
        middle = (low + high) / 2
        whole = SelfComposed(PoissonSampled(RATE, Gaussian(middle)), STEPS)
        kept = epsilon_upper(whole, DELTA, Neighbours.ADD_OR_REMOVE) <= epsilon
        low, high = (low, middle) if kept else (middle, high)
    return high


def canary_scores(noise: float, rng: np.random.Generator) -> tuple[list[NDArray[np.float64]], NDArray[np.bool_]]:
    """Both scores of every canary, in the order of SCORES, and which were included."""
    included = rng.random(CANARIES) < 0.5
    drawn = (rng.random((CANARIES, STEPS)) < RATE) & included[:, None]
    seen = drawn + noise * rng.normal(size=drawn.shape)
    ratio = np.log(1 - RATE + RATE * np.exp((seen - 0.5) / noise**2)).sum(axis=1)
    return [ratio, seen.sum(axis=1)], included


def bounds(scores: NDArray[np.float64], included: NDArray[np.bool_], rng: np.random.Generator) -> list[float]:
    """The columns, in their order."""
    curve = one_run_fdp.one_run_bound(scores, included, DELTA, ALPHA)
    ranks = rank_test.lower_bound(scores[included], scores[~included], DELTA, ALPHA, rng)
    counts = one_run.one_run_bound(scores, included, DELTA, ALPHA).epsilon_lower
    return [counts, curve.epsilon_lower, *(gaussian_epsilon(DELTA, b.mu_lower) for b in (curve, ranks))]


def rows(repeats: int) -> Iterator[dict[str, object]]:
    """One row for each true epsilon and score."""
    for epsilon in (1, 2, 4, 8):
        noise, found = noise_multiplier(epsilon), []
        for seed in range(repeats):
            rng = np.random.default_rng([seed, epsilon])
            listed, included = canary_scores(noise, rng)
            found.append([bounds(scores, included, rng) for scores in listed])
        for name, means in zip(SCORES, np.mean(found, axis=0), strict=True):
            yield {"epsilon": epsilon, "score": name, **dict(zip(COLUMNS, means.round(3).tolist(), strict=True))}


def main() -> None:
    """Print the table."""
    parser = argparse.ArgumentParser(description="bounds from one training with many canaries")
    parser.add_argument("--repeats", type=int, default=20)
    parser.add_argument("-o", "--output", type=Path)
    options = parser.parse_args()
    print("epsilon  score             " + "  ".join(f"{name:>10s}" for name in COLUMNS))
    made = []
    for row in rows(options.repeats):
        made.append(row)
        values = "  ".join(f"{row[name]:10.3f}" for name in COLUMNS)
        print(f"{row['epsilon']:7d}  {row['score']:16s}  {values}", flush=True)
    if options.output:
        command = f"python benchmarks/one_run.py --repeats {options.repeats}"
        options.output.write_text(json.dumps({"command": command, "canaries": CANARIES, "rows": made}, indent=1) + "\n")


if __name__ == "__main__":
    main()
