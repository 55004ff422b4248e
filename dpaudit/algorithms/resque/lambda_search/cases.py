"""The instances on which the forms of LambdaSearch are compared, and the bounds of one search."""

from __future__ import annotations

from functools import partial
from typing import Any

import numpy as np

from dpaudit.agreement.cases import Case, Replay, Trace
from dpaudit.algorithms.resque import lambda_search
from dpaudit.algorithms.resque.ball_acceleration import closed_form_oracles
from dpaudit.algorithms.resque.ball_acceleration.cases import (
    DIMENSION,
    TIE,
    example_objective,
    first_instance,
    nearest_end,
)
from dpaudit.algorithms.resque.ball_acceleration.objectives import Shape
from dpaudit.algorithms.resque.lambda_search import Params
from dpaudit.algorithms.resque.lambda_search import Run as Search
from dpaudit.algorithms.resque.shared.cases import Calls
from dpaudit.algorithms.resque.shared.counted import Asked
from dpaudit.arithmetic.arrays import Array, Integers
from dpaudit.noise.stream import Stream, Trials


def agreement_cases(seed: int) -> tuple[Case, ...]:
    """Every shape of objective, exact and erring oracles."""
    cases = []
    for shape in Shape:
        error = 0.5 if shape in (Shape.HUBER, Shape.LARGEST) else 0.0
        params = Params(1.0, 0.05, 1.0, 0.01, 6.0, 17.0, error)
        stream = Stream(seed, f"agree/lambda_search/{shape.name}")
        name = f"{shape.name}, {'erring' if error else 'exact'} oracle"
        cases.append(
            Case(
                name, params, 6 * params.search_calls + 8 * DIMENSION + 40,
                partial(_search_trace, params, shape, stream, seed), partial(_search_cpu, params, shape, stream),
                partial(_search_gpu, params, shape, stream), partial(_search_calls, params, shape, stream, seed),
                partial(_searches, params, shape, stream),
            )
        )  # fmt: skip
    return tuple(cases)


def _start(instance: int) -> tuple[Array, Array, float]:
    rng = np.random.default_rng([instance, 0x57A7])
    x, v = rng.normal(size=(2, DIMENSION))
    return 0.4 * x, 0.6 * v, float(np.exp(rng.uniform(0.0, 5.0)))


def _search_trace(params: Params, shape: Shape, stream: Stream, seed: int, trials: int) -> Trace:
    found: list[tuple[int, Search]] = []
    instance = first_instance(seed)
    while len(found) < trials:
        run = lambda_search.reference(params, *_start(instance), _search_oracle(params, shape, stream, instance))
        if nearest_end(params.ball_radius, run.tried) > TIE:
            found.append((instance, run))
        instance += 1
    numbers = np.array([instance for instance, _ in found])
    starts = [_start(number) for number in numbers.tolist()]
    before = np.stack([np.concatenate([x, v, [weight]]) for x, v, weight in starts])
    after = np.array([[run.strength] for _, run in found])
    calls = np.array([[run.calls] for _, run in found])
    near = np.array([[nearest_end(params.ball_radius, run.tried)] for _, run in found]) * params.ball_radius
    size = np.full_like(near, 8.0)  # |x|, |v|, |c| are below 4, the movement is 1-Lipschitz in y up to a factor 2
    return Trace(numbers, np.zeros_like(numbers), before, after, after.copy(), calls, near, size, np.log(after))


def _search_oracle(params: Params, shape: Shape, stream: Stream, instance: int) -> Any:
    oracles = closed_form_oracles(params, example_objective(shape, np.array([instance])), 0, stream, instance)
    counted = iter(range(params.search_calls))
    return lambda y, lam: oracles.search(y, lam, 0, next(counted))


def _search_calls(params: Params, shape: Shape, stream: Stream, seed: int, trial: int) -> Calls:
    instance = first_instance(seed) + trial
    asked = Asked(_search_oracle(params, shape, stream, instance))
    run = lambda_search.reference(params, *_start(instance), asked)
    return {"search oracle": asked.count}, lambda_search.calls(params, run.tried[:, 1])


def _searches(
    params: Params, shape: Shape, stream: Stream, numbers: Integers, backend: str, dtype: str, device: str
) -> Any:
    x, v, weights = (np.array(part) for part in zip(*map(_start, numbers.tolist()), strict=True))
    given = (params, example_objective(shape, numbers), x, v, weights, Trials(stream, numbers))
    return lambda_search.cpu(*given, dtype) if backend == "numba" else lambda_search.gpu(*given, device, dtype)


def _search_cpu(params: Params, shape: Shape, stream: Stream, trace: Trace, dtype: str) -> Replay:
    d, b = DIMENSION, trace.before
    state = (b[:, :d], b[:, d : 2 * d], b[:, 2 * d])
    values = lambda_search.cpu(
        params, example_objective(shape, trace.trials), *state, Trials(stream, trace.trials), dtype
    )
    return Replay(values[:, :1], values[:, 1:].astype(np.int64), np.log(values[:, :1].astype(np.float64)))


def _search_gpu(params: Params, shape: Shape, stream: Stream, trace: Trace, dtype: str, device: str) -> Replay:
    d, b = DIMENSION, trace.before
    state, rows = (b[:, :d], b[:, d : 2 * d], b[:, 2 * d]), Trials(stream, trace.trials)
    values = (
        lambda_search.gpu(params, example_objective(shape, trace.trials), *state, rows, device, dtype).cpu().numpy()
    )
    return Replay(values[:, :1], values[:, 1:].astype(np.int64), np.log(values[:, :1].astype(np.float64)))
