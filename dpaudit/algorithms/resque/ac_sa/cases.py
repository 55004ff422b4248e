"""The instances on which the three forms of AC-SA are compared, and the bounds of one step."""

from __future__ import annotations

import math

import numpy as np

from dpaudit.agreement.cases import Case, Trace
from dpaudit.algorithms.resque import ac_sa
from dpaudit.algorithms.resque.ac_sa import series
from dpaudit.algorithms.resque.ac_sa.params import Params
from dpaudit.algorithms.resque.shared.cases import Calls, Instance, all_kinds
from dpaudit.algorithms.resque.shared.draws import projection_magnitude
from dpaudit.arithmetic.arrays import Array, Integers
from dpaudit.noise.stream import Stream
from dpaudit.problems.smoothing.ridges import Oracle, Ridge, ridge_losses, smoothed_slopes


def agreement_cases(seed: int) -> tuple[Case, ...]:
    """Both forms of every ambiguous line, every way to the gradient, a small ball; two outer loops each."""
    rng = np.random.default_rng([seed, 0xAC5A])
    losses = all_kinds(rng)
    centre = tuple((0.4 * rng.normal(size=3)).tolist())
    kink, still = ridge_losses([(Ridge.ABSOLUTE, (1.0,), 0.3)]), ridge_losses([(Ridge.ZERO, (1.0,))])
    printed, short, noisy = ("printed",) * 3, (0.8, 0.8, 1.2, 0.2, 1.0), Oracle(losses, "record", 0.5)
    listed = (
        ("samples", Params(centre, 0.9, 0.9, 1.5, 0.4, 1.6), noisy),
        ("samples, printed lines, small ball", Params(centre, 0.3, 0.9, 2.5, 0.08, 1.5, *printed), Oracle(losses)),
        ("exact gradients", Params(centre, 0.9, 0.9, 1.5, 0.4, 1.5, gradient="exact"), Oracle(losses)),
        ("moments, printed indices", Params((0.2,), *short, "printed", gradient="moments"), Oracle(kink)),
        ("limit", Params((-0.1,), 0.8, 0.8, 1.2, 0.2, 1.1, gradient="limit"), Oracle(kink, "mean", 0.4)),
        ("limit of pure noise, printed lines", Params((0.1,), *short, *printed, "limit"), Oracle(still, "mean", 1.0)),
    )
    return tuple(
        Instance(ac_sa, params, oracle, Stream(seed, f"agree/ac_sa/{name}")).case(
            name, _operations(params, oracle), _trace, _calls
        )
        for name, params, oracle in listed
    )


def _operations(params: Params, oracle: Oracle) -> int:
    pool = max(params.sizes) if params.gradient in ("samples", "moments") else 0
    # The recursion of the polynomials and the powers: 5 roundings an order. Then the query, the weight, the mean over
    # the pool, two weights of x^md (12), the step, the norm of the projection, the casts.
    recursion = 5 * series.ORDER if params.gradient in ("moments", "limit") else 0
    return recursion + pool + oracle.losses.records + 8 * len(params.centre) + 60


def _trace(one: Instance, trials: int) -> Trace:
    params, oracle, stream = one.params, one.data, one.stream
    rows, finals = [], []
    for trial in range(trials):
        inputs = ac_sa.draw_inputs(params, oracle, stream, trial)
        run = ac_sa.reference(params, oracle, *inputs)
        finals.append(run.final)
        for step, (before, middle, after) in enumerate(zip(run.states, run.middles, run.states[1:], strict=False)):
            bounds = _bounds(params, oracle, inputs, before, middle, step)
            rows.append((trial, step, before, np.concatenate([middle, after]), *bounds))
    columns = [np.array(column) for column in zip(*rows, strict=True)]
    numbers, steps, before, after, magnitude, flags, distance, size = columns
    return Trace(
        numbers, steps, before, after, magnitude, flags[:, None].astype(np.int64), distance[:, None], size[:, None],
        np.array(finals),
    )  # fmt: skip


