"""The instances on which the forms of LambdaSearch and BallAccel are compared, and the bounds of one step.

Which strengths a search tries depends on comparisons of movements with 12/16 r and 14/16 r. Instances in
which one comes within TIE r of such an end are left out, so that every form takes the same way in float32.
"""

from __future__ import annotations

from functools import partial

import numpy as np

from dpaudit.agreement.cases import Case, Replay, Trace
from dpaudit.algorithms.resque import ball_acceleration
from dpaudit.algorithms.resque.ball_acceleration import Params, Run
from dpaudit.algorithms.resque.ball_acceleration.objectives import Objective, Shape
from dpaudit.algorithms.resque.ball_acceleration.setting import HIGH, LOW
from dpaudit.algorithms.resque.shared.cases import Calls, whole_runs
from dpaudit.algorithms.resque.shared.counted import Asked
from dpaudit.algorithms.resque.shared.draws import projection_magnitude
from dpaudit.arithmetic.arrays import Array, Integers
from dpaudit.noise.stream import Stream, Trials

TIE = 2e-4
DIMENSION = 3


def example_objective(shape: Shape, instances: Integers) -> Objective:
    """Minimisers in a ball of radius 0.9, one for each instance number."""
    rows = []
    for instance in instances.tolist():
        rng = np.random.default_rng([instance, 0xBA11, int(shape)])
        row = rng.normal(size=DIMENSION)
        rows.append(row / np.linalg.norm(row) * rng.uniform(0.3, 0.9))
    return Objective(shape, np.array(rows), 1.0, 0.15, np.array([0.6, 0.0, 0.8]))


def first_instance(seed: int) -> int:
    """The number of the first instance of a seed."""
    return seed % 1_000_003 * 1000


def nearest_end(ball_radius: float, tried: Array) -> float:
    """How close the movements of a search come to an end that decides, over r; the first call has one end only."""
    moved = tried[:, 1] / ball_radius
    first, others = np.abs(moved[:1] - HIGH), np.abs(moved[1:, None] - [HIGH, LOW]).ravel()
    return float(np.concatenate([first, others]).min())


def agreement_cases(seed: int) -> tuple[Case, ...]:
    """Every shape of objective, exact and erring oracles, both outputs."""
    cases = []
    for shape in Shape:
        error = 0.5 if shape in (Shape.NORM, Shape.HUBER) else 0.0
        output = "projected" if shape is Shape.LARGEST else "last"
        params = Params(1.0, 0.3, 1.0, 0.1, 3.0, 17.0, error, 2.0, output)
        stream = Stream(seed, f"agree/ball_acceleration/{shape.name}")
        name = f"{shape.name}, {'erring' if error else 'exact'} oracles, {output} point"
        cases.append(
            Case(
                name, params, 6 * params.search_calls + 10 * DIMENSION + 60,
                partial(_trace, params, shape, stream, seed), partial(_cpu, params, shape, stream),
                partial(_gpu, params, shape, stream), partial(_calls, params, shape, stream, seed),
                whole_runs(ball_acceleration, params, partial(example_objective, shape), stream),
            )
        )  # fmt: skip
    return tuple(cases)


def _trace(params: Params, shape: Shape, stream: Stream, seed: int, trials: int) -> Trace:
    found: list[tuple[int, Run, float]] = []
    instance = first_instance(seed)
    while len(found) < trials:
        objective = example_objective(shape, np.array([instance]))
        oracles = ball_acceleration.closed_form_oracles(params, objective, 0, stream, instance)
        run = ball_acceleration.reference(params, DIMENSION, oracles)
        nearest = min(nearest_end(params.ball_radius, tried) for tried in run.tried)
        if nearest > TIE:
            found.append((instance, run, nearest))
        instance += 1
    return _assembled(params, shape, found)


def _calls(params: Params, shape: Shape, stream: Stream, seed: int, trial: int) -> Calls:
    instance = first_instance(seed) + trial
    made = ball_acceleration.closed_form_oracles(
        params, example_objective(shape, np.array([instance])), 0, stream, instance
    )
    asked = [Asked(oracle) for oracle in (made.search, made.ball, made.proximal)]
    run = ball_acceleration.reference(params, DIMENSION, ball_acceleration.Oracles(*asked))
    counted = dict(zip(("search oracle", "ball oracle", "proximal oracle"), (one.count for one in asked), strict=True))
    return counted, ball_acceleration.calls(params, run.strengths, run.tried)


def _assembled(params: Params, shape: Shape, found: list[tuple[int, Run, float]]) -> Trace:
    columns: list[list[Array]] = [[] for _ in range(7)]
    for instance, run, nearest in found:
        count = len(run.strengths)
        after = np.hstack([run.strengths[:, None], run.centres, run.states[1:]])
        parts = (
            np.full(count, instance), np.arange(count), run.states[:-1], after,
            _bounds(params, example_objective(shape, np.array([instance])), run), run.calls[:, None],
            np.full((count, 1), nearest * params.ball_radius),
        )  # fmt: skip
        for column, part in zip(columns, parts, strict=True):
            column.append(part)
    numbers, steps, before, after, magnitude, calls, near = (np.concatenate(column) for column in columns)
    return Trace(
        numbers.astype(np.int64), steps.astype(np.int64), before, after, magnitude, calls.astype(np.int64), near,
        np.full_like(near, 8.0), np.stack([run.point for _, run, _ in found]),
    )  # fmt: skip


def _bounds(params: Params, objective: Objective, run: Run) -> Array:
    """A of (lambda, y, x, v, A).

    A proximal point errs by at most 4 times its argument in norm, and d^2 + 2 times where levels are sorted; a random
    step of an erring oracle adds its own length.
    """
    d, lam, centre = len(run.point), run.strengths[:, None], np.abs(objective.centres)
    x, v, weight = run.states[:-1, :d], run.states[:-1, d : 2 * d], run.states[:-1, 2 * d :]
    a = run.states[1:, 2 * d :] - weight
    y = (weight * np.abs(x) + a * np.abs(v)) / (weight + a)
    growth = d * d + 2 if objective.shape == Shape.LARGEST else 4
    moved = growth * np.linalg.norm(y + centre, axis=1, keepdims=True) + centre + y + params.ball_radius
    reached = moved + params.oracle_error * params.deviation / lam * 4
    after = projection_magnitude(np.abs(v) + a / 2 * lam * (y + reached), np.zeros(d))
    return np.hstack([lam, y, projection_magnitude(reached, y), after, weight + a])


def _cpu(params: Params, shape: Shape, stream: Stream, trace: Trace, dtype: str) -> Replay:
    objective, rows = example_objective(shape, trace.trials), Trials(stream, trace.trials)
    after, calls = ball_acceleration.advance_cpu(params, objective, rows, trace.steps, trace.before, dtype)
    instances = trace.trials[trace.steps == 0]
    values = ball_acceleration.cpu(params, example_objective(shape, instances), Trials(stream, instances), dtype)
    return Replay(after, calls[:, None], ball_acceleration.runs(values).points)


def _gpu(params: Params, shape: Shape, stream: Stream, trace: Trace, dtype: str, device: str) -> Replay:
    objective, rows = example_objective(shape, trace.trials), Trials(stream, trace.trials)
    after, calls = ball_acceleration.advance_gpu(params, objective, rows, trace.steps, trace.before, dtype, device)
    instances = trace.trials[trace.steps == 0]
    whole = ball_acceleration.gpu(params, example_objective(shape, instances), Trials(stream, instances), device, dtype)
    return Replay(after, calls[:, None], ball_acceleration.runs(whole.cpu().numpy()).points)
