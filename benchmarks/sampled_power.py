"""How many trials half of the noise takes where batches are random and scores show all of it, beside what smoke plans.

    python benchmarks/sampled_power.py

The scores are the log-likelihood ratios of the Poisson-sampled Gaussian mechanism with half of the claimed noise, over
all steps; the claim is the whole curve of the mechanism. Counts at the best threshold, with probability 0.9, as
`dpaudit.estimators.power` has it. Results go to `reports/benchmarks/sampled_power.json`.
"""

from __future__ import annotations

import json
import math
from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import NDArray

from dpaudit import Gaussian, PoissonSampled, SelfComposed, claim
from dpaudit.accounting.epsilon import epsilon_upper
from dpaudit.audit import planning
from dpaudit.audit.game import decide
from dpaudit.estimators import power
from dpaudit.estimators.clopper_pearson import excess, rate_lower, rate_upper
from dpaudit.records.privacy import Guarantee, Neighbours

SEED, ALPHA, DELTA, CHANCE, SHARE, SIMULATED = 20261124, 5e-5, 1e-5, 0.9, 0.5, 400_000
JSON = Path(__file__).parents[1] / "reports" / "benchmarks" / "sampled_power.json"
GRID = [(steps, rate) for steps in (1, 4, 16, 64) for rate in (0.02, 0.1, 0.25)]
NOISE = 1.0
Floats = NDArray[np.float64]


def scores(steps: int, rate: float, noise: float, present: bool) -> Floats:
    """Of SIMULATED trials, with the record or without it."""
    rng = np.random.default_rng([SEED, steps, present])
    total = np.zeros(SIMULATED)
    for _ in range(steps):
        x = noise * rng.normal(size=SIMULATED) + (rng.random(SIMULATED) < rate if present else 0.0)
        total += np.log1p(rate * np.expm1((2 * x - 1) / (2 * noise**2)))
    return total


def needed(without: Floats, present: Floats, guarantee: Guarantee) -> int | None:
    """Trials a side, to 4 %, at the best threshold; None where 3 million do not suffice."""
    cuts = np.unique(np.quantile(without, 1 - np.geomspace(1e-4, 0.5, 200)))
    false_rate, miss_rate = (np.searchsorted(np.sort(side), cuts) / SIMULATED for side in (without, present))
    false_rate = 1 - false_rate
    for trials in np.unique(np.geomspace(50, 3e6, 280).astype(int)):
        counted = int(power.FOUND * power.counted_trials(int(trials)))
        false, missed = (power._quantile((1 + CHANCE) / 2, counted, rate) for rate in (false_rate, miss_rate))
        upper, lower = rate_upper(false, counted, ALPHA / 2), rate_lower(counted - missed, counted, ALPHA / 2)
        if (excess(upper, lower, guarantee) > 0).any():
            return int(trials)
    return None


def row(steps: int, rate: float) -> dict[str, Any]:
    """What is claimed, what smoke plans, and what it takes."""
    mechanism = SelfComposed(PoissonSampled(rate, Gaussian(NOISE)), steps)
    epsilon = math.ceil(1e3 * epsilon_upper(mechanism, DELTA, Neighbours.ADD_OR_REMOVE)) / 1e3
    guarantee = decide.curve(mechanism, Neighbours.ADD_OR_REMOVE, "the claimed mechanism")
    planned = planning.trials(claim(epsilon=epsilon, delta=DELTA), mechanism).smoke
    found = needed(*(scores(steps, rate, SHARE * NOISE, present) for present in (False, True)), guarantee)
    return {"steps": steps, "rate": rate, "noise": NOISE, "epsilon": epsilon, "planned": planned, "needed": found}


def main() -> None:
    """Simulate, print a line each, write the file."""
    rows = []
    for steps, rate in GRID:
        rows.append(row(steps, rate))
        print(json.dumps(rows[-1]), flush=True)
    text = json.dumps({"seed": SEED, "alpha": ALPHA, "delta": DELTA, "rows": rows}, indent=1)
    JSON.write_text(text + "\n", encoding="utf-8")


if __name__ == "__main__":
    main()
