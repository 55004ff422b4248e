"""What the ReSQue algorithms become for some parameters: each other, or the algorithm that they reweight."""

from __future__ import annotations

import math
from collections.abc import Callable
from dataclasses import replace
from functools import partial
from typing import Any

import numpy as np

from dpaudit.agreement.cases import Array, Pair, Reduction
from dpaudit.algorithms.resque import (
    ac_sa,
    bias_reduced_prox,
    epoch_sgd,
    high_probability_erm,
    private_erm,
    private_regularised_erm,
    private_sco,
    resque_estimate,
    sub_erm,
)
from dpaudit.algorithms.resque import sub_erm_strongly_convex as solver
from dpaudit.algorithms.resque.private_erm.cases import example_records
from dpaudit.algorithms.resque.sub_erm.cases import example_losses
from dpaudit.noise.stream import Stream
from dpaudit.problems.smoothing.ridges import Oracle, Ridge, RidgeLosses, ridge_losses, subgradient

SOURCE = "Carmon et al. (2023), {}; special cases of the specification"
BALL: dict[str, Any] = {"centre": (0.1, -0.2), "radius": 0.3, "smoothing": 0.9, "lipschitz": 1.5, "privacy": 3.0}
STRONG: dict[str, Any] = {**BALL, "regulariser": 4.0, "constant": 0.4}
PULL: dict[str, Any] = {
    "radius": 0.5, "lipschitz": 1.5, "epsilon": 0.9, "delta": 0.1, "acceleration_constant": 0.7, "solver_constant": 0.3,
    "error_constant": 0.05, "privacy_constant": 2.0, "steps": (5, 5, 1), "privacy": 4.0, "failure": 0.75, "most": 2,
    "ball_share": 0.3, "smoothing_share": 0.9, "accuracy_share": 0.4,
}  # fmt: skip


def _reduction(
    name: str, place: str, title: str, statement: str, pairs: Callable[[int], tuple[Pair, ...]], seed: int
) -> Reduction:
    return Reduction(f"resque/RED-{name}", title, statement, SOURCE.format(place), partial(pairs, seed))


def _stream(seed: int) -> Stream:
    return Stream(seed, "reductions/resque")


def estimate(seed: int) -> tuple[Reduction, ...]:
    """Of ReSQueEstimate."""

    def at_the_centre(seed: int) -> tuple[Pair, ...]:
        rng, centre = np.random.default_rng(seed), (0.3, -1.0, 2.0)
        params, (xi, g) = resque_estimate.Params(centre, centre, 0.7), rng.normal(size=(2, 3))
        wide = resque_estimate.Params((0.5, 0.0, 1.0), centre, 1e150)
        return (
            Pair("x = xbar", resque_estimate.reference(params, xi, g), g),
            Pair("rho = 1e150", resque_estimate.reference(wide, xi, g), g),
        )

    return (
        _reduction(
            "ALG-1", "definition 2", "at the centre, and for rho -> oo, the weight is 1",
            "at x = xbar, or with a radius beside which |x - xbar| vanishes, the estimate is the gradient itself",
            at_the_centre, seed,
        ),
    )  # fmt: skip


def epochs(seed: int) -> tuple[Reduction, ...]:
    """Of EpochSGD."""
    return (
        _reduction(
            "ALG-4", "algorithm 1", "EpochSGD with w = 1 is composite epoch SGD",
            "for rho -> oo (1e150) on records whose slopes are constant it is SGD in epochs of doubling length with "
            "composite steps; to 1e-12, as the formula associates sums otherwise", _composite, seed,
        ),
    )  # fmt: skip


def _composite(seed: int) -> tuple[Pair, ...]:
    losses = ridge_losses([(Ridge.LINEAR, (0.6, 0.8)), (Ridge.LINEAR, (-1.0, 0.0))], 1.5)
    params = epoch_sgd.Params((0.4, -0.1), 0.5, 1e150, 1.3, 1.5, 1.5)
    oracle = Oracle(losses, "record")
    normals, records, signs = epoch_sgd.draw_inputs(params, oracle, _stream(seed), 0)
    run = epoch_sgd.reference(params, oracle, normals, records, signs)
    x = c = np.array(params.centre)
    for start, length, eta in params.schedule:
        points = [_into((x + eta * 1.3 * c) / (1 + eta * 1.3), c, 0.5)]
        for t in range(int(length) - 1):
            g = 1.5 * losses.directions[records[int(start) + t]]
            points.append(_into((points[-1] - eta * (g - 1.3 * c)) / (1 + eta * 1.3), c, 0.5))
        x = np.mean(points, axis=0)
    return (Pair("two epochs", run.final, x, 1e-12),)


