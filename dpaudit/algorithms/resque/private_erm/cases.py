"""The instances on which the three forms of PrivateERM are compared: one row per iteration, in its parts.

From the reference's (x, v, y, z, A, lambda): a, A', y and v' as the loop makes them, the answers of the ball and the
proximal oracle at (y, lambda), and as a branch the number of calls that the search makes from (x, v, A).
"""

from __future__ import annotations

from typing import Any

import numpy as np

from dpaudit.agreement.cases import Case, Trace
from dpaudit.algorithms.resque import bias_reduced_prox, high_probability_erm, lambda_search, private_erm
from dpaudit.algorithms.resque import sub_erm_strongly_convex as solver
from dpaudit.algorithms.resque.ball_acceleration.setting import HIGH, LOW
from dpaudit.algorithms.resque.bias_reduced_prox.cases import loop_bound
from dpaudit.algorithms.resque.private_erm import Run
from dpaudit.algorithms.resque.private_erm.params import Params
from dpaudit.algorithms.resque.shared.cases import Calls, Instance
from dpaudit.algorithms.resque.sub_erm_strongly_convex.cases import run_bound
from dpaudit.arithmetic.arrays import Array
from dpaudit.noise.stream import Stream
from dpaudit.problems.smoothing.ridges import Ridge, RidgeLosses, ridge_losses


def example_records(seed: int, records: int, dimension: int) -> RidgeLosses:
    """Records of three kinds with kinks near a common point, L = 1.5."""
    rng = np.random.default_rng([seed, 0xE5])
    directions = rng.normal(size=(records, dimension))
    directions /= np.linalg.norm(directions, axis=1, keepdims=True)
    kinds = np.resize([Ridge.ABSOLUTE, Ridge.HINGE, Ridge.LINEAR], records)
    offsets = 0.4 * directions[:, 0] + 0.1 * rng.normal(size=records)
    return ridge_losses(list(zip(kinds, directions, offsets, strict=True)), 1.5)


def agreement_cases(seed: int) -> tuple[Case, ...]:
    """The empirical risk alone, and with a quadratic of its own around another point."""
    shared: dict[str, Any] = {
        "radius": 1.0, "lipschitz": 1.5, "accuracy": 0.4, "smoothing": 0.9, "privacy": 4.0, "constant": 0.3,
        "failure": 0.75, "error_constant": 0.05, "privacy_constant": 2.0, "records": 17, "proximal_steps": 4,
    }  # fmt: skip
    plain = Params(
        ball_radius=0.3,
        acceleration_constant=0.9,
        search_steps=5,
        ball_steps=9,
        origin=(0.0, 0.0),
        output="last",
        **shared,
    )
    tethered = Params(
        ball_radius=0.25, acceleration_constant=1.2, search_steps=9, ball_steps=5, origin=(0.2, -0.1), tether=0.8,
        target=(0.9, 0.3), **shared,
    )  # fmt: skip
    return tuple(_case(name, params, seed) for name, params in (("plain", plain), ("with a quadratic", tethered)))


def _case(name: str, params: Params, seed: int) -> Case:
    losses = example_records(seed, params.records, params.dimension)
    longest = max(params.ball_steps, params.search_steps, params.proximal_steps << params.proximal.highest)
    operations = 4 * params.dimension + 80 + longest  # mixing, an inner step, its sums, the levels
    instance = Instance(private_erm, params, losses, Stream(seed, f"agree/private_erm/{name}"))
    return instance.case(name, operations, _trace, _calls)


def _trace(instance: Instance, trials: int) -> Trace:
    params, losses, stream = instance.params, instance.data, instance.stream
    runs = [private_erm.reference(params, losses, stream, trial) for trial in range(trials)]
    rows = [
        _row(params, losses, stream, trial, number, run)
        for trial, run in enumerate(runs)
        for number in range(len(run.outer.strengths))
    ]
    before, after, magnitude, branches, distance, size = (np.array(part) for part in zip(*rows, strict=True))
    counts = [len(run.outer.strengths) for run in runs]
    return Trace(
        np.repeat(np.arange(trials), counts), np.concatenate([np.arange(count) for count in counts]), before, after,
        magnitude, branches[:, None], distance[:, None], size[:, None], np.stack([run.final for run in runs]),
    )  # fmt: skip


