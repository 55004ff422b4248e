"""The instances on which the three forms of EpochSGD are compared, and the bounds of one step."""

from __future__ import annotations

import numpy as np

from dpaudit.agreement.cases import Case, Trace
from dpaudit.algorithms.resque import epoch_sgd
from dpaudit.algorithms.resque.epoch_sgd import Params
from dpaudit.algorithms.resque.shared.cases import Calls, Instance, all_kinds
from dpaudit.algorithms.resque.shared.draws import estimate_magnitude, exponent_magnitude, projection_magnitude
from dpaudit.arithmetic.arrays import Array, Integers
from dpaudit.noise.stream import Stream
from dpaudit.problems.smoothing.ridges import Oracle, Ridge, ridge_losses


def agreement_cases(seed: int) -> tuple[Case, ...]:
    """Two epochs and part of a third with every kind of record; a small ball that every step leaves; pure noise."""
    rng = np.random.default_rng([seed, 0x0E5D])
    losses = all_kinds(rng)
    centre = tuple((0.5 * rng.normal(size=3)).tolist())
    still = ridge_losses([(Ridge.ZERO, (1.0,))])
    listed = (
        ("all records", Params(centre, 0.8, 0.8, 0.9, 1.9, 1.5), Oracle(losses)),
        ("a drawn record, bounded noise", Params(centre, 0.8, 1.0, 0.7, 1.9, 1.6), Oracle(losses, "record", 0.5)),
        ("a small ball", Params(centre, 0.01, 0.5, 2.0, 1.0, 1.5), Oracle(losses)),
        ("pure noise in one dimension", Params((0.3,), 1.0, 1.0, 1.0, 0.9, 1.0), Oracle(still, "mean", 1.0)),
    )
    return tuple(
        Instance(epoch_sgd, params, oracle, Stream(seed, f"agree/epoch_sgd/{name}")).case(
            # the query (n + d, in float64), the weight, the step, the norm of the projection, the mean of T_k, casts
            name, oracle.losses.records + 6 * len(params.centre) + 40, _trace, _calls,
        )
        for name, params, oracle in listed
    )  # fmt: skip


def _trace(one: Instance, trials: int) -> Trace:
    params, oracle, stream = one.params, one.data, one.stream
    inputs = [epoch_sgd.draw_inputs(params, oracle, stream, trial) for trial in range(trials)]
    runs = [epoch_sgd.reference(params, oracle, *given) for given in inputs]
    before, after = (np.concatenate([run.states[part] for run in runs]) for part in (slice(-1), slice(1, None)))
    count = len(runs[0].states) - 1
    steps, numbers = np.tile(np.arange(count), trials), np.repeat(np.arange(trials), count)
    samples = [np.concatenate([np.asarray(given[part])[:count] for given in inputs]) for part in range(3)]
    magnitude, flag, distance, size = _bounds(params, oracle, before, steps, samples)
    return Trace(
        numbers, steps, before, after, magnitude, flag[:, None], distance[:, None], size[:, None],
        np.stack([run.final for run in runs]),
    )  # fmt: skip


def _bounds(
    params: Params, oracle: Oracle, before: Array, steps: Integers, samples: list[Array]
) -> tuple[Array, Integers, Array, Array]:
    """A of (x, sum); whether the step leaves the ball, by how much, and the A of that."""
    c, d, rho = np.array(params.centre), len(params.centre), params.smoothing_radius
    epoch = params.schedule[np.searchsorted(params.schedule[:, 0], steps, side="right") - 1]
    t, eta = steps - epoch[:, 0], epoch[:, 2:]
    # Position t uses the sample before its own number; roll leaves a wrong one at t = 0, which is multiplied by 0.
    normals, records, signs = (np.roll(part, 1, axis=0) for part in samples)
    xi, moving = rho * normals, (t > 0)[:, None]
    g = oracle.query(c + xi, records.astype(np.int64), signs)
    x, pull, width = before[:, :d], eta * params.strength, np.abs(before[:, :d]) + np.abs(c)
    v = x - c
    weights = np.exp((v * (2 * xi - v)).sum(axis=1) / (2 * rho**2))
    estimate = estimate_magnitude(weights, g, exponent_magnitude(width, xi, rho))
    reached = (x + pull * c - eta * moving * weights[:, None] * g) / (1 + pull)
    inside = (np.abs(x) + pull * np.abs(c) + eta * moving * estimate) / (1 + pull)
    projected = projection_magnitude(inside, c)
    total = np.abs(before[:, d:]) * moving + projected
    last = (t == epoch[:, 1] - 1)[:, None]
    distance = np.linalg.norm(reached - c, axis=1)
    size = np.linalg.norm(inside + np.abs(c), axis=1) + params.ball_radius
    magnitude = np.hstack([np.where(last, total / epoch[:, 1:2], projected), total])
    return magnitude, (distance > params.ball_radius).astype(np.int64), np.abs(distance - params.ball_radius), size


def _calls(one: Instance, trial: int) -> Calls:
    run = epoch_sgd.reference(one.params, one.data, *epoch_sgd.draw_inputs(one.params, one.data, one.stream, trial))
    counted = {"gradients": run.queries, "rounds": run.rounds, "steps": len(run.states) - 1}
    return counted, epoch_sgd.calls(one.params)
