"""What algorithms share that go step by step: their run, the torch drivers, and their agreement cases.

Such a file writes one step of the reference, `step(params, problem, state, t, draw) -> Step`, on NumPy arrays that
may be `rounding.Tracked`; the bounds of its agreement then come from running that step on Tracked inputs, and nothing
is derived by hand. The names that `case` reads from it:

    draw_inputs(params, stream, trial)   a NamedTuple whose fields have one entry a step, or are plain numbers
    reference(params, problem, draws)    a `Run`
    calls(params, draws)                 the complexity formulas, as a dict with the keys of `Run.calls`
    cpu, gpu, advance_cpu, advance_gpu   whole runs, and single steps from given states
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from functools import partial
from types import ModuleType
from typing import Any

import numpy as np
from numpy.typing import NDArray

from dpaudit.agreement.cases import Case, Replay, Trace
from dpaudit.algorithms.counted import Counted
from dpaudit.arithmetic.tracked import lift, track, values_of
from dpaudit.noise.stream import Stream, Trials
from dpaudit.records.errors import ConfigurationError
from dpaudit.records.validation import check_choice

Array = NDArray[np.float64]
Integers = NDArray[np.int64]
RELEASES = ("transcript", "final")


@dataclass(frozen=True)
class Step:
    """One step. state: (width,); released: (columns,); branches: (way taken, distance from the switching point), the
    distance a number computed by the step, or None where all backends decide on the same bits."""

    state: Any
    released: Any
    branches: tuple[tuple[int, Any], ...] = ()


@dataclass(frozen=True)
class Run:
    """final: the output, (d,); transcript: what is released, (T, columns); states: (T + 1, width); branches: (T,
    choices); calls: oracle calls that were made, by kind."""

    final: Array
    transcript: Array
    states: Array
    branches: Integers
    calls: dict[str, int]


def walk(step: Callable[[Array, int, Any], Step], start: Any, draws: Any, steps: int) -> tuple[Array, Array, Integers]:
    """States (T + 1, width), releases (T, columns) and branches (T, choices) of a run from the state `start`."""
    states, released, branches = [np.asarray(start, dtype=np.float64)], [], []
    for t in range(steps):
        taken = step(states[-1], t, at(draws, t))
        states.append(np.asarray(taken.state))
        released.append(np.asarray(taken.released))
        branches.append([way for way, _ in taken.branches])
    return np.array(states), np.array(released), np.array(branches, dtype=np.int64).reshape(steps, -1)


def at(draws: Any, t: int) -> Any:
    """The randomness of step t: every field that has one entry a step at t, plain numbers as they are."""
    return type(draws)(*(field if isinstance(field, int | float) else field[t] for field in draws))


def _tracked(draw: Any) -> Any:
    real = [isinstance(field, np.ndarray) and field.dtype.kind == "f" for field in draw]
    return type(draw)(*(track(field) if one else field for field, one in zip(draw, real, strict=True)))


def check_sizes(problem: Any, records: int, dimension: int) -> None:
    """Refuse a problem of other sizes than the parameters say."""
    given, said = (problem.records, problem.dimension), (records, dimension)
    if given != said:
        raise ConfigurationError(
            f"the problem has {given[0]} records of {given[1]} coordinates, the parameters say {said[0]} of {said[1]}"
        )


# torch drivers: a machine has torch, tensor(values) and advance(state, step, trials) -> (state, released, branches).


class Machine:
    """What every torch form needs: the library, where tensors live, the noise of its stream."""

    def __init__(self, stream: Stream, device: str, dtype: str) -> None:
        from dpaudit.noise.tensors import load_torch

        self.torch = load_torch()
        self.stream, self.device, self.kind = stream, device, getattr(self.torch, dtype)

    def tensor(self, values: Any) -> Any:
        """`values` on the device in the dtype of the run."""
        return self.torch.tensor(values, dtype=self.kind, device=self.device)

    def no_branches(self, count: int) -> Any:
        """What `advance` returns as branches where there are none, (count, 0)."""
        return self.torch.zeros((count, 0), dtype=self.torch.int64, device=self.device)

    def normals(self, trials: Integers, step: int, count: int, part: str = "noise") -> Any:
        """Standard normals of one part of the stream, (trials, count)."""
        return self.stream.part(part).torch_normals(trials, step, count, self.device, self.kind)


def run_torch(machine: Any, start: Any, steps: int, trials: Integers, release: str, final: Callable[[Any], Any]) -> Any:
    """All steps of all trials: transcripts (trials, T, columns), or final(state) of the last states."""
    check_choice("release", release, RELEASES)
    state, transcript = machine.tensor(np.tile(start, (len(trials), 1))), []
    for step in range(steps):
        state, released, _ = machine.advance(state, step, trials)
        if release == "transcript":
            transcript.append(released)
    return machine.torch.stack(transcript, dim=1) if release == "transcript" else final(state)


def replay_torch(machine: Any, trials: Integers, steps: Integers, before: Array) -> tuple[Array, Integers]:
    """One step per row from the states `before`: (state, released), (rows, width + columns), and branches."""
    after: list[Any] = [None] * len(before)
    branches: list[Any] = [None] * len(before)
    for step in np.unique(steps):
        rows = np.flatnonzero(steps == step)
        state, released, ways = machine.advance(machine.tensor(before[rows]), int(step), trials[rows])
        joined = machine.torch.cat([state, released], dim=1).to(machine.torch.float64).cpu().numpy()
        for row, numbers, taken in zip(rows, joined, ways.cpu().numpy(), strict=True):
            after[row], branches[row] = numbers, taken
    return np.array(after), np.array(branches, dtype=np.int64).reshape(len(before), -1)


# Agreement. ---------------------------------------------------------------------------------------


def case(module: ModuleType, name: str, params: Any, problem: Any, stream: Stream) -> Case:
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


def _trace(module: Any, params: Any, problem: Any, stream: Stream, trials: int) -> Trace:
    inputs = [module.draw_inputs(params, stream, trial) for trial in range(trials)]
    runs = [module.reference(params, problem, draws) for draws in inputs]
    steps = len(runs[0].transcript)
    bounds = [
        _bounds(module.step(params, Counted(problem), track(run.states[t]), t, _tracked(at(draws, t))))
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


def _cpu(module: Any, params: Any, problem: Any, stream: Stream, trace: Trace, dtype: str) -> Replay:
    rows, whole = Trials(stream, trace.trials), Trials(stream, np.arange(len(trace.final)))
    after, branches = module.advance_cpu(params, problem, rows, trace.steps, trace.before, dtype)
    final, transcript = (module.cpu(params, problem, whole, release, dtype) for release in ("final", "transcript"))
    return Replay(after, branches, _whole(final, transcript, dtype))


def _gpu(module: Any, params: Any, problem: Any, stream: Stream, trace: Trace, dtype: str, device: str) -> Replay:
    rows, whole = Trials(stream, trace.trials), Trials(stream, np.arange(len(trace.final)))
    after, branches = module.advance_gpu(params, problem, rows, trace.steps, trace.before, dtype, device)
    final, transcript = (
        module.gpu(params, problem, whole, release, device, dtype).cpu().numpy() for release in ("final", "transcript")
    )
    return Replay(after, branches, _whole(final, transcript, dtype))


def _whole(final: Any, transcript: Any, dtype: str) -> Any:
    """Outputs and transcripts of whole runs side by side, (trials, size): single steps do not show what a run keeps.

    ValueError for another dtype than `dtype`: a form that computes in float64 passes every bound of float32.
    """
    found = np.concatenate([final.reshape(len(final), -1), transcript.reshape(len(transcript), -1)], axis=1)
    if found.dtype != dtype:
        raise ValueError(f"a whole run in {dtype} gives {final.dtype} outputs and {transcript.dtype} transcripts")
    return found


def _calls(module: Any, params: Any, problem: Any, stream: Stream, trial: int) -> tuple[dict[str, int], dict[str, int]]:
    draws = module.draw_inputs(params, stream, trial)
    return module.reference(params, problem, draws).calls, module.calls(params, draws)


def _bulk(
    module: Any, params: Any, problem: Any, stream: Stream, numbers: Integers, backend: str, dtype: str, device: str
) -> Any:
    trials = Trials(stream, numbers)
    if backend == "numba":
        return module.cpu(params, problem, trials, "final", dtype)
    return module.gpu(params, problem, trials, "final", device, dtype)
