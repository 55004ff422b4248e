"""The instances on which the three forms of DP-AGD are compared, and what it becomes without noise."""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING

import numpy as np

from dpaudit.agreement.cases import Case, Pair, Reduction
from dpaudit.algorithms import stepwise
from dpaudit.algorithms.srm import dp_agd
from dpaudit.algorithms.srm.dp_agd.params import Params
from dpaudit.arithmetic.arrays import Array
from dpaudit.noise.stream import Stream
from dpaudit.problems import losses

if TYPE_CHECKING:
    from dpaudit.problems.losses import Problem


def agreement_cases(seed: int) -> tuple[Case, ...]:
    """Short and long budgets, clipped and not, convex and not."""
    logistic, rough = _problems(seed)
    start, phi = (0.5, -0.4, 0.3), (0.0, 0.1, 0.4, 1.0)
    linear = losses.linear(logistic.features)
    listed = (
        ("nonconvex logistic loss, clipped", rough, dp_agd.Params(start, phi, 1.2, 0.9, 2.0, 0.13, 0.07, 0.5)),
        ("logistic loss, fast growth", logistic, dp_agd.Params(start, phi[:2], 9.0, 4.0, 3.0, 0.05, 0.4, 2.0)),
        ("linear loss, twice the noise", linear, dp_agd.Params(start, phi[:3], 2.0, 1.0, 1.0, 0.1, 0.03, 0.7, 2.0)),
    )
    return tuple(_case(seed, name, problem, params) for name, problem, params in listed)


def _case(seed: int, name: str, problem: Problem, params: Params) -> Case:
    stream = Stream(seed, f"agree/dp_agd/{name}")

    def calls(trial: int) -> tuple[dict[str, int], dict[str, int]]:
        draws = dp_agd.draw_inputs(params, stream, trial)
        run = dp_agd.reference(params, problem, draws)
        return run.calls, dp_agd.calls(params, draws, run.branches, problem.records)

    return replace(stepwise.case(dp_agd, name, params, problem, stream), calls=calls)


def _problems(seed: int) -> tuple[Problem, Problem]:
    rng = np.random.default_rng([seed, 0xA6D])
    features, labels = rng.normal(size=(7, 3)), np.where(rng.random(7) < 0.5, -1.0, 1.0)
    return losses.logistic(features, labels), losses.nonconvex_logistic(features, labels, 0.1)


def reductions(seed: int) -> tuple[Reduction, ...]:
    """Without noise it is a search along the normalised gradient."""
    return (
        Reduction(
            "srm/DP-AGD",
            "no noise: steps of unit directions, each the best of the candidates",
            "noise_factor = 0 and idle clips give w - phi grad f/|grad f|, phi the argmin of f over the candidates, "
            "until 0 is chosen (tolerance 1e-12: sums over records on one side, means on the other)",
            "Lee and Kifer (2018), algorithm 2",
            lambda: _descent(seed),
        ),
    )


def _descent(seed: int) -> tuple[Pair, ...]:
    sides: list[tuple[Array, Array]] = []
    for problem in _problems(seed):
        params = dp_agd.Params((1.5, -0.9, 0.8), (0.0, 0.05, 0.2), 1e3, 1e3, 1.0, 0.05, 0.05, 1.0, noise_factor=0.0)
        draws = dp_agd.draw_inputs(params, Stream(seed, "reduce/dp_agd"), 0)
        states, w = dp_agd.reference(params, problem, draws).states, np.array(params.start)
        for state in states[:-1]:
            sides.append((state[:3], w))
            gradient = problem.gradient(w)
            points = [w - phi * gradient / np.linalg.norm(gradient) for phi in params.candidates]
            w = points[int(np.argmin([problem.value(point) for point in points]))]
    return (Pair("iterates", np.array([left for left, _ in sides]), np.array([right for _, right in sides]), 1e-12),)
