"""How much of the exact epsilon an audit shows: mean and range over repeats, by trials a side.

    python benchmarks/tightness.py            1e3 to 1e6 trials a side, 20 repeats
    python benchmarks/tightness.py --full     1e7 as well (10 repeats, about 20 s)

Two Gaussian mechanisms: mu = 1 (epsilon 4.377 at delta 1e-5) and the one that is exactly
(1, 1e-5)-DP. The score is the likelihood ratio; `best` is the ratio that the best threshold,
known in advance and with all trials counted, would reach with average luck.
"""

from __future__ import annotations

import argparse
import time

import numpy as np
from dp_accounting import get_sigma_gaussian
from scipy.special import ndtr

from dpaudit.accounting import gaussian_epsilon
from dpaudit.estimators.clopper_pearson import rate_lower, rate_upper, witnessed_epsilon
from dpaudit.estimators.held_out_threshold import split
from dpaudit.estimators.pooled_guesses import best_guesses

DELTA, ALPHA = 1e-5, 0.05


def measure(mu: float, trials: int, seed: int) -> float:
    """Lower bound on epsilon over the exact epsilon, of one audit."""
    rng = np.random.default_rng(seed)
    scores = split(rng.normal(mu / 2, 1, trials), rng.normal(-mu / 2, 1, trials))
    return best_guesses(scores, DELTA, ALPHA, rng).epsilon_lower(DELTA) / gaussian_epsilon(DELTA, mu)


def best(mu: float, trials: int) -> float:
    """The ratio at the best fixed threshold with expected counts and alpha halved."""
    cut = np.linspace(-8, 8, 1601)
    upper = rate_upper(trials * ndtr(-cut - mu / 2), trials, ALPHA / 2)
    lower = rate_lower(trials * ndtr(-cut + mu / 2), trials, ALPHA / 2)
    return float(witnessed_epsilon(upper, lower, DELTA).max()) / gaussian_epsilon(DELTA, mu)


def main() -> None:
    """Print the table."""
    parser = argparse.ArgumentParser(description="tightness of the auditor on Gaussian mechanisms")
    parser.add_argument("--full", action="store_true", help="also 1e7 trials a side")
    parser.add_argument("--repeats", type=int, default=20, help="audits for each row (at most 10 at 1e7)")
    options = parser.parse_args()
    sizes = (1_000, 10_000, 100_000, 1_000_000) + ((10_000_000,) if options.full else ())
    print("mechanism           trials  mean   min    max    best   seconds")
    for name, mu in (("mu = 1", 1.0), ("(1, 1e-5)-DP", 1 / get_sigma_gaussian(1.0, DELTA))):
        for trials in sizes:
            repeats = min(options.repeats, 10) if trials > 1_000_000 else options.repeats
            started = time.perf_counter()
            found = [measure(mu, trials, seed) for seed in range(repeats)]
            seconds = (time.perf_counter() - started) / repeats
            row = f"{np.mean(found):.3f}  {min(found):.3f}  {max(found):.3f}  {best(mu, trials):.3f}  {seconds:.3f}"
            print(f"{name:14s}  {trials:10d}  {row}", flush=True)


if __name__ == "__main__":
    main()
