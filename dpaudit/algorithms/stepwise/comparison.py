"""The comparison of the three forms of an algorithm that goes step by step."""

from __future__ import annotations

from collections.abc import Iterable
from functools import partial

import numpy as np

from dpaudit.agreement.cases import Case, Replay, Trace
from dpaudit.algorithms.counted import Batch, Counted, SomeProblem
from dpaudit.algorithms.stepwise.forms import SomeDraws, SomeParams, Step, StepwiseAlgorithm, at
from dpaudit.algorithms.vectors import Vector
from dpaudit.arithmetic.arrays import Array, Integers
from dpaudit.arithmetic.tracked import Tracked, lift, track, values_of
from dpaudit.noise.stream import Stream, Trials


def case(module: StepwiseAlgorithm, name: str, params: SomeParams, problem: SomeProblem, stream: Stream) -> Case:
    """The comparison of the three forms of `module` on one instance, with bounds found by Tracked arithmetic."""
    return Case(
        name,
        params,
        operations=1,  # the magnitudes of the trace count every rounding already
        reference=partial(_trace, module, params, problem, stream),
        cpu=partial(_cpu, module, params, problem, stream),
        gpu=partial(_gpu, module, params, problem, stream),
        calls=partial(_calls, module, params, problem, stream),
        bulk=partial(_bulk, module, params, problem, stream),
    )


def cases(
    module: StepwiseAlgorithm, seed: int, listed: Iterable[tuple[str, SomeProblem, SomeParams]], place: str = ""
) -> tuple[Case, ...]:
    """A comparison for each of `listed`: its name, its problem and its parameters. place: in the stream, by default the
    name of the folder."""
    home = place or module.__name__.rpartition(".")[2]
    return tuple(
        case(module, name, params, problem, Stream(seed, f"agree/{home}/{name}")) for name, problem, params in listed
    )


def _trace(module: StepwiseAlgorithm, params: SomeParams, problem: SomeProblem, stream: Stream, trials: int) -> Trace:
    inputs = [module.draw_inputs(params, stream, trial) for trial in range(trials)]
    runs = [module.reference(params, problem, draws) for draws in inputs]
    steps = len(runs[0].transcript)
    bounds = [
        _bounds(module.step(params, Counted(_Tracking(problem)), track(run.states[t]), t, _tracked(at(draws, t))))
        for run, draws in zip(runs, inputs, strict=True)
        for t in range(steps)
    ]
    return Trace(
        trials=np.repeat(np.arange(trials), steps),
        steps=np.tile(np.arange(steps), trials),
        before=np.concatenate([run.states[:-1] for run in runs]),
        after=np.concatenate([np.hstack([run.states[1:], run.transcript]) for run in runs]),
        magnitude=np.array([magnitude for magnitude, _, _ in bounds]),
        branches=np.concatenate([run.branches for run in runs]),
        tie_distance=np.array([distance for _, distance, _ in bounds]).reshape(trials * steps, -1),
        tie_magnitude=np.array([size for _, _, size in bounds]).reshape(trials * steps, -1),
        final=_whole(np.stack([run.final for run in runs]), np.stack([run.transcript for run in runs]), "float64"),
    )


class _Tracking:
    """`problem` whose answers are tracked also at a point that is a parameter: the fast forms cast it as any input,
    and a gradient there may be a small sum of large terms."""

    def __init__(self, problem: SomeProblem) -> None:
        self._problem = problem

    def __getattr__(self, name: str) -> object:
        return getattr(self._problem, name)

    def gradient(self, point: Vector) -> Vector:
        return self._problem.gradient(_as_input(point))

    def value(self, point: Vector) -> Vector:
        return self._problem.value(_as_input(point))

    def record_gradients(self, point: Vector, batch: Batch | None = None) -> Vector:
        return self._problem.record_gradients(_as_input(point), batch)

    def record_values(self, point: Vector, batch: Batch | None = None) -> Vector:
        return self._problem.record_values(_as_input(point), batch)


def _as_input(point: Vector) -> Tracked:
    return point if isinstance(point, Tracked) else track(point)


def _tracked(draw: SomeDraws) -> SomeDraws:
    real = [isinstance(field, np.ndarray) and field.dtype.kind == "f" for field in draw]
    return type(draw)(*(track(field) if one else field for field, one in zip(draw, real, strict=True)))


def _bounds(taken: Step) -> tuple[Array, list[float], list[float]]:
    joined = lift(np.concatenate([lift(taken.state), lift(taken.released)]))
    margins = [None if margin is None else lift(margin) for _, margin in taken.branches]
    distances = [np.inf if margin is None else float(np.abs(margin.values)) for margin in margins]
    # Nothing is smaller than the number itself, so that moved numbers count as one rounding.
    return (
        np.maximum(joined.errors, np.abs(values_of(joined))),
        distances,
        [0.0 if margin is None else float(margin.errors) for margin in margins],
    )


def _cpu(
    module: StepwiseAlgorithm, params: SomeParams, problem: SomeProblem, stream: Stream, trace: Trace, dtype: str
) -> Replay:
    rows, whole = Trials(stream, trace.trials), Trials(stream, np.arange(len(trace.final)))
    after, branches = module.advance_cpu(params, problem, rows, trace.steps, trace.before, dtype)
    final, transcript = (module.cpu(params, problem, whole, release, dtype) for release in ("final", "transcript"))
    return Replay(after, branches, _whole(final, transcript, dtype))


def _gpu(
    module: StepwiseAlgorithm,
    params: SomeParams,
    problem: SomeProblem,
    stream: Stream,
    trace: Trace,
    dtype: str,
    device: str,
) -> Replay:
    rows, whole = Trials(stream, trace.trials), Trials(stream, np.arange(len(trace.final)))
    after, branches = module.advance_gpu(params, problem, rows, trace.steps, trace.before, dtype, device)
    final, transcript = (
        module.gpu(params, problem, whole, release, device, dtype).cpu().numpy() for release in ("final", "transcript")
    )
    return Replay(after, branches, _whole(final, transcript, dtype))


def _whole(final: Array, transcript: Array, dtype: str) -> Array:
    """Outputs and transcripts of whole runs side by side, (trials, size): single steps do not show what a run keeps.

    ValueError for another dtype than `dtype`: a form that computes in float64 passes every bound of float32.
    """
    found = np.concatenate([final.reshape(len(final), -1), transcript.reshape(len(transcript), -1)], axis=1)
    if found.dtype != dtype:
        raise ValueError(f"a whole run in {dtype} gives {final.dtype} outputs and {transcript.dtype} transcripts")
    return found


def _calls(
    module: StepwiseAlgorithm, params: SomeParams, problem: SomeProblem, stream: Stream, trial: int
) -> tuple[dict[str, int], dict[str, int]]:
    draws = module.draw_inputs(params, stream, trial)
    return module.reference(params, problem, draws).calls, module.calls(params, draws)


def _bulk(
    module: StepwiseAlgorithm,
    params: SomeParams,
    problem: SomeProblem,
    stream: Stream,
    numbers: Integers,
    backend: str,
    dtype: str,
    device: str,
) -> Vector:
    trials = Trials(stream, numbers)
    if backend == "numba":
        return module.cpu(params, problem, trials, "final", dtype)
    return module.gpu(params, problem, trials, "final", device, dtype)
