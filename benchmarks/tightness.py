"""How much of the exact epsilon an audit shows, by estimator: mean over repeats, by trials a side.

    python benchmarks/tightness.py                      1e3 to 1e6 trials a side, 20 repeats
    python benchmarks/tightness.py --full               1e7 as well
    python benchmarks/tightness.py --peers FOLDER       with jax-privacy and privacy-estimates from FOLDER, installed by
        pip install --target FOLDER jax-privacy==2.0.0 privacy-estimates
    python benchmarks/tightness.py --only rank_test -o FILE     some estimators; other rows of FILE stay

Mechanisms: the Gaussian one that is (1, 1e-5)-DP, the Gaussian one with mu = 1 (epsilon 4.377 at 1e-5), the Laplace
one with epsilon 1, all at delta 1e-5 and 95 %. The score is the output itself. Every estimator of `dpaudit.estimators`
that covers and takes two sides of scores is a column, and `printed` is what a verdict prints; `mu` columns are bounds
on mu over the exact mu, if any is given. `over` counts bounds above the truth.
"""

from __future__ import annotations

import argparse
import importlib
import json
import pkgutil
import sys
import time
from collections.abc import Callable
from dataclasses import replace
from pathlib import Path
from typing import Any

import numpy as np

import dpaudit.estimators
from dpaudit.accounting.epsilon import gaussian_epsilon
from dpaudit.audit.game import decide
from dpaudit.estimators.held_out_threshold import split

DELTA, ALPHA, MU = 1e-5, 0.05, 1 / 3.7306
SIZES = (1_000, 10_000, 100_000, 1_000_000)
SLOW = {
    "joint_binomial": 10_000,
    "betting": 10_000,
    "renyi_lower": 100_000,
    "hockey_stick": 100_000,
}
"""Largest size at which these are run."""

Sides = tuple[np.ndarray, np.ndarray]
Bounds = tuple[float, float]
Estimator = Callable[[np.ndarray, np.ndarray, np.random.Generator], Bounds]


def gaussian(mu: float) -> Callable[[np.random.Generator, int], Sides]:
    """Outputs on D and on D'."""
    return lambda rng, trials: (rng.normal(mu, 1, trials), rng.normal(0, 1, trials))


def laplace(rng: np.random.Generator, trials: int) -> Sides:
    """Outputs on D and on D'."""
    return rng.laplace(1, 1, trials), rng.laplace(0, 1, trials)


ROWS: tuple[tuple[str, Callable[[np.random.Generator, int], Sides], float, float | None], ...] = (
    ("Gaussian (1, 1e-5)", gaussian(MU), gaussian_epsilon(DELTA, MU), MU),
    ("Gaussian mu = 1", gaussian(1.0), gaussian_epsilon(DELTA, 1.0), 1.0),
    ("Laplace epsilon 1", laplace, 1.0, None),
)


def ours() -> dict[str, Estimator]:
    """Every estimator of two sides that claims coverage."""
    found = {}
    for item in pkgutil.iter_modules(dpaudit.estimators.__path__):
        module = importlib.import_module(f"dpaudit.estimators.{item.name}")
        if getattr(module, "COVERS", False) and hasattr(module, "lower_bound") and "canary" not in module.ASSUMES:
            found[item.name] = _estimator(module)
    return {**found, "printed": printed}


def printed(positive: np.ndarray, negative: np.ndarray, rng: np.random.Generator) -> Bounds:
    """What a verdict prints of scores whose attack was not fitted."""
    scores = replace(split(positive, negative), unspent=True)
    return decide.printed_bounds(scores, DELTA, rng, ALPHA)


def _estimator(module: Any) -> Estimator:
    def run(positive: np.ndarray, negative: np.ndarray, rng: np.random.Generator) -> Bounds:
        bound = module.lower_bound(positive, negative, DELTA, ALPHA, rng)
        return bound.epsilon_lower, bound.mu_lower

    return run


