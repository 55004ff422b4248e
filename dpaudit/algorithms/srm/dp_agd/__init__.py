"""DP-AGD: private gradient descent that chooses its step sizes and the budget of its gradients as it goes.

Source: Lee and Kifer (2018), "Concentrated Differentially Private Gradient Descent with Adaptive per-Iteration
Privacy Budget", algorithm 2; a baseline of Wang, Jayaraman, Evans, Gu (2023). As in the authors' programs the noisy
gradients themselves are averaged, not their directions. Of the paper, the set of candidate step sizes stays as given.

One step of ours is one pass through the paper's inner loop: a noisy gradient, fresh or refined, and one noisy choice
of a step size. Budgets are counted in whole grains of total_rho/2^40, rounded down, so that every backend stops at the
same step; `promise` adds what that may leave uncounted.

Shapes: d coordinates, n records, m candidates, T the most steps that the budget allows. A transcript has shape
(T, d + 1): the noisy gradient copy that was drawn and the number of the candidate that was chosen (-1: none); zeros and
-1 after the stop. A batch of trials adds a first axis. State of a step: (w, clipped gradient sum, averaged noisy
gradient, mode, level of the gradient budget, grains spent modulo 2^20 and above), 3 d + 4 numbers.
"""

from __future__ import annotations

from typing import Any

import numpy as np

from dpaudit.algorithms import stepwise
from dpaudit.algorithms.counted import Counted
from dpaudit.algorithms.srm.dp_agd import kernels
from dpaudit.algorithms.srm.dp_agd.params import GRAINS, LIMB, Array, Draws, Integers, Params, total_rho
from dpaudit.algorithms.srm.dp_agd.tensors import Machine
from dpaudit.algorithms.stepwise import Run, Step
from dpaudit.arithmetic.tracked import values_of
from dpaudit.noise.stream import Stream, Trials
from dpaudit.problems import loss_kernels
from dpaudit.problems.domains import clip
from dpaudit.problems.losses import Problem
from dpaudit.records.algorithm import Algorithm
from dpaudit.records.errors import ConfigurationError
from dpaudit.records.mechanism import Concentrated, Promise
from dpaudit.records.privacy import Neighbours, View
from dpaudit.records.validation import check_choice

