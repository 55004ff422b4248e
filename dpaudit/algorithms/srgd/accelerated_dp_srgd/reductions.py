"""What Accelerated-DP-SRGD becomes for some parameters, and which step of the paper's proof is about another method."""

from __future__ import annotations

from dataclasses import replace
from functools import partial
from typing import Any

import numpy as np

from dpaudit.agreement.cases import Pair, Reduction
from dpaudit.algorithms.srgd import accelerated_dp_srgd as accelerated
from dpaudit.algorithms.srgd import independent_gradients, prefix_noise
from dpaudit.algorithms.srgd import unaccelerated_dp_srgd as unaccelerated
from dpaudit.algorithms.srgd.accelerated_dp_srgd import State
from dpaudit.algorithms.srgd.accounting.tree_noise import output_weights
from dpaudit.algorithms.srgd.noisy_sums.instances import (
    EXACT,
    PAPER,
    SMALL,
    STRIP,
    TOLERANCE,
    WHY,
    linear_instance,
    logistic_instance,
    parts,
    run_reference,
    stated,
    stream,
)
from dpaudit.algorithms.stepwise import Trajectory
from dpaudit.arithmetic.arrays import Array
from dpaudit.problems import losses
from dpaudit.problems.domains import EVERYTHING
from dpaudit.records.verdict import Outcome
from dpaudit.sampling.batches import Batches

EYE = np.eye(3)


def _params(**changes: Any) -> accelerated.Params:
    weights, pairs = accelerated.growing_weights(6), Batches("in order", 13, 2)
    return replace(accelerated.Params(3, weights, 2.0, pairs, 0.4, 3.0, 3.0, domain=SMALL), **changes)


def reductions(seed: int) -> tuple[Reduction, ...]:
    """The special cases of the algorithm, its clipped version, its noise, and the z' of the proof of lemma 5.2."""
    # Each: last part of the id, title, statement, pairs.
    made = (
        ("ALG-8", "identical records without noise: Nesterov's method",
         f"every g_t is eta_t grad F(x_t) ({WHY})", _nesterov),
        ("linear", "linear losses: plain averages",
         f"hat_t/eta_t is the mean of all gradients so far ({WHY})", _averages),
        ("KAV-6", "linear losses: the output in closed form",
         f"y_T = -(1/beta) sum of w_s hat_s ({WHY})", _closed_form),
        ("one-step", "one step: a projected gradient step",
         f"y_1 = Pi(-grad/beta + b_0/eta_0) ({WHY})", _one_step),
        ("beta", "beta = M, one step: the minimiser",
         f"of a quadratic with curvature M, y_1 = x* ({WHY})", _newton),
        ("ALG-1C", "idle clips change nothing",
         f"clips above every difference give the unclipped run ({WHY})", _idle_clips),
        ("ALG-5", "couplings 0: the unaccelerated variant",
         f"x_t = y_t is projected descent ({EXACT})", _uncoupled),
        ("ALG-3", "tree noise is a choice of b_t",
         f"offsets -N_{{t+1}}/beta without noise give the run ({WHY})", _glue),
        ("inv1", "both printed updates read one noisy sum",
         f"printed lines against the states ({WHY})", _printed_lines),
        ("z-prime-repaired", "the z' of the proof, with z_divisor = 2", f"z_{{t+1}} = Pi(z'_{{t+1}}) ({WHY})",
         partial(_z_prime, divisor=2.0)),
        ("z-noise-leak", "z_divisor = 2 with the printed noise gives g_t away",
         "g_t = 2 hat_t - other_t, where other_t = g_t - 2 beta b_t is what z reads (tolerance 1e-12)", _leak),
    )  # fmt: skip
    false = Reduction(
        "srgd/z-prime",
        "the z' of the proof of lemma 5.2 as printed",
        "z_{t+1} of algorithm 1 is Pi(z'_{t+1}), z'_{t+1} = z_t - eta_t grad_t/(2 beta) + b_t",
        f"{PAPER}, proof of lemma 5.2, as printed",
        partial(_z_prime, seed, divisor=1.0),
        Outcome.REFUTED,
        "the z' of the proof goes half as far as the z-step of algorithm 1; with that z-step the noise of z is twice "
        "that of y, and the released pair gives the unprotected g_t away",
    )
    source = f"{PAPER}, algorithm 1"
    return (*(stated(n, title, says, source, partial(pairs, seed)) for n, title, says, pairs in made), false)


def _nesterov(seed: int) -> tuple[Pair, ...]:
    row, pairs = logistic_instance(seed), []
    same = losses.logistic(np.tile(row.features[:1], (13, 1)), np.tile(row.labels[:1], 13))
    for domain in (EVERYTHING, SMALL, STRIP):
        params = _params(noise=0.0, domain=domain)
        whole = independent_gradients.Params(
            3, params.weights, 2.0, Batches("all records", 13, 13), 0.0, 3.0, domain=domain
        )
        left, right = (
            run_reference(accelerated, params, same, seed),
            run_reference(independent_gradients, whole, same, seed),
        )
        pairs += [
            Pair(f"{domain.kind}: x, z, y", left.states[:, :9], right.states, TOLERANCE),
            Pair(f"{domain.kind}: sums", left.transcript, right.transcript, TOLERANCE),
        ]
    return tuple(pairs)


def _averages(seed: int) -> tuple[Pair, ...]:
    problem, params = linear_instance(seed), _params(noise=0.0)
    run, means = run_reference(accelerated, params, problem, seed), problem.features[:12].reshape(6, 2, 3).mean(axis=1)
    seen = np.arange(1.0, 7.0)[:, None]
    return (Pair("grad_t", run.transcript / seen, np.cumsum(means, axis=0) / seen, TOLERANCE),)


