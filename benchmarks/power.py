"""Trials a side with which a violation is caught with probability 0.9, by test: python benchmarks/power.py [-o FILE]

Level 0.05, the tests find their thresholds themselves. Rows: a Laplace mechanism of half the scale against the claim
epsilon = 1; a Gaussian mechanism with 0.5 or 0.8 of its noise (sigma 3.7306 for sensitivity 1), against its whole
curve and against the point (1, 1e-5). `found` is the smallest size on a grid of ratio 1.15 whose share of refutations
reaches 0.9; `at_goal` the share at the size which the project asks for. Shares over --repeats audits, a fifth of them
beyond 10^5 trials: standard error 0.02 for 200 and 0.05 for 40.
"""

from __future__ import annotations

import argparse
import json
import sys
import time
from collections.abc import Callable
from pathlib import Path

import numpy as np

from dpaudit.estimators import joint_binomial, rank_test
from dpaudit.estimators.clopper_pearson import excess
from dpaudit.estimators.held_out_threshold import split
from dpaudit.records.privacy import ApproximateDP, GaussianDP, Guarantee

ALPHA, POWER, RATIO = 0.05, 0.9, 1.15
MU = 1 / 3.7306
POINT = ApproximateDP(1.0, 1e-5)
Draw = Callable[[np.random.Generator, int, bool], np.ndarray]
Test = Callable[[np.ndarray, np.ndarray, Guarantee, np.random.Generator], bool]


def laplace(scale: float) -> Draw:
    """Scores of a Laplace mechanism of sensitivity 1."""
    return lambda rng, trials, on_data: rng.laplace(1.0 * on_data, scale, trials)


def gaussian(mu: float) -> Draw:
    """Scores of a Gaussian mechanism."""
    return lambda rng, trials, on_data: rng.normal(mu * on_data, 1, trials)


ROWS: tuple[tuple[str, Guarantee, Draw, int], ...] = (
    ("Laplace scale 0.5 against epsilon 1", ApproximateDP(1.0, 0.0), laplace(0.5), 100),
    ("Gaussian noise 0.5 against its curve", GaussianDP(MU), gaussian(MU / 0.5), 500),
    ("Gaussian noise 0.8 against its curve", GaussianDP(MU), gaussian(MU / 0.8), 10_000),
    ("Gaussian noise 0.5 against (1, 1e-5)", POINT, gaussian(MU / 0.5), 10_000),
    ("Gaussian noise 0.8 against (1, 1e-5)", POINT, gaussian(MU / 0.8), 1_000_000),
)


def clopper_pearson(positive: np.ndarray, negative: np.ndarray, guarantee: Guarantee, rng: np.random.Generator) -> bool:
    """Two separate intervals at the held-out threshold."""
    point = split(positive, negative).best_point(lambda f, t: excess(f, t, guarantee), ALPHA)
    return point.contradicts(guarantee)


TESTS: dict[str, Test] = {
    "rank test": lambda *scores: rank_test.p_value(*scores) <= ALPHA,
    "joint binomial": lambda *scores: joint_binomial.p_value(*scores) <= ALPHA,
    "Clopper-Pearson": clopper_pearson,
}


def share(test: Test, guarantee: Guarantee, draw: Draw, trials: int, repeats: int) -> float:
    """Share of audits that refute."""
    refuted = 0
    for seed in range(repeats):
        rng = np.random.default_rng([seed, trials])
        refuted += test(draw(rng, trials, True), draw(rng, trials, False), guarantee, rng)
    return refuted / repeats


def needed(test: Test, guarantee: Guarantee, draw: Draw, goal: int, repeats: int) -> int | None:
    """The smallest size on a grid of ratio 1.15 around the goal that reaches the power, by bisection; None beyond 1.5
    goals.
    """
    low, high = -16, 3  # the goal is number 0
    if share(test, guarantee, draw, round(goal * RATIO**high), repeats) < POWER:
        return None
    while high - low > 1:
        middle = (low + high) // 2
        enough = share(test, guarantee, draw, round(goal * RATIO**middle), repeats) >= POWER
        low, high = (low, middle) if enough else (middle, high)
    return round(goal * RATIO**high)


def main() -> None:
    """Print the table, and write it as JSON."""
    parser = argparse.ArgumentParser(description="trials to 90 % power")
    parser.add_argument("--repeats", type=int, default=200)
    parser.add_argument("--tests", default=",".join(TESTS), help="names, with commas")
    parser.add_argument("--rows", default="0,1,2,3,4", help="numbers of rows, with commas")
    parser.add_argument("-o", "--output", type=Path)
    options = parser.parse_args()
    table = []
    for number in map(int, options.rows.split(",")):
        name, guarantee, draw, goal = ROWS[number]
        repeats = options.repeats if goal <= 100_000 else max(1, options.repeats // 5)
        for label in options.tests.split(","):
            started = time.perf_counter()
            at_goal = share(TESTS[label], guarantee, draw, goal, repeats)
            found = needed(TESTS[label], guarantee, draw, goal, repeats)
            table.append(
                {"row": name, "test": label, "goal": goal, "at_goal": at_goal, "found": found, "repeats": repeats}
            )
            spent = time.perf_counter() - started
            print(
                f"{name:38s} {label:16s} goal {goal:8d} power there {at_goal:.3f} found {found} {spent:.0f} s",
                flush=True,
            )
    if options.output:
        command = " ".join(["python benchmarks/power.py", *sys.argv[1:]])
        keep(options.output, [row | {"command": command} for row in table])


def keep(path: Path, table: list[dict[str, object]]) -> None:
    """Write the rows in place of those of the same violation and test."""
    old = json.loads(path.read_text(encoding="utf-8")) if path.exists() else {"rows": []}
    general = {"command": old["command"]} if "command" in old else {}  # of rows that do not say
    new = {(row["row"], row["test"]) for row in table}
    rows = [row for row in old["rows"] if (row["row"], row["test"]) not in new] + table
    path.write_text(json.dumps(general | {"level": ALPHA, "rows": rows}, indent=1) + "\n", encoding="utf-8")


if __name__ == "__main__":
    main()