__all__ = [
    "ALGORITHM", "Draws", "Params", "Run", "advance_cpu", "advance_gpu", "calls", "cpu",
    "draw_inputs", "gpu", "noise_shape", "promise", "reference", "step", "total_rho",
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
    """Noise of one trial for `reference`: that which `cpu` and `gpu` draw themselves."""
    numbers, d, m = np.array([trial]), len(params.start), len(params.candidates)
    noise = np.array([stream.part("noise").normals(numbers, t, d)[0] for t in range(params.steps)])
    uniforms = np.array([stream.part("choices").uniforms(numbers, t, m)[0] for t in range(params.steps)])
    return Draws(noise, np.where(uniforms < 0.5, 2 * uniforms, -2 * (1 - uniforms)))


def step(params: Params, problem: Any, state: Any, t: int, draw: Draws) -> Step:
    """Pass t through the inner loop as printed, from the state that the top of this file lists.

    Branches: what was done (a mode, plus UNCHOSEN where no choice followed), how many gradients were clipped, which
    candidate was chosen (-1: none).
    """
    d, nothing = len(params.start), np.zeros(len(params.start) + 1)
    w, total, noisy, ledger = np.split(state, [d, 2 * d, 3 * d])
    mode, level, *limbs = (int(x) for x in values_of(ledger))
    spent = limbs[0] + LIMB * limbs[1]
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


def _choose(params: Params, problem: Any, w: Any, direction: Any, tails: Any) -> tuple[int, Any]:
    """The candidate of the least noisy value, and how far the next one lies above it."""
    values = [problem.record_values(w - phi * direction) for phi in params.candidates]
    scores = np.stack([np.minimum(np.maximum(one, 0.0), params.value_clip).sum() for one in values])
    noisy = scores + params.choice_scale * (np.sign(tails) * np.log(np.abs(tails)))
    chosen = int(np.argmin(noisy))
    others = [j for j in range(len(params.candidates)) if j != chosen]
    return chosen, noisy[others[int(np.argmin(noisy[others]))]] - noisy[chosen]


def _joined(w: Any, total: Any, noisy: Any, mode: Any, level: int, spent: int) -> Any:
    return np.concatenate([w, total, noisy, np.stack([mode, level, spent % LIMB, spent // LIMB])])


def _longer(vectors: Any, bound: float) -> tuple[int, Any]:
    """How many rows are longer than `bound`, and by how much the row does that is nearest to it."""
    margins = np.linalg.norm(vectors, axis=-1) - bound
    return int((margins > 0).sum()), margins[int(np.argmin(np.abs(margins)))]


def _ways(done: int, clipped: tuple[int, Any] = (0, None), chosen: tuple[int, Any] = (-1, None)) -> Any:
    return (done, None), clipped, chosen


def _start(params: Params) -> Array:
    return np.concatenate([params.start, np.zeros(2 * len(params.start) + 4)])


def reference(params: Params, problem: Problem, draws: Draws) -> Run:
    """One trial as the paper prints it: transcript (T, d + 1), final (d,), states (T + 1, 3 d + 4)."""
    check_inputs(params, problem)
    counted = Counted(problem)

    def one(state: Array, t: int, draw: Draws) -> Step:
        return step(params, counted, state, t, draw)

    states, transcript, branches = stepwise.walk(one, _start(params), draws, params.steps)
    return Run(states[-1, : len(params.start)], transcript, states, branches, counted.only("gradients", "values"))


def check_inputs(params: Params, problem: Any) -> None:
    """Refuse a problem of another dimension than `params` says."""
    if problem.dimension != len(params.start):
        raise ConfigurationError(
            f"the problem has {problem.dimension} coordinates, the parameters say {len(params.start)}"
        )


# numba: one trial after the other, trials in parallel. ------------------------------------------


def cpu(params: Params, problem: Problem, trials: Trials, release: str = "transcript", dtype: str = "float64") -> Array:
    """All trials with numba: transcripts (trials, T, d + 1), or outputs w (trials, d).

    Normals come from the part "noise" of the stream, Laplace noise from its part "choices".
    """
    check_inputs(params, problem)
    check_choice("release", release, stepwise.RELEASES)
    keep, d = release == "transcript", len(params.start)
    out = np.zeros((len(trials), params.steps, d + 1) if keep else (len(trials), 1, d), dtype=dtype)
    plan = _plan(params, problem, trials.stream, dtype)
    kernels.run(_start(params).astype(dtype), trials.numbers, params.steps, keep, out, *plan)
    return out if keep else out[:, 0]


def advance_cpu(
    params: Params, problem: Problem, trials: Trials, steps: Integers, before: Array, dtype: str = "float64"
) -> tuple[Array, Integers]:
    """One step of the numba form per row, of trial trials.numbers[i], step steps[i], from the state before[i].

    Returns (state, released), shape (rows, 4 d + 5), and the ways taken that `step` lists, (rows, 3).
    """
    rows, width = before.shape
    out = np.zeros((rows, width + len(params.start) + 1), dtype=dtype)
    out[:, :width], ways = before, np.zeros((rows, 3), dtype=np.int64)
    kernels.replay(out, steps, trials.numbers, ways, *_plan(params, problem, trials.stream, dtype))
    return out, ways


def _plan(params: Params, problem: Problem, stream: Stream, dtype: str) -> Any:
    keys = (*stream.part("noise").key, *stream.part("choices").key)
    kind = np.dtype(dtype).type
    tables = (params.costs, params.deviations.astype(dtype), np.array(params.candidates, dtype=dtype))
    scales = (params.gradient_clip, params.value_clip, params.choice_scale, params.growth)
    return keys, params.choice_cost, *tables, tuple(map(kind, scales)), loss_kernels.arrays(problem, dtype)


# torch: all trials at once, on any device. ------------------------------------------------------


def gpu(
    params: Params,
    problem: Any,
    trials: Trials,
    release: str = "transcript",
    device: str = "cpu",
    dtype: str = "float64",
) -> Any:
    """All trials with torch on `device`, the results of `cpu` as a tensor: (trials, T, d + 1) or (trials, d)."""
    check_inputs(params, problem)
    machine = Machine(params, problem, trials.stream, device, dtype)
    return stepwise.run_torch(
        machine, _start(params), params.steps, trials.numbers, release, lambda state: state[:, : len(params.start)]
    )


def advance_gpu(
    params: Params, problem: Any, trials: Trials, steps: Integers, before: Array, dtype: str, device: str
) -> tuple[Array, Integers]:
    """`advance_cpu` with the torch form on `device`."""
    machine = Machine(params, problem, trials.stream, device, dtype)
    return stepwise.replay_torch(machine, trials.numbers, steps, before)
