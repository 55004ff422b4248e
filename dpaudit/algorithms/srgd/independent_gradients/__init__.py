"""Accelerated gradient descent with a fresh gradient every step: of a batch under noise, or of all records without.

Source: Choquette-Choo, Ganesh, Thakurta (2024), "Optimal Rates for O(1)-Smooth DP-SCO with a Single Epoch and Large
Batches", section 5.5: algorithm 1 with the mean gradient of the batch at x_t as its grad_t. Two ids of the spec:

    srgd/ALG-4      batches "in order"; the paper keeps the b_t fixed: noise 0 and `offsets`
    srgd/ALG-8      batches "all records", noise 0, no offsets: Nesterov's deterministic method

Not in the paper: with noise s > 0 the gradient of step t gets N(0, s^2 I) of its own, b_t = -(eta_t/beta) N(0, s^2 I);
y_T is returned; eta_T is for x_T only.

Shapes: d coordinates, n records, T steps of b records. A transcript has shape (T, d): hat_t = eta_t grad_t - beta b_t.
The output y_T has shape (d,). A batch of trials adds a first axis. A state has 3 d numbers.
"""

from __future__ import annotations

import math
from dataclasses import dataclass
from functools import cached_property
from typing import NamedTuple

import numpy as np

from dpaudit.algorithms import stepwise
from dpaudit.algorithms.counted import Counted
from dpaudit.algorithms.srgd.noisy_sums import entry
from dpaudit.algorithms.srgd.noisy_sums import params as shared
from dpaudit.algorithms.srgd.noisy_sums.form import NoisySums, mean_difference
from dpaudit.algorithms.srgd.noisy_sums.kernels import X, Y, Z
from dpaudit.algorithms.srgd.noisy_sums.params import check, check_offsets, check_start_inside
from dpaudit.algorithms.stepwise import Step, Vector
from dpaudit.arithmetic.arrays import Array, Integers
from dpaudit.noise.stream import Stream
from dpaudit.problems.domains import EVERYTHING, Domain
from dpaudit.records.algorithm import Algorithm
from dpaudit.records.mechanism import Gaussian, Promise, SelfComposed
from dpaudit.records.privacy import Neighbours, View
from dpaudit.records.ranges import Count, NotNegative, Positive, PositiveNumbers
from dpaudit.records.validation import check_count, check_noisy, check_vector
from dpaudit.sampling.batches import Batches

ALGORITHM = Algorithm(
    name="srgd/ALG-4",
    title="Accelerated descent with a fresh gradient every step",
    source="Choquette-Choo, Ganesh, Thakurta (2024), section 5.5",
    pseudo_code=(
        "x_0 = z_0 = 0; for t < T: grad_t = (1/b) sum over batch_t of clip(grad f(x_t; d), K); hat_t = eta_t (grad_t + "
        "N(0, s^2 I)); z_{t+1} = Pi(z_t - hat_t/beta); y_{t+1} = Pi(x_t - hat_t/(beta eta_t)); x_{t+1} = (1 - "
        "tau_{t+1}) y_{t+1} + tau_{t+1} z_{t+1}; return y_T"
    ),
    options=(
        ("noise", "0 with fixed offsets, as printed", "s: independent noise of every gradient"),
        ("clip_norm", "None, as printed", "K: clips the gradient of each record"),
        ("couplings", "eta_t/eta_{0:t}", "tau_1, ..., tau_T, any numbers in [0, 1]"),
        ("batches.kind", "in order: one pass", "all records: the full gradient"),
    ),
    released="every noisy gradient, and with them all iterates",
    cost="T b gradients in T rounds: one for each record in one pass",
    also=("srgd/ALG-8",),
)


