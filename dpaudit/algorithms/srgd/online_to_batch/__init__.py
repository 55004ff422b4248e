"""DP online-to-batch: online gradient descent on noisy recursive gradients, read off at weighted averages.

Source: Zhang, Tran, Cutkosky (2022), "Differentially Private Online-to-Batch for Smooth Losses"; a row of table 1 of
Choquette-Choo, Ganesh, Thakurta (2024), who give no pseudo-code. Filled in: projected online gradient descent as the
online algorithm, the start w_1 = 0, batches of more than one record as an option. The paper weights by beta_t = t^k
with k >= 1 (`power_weights`). The last gradient enters w_{T+1} only, which no average reads: x_T does not depend on it,
but it is released.

Against Accelerated-DP-SRGD there is no y: its update with y_{t+1} = x_t is this algorithm.

Shapes: d coordinates, n records, T steps of b records. A transcript has shape (T, d): the noisy sums; the output x_T
has shape (d,). A batch of trials adds a first axis. Step t = 0, ..., T - 1 is round t + 1. A state has 4 d numbers.
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
from dpaudit.algorithms.srgd.noisy_sums.kernels import BEFORE, SUM, X, Z
from dpaudit.algorithms.srgd.noisy_sums.params import Draws, Mixed, check_correlated, check_start_inside
from dpaudit.algorithms.stepwise import Step, Vector
from dpaudit.arithmetic.arrays import Array
from dpaudit.problems.domains import EVERYTHING, Domain
from dpaudit.records.algorithm import Algorithm
from dpaudit.records.context import Level
from dpaudit.records.mechanism import Promise
from dpaudit.records.ranges import Count, NotNegative, Positive, PositiveNumbers
from dpaudit.records.validation import check_count, check_vector
from dpaudit.sampling.batches import Batches

ALGORITHM = Algorithm(
    name="srgd/ALG-B50",
    title="DP online-to-batch: online gradient descent on noisy recursive gradients",
    source="Zhang, Tran, Cutkosky (2022), details filled in; Choquette-Choo, Ganesh, Thakurta (2024), table 1",
    pseudo_code=(
        "w_1 = 0; for t = 1, ..., T: x_t = sum over i <= t of beta_i w_i/beta_{1:t}; delta_t = (1/b) sum over batch_t "
        "of clip(beta_t grad f(x_t; d) - beta_{t-1} grad f(x_{t-1}; d), K); hat_t = sum over i <= t of delta_i + N_t; "
        "w_{t+1} = Pi(w_t - step_t hat_t); return x_T"
    ),
    options=(
        ("weights", "t^k", "any positive numbers"),
        ("clip_norm", "None", "K: clips the difference of each record"),
        ("batches.size", "1", "more records a round"),
        ("factorisation", "binary tree", "square root, independent noise, noise per prefix, or factors that are given"),
        ("batches.kind", "in order: one pass", "all records: every round sees every record"),
    ),
    released="every noisy prefix sum, and with them all tree nodes and all iterates",
    cost="2 T b - b gradients in T rounds; T = n rounds for b = 1",
    from_level=Level.STANDARD,
)


def power_weights(steps: int, power: float = 1.0) -> tuple[float, ...]:
    """beta_t = t^power for t = 1, ..., T."""
    return tuple(float(t) ** power for t in range(1, check_count("steps", steps) + 1))


@dataclass(frozen=True)
class Params(Mixed):
    """Everything public about a run.

    dimension: d; weights: beta_1, ..., beta_T above 0; step_sizes: of w, one a round, above 0; batches: "in order" or
    "all records"; noise: standard deviation of every coordinate of a node, in the unit of g, at least 0; lipschitz,
    smoothness: L above 0 and M at least 0 (None: unknown) of every record's loss on the domain, used only for the
    promise; clip_norm: K above 0 or None; factorisation: a name or T factors; domain: contains 0. Raises
    ConfigurationError.
    """

    dimension: Count
    weights: PositiveNumbers
    step_sizes: tuple[float, ...]
    batches: Batches
    noise: NotNegative
    lipschitz: Positive
    smoothness: NotNegative | None = None
    clip_norm: Positive | None = None
    factorisation: str | Factorisation = "binary tree"
    domain: Domain = EVERYTHING

    def __post_init__(self) -> None:
        check_correlated(self)
        check_vector("step_sizes", self.step_sizes, self.steps, above=0.0)
        check_start_inside(self.domain, self.dimension)

    @property
    def steps(self) -> int:
        """T."""
        return len(self.weights)

    @cached_property
    def coupling(self) -> tuple[float, ...]:
        """beta_{t+1}/beta_{1:t+1}, the weight of w_{t+1} in x_{t+1}; 0 for w_{T+1}, which no average reads."""
        inner = (self.weights[t] / math.fsum(self.weights[: t + 1]) for t in range(1, self.steps))
        return (*inner, 0.0)

    @property
    def changes(self) -> Array:
        """A bound on |beta_t grad f(x_t; d) - beta_{t-1} grad f(x_{t-1}; d)| after clipping, any data, (T,)."""
        if self.clip_norm is not None:
            return np.full(self.steps, self.clip_norm)
        return form.recursive_changes(self.weights, self.lipschitz, self.smoothness, self.domain.diameter)


def promise(params: Params) -> Promise:
    """What the transcript promises when one record is zeroed out, as for the accelerated algorithm: all prefix sums
    together are one Gaussian mechanism. Raises ConfigurationError without noise.
    """
    source = "Choquette-Choo, Ganesh, Thakurta (2024), lemma 5.6, for the differences of online-to-batch, corrected"
    return form.promise(params.factors, params.changes, params.batches, params.noise, source)


class State(NamedTuple):
    """x, w, g, and x of the round before, (d,) each."""

    x: Vector
    w: Vector
    total: Vector
    before: Vector


def step(params: Params, problem: Counted, state: Vector, t: int, draw: Draws) -> Step:
    """Round t + 1; branch: how many differences were clipped."""
    x, w, g, before = stepwise.unpack(State, state)
    old = (params.weights[t - 1], before) if t else None
    delta, branches = mean_difference(problem, (params.weights[t], x), old, draw.batches, params.clip_norm)
    g = g + delta
    hat = g + params.noise * (params.mixing[t] @ draw.noise)
    w = params.domain.project(w - params.step_sizes[t] * hat)
    after = (1 - params.coupling[t]) * x + params.coupling[t] * w
    return Step(stepwise.pack(State(after, w, g, x)), hat, branches)


def _sums(params: Params) -> NoisySums:
    eta = np.array(params.weights)
    columns = {
        "eta": eta,
        "eta_before": np.concatenate([[0.0], eta[:-1]]),
        "noise": params.noise,
        "z_step": np.array(params.step_sizes),
        "tau": np.array(params.coupling),
    }
    return NoisySums(
        np.zeros(params.dimension), (X, Z, SUM, BEFORE), params.batches, columns, params.mixing, "average",
        params.domain, params.clip_norm,
    )  # fmt: skip


noise_shape, draw_inputs, calls = shared.noise_shape, shared.draw_inputs, shared.two_queries_a_step
STEPWISE = entry.entry_points(step, State, "x", _sums)
reference, cpu, gpu = STEPWISE.reference, STEPWISE.cpu, STEPWISE.gpu
advance_cpu, advance_gpu = STEPWISE.advance_cpu, STEPWISE.advance_gpu
PRIVATE = ("total",)
RECORDED = entry.recorded(State, PRIVATE)
