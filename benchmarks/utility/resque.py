"""SubERM and PrivateERM against DP-SGD and phased SGD: linear losses in a ball.

    python benchmarks/utility/resque.py       prints the tables and writes reports/utility/resque.md and .json

Source: Carmon, Jambulapati, Jin, Lee, Liu, Sidford, Tian (2023), who have no experiments; error against epsilon and
against T for Algorithm 3. The losses are linear because that is where smoothing costs nothing: what is proved of
SubERM asks for smoothing far wider than the ball, which flattens any other loss.
"""

from __future__ import annotations

import numpy as np
from _common import grid, main
from utility.methods import Experiment, Method, for_replacement

from dpaudit.algorithms.resque import private_erm, sub_erm
from dpaudit.algorithms.srgd import dp_sgd, phased_sgd
from dpaudit.problems import losses
from dpaudit.problems.domains import ball
from dpaudit.problems.families import random_signs
from dpaudit.problems.smoothing.ridges import Ridge, RidgeLosses
from dpaudit.sampling.batches import Batches

RECORDS, DIMENSION = 131_072, 8
START = (0.0,) * DIMENSION
SIZES = (0.003, 0.01, 0.03, 0.1, 0.3, 1.0, 3.0)
LONGEST = 2048
"""Steps of SubERM at most: 60 times as many records are needed for the promise that uses hidden indices."""


def family(seed):
    """Unit vectors with coordinates +-1/sqrt(d), a mean of norm about 0.5: L = 1, the ball has radius 1."""
    means = 0.5 * np.cos(np.arange(DIMENSION))
    signs = [random_signs(seed * DIMENSION + j, RECORDS, mean).features[:, 0] for j, mean in enumerate(means)]
    return np.stack(signs, axis=1) / np.sqrt(DIMENSION) * (1 - 1e-12)


def excess(vectors, outputs):
    """The mean of <a_i, x> above its least value in the ball, |mean of a_i|."""
    mean = vectors.mean(axis=0)
    return outputs @ mean + np.linalg.norm(mean)


def ridge(vectors):
    return RidgeLosses(np.full(RECORDS, int(Ridge.LINEAR)), vectors, np.zeros(RECORDS), 1.0)


def localised(setting, noise):
    """SubERM; noise: 1/beta."""
    return sub_erm.Params(
        centre=START, radius=1.0, smoothing=1e4, privacy=1 / noise, steps=setting, records=RECORDS,
        project_output="projected",
    )  # fmt: skip


def accelerated(setting, noise):
    """PrivateERM with practical constants; noise: 1/beta."""
    steps, most = setting
    return private_erm.Params(
        origin=START, radius=1.0, ball_radius=0.7, lipschitz=1.0, accuracy=0.3, acceleration_constant=0.5, most=most,
        smoothing=1e4, privacy=1 / noise, search_steps=steps, ball_steps=steps, proximal_steps=steps, failure=0.9,
        error_constant=2.0, privacy_constant=64.0, records=RECORDS,
    )  # fmt: skip


def descent(setting, noise):
    """DP-SGD on all records, the mean of the iterates; noise: over the sensitivity when a record is zeroed out."""
    steps, size = setting
    return dp_sgd.Params(
        start=START, step_sizes=(size,) * steps, batches=Batches("all records", RECORDS, RECORDS),
        noise=noise / RECORDS, lipschitz=1.0, domain=ball(1.0, START), output="mean",
    )  # fmt: skip


def phased(setting, noise):
    return phased_sgd.Params(
        start=START, records=RECORDS, step_size=setting, noise=noise, lipschitz=1.0, smoothness=1e-6,
        domain=ball(1.0, START),
    )  # fmt: skip


def method(name, module, made, settings, run):
    return Method(name, settings, run, lambda setting, noise: for_replacement(module.promise(made(setting, noise))))


def on_ridge(module, made):
    return lambda data, setting, noise, trials: module.cpu(made(setting, noise), ridge(data), trials).final


def on_linear(module, made):
    return lambda data, setting, noise, trials: module.cpu(
        made(setting, noise), losses.linear(data), trials, "final"
    )  # fmt: skip


def without_noise(data, setting, noise, trials):
    return dp_sgd.cpu(descent((30, setting), 0.0), losses.linear(data), trials, "final")


BASELINES = (
    method("DP-SGD, all records", dp_sgd, descent, grid((1, 10), SIZES), on_linear(dp_sgd, descent)),
    method("phased SGD", phased_sgd, phased, SIZES, on_linear(phased_sgd, phased)),
    Method("gradient descent", SIZES, without_noise),
)

AGAINST_EPSILON = Experiment(
    title="SubERM, PrivateERM and baselines: linear losses in a ball",
    family=family,
    errors={"excess": excess},
    methods=(
        method("SubERM", sub_erm, localised, (128, 512, LONGEST), on_ridge(sub_erm, localised)),
        method("PrivateERM, practical constants", private_erm, accelerated, grid((64,), (1,)),
               on_ridge(private_erm, accelerated)),
        *BASELINES,
    ),
    trials=60,
    tuning_trials=6,
)  # fmt: skip

AGAINST_STEPS = Experiment(
    title="SubERM by its number of steps T: linear losses in a ball",
    family=family,
    errors={"excess": excess},
    methods=tuple(
        method(f"SubERM, T = {steps}", sub_erm, localised, (steps,), on_ridge(sub_erm, localised))
        for steps in (8, 32, 128, 512, LONGEST)
    ),
    trials=60,
)

EXPERIMENT = AGAINST_EPSILON

NOTES = (
    "Neither SubERM nor PrivateERM comes near its baselines at this size. What is proved of them charges hits by "
    "Chernoff bounds and composes all oracle calls; the gain that the paper claims is in gradients, for far more "
    "records. For linear losses one noisy gradient of all records is enough, which favours DP-SGD.",
)

if __name__ == "__main__":
    main("resque", [(AGAINST_EPSILON, NOTES), (AGAINST_STEPS, [])])
