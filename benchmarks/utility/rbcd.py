"""DP-SkGD with every sampler against DP-GD and DP-CD: logistic regression on uneven features.

    python benchmarks/utility/rbcd.py         prints the table and writes reports/utility/rbcd.md and .json

Source: Maranjyan, Sadiev, Richtarik (2024), whose section on experiments is empty; experiment (i) of its specification.
Each feature is clipped at three times its public scale, so that its Lipschitz and smoothness constants are public.
"""

from __future__ import annotations

import math

import numpy as np
from _common import Task, gap, grid, main, private
from utility.methods import Experiment, Method

from dpaudit.algorithms.rbcd import dp_cd, dp_gd, dp_skgd
from dpaudit.problems import losses
from dpaudit.problems.families import logistic_data
from dpaudit.sampling import coordinates as samplers

RECORDS, DIMENSION, SPREAD = 2_000, 16, 30.0
START = (0.0,) * DIMENSION
BOUNDS = 3 * np.geomspace(1.0, 1 / SPREAD, DIMENSION)
SMOOTHNESS = tuple((BOUNDS**2 / 4).tolist())
BLOCKS = tuple(tuple(range(first, first + 4)) for first in range(0, DIMENSION, 4))
PASSES, FACTORS = (5, 20), (0.1, 0.3, 1.0, 3.0)
"""Passes over all coordinates, and step sizes times the smoothness of a coordinate."""


def family(seed):
    made = logistic_data(seed, RECORDS, DIMENSION, spread=SPREAD)
    return Task(losses.logistic(np.clip(made.features, -BOUNDS, BOUNDS), made.targets))


def lengths(factor):
    return tuple(factor / m for m in SMOOTHNESS)


def lipschitz(chosen):
    return float(np.linalg.norm(BOUNDS[list(chosen)]))


def sketched(sampler):
    """DP-SkGD with Gamma = c P M^-1; noise: over the sensitivity of the gradient on the drawn set."""
    bounds = tuple(lipschitz(chosen) for chosen in sampler.sets)
    size = float(np.mean([len(chosen) for chosen in sampler.sets]))

    def made(setting, noise):
        passes, factor = setting
        return dp_skgd.Params(
            start=START, step_sizes=tuple((np.array(lengths(factor)) * sampler.inclusion).tolist()), epochs=1,
            inner_steps=math.ceil(passes * DIMENSION / size),
            sampler=sampler, noise_scales=tuple(noise * 2 * bound / RECORDS for bound in bounds), lipschitz=bounds,
            records=RECORDS,
        )  # fmt: skip

    return made


def coordinates(setting, noise):
    """DP-CD; noise: over the sensitivity of a partial derivative."""
    passes, factor = setting
    return dp_cd.Params(
        start=START, step_sizes=lengths(factor), epochs=1, inner_steps=passes * DIMENSION,
        noise_scales=tuple((noise * 2 * BOUNDS / RECORDS).tolist()), lipschitz=tuple(BOUNDS.tolist()), records=RECORDS,
    )  # fmt: skip


def plain(setting, noise, even=False):
    """DP-GD; even: one step size for all coordinates, that of the steepest."""
    passes, factor = setting
    sizes = (factor / SMOOTHNESS[0],) * DIMENSION if even else lengths(factor)
    bound = lipschitz(range(DIMENSION))
    return dp_gd.Params(
        start=START, step_sizes=sizes, epochs=1, inner_steps=passes, noise=noise * 2 * bound / RECORDS, lipschitz=bound,
        records=RECORDS,
    )  # fmt: skip


def descent(task, setting, noise, trials):
    """Without noise all runs are one."""
    made = dp_gd.Params(
        start=START, step_sizes=lengths(setting), epochs=1, inner_steps=500, noise=0.0, lipschitz=1.0, records=RECORDS
    )
    return dp_gd.cpu(made, task.problem, trials, "final")


SETTINGS = grid(PASSES, FACTORS)
SAMPLERS = {
    "DP-SkGD, full": samplers.full(DIMENSION),
    "DP-SkGD, single uniform": samplers.single_uniform(DIMENSION),
    "DP-SkGD, single importance": samplers.single_importance(SMOOTHNESS),
    "DP-SkGD, blocks of 4 uniform": samplers.block_uniform(BLOCKS),
    "DP-SkGD, blocks of 4 importance": samplers.block_importance(BLOCKS, SMOOTHNESS),
}

EXPERIMENT = Experiment(
    title="DP-SkGD and its baselines: logistic regression on uneven features",
    family=family,
    errors={"objective gap": gap},
    methods=(
        *(private(name, dp_skgd, sketched(sampler), SETTINGS) for name, sampler in SAMPLERS.items()),
        private("DP-CD", dp_cd, coordinates, SETTINGS),
        private("DP-GD, one step size", dp_gd, lambda s, noise: plain(s, noise, even=True), SETTINGS),
        Method("gradient descent", FACTORS, descent),
    ),
    trials=60,
    tuning_trials=6,
)

NOTES = (
    "Lipschitz and smoothness constants are those of the public clipping bounds. Step sizes are a multiple of "
    "p_j/M_j, as the paper prescribes, for every sampler. Single coordinates and blocks drawn uniformly are "
    "better than full gradients at larger epsilon, since the noise of a coordinate is that of its own Lipschitz "
    "constant; sampling by importance does not help on these data. Single uniform is DP-CD, as it must be. DP- "
    "SVRG and the tau-nice sampler are not in the table.",
)

if __name__ == "__main__":
    main("rbcd", [(EXPERIMENT, NOTES)])
