"""Runs of the shipped algorithm: their line searches and gradients against the formulas of the proof."""

import numpy as np

from dpaudit.algorithms.resque import private_erm
from dpaudit.noise.stream import Trials
from dpaudit.problems.smoothing.ridges import Ridge, ridge_losses


def small_runs(stream, cases):
    """Runs of the shipped algorithm with practical constants on f = -x over [-1, 1]: (parameters, batch)."""
    params = private_erm.Params(
        radius=1.0, ball_radius=0.5, lipschitz=1.0, accuracy=0.05, acceleration_constant=2.0, origin=(0.0,),
        records=256, smoothing=0.4, privacy=1.0, search_steps=64, ball_steps=32, proximal_steps=32, failure=0.2,
        constant=0.3, error_constant=0.1, output="projected", estimator="unweighted",
    )  # fmt: skip
    losses = ridge_losses([(Ridge.LINEAR, (-1.0,))] * params.records)
    return params, private_erm.cpu(params, losses, Trials(stream, np.arange(cases)))


def searches(stream, cases):
    """Line searches of a run against the C_ba log(R kappa/r), here 7.4, an iteration of Proposition 1."""
    params, done = small_runs(stream, cases)
    kappa = params.lipschitz * params.radius / params.accuracy
    most = params.acceleration_constant * np.log(params.radius * kappa / params.ball_radius)
    return done.search_calls.sum(axis=1), np.floor(most * done.iterations).astype(np.int64)


def gradients(stream, cases):
    """Gradients of a run against: copies times T_1 for each line search, T_2 an iteration, 2^(J+1) T_3 for each draw
    J up to j_max, T_3 for each above."""
    params, done = small_runs(stream, cases)
    levels = np.where(done.levels <= params.proximal.highest, 2 ** (done.levels + 1), 1) * (done.levels > 0)
    formula = (
        done.search_calls.sum(axis=1) * params.search_oracle().copies * params.search_steps
        + done.iterations * params.ball_steps
        + levels.sum(axis=(1, 2)) * params.proximal_steps
    )
    return done.queries.sum(axis=1), formula
