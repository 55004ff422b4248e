"""Do the printed bounds hold where bets stop the game? python benchmarks/stopping.py [--audits 10000] [--seconds 3600]

The claim is epsilon 1 at delta 1e-5. The mechanisms leak as much, or a little more, so that the bets stop now and then,
at a time that the scores chose. For each, the share of audits whose bound on epsilon at 95 % is above the true epsilon:
as it is printed, with the error probability shared out over the times at which the game may stop, and as it would be if
the number of trials had been fixed. What is promised is the share among all audits. `stops` has it given where the game
ended, which no bound promises: a game that stops early has seen scores that look bad.

Audits are numbered, and the number is the seed; a call adds audits to all rows, in turn, and writes
`reports/benchmarks/stopping.json` after each portion. The bound on mu, which these rows do not ask for, is left out.
"""

from __future__ import annotations

import os

os.environ.setdefault("OMP_NUM_THREADS", "1")

import argparse
import json
import math
import time
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any
from unittest.mock import patch

import numpy as np
from batched_bets import stops
from numpy.typing import NDArray

from dpaudit.audit.game import decide, play
from dpaudit.estimators import rank_test
from dpaudit.estimators.betting import BettingTest
from dpaudit.estimators.bound import Bound
from dpaudit.estimators.clopper_pearson import OperatingPoint, rate_lower, rate_upper
from dpaudit.estimators.held_out_threshold import Scores, split
from dpaudit.records.privacy import ApproximateDP

Floats = NDArray[np.float64]
CLAIM, DELTA, SEED = ApproximateDP(1.0, 1e-5), 1e-5, 20261123
PORTION = 200
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


def lasts(place: int, sides: list[tuple[Floats, Floats]]) -> list[int]:
    """After how many pairs each game ends: at the end of the stage in which the bets refute the claim."""
    name, _, _, trials = LAWS[place]
    ends = np.array(play._ends(0, trials))
    if name == "randomised response":
        positive, negative = (np.stack([one[side] for one in sides]) > 0 for side in (0, 1))
        reached = stops(positive, negative, CLAIM, 0.05)
    else:
        reached = np.array([_stop(*one) for one in sides])
    return [int(ends[np.searchsorted(ends, stop)]) if stop else trials for stop in reached]


def _stop(positive: Floats, negative: Floats) -> int:
    bets = BettingTest((CLAIM,), 0.05)
    bets.update(positive, negative)
    return int(bets.stopped[0])


def audits(place: int, numbers: range) -> Iterator[tuple[int, bool, bool]]:
    """After how many pairs each game ended; is the printed bound too high, and the one of a fixed number of trials?"""
    _, law, epsilon, trials = LAWS[place]
    sides = [law(epsilon)(np.random.default_rng([SEED, place, number]), trials) for number in numbers]
    for number, last, (positive, negative) in zip(numbers, lasts(place, sides), sides, strict=True):
        scores = split(positive[:last], negative[:last])
        yield (
            last,
            *(
                decide.printed_bounds(scores, DELTA, np.random.default_rng(number), decide.PRINTED_ALPHA / looks)[0]
                > epsilon
                for looks in (len(play._ends(0, trials)), 1)
            ),
        )


def row(place: int, ended: dict[str, list[int]]) -> dict[str, Any]:
    """The shares of one law, in per cent, with the Clopper-Pearson interval of the printed one.

    ended: by the number of pairs, how many audits ended there, and in how many of them each bound was too high.
    """
    name, _, epsilon, trials = LAWS[place]
    audits, printed, fixed = (sum(column) for column in zip(*ended.values(), strict=True))
    stopped = audits - ended.get(str(trials), [0])[0]
    lower, upper = (float(end(printed, audits, 0.025)) for end in (rate_lower, rate_upper))
    shares = {"stopped": stopped, "printed": printed, "fixed": fixed}
    return {
        "law": name,
        "epsilon": epsilon,
        "trials": trials,
        "audits": audits,
        **{kind: 100 * count / audits for kind, count in shares.items()},
        "from": 100 * lower,
        "to": 100 * upper,
        "stops": dict(sorted(ended.items(), key=lambda item: int(item[0]))),
    }


def add(place: int, ended: dict[str, list[int]], first: int) -> None:
    """One more portion of audits, from number `first` on."""
    for last, printed, fixed in audits(place, range(first, first + PORTION)):
        found = ended.setdefault(str(last), [0, 0, 0])
        for kind, count in enumerate((1, int(printed), int(fixed))):
            found[kind] += count


def main() -> None:
    """Simulate on where the file ends, print a line each portion, write the file."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--audits", type=int, default=10_000)
    parser.add_argument("--seconds", type=float, default=math.inf, help="at most")
    parser.add_argument("--only", type=int, nargs="*", default=[*range(len(LAWS))], help="places of rows")
    asked, started = parser.parse_args(), time.perf_counter()
    kept = json.loads(JSON.read_text(encoding="utf-8"))["rows"] if JSON.exists() else []
    known = {(row["law"], row["epsilon"]): row["stops"] for row in kept}
    found: list[dict[str, list[int]]] = [known.get((law[0], law[2]), {}) for law in LAWS]
    nothing = Bound(0.0, 0.0, (), 0.05)
    while time.perf_counter() - started < asked.seconds:
        played = [sum(counts[0] for counts in ended.values()) for ended in found]
        place = min(asked.only, key=lambda one: played[one])
        if played[place] >= asked.audits:
            break
        with (
            patch.object(rank_test, "split_lower_bound", return_value=nothing),
            patch.object(Scores, "best_point", return_value=OperatingPoint(0.0, 1, 1, 0, 1, 0.05)),
        ):
            add(place, found[place], played[place])
        rows = [row(place, ended) for place, ended in enumerate(found) if ended]
        JSON.write_text(json.dumps({"seed": SEED, "rows": rows}, indent=1) + "\n", encoding="utf-8")
        print(f"{time.perf_counter() - started:.0f} s", row(place, found[place]), flush=True)


if __name__ == "__main__":
    main()
