"""Record and replay of the algorithms in `dpaudit.algorithms` that go step by step, without a change to their files.

A step maps the state, its draws and its noise xi to what it releases, an affine function of xi: y = m + B xi. So m is
the release with xi = 0, and B is found by trying unit vectors. The algorithm declares the law of the noise, A xi with A
from its `RECORDED`. Everything is recorded in units of it: the statistic A^+ m and the noise A^+ B xi, whose declared
standard deviation is 1, and whose declared sensitivity is one over the noise multiplier of the step in
`promise(params)`. What A does not reach must be public: it is recorded as an output, like the columns of the next state
that are not private, and like the result of the run.

A replay keeps the state of the recorded path: before each step it chooses the xi for which the neighbour releases what
was recorded. Then the next states must be equal as well; where they are not, something leaves without noise.

What it cannot see: numba and torch forms (`agreement` compares them with the reference), a leak that the recorded path
and this pair of data sets do not show, and rounding errors of released numbers.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace
from typing import Protocol

import numpy as np
from numpy.typing import NDArray

from dpaudit.algorithms.counted import Counted
from dpaudit.algorithms.stepwise import Recorded, SomeDraws, SomeParams, Step, StepwiseAlgorithm, at
from dpaudit.audit.structural.recorded_values import Ids
from dpaudit.audit.structural.recording import Recorder
from dpaudit.noise.stream import Stream
from dpaudit.problems.domains import EVERYTHING
from dpaudit.problems.losses import Problem
from dpaudit.records.errors import ConfigurationError
from dpaudit.records.mechanism import (
    Composed,
    FixedSizeSampled,
    Gaussian,
    Mechanism,
    PoissonSampled,
    Promise,
    SelfComposed,
    WithReplacementSampled,
)
from dpaudit.sampling.batches import Batches

Array = NDArray[np.float64]

RANDOM = ("without replacement", "with replacement", "Poisson")
"""Kinds of batches that are drawn; the others are not declared to the recorder."""


class RecordedAlgorithm(StepwiseAlgorithm, Protocol):
    """The folder of an algorithm that says what a recorder may see of its steps, a module."""

    @property
    def RECORDED(self) -> Recorded[SomeParams, SomeDraws]: ...

    @property
    def promise(self) -> Callable[[SomeParams], Promise]: ...


def instrument(
    algorithm: RecordedAlgorithm,
    params: SomeParams,
    problem: Problem,
    recorder: Recorder,
    changed: int | None = None,
    declared: SomeParams | None = None,
) -> None:
    """One run of `algorithm` on `problem` under `recorder`, whose seed is that of the run.

    params: its Params; problem: of the data set, or on a replay of the neighbour; records that it has less than the
    parameters say are empty. changed: the record in which the neighbours differ, None for any: sensitivities are
    then those of the record that moves most. declared: the Params whose noise and promise are claimed, None for
    `params`; where they differ, the run has a bug. Raises ConfigurationError for an algorithm that says why it is
    `NOT_RECORDED`, and where the promise does not say what one record may do in a step.
    """
    name = getattr(algorithm, "__name__", type(algorithm).__name__).rpartition(".")[2]
    if not hasattr(algorithm, "RECORDED"):
        raise ConfigurationError(f"{name} is not recorded: {getattr(algorithm, 'NOT_RECORDED', 'it declares nothing')}")
    draws = algorithm.draw_inputs(params, Stream(recorder.seed, f"structural/{name}"), 0)
    claimed = params if declared is None else declared
    walk = _Walk(algorithm, params, claimed, _padded(problem, _records(algorithm, params)), draws)
    bounds = step_bounds(algorithm, claimed, draws, changed)
    for t in range(recorder.public("steps", len(bounds))):
        walk.step(t, recorder, float(bounds[t]))
    recorder.output("result", walk.result())


def step_bounds(algorithm: RecordedAlgorithm, params: SomeParams, draws: SomeDraws, changed: int | None) -> Array:
    """How far the record `changed` may move the statistic of every step by `promise(params)`, in units of its noise.

    0 at steps whose batch does not hold the record, k times as far where it occurs k times, shape (T,); None: the
    largest bound of any record at each step. Where the promise is one Gaussian mechanism over the whole run, the
    squares of the bounds of a record add up to at most its own.
    """
    recorded = algorithm.RECORDED
    if changed is None and not _drawn_at_random(recorded, params):
        records = range(_records(algorithm, params))
        return np.asarray(np.max([step_bounds(algorithm, params, draws, i) for i in records], axis=0))
    mechanism = algorithm.promise(params).mechanism
    steps = recorded.steps(draws) if recorded.steps else len(draws.noise)
    seen = np.array([_occurrences(recorded, params, draws, t, changed) for t in range(steps)], dtype=np.float64)
    whole = not isinstance(mechanism, Composed | SelfComposed)
    if recorded.moves is not None:
        moved = recorded.moves(params, seen)
        return _within(moved, mechanism) if whole else moved
    if isinstance(mechanism, Gaussian) and steps > 1:
        return _within(seen / mechanism.noise_multiplier, mechanism)
    return np.asarray(seen * np.array([_inverse(part) for part in _parts(mechanism)[:steps]]))


def _records(algorithm: RecordedAlgorithm, params: SomeParams) -> int:
    return algorithm.STEPWISE.sizes(params)[0] or 0


def _padded(problem: Problem, records: int) -> Problem:
    """The problem with empty records, of weight 0, at its end."""
    missing = records - problem.records
    if missing <= 0:
        return problem
    weights = np.ones(problem.records) if problem.weights is None else problem.weights
    return replace(
        problem,
        features=np.vstack([problem.features, np.zeros((missing, problem.dimension))]),
        labels=np.append(problem.labels, np.ones(missing)),
        weights=np.append(weights, np.zeros(missing)),
    )


def _within(bounds: Array, mechanism: Mechanism) -> Array:
    """`bounds`, refused if one release of a Gaussian mechanism cannot move by all of them."""
    total, most = float(np.linalg.norm(bounds)), _inverse(mechanism)
    if total > most * (1 + 1e-9):
        raise ConfigurationError(f"one record may move the run by {total} units of noise, the promise says {most}")
    return bounds


def _parts(mechanism: Mechanism) -> list[Mechanism]:
    """The mechanisms of the steps, in their order."""
    if isinstance(mechanism, SelfComposed):
        return _parts(mechanism.mechanism) * mechanism.count
    if isinstance(mechanism, Composed):
        return [part for one in mechanism.mechanisms for part in _parts(one)]
    return [mechanism]


def _inverse(mechanism: Mechanism) -> float:
    """The sensitivity of one Gaussian mechanism, on a sample or not, in units of its noise."""
    if isinstance(mechanism, PoissonSampled | FixedSizeSampled | WithReplacementSampled):
        return _inverse(mechanism.mechanism)
    if isinstance(mechanism, Gaussian):
        return 1.0 / mechanism.noise_multiplier
    raise ConfigurationError(f"{type(mechanism).__name__} has no sensitivity; only Gaussian steps can be recorded")


def _occurrences(
    recorded: Recorded[SomeParams, SomeDraws], params: SomeParams, draws: SomeDraws, t: int, changed: int | None
) -> int:
    """How often step t uses the record; once where all are used. None: any record, which may join the batch."""
    if recorded.used is None:
        return 1
    numbers = np.asarray(recorded.used(params, t, at(draws, t)))
    return int(np.bincount(numbers, minlength=1).max(initial=1) if changed is None else (numbers == changed).sum())


def _drawn_at_random(recorded: Recorded[SomeParams, SomeDraws], params: SomeParams) -> bool:
    """Are the batches random, at the first step or later?"""
    return recorded.batches is not None and recorded.batches(params, 1).kind in RANDOM


def _of_fixed_size(members: Ids, batches: Batches, joined: Ids) -> Ids:
    """A batch of a fixed size again: filled with the first records that it lacks where a replay has made it smaller,
    without its first ones where a record has joined it."""
    if batches.kind not in RANDOM or batches.kind == "Poisson":
        return members
    others = np.setdiff1d(np.arange(batches.records), members)
    filled = np.concatenate([members, others[: max(0, batches.size - len(members))]])
    drawn = np.flatnonzero(~np.isin(filled, joined))
    return np.delete(filled, drawn[: len(filled) - batches.size])


class _Walk:
    """One run: the state, and the noise of all steps, which a replay replaces step by step."""

    def __init__(
        self,
        algorithm: RecordedAlgorithm,
        params: SomeParams,
        declared: SomeParams | None,
        problem: Problem,
        draws: SomeDraws,
    ) -> None:
        self.algorithm, self.recorded, self.problem, self.draws = algorithm, algorithm.RECORDED, problem, draws
        self.params, self.declared = params, declared
        # A projection is made of what is released; without it the release is affine in the noise.
        self.free = replace(params, domain=EVERYTHING) if hasattr(params, "domain") else params
        self.whole = draws.noise.ndim == 3  # every step is handed the noise of all of them
        self.noise = np.array(draws.noise[0] if self.whole else draws.noise, dtype=np.float64)
        algorithm.STEPWISE.check_inputs(params, problem)
        self.state = np.asarray(algorithm.STEPWISE.start(params), dtype=np.float64)

    def drawn(self) -> SomeDraws:
        """The draws with the noise as it is now."""
        noise = self.noise
        return self.draws._replace(noise=np.broadcast_to(noise, (len(noise), *noise.shape)) if self.whole else noise)

    def step(self, t: int, recorder: Recorder, bound: float) -> None:
        """Release step t, and move on to the state that follows from what was released."""
        draw = self._draw(t, recorder)
        own = self.noise[t].copy()
        silent, loud = (self._released(t, draw, noise) for noise in (np.zeros_like(own), own))
        to_units = _to_units(self.recorded.noise(self.declared, t, draw, len(loud)))
        released = to_units @ loud
        value = recorder.release(
            "step",
            to_units @ silent,
            to_units @ (loud - silent),
            sensitivity=bound,
            noise_scale=1.0,
            value=released,
        )
        if not np.array_equal(value, released):
            own = own + self._missing(t, draw, to_units, value - released)
        taken = self._taken(self.params, t, draw, own)
        self.state = np.asarray(taken.state)
        recorder.output("released", np.asarray(taken.released))
        recorder.output("state", self._public_state())

    def result(self) -> Array:
        """The result of the run beside the last state, whose size tells a result of nearly 0 from rounding."""
        final = self.algorithm.reference(self.params, self.problem, self.drawn()).final
        return np.concatenate([np.ravel(final), self._public_state()])

    def _missing(self, t: int, draw: SomeDraws, to_units: Array, wanted: Array) -> Array:
        """The least noise that moves the release by `wanted` units."""
        shape = self.noise[t].shape
        units = np.eye(self.noise[t].size).reshape(-1, *shape)
        silent = self._released(t, draw, np.zeros(shape))
        response = np.stack([self._released(t, draw, unit) - silent for unit in units], axis=1)
        return np.asarray(np.linalg.lstsq(to_units @ response, wanted, rcond=None)[0].reshape(shape))

    def _draw(self, t: int, recorder: Recorder) -> SomeDraws:
        """The randomness of step t; where records are drawn, those that the recorder says."""
        draw = at(self.draws, t)
        name, batches = self.recorded.drawn, self.recorded.batches
        if batches is not None and _drawn_at_random(self.recorded, self.params):
            used = list(getattr(self.draws, name))
            members, joined = recorder.batch(getattr(draw, name)), recorder.inputs()[2]
            used[t] = _of_fixed_size(members, batches(self.params, t), joined)
            self.draws = self.draws._replace(**{name: used})
        return at(self.draws, t)

    def _taken(self, params: SomeParams, t: int, draw: SomeDraws, noise: Array) -> Step:
        """Step t with the noise of this step replaced for good."""
        self.noise[t] = noise
        handed = self.noise if self.whole else self.noise[t]
        return self.algorithm.step(params, Counted(self.problem), self.state, t, draw._replace(noise=handed.copy()))

    def _released(self, t: int, draw: SomeDraws, noise: Array) -> Array:
        return np.asarray(self._taken(self.free, t, draw, noise).released, dtype=np.float64)

    def _public_state(self) -> Array:
        return self.recorded.public(self.state)


def _to_units(factor: Array) -> Array:
    """Makes A xi standard normal: A^+ where that is xi itself, else (A A')^(-1/2) on the columns that A reaches.

    Both turn with A, so that noise that is used again shows.
    """
    factor = factor[:, factor.any(axis=0)]
    left, sizes, right = np.linalg.svd(factor, full_matrices=False)
    kept = sizes > 1e-10 * sizes.max()
    left, sizes, right = left[:, kept], sizes[kept], right[kept]
    if len(sizes) == factor.shape[1]:
        return np.asarray((right.T / sizes) @ left.T)
    return np.asarray(((left / sizes) @ left.T)[factor.any(axis=1)])
