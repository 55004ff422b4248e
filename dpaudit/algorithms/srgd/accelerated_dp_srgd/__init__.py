"""Accelerated-DP-SRGD: Nesterov's method on recursive gradients under correlated noise, in one pass over the data.

Source: Choquette-Choo, Ganesh, Thakurta (2024), "Optimal Rates for O(1)-Smooth DP-SCO with a Single Epoch and Large
Batches", algorithm 1; clipped: the version whose privacy section 5.2 proves. The ids of the paper's variants:

    srgd/ALG-1      clip_norm None
    srgd/ALG-1C     clip_norm K: the difference of each record is clipped, not its two gradients

The noise: g_t = sum of delta_i, i <= t, is released as hat_t = g_t + N_{t+1}, where N comes from a factorisation of the
prefix sums (`prefix_noise`) with nodes of standard deviation `noise`. The paper's b_t is (g_t - hat_t)/beta, and its
sigma, in the unit of the points, noise/beta. Both updates read hat_t alone, so that all iterates are functions of what
is released. Not in the listing: that y_T is returned, and eta_T, which tau_T = eta_T/eta_{0:T} needs, for x_T only.

z_divisor and z_noise change the update of z to Pi(z - eta_t grad_t/(z_divisor beta) + z_noise b_t), as the proof of
lemma 5.2 does with z_divisor = 2. Unless z_noise = 1/z_divisor, z and y then read two different noisy sums with the
same noise: both are released here, g_t can be solved for, and nothing is promised.

Shapes: d coordinates, n records, T steps of b records. A transcript has shape (T, d): hat_t; (T, 2 d) with the sum that
z reads where that is another; the output y_T has shape (d,). A batch of trials adds a first axis. A state has
5 d numbers.
"""

from __future__ import annotations

import math
from dataclasses import dataclass
from functools import cached_property
from typing import NamedTuple

import numpy as np

from dpaudit.accounting.factorisations import Factorisation
from dpaudit.algorithms import stepwise
from dpaudit.algorithms.counted import Counted
from dpaudit.algorithms.srgd.noisy_sums import entry, form
from dpaudit.algorithms.srgd.noisy_sums import params as shared
from dpaudit.algorithms.srgd.noisy_sums.form import NoisySums, mean_difference
from dpaudit.algorithms.srgd.noisy_sums.kernels import BEFORE, SUM, X, Y, Z
from dpaudit.algorithms.srgd.noisy_sums.params import Draws, Mixed, check_correlated, check_offsets, check_start_inside
from dpaudit.algorithms.stepwise import Step, Vector
from dpaudit.arithmetic.arrays import Array
from dpaudit.problems.domains import EVERYTHING, Domain
from dpaudit.records.algorithm import Algorithm
from dpaudit.records.context import Level
from dpaudit.records.mechanism import Promise, PureDP
from dpaudit.records.privacy import Neighbours, View
from dpaudit.records.ranges import Count, NotNegative, Positive, PositiveNumbers
from dpaudit.records.validation import check_count, check_vector
from dpaudit.sampling.batches import Batches

ALGORITHM = Algorithm(
    name="srgd/ALG-1",
    title="Accelerated-DP-SRGD: accelerated descent on noisy recursive gradients",
    source="Choquette-Choo, Ganesh, Thakurta (2024), algorithm 1",
    pseudo_code=(
        "x_0 = z_0 = 0; for t < T: delta_t = (1/b) sum over batch_t of clip(eta_t grad f(x_t; d) - eta_{t-1} grad "
        "f(x_{t-1}; d), K); g_t = g_{t-1} + delta_t; hat_t = g_t + N_{t+1}; z_{t+1} = Pi(z_t - hat_t/beta); y_{t+1} = "
        "Pi(x_t - hat_t/(beta eta_t)); x_{t+1} = (1 - tau_{t+1}) y_{t+1} + tau_{t+1} z_{t+1}; return y_T"
    ),
    options=(
        ("clip_norm", "None, as printed", "K: clips the difference of each record, as the privacy proof does"),
        ("z_divisor", "1, as printed", "2, as the auxiliary point of the proof of lemma 5.2 has it"),
        ("z_noise", "1, as printed", "1/z_divisor: the factor of b_t with which z reads the released sum"),
        ("couplings", "eta_t/eta_{0:t}", "tau_1, ..., tau_T, any numbers in [0, 1], as the listing takes them"),
        ("factorisation", "binary tree", "square root, independent noise, noise per prefix, or factors that are given"),
        ("offsets", "none", "fixed vectors added to b_t, as the utility claims have them"),
        ("batches.kind", "in order: one pass", "all records: every step sees every record"),
    ),
    released="every noisy prefix sum hat_t, and with them all tree nodes and all iterates",
    cost="2 T b - b gradients in T rounds: two for each record, one for those of the first step",
    also=("srgd/ALG-1C",),
    from_level=Level.STANDARD,
)


def growing_weights(steps: int) -> tuple[float, ...]:
    """eta_t = t + 1 for t = 0, ..., T."""
    return tuple(float(t) for t in range(1, check_count("steps", steps) + 2))


