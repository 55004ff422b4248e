"""What the tables of error against epsilon share: data of generalised linear models, errors, and the command line."""

from __future__ import annotations

import argparse
import itertools
import time
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from functools import cached_property
from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import NDArray
from scipy.optimize import minimize
from utility import methods
from utility.methods import Experiment, Method, for_replacement

from dpaudit.problems.losses import Problem

Array = NDArray[np.float64]
FOLDER = Path(__file__).parents[2] / "reports" / "utility"


@dataclass(frozen=True, eq=False)
class Task:
    """A training problem, and features and labels of test records, if any."""

    problem: Problem
    test_features: Array | None = None
    test_labels: Array | None = None
    radius: float = float("inf")

    @cached_property
    def best(self) -> Array:
        """A minimiser of the problem in the ball of its radius, shape (d,), by a quasi-Newton method."""
        start, inside = np.zeros(self.problem.dimension), {"type": "ineq", "fun": lambda w: self.radius**2 - w @ w}
        bounded = np.isfinite(self.radius)
        found = minimize(
            self.problem.value, start, jac=self.problem.gradient, method="SLSQP" if bounded else "BFGS",
            constraints=[inside] if bounded else [], options={"maxiter": 1000},
        )  # fmt: skip
        return np.asarray(found.x)

    @cached_property
    def least(self) -> float:
        """The least value of the problem."""
        return float(self.problem.value(self.best))


def gap(task: Task, outputs: Array) -> Array:
    """The training objective above its least value."""
    return task.problem.value(outputs) - task.least


def gradient_norm(task: Task, outputs: Array) -> Array:
    """The norm of the gradient of the training objective."""
    return np.linalg.norm(task.problem.gradient(outputs), axis=-1)


def balanced_error(task: Task, outputs: Array) -> Array:
    """The mean of the error rates on both classes of test records, at the threshold 0."""
    signs = np.sign(outputs @ task.test_features.T)
    return np.mean([(signs[:, task.test_labels == y] != y).mean(axis=1) for y in (-1.0, 1.0)], axis=0)


def grid(*choices: Sequence[Any]) -> list[tuple[Any, ...]]:
    """All combinations."""
    return list(itertools.product(*choices))


def private(name: str, module: Any, made: Callable[[Any, float], Any], settings: Sequence[Any]) -> Method:
    """A method of `module` with the parameters made(setting, noise), for the training problem of a `Task`."""
    return Method(
        name,
        settings,
        lambda task, setting, noise, trials: module.cpu(made(setting, noise), task.problem, trials, "final"),
        lambda setting, noise: for_replacement(module.promise(made(setting, noise))),
    )


def main(
    paper: str,
    experiments: Sequence[tuple[Experiment, Sequence[str]]],
    slow: Sequence[tuple[Experiment, Sequence[str]]] = (),
) -> None:
    """Run, print and write the tables of one paper, and with --slow those that take minutes."""
    parser = argparse.ArgumentParser(description=f"Error against epsilon, {paper}.")
    parser.add_argument("--seed", type=int, default=20261101)
    parser.add_argument("--folder", type=Path, default=FOLDER)
    parser.add_argument("--slow", action="store_true", help="also the tables that take minutes, if there are any")
    given = parser.parse_args()
    command = f"python benchmarks/utility/{paper}.py --seed {given.seed}{' --slow' if given.slow else ''}"
    pages, records = [], list[dict[str, Any]]()
    for experiment, notes in [*experiments, *(slow if given.slow else ())]:
        started = time.process_time()
        made = methods.rows(experiment, given.seed)
        took = time.process_time() - started
        pages.append(
            methods.report(experiment, made, [*notes, f"Made in {took:.0f} s of processor time."], command, given.seed)
        )
        records.append(methods.record(experiment, made))
        print(pages[-1], flush=True)
    methods.write(given.folder, paper, "\n".join(pages), {"command": command, "seed": given.seed, "tables": records})