def _row(params: Params, losses: RidgeLosses, stream: Stream, trial: int, number: int, run: Run) -> tuple[Any, ...]:
    """before, after, A, the calls of the search, how near it came to another decision, and the A of that."""
    d, outer, part = params.dimension, run.outer, stream.part(f"iteration {number + 1}")
    (x, v, weight), (answer, moved, next_weight) = (
        (state[:d], state[d : 2 * d], state[2 * d]) for state in outer.states[number : number + 2]
    )
    y, z, lam = outer.centres[number], run.proximal[number], float(outer.strengths[number])
    a, origin = next_weight - weight, np.abs(params.origin)
    mixed = (weight * np.abs(x) + a * np.abs(v)) / (weight + a)
    free = float(np.linalg.norm(np.abs(v) + a * lam / 2 * (np.abs(y) + np.abs(z))))
    ball, proximal = _oracle_bounds(params, losses, part, trial, y, lam)
    before = np.concatenate([x, v, y, z, [weight, lam]])
    after = np.concatenate([[a, next_weight], y, moved, answer, z])
    magnitude = np.concatenate([[a, weight + a], mixed, free + np.abs(moved), ball + origin, proximal + origin])
    distance, size = _ties(params, losses, part, trial, x, v, weight)
    return before, after, magnitude, outer.calls[number], distance, size


def _oracle_bounds(
    params: Params, losses: RidgeLosses, stream: Stream, trial: int, y: Array, lam: float
) -> tuple[Array, Array]:
    """A of the answers of the ball and the proximal oracle at y, relative to the origin, with lambda."""
    centre = np.array(params.origin) + y
    ball, prox = params.ball_oracle(centre, lam), params.proximal_oracle(centre, lam)
    one = solver.reference(ball, losses, stream.part("ball"), trial)
    many = bias_reduced_prox.reference(prox, losses, stream.part("proximal"), trial)
    bounds = [
        loop_bound(prox, losses, stream.part("proximal").part(f"repetition {k + 1}"), trial, loop)[1][-len(y) :]
        for k, loop in enumerate(many.repetitions)
    ]
    return run_bound(ball, losses, stream.part("ball"), trial, one), np.mean(bounds, axis=0)


def _ties(
    params: Params, losses: RidgeLosses, stream: Stream, trial: int, x: Array, v: Array, weight: float
) -> tuple[float, float]:
    """The least distance of any movement in the search from a limit, and the largest A of a movement."""
    nearest, largest, calls, origin = np.inf, 0.0, iter(range(params.search_calls)), np.array(params.origin)

    def oracle(y: Array, lam: float) -> Array:
        nonlocal nearest, largest
        made, part = params.search_oracle(origin + y, lam), stream.part(f"search {next(calls) + 1}")
        run = high_probability_erm.reference(made, losses, part, trial)
        copy = part.part(f"copy {run.chosen + 1}")
        size = run_bound(made, losses, copy, trial, run.copies[run.chosen]) + np.abs(origin) + np.abs(y)
        largest = max(largest, float(np.linalg.norm(size)))
        away = float(np.linalg.norm(run.final - origin - y))
        nearest = min(nearest, *(abs(away - limit * params.ball_radius) for limit in (LOW, HIGH)))
        return np.asarray(run.final - origin)

    lambda_search.reference(params, x, v, weight, oracle)
    return nearest, largest


def _calls(instance: Instance, trial: int) -> Calls:
    run = private_erm.reference(instance.params, instance.data, instance.stream, trial)
    return counted_calls(run), private_erm.calls(instance.params, run.outer.calls, run.levels)


def counted_calls(run: Run) -> dict[str, int]:
    """What a run of PrivateERM has counted, with the kinds of `private_erm.calls`."""
    kinds = ("search oracle", "ball oracle", "proximal oracle")
    return {"gradients": int(run.queries.sum()), **dict(zip(kinds, run.asked.tolist(), strict=True))}
