"""DP-AGD: private gradient descent that chooses its step sizes and the budget of its gradients as it goes.

Source: Lee and Kifer (2018), "Concentrated Differentially Private Gradient Descent with Adaptive per-Iteration
Privacy Budget", algorithm 2; a baseline of Wang, Jayaraman, Evans, Gu (2023). As in the authors' programs the noisy
gradients themselves are averaged, not their directions. Of the paper, the set of candidate step sizes stays as given.

One step of ours is one pass through the paper's inner loop: a noisy gradient, fresh or refined, and one noisy choice
of a step size. Budgets are counted in whole grains of total_rho/2^40, rounded down, so that every backend stops at the
same step; `promise` adds what that may leave uncounted.

Shapes: d coordinates, n records, m candidates, T the most steps that the budget allows. A transcript has shape
(T, d + 1): the noisy gradient copy that was drawn and the number of the candidate that was chosen (-1: none); zeros and
-1 after the stop. The output has shape (d,). A batch of trials adds a first axis. A state has
3 d + 4 numbers.
"""

from __future__ import annotations

import numpy as np

from dpaudit.algorithms import stepwise
from dpaudit.algorithms.counted import Counted, SomeProblem
from dpaudit.algorithms.srm.dp_agd import kernels
from dpaudit.algorithms.srm.dp_agd.params import GRAINS, LIMB, Draws, Params, State, total_rho
from dpaudit.algorithms.srm.dp_agd.tensors import Machine
from dpaudit.algorithms.stepwise import Branches, Packed, Step, Vector
from dpaudit.arithmetic.arrays import Array, Integers
from dpaudit.arithmetic.tracked import values_of
from dpaudit.noise.stream import Stream
from dpaudit.problems import loss_kernels
from dpaudit.problems.domains import clip
from dpaudit.problems.losses import Problem
from dpaudit.records.algorithm import Algorithm
from dpaudit.records.context import Level
from dpaudit.records.errors import ConfigurationError
from dpaudit.records.mechanism import Concentrated, Promise
from dpaudit.records.privacy import Neighbours, View

__all__ = [
    "ALGORITHM", "NOT_RECORDED", "STEPWISE", "Draws", "Params", "State", "advance_cpu", "advance_gpu", "calls",
    "cpu", "draw_inputs", "gpu", "noise_shape", "promise", "reference", "step", "total_rho",
]  # fmt: skip

FRESH, REFINE, STOPPED = 0, 1, 2
UNCHOSEN = 10
"""Added to the way of a step that made no choice."""

ALGORITHM = Algorithm(
    name="srm/ALG-B2",
    title="DP-AGD: gradient descent with adaptive budgets and step sizes",
    source="Lee and Kifer (2018), algorithm 2",
    pseudo_code=(
        "while the budget lasts: G = sum_i clip(grad f_i(w), C_grad); g = G + N(0, C_grad^2/(2 rho_ng) I), spend "
        "rho_ng; repeat: Omega_j = sum_i f_i(w - phi_j g/|g|) clipped to [0, C_obj]; j = argmin of Omega_j + "
        "Laplace(C_obj/sqrt(2 rho_nmax)), spend rho_nmax; if phi_j > 0: w = w - phi_j g/|g|, leave; else rho_old = "
        "rho_ng, rho_ng = (1 + growth) rho_ng, average g with G + N(0, C_grad^2/(2 (rho_ng - rho_old)) I) by budget, "
        "spend rho_ng - rho_old. Nothing is drawn that the budget does not cover. return w"
    ),
    options=(),
    released="every noisy gradient and every chosen candidate, and with them all iterates",
    cost="n gradients for every fresh noisy gradient, n m values for every choice",
    from_level=Level.STANDARD,
)


def noise_shape(params: Params) -> tuple[int, ...]:
    """(T, d + m): the normals and the Laplace noise of one trial."""
    return (params.steps, len(params.start) + len(params.candidates))


def promise(params: Params) -> Promise:
    """rho-zCDP of the transcript when a record is added or removed: the choices of budgets see only what was released.

    rho is the budget and at most one uncounted grain a spend. Every record moves all values up by at most C_obj, in one
    direction, so that the noisy choice is sqrt(2 rho_nmax)-DP. Raises ConfigurationError without noise.
    """
    if not params.noise_factor > 0:
        raise ConfigurationError("noise_factor is 0, so the run promises no privacy; raise it")
    spent = params.total_rho * (1 + 2 * params.steps / GRAINS)
    source = "Lee, Kifer (2018), algorithm 2; Feldman, Zrnic (2021) for budgets that are chosen on the way"
    return Promise(Concentrated(spent / params.noise_factor**2), Neighbours.ADD_OR_REMOVE, View.TRANSCRIPT, source)


def calls(params: Params, draws: Draws, branches: Integers, records: int) -> dict[str, int]:
    """n gradients for every fresh noisy gradient and n m values for every choice that a run on n `records` made.

    branches: the ways that the run took, (T, 3), on which alone its cost depends.
    """
    fresh, chosen = int((branches[:, 0] % UNCHOSEN == FRESH).sum()), int((branches[:, 0] < UNCHOSEN).sum())
    return {"gradients": records * fresh, "values": records * len(params.candidates) * chosen}


