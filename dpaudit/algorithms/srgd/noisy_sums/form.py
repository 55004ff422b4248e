"""What algorithms share that are driven by noisy sums of gradients: their numba and torch forms, their sensitivity.

At step t, with the records of batch_t, b of them, and standard normal vectors xi_0, xi_1, ..., one a step,

    delta_t = (1/b) sum over batch_t of clip(eta_t grad f(x_t; d) - eta'_t grad f(x_{t-1}; d), K_t)
    g_t     = keep_t g_{t-1} + delta_t
    shift_t = noise_t sum over u <= t of mixing[t, u] xi_u + offset_t
    hat_t   = g_t + shift_t                  released; "accelerate" moves z by other_t = g_t + ratio_t shift_t

and then the points move:

    "stay"         x stays
    "step"         x <- Pi(x - y_step hat)
    "lazy"         z <- z - z_step hat;  x <- Pi(z)
    "average"      z <- Pi(z - z_step hat);  x <- (1 - tau) x + tau z
    "accelerate"   z <- Pi(z - z_step other);  y <- Pi(x - y_step hat);  x <- (1 - tau) y + tau z

Each algorithm has its own `step` and `reference`, in the words of its paper; the fast forms are here and in
`noisy_sums.tensors`.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace

import numpy as np
from numpy.typing import NDArray

from dpaudit.accounting.factorisations import Factorisation, most_summands, prefix_matrix, tree_factors
from dpaudit.algorithms.counted import Batch, Counted, SomeProblem
from dpaudit.algorithms.srgd.accounting.tree_noise import ROUND_UP
from dpaudit.algorithms.srgd.noisy_sums import kernels
from dpaudit.algorithms.stepwise import Branches, Packed
from dpaudit.algorithms.vectors import Vector
from dpaudit.arithmetic.arrays import Array
from dpaudit.noise.stream import Stream
from dpaudit.problems import domain_kernels, loss_kernels
from dpaudit.problems.domains import Domain
from dpaudit.problems.losses import Loss, Problem
from dpaudit.records.mechanism import Gaussian, Promise
from dpaudit.records.privacy import Neighbours, View
from dpaudit.records.validation import check_noisy
from dpaudit.sampling.batches import Batches

MOVES = ("stay", "step", "lazy", "average", "accelerate")
COLUMNS = ("eta", "eta_before", "keep", "clip", "noise", "ratio", "y_step", "z_step", "tau")
USUAL = (1.0, 0.0, 1.0, np.inf, 0.0, 1.0, 0.0, 0.0, 0.0)


@dataclass(frozen=True, eq=False)
class NoisySums:
    """The constants of a run. start: of x, y, z, (d,); rows: which of the kernels' X, Z, Y, SUM, BEFORE, HAT are the
    state, in this order; columns: of the schedule that differ from USUAL and from clip_norm, numbers or (T,); mixing:
    (T, T), lower triangular; offsets: (T, d), or (0, d) for none; pair: whether other_t is released beside hat_t."""

    start: Array
    rows: tuple[int, ...]
    batches: Batches
    columns: Mapping[str, object]
    mixing: NDArray[np.float64 | np.int64]
    move: str
    domain: Domain
    clip_norm: float | None = None
    offsets: Array | None = None
    pair: bool = False

    @property
    def steps(self) -> int:
        """T."""
        return len(self.mixing)

    @property
    def state(self) -> Array:
        """The first state: the start in the rows of points, 0 in those of sums."""
        nothing = np.zeros_like(self.start)
        return np.concatenate([nothing if row in (kernels.SUM, kernels.HAT) else self.start for row in self.rows])

    @property
    def schedule(self) -> Array:
        """(T, columns)."""
        clip = {} if self.clip_norm is None else {"clip": self.clip_norm}
        given = clip | dict(self.columns)
        listed = [given.get(name, usual) for name, usual in zip(COLUMNS, USUAL, strict=True)]
        return np.stack([np.broadcast_to(np.asarray(one, dtype=np.float64), self.steps) for one in listed], axis=1)


# What the references share. --------------------------------------------------------------------------------------


class Paired(Counted):
    """Counts a query of a batch at several points as one round: both points are known when it is asked."""

    def record_gradients(self, point: Vector, batch: Batch | None = None) -> Vector:
        """The records of a batch, or all, at points of shape (d,) or (points, d)."""
        if point.ndim == 2:
            self.calls["gradients"] += (len(point) - 1) * (self.records if batch is None else len(batch))
        return super().record_gradients(point, batch)


def mean_difference(
    problem: SomeProblem,
    here: tuple[float, Vector],
    before: tuple[float, Vector] | None,
    batch: Batch,
    clip_norm: float | None,
) -> tuple[Vector, Branches]:
    """(1/b) sum over the batch of clip(eta grad f(x; d) - eta' grad f(x'; d), K), (d,), and the branch "how many were
    clipped"; here: (eta, x); before: (eta', x') or None; clip_norm: K or None."""
    (weight, point), old = here, before
    gradients = problem.record_gradients(point if old is None else np.stack([point, old[1]]), batch)
    if clip_norm is None:
        means = gradients.mean(axis=-2)
        return (weight * means if old is None else weight * means[0] - old[0] * means[1]), ()
    differences = weight * gradients if old is None else weight * gradients[0] - old[0] * gradients[1]
    lengths = np.linalg.norm(differences, axis=-1)
    clipped = differences * (clip_norm / np.maximum(lengths, clip_norm))[:, None]
    margins = lengths - clip_norm
    closest = margins[int(np.argmin(np.abs(margins)))]
    return clipped.mean(axis=0), ((int((lengths > clip_norm).sum()), closest),)


