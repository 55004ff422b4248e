"""The parts of an algorithm that goes step by step, and the entry points that they make."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from functools import partial
from typing import Any, Generic, NamedTuple, Protocol, TypeAlias, TypeVar

import numpy as np

from dpaudit.algorithms.counted import Counted, SomeProblem
from dpaudit.algorithms.packed import Packed
from dpaudit.algorithms.stepwise import tensors
from dpaudit.algorithms.stepwise.tensors import Machine
from dpaudit.algorithms.vectors import Vector
from dpaudit.arithmetic.arrays import Array, Integers
from dpaudit.noise.stream import Stream, Trials
from dpaudit.noise.tensors import Tensor
from dpaudit.noise.threads import share_rows
from dpaudit.records.errors import ConfigurationError
from dpaudit.records.validation import check_choice

Branches = tuple[tuple[int, Vector], ...]
SomeParams: TypeAlias = Any
"""The Params of some algorithm: a record of its own in each folder, which share no class."""
SomeDraws: TypeAlias = Any
"""The draws of some algorithm: a NamedTuple of its own in each folder, which share no class."""
RELEASES = ("transcript", "final")
MOST_CHOICES = 3
"""Kernels may write this many ways of a step, whether or not the parameters make them choices."""


@dataclass(frozen=True)
class Step:
    """One step. state: (width,); released: (columns,); branches: (way taken, distance from the switching point), the
    distance a number computed by the step, or None where all backends decide on the same bits. Arrays may be Tracked.
    """

    state: Vector
    released: Vector
    branches: Branches = ()


@dataclass(frozen=True)
class Trajectory:
    """final: the output, (d,); transcript: what is released, (T, columns); states: (T + 1, width); branches: (T,
    choices); calls: oracle calls that were made, by kind."""

    final: Array
    transcript: Array
    states: Array
    branches: Integers
    calls: dict[str, int]


class HasSteps(Protocol):
    """Parameters that say T, how many steps a run has."""

    @property
    def steps(self) -> int: ...


class Kernels(Protocol):
    """The numba form of an algorithm, a module.

    run(states, first_steps, trials, released, ways, count, *packed): `count` steps of every row, from the step that
    `first_steps` says, of the trial that `trials` says. It writes in place: `states`, (rows, width), the states before
    and after; `released`, (rows, count, columns), what each step released, nothing where it has no room, (rows, 0,
    columns); `ways`, (rows, MOST_CHOICES), the ways that the last step took.
    """

    @property
    def run(self) -> Callable[..., None]: ...


P = TypeVar("P", bound=HasSteps)
D = TypeVar("D", bound=NamedTuple)


def given_start(params: SomeParams) -> Array:
    """The point at which the parameters say that a run starts, as the whole first state."""
    return np.array(params.start)


def whole_state(params: SomeParams, state: Vector) -> Vector:
    """The state as the output."""
    return state


@dataclass(frozen=True)
class Stepwise(Generic[P, D]):
    """The parts of an algorithm, and its entry points made of them; no form uses a part of another.

    What all forms share: start: the first state, (width,), by default the start that the parameters give; final: the
    output, of the last states (..., width), by default all of it; columns: how many numbers a step releases; sizes:
    records (None: any number) and coordinates of a problem.
    reference: step(params, problem, state, t, draw); counted: wraps the problem, to count calls; kinds: of which, or
    all. numba: kernels; packed(params, problem, stream, dtype): what they are handed; choices: which of the ways that
    they write are choices of a run. torch: machine.
    """

    step: Callable[[P, SomeProblem, Vector, int, D], Step]
    columns: Callable[[P], int]
    sizes: Callable[[P], tuple[int | None, int]]
    kernels: Kernels
    packed: Callable[[P, SomeProblem, Stream, str], Packed]
    machine: Callable[[P, SomeProblem, Stream, str, str], Machine[SomeParams]]
    start: Callable[[P], Array] = given_start
    final: Callable[[P, Vector], Vector] = whole_state
    choices: Callable[[P], Sequence[int]] = lambda params: ()
    counted: Callable[[SomeProblem], SomeProblem] = Counted
    kinds: tuple[str, ...] = ()

    def check_inputs(self, params: P, problem: SomeProblem) -> None:
        """Refuse a problem of other sizes than `params` says."""
        check_sizes(problem, *self.sizes(params))

    def reference(self, params: P, problem: SomeProblem, draws: D) -> Trajectory:
        """One trial as the paper prints it: final (d,), transcript (T, columns), states (T + 1, width).

        draws: of `draw_inputs`. ConfigurationError for a problem of other sizes than `params` says.
        """
        self.check_inputs(params, problem)
        counted, start = self.counted(problem), np.asarray(self.start(params), dtype=np.float64)
        states, released, branches = [start], [], []
        for t in range(params.steps):
            taken = self.step(params, counted, states[-1], t, at(draws, t))
            states.append(np.asarray(taken.state))
            released.append(np.asarray(taken.released))
            branches.append([way for way, _ in taken.branches])
        ways = np.array(branches, dtype=np.int64).reshape(params.steps, -1)
        calls = {kind: counted.calls[kind] for kind in self.kinds or counted.calls}
        return Trajectory(self.final(params, states[-1]), np.array(released), np.array(states), ways, calls)

    def cpu(
        self, params: P, problem: SomeProblem, trials: Trials, release: str = "transcript", dtype: str = "float64"
    ) -> Array:
        """All trials with numba: transcripts (trials, T, columns), or outputs (trials, d).

        release: "transcript" or "final"; randomness comes from the parts of the stream that the folder names.
        """
        self.check_inputs(params, problem)
        check_choice("release", release, RELEASES)
        states = np.tile(np.asarray(self.start(params), dtype=dtype), (len(trials), 1))
        kept, first = params.steps if release == "transcript" else 0, np.zeros(len(trials), dtype=np.int64)
        released, _ = self._run(params, problem, trials, first, states, params.steps, kept)
        return released if kept else np.ascontiguousarray(self.final(params, states))

    def advance_cpu(
        self, params: P, problem: SomeProblem, trials: Trials, steps: Integers, before: Array, dtype: str = "float64"
    ) -> tuple[Array, Integers]:
        """One step of the numba form per row, of trial trials.numbers[i], step steps[i], from the state before[i].

        Returns (state, released), (rows, width + columns), and the ways taken, (rows, choices).
        """
        states = before.astype(dtype)
        released, ways = self._run(params, problem, trials, steps, states, 1, 1)
        return np.hstack([states, released[:, 0]]), ways[:, list(self.choices(params))]

    def _run(
        self, params: P, problem: SomeProblem, trials: Trials, first: Integers, states: Array, count: int, kept: int
    ) -> tuple[Array, Integers]:
        """`count` steps of every row in place, with room for `kept` of them: what they released, and the last ways."""
        rows, dtype = len(states), states.dtype
        released = np.zeros((rows, kept, self.columns(params)), dtype=dtype)
        ways = np.zeros((rows, MOST_CHOICES), dtype=np.int64)
        packed = self.packed(params, problem, trials.stream, dtype.name)
        share_rows(self.kernels.run, (states, first, trials.numbers, released, ways), count, *packed)
        return released, ways

    def gpu(
        self,
        params: P,
        problem: SomeProblem,
        trials: Trials,
        release: str = "transcript",
        device: str = "cpu",
        dtype: str = "float64",
    ) -> Tensor:
        """All trials with torch on `device`, the results of `cpu` as a tensor: (trials, T, columns) or (trials, d).

        problem: a `Problem`, or an object with the methods of `TorchProblem`, such as a `ModuleProblem`.
        """
        self.check_inputs(params, problem)
        check_choice("release", release, RELEASES)
        machine = self.machine(params, problem, trials.stream, device, dtype)
        final = partial(self.final, params)
        return tensors.run(machine, self.start(params), params.steps, trials.numbers, release, final)

    def advance_gpu(
        self, params: P, problem: SomeProblem, trials: Trials, steps: Integers, before: Array, dtype: str, device: str
    ) -> tuple[Array, Integers]:
        """`advance_cpu` with the torch form on `device`: (rows, width + columns), and the ways taken."""
        machine = self.machine(params, problem, trials.stream, device, dtype)
        return tensors.advance(machine, trials.numbers, steps, before)


class StepwiseAlgorithm(Protocol):
    """The folder of an algorithm that goes step by step, a module."""

    __name__: str

    @property
    def STEPWISE(self) -> Stepwise[SomeParams, SomeDraws]: ...

    @property
    def draw_inputs(self) -> Callable[[SomeParams, Stream, int], SomeDraws]: ...

    @property
    def calls(self) -> Callable[..., dict[str, int]]: ...

    @property
    def step(self) -> Callable[[SomeParams, SomeProblem, Vector, int, SomeDraws], Step]: ...

    @property
    def reference(self) -> Callable[[SomeParams, SomeProblem, SomeDraws], Trajectory]: ...

    @property
    def cpu(self) -> Callable[..., Array]: ...

    @property
    def advance_cpu(self) -> Callable[..., tuple[Array, Integers]]: ...

    @property
    def gpu(self) -> Callable[..., Tensor]: ...

    @property
    def advance_gpu(self) -> Callable[..., tuple[Array, Integers]]: ...


def at(draws: D, t: int) -> D:
    """The randomness of step t: every field that has one entry a step at t, plain numbers as they are."""
    kind: Callable[..., D] = type(draws)
    return kind(*(field if isinstance(field, int | float) else field[t] for field in draws))


def check_sizes(problem: SomeProblem, records: int | None, dimension: int) -> None:
    """Refuse a problem of other sizes than the parameters say; records None: of any number of records."""
    if records is None and problem.dimension != dimension:
        raise ConfigurationError(f"the problem has {problem.dimension} coordinates, the parameters say {dimension}")
    given = (problem.records, problem.dimension)
    if records is not None and given != (records, dimension):
        raise ConfigurationError(
            f"the problem has {given[0]} records of {given[1]} coordinates, the parameters say {records} of {dimension}"
        )
