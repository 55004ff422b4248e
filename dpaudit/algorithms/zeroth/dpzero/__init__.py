"""DPZero: private zeroth-order descent along one direction a step, with scalar or with isotropic noise.

Source: Zhang, Li, Thekumparampil, Oh, He (2023), "DPZero"; as printed in Chien, Chen, Li (2025), equation (2). The
parameters that make it each of the spec's algorithms:

    zeroth/ALG-3a   noise_kind "scalar": eta sigma_1 G u_t, G one standard normal
    zeroth/ALG-3b   noise_kind "isotropic": eta sigma_2 G, G standard normal in R^d

At equal sigma both promise the same to an adversary who sees every iterate; E|noise|^2 is eta^2 sigma^2 for the
first and d times that for the second. Directions are on the sphere; "Gaussian" is the variant of Tang et al. (2024).

Shapes: d coordinates, n records, T steps. A transcript has shape (T, 2 d): every iterate w_{t+1} and its direction u_t.
The output w_T has shape (d,). A batch of trials adds a first axis. State: w, d numbers.
"""

from __future__ import annotations

from dataclasses import dataclass
from functools import cached_property
from typing import Annotated, NamedTuple

import numpy as np

from dpaudit.algorithms import stepwise
from dpaudit.algorithms.counted import Counted
from dpaudit.algorithms.stepwise import Packed, Step, Tensor, Vector
from dpaudit.algorithms.zeroth import steps as _zeroth
from dpaudit.algorithms.zeroth.dpzero import kernels
from dpaudit.arithmetic.arrays import Array, Integers
from dpaudit.noise.stream import Stream
from dpaudit.problems import domain_kernels, loss_kernels
from dpaudit.problems.domains import EVERYTHING, Domain
from dpaudit.problems.losses import Problem
from dpaudit.records.algorithm import Algorithm
from dpaudit.records.context import Level
from dpaudit.records.errors import ConfigurationError
from dpaudit.records.mechanism import Gaussian, Promise, SelfComposed
from dpaudit.records.privacy import Neighbours, View
from dpaudit.records.ranges import Count, NotNegative, OneOf, Positive, check_fields
from dpaudit.records.validation import check_noisy
from dpaudit.sampling.batches import Batches
from dpaudit.sampling.directions import Directions

NOISE_KINDS = ("scalar", "isotropic")

ALGORITHM = Algorithm(
    name="zeroth/ALG-3a",
    title="DPZero: one noisy direction a step",
    source="Zhang et al. (2023); Chien, Chen, Li (2025), equation (2)",
    pseudo_code=(
        "for t < T: draw u on the sphere; w_{t+1} = Pi(w_t - eta ghat(w_t; u) + eta sigma_1 G u) or "
        "Pi(w_t - eta ghat(w_t; u) + eta sigma_2 G); return w_T"
    ),
    options=(
        ("noise_kind", "scalar", "isotropic: mechanism (b), zeroth/ALG-3b"),
        ("frame", "independent", "Gaussian: u from N(0, I), with scalar noise"),
        ("perturbation", "above 0", "0, which (1) prints and cannot divide by: the directional derivative"),
    ),
    released="every iterate and every direction",
    cost="2 n T values; n T gradients for perturbation 0",
    also=("zeroth/ALG-3b",),
    from_level=Level.STANDARD,
)


@dataclass(frozen=True)
class Params:
    """Everything public about a run.

    start: w_0 in the domain, d finite numbers; steps: T; records: n; step_size: eta, above 0; perturbation: xi, at
    least 0; clip_norm: Delta, above 0; noise: sigma_1 or sigma_2, a standard deviation in units of a slope, at least
    0; noise_kind: "scalar" or "isotropic"; domain: where iterates are projected; frame: "independent" (the sphere) or,
    with scalar noise, "Gaussian". Raises ConfigurationError.
    """

    start: tuple[float, ...]
    steps: Count
    records: Count
    step_size: Positive
    perturbation: float
    clip_norm: float
    noise: NotNegative
    noise_kind: Annotated[str, OneOf(NOISE_KINDS)] = "scalar"
    domain: Domain = EVERYTHING
    frame: Annotated[str, OneOf(("independent", "Gaussian"))] = "independent"

    def __post_init__(self) -> None:
        check_fields(self)
        if self.frame == "Gaussian" and self.noise_kind == "isotropic":
            raise ConfigurationError(
                "frame must be 'independent' with isotropic noise, got 'Gaussian': a step along an unbounded "
                "direction has no sensitivity; take scalar noise"
            )
        _zeroth.check_run(self, self.domain)

    @property
    def batches(self) -> Batches:
        """All records, every step."""
        return Batches("all records", self.records, self.records)

    @cached_property
    def query(self) -> _zeroth.Query:
        """How slopes are asked for."""
        return _zeroth.Query("two-point", self.perturbation, self.clip_norm)

    @cached_property
    def sampler(self) -> Directions:
        """The law of the direction."""
        return Directions(self.frame, 1, len(self.start))


