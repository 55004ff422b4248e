"""The Gaussian mechanism on some coordinates of a gradient, in the form that is printed and in the form that is run.

Source: Maranjyan, Sadiev, Richtarik (2024), definition D.4 (rbcd/ALG-13), which prints f(D) + I_U N(0, sigma^2 I): the
coordinates outside of U are released without noise. What algorithm 1 releases, and what the analysis is about, is
I_U (f(D) + N(0, sigma^2 I)). Here f(D) is the gradient of the empirical risk at a public point.

Shapes: d coordinates, n records; one release of shape (1, d), coordinates outside of U being 0 or bare.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any, NamedTuple

import numba
import numpy as np
from numpy.typing import NDArray

from dpaudit.algorithms import stepwise
from dpaudit.algorithms.counted import Counted
from dpaudit.algorithms.stepwise import Run, Step
from dpaudit.noise.kernels import add_normals, compiled
from dpaudit.noise.stream import Stream, Trials
from dpaudit.problems import loss_kernels
from dpaudit.problems.loss_tensors import torch_form
from dpaudit.problems.losses import Problem
from dpaudit.records.algorithm import Algorithm
from dpaudit.records.errors import ConfigurationError
from dpaudit.records.mechanism import Gaussian, Promise
from dpaudit.records.privacy import Neighbours, View
from dpaudit.records.validation import check_choice, check_count, check_number, check_vector

__all__ = [
    "ALGORITHM",
    "FORMS",
    "Draws",
    "Params",
    "advance_cpu",
    "advance_gpu",
    "calls",
    "check_inputs",
    "cpu",
    "draw_inputs",
    "gpu",
    "noise_shape",
    "promise",
    "reference",
    "step",
]

Array = NDArray[np.float64]
Integers = NDArray[np.int64]
FORMS = ("what algorithm 1 releases", "as printed")

ALGORITHM = Algorithm(
    name="rbcd/ALG-13",
    title="Gaussian mechanism on coordinates",
    source="Maranjyan, Sadiev, Richtarik (2024), definition D.4",
    pseudo_code="release I_U (f(D) + N(0, sigma^2 I)); as printed: f(D) + I_U N(0, sigma^2 I)",
    options=(("form", FORMS[0], "as printed: the coordinates outside of U carry no noise"),),
    released="the vector, and U",
    cost="n gradients",
)


@dataclass(frozen=True)
class Params:
    """point: where the gradient is taken, d finite numbers; chosen: U, 1 for a coordinate in it and 0 else, not all 0;
    noise: sigma, a standard deviation, at least 0; lipschitz: L_U above 0; records: n; form: one of FORMS.
    Raises ConfigurationError."""

    point: tuple[float, ...]
    chosen: tuple[float, ...]
    noise: float
    lipschitz: float
    records: int
    form: str = FORMS[0]

    def __post_init__(self) -> None:
        check_vector("point", self.point)
        check_vector("chosen", self.chosen, len(self.point))
        if not set(self.chosen) <= {0.0, 1.0} or not any(self.chosen):
            raise ConfigurationError(f"chosen must be 0 or 1 for each coordinate and not all 0, got {self.chosen}")
        check_number("noise", self.noise, least=0.0)
        check_number("lipschitz", self.lipschitz, above=0.0)
        check_count("records", self.records)
        check_choice("form", self.form, FORMS)

    @property
    def kept(self) -> Array:
        """Which coordinates are released at all, as 0 and 1."""
        return np.array(self.chosen) if self.form == FORMS[0] else np.ones(len(self.point))


class Draws(NamedTuple):
    """noise: standard normals, (1, d)."""

    noise: Array


def noise_shape(params: Params) -> tuple[int, ...]:
    """(1, d): the normals of one trial."""
    return (1, len(params.point))


def promise(params: Params) -> Promise:
    """One Gaussian mechanism of sensitivity 2 L_U/n (replace one record).

    Raises ConfigurationError without noise, and for the printed form unless U is everything: a coordinate without
    noise gives its record away.
    """
    bare = params.form == FORMS[1] and not all(params.chosen)
    if not params.noise > 0 or bare:
        where = "noise is absent outside of U" if bare else "noise is 0"
        raise ConfigurationError(f"{where}, so the release promises no privacy; use the form {FORMS[0]!r} with noise")
    multiplier = params.noise * params.records / (2 * params.lipschitz)
    source = "Maranjyan, Sadiev, Richtarik (2024), corollary D.5, corrected to the form that is run"
    return Promise(Gaussian(multiplier), Neighbours.REPLACE_ONE, View.TRANSCRIPT, source)


def calls(params: Params, draws: Draws) -> dict[str, int]:
    """n gradients in one round."""
    return {"gradients": params.records, "values": 0, "rounds": 1}


def draw_inputs(params: Params, stream: Stream, trial: int) -> Draws:
    """The noise of one trial for `reference`."""
    return Draws(stream.part("noise").normals(np.array([trial]), 0, len(params.point)))


def step(params: Params, problem: Any, state: Any, t: int, draw: Draws) -> Step:
    """The release from the point `state`, which stays."""
    chosen = np.array(params.chosen)
    f = problem.gradient(state)
    released = chosen * (f + params.noise * draw.noise)
    if params.form == FORMS[1]:
        released = f + chosen * (params.noise * draw.noise)
    return Step(state, released)


def reference(params: Params, problem: Problem, draws: Draws) -> Run:
    """One trial as the paper prints it, or as it is run: final (d,), transcript (1, d), states (2, d)."""
    check_inputs(params, problem)
    counted = Counted(problem)

    def one(state: Array, t: int, draw: Draws) -> Step:
        return step(params, counted, state, t, draw)

    states, transcript, branches = stepwise.walk(one, params.point, draws, 1)
    return Run(transcript[0], transcript, states, branches, counted.calls)


def check_inputs(params: Params, problem: Any) -> None:
    """Refuse a problem of other sizes than `params` says."""
    stepwise.check_sizes(problem, params.records, len(params.point))


def cpu(params: Params, problem: Problem, trials: Trials, release: str = "transcript", dtype: str = "float64") -> Array:
    """All trials with numba: (trials, 1, d), or (trials, d) for the release "final", which is the same vector."""
    check_inputs(params, problem)
    check_choice("release", release, stepwise.RELEASES)
    out = np.empty((len(trials), len(params.point)), dtype=dtype)
    _run(np.array(params.point, dtype=dtype), trials.numbers, out, *_plan(params, problem, trials.stream, dtype))
    return out[:, None] if release == "transcript" else out


def advance_cpu(
    params: Params, problem: Problem, trials: Trials, steps: Integers, before: Array, dtype: str = "float64"
) -> tuple[Array, Integers]:
    """The release of the numba form per row from the points `before`: (point, release), (rows, 2 d); no branches."""
    states = np.array(before, dtype=dtype)
    out = np.empty_like(states)
    _replay(states, trials.numbers, out, *_plan(params, problem, trials.stream, dtype))
    return np.hstack([states, out]), np.zeros((len(before), 0), dtype=np.int64)


def _plan(params: Params, problem: Problem, stream: Stream, dtype: str) -> Any:
    vectors = (np.array(params.chosen, dtype=dtype), params.kept.astype(dtype), np.dtype(dtype).type(params.noise))
    return stream.part("noise").key, vectors, loss_kernels.arrays(problem, dtype)


@compiled()
def _release(point: Array, trial: int, out: Array, keys: Any, numbers: Any, data: Any) -> None:
    chosen, kept, noise = numbers
    gradient = np.empty_like(point)
    loss_kernels.gradient(point, data, gradient)
    out[:] = 0
    add_normals(out, noise, keys[0], keys[1], 0, trial)
    for j in range(len(point)):
        out[j] = kept[j] * gradient[j] + chosen[j] * out[j]


@compiled(parallel=True)
def _run(point: Array, trials: Integers, out: Array, keys: Any, numbers: Any, data: Any) -> None:
    for row in numba.prange(len(trials)):
        _release(point, trials[row], out[row], keys, numbers, data)


@compiled()
def _replay(points: Array, trials: Integers, out: Array, keys: Any, numbers: Any, data: Any) -> None:
    for row in range(len(points)):
        _release(points[row], trials[row], out[row], keys, numbers, data)


def gpu(
    params: Params,
    problem: Any,
    trials: Trials,
    release: str = "transcript",
    device: str = "cpu",
    dtype: str = "float64",
) -> Any:
    """All trials with torch on `device`, the results of `cpu` as a tensor: (trials, 1, d) or (trials, d)."""
    check_inputs(params, problem)
    check_choice("release", release, stepwise.RELEASES)
    machine = _Torch(params, problem, trials.stream, device, dtype)
    _, released, _ = machine.advance(machine.tensor(np.tile(params.point, (len(trials), 1))), 0, trials.numbers)
    return released[:, None] if release == "transcript" else released


def advance_gpu(
    params: Params, problem: Any, trials: Trials, steps: Integers, before: Array, dtype: str, device: str
) -> tuple[Array, Integers]:
    """`advance_cpu` with the torch form on `device`."""
    machine = _Torch(params, problem, trials.stream, device, dtype)
    return stepwise.replay_torch(machine, trials.numbers, steps, before)


class _Torch(stepwise.Machine):
    """The constants of a release, for all trials."""

    def __init__(self, params: Params, problem: Any, stream: Stream, device: str, dtype: str) -> None:
        super().__init__(stream, device, dtype)
        self.noise, self.problem = params.noise, torch_form(problem, device, dtype)
        self.chosen, self.kept = self.tensor(params.chosen), self.tensor(params.kept)

    def advance(self, state: Any, step: int, trials: Integers) -> tuple[Any, Any, Any]:
        noise = self.noise * self.normals(trials, step, state.shape[1])
        released = self.kept * self.problem.gradient(state) + self.chosen * noise
        return state, released, self.no_branches(len(trials))
