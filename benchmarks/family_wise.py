"""Does the error budget of a whole run hold? python benchmarks/family_wise.py [--runs 2000]

A run has 100 targets that keep their claims exactly: nothing but false alarms can refute them. Its budget is 0.05,
shared equally. Ninety targets are decided by the held-out threshold rule of the game, at a fixed number of trials, by
the attack that looks best on the held-out tenth among three; ten by bets that stop at the first refutation. The share
of runs with one or more refutations must not exceed 0.05. Results go to `reports/benchmarks/family_wise.json`.
"""

from __future__ import annotations

import os

os.environ.setdefault("OMP_NUM_THREADS", "1")

import argparse
import json
import math
from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import NDArray
from scipy.special import betaincinv

from dpaudit.budget import plan
from dpaudit.estimators.betting import BettingTest
from dpaudit.estimators.clopper_pearson import excess
from dpaudit.estimators.held_out_threshold import split
from dpaudit.privacy import ApproximateDP, GaussianDP, Guarantee

Floats = NDArray[np.float64]

BUDGET, TARGETS, SEQUENTIAL, TRIALS = 0.05, 100, 10, 100
JSON = Path(__file__).parent.parent / "reports/benchmarks/family_wise.json"
COMMAND = "python benchmarks/family_wise.py"


def target(number: int, rng: np.random.Generator) -> tuple[Floats, Floats, Guarantee]:
    """Outputs on D and on D', (trials, 2), and the claim, which is true; three kinds in turn."""
    noise = rng.normal(size=(2, TRIALS, 2))
    if number % 3 == 0:
        return noise[0], noise[1], ApproximateDP(0.0, 1e-5)
    if number % 3 == 1:
        return noise[0] + np.array([0.5, 0.0]), noise[1], GaussianDP(0.5)
    kept = rng.random((2, TRIALS)) < 1 / (1 + math.exp(-1.0))
    noise[0, :, 0], noise[1, :, 0] = kept[0], ~kept[1]
    return noise[0], noise[1], ApproximateDP(1.0, 0.0)


def refuted_by_attacks(x: Floats, y: Floats, claim: Guarantee, alpha: float) -> bool:
    """Decided by the attack whose held-out trials promise most: its own sight, the other coordinate, or their sum."""
    sides = [split(x @ view, y @ view) for view in (np.array([1.0, 0.0]), np.array([0.0, 1.0]), np.array([1.0, 1.0]))]

    def promise(scores: Any) -> float:
        _, false_rate, true_rate = scores.predicted(20)
        return float(excess(false_rate, true_rate, claim).max())

    best = max(sides, key=promise)
    return best.best_point(lambda f, t: excess(f, t, claim), alpha).contradicts(claim)


def refutations(seed: int) -> int:
    """False refutations in one run."""
    share = plan(BUDGET, [(f"null {number}", 1) for number in range(TARGETS)]).share
    wrong = 0
    for number in range(TARGETS):
        x, y, claim = target(number, np.random.default_rng((seed, number)))
        if number < TARGETS - SEQUENTIAL:
            wrong += refuted_by_attacks(x, y, claim, share)
        else:
            test = BettingTest([claim], share)
            test.update(x[:, 0], y[:, 0])
            wrong += bool(test.refuted[0])
    return wrong


def main() -> None:
    """Play the runs and write the figures."""
    parser = argparse.ArgumentParser(description=str(__doc__).splitlines()[0])
    parser.add_argument("--runs", type=int, default=2000)
    parser.add_argument("--first", type=int, default=0, help="seed of the first run")
    arguments = parser.parse_args()
    wrong = [refutations(seed) for seed in range(arguments.first, arguments.first + arguments.runs)]
    alarmed, runs = sum(count > 0 for count in wrong), len(wrong)
    interval = [
        float(betaincinv(alarmed, runs - alarmed + 1, 0.025)) if alarmed else 0.0,
        float(betaincinv(alarmed + 1, runs - alarmed, 0.975)) if alarmed < runs else 1.0,
    ]
    data = {"command": COMMAND, "budget": BUDGET, "targets": TARGETS, "runs": runs, "first": arguments.first,
            "alarmed": alarmed, "interval": interval, "refutations": sum(wrong)}  # fmt: skip
    JSON.write_text(json.dumps(data, indent=1) + "\n", encoding="utf-8")
    print(data)


if __name__ == "__main__":
    main()
