"""The instances on which the three forms of DP-SRM are compared."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import numpy as np

from dpaudit.agreement.cases import Case
from dpaudit.algorithms import stepwise
from dpaudit.algorithms.srm import dp_srm
from dpaudit.noise.stream import Stream
from dpaudit.problems import losses

if TYPE_CHECKING:
    from dpaudit.problems.losses import Problem


def agreement_cases(seed: int) -> tuple[Case, ...]:
    """Steps of both rates and of constant rate, with and without memory and clipping, small and full batches."""
    rng = np.random.default_rng([seed, 0x53])
    features, labels = rng.normal(size=(9, 3)), np.where(rng.random(9) < 0.5, -1.0, 1.0)
    root = rng.normal(size=(3, 3))
    curvature = (root @ root.T + (root @ root.T).T) / 6
    logistic, huber = losses.logistic(features, labels), losses.huber(features, labels, 0.5)
    quadratic = losses.quadratic_minus_linear(curvature, features)
    rough = losses.nonconvex_logistic(features, labels, 0.1)
    clips: dict[str, Any] = {"gradient_clip": 0.9, "difference_clip": 0.05}
    constant: dict[str, Any] = {"step_rule": "constant", "step_size": 0.2}
    return (
        _case("logistic loss, both rates", logistic, (4, 2), 0.3, 0.4, seed),
        _case("Huber loss, all records, short steps", huber, (9, 9), 0.5, 9.0, seed),
        _case("quadratic minus linear, no memory", quadratic, (3, 5), 1.0, 0.2, seed),
        _case("nonconvex logistic loss, all memory, all records later", rough, (4, 9), 0.0, 0.4, seed),
        _case("logistic loss, clipped, constant rate", logistic, (6, 4), 0.05, 0.4, seed, **clips, **constant),
        _case("Huber loss, clipped, both rates, all records", huber, (9, 9), 0.4, 0.3, seed, **clips),
        _case("linear loss, constant rate", losses.linear(features), (9, 9), 0.4, 0.3, seed, **constant),
    )


def _case(
    name: str, problem: Problem, sizes: tuple[int, int], momentum: float, accuracy: float, seed: int, **options: Any
) -> Case:
    start = tuple(0.3 * j - 0.2 for j in range(problem.dimension))
    params = dp_srm.Params(
        start, 6, problem.records, *sizes, momentum, accuracy, 2.0, 1.5, 3.0, 0.2, 0.3, **options
    )  # fmt: skip
    return stepwise.case(dp_srm, name, params, problem, Stream(seed, f"agree/dp_srm/{name}"))