def _into(point: Array, centre: Array, radius: float) -> Array:
    away = float(np.linalg.norm(point - centre))
    return np.asarray(point if away <= radius else centre + (point - centre) / away * radius)


def accelerated(seed: int) -> tuple[Reduction, ...]:
    """Of AC-SA."""

    def moments(seed: int) -> tuple[Pair, ...]:
        oracle, made = Oracle(ridge_losses([(Ridge.ABSOLUTE, (1.0,), 0.3)])), []
        for index in ac_sa.FORMS:
            params = ac_sa.Params((0.1,), 0.8, 0.8, 1.2, 0.3, 1.0, index)
            inputs = ac_sa.draw_inputs(params, oracle, _stream(seed), 0)
            both = (params, replace(params, gradient="moments"))
            left, right = (ac_sa.reference(one, oracle, *inputs).states for one in both)
            made.append(Pair(f"{index} indices", left, right, 1e-10))
        return tuple(made)

    return (
        _reduction(
            "ALG-5", "algorithm 2", "the mean over the pool is its Hermite series",
            "in one dimension the weights generate the Hermite polynomials; to 1e-10, where the series is cut off",
            moments, seed,
        ),
    )  # fmt: skip


def ball(seed: int) -> tuple[Reduction, ...]:
    """Of SubERM."""
    return (
        _reduction(
            "ALG-7", "algorithm 4", "SubERM-reg without a regulariser is SubERM-convex",
            "lambda = 0, r' = r, x_0 = c = xbar", _without_regulariser, seed,
        ),
        _reduction(
            "ALG-6", "algorithm 3", "SubERM with w = 1 is localised noisy SGD (Feldman, Koren, Talwar 2020)",
            "on linear records, whose gradients are the same at y and at xbar + xi: phases of halving length with a "
            "quartered step size, their average and noise; to 1e-12, as the formula associates otherwise",
            partial(_localised, privacy=3.0), seed,
        ),
        _reduction(
            "ALG-6-noiseless", "algorithm 3", "SubERM with beta -> oo is noiseless",
            "beta = 1e300: step size r/(L sqrt T) and no noise; to 1e-12, as the formula associates otherwise",
            partial(_localised, privacy=1e300), seed,
        ),
    )  # fmt: skip


def _without_regulariser(seed: int) -> tuple[Pair, ...]:
    convex, losses = sub_erm.Params(**BALL, steps=17), example_losses(seed, 2)
    same = replace(convex, regulariser=0.0, distance=0.3, start=convex.centre, anchor=convex.centre)
    inputs = sub_erm.draw_inputs(convex, losses.records, _stream(seed), 0)
    left, right = (sub_erm.reference(params, losses, *inputs) for params in (same, convex))
    return Pair("phases", left.phases, right.phases), Pair("states", left.after, right.after)


