"""Phased SGD: one pass in phases of halving length and quartering step, noise on the average of each phase.

Source: Feldman, Koren, Talwar (2020), "Private Stochastic Convex Optimization: Optimal Rates in Linear Time", phased
SGD; a row of table 1 of Choquette-Choo, Ganesh, Thakurta (2024). Written down without its text at hand. Two ids:

    srgd/ALG-B23     one pass over the records
    resque/B-FKT20   localisation by phases: the standard deviation L eta_i/beta is `noise` = 1/beta

Phases i = 1, ..., floor(log2 n) have floor(n/2^i) records and the step eta_i = eta/4^i (the roundings are
filled in; ceil(log2 n) phases would add an empty one), start at the output of the phase before and end with
w_i = average + N(0, (noise L eta_i)^2 I), which is not projected. Averaged are the iterates before each step, those of
the regret bound, or as an option those after each step.

Privacy needs losses that are convex and M-smooth and eta_1 = eta/4 <= 2/M, for then a step brings no two points
further apart. The source asks for eta <= 2/M. L and M must hold outside of the domain too: every phase but the first
takes its first gradient at a noisy point, which may lie there.

Shapes: d coordinates, n records, k phases. A transcript has shape (k, d): w_1, ..., w_k; the output w_k has shape (d,).
A batch of trials adds a first axis. State: w, d numbers; a step is a phase.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Annotated, NamedTuple

import numpy as np

from dpaudit.algorithms import stepwise
from dpaudit.algorithms.counted import Counted
from dpaudit.algorithms.srgd.phased_sgd import kernels
from dpaudit.algorithms.stepwise import Packed, Step, Tensor, Vector
from dpaudit.arithmetic.arrays import Array, Integers
from dpaudit.noise.stream import Stream
from dpaudit.problems import domain_kernels, loss_kernels
from dpaudit.problems.domains import EVERYTHING, Domain
from dpaudit.problems.losses import Problem
from dpaudit.records.algorithm import Algorithm
from dpaudit.records.context import Level
from dpaudit.records.errors import ConfigurationError
from dpaudit.records.mechanism import Constant, Gaussian, Promise
from dpaudit.records.privacy import Neighbours, View
from dpaudit.records.ranges import NotNegative, Numbers, OneOf, Positive, Range, check_fields
from dpaudit.records.validation import check_noisy

AVERAGES = ("before each step", "after each step")

ALGORITHM = Algorithm(
    name="srgd/ALG-B23",
    title="Phased SGD: one pass in phases, each ending in a noisy average",
    source="Feldman, Koren, Talwar (2020), phased SGD, details filled in",
    pseudo_code=(
        "for i = 1, ..., floor(log2 n): n_i = floor(n/2^i), eta_i = eta/4^i; v_0 = w_{i-1}; for each of n_i fresh "
        "records: v_{s+1} = Pi(v_s - eta_i grad f(v_s; d)); w_i = (v_0 + ... + v_{n_i - 1})/n_i + "
        "N(0, (noise L eta_i)^2 I); return the last w_i"
    ),
    options=(("average", "before each step", "after each step: v_1, ..., v_{n_i}"),),
    released="the noisy average of every phase",
    cost="sum of floor(n/2^i) gradients, below n, one after the other",
    also=("resque/B-FKT20",),
    from_level=Level.STANDARD,
)


@dataclass(frozen=True)
class Params:
    """Everything public about a run.

    start: w_0, d finite numbers; records: n, at least 2; step_size: eta above 0; noise: standard deviation of every
    coordinate over L eta_i, at least 0; lipschitz, smoothness: L above 0 and M at least 0 of every record's loss, in
    the domain and outside of it, L sets the noise, M serves the promise; domain; average: one of AVERAGES. Raises
    ConfigurationError.
    """

    start: Numbers
    records: Annotated[int, Range(least=2)]
    step_size: Positive
    noise: NotNegative
    lipschitz: Positive
    smoothness: NotNegative
    domain: Domain = EVERYTHING
    average: Annotated[str, OneOf(AVERAGES)] = "before each step"

    def __post_init__(self) -> None:
        check_fields(self)
        self.domain.check_dimension(len(self.start))

    @property
    def sizes(self) -> tuple[int, ...]:
        """n_1, ..., n_k."""
        return tuple(self.records >> i for i in range(1, self.records.bit_length()))

    @property
    def steps(self) -> int:
        """k."""
        return len(self.sizes)

    @property
    def firsts(self) -> tuple[int, ...]:
        """The first record of every phase, and the number after the last."""
        return (0, *np.cumsum(self.sizes).tolist())

    @property
    def step_sizes(self) -> tuple[float, ...]:
        """eta_1, ..., eta_k."""
        return tuple(self.step_size / 4**i for i in range(1, len(self.sizes) + 1))

    @property
    def shares(self) -> tuple[float, ...]:
        """How far a zeroed record can move the average of each phase, over L eta_i: that of the first record."""
        moved = 1 if self.average == "before each step" else 0
        return tuple((size - moved) / size for size in self.sizes)


class Draws(NamedTuple):
    """noise: standard normals, (k, d)."""

    noise: Array


def noise_shape(params: Params) -> tuple[int, ...]:
    """(k, d): the normals of one trial."""
    return (len(params.sizes), len(params.start))


def promise(params: Params) -> Promise:
    """What w_1, ..., w_k promise when one record is zeroed out, for convex losses that are L-Lipschitz and M-smooth
    outside of the domain too: it is in one phase.

    Raises ConfigurationError without noise, and for eta/4 above 2/M.
    """
    check_noisy(params.noise)
    if params.step_size * params.smoothness > 8:
        raise ConfigurationError(
            f"step_size must be at most 8/smoothness = {8 / params.smoothness} for a promise, got {params.step_size}: "
            "longer steps may bring two runs apart"
        )
    largest = max(params.shares)
    mechanism = Gaussian(params.noise / largest) if largest > 0 else Constant()
    source = (
        "Feldman, Koren, Talwar (2020), phased SGD, with the exact sensitivity of the average, for L and M that hold "
        "outside of the domain too"
    )
    return Promise(mechanism, Neighbours.ZERO_OUT, View.TRANSCRIPT, source)


def calls(params: Params, draws: Draws) -> dict[str, int]:
    """One gradient for each record of the phases, each in a round of its own."""
    return {"gradients": params.firsts[-1], "values": 0, "rounds": params.firsts[-1]}


def draw_inputs(params: Params, stream: Stream, trial: int) -> Draws:
    """Noise of one trial for `reference`: from its part "noise"."""
    return Draws(stepwise.normals(stream, trial, noise_shape(params)))


def step(params: Params, problem: Counted, state: Vector, t: int, draw: Draws) -> Step:
    """Phase t + 1, from w_t."""
    v, visited, eta = state, [], params.step_sizes[t]
    for record in range(params.firsts[t], params.firsts[t + 1]):
        visited.append(v)
        v = params.domain.project(v - eta * problem.record_gradients(v, np.array([record]))[0])
    averaged = visited if params.average == "before each step" else [*visited[1:], v]
    w = np.stack(averaged).mean(axis=0) + params.noise * params.lipschitz * eta * draw.noise
    return Step(w, w)


class _Torch(stepwise.Machine[Params]):
    """One phase of all trials."""

    def advance(self, state: Tensor, step: int, trials: Integers) -> tuple[Tensor, Tensor, Tensor]:
        params, torch, v = self.params, self.torch, state
        first, last, eta = params.firsts[step], params.firsts[step + 1], params.step_sizes[step]
        total, after = torch.zeros_like(v), params.average == "after each step"
        for record in range(first, last):
            batch = torch.full((len(v), 1), record, dtype=torch.int64, device=v.device)
            moved = params.domain.torch_project(v - eta * self.problem.record_gradients(v, batch)[:, 0])
            total = total + (moved if after else v)
            v = moved
        scale = params.noise * params.lipschitz * eta
        w = total / (last - first) + scale * self.normals(trials, step, v.shape[1])
        return w, w, self.no_branches(len(w))


def _packed(params: Params, problem: Problem, stream: Stream, dtype: str) -> Packed:
    step_sizes = np.array(params.step_sizes)
    noise = (params.noise * params.lipschitz * step_sizes).astype(dtype)
    numbers = (np.array(params.firsts), step_sizes.astype(dtype), noise, params.average == "after each step")
    domain = domain_kernels.packed(params.domain, dtype)
    return stream.part("noise").key, numbers, domain, loss_kernels.arrays(problem, dtype)


STEPWISE = stepwise.Stepwise(
    step,
    columns=lambda params: len(params.start),
    sizes=lambda params: (params.records, len(params.start)),
    kernels=kernels,
    packed=_packed,
    machine=_Torch,
)
reference, cpu, gpu = STEPWISE.reference, STEPWISE.cpu, STEPWISE.gpu
advance_cpu, advance_gpu = STEPWISE.advance_cpu, STEPWISE.advance_gpu


def declared_noise(params: Params, t: int, draw: Draws, columns: int) -> Array:
    """The same independent noise on every column, smaller in every phase."""
    return np.asarray(params.noise * params.lipschitz * params.step_sizes[t] * np.eye(columns))


RECORDED = stepwise.Recorded(
    declared_noise, used=lambda params, t, draw: np.arange(params.firsts[t], params.firsts[t + 1])
)
