"""DP-FTRL: gradient descent whose noise is correlated over the steps by a matrix factorisation.

Source: Kairouz, McMahan, Song, Thakkar, Thakurta, Xu (2021); Denisov, McMahan, Rush, Smith, Thakurta (2022); section
2.2 of Choquette-Choo, Ganesh, Thakurta (2024), which prints the unconstrained update of DP-SGD with (b_1, ..., b_T) ~
N(0, (C^T C)^-1) coordinatewise. Here C is `right` of a factorisation A = left right of the prefix sums, b = s C^-1 xi,
and the noise of the prefix sums is A b = s left xi.

With a domain, of which that section says nothing, there are two readings, one without it: "lazy" follows the
regularised leader, w_{t+1} = Pi(v_{t+1}) with v_{t+1} = v_t - eta_t y_t; "every step" projects as DP-SGD does,
w_{t+1} = Pi(w_t - eta_t y_t).

Shapes: d coordinates, n records, T steps of b records. A transcript has shape (T, d): the noisy gradients y_t, whose
prefix sums are the noisy prefix sums. The output w_T has shape (d,). A batch of trials adds a first axis. A
state has 2 d numbers.
"""

from __future__ import annotations

from dataclasses import dataclass
from functools import cached_property
from typing import Annotated, NamedTuple

import numpy as np
from numpy.typing import NDArray

from dpaudit.accounting.factorisations import Factorisation
from dpaudit.algorithms import stepwise
from dpaudit.algorithms.counted import Counted
from dpaudit.algorithms.srgd.noisy_sums import entry, form
from dpaudit.algorithms.srgd.noisy_sums import params as shared
from dpaudit.algorithms.srgd.noisy_sums.form import NoisySums, mean_difference
from dpaudit.algorithms.srgd.noisy_sums.kernels import X, Z
from dpaudit.algorithms.srgd.noisy_sums.params import Draws, Mixed, check_correlated, exactly
from dpaudit.algorithms.stepwise import Step, Vector
from dpaudit.arithmetic.arrays import Array
from dpaudit.problems.domains import EVERYTHING, Domain
from dpaudit.records.algorithm import Algorithm
from dpaudit.records.context import Level
from dpaudit.records.mechanism import Promise
from dpaudit.records.ranges import NotNegative, Numbers, OneOf, Positive, PositiveNumbers
from dpaudit.sampling.batches import Batches

PROJECTIONS = ("lazy", "every step")

ALGORITHM = Algorithm(
    name="srgd/ALG-7",
    title="DP-FTRL: gradient descent under correlated noise",
    source="Choquette-Choo, Ganesh, Thakurta (2024), section 2.2; Kairouz et al. (2021)",
    pseudo_code=(
        "A = left C; for t < T: g_t = (1/b) sum over batch_t of clip(grad f(w_t; d), K); y_t = g_t + s sum over u of "
        "C^-1[t, u] xi_u with xi_u ~ N(0, I); v_{t+1} = v_t - eta_t y_t; w_{t+1} = Pi(v_{t+1}); return w_T"
    ),
    options=(
        ("projection", "lazy: w = Pi(v), v is not projected", "every step: v is w, as in DP-SGD"),
        ("factorisation", "binary tree", "square root, independent noise, noise per prefix, or factors that are given"),
        ("batches.kind", "in order: one pass", "all records: every step sees every record"),
    ),
    released="every noisy gradient y_t, and with them all noisy prefix sums and all iterates",
    cost="T b gradients in T rounds",
    from_level=Level.STANDARD,
)


@dataclass(frozen=True)
class Params(Mixed):
    """Everything public about a run.

    start: w_0 = v_0, d finite numbers; step_sizes: eta_t above 0, one a step; batches: "in order" or "all records";
    noise: s, standard deviation of xi, at least 0; lipschitz: L above 0, a bound on |grad f(w; d)|, used only for the
    promise; clip_norm: K above 0 or None; factorisation: a name or T factors; domain; projection: "lazy" or "every
    step". Raises ConfigurationError.
    """

    start: Numbers
    step_sizes: PositiveNumbers
    batches: Batches
    noise: NotNegative
    lipschitz: Positive
    clip_norm: Positive | None = None
    factorisation: str | Factorisation = "binary tree"
    domain: Domain = EVERYTHING
    projection: Annotated[str, OneOf(PROJECTIONS)] = "lazy"

    def __post_init__(self) -> None:
        check_correlated(self)
        self.domain.check_dimension(len(self.start))

    @property
    def dimension(self) -> int:
        """d."""
        return len(self.start)

    @property
    def steps(self) -> int:
        """T."""
        return len(self.step_sizes)

    @cached_property
    def mixing(self) -> NDArray[np.float64 | np.int64]:
        """C^-1: how the noise of a step is made of xi."""
        return exactly(self.factors.increments)

    @property
    def changes(self) -> Array:
        """K, or L without clipping, for every step, (T,)."""
        return np.full(self.steps, self.lipschitz if self.clip_norm is None else self.clip_norm)


def promise(params: Params) -> Promise:
    """What the transcript promises when one record is zeroed out: C g + s xi is one Gaussian mechanism, whose
    sensitivity is K/b times the largest column norm of C for one pass. Raises ConfigurationError without noise.
    """
    source = "Denisov, McMahan, Rush, Smith, Thakurta (2022), theorem 2.1, as printed"
    return form.promise(params.factors, params.changes, params.batches, params.noise, source)


class State(NamedTuple):
    """w and v, (d,) each."""

    w: Vector
    v: Vector


def step(params: Params, problem: Counted, state: Vector, t: int, draw: Draws) -> Step:
    """Step t; branch: how many gradients were clipped."""
    w, v = stepwise.unpack(State, state)
    gradient, branches = mean_difference(problem, (1.0, w), None, draw.batches, params.clip_norm)
    y = gradient + params.noise * (params.mixing[t] @ draw.noise)
    v = (v if params.projection == "lazy" else w) - params.step_sizes[t] * y
    w = params.domain.project(v)
    return Step(stepwise.pack(State(w, v if params.projection == "lazy" else w)), y, branches)


def _sums(params: Params) -> NoisySums:
    lazy = params.projection == "lazy"
    columns = {
        "keep": 0.0,
        "noise": params.noise,
        "z_step" if lazy else "y_step": np.array(params.step_sizes),
    }
    rows, move = ((X, Z), "lazy") if lazy else ((X, X), "step")
    return NoisySums(
        np.array(params.start), rows, params.batches, columns, params.mixing, move, params.domain, params.clip_norm
    )


noise_shape, draw_inputs, calls = shared.noise_shape, shared.draw_inputs, shared.one_query_a_step
STEPWISE = entry.entry_points(step, State, "w", _sums)
reference, cpu, gpu = STEPWISE.reference, STEPWISE.cpu, STEPWISE.gpu
advance_cpu, advance_gpu = STEPWISE.advance_cpu, STEPWISE.advance_gpu
RECORDED = entry.recorded(State)
