"""The instances on which the three forms of DP-SkGD are compared, and the algorithms that it reduces to."""

from __future__ import annotations

from types import ModuleType

import numpy as np

from dpaudit import problems, samplers
from dpaudit.algorithms import _steps
from dpaudit.comparison import Case
from dpaudit.noise import Stream
from dpaudit.problems import Problem


def listed(seed: int) -> tuple[tuple[str, Problem, samplers.Sampler, str], ...]:
    """Every kind of sampler with every kind of loss at least once; both readings of the noise."""
    rng = np.random.default_rng([seed, 0x5C6D])
    features, labels = rng.normal(size=(7, 4)), np.where(rng.random(7) < 0.5, -1.0, 1.0)
    root = rng.normal(size=(4, 4))
    curvature = (root @ root.T + (root @ root.T).T) / 8
    blocks = ((0, 2), (1,), (3,))
    return (
        ("linear loss, blocks", problems.linear(features), samplers.block(blocks, (0.5, 0.2, 0.3)), "std"),
        ("logistic loss, two of four", problems.logistic(features, labels), samplers.tau_nice(4, 2), "std"),
        ("Huber loss, one coordinate", problems.huber(features, labels, 0.5), samplers.single_uniform(4), "std"),
        (
            "quadratic minus linear, all coordinates, variance",
            problems.quadratic_minus_linear(curvature, features),
            samplers.full(4),
            "var",
        ),
    )


def agreement_cases(module: ModuleType, seed: int) -> tuple[Case, ...]:
    """One case for each of `listed`."""
    return tuple(
        _case(module, name, problem, sampler, reading, seed) for name, problem, sampler, reading in listed(seed)
    )


def _case(module: ModuleType, name: str, problem: Problem, sampler: samplers.Sampler, reading: str, seed: int) -> Case:
    number = len(sampler.sets)
    params = module.Params(
        start=tuple(0.3 * j - 0.2 for j in range(problem.dimension)),
        step_sizes=(0.05,) * problem.dimension,
        epochs=3,
        inner_steps=4,
        sampler=sampler,
        noise_scales=tuple(0.1 + 0.2 * i / number for i in range(number)),
        lipschitz=problem.lipschitz(sampler.sets),
        records=problem.records,
        noise_param=reading,
    )
    return _steps.case(module, name, params, problem, Stream(seed, f"agree/dp_skgd/{name}"))
