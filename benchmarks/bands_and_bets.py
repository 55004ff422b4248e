"""Small studies of what docs/statistics.md states: bets, confidence sequences, the bands of the plots, power.

    python benchmarks/bands_and_bets.py            about a minute of one core
    python benchmarks/bands_and_bets.py -o FILE    and the figures as JSON

No figure is a time: all of them repeat with the seeds of this file.
"""

from __future__ import annotations

import argparse
import json
import math
from collections.abc import Iterator
from pathlib import Path

import numpy as np
from dp_accounting import get_sigma_gaussian
from numpy.typing import NDArray

from dpaudit.accounting.tradeoff import largest_true_positive_rate
from dpaudit.audit.game.curves import roc_band
from dpaudit.estimators.betting import BettingTest
from dpaudit.estimators.clopper_pearson import excess, rate_lower, rate_upper
from dpaudit.estimators.confidence_sequence import log_mixture, rate_interval
from dpaudit.estimators.held_out_threshold import split
from dpaudit.estimators.power import smallest_violation
from dpaudit.records.privacy import ApproximateDP, GaussianDP, Guarantee

Row = dict[str, float | str]
Floats = NDArray[np.float64]

ALPHA, DELTA = 0.05, 1e-5
RATES = (0.002, 0.1, 0.5, 0.97)
EDGES: tuple[tuple[str, Guarantee, int], ...] = (
    ("no leakage", GaussianDP(0.0), 500),
    ("no leakage", GaussianDP(0.0), 2_000),
    ("no leakage", GaussianDP(0.0), 20_000),
    ("a leakage", GaussianDP(1.0), 500),
    ("a leakage", GaussianDP(1.0), 4_000),
    ("a leakage", GaussianDP(1.0), 20_000),
    ("a leakage", ApproximateDP(1.0, DELTA), 4_000),
    ("a leakage", ApproximateDP(1.0, DELTA), 20_000),
)
"""Claims with the trials of an audit; each is violated by the smallest Gaussian violation that is said to be caught."""


def bets(audits: int = 1_200) -> Row:
    """Pairs of trials after which betting refutes epsilon 1, of Laplace noise at half of the scale that it needs."""
    stops = []
    for seed in range(audits):
        rng, test = np.random.default_rng(seed), BettingTest([ApproximateDP(1.0, DELTA)], ALPHA)
        test.update(rng.laplace(1, 0.5, 600), rng.laplace(0, 0.5, 600))
        stops.append(int(test.stopped[0]))
    return {"audits": audits, "alpha": ALPHA, "never": stops.count(0), "pairs": float(np.mean(stops))}


def sequences(runs: int = 3_000, trials: int = 1_000, looks: int = 40) -> Iterator[Row]:
    """How often the bounds on a rate ever miss it: a confidence sequence at every trial, fixed-time bounds at a few."""
    number = np.arange(1, trials + 1)
    at = np.unique(np.geomspace(1, trials, looks).astype(int)) - 1
    for rate in RATES:
        count = (np.random.default_rng(1).random((runs, trials)) < rate).cumsum(axis=1)
        evidence = log_mixture(count, number - count) - count * np.log(rate) - (number - count) * np.log1p(-rate)
        low = rate_lower(count[:, at], number[at], ALPHA / 2)
        high = rate_upper(count[:, at], number[at], ALPHA / 2)
        yield {
            "rate": rate, "runs": runs, "trials": trials, "alpha": ALPHA, "looks": looks,
            "missed": float((evidence.max(axis=1) >= -np.log(ALPHA)).mean()),
            "missed by fixed bounds": float(((low > rate) | (high < rate)).any(axis=1).mean()),
        }  # fmt: skip


def widths() -> Iterator[Row]:
    """The width of a confidence sequence over that of an interval for this number of trials alone; rate 0.2."""
    for trials in (100, 1_000, 10_000, 100_000, 1_000_000):
        low, high = rate_interval(0.2 * trials, trials, ALPHA)
        fixed = rate_upper(0.2 * trials, trials, ALPHA / 2) - rate_lower(0.2 * trials, trials, ALPHA / 2)
        yield {"trials": trials, "ratio": float((high - low) / fixed)}


def roc_bands(audits: int = 300, trials: int = 2_000) -> Row:
    """In how many audits of a Gaussian mechanism with mu = 1 the 95 % band of the ROC misses the curve anywhere."""
    missed, slack = 0, 1 + 1e-4
    for seed in range(audits):
        positive, negative = sides(np.random.default_rng(seed), trials, 1.0)
        columns = roc_band(split(positive, negative)) or {}
        band = {name: np.array(values, dtype=float) for name, values in columns.items()}
        above = largest_true_positive_rate(band["false_positive_rate_upper"], GaussianDP(1.0))
        below = largest_true_positive_rate(band["false_positive_rate_lower"], GaussianDP(1.0))
        missed += bool(
            np.any(band["true_positive_rate_lower"] > above * slack)
            or np.any(band["true_positive_rate_upper"] * slack < below)
        )
    return {"audits": audits, "trials": trials, "missed": missed}


def edges(audits: int = 400, alpha: float = 1e-3) -> Iterator[Row]:
    """How often the counts catch the smallest violation that they are said to catch with probability 0.9."""
    for claim, guarantee, trials in EDGES:
        epsilon = smallest_violation(guarantee, trials, alpha, DELTA)
        mu, caught = 1 / get_sigma_gaussian(epsilon, DELTA), 0
        for seed in range(audits):
            scores = split(*sides(np.random.default_rng(seed), trials, mu))
            point = scores.best_point(lambda f, t, claimed=guarantee: excess(f, t, claimed), alpha)
            caught += point.contradicts(guarantee)
        yield {
            "claim": claim, "guarantee": str(guarantee), "trials": trials, "audits": audits, "alpha": alpha,
            "violation": epsilon if math.isfinite(epsilon) else "none", "caught": caught / audits,
        }  # fmt: skip


def sides(rng: np.random.Generator, trials: int, mu: float) -> tuple[Floats, Floats]:
    """Scores of a Gaussian mechanism on D and on its neighbour, (trials,) each."""
    return rng.normal(mu / 2, 1, trials), rng.normal(-mu / 2, 1, trials)


def main() -> None:
    """Print the figures."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("-o", "--output", type=Path, help="file for the figures as JSON")
    options = parser.parse_args()
    found: dict[str, object] = {"command": "python benchmarks/bands_and_bets.py"}
    studies = {"bets": bets, "sequences": sequences, "widths": widths, "roc bands": roc_bands, "edges": edges}
    for name, study in studies.items():
        made = study()
        found[name] = made if isinstance(made, dict) else list(made)
        print(name, json.dumps(found[name], indent=1), flush=True)
    if options.output:
        options.output.write_text(json.dumps(found, indent=1) + "\n", encoding="utf-8")


if __name__ == "__main__":
    main()