def _bounds(
    params: Params, oracle: Oracle, inputs: tuple[Array, Integers, Array], before: Array, middle: Array, step: int
) -> tuple[Array, bool, float, float]:
    """A of (x^md, x^ag, x); whether the step leaves the ball, by how much, and the A of that."""
    c, lam, t = np.array(params.centre), params.strength, step % params.steps + 1
    alpha, (first, second) = 2 / (t + 1), ac_sa.middle_weights(params, t)
    gamma = 4 * (params.lipschitz / params.smoothing_radius + lam) / (t * (t + 1))
    ag, x = before[: len(c)], before[len(c) :]
    md = first * np.abs(ag) + second * np.abs(x)
    estimate, size = _estimate(params, oracle, inputs, middle, md, step)
    pull, p, q = lam if params.linear == "printed" else alpha * lam, gamma + lam * (1 - alpha), lam * alpha
    reached = (p * x + q * middle - alpha * estimate - pull * (middle - c)) / (p + q)
    inside = (p * np.abs(x) + q * md + alpha * size + pull * (md + np.abs(c))) / (p + q)
    projected = projection_magnitude(inside, c)
    average = alpha * projected + (1 - alpha) * np.abs(ag)
    distance = float(np.linalg.norm(reached - c))
    tie = float(np.linalg.norm(inside + np.abs(c))) + params.ball_radius
    last = average if t == params.steps else projected
    magnitude = np.concatenate([md, average, last])
    return magnitude, distance > params.ball_radius, abs(distance - params.ball_radius), tie


def _estimate(
    params: Params, oracle: Oracle, inputs: tuple[Array, Integers, Array], middle: Array, md: Array, step: int
) -> tuple[Array, Array]:
    """The estimate at x^md and its A, with the error of x^md in it."""
    c, rho, k = np.array(params.centre), params.smoothing_radius, step // params.steps
    own, size = (0 if params.index == "printed" else step % params.steps), params.sizes[k]
    first, block = params.steps * sum(params.sizes[:k]) + own * size, k * params.steps + own
    estimate = ac_sa._Pool(params, oracle, *inputs).estimate(middle, first, size, block)
    width, losses = md + np.abs(c), oracle.losses
    if params.gradient == "exact":
        # A smoothed slope has derivative at most sqrt(2/pi)/s in its margin.
        margin = (md @ np.abs(losses.directions).T + np.abs(losses.offsets)) / (rho * losses.norms)
        slopes = np.abs(smoothed_slopes(losses, middle, rho)) + (losses.kinds > 1) * (margin + 1)
        return estimate, losses.lipschitz * slopes @ np.abs(losses.directions) / losses.records
    if params.gradient == "limit":
        return estimate, _limit_size(params, oracle, inputs[0][block], width, size)
    rows, v = slice(first, first + size), middle - c
    xi = rho * inputs[0][rows]
    g = np.abs(oracle.query(c + xi, inputs[1][rows], inputs[2][rows]))
    exponent = (width * (2 * np.abs(xi) + width)).sum(axis=1) / (2 * rho**2)
    if params.gradient == "samples":
        weights = np.exp((v * (2 * xi - v)).sum(axis=1) / (2 * rho**2))
    else:  # every polynomial with all terms positive sums to exp(|t| |z| + t^2/2)
        weights = np.exp(exponent)
    return estimate, ((weights * (1 + 2 * exponent))[:, None] * g).mean(axis=0)


def _limit_size(params: Params, oracle: Oracle, normals: Array, width: Array, size: int) -> Array:
    mean, scale = series.limit_law(oracle, params.centre[0], params.smoothing_radius)
    a, kappa = series.downdate(mean, scale)
    spread = np.abs(normals) + kappa * np.abs(a) * (np.abs(normals) @ np.abs(a))
    coefficients = np.abs(mean) + scale * spread / math.sqrt(size)
    return np.array([series.basis(width[0] / params.smoothing_radius) @ coefficients])


def _calls(one: Instance, trial: int) -> Calls:
    run = ac_sa.reference(one.params, one.data, *ac_sa.draw_inputs(one.params, one.data, one.stream, trial))
    return {"gradients": run.queries, "rounds": run.rounds, "steps": len(run.middles)}, ac_sa.calls(one.params)
