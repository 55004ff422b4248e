"""Does the error budget of a whole run hold? python benchmarks/family_wise.py [--runs 2000]

A run has 100 targets that keep their claims exactly: nothing but false alarms can refute them. Its budget is 0.05,
shared equally. Of the targets 95 are decided at a fixed number of trials, by the attack that looks best on the held-out
tenth among three: half of the share to the counts at a held-out threshold, half to the rank test. Five are decided by
bets that stop at the first refutation. The share of runs with one or more refutations must not exceed 0.05. Results go
to `reports/benchmarks/family_wise.json`.

Most targets are spared the choice among attacks and the simulation: whatever the choice, they cannot be refuted. For
the counts that is exact, for the rank test the limit is twice the level, far beyond the simulation's error.
"""

from __future__ import annotations

import os

os.environ.setdefault("OMP_NUM_THREADS", "1")

import argparse
import json
import math
import time
from functools import cache
from pathlib import Path

import numpy as np
from numpy.typing import NDArray
from scipy.special import betaincinv

from dpaudit.estimators.betting import BettingTest
from dpaudit.estimators.clopper_pearson import excess, rate_lower, rate_upper
from dpaudit.estimators.curves import curve_of
from dpaudit.estimators.held_out_threshold import SHARES, Scores, split
from dpaudit.estimators.least_favourable import p_value_of
from dpaudit.estimators.rank_test import planned_statistic, split_p_value
from dpaudit.records.privacy import ApproximateDP, GaussianDP, Guarantee
from dpaudit.runs.budget import Asked, plan

Floats = NDArray[np.float64]

BUDGET, TARGETS, SEQUENTIAL, TRIALS = 0.05, 100, 5, 100
JSON = Path(__file__).parent.parent / "reports/benchmarks/family_wise.json"
VIEWS = np.array([[1.0, 0.0], [0.0, 1.0], [1.0, 1.0]])
"""The attacks: the coordinate that the claim is about, the other one, and their sum."""
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


def refuted_by_attacks(x: Floats, y: Floats, claim: Guarantee, alpha: float, seed: tuple[int, ...]) -> bool:
    """Decided by the attack whose held-out trials promise most; `seed` breaks ties and simulates."""
    attacks = [split(x @ view, y @ view) for view in VIEWS]
    if not any(within_reach(scores, claim, alpha / 2, seed) for scores in attacks):
        return False
    return decided(max(attacks, key=lambda scores: promise(scores, claim)), claim, alpha, seed)


def promise(scores: Scores, claim: Guarantee) -> float:
    """How far the held-out trials lie above the curve of the claim."""
    _, false_rate, true_rate = scores.predicted(20)
    return float(excess(false_rate, true_rate, claim).max())


def decided(scores: Scores, claim: Guarantee, alpha: float, seed: tuple[int, ...]) -> bool:
    """The decision of an audit: counts at a held-out threshold or the rank test, each at half of alpha."""
    counted = scores.best_point(lambda f, t: excess(f, t, claim), alpha / 2).contradicts(claim)
    return counted or split_p_value(scores, claim, np.random.default_rng(seed)) <= alpha / 2


def within_reach(scores: Scores, claim: Guarantee, alpha: float, seed: tuple[int, ...]) -> bool:
    """False only if neither any threshold nor the rank test can refute at alpha."""
    sizes = len(scores.positive), len(scores.negative)
    pooled = np.concatenate([scores.positive, scores.negative])
    order = np.argsort(-pooled)
    on_data, last = order < sizes[0], np.diff(pooled[order], append=-np.inf) < 0  # the last of equal scores
    if refuting_counts(claim, alpha, *sizes)[np.cumsum(~on_data)[last], np.cumsum(on_data)[last]].any():
        return True
    observed = planned_statistic(claim, *sizes).observed(scores.positive, scores.negative, np.random.default_rng(seed))
    return observed >= least_notable(claim, 2 * alpha, *sizes)


@cache
def refuting_counts(claim: Guarantee, alpha: float, positives: int, negatives: int) -> NDArray[np.bool_]:
    """Which pairs (false positives, true positives) contradict the claim at alpha, however it is shared."""
    false, true = np.arange(negatives + 1)[:, None], np.arange(positives + 1)[None, :]
    found = np.zeros((negatives + 1, positives + 1), dtype=np.bool_)
    for share in SHARES:
        bounds = rate_upper(false, negatives, alpha * (1 - share)), rate_lower(true, positives, alpha * share)
        found |= excess(*bounds, claim) > -1e-6
    return found


@cache
def least_notable(claim: Guarantee, alpha: float, positives: int, negatives: int) -> float:
    """About the smallest value of the planned rank statistic with a p-value of at most alpha."""
    statistic, curve = planned_statistic(claim, positives, negatives), curve_of(claim)
    low, high = 0.0, positives * float(statistic.gains.sum())
    for _ in range(25):
        middle = (low + high) / 2
        notable = p_value_of(statistic, middle, curve, np.random.default_rng(0)) <= alpha
        low, high = (low, middle) if notable else (middle, high)
    return low


def refutations(seed: int) -> int:
    """False refutations in one run."""
    share = plan(BUDGET, [Asked(f"null {number}", 1) for number in range(TARGETS)]).share
    wrong = 0
    for number in range(TARGETS):
        x, y, claim = target(number, np.random.default_rng((seed, number)))
        if number < TARGETS - SEQUENTIAL:
            wrong += refuted_by_attacks(x, y, claim, share, (seed, number, 1))
        else:
            test = BettingTest([claim], share)
            test.update(x[:, 0], y[:, 0])
            wrong += bool(test.refuted[0])
    return wrong


def main() -> None:
    """Play the runs that the file lacks, and write the figures."""
    parser = argparse.ArgumentParser(description=str(__doc__).splitlines()[0])
    parser.add_argument(
        "--runs", type=int, default=2000, help="with those of earlier calls; a run's number is its seed"
    )
    parser.add_argument("--seconds", type=float, default=math.inf, help="at most")
    parser.add_argument("--afresh", action="store_true", help="forget earlier calls")
    options = parser.parse_args()
    kept = json.loads(JSON.read_text(encoding="utf-8")) if JSON.exists() and not options.afresh else {}
    runs, alarmed, wrong = (kept.get(key, 0) for key in ("runs", "alarmed", "refutations"))
    started = time.perf_counter()
    while runs < options.runs and time.perf_counter() - started < options.seconds:
        found = refutations(runs)
        runs, alarmed, wrong = runs + 1, alarmed + (found > 0), wrong + found
    interval = [
        float(betaincinv(alarmed, runs - alarmed + 1, 0.025)) if alarmed else 0.0,
        float(betaincinv(alarmed + 1, runs - alarmed, 0.975)) if alarmed < runs else 1.0,
    ]
    data = {"command": COMMAND, "budget": BUDGET, "targets": TARGETS, "runs": runs,
            "alarmed": alarmed, "interval": interval, "refutations": wrong}  # fmt: skip
    JSON.write_text(json.dumps(data, indent=1) + "\n", encoding="utf-8")
    print(data)


if __name__ == "__main__":
    main()
