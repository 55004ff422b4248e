"""The unaccelerated variant of Accelerated-DP-SRGD: projected descent on noisy recursive gradients.

Source: Choquette-Choo, Ganesh, Thakurta (2024), "Optimal Rates for O(1)-Smooth DP-SCO with a Single Epoch and Large
Batches", section 4.3, which uses it to argue that acceleration is needed. It prints the gradient estimate and the step
1/beta = sqrt(b/T) = b/sqrt(n) for L = R = M = 1 (`printed_scaling`). Filled in, as in their algorithm 1: projection,
noise and output: hat_t = g_t + N_{t+1} is released and hat_t/eta_t is the noisy gradient; x_T is returned.

Shapes: d coordinates, n records, T steps of b records. A transcript has shape (T, d): hat_t; the output x_T
has shape (d,). A batch of trials adds a first axis. A state has 3 d numbers.
"""

from __future__ import annotations

import math
from dataclasses import dataclass
from typing import NamedTuple

import numpy as np

from dpaudit.accounting.factorisations import Factorisation
from dpaudit.algorithms import stepwise
from dpaudit.algorithms.counted import Counted
from dpaudit.algorithms.srgd.noisy_sums import entry, form
from dpaudit.algorithms.srgd.noisy_sums import params as shared
from dpaudit.algorithms.srgd.noisy_sums.form import NoisySums, mean_difference
from dpaudit.algorithms.srgd.noisy_sums.kernels import BEFORE, SUM, X
from dpaudit.algorithms.srgd.noisy_sums.params import Draws, Mixed, check_correlated, check_start_inside
from dpaudit.algorithms.stepwise import Step, Vector
from dpaudit.arithmetic.arrays import Array
from dpaudit.problems.domains import EVERYTHING, Domain
from dpaudit.records.algorithm import Algorithm
from dpaudit.records.mechanism import Promise
from dpaudit.records.ranges import Count, NotNegative, Positive, PositiveNumbers
from dpaudit.records.validation import check_count
from dpaudit.sampling.batches import Batches

ALGORITHM = Algorithm(
    name="srgd/ALG-5",
    title="Unaccelerated DP-SRGD: projected descent on noisy recursive gradients",
    source="Choquette-Choo, Ganesh, Thakurta (2024), section 4.3",
    pseudo_code=(
        "x_0 = 0; for t < T: delta_t = (1/b) sum over batch_t of clip(eta_t grad f(x_t; d) - eta_{t-1} grad "
        "f(x_{t-1}; d), K); g_t = g_{t-1} + delta_t; hat_t = g_t + N_{t+1}; x_{t+1} = Pi(x_t - hat_t/(beta eta_t)); "
        "return x_T"
    ),
    options=(
        ("clip_norm", "None, as printed", "K: clips the difference of each record"),
        ("factorisation", "binary tree", "square root, independent noise, noise per prefix, or factors that are given"),
        ("batches.kind", "in order: one pass", "all records: every step sees every record"),
    ),
    released="every noisy prefix sum hat_t, and with them all tree nodes and all iterates",
    cost="2 T b - b gradients in T rounds",
)


def printed_scaling(steps: int, batch: int) -> float:
    """beta = sqrt(T/b), for L = R = M = 1."""
    return math.sqrt(check_count("steps", steps) / check_count("batch", batch))


@dataclass(frozen=True)
class Params(Mixed):
    """Everything public about a run.

    dimension: d; weights: eta_0, ..., eta_{T-1} above 0; scaling: beta above 0; batches: "in order" or "all records";
    noise: standard deviation of every coordinate of a node, in the unit of g, at least 0; lipschitz, smoothness: L
    above 0 and M at least 0 (None: unknown) of every record's loss on the domain, used only for the promise;
    clip_norm: K above 0 or None; factorisation: a name or T factors; domain: contains 0. Raises ConfigurationError.
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

    def __post_init__(self) -> None:
        check_correlated(self)
        check_start_inside(self.domain, self.dimension)

    @property
    def steps(self) -> int:
        """T."""
        return len(self.weights)

    @property
    def changes(self) -> Array:
        """A bound on |eta_t grad f(x_t; d) - eta_{t-1} grad f(x_{t-1}; d)| after clipping, any data, (T,)."""
        if self.clip_norm is not None:
            return np.full(self.steps, self.clip_norm)
        return form.recursive_changes(self.weights, self.lipschitz, self.smoothness, self.domain.diameter)


def promise(params: Params) -> Promise:
    """What the transcript promises when one record is zeroed out, as for the accelerated algorithm: all prefix sums
    together are one Gaussian mechanism. Raises ConfigurationError without noise.
    """
    source = "Choquette-Choo, Ganesh, Thakurta (2024), lemma 5.6, for the differences of section 4.3, corrected"
    return form.promise(params.factors, params.changes, params.batches, params.noise, source)


class State(NamedTuple):
    """x_t, g_{t-1}, x_{t-1}, (d,) each."""

    x: Vector
    total: Vector
    before: Vector


def step(params: Params, problem: Counted, state: Vector, t: int, draw: Draws) -> Step:
    """Step t; branch: how many differences were clipped."""
    x, g, before = stepwise.unpack(State, state)
    old = (params.weights[t - 1], before) if t else None
    delta, branches = mean_difference(problem, (params.weights[t], x), old, draw.batches, params.clip_norm)
    g = g + delta
    hat = g + params.noise * (params.mixing[t] @ draw.noise)
    after = params.domain.project(x - hat / (params.scaling * params.weights[t]))
    return Step(stepwise.pack(State(after, g, x)), hat, branches)


def _sums(params: Params) -> NoisySums:
    eta = np.array(params.weights)
    columns = {
        "eta": eta,
        "eta_before": np.concatenate([[0.0], eta[:-1]]),
        "noise": params.noise,
        "y_step": 1 / (params.scaling * eta),
    }
    return NoisySums(
        np.zeros(params.dimension), (X, SUM, BEFORE), params.batches, columns, params.mixing, "step", params.domain,
        params.clip_norm,
    )  # fmt: skip


noise_shape, draw_inputs, calls = shared.noise_shape, shared.draw_inputs, shared.two_queries_a_step
STEPWISE = entry.entry_points(step, State, "x", _sums)
reference, cpu, gpu = STEPWISE.reference, STEPWISE.cpu, STEPWISE.gpu
advance_cpu, advance_gpu = STEPWISE.advance_cpu, STEPWISE.advance_gpu
PRIVATE = ("total",)
RECORDED = entry.recorded(State, PRIVATE)
