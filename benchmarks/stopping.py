"""Do the printed bounds hold where bets stop the game? python benchmarks/stopping.py [--audits 1000]

The claim is epsilon 1 at delta 1e-5. The mechanisms leak as much, or a little more, so that the bets stop now and then,
at a time that the scores chose. For each, the share of audits whose bound on epsilon at 95 % is above the true epsilon:
as it is printed, with the error probability shared out over the times at which the game may stop, and as it would be if
the number of trials had been fixed. Results go to `reports/benchmarks/stopping.json`.
"""

from __future__ import annotations

import os

os.environ.setdefault("OMP_NUM_THREADS", "1")

import argparse
import json
import math
from collections.abc import Callable
from itertools import pairwise
from multiprocessing import Pool
from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import NDArray

from dpaudit.audit.game import decide, play
from dpaudit.estimators.betting import BettingTest
from dpaudit.estimators.clopper_pearson import rate_lower, rate_upper
from dpaudit.estimators.held_out_threshold import split
from dpaudit.records.privacy import ApproximateDP

Floats = NDArray[np.float64]
CLAIM, DELTA, SEED = ApproximateDP(1.0, 1e-5), 1e-5, 20261123
JSON = Path(__file__).parent.parent / "reports/benchmarks/stopping.json"


def responses(epsilon: float) -> Callable[[np.random.Generator, int], tuple[Floats, Floats]]:
    """Randomised response on a bit."""
    right = 1 / (1 + math.exp(-epsilon))
    return lambda rng, trials: (
        (rng.random(trials) < right).astype(np.float64),
        (rng.random(trials) >= right).astype(np.float64),
    )


def laplace(epsilon: float) -> Callable[[np.random.Generator, int], tuple[Floats, Floats]]:
    """Laplace noise."""
    return lambda rng, trials: (rng.laplace(1.0, 1 / epsilon, trials), rng.laplace(0.0, 1 / epsilon, trials))


LAWS = (
    ("randomised response", responses, 1.0, 20_000),
    ("randomised response", responses, 1.1, 20_000),
    ("randomised response", responses, 1.15, 20_000),
    ("Laplace noise", laplace, 1.0, 2_000),
    ("Laplace noise", laplace, 1.3, 2_000),
)


def audit(job: tuple[int, int]) -> tuple[bool, bool, bool]:
    """Is the printed bound too high, the one of a fixed number of trials, and did the bets stop early?"""
    place, number = job
    _, law, epsilon, trials = LAWS[place]
    rng = np.random.default_rng([SEED, place, number])
    positive, negative = law(epsilon)(rng, trials)
    bets, ends, last = BettingTest((CLAIM,), 0.05), play._ends(0, trials), 0
    for first, last in pairwise((0, *ends)):
        bets.update(positive[first:last], negative[first:last])
        if bets.refuted[0]:
            break
    scores = split(positive[:last], negative[:last])
    printed, fixed = (
        decide.printed_bounds(scores, DELTA, np.random.default_rng(number), decide.PRINTED_ALPHA / looks)[0]
        for looks in (len(ends), 1)
    )
    return printed > epsilon, fixed > epsilon, last < trials


def row(place: int, found: list[tuple[bool, bool, bool]]) -> dict[str, Any]:
    """The shares of one law, in per cent, with the Clopper-Pearson interval of the printed one."""
    name, _, epsilon, trials = LAWS[place]
    printed, fixed, stopped = (int(sum(column)) for column in zip(*found, strict=True))
    lower, upper = (float(end(printed, len(found), 0.025)) for end in (rate_lower, rate_upper))
    shares = {"stopped": stopped, "printed": printed, "fixed": fixed}
    return {
        "law": name,
        "epsilon": epsilon,
        "trials": trials,
        "audits": len(found),
        **{name: 100 * count / len(found) for name, count in shares.items()},
        "from": 100 * lower,
        "to": 100 * upper,
    }


def main() -> None:
    """Simulate, print a line each, write the file."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--audits", type=int, default=1000)
    asked, rows = parser.parse_args(), []
    with Pool(2) as pool:
        for place in range(len(LAWS)):
            found = pool.map(audit, [(place, number) for number in range(asked.audits)], chunksize=8)
            rows.append(row(place, found))
            print(rows[-1], flush=True)
    JSON.write_text(json.dumps({"seed": SEED, "rows": rows}, indent=1) + "\n", encoding="utf-8")


if __name__ == "__main__":
    main()