@dataclass(frozen=True)
class Params(Mixed):
    """Everything public about a run.

    dimension: d; weights: eta_0, ..., eta_T above 0, the last one for x_T only; scaling: beta above 0; batches: "in
    order" or "all records"; noise: standard deviation of every coordinate of a node, in the unit of g, at least 0;
    lipschitz, smoothness: L above 0 and M at least 0 (None: unknown) of every record's loss on the domain, used only
    for the promise; clip_norm: K above 0 or None; factorisation: a name or T factors; domain: contains 0; couplings:
    tau_1, ..., tau_T in [0, 1] or None; z_divisor above 0, z_noise at least 0; offsets: T vectors added to b_t, in the
    unit of the points, or none. Raises ConfigurationError.
    """

    dimension: Count
    weights: PositiveNumbers
    scaling: Positive
    batches: Batches
    noise: NotNegative
    lipschitz: Positive
    smoothness: NotNegative | None = None
    clip_norm: Positive | None = None
    factorisation: str | Factorisation = "binary tree"
    domain: Domain = EVERYTHING
    couplings: tuple[float, ...] | None = None
    z_divisor: Positive = 1.0
    z_noise: NotNegative = 1.0
    offsets: tuple[tuple[float, ...], ...] = ()

    def __post_init__(self) -> None:
        check_count("steps (one less than weights)", self.steps)
        check_correlated(self)
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

    @property
    def is_post_processing(self) -> bool:
        """Whether z reads the same noisy sum as y, so that all iterates are functions of one sum a step."""
        return self.z_noise == 1.0 / self.z_divisor

    @property
    def changes(self) -> Array:
        """A bound on |eta_t grad f(x_t; d) - eta_{t-1} grad f(x_{t-1}; d)| after clipping, any data, (T,)."""
        if self.clip_norm is not None:
            return np.full(self.steps, self.clip_norm)
        return form.recursive_changes(self.weights[:-1], self.lipschitz, self.smoothness, self.domain.diameter)


def promise(params: Params) -> Promise:
    """What the transcript promises when one record is zeroed out; the loss may be anything with the stated constants.

    A record changes b delta_t of its step by at most `Params.changes`: K, or without clipping (eta_t + eta_{t-1}) L, or
    eta_t M diameter + |eta_t - eta_{t-1}| L if that is less; never the c_DP L of the paper, which holds for most data
    only. With z_noise other than 1/z_divisor nothing is promised: PureDP with infinite epsilon. Raises
    ConfigurationError without noise.
    """
    source = "Choquette-Choo, Ganesh, Thakurta (2024), lemma 5.6 and proof of corollary 5.7, corrected"
    promised = form.promise(params.factors, params.changes, params.batches, params.noise, source)
    if params.is_post_processing:
        return promised
    return Promise(PureDP(math.inf), Neighbours.ZERO_OUT, View.TRANSCRIPT, "y and z read two sums with one noise")


class State(NamedTuple):
    """x_t, z_t, y_t, g_{t-1}, x_{t-1}, (d,) each."""

    x: Vector
    z: Vector
    y: Vector
    total: Vector
    before: Vector


def step(params: Params, problem: Counted, state: Vector, t: int, draw: Draws) -> Step:
    """Step t of the algorithm as printed; branch: how many were clipped."""
    x, z, _, g, before = stepwise.unpack(State, state)
    eta, beta, tau, project = params.weights[t], params.scaling, params.coupling[t], params.domain.project
    old = (params.weights[t - 1], before) if t else None
    delta, branches = mean_difference(problem, (eta, x), old, draw.batches, params.clip_norm)
    g = g + delta
    minus_beta_b = params.noise * (params.mixing[t] @ draw.noise)
    if params.offsets:
        minus_beta_b = minus_beta_b - beta * np.array(params.offsets[t])
    hat = g + minus_beta_b
    hat_of_z = hat if params.is_post_processing else g + (params.z_noise * params.z_divisor) * minus_beta_b
    z = project(z - hat_of_z / (params.z_divisor * beta))
    y = project(x - hat / (beta * eta))
    after = (1 - tau) * y + tau * z
    released = hat if params.is_post_processing else np.concatenate([hat, hat_of_z])
    return Step(stepwise.pack(State(after, z, y, g, x)), released, branches)


def _sums(params: Params) -> NoisySums:
    eta, beta = np.array(params.weights[:-1]), params.scaling
    columns = {
        "eta": eta,
        "eta_before": np.concatenate([[0.0], eta[:-1]]),
        "noise": params.noise,
        "ratio": 1.0 if params.is_post_processing else params.z_noise * params.z_divisor,
        "y_step": 1 / (beta * eta),
        "z_step": 1 / (params.z_divisor * beta),
        "tau": np.array(params.coupling),
    }
    offsets = -beta * np.array(params.offsets) if params.offsets else None
    return NoisySums(
        np.zeros(params.dimension), (X, Z, Y, SUM, BEFORE), params.batches, columns, params.mixing, "accelerate",
        params.domain, params.clip_norm, offsets, not params.is_post_processing,
    )  # fmt: skip


noise_shape, draw_inputs, calls = shared.noise_shape, shared.draw_inputs, shared.two_queries_a_step
STEPWISE = entry.entry_points(step, State, "y", _sums)
reference, cpu, gpu = STEPWISE.reference, STEPWISE.cpu, STEPWISE.gpu
advance_cpu, advance_gpu = STEPWISE.advance_cpu, STEPWISE.advance_gpu
PRIVATE = ("total",)
RECORDED = entry.recorded(State, PRIVATE)
