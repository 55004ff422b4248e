"""What one training with 5,000 canaries shows: bounds on epsilon, mean over repeats.

    python benchmarks/one_run.py            20 repeats, about five minutes
    python benchmarks/one_run.py -o FILE    and the figures as JSON

Each canary is in by a fair coin and moves a coordinate of its own in 30 Poisson steps of rate 0.2; the noise is that of
(epsilon, 1e-5)-DP for adding or removing one record, by the project's accountant. Columns:

    counts       (epsilon, delta) alone, Steinke et al. (2023); no assumption but the coins
    curve        the recursion of Mahloujifar et al. (2024) for (epsilon, delta); no assumption but the coins
    curve, mu    their bound on mu, converted: speaks of Gaussian curves
    ranks, mu    the rank test's bound on mu, converted: canaries independent and alike, Gaussian curves
    family       the claimed mechanism with other noise: canaries independent and alike, all but the noise as claimed
    outside      as family, with 50,000 more canaries that no coin may include

Two more tables have shares of the true epsilon: `gaussian` of canaries that are moved by mu = 1 and bounds that assume
only the coins, `one step` of one Poisson step, mu 2, rate 0.2, and the family.
"""

from __future__ import annotations

import argparse
import json
from collections.abc import Iterator
from pathlib import Path

import numpy as np
from numpy.typing import NDArray

from dpaudit.accounting.epsilon import epsilon_upper, gaussian_epsilon
from dpaudit.estimators import one_run, one_run_family, one_run_fdp, rank_test
from dpaudit.records.mechanism import Gaussian, Mechanism, PoissonSampled, SelfComposed
from dpaudit.records.privacy import Neighbours

CANARIES, STEPS, RATE, DELTA, ALPHA = 5_000, 30, 0.2, 1e-5, 0.05
COLUMNS = ("counts", "curve", "curve, mu", "ranks, mu", "family", "outside")
OUTSIDE = 50_000
SCORES = ("likelihood ratio", "sum")


def noise_multiplier(epsilon: float) -> float:
    """The noise multiplier of the training, to 1e-6, from above."""
    low, high = 0.3, 20.0
    while high - low > 1e-6:
        middle = (low + high) / 2
        kept = epsilon_upper(training(middle), DELTA, Neighbours.ADD_OR_REMOVE) <= epsilon
        low, high = (low, middle) if kept else (middle, high)
    return high


def canary_scores(noise: float, rng: np.random.Generator) -> tuple[list[NDArray[np.float64]], NDArray[np.bool_]]:
    """Both scores of every canary, in the order of SCORES, and which were included."""
    included = rng.random(CANARIES) < 0.5
    drawn = (rng.random((CANARIES, STEPS)) < RATE) & included[:, None]
    return both_scores(drawn + noise * rng.normal(size=drawn.shape), noise), included


def both_scores(seen: NDArray[np.float64], noise: float) -> list[NDArray[np.float64]]:
    """The logarithm of the likelihood ratio and the sum of what is seen, (canaries, steps)."""
    ratio = np.log(1 - RATE + RATE * np.exp((seen - 0.5) / noise**2)).sum(axis=1)
    return [ratio, seen.sum(axis=1)]


def bounds(
    scores: NDArray[np.float64],
    included: NDArray[np.bool_],
    outside: NDArray[np.float64],
    noise: float,
    rng: np.random.Generator,
) -> list[float]:
    """The columns, in their order."""
    curve = one_run_fdp.one_run_bound(scores, included, DELTA, ALPHA)
    ranks = rank_test.lower_bound(scores[included], scores[~included], DELTA, ALPHA, rng)
    counts = one_run.one_run_bound(scores, included, DELTA, ALPHA).epsilon_lower
    whole = training(noise)
    family = [
        one_run_family.family_bound(scores, included, whole, DELTA, ALPHA, rng, more).epsilon_lower
        for more in ((), outside)
    ]
    return [counts, curve.epsilon_lower, *(gaussian_epsilon(DELTA, b.mu_lower) for b in (curve, ranks)), *family]


def training(noise: float) -> Mechanism:
    """What one canary is under."""
    return SelfComposed(PoissonSampled(RATE, Gaussian(noise)), STEPS)


def rows(repeats: int) -> Iterator[dict[str, object]]:
    """One row for each true epsilon and score."""
    for epsilon in (1, 2, 4, 8):
        noise, found = noise_multiplier(epsilon), []
        for seed in range(repeats):
            rng = np.random.default_rng([seed, epsilon])
            listed, included = canary_scores(noise, rng)
            others = both_scores(noise * np.random.default_rng([seed, epsilon, 1]).normal(size=(OUTSIDE, STEPS)), noise)
            found.append([bounds(s, included, o, noise, rng) for s, o in zip(listed, others, strict=True)])
        for name, means in zip(SCORES, np.mean(found, axis=0), strict=True):
            yield {"epsilon": epsilon, "score": name, **dict(zip(COLUMNS, means.round(3).tolist(), strict=True))}


def gaussian(repeats: int) -> Iterator[dict[str, object]]:
    """Shares of the true epsilon, and of mu, that bounds show which assume only the coins; mu = 1."""
    truth = gaussian_epsilon(DELTA, 1.0)
    for canaries in (1_000, 10_000, 100_000):
        found = []
        for seed in range(repeats):
            rng = np.random.default_rng([seed, canaries])
            included = rng.random(canaries) < 0.5
            scores = rng.normal(size=canaries) + included
            counts = one_run.one_run_bound(scores, included, DELTA, ALPHA).epsilon_lower
            curve = one_run_fdp.one_run_bound(scores, included, DELTA, ALPHA)
            through = gaussian_epsilon(DELTA, curve.mu_lower)
            found.append([counts / truth, curve.epsilon_lower / truth, through / truth])
        means = np.mean(found, axis=0).round(3).tolist()
        yield {"canaries": canaries, **dict(zip(("counts", "curve", "curve, mu"), means, strict=True))}


def one_step(repeats: int) -> Iterator[dict[str, object]]:
    """Shares of the true epsilon that the family shows of one Poisson step, mu = 2."""
    step = PoissonSampled(RATE, Gaussian(0.5))
    truth = epsilon_upper(step, DELTA, Neighbours.ADD_OR_REMOVE)
    for canaries in (1_000, 10_000, 100_000):
        found = []
        for seed in range(repeats):
            rng = np.random.default_rng([seed, canaries, 2])
            included = rng.random(canaries) < 0.5
            scores = rng.normal(size=canaries) + 2.0 * (included & (rng.random(canaries) < RATE))
            found.append(one_run_family.family_bound(scores, included, step, DELTA, ALPHA, rng).epsilon_lower / truth)
        yield {"canaries": canaries, "family": round(float(np.mean(found)), 3)}


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
    more = {name: list(table(options.repeats)) for name, table in (("gaussian", gaussian), ("one step", one_step))}
    for name, listed in more.items():
        print(name, *listed, sep="\n")
    if options.output:
        command = f"python benchmarks/one_run.py --repeats {options.repeats}"
        written = {"command": command, "canaries": CANARIES, "outside": OUTSIDE, "rows": made, **more}
        options.output.write_text(json.dumps(written, indent=1) + "\n")


if __name__ == "__main__":
    main()
