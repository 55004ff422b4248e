"""How much more an audit shows of a correct training whose trials start at one place, and of one that starts where
trainings without noise end (`pretrain`).

    python benchmarks/worst_case_start.py [--jobs 2]

Two networks whose parameters start at random; the adversary sees all steps or the final model. The structural checks
are left out; the share is the bound on epsilon (95 %) from 1,000 trials a side, over the exact one. Results go to
`reports/benchmarks/worst_case_start.json`.
"""

from __future__ import annotations

import os

os.environ.setdefault("OMP_NUM_THREADS", "1")

import argparse
import json
import time
from collections.abc import Callable
from dataclasses import replace
from itertools import product
from multiprocessing import Pool
from pathlib import Path
from typing import Any

from adapters import ALPHA, DELTA, SEED, SHARE, Setting, by_hand, convolution, sgd, table

from dpaudit import TorchTraining, TrialPlan, View, claim
from dpaudit.audit import tiers
from dpaudit.content.audits import audit_of
from dpaudit.records.context import Context, Level

JSON = Path(__file__).parents[1] / "reports" / "benchmarks" / "worst_case_start.json"
TRIALS = 1000
STARTS = {"its own": (0, False), "one for all": (0, True), "worst case": (100, True)}
"""Trainings without noise that come before, and whether all trials start at one place."""
BATCHES = {"all records": Setting(100, 9, 1.0, 8, 4.0 / SHARE), "Poisson": Setting(100, 9, 0.2, 8, 1.0 / SHARE)}
"""The noise of a setting; `by_hand` adds SHARE of it, which is what is claimed here."""
VIEWS = {"all steps": View.TRANSCRIPT, "final model": View.FINAL_MODEL}


def layers(features: int) -> Any:
    """Two layers; another random start each time."""
    import torch

    return torch.nn.Sequential(torch.nn.Linear(features, 8), torch.nn.Tanh(), torch.nn.Linear(8, 3))


NETWORKS: dict[str, Callable[[int], Any]] = {"two layers": layers, "convolution": convolution}


def measured(job: tuple[str, str, str, str]) -> dict[str, Any]:
    """One row of the results."""
    network, batches, view, start = job
    pretrain, fixed = STARTS[start]
    setting = BATCHES[batches]
    epsilon = setting.epsilon(SHARE * setting.noise)

    def train(records: Any, watch: Any) -> Any:
        return by_hand(setting, NETWORKS[network], sgd, records, watch)

    made = TorchTraining("/".join(job), train, records=table(setting), pretrain=pretrain, fixed_start=fixed,
                         view=VIEWS[view], claim=claim(epsilon=epsilon, delta=DELTA),
                         mechanism=setting.mechanism(SHARE * setting.noise),
                         trials=TrialPlan(TRIALS, TRIALS, TRIALS))  # fmt: skip
    started = time.perf_counter()
    verdict = tiers.audit(replace(audit_of(made), instrument=None), Context(SEED, Level.SMOKE, ALPHA))
    bound = dict(verdict.numbers)["epsilon_lower_95"]
    assert isinstance(bound, float)
    return {"network": network, "batches": batches, "seen": view, "start": start, "epsilon": epsilon,
            "bound": bound, "share": round(bound / epsilon, 3), "outcome": verdict.outcome.value,
            "seconds": round(time.perf_counter() - started)}  # fmt: skip


def main() -> None:
    """Measure, print a line each, write the file."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--jobs", type=int, default=2)
    asked = parser.parse_args()
    rows = []
    with Pool(asked.jobs, maxtasksperchild=1) as pool:
        for row in pool.imap(measured, product(NETWORKS, BATCHES, VIEWS, STARTS)):
            rows.append(row)
            print(row, flush=True)
    JSON.write_text(json.dumps({"seed": SEED, "trials": TRIALS, "rows": rows}, indent=1) + "\n", encoding="utf-8")


if __name__ == "__main__":
    main()