def draw_inputs(params: Params, stream: Stream, trial: int) -> Draws:
    """Noise of one trial for `reference`: normals from its part "noise", Laplace noise from "choices"."""
    noise, m = stepwise.normals(stream, trial, (params.steps, len(params.start))), len(params.candidates)
    uniforms = np.array([stream.part("choices").uniforms(np.array([trial]), t, m)[0] for t in range(params.steps)])
    return Draws(noise, np.where(uniforms < 0.5, 2 * uniforms, -2 * (1 - uniforms)))


def step(params: Params, problem: Counted, state: Vector, t: int, draw: Draws) -> Step:
    """Pass t through the inner loop as printed.

    Branches: what was done (a mode, plus UNCHOSEN where no choice followed), how many gradients were clipped, which
    candidate was chosen (-1: none).
    """
    d, nothing = len(params.start), np.zeros(len(params.start) + 1)
    w, total, noisy, *counts = stepwise.unpack(State, state, numbers=4)
    mode, level, low, high = (int(values_of(one)[0]) for one in counts)
    spent = low + LIMB * high
    nothing[d] = -1
    if mode == STOPPED or spent + params.costs[mode, level] > GRAINS:
        return Step(_joined(w, total, noisy, STOPPED, level, spent), nothing, _ways(STOPPED + UNCHOSEN))
    spent, clipped = spent + int(params.costs[mode, level]), (0, None)
    if mode == FRESH:
        gradients = problem.record_gradients(w)
        clipped, total = _longer(gradients, params.gradient_clip), clip(gradients, params.gradient_clip).sum(axis=0)
    copy = total + params.deviations[mode, level] * draw.noise
    noisy = copy if mode == FRESH else (noisy + params.growth * copy) / (1 + params.growth)
    level += mode == REFINE
    if spent + params.choice_cost > GRAINS:
        released = np.concatenate([copy, nothing[d:]])
        return Step(_joined(w, total, noisy, STOPPED, level, spent), released, _ways(mode + UNCHOSEN, clipped))
    direction = noisy / np.linalg.norm(noisy)
    chosen, gap = _choose(params, problem, w, direction, draw.tails)
    # Exactly 0, with a large rounding bound where rounding may turn the choice and all that follows from it.
    doubt = np.sign(gap) - np.sign(values_of(gap))
    rate = params.candidates[chosen] + max(params.candidates) * doubt
    after = (REFINE if params.candidates[chosen] == 0 else FRESH) + doubt
    released = np.concatenate([copy, np.stack([chosen + len(params.candidates) * doubt])])
    state = _joined(w - rate * direction, total, noisy, after, level, spent + params.choice_cost)
    return Step(state, released, _ways(mode, clipped, (chosen, gap)))


def _choose(params: Params, problem: SomeProblem, w: Vector, direction: Vector, tails: Vector) -> tuple[int, Vector]:
    """The candidate of the least noisy value, and how far the next one lies above it."""
    values = [problem.record_values(w - phi * direction) for phi in params.candidates]
    scores = np.stack([np.minimum(np.maximum(one, 0.0), params.value_clip).sum() for one in values])
    noisy = scores + params.choice_scale * (np.sign(tails) * np.log(np.abs(tails)))
    chosen = int(np.argmin(noisy))
    others = [j for j in range(len(params.candidates)) if j != chosen]
    return chosen, noisy[others[int(np.argmin(noisy[others]))]] - noisy[chosen]


def _joined(w: Vector, total: Vector, noisy: Vector, mode: Vector, level: int, spent: int) -> Vector:
    counts = (np.stack([one]) for one in (mode, level, spent % LIMB, spent // LIMB))
    return stepwise.pack(State(w, total, noisy, *counts))


def _longer(vectors: Vector, bound: float) -> tuple[int, Vector]:
    """How many rows are longer than `bound`, and by how much the row does that is nearest to it."""
    margins = np.linalg.norm(vectors, axis=-1) - bound
    return int((margins > 0).sum()), margins[int(np.argmin(np.abs(margins)))]


def _ways(done: int, clipped: tuple[int, Vector] = (0, None), chosen: tuple[int, Vector] = (-1, None)) -> Branches:
    return (done, None), clipped, chosen


def _packed(params: Params, problem: Problem, stream: Stream, dtype: str) -> Packed:
    keys = stream.keys("noise", "choices")
    tables = (params.costs, params.deviations.astype(dtype), np.array(params.candidates, dtype=dtype))
    listed = (params.gradient_clip, params.value_clip, params.choice_scale, params.growth)
    scales = tuple(map(np.dtype(dtype).type, listed))
    return keys, params.choice_cost, *tables, scales, loss_kernels.arrays(problem, dtype)


def _start(params: Params) -> Array:
    return np.concatenate([params.start, np.zeros(2 * len(params.start) + 4)])


STEPWISE = stepwise.Stepwise(
    step,
    start=_start,
    final=lambda params, state: stepwise.unpack(State, state, numbers=4).w,
    columns=lambda params: len(params.start) + 1,
    sizes=lambda params: (None, len(params.start)),
    kernels=kernels,
    packed=_packed,
    machine=Machine,
    choices=lambda params: (0, 1, 2),
    kinds=("gradients", "values"),
)
reference, cpu, gpu = STEPWISE.reference, STEPWISE.cpu, STEPWISE.gpu
advance_cpu, advance_gpu = STEPWISE.advance_cpu, STEPWISE.advance_gpu

NOT_RECORDED = (
    "chooses its step sizes by a noisy minimum, whose scores it does not release; the noise of its gradient copies "
    "depends on those choices"
)
