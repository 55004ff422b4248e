"""Prefix sums of gradients under correlated Gaussian noise: the binary tree mechanism and other factorisations.

Source: Choquette-Choo, Ganesh, Thakurta (2024), "Optimal Rates for O(1)-Smooth DP-SCO with a Single Epoch and Large
Batches", section 5.2 and lemma 5.6; Dwork, Naor, Pitassi, Rothblum (2010); Chan, Shi, Song (2011). Two ids of the spec:

    srgd/ALG-2      the tree: factorisation "binary tree"; any other factorisation A = left right works alike
    srgd/ALG-3      the glue: -N_{t+1}/beta is the b_t of Accelerated-DP-SRGD, see `shifts_of_points`

What is summed are gradients at one fixed point, so that with `problems.linear` it is any list of vectors. Streaming:
the noise of a tree prefix is N_t = N_{t - lowbit(t)} + xi_t, for which log2 T vectors are kept; factors that are
neither the tree's nor one of the two trivial ones need all earlier xi.

Shapes: d coordinates, n records, T steps of b records. A transcript has shape (T, d): the noisy prefix sums. A batch of
trials adds a first axis. State: (sum, noisy sum), 2 d numbers.
"""

from __future__ import annotations

import math
from dataclasses import dataclass
from functools import cached_property
from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from dpaudit.accounting.factorisations import Factorisation
from dpaudit.algorithms import stepwise
from dpaudit.algorithms.srgd.noisy_sums import form
from dpaudit.algorithms.srgd.noisy_sums.form import NoisySums, Paired, mean_difference
from dpaudit.algorithms.srgd.noisy_sums.kernels import HAT, SUM
from dpaudit.algorithms.srgd.noisy_sums.tensors import Machine
from dpaudit.algorithms.stepwise import Run, Step
from dpaudit.noise.stream import Stream, Trials
from dpaudit.problems.domains import EVERYTHING
from dpaudit.problems.losses import Problem
from dpaudit.records.algorithm import Algorithm
from dpaudit.records.mechanism import Promise
from dpaudit.records.validation import check_count, check_number, check_vector
from dpaudit.sampling.batches import Batches

__all__ = [
    "ALGORITHM",
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
    "shifts_of_points",
    "step",
]

Array = NDArray[np.float64]
Integers = NDArray[np.int64]

ALGORITHM = Algorithm(
    name="srgd/ALG-2",
    title="Noisy prefix sums: the binary tree mechanism and other factorisations",
    source="Choquette-Choo, Ganesh, Thakurta (2024), section 5.2, lemma 5.6",
    pseudo_code=(
        "A = left right; for t < T: g_{t+1} = g_t + (1/b) sum over batch_t of clip(grad f(w; d), K); release g_{t+1} + "
        "s sum over u of left[t, u] xi_u with xi_u ~ N(0, I)"
    ),
    options=(
        ("factorisation", "binary tree", "square root, independent noise, noise per prefix, or factors that are given"),
        ("batches.kind", "in order: each record in one item", "all records: every item sees every record"),
    ),
    released="every noisy prefix sum, and with them all noisy nodes",
    cost="T b gradients in T rounds",
    also=("srgd/ALG-3",),
)


@dataclass(frozen=True)
class Params:
    """Everything public about a run.

    point: where gradients are taken, d finite numbers; steps: T; batches: "in order" or "all records"; noise: standard
    deviation of every coordinate of a node, at least 0; lipschitz: L above 0, a bound on |grad f(point; d)|, used only
    for the promise; clip_norm: K above 0 or None; factorisation: a name or T factors. Raises ConfigurationError.
    """

    point: tuple[float, ...]
    steps: int
    batches: Batches
    noise: float
    lipschitz: float
    clip_norm: float | None = None
    factorisation: str | Factorisation = "binary tree"

    def __post_init__(self) -> None:
        check_vector("point", self.point)
        check_count("steps", self.steps)
        check_number("noise", self.noise, least=0.0)
        check_number("lipschitz", self.lipschitz, above=0.0)
        if self.clip_norm is not None:
            check_number("clip_norm", self.clip_norm, above=0.0)
        form.check_batches(self.batches, self.steps)
        form.factors("factorisation", self.factorisation, self.steps)

    @cached_property
    def factors(self) -> Factorisation:
        """left and right."""
        return form.factors("factorisation", self.factorisation, self.steps)

    @cached_property
    def mixing(self) -> NDArray[Any]:
        """left: which nodes a prefix uses."""
        return form.exactly(self.factors.left)

    @property
    def changes(self) -> Array:
        """K, or L without clipping, for every step, (T,)."""
        return np.full(self.steps, self.lipschitz if self.clip_norm is None else self.clip_norm)


class Draws(NamedTuple):
    """noise: standard normals of all steps, for every step, (T, T, d); batches: record numbers of every step."""

    noise: Array
    batches: tuple[Integers, ...]


def noise_shape(params: Params) -> tuple[int, ...]:
    """(T, d): the normals of one trial."""
    return (params.steps, len(params.point))