def peers(folder: Path | None) -> dict[str, Estimator]:
    """The peers that can be imported from `folder`; says which cannot, and how to install them."""
    if folder is None:
        return {}
    sys.path.append(str(folder))
    found: dict[str, Estimator] = {}
    try:
        from jax_privacy.auditing import CanaryScoreAuditor

        def jax(positive: np.ndarray, negative: np.ndarray, rng: np.random.Generator) -> Bounds:
            return float(CanaryScoreAuditor(positive, negative).epsilon_clopper_pearson(ALPHA, delta=DELTA)), 0.0

        found["jax_privacy"] = jax
    except ImportError as error:
        print(f"jax-privacy is left out ({error}): pip install --target FOLDER jax-privacy")
    try:
        from privacy_estimates import AttackResults, compute_eps_lo

        def estimates(positive: np.ndarray, negative: np.ndarray, rng: np.random.Generator) -> Bounds:
            held = len(positive) // 10  # it needs a threshold: the best one of the first tenth
            cuts = np.quantile(np.concatenate([positive[:held], negative[:held]]), np.linspace(0.01, 0.99, 99))
            gains = [
                np.log(max((positive[:held] >= c).mean(), 1e-9) / max((negative[:held] >= c).mean(), 1e-3))
                for c in cuts
            ]
            cut = cuts[int(np.argmax(gains))]
            tp, fp = int((positive[held:] >= cut).sum()), int((negative[held:] >= cut).sum())
            counts = AttackResults(FN=len(positive) - held - tp, FP=fp, TN=len(negative) - held - fp, TP=tp)
            return float(compute_eps_lo(counts, DELTA, ALPHA, "beta")), 0.0

        found["privacy_estimates"] = estimates
    except ImportError as error:
        print(f"privacy-estimates is left out ({error}): pip install --target FOLDER privacy-estimates")
    return found


def measure(options: argparse.Namespace) -> list[dict[str, Any]]:
    """The table, a row for each mechanism, size and estimator."""
    table, columns = [], {**ours(), **peers(options.peers)}
    wanted = options.only.split(",") if options.only else list(columns)
    sizes = (*SIZES, *((10_000_000,) if options.full else ()))
    for number in map(int, options.rows.split(",")):
        for trials in (size for size in sizes if options.least <= size <= options.most):
            repeats = options.repeats if trials < 1_000_000 else max(1, options.repeats // 4)
            for name in wanted:
                if trials <= SLOW.get(name, trials):
                    table.append(entry(number, trials, name, columns[name], repeats))
    return table


def entry(number: int, trials: int, name: str, estimator: Estimator, repeats: int) -> dict[str, Any]:
    """The row of one estimator at one size; prints it too."""
    row, draw, epsilon, mu = ROWS[number]
    found, started = [], time.perf_counter()
    for seed in range(repeats):
        rng = np.random.default_rng([seed, trials])
        found.append(estimator(*draw(rng, trials), rng))
    seconds = (time.perf_counter() - started) / repeats
    shares = np.array(found) / np.array([epsilon, mu or np.inf])
    mean, deviation, over = shares[:, 0].mean(), shares[:, 0].std(), int((shares > 1).any(axis=1).sum())
    mean_mu = shares[:, 1].mean() if mu and shares[:, 1].any() else None
    shown = "-" if mean_mu is None else f"{mean_mu:.3f}"
    head = f"{row:20s} {trials:9d} {name:22s} {mean:.3f} +- {deviation:.3f}  mu {shown}"
    print(f"{head}  over {over}/{repeats}  {seconds:.3f} s", flush=True)
    return {
        "row": row, "trials": trials, "estimator": name, "repeats": repeats, "epsilon": mean,
        "epsilon_deviation": deviation, "mu": mean_mu, "over": over, "seconds": seconds,
    }  # fmt: skip


def main() -> None:
    """Print the table, and write it as JSON."""
    parser = argparse.ArgumentParser(description="tightness of the estimators")
    parser.add_argument("--full", action="store_true", help="also 1e7 trials a side")
    parser.add_argument("--repeats", type=int, default=20, help="audits for each row (a quarter from 1e6 on)")
    parser.add_argument("--most", type=int, default=10_000_000, help="largest number of trials a side")
    parser.add_argument("--least", type=int, default=0, help="smallest number of trials a side")
    parser.add_argument("--rows", default="0,1,2", help="numbers of mechanisms, with commas")
    parser.add_argument("--only", default="", help="names of estimators, with commas")
    parser.add_argument("--peers", type=Path, help="folder with jax-privacy and privacy-estimates")
    parser.add_argument("-o", "--output", type=Path)
    options = parser.parse_args()
    table = measure(options)
    if options.output:
        given = ["FOLDER" if word == str(options.peers) else word for word in sys.argv[1:]]
        command = " ".join(["python benchmarks/tightness.py", *given])
        keep(options.output, [row | {"command": command} for row in table])


def keep(path: Path, table: list[dict[str, Any]]) -> None:
    """Write the rows in place of those of the same mechanism, size and estimator."""
    old = json.loads(path.read_text(encoding="utf-8")) if path.exists() else {"rows": []}
    general = {"command": old["command"]} if "command" in old else {}  # of rows that do not say
    keys = ("row", "trials", "estimator")
    new = {tuple(row[key] for key in keys) for row in table}
    rows = [row for row in old["rows"] if tuple(row[key] for key in keys) not in new] + table
    text = json.dumps(general | {"delta": DELTA, "alpha": ALPHA, "rows": rows}, indent=1)
    path.write_text(text + "\n", encoding="utf-8")


if __name__ == "__main__":
    main()