# Privacy. --------------------------------------------------------------------------------------------------------


def recursive_changes(weights: Sequence[float], lipschitz: float, smoothness: float | None, diameter: float) -> Array:
    """The most that |eta_t grad f(x; d) - eta_{t-1} grad f(x'; d)| can be, (T,), for x, x' in a set of `diameter`.

    At most (eta_t + eta_{t-1}) L, and at most eta_t M diameter + |eta_t - eta_{t-1}| L if the gradient is M-Lipschitz.
    """
    now, old = np.array(weights), np.concatenate([[0.0], weights[:-1]])
    crude = (now + old) * lipschitz
    if smoothness is None or (smoothness > 0 and diameter == np.inf):
        return np.asarray(crude)
    moved = smoothness * diameter if smoothness > 0 else 0.0
    bent = np.where(old > 0, now * moved, 0.0) + np.abs(now - old) * lipschitz
    return np.asarray(np.minimum(crude, bent))


def release_sensitivity(factorisation: Factorisation, changes: Array, batches: Batches) -> float:
    """How far right g moves when a record is zeroed out, if its share of b delta_t has norm at most changes[t].

    In order a record is in one step; if every step sees all records, each row of `right` moves by at most
    sum over t of |right[u, t]| changes[t].
    """
    if batches.kind == "in order":
        return float((changes * factorisation.column_norms).max()) / batches.size
    return float(np.linalg.norm(np.abs(factorisation.right) @ changes)) / batches.size


def promise(factorisation: Factorisation, changes: Array, batches: Batches, noise: float, source: str) -> Promise:
    """The released sums of all steps as one Gaussian mechanism. Raises ConfigurationError without noise.

    Every g_t may depend on what was released before: given that, each row of right g + noise xi moves by at most its
    share of `release_sensitivity` (Denisov, McMahan, Rush, Smith, Thakurta 2022, theorem 2.1).
    """
    check_noisy(noise)
    moved = release_sensitivity(factorisation, changes, batches) * ROUND_UP
    return Promise(Gaussian(noise / moved), Neighbours.ZERO_OUT, View.TRANSCRIPT, source)


def packed(sums: NoisySums, problem: Problem, stream: Stream, dtype: str) -> Packed:
    """What the kernels read, flat."""
    how, reduced = _gradients(sums, problem)
    mixing, memory = mixed(sums.mixing)
    matrix = np.ascontiguousarray(sums.mixing if mixing == kernels.DENSE else np.zeros((0, 0)), dtype=dtype)
    offsets = np.zeros((0, len(sums.start))) if sums.offsets is None else sums.offsets
    stride = sums.batches.size if sums.batches.kind == "in order" else 0
    integers = (how, sums.batches.size, stride, MOVES.index(sums.move), sums.pair, mixing, memory)
    numbers = (sums.schedule.astype(dtype), offsets.astype(dtype), matrix, *integers)
    start, rows, domain = sums.start.astype(dtype), np.array(sums.rows), domain_kernels.packed(sums.domain, dtype)
    return start, rows, stream.part("noise").key, numbers, domain, loss_kernels.arrays(reduced, dtype)


def _gradients(sums: NoisySums, problem: Problem) -> tuple[int, Problem]:
    """How the kernels get gradients, and of which problem: linear losses enter by the mean of each batch alone."""
    if sums.clip_norm is not None:
        return kernels.CLIPPED, problem
    if sums.batches.kind == "all records":
        return kernels.WHOLE, problem
    if sums.batches.size > 1 and problem.loss is not Loss.LINEAR:
        return kernels.BATCH, problem
    if sums.batches.size == 1:
        return kernels.SINGLE, problem
    weights = problem.labels if problem.weights is None else problem.labels * problem.weights
    used = sums.steps * sums.batches.size
    rows = (weights[:, None] * problem.features)[:used].reshape(sums.steps, sums.batches.size, -1)
    return kernels.SINGLE, replace(problem, features=rows.mean(axis=1), labels=np.ones(sums.steps), weights=None)


def mixed(matrix: NDArray[np.float64 | np.int64]) -> tuple[int, int]:
    """How noise is mixed by `matrix` in a streaming form, and how many vectors that needs."""
    steps = len(matrix)
    if np.array_equal(matrix, np.eye(steps)):
        return kernels.CURRENT, 0
    if np.array_equal(matrix, prefix_matrix(steps)):
        return kernels.RUNNING, 1
    if np.array_equal(matrix, tree_factors(steps)[0]):
        return kernels.TREE, 1 + most_summands(steps)
    return kernels.DENSE, steps