def promise(params: Params) -> Promise:
    """All prefix sums together are one Gaussian mechanism when one record is zeroed out: its multiplier is the noise
    over K/b times the largest column norm of `right`, sqrt(1 + floor(log2 T)) for the tree, where lemma 5.6 has
    sqrt(1 + ceil(log T)). Raises ConfigurationError without noise.
    """
    source = "Choquette-Choo, Ganesh, Thakurta (2024), lemma 5.6, corrected"
    return form.promise(params.factors, params.changes, params.batches, params.noise, source)


def calls(params: Params, draws: Draws) -> dict[str, int]:
    """T rounds with one gradient for each record of the batch."""
    return {"gradients": params.steps * params.batches.size, "values": 0, "rounds": params.steps}


def draw_inputs(params: Params, stream: Stream, trial: int) -> Draws:
    """Noise of one trial for `reference`, the one that `cpu` and `gpu` draw themselves; the batches are fixed."""
    noise = form.draw_noise(stream, trial, *noise_shape(params))
    return Draws(noise, params.batches.draw_all(stream.part("batches"), trial, params.steps))


def shifts_of_points(params: Params, draws: Draws, scaling: float) -> Array:
    """b_0, ..., b_{T-1} of Accelerated-DP-SRGD with this noise, (T, d), in the unit of the points: -N_{t+1}/scaling."""
    check_number("scaling", scaling, above=0.0)
    return np.array([-params.noise * (params.mixing[t] @ draws.noise[t]) / scaling for t in range(params.steps)])


def step(params: Params, problem: Any, state: Any, t: int, draw: Draws) -> Step:
    """Item t + 1, from the state (sum, noisy sum); branch: how many gradients were clipped."""
    total, _ = np.split(state, 2)
    item, branches = mean_difference(problem, (1.0, np.array(params.point)), None, draw.batches, params.clip_norm)
    total = total + item
    noisy = total + params.noise * (params.mixing[t] @ draw.noise)
    return Step(np.concatenate([total, noisy]), noisy, branches)


def reference(params: Params, problem: Problem, draws: Draws) -> Run:
    """One trial: transcript (T, d), final: the last noisy sum (d,), states (T + 1, 2 d)."""
    check_inputs(params, problem)
    counted = Paired(problem)

    def one(state: Array, t: int, draw: Draws) -> Step:
        return step(params, counted, state, t, draw)

    states, transcript, branches = stepwise.walk(one, np.zeros(2 * len(params.point)), draws, params.steps)
    return Run(_final(states[-1]), transcript, states, branches, counted.calls)


def _final(state: Any) -> Any:
    return state[..., state.shape[-1] // 2 :]


def check_inputs(params: Params, problem: Any) -> None:
    """Refuse a problem of other sizes than `params` says."""
    form.check_problem(problem, params.batches.records, len(params.point))


def _sums(params: Params) -> NoisySums:
    columns = {"noise": params.noise, "clip": math.inf if params.clip_norm is None else params.clip_norm}
    return NoisySums(
        np.array(params.point), (SUM, HAT), params.batches, columns, params.mixing, "stay", EVERYTHING, params.clip_norm
    )


def cpu(params: Params, problem: Problem, trials: Trials, release: str = "transcript", dtype: str = "float64") -> Array:
    """All trials with numba: transcripts (trials, T, d), or the last noisy sums (trials, d).

    Noise comes from the part "noise" of the stream.
    """
    check_inputs(params, problem)
    out = form.run_cpu(_sums(params), problem, trials, release, dtype)
    return out if release == "transcript" else np.asarray(_final(out[:, 0]))


def advance_cpu(
    params: Params, problem: Problem, trials: Trials, steps: Integers, before: Array, dtype: str = "float64"
) -> tuple[Array, Integers]:
    """One step of the numba form per row, of trial trials.numbers[i], step steps[i], from the state before[i].

    Returns (state, noisy sum), shape (rows, 3 d), and how many gradients were clipped, (rows, 1), or (rows, 0).
    """
    return form.replay_cpu(_sums(params), problem, trials, steps, before, dtype)


def gpu(
    params: Params,
    problem: Any,
    trials: Trials,
    release: str = "transcript",
    device: str = "cpu",
    dtype: str = "float64",
) -> Any:
    """All trials with torch on `device`, the results of `cpu` as a tensor: (trials, T, d) or (trials, d).

    problem: a `Problem`, or an object with the methods of `TorchProblem`, such as a `ModuleProblem`.
    """
    check_inputs(params, problem)
    machine = Machine(_sums(params), problem, trials.stream, device, dtype)
    return stepwise.run_torch(machine, np.zeros(2 * len(params.point)), params.steps, trials.numbers, release, _final)


def advance_gpu(
    params: Params, problem: Any, trials: Trials, steps: Integers, before: Array, dtype: str, device: str
) -> tuple[Array, Integers]:
    """`advance_cpu` with the torch form on `device`."""
    machine = Machine(_sums(params), problem, trials.stream, device, dtype)
    return stepwise.replay_torch(machine, trials.numbers, steps, before)