class Draws(NamedTuple):
    """noise: standard normals, (T, 1) scalar or (T, d) isotropic; directions: those behind u_t, (T, 1, d)."""

    noise: Array
    directions: Array


def noise_shape(params: Params) -> tuple[int, ...]:
    """(T, 1) for scalar noise, (T, d) for isotropic: the normals of one trial beside those of its directions."""
    return (params.steps, 1 if params.noise_kind == "scalar" else len(params.start))


def promise(params: Params) -> Promise:
    """What iterates and directions promise when one record is replaced: its slope moves by 2 Delta, the mean by
    2 Delta/n, along u_t. Both kinds of noise have standard deviation sigma along u_t.

    Raises ConfigurationError without noise.
    """
    check_noisy(params.noise)
    once = Gaussian(params.noise * params.records / (2 * params.clip_norm))
    source = "composition of the steps given their directions, Dong, Roth, Su (2022)"
    return Promise(SelfComposed(once, params.steps), Neighbours.REPLACE_ONE, View.TRANSCRIPT, source)


def calls(params: Params, draws: Draws) -> dict[str, int]:
    """2 n T values, or n T gradients."""
    return {name: params.steps * number for name, number in params.query.calls(1, params.records).items()}


def draw_inputs(params: Params, stream: Stream, trial: int) -> Draws:
    """Noise and directions of one trial for `reference`: from its parts "noise" and "directions"."""
    return Draws(stepwise.normals(stream, trial, noise_shape(params)), _zeroth.draw_frames(params, stream, trial))


def step(params: Params, problem: Counted, state: Vector, t: int, draw: Draws) -> Step:
    """Step t of the algorithm as printed; branch: how many slopes were clipped."""
    frame, eta = params.sampler.frame(draw.directions), params.step_size
    slopes, branches = params.query.slopes(problem, state, frame, np.arange(params.records))
    u, s = frame[0], slopes[0]
    along = u if params.noise_kind == "scalar" else 1.0
    after = params.domain.project(state - eta * s * u + eta * params.noise * draw.noise * along)
    return Step(after, np.concatenate([after, u]), branches)


class _Torch(_zeroth.Machine[Params]):
    """One step of all trials."""

    def advance(self, state: Tensor, step: int, trials: Integers) -> tuple[Tensor, Tensor, Tensor]:
        params, eta, frame = self.params, self.params.step_size, self.frame(step, trials)
        slopes, clipped = self.slopes(self.problem, state, frame, step, trials)
        u, scalar = frame[:, 0], params.noise_kind == "scalar"
        noise = eta * params.noise * self.normals(trials, step, 1 if scalar else state.shape[1])
        after = params.domain.torch_project(state - eta * slopes * u + (noise * u if scalar else noise))
        return after, self.torch.cat([after, u], dim=1), clipped


def _packed(params: Params, problem: Problem, stream: Stream, dtype: str) -> Packed:
    kind, every = np.dtype(dtype).type, np.arange(params.records)
    paces = kind(params.step_size), kind(params.step_size * params.noise)
    numbers = params.sampler.code, *paces, params.noise_kind == "scalar"
    domain, data = domain_kernels.packed(params.domain, dtype), loss_kernels.arrays(problem, dtype)
    return _zeroth.keys(stream), numbers, every, _zeroth.asked(params.query, dtype), domain, data


STEPWISE = stepwise.Stepwise(
    step,
    columns=lambda params: 2 * len(params.start),
    sizes=_zeroth.sizes,
    kernels=kernels,
    packed=_packed,
    machine=_Torch,
    choices=lambda params: (0,),
)

reference, cpu, gpu = STEPWISE.reference, STEPWISE.cpu, STEPWISE.gpu
advance_cpu, advance_gpu = STEPWISE.advance_cpu, STEPWISE.advance_gpu


def declared_noise(params: Params, t: int, draw: Draws, columns: int) -> Array:
    """Noise on the iterate, along the direction or in every coordinate; the direction is public."""
    scale, iterate = params.step_size * params.noise, np.eye(columns)[:, : len(params.start)]
    if params.noise_kind == "isotropic":
        return np.asarray(scale * iterate)
    return np.asarray(scale * iterate @ params.sampler.frame(draw.directions).T)


RECORDED = stepwise.Recorded(declared_noise)