def _localised(seed: int, privacy: float) -> tuple[Pair, ...]:
    params = sub_erm.Params(**{**BALL, "privacy": privacy}, steps=19, estimator="unweighted")
    losses = ridge_losses([(Ridge.LINEAR, (0.6, 0.8)), (Ridge.LINEAR, (-1.0, 0.0)), (Ridge.LINEAR, (0.0, 1.0))], 1.5)
    indices, draws, noise = sub_erm.draw_inputs(params, 3, _stream(seed), 0)
    run, eta = sub_erm.reference(params, losses, indices, draws, noise), 0.3 / 1.5 * min(19**-0.5, privacy / 2**0.5)
    x, phases, used = np.array(params.centre), [], 0
    for i in range(1, 5):
        step, points = eta * 0.25**i, [x]
        for record in indices[used : used + 16 // 2**i]:
            g = subgradient(losses, record, points[-1])
            points.append(_into(points[-1] - step * g, np.array(params.centre), 0.3))
        used += 16 // 2**i
        x = np.mean(points[1:], axis=0) + 1.5 * step / privacy * noise[i - 1]
        phases.append(x)
    return (Pair("phases", run.phases, np.array(phases), 1e-12),)


def strongly_convex(seed: int) -> tuple[Reduction, ...]:
    """Of SubERM-sc."""

    def one_call(seed: int) -> tuple[Pair, ...]:
        params, losses = solver.Params(**STRONG, steps=4), example_losses(seed, 2)
        run = solver.reference(params, losses, _stream(seed), 0)
        (call,) = solver.schedule(params, np.array([4.0]))
        inner = sub_erm.Params(
            **{**BALL, "privacy": math.sqrt(2) * 3.0}, steps=2, regulariser=4.0, distance=float(call[2][0])
        )
        inputs = sub_erm.draw_inputs(inner, losses.records, _stream(seed).part("call 1"), 0)
        short = solver.reference(replace(params, steps=2), losses, _stream(seed), 0)
        return (
            Pair("T = 4", run.final, sub_erm.reference(inner, losses, *inputs).final),
            Pair("T = 2", short.final, np.array(params.centre)),
        )

    return (
        _reduction(
            "ALG-8", "algorithm 5", "SubERM-sc with one call is SubERM-reg, and without a call xbar",
            "T = 4: T_0 = 2, beta_0 = sqrt 2 beta, r_0; T = 2: one call with T_0 = 1, which returns its start",
            one_call, seed,
        ),
    )  # fmt: skip


def levels(seed: int) -> tuple[Reduction, ...]:
    """Of BiasReducedProx."""

    def above(seed: int) -> tuple[Pair, ...]:
        losses = example_losses(seed, 2)
        params = bias_reduced_prox.Params(**STRONG, steps=9, records=100, privacy_constant=2.0, repetitions=3)
        run = bias_reduced_prox.reference(params, losses, _stream(seed), 0, np.full(3, params.highest + 1))
        parts = [_stream(seed).part(f"repetition {k}").part("base") for k in (1, 2, 3)]
        plain = solver.Params(**STRONG, steps=9)
        runs = [solver.reference(plain, losses, part, 0).final for part in parts]
        return (Pair("J above jmax", run.final, np.mean(runs, axis=0)),)

    return (
        _reduction(
            "ALG-9", "algorithm 6", "BiasReducedProx above its highest level averages SubERM-sc",
            "J > jmax in every loop", above, seed,
        ),
    )  # fmt: skip


def copies(seed: int) -> tuple[Reduction, ...]:
    """Of HighProbERM."""

    def one(seed: int) -> tuple[Pair, ...]:
        losses = example_losses(seed, 2)
        run = high_probability_erm.reference(
            high_probability_erm.Params(**STRONG, steps=9, failure=0.96), losses, _stream(seed), 0
        )
        alone = solver.reference(solver.Params(**STRONG, steps=9), losses, _stream(seed).part("copy 1"), 0)
        return (Pair("one copy", run.final, alone.final),)

    return (
        _reduction(
            "ALG-11", "algorithm 7", "HighProbERM with one copy is SubERM-sc", "ceil(20 log(1/zeta)) = 1", one, seed
        ),
    )  # fmt: skip


def stages(seed: int) -> tuple[Reduction, ...]:
    """Of PrivateRegERM."""

    def one(seed: int) -> tuple[Pair, ...]:
        params = private_regularised_erm.Params(origin=(0.1, 0.0), records=4, regulariser=5.0, **PULL)
        losses, (stage,) = _records(seed, 4), private_regularised_erm.stages(params)
        run = private_regularised_erm.reference(params, losses, _stream(seed), 0)
        alone = private_erm.reference(
            replace(stage.solver, target=(0.1, 0.0)), losses, _stream(seed).part("stage 1"), 0
        )
        return (Pair("before the projection", run.raw[0], alone.final),)

    return (
        _reduction(
            "ALG-18", "corollary 3", "PrivateRegERM on four records is one PrivateERM", "k = ceil(log2 log2 4) = 1",
            one, seed,
        ),
    )  # fmt: skip


def localised(seed: int) -> tuple[Reduction, ...]:
    """Of PrivateSCO."""

    def one(seed: int) -> tuple[Pair, ...]:
        params = private_sco.Params(origin=(0.1, 0.0), records=8, step_constant=20.0, least_records=4, **PULL)
        losses = _records(seed, 8)
        phase, run = private_sco.phases(params)[0], private_sco.reference(params, losses, _stream(seed), 0)
        assert phase.solver is not None
        placed, part = replace(phase.solver, target=(0.1, 0.0)), _stream(seed).part("phase 1")
        alone = private_regularised_erm.reference(placed, private_sco.part_of(losses, phase), part, 0)
        return (Pair("one phase", run.final, alone.final),)

    return (
        _reduction(
            "ALG-19", "theorem 4", "PrivateSCO with one phase is PrivateRegERM on half of the records",
            "8 records, phases with fewer than 4 left out", one, seed,
        ),
    )  # fmt: skip


def _records(seed: int, count: int) -> RidgeLosses:
    return example_records(seed, count, 2)
