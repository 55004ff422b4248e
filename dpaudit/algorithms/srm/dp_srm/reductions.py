"""What DP-SRM becomes for some parameters: R1 to R7 of its specification, and the clipped version with idle clips."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import replace
from functools import partial
from typing import TYPE_CHECKING, Any

import numpy as np

from dpaudit.agreement.cases import Pair, Reduction
from dpaudit.algorithms.srgd import dp_sgd
from dpaudit.algorithms.srm import dp_srm, storm
from dpaudit.algorithms.srm.dp_srm.params import Draws, Params
from dpaudit.algorithms.stepwise import Trajectory
from dpaudit.arithmetic.arrays import Array, Integers
from dpaudit.noise.stream import Stream
from dpaudit.problems import losses
from dpaudit.sampling.batches import Batches

if TYPE_CHECKING:
    from dpaudit.problems.losses import Problem

TOLERANCE = 1e-12
WHY = "tolerance 1e-12: both sides round their own sums over six steps"
TRIALS = 3


def reductions(seed: int) -> tuple[Reduction, ...]:
    """R1 to R7, and ALG-2 with clips that no vector reaches, each on three trials of a nonconvex logistic problem."""

    def stated(name: str, title: str, statement: str, pairs: Callable[[int], tuple[Pair, ...]]) -> Reduction:
        source = "Wang, Jayaraman, Evans, Gu (2023), (2.1) and (2.8)"
        return Reduction(f"srm/{name}", title, f"{statement} ({WHY})", source, partial(pairs, seed))

    return (
        stated("R1", "no memory: minibatch DP-SGD", "gamma = 1 gives DP-SGD on the same batches, same rates", _r1),
        stated("R2", "no memory, all records: noisy gradient descent", "gamma = 1, b = b0 = n gives DP-GD", _r2),
        stated("R3", "no noise: STORM with constant momentum", "sigma = sigma_0 = 0 gives the recursion of STORM", _r3),
        stated("R4", "no noise, all memory: SPIDER", "gamma = 0 gives the telescoping sum of SARAH and SPIDER", _r4),
        stated("R5", "no noise, all records: gradient descent", "v^t = grad F(theta^t), with normalised steps", _r5),
        stated("R6", "one step: one noisy batch gradient", "T = 1 releases one and returns theta^0", _r6),
        stated("R7", "the noise identity", "e_t = (1 - gamma)(e_{t-1} + D_t) + gamma E_t + u_t", _r7),
        stated("ALG-2", "idle clips change nothing", "clips above every vector give Algorithm 1", _alg_2),
    )


def _instance(seed: int, **changes: Any) -> tuple[Params, Problem]:
    rng = np.random.default_rng([seed, 0x5EC])
    features, labels = rng.normal(size=(7, 3)), np.where(rng.random(7) < 0.5, -1.0, 1.0)
    params = dp_srm.Params((0.5, -0.5, 1.0), 6, 7, 4, 3, 0.3, 0.4, 2.0, 1.0, 5.0, 0.3, 0.2)
    return replace(params, **changes), losses.nonconvex_logistic(features, labels, 0.1)


def _runs(seed: int, params: Params, problem: Problem) -> Iterator[tuple[Trajectory, Draws]]:
    for trial in range(TRIALS):
        draws = dp_srm.draw_inputs(params, Stream(seed, "reduce/dp_srm"), trial)
        yield dp_srm.reference(params, problem, draws), draws


def _pair(name: str, sides: list[tuple[Array, Array]], tolerance: float = TOLERANCE) -> Pair:
    return Pair(name, np.array([left for left, _ in sides]), np.array([right for _, right in sides]), tolerance)


def _rate(params: Params, v: Array) -> float:
    """min(zeta/(n0 L |v|), 1/(2 n0 L)), as printed."""
    scale = params.divisor * params.smoothness
    return min(params.accuracy / (scale * float(np.linalg.norm(v))), 1 / (2 * scale))


def _against_dp_sgd(seed: int, params: Params, problem: Problem, kind: str) -> tuple[Pair, ...]:
    """Released values and outputs beside those of `dp_sgd` at the printed rates of the released values."""
    noise = params.noise or 1.0
    scale = np.array([params.noise_at(t) / noise for t in range(params.steps)])[:, None]
    transcripts, outputs = [], []
    for run, draws in _runs(seed, params, problem):
        rates = tuple(_rate(params, v) for v in run.transcript)
        batches = Batches(kind, params.records, params.batch)
        other = dp_sgd.Params(params.start, rates, batches, noise, params.lipschitz, output="uniform")
        found = dp_sgd.reference(other, problem, dp_sgd.Draws(scale * draws.noise, draws.batches, draws.output))
        transcripts.append((run.transcript, found.transcript))
        outputs.append((run.final, found.final))
    return _pair("released values", transcripts), _pair("outputs", outputs)


def _r1(seed: int) -> tuple[Pair, ...]:
    params, problem = _instance(seed, momentum=1.0, first_batch=3)
    return _against_dp_sgd(seed, params, problem, "without replacement")


def _r2(seed: int) -> tuple[Pair, ...]:
    params, problem = _instance(seed, momentum=1.0, first_batch=7, batch=7)
    return _against_dp_sgd(seed, params, problem, "all records")


def _r5(seed: int) -> tuple[Pair, ...]:
    params, problem = _instance(seed, first_batch=7, batch=7, first_noise=0.0, noise=0.0)
    return _against_dp_sgd(seed, params, problem, "all records")


def _batch_gradient(problem: Problem, batch: Integers, point: Array) -> Array:
    return np.asarray(problem.record_gradients(point)[batch].sum(axis=0) / len(batch))


def _unrolled(params: Params, problem: Problem, draws: Draws) -> Array:
    """The released values without noise, each as a sum over all earlier batches, which is no recursion."""
    keep, points, released = 1 - params.momentum, [np.array(params.start)], []
    for t in range(params.steps):
        total = keep**t * _batch_gradient(problem, draws.batches[0], points[0])
        for s in range(1, t + 1):
            new, old = (_batch_gradient(problem, draws.batches[s], points[i]) for i in (s, s - 1))
            total = total + keep ** (t - s) * (new - keep * old)
        released.append(total)
        points.append(points[-1] - _rate(params, total) * total)
    return np.array(released)


def _r3(seed: int) -> tuple[Pair, ...]:
    params, problem = _instance(seed, first_noise=0.0, noise=0.0)
    sums = [(run.transcript, _unrolled(params, problem, draws)) for run, draws in _runs(seed, params, problem)]
    constant = replace(params, first_batch=3, step_rule="constant", step_size=0.25)
    # With w = 2^90 and k = 2^28, no gradient changes the sum below the root: eta_t = 1/4 and a_t = c/16 = gamma.
    other = storm.Params(params.start, 6, Batches("without replacement", 7, 3), 2.0**28, 2.0**90, 16 * params.momentum)
    sides = [
        (run.transcript, storm.reference(other, problem, storm.Draws(draws.batches, draws.output)).transcript)
        for run, draws in _runs(seed, constant, problem)
    ]
    return _pair("unrolled sums, printed rates", sums), _pair("the file of STORM, constant rates", sides)


def _r4(seed: int) -> tuple[Pair, ...]:
    params, problem = _instance(seed, momentum=0.0, first_noise=0.0, noise=0.0)
    sums = [(run.transcript, _unrolled(params, problem, draws)) for run, draws in _runs(seed, params, problem)]
    return (_pair("telescoping sums", sums),)


def _r6(seed: int) -> tuple[Pair, ...]:
    params, problem = _instance(seed, steps=1)
    start, runs = np.array(params.start), list(_runs(seed, params, problem))
    gaussian = [
        (run.transcript[0], _batch_gradient(problem, draws.batches[0], start) + params.first_noise * draws.noise[0])
        for run, draws in runs
    ]
    return _pair("released value", gaussian), _pair("output", [(run.final, start) for run, _ in runs], 0.0)


def _r7(seed: int) -> tuple[Pair, ...]:
    params, problem = _instance(seed)
    gamma, sides = params.momentum, []
    for run, draws in _runs(seed, params, problem):
        points = run.states[:-1, 3:6]
        error = run.transcript - problem.gradient(points)
        for t in range(1, params.steps):
            sampled, before = (
                _batch_gradient(problem, draws.batches[t], point) - problem.gradient(point)
                for point in (points[t], points[t - 1])
            )
            right = (1 - gamma) * (error[t - 1] + sampled - before) + gamma * sampled + params.noise * draws.noise[t]
            sides.append((error[t], right))
    return (_pair("errors of the released values", sides),)


def _alg_2(seed: int) -> tuple[Pair, ...]:
    pairs = []
    for name, options in (("printed rates", {}), ("constant rates", {"step_rule": "constant", "step_size": 0.25})):
        params, problem = _instance(seed, **options)
        clipped = replace(params, gradient_clip=1e3, difference_clip=1e3)
        both = zip(_runs(seed, clipped, problem), _runs(seed, params, problem), strict=True)
        pairs.append(_pair(name, [(left.transcript, right.transcript) for (left, _), (right, _) in both]))
    return tuple(pairs)