def _closed_form(seed: int) -> tuple[Pair, ...]:
    pairs = []
    for steps in (1, 2, 4, 6):
        params = _params(weights=accelerated.growing_weights(steps), domain=EVERYTHING)
        run, weights = (
            run_reference(accelerated, params, linear_instance(seed), seed),
            np.array(output_weights(steps), dtype=float),
        )
        pairs.append(Pair(f"T = {steps}", run.final, -weights @ run.transcript / params.scaling, TOLERANCE))
    return tuple(pairs)


def _one_step(seed: int) -> tuple[Pair, ...]:
    problem, pairs = logistic_instance(seed), []
    for domain in (EVERYTHING, SMALL, STRIP):
        params = _params(weights=(1.5, 2.0), domain=domain, offsets=((0.3, -0.2, 0.9),), noise=0.0)
        step = (
            -problem.record_gradients(np.zeros(3), np.arange(2)).mean(axis=0) / 2.0 + np.array(params.offsets[0]) / 1.5
        )
        run = run_reference(accelerated, params, problem, seed)
        pairs.append(Pair(domain.kind, run.final, domain.project(step), TOLERANCE))
    return tuple(pairs)


def _newton(seed: int) -> tuple[Pair, ...]:
    centre, curvature = np.random.default_rng(seed).normal(size=3), 2.5
    problem = losses.quadratic(curvature * EYE, centre)
    params = _params(
        weights=(1.0, 2.0), scaling=curvature, noise=0.0, batches=Batches("in order", 1, 1), domain=EVERYTHING
    )
    return (Pair("y_1", run_reference(accelerated, params, problem, seed).final, centre, TOLERANCE),)


def _idle_clips(seed: int) -> tuple[Pair, ...]:
    left = run_reference(accelerated, _params(clip_norm=100.0), logistic_instance(seed), seed)
    right = run_reference(accelerated, _params(), logistic_instance(seed), seed)
    return (
        Pair("states", left.states, right.states, TOLERANCE),
        Pair("clipped", left.branches[:, 0].astype(float), np.zeros(6)),
    )


def _uncoupled(seed: int) -> tuple[Pair, ...]:
    params, problem, pairs = _params(couplings=(0.0,) * 6), logistic_instance(seed), []
    for clip_norm in (None, 0.8):
        other = unaccelerated.Params(
            3, params.weights[:-1], 2.0, params.batches, 0.4, 3.0, 3.0, clip_norm, domain=SMALL
        )
        left = run_reference(accelerated, replace(params, clip_norm=clip_norm), problem, seed)
        right = run_reference(unaccelerated, other, problem, seed)
        pairs += [
            Pair(f"points, clip {clip_norm}", parts(left, State).x, parts(right, unaccelerated.State).x),
            Pair(f"sums, clip {clip_norm}", left.transcript, right.transcript),
        ]
    return tuple(pairs)


def _glue(seed: int) -> tuple[Pair, ...]:
    pairs, problem = [], logistic_instance(seed)
    for name in ("binary tree", "square root", "independent noise", "noise per prefix"):
        params = _params(factorisation=name)
        noise = prefix_noise.Params((0.0,) * 3, 6, params.batches, 0.4, 3.0, None, name)
        drawn = prefix_noise.draw_inputs(noise, stream(seed), 0)
        shifts = prefix_noise.shifts_of_points(noise, drawn, params.scaling)
        fixed = replace(params, noise=0.0, offsets=tuple(tuple(row) for row in shifts.tolist()))
        left, right = (
            run_reference(accelerated, params, problem, seed),
            run_reference(accelerated, fixed, problem, seed),
        )
        pairs.append(Pair(name, left.states, right.states, TOLERANCE))
    return tuple(pairs)


def _lines(params: accelerated.Params, run: Trajectory) -> tuple[Array, Array, Array, Array]:
    """x, z before each step, grad_t and b_t of a run, each (T, d)."""
    x, z, _, g, _ = parts(run, State)
    eta = np.array(params.weights[:-1])[:, None]
    return x[:-1], z[:-1], g[1:] / eta, (g[1:] - run.transcript[:, :3]) / params.scaling


def _printed_lines(seed: int) -> tuple[Pair, ...]:
    pairs, beta, eta = [], 2.0, np.arange(1.0, 7.0)[:, None]
    for domain in (EVERYTHING, SMALL, STRIP):
        params = _params(domain=domain)
        run = run_reference(accelerated, params, logistic_instance(seed), seed)
        x, z, gradient, b = _lines(params, run)
        after = parts(run, State)
        pairs += [
            Pair(f"z, {domain.kind}", after.z[1:], domain.project(z - eta / beta * gradient + b), TOLERANCE),
            Pair(f"y, {domain.kind}", after.y[1:], domain.project(x - gradient / beta + b / eta), TOLERANCE),
        ]
    return tuple(pairs)


def _z_prime(seed: int, divisor: float) -> tuple[Pair, ...]:
    params = _params(z_divisor=divisor, domain=EVERYTHING)
    run = run_reference(accelerated, params, logistic_instance(seed), seed)
    _, z, gradient, b = _lines(params, run)
    printed = z - np.arange(1.0, 7.0)[:, None] / (2 * params.scaling) * gradient + b
    return (Pair("z", parts(run, State).z[1:], printed, TOLERANCE),)


def _leak(seed: int) -> tuple[Pair, ...]:
    run = run_reference(accelerated, _params(z_divisor=2.0), logistic_instance(seed), seed)
    hat, other = np.split(run.transcript, 2, axis=1)
    return (Pair("g_t", 2 * hat - other, parts(run, State).total[1:], TOLERANCE),)
