"""The instances on which the three forms of DP-SkGD are compared, and the bounds of one step."""

from __future__ import annotations

from functools import partial
from typing import TYPE_CHECKING

import numpy as np
from numpy.typing import NDArray

from dpaudit import problems, samplers
from dpaudit.comparison import Case, Replay, Trace
from dpaudit.noise import Stream, Trials

if TYPE_CHECKING:
    from dpaudit.algorithms.dp_skgd import Params
    from dpaudit.problems import Problem

Array = NDArray[np.float64]
Integers = NDArray[np.int64]


def agreement_cases(seed: int) -> tuple[Case, ...]:
    """Every kind of sampler with every kind of loss at least once; both readings of the noise."""
    rng = np.random.default_rng([seed, 0x5C6D])
    features, labels = rng.normal(size=(7, 4)), np.where(rng.random(7) < 0.5, -1.0, 1.0)
    root = rng.normal(size=(4, 4))
    curvature = (root @ root.T + (root @ root.T).T) / 8
    blocks = ((0, 2), (1,), (3,))
    listed = (
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
    return tuple(_case(name, problem, sampler, reading, seed) for name, problem, sampler, reading in listed)


def _case(name: str, problem: Problem, sampler: samplers.Sampler, reading: str, seed: int) -> Case:
    from dpaudit.algorithms import dp_skgd  # that file carries the algorithm and names this one

    number = len(sampler.sets)
    scales = tuple(0.1 + 0.2 * i / number for i in range(number))
    start = tuple(0.3 * j - 0.2 for j in range(problem.dimension))
    bounds = problem.lipschitz(sampler.sets)
    params = dp_skgd.Params(start, (0.05,) * problem.dimension, 3, 4, sampler, scales, bounds, problem.records, reading)
    stream = Stream(seed, f"agree/dp_skgd/{name}")
    return Case(
        name,
        params,
        operations=problem.rounding_operations + 12,  # noise, p, gamma/p, product, two sums, the average, the casts
        reference=partial(_trace, params, problem, stream),
        cpu=partial(_cpu, params, problem, stream),
        gpu=partial(_gpu, params, problem, stream),
    )


def _trace(params: Params, problem: Problem, stream: Stream, trials: int) -> Trace:
    from dpaudit.algorithms import dp_skgd

    inputs = [dp_skgd.draw_inputs(params, stream, trial) for trial in range(trials)]
    runs = [dp_skgd.reference(params, problem, noise, sets) for noise, sets in inputs]
    before = np.concatenate([run.states[:-1] for run in runs])
    after = np.concatenate([np.hstack([run.states[1:], run.transcript[:, 1:]]) for run in runs])
    noise, sets = np.concatenate([pair[0] for pair in inputs]), np.concatenate([pair[1] for pair in inputs])
    steps = np.tile(np.arange(params.steps), trials)
    numbers = np.repeat(np.arange(trials), params.steps)
    uniforms = np.concatenate(
        [stream.part("sets").uniforms(np.arange(trials), step, 1) for step in range(params.steps)], axis=1
    ).reshape(-1)
    distance = np.abs(uniforms[:, None] - params.sampler.cumulative).min(axis=1, keepdims=True)
    return Trace(
        numbers, steps, before, after, _magnitude(params, problem, before, steps, noise, sets),
        sets[:, None], distance, np.zeros_like(distance), np.stack([run.final for run in runs]),
    )  # fmt: skip


def _magnitude(params: Params, problem: Problem, before: Array, steps: Integers, noise: Array, sets: Integers) -> Array:
    """A of (theta, sum, released): every term of the step in absolute value."""
    d, sampler = problem.dimension, params.sampler
    chosen = sampler.members[sets]
    used = np.arange(sampler.widest) < sampler.sizes[sets][:, None]
    gradient = np.take_along_axis(problem.gradient_magnitude(before[:, :d]), chosen, axis=1)
    released = (gradient + params.deviations[sets][:, None] * np.abs(noise)) * used
    theta, rows = np.abs(before[:, :d]), np.arange(len(before))[:, None]
    np.add.at(theta, (rows, chosen), params.rates[chosen] * released)
    total = theta + np.abs(before[:, d:]) * (steps % params.inner_steps != 0)[:, None]
    last = ((steps + 1) % params.inner_steps == 0)[:, None]
    return np.hstack([np.where(last, total / params.inner_steps, theta), total, released])


def _cpu(params: Params, problem: Problem, stream: Stream, trace: Trace, dtype: str) -> Replay:
    from dpaudit.algorithms import dp_skgd

    rows = Trials(stream, trace.trials)
    after, sets = dp_skgd.advance_cpu(params, problem, rows, trace.steps, trace.before, dtype)
    whole = Trials(stream, np.arange(len(trace.final)))
    return Replay(after, sets[:, None], dp_skgd.cpu(params, problem, whole, "final", dtype))


def _gpu(params: Params, problem: Problem, stream: Stream, trace: Trace, dtype: str, device: str) -> Replay:
    from dpaudit.algorithms import dp_skgd

    rows = Trials(stream, trace.trials)
    after, sets = dp_skgd.advance_gpu(params, problem, rows, trace.steps, trace.before, dtype, device)
    whole = Trials(stream, np.arange(len(trace.final)))
    final = dp_skgd.gpu(params, problem, whole, "final", device, dtype)
    return Replay(after, sets[:, None], final.cpu().numpy())
