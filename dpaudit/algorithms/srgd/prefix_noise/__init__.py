"""Prefix sums of gradients under correlated Gaussian noise: the binary tree mechanism and other factorisations.

Source: Choquette-Choo, Ganesh, Thakurta (2024), "Optimal Rates for O(1)-Smooth DP-SCO with a Single Epoch and Large
Batches", section 5.2 and lemma 5.6; Dwork, Naor, Pitassi, Rothblum (2010); Chan, Shi, Song (2011). Two ids of the spec:

    srgd/ALG-2      the tree: factorisation "binary tree"; any other factorisation A = left right works alike
    srgd/ALG-3      the glue: -N_{t+1}/beta is the b_t of Accelerated-DP-SRGD, see `shifts_of_points`

What is summed are gradients at one fixed point, so that with `losses.linear` it is any list of vectors. Streaming:
the noise of a tree prefix is N_t = N_{t - lowbit(t)} + xi_t, for which log2 T vectors are kept; factors that are
neither the tree's nor one of the two trivial ones need all earlier xi.

Shapes: d coordinates, n records, T steps of b records. A transcript has shape (T, d): the noisy prefix sums; the
output, the last of them, has shape (d,). A batch of trials adds a first axis. A state has 2 d numbers.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import NamedTuple

import numpy as np

from dpaudit.accounting.factorisations import Factorisation
from dpaudit.algorithms import stepwise
from dpaudit.algorithms.counted import Counted
from dpaudit.algorithms.srgd.noisy_sums import entry, form
from dpaudit.algorithms.srgd.noisy_sums import params as shared
from dpaudit.algorithms.srgd.noisy_sums.form import NoisySums, mean_difference
from dpaudit.algorithms.srgd.noisy_sums.kernels import HAT, SUM
from dpaudit.algorithms.srgd.noisy_sums.params import Draws, Mixed, check_correlated
from dpaudit.algorithms.stepwise import Step, Vector
from dpaudit.arithmetic.arrays import Array
from dpaudit.problems.domains import EVERYTHING
from dpaudit.records.algorithm import Algorithm
from dpaudit.records.mechanism import Promise
from dpaudit.records.ranges import Count, NotNegative, Numbers, Positive
from dpaudit.records.validation import check_number
from dpaudit.sampling.batches import Batches

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
class Params(Mixed):
    """Everything public about a run.

    point: where gradients are taken, d finite numbers; steps: T; batches: "in order" or "all records"; noise: standard
    deviation of every coordinate of a node, at least 0; lipschitz: L above 0, a bound on |grad f(point; d)|, used only
    for the promise; clip_norm: K above 0 or None; factorisation: a name or T factors. Raises ConfigurationError.
    """

    point: Numbers
    steps: Count
    batches: Batches
    noise: NotNegative
    lipschitz: Positive
    clip_norm: Positive | None = None
    factorisation: str | Factorisation = "binary tree"

    def __post_init__(self) -> None:
        check_correlated(self)

    @property
    def dimension(self) -> int:
        """d."""
        return len(self.point)

    @property
    def changes(self) -> Array:
        """K, or L without clipping, for every step, (T,)."""
        return np.full(self.steps, self.lipschitz if self.clip_norm is None else self.clip_norm)


def promise(params: Params) -> Promise:
    """All prefix sums together are one Gaussian mechanism when one record is zeroed out: its multiplier is the noise
    over K/b times the largest column norm of `right`, sqrt(1 + floor(log2 T)) for the tree, where lemma 5.6 has
    sqrt(1 + ceil(log T)). Raises ConfigurationError without noise.
    """
    source = "Choquette-Choo, Ganesh, Thakurta (2024), lemma 5.6, corrected"
    return form.promise(params.factors, params.changes, params.batches, params.noise, source)


def shifts_of_points(params: Params, draws: Draws, scaling: float) -> Array:
    """b_0, ..., b_{T-1} of Accelerated-DP-SRGD with this noise, (T, d), in the unit of the points: -N_{t+1}/scaling."""
    check_number("scaling", scaling, above=0.0)
    return np.array([-params.noise * (params.mixing[t] @ draws.noise[t]) / scaling for t in range(params.steps)])


class State(NamedTuple):
    """The sum and the noisy sum, (d,) each."""

    total: Vector
    noisy: Vector


def step(params: Params, problem: Counted, state: Vector, t: int, draw: Draws) -> Step:
    """Item t + 1; branch: how many gradients were clipped."""
    total, _ = stepwise.unpack(State, state)
    item, branches = mean_difference(problem, (1.0, np.array(params.point)), None, draw.batches, params.clip_norm)
    total = total + item
    noisy = total + params.noise * (params.mixing[t] @ draw.noise)
    return Step(stepwise.pack(State(total, noisy)), noisy, branches)


def _sums(params: Params) -> NoisySums:
    start, columns = np.array(params.point), {"noise": params.noise}
    return NoisySums(start, (SUM, HAT), params.batches, columns, params.mixing, "stay", EVERYTHING, params.clip_norm)


noise_shape, draw_inputs, calls = shared.noise_shape, shared.draw_inputs, shared.one_query_a_step
STEPWISE = entry.entry_points(step, State, "noisy", _sums)
reference, cpu, gpu = STEPWISE.reference, STEPWISE.cpu, STEPWISE.gpu
advance_cpu, advance_gpu = STEPWISE.advance_cpu, STEPWISE.advance_gpu
PRIVATE = ("total",)
RECORDED = entry.recorded(State, PRIVATE)