@dataclass(frozen=True)
class Params:
    """Everything public about a run.

    dimension: d; weights: eta_0, ..., eta_T above 0, the last one for x_T only; scaling: beta above 0; batches: "in
    order" or "all records"; noise: s, standard deviation of every coordinate of a gradient, at least 0; lipschitz: L
    above 0 of every record's loss on the domain, used only for the promise; clip_norm: K above 0 or None; domain:
    contains 0; couplings: tau_1, ..., tau_T in [0, 1] or None; offsets: T vectors added to b_t, in the unit of the
    points, or none. Raises ConfigurationError.
    """

    dimension: Count
    weights: PositiveNumbers
    scaling: Positive
    batches: Batches
    noise: NotNegative
    lipschitz: Positive
    clip_norm: Positive | None = None
    domain: Domain = EVERYTHING
    couplings: tuple[float, ...] | None = None
    offsets: tuple[tuple[float, ...], ...] = ()

    def __post_init__(self) -> None:
        check_count("steps (one less than weights)", self.steps)
        check(self)
        if self.couplings is not None:
            check_vector("couplings", self.couplings, self.steps, least=0.0, most=1.0)
        check_offsets(self.offsets, self.steps, self.dimension)
        check_start_inside(self.domain, self.dimension)

    @property
    def steps(self) -> int:
        """T."""
        return len(self.weights) - 1

    @cached_property
    def coupling(self) -> tuple[float, ...]:
        """tau_1, ..., tau_T."""
        if self.couplings is not None:
            return self.couplings
        return tuple(self.weights[t] / math.fsum(self.weights[: t + 1]) for t in range(1, self.steps + 1))


class Draws(NamedTuple):
    """noise: standard normals, (T, d); batches: record numbers of every step."""

    noise: Array
    batches: tuple[Integers, ...]


def promise(params: Params) -> Promise:
    """What the transcript promises when one record is zeroed out, which changes a mean gradient by at most K/b, or L/b
    without clipping: one Gaussian mechanism in one pass, T of them if every step sees all records.

    Raises ConfigurationError without noise.
    """
    check_noisy(params.noise)
    change = (params.lipschitz if params.clip_norm is None else params.clip_norm) / params.batches.size
    once = Gaussian(params.noise / change)
    whole = once if params.batches.kind == "in order" else SelfComposed(once, params.steps)
    return Promise(whole, Neighbours.ZERO_OUT, View.TRANSCRIPT, "composition of the steps, Dong, Roth, Su (2022)")


def draw_inputs(params: Params, stream: Stream, trial: int) -> Draws:
    """Noise of one trial for `reference`, from its part "noise"; the batches are fixed."""
    batches = params.batches.draw_all(stream.part("batches"), trial, params.steps)
    return Draws(stepwise.normals(stream, trial, noise_shape(params)), batches)


class State(NamedTuple):
    """x_t, z_t, y_t, (d,) each."""

    x: Vector
    z: Vector
    y: Vector


def step(params: Params, problem: Counted, state: Vector, t: int, draw: Draws) -> Step:
    """Step t; branch: how many gradients were clipped."""
    x, z, _ = stepwise.unpack(State, state)
    eta, beta, tau, project = params.weights[t], params.scaling, params.coupling[t], params.domain.project
    # eta clip(v, K) = clip(eta v, eta K), which is how all forms compute it.
    clip_norm = None if params.clip_norm is None else eta * params.clip_norm
    weighted, branches = mean_difference(problem, (eta, x), None, draw.batches, clip_norm)
    minus_beta_b = eta * params.noise * draw.noise
    if params.offsets:
        minus_beta_b = minus_beta_b - beta * np.array(params.offsets[t])
    hat = weighted + minus_beta_b
    z = project(z - hat / beta)
    y = project(x - hat / (beta * eta))
    return Step(stepwise.pack(State((1 - tau) * y + tau * z, z, y)), hat, branches)


def _sums(params: Params) -> NoisySums:
    eta, beta = np.array(params.weights[:-1]), params.scaling
    columns = {
        "eta": eta,
        "keep": 0.0,
        "clip": math.inf if params.clip_norm is None else eta * params.clip_norm,
        "noise": eta * params.noise,
        "y_step": 1 / (beta * eta),
        "z_step": 1 / beta,
        "tau": np.array(params.coupling),
    }
    offsets = -beta * np.array(params.offsets) if params.offsets else None
    return NoisySums(
        np.zeros(params.dimension), (X, Z, Y), params.batches, columns, np.eye(params.steps), "accelerate",
        params.domain, params.clip_norm, offsets,
    )  # fmt: skip


noise_shape, calls = shared.noise_shape, shared.one_query_a_step
STEPWISE = entry.entry_points(step, State, "y", _sums)
reference, cpu, gpu = STEPWISE.reference, STEPWISE.cpu, STEPWISE.gpu
advance_cpu, advance_gpu = STEPWISE.advance_cpu, STEPWISE.advance_gpu


def declared_noise(params: Params, t: int, draw: Draws, columns: int) -> Array:
    """The same independent noise on every column."""
    return np.asarray(params.weights[t] * params.noise * np.eye(columns))


RECORDED = stepwise.Recorded(declared_noise, used=lambda params, t, draw: draw.batches)
