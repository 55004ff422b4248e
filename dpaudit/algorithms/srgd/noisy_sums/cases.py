"""What noisy prefix sums, DP-FTRL, and the baselines of Accelerated-DP-SRGD become for some parameters."""

from __future__ import annotations

from dataclasses import replace
from functools import partial
from typing import Any

import numpy as np

from dpaudit.accounting.factorisations import Factorisation, prefixes_from_nodes
from dpaudit.agreement.cases import Pair, Reduction
from dpaudit.algorithms.srgd import accelerated_dp_srgd as accelerated
from dpaudit.algorithms.srgd import dp_ftrl, dp_sgd, independent_gradients, online_to_batch, phased_sgd, prefix_noise
from dpaudit.algorithms.srgd.accelerated_dp_srgd.cases import (
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
from dpaudit.problems.domains import EVERYTHING
from dpaudit.sampling.batches import Batches


def of_prefix_noise(seed: int) -> tuple[Reduction, ...]:
    """Tree noise is matrix noise with the tree's factors, and the streaming recursion."""
    says = "factors written down from the intervals of the nodes, and N_t = N_{t - lowbit(t)} + xi_t"
    return (
        stated("tree", "tree noise is matrix noise", f"{says} ({WHY})", f"{PAPER}, section 2.2", partial(_trees, seed)),
    )


def _trees(seed: int) -> tuple[Pair, ...]:
    pairs = []
    for steps in (1, 2, 5, 8, 13):
        params = prefix_noise.Params((0.0,) * 3, steps, Batches("in order", 13, 1), 0.4, 3.0)
        t = np.arange(1, steps + 1)
        covers = ((t[:, None] - (t & -t)[:, None] < t) & (t <= t[:, None])).astype(float)
        ones = np.tril(np.ones((steps, steps)))
        given = replace(params, factorisation=Factorisation("intervals", ones @ np.linalg.inv(covers), covers))
        run, other = (run_reference(prefix_noise, one, linear_instance(seed), seed) for one in (params, given))
        xi = prefix_noise.draw_inputs(params, stream(seed), 0).noise[0]
        streamed = np.cumsum(linear_instance(seed).features[:steps], axis=0) + 0.4 * prefixes_from_nodes(xi)
        pairs += [
            Pair(f"factors, T = {steps}", run.transcript, other.transcript, TOLERANCE),
            Pair(f"streaming, T = {steps}", run.transcript, streamed, TOLERANCE),
        ]
    return tuple(pairs)


def of_independent_gradients(seed: int) -> tuple[Reduction, ...]:
    """Couplings 0 leave DP-SGD."""
    says = f"x_t = y_t is projected descent with step 1/beta on the same noisy gradients ({WHY})"
    return (stated("ALG-6", "couplings 0: DP-SGD", says, f"{PAPER}, section 5.5", partial(_descent, seed)),)


def _descent(seed: int) -> tuple[Pair, ...]:
    pairs = []
    for kind, size, steps in (("in order", 2, 6), ("all records", 13, 4)):
        batches, weights = Batches(kind, 13, size), accelerated.growing_weights(steps)
        params = independent_gradients.Params(3, weights, 2.0, batches, 0.4, 3.0, 0.6, SMALL, (0.0,) * steps)
        other = dp_sgd.Params((0.0,) * 3, (0.5,) * steps, batches, 0.4, 3.0, 0.6, SMALL)
        left, right = (
            run_reference(independent_gradients, params, logistic_instance(seed), seed),
            run_reference(dp_sgd, other, logistic_instance(seed), seed),
        )
        gradients = left.transcript / np.array(weights[:-1])[:, None]
        pairs += [
            Pair(f"outputs, {kind}", left.final, right.final, TOLERANCE),
            Pair(f"noisy gradients, {kind}", gradients, right.transcript, TOLERANCE),
        ]
    return tuple(pairs)


def of_dp_ftrl(seed: int) -> tuple[Reduction, ...]:
    """Independent noise is DP-SGD; one pass over linear losses is noisy prefix sums; the readings of the projection."""
    made = (
        ("ALG-6", "independent noise: DP-SGD", f"C = I is DP-SGD, projecting every step ({EXACT})", _ftrl_sgd),
        ("ALG-2", "linear losses: noisy prefix sums", f"the y_t add up to the noisy prefix sums ({WHY})", _ftrl_sums),
        ("projection", "without a domain both readings are one", f"lazy or every step ({EXACT})", _ftrl_projections),
    )
    source = f"{PAPER}, section 2.2"
    return tuple(stated(n, title, says, source, partial(pairs, seed)) for n, title, says, pairs in made)


def _ftrl(**changes: Any) -> dp_ftrl.Params:
    eta, pairs = (0.5, 0.4, 0.3, 0.2, 0.1, 0.1), Batches("in order", 13, 2)
    return replace(dp_ftrl.Params((0.3, -0.2, 0.1), eta, pairs, 0.4, 3.0), **changes)


def _ftrl_sgd(seed: int) -> tuple[Pair, ...]:
    pairs = []
    for clip_norm, domain in ((None, EVERYTHING), (0.6, SMALL), (None, STRIP)):
        params = _ftrl(factorisation="independent noise", clip_norm=clip_norm, domain=domain, projection="every step")
        other = dp_sgd.Params(params.start, params.step_sizes, params.batches, 0.4, 3.0, clip_norm, domain)
        left, right = (
            run_reference(dp_ftrl, params, logistic_instance(seed), seed),
            run_reference(dp_sgd, other, logistic_instance(seed), seed),
        )
        pairs += [
            Pair(f"points, {domain.kind}", parts(left, 2)[0], parts(right, 3)[0]),
            Pair(f"noisy gradients, {domain.kind}", left.transcript, right.transcript),
        ]
    return tuple(pairs)


def _ftrl_sums(seed: int) -> tuple[Pair, ...]:
    pairs = []
    for name in ("binary tree", "square root", "noise per prefix"):
        params = _ftrl(factorisation=name)
        sums = prefix_noise.Params(params.start, 6, params.batches, 0.4, 3.0, None, name)
        left, right = (
            run_reference(dp_ftrl, params, linear_instance(seed), seed),
            run_reference(prefix_noise, sums, linear_instance(seed), seed),
        )
        pairs.append(Pair(name, np.cumsum(left.transcript, axis=0), right.transcript, TOLERANCE))
    return tuple(pairs)


def _ftrl_projections(seed: int) -> tuple[Pair, ...]:
    left, right = (
        run_reference(dp_ftrl, _ftrl(projection=one), logistic_instance(seed), seed) for one in dp_ftrl.PROJECTIONS
    )
    return (Pair("states", left.states, right.states),)


def of_online_to_batch(seed: int) -> tuple[Reduction, ...]:
    """The output as the weighted average that it is defined by."""
    says = f"x_T = sum of beta_i w_i/sum of beta_i, w_{{i+1}} = Pi(w_i - step_i hat_i) of the released hat_i ({WHY})"
    return (
        stated(
            "average", "the output is a weighted average", says, "Zhang, Tran, Cutkosky (2022)", partial(_average, seed)
        ),
    )


def _average(seed: int) -> tuple[Pair, ...]:
    pairs = []
    for steps, power in ((1, 1.0), (7, 0.0), (7, 1.0), (7, 3.0)):
        weights, eta = online_to_batch.power_weights(steps, power), (0.4,) * steps
        params = online_to_batch.Params(3, weights, eta, Batches("in order", 13, 1), 0.4, 3.0, domain=SMALL)
        run, visited = run_reference(online_to_batch, params, logistic_instance(seed), seed), [np.zeros(3)]
        for i in range(steps - 1):
            visited.append(SMALL.project(visited[-1] - eta[i] * run.transcript[i]))
        mean = np.array(weights) @ np.array(visited) / sum(weights)
        pairs.append(Pair(f"T = {steps}, k = {power}", run.final, mean, TOLERANCE))
    return tuple(pairs)


def of_phased_sgd(seed: int) -> tuple[Reduction, ...]:
    """A phase is DP-SGD without noise on its records."""
    says = f"w_1 without its noise is the mean iterate of one pass over the first floor(n/2) records ({WHY})"
    source = "Feldman, Koren, Talwar (2020), phased SGD"
    return (stated("B23-phase", "a phase is a pass of SGD", says, source, partial(_phase, seed)),)


def _phase(seed: int) -> tuple[Pair, ...]:
    problem, pairs = logistic_instance(seed), []
    first = replace(problem, features=problem.features[:6], labels=problem.labels[:6])
    for domain in (EVERYTHING, SMALL, STRIP):
        params = phased_sgd.Params((0.3, -0.2, 0.1), 13, 1.0, 0.0, 3.0, 3.0, domain, "after each step")
        eta = (params.step_sizes[0],) * 6
        other = dp_sgd.Params(params.start, eta, Batches("in order", 6, 1), 0.0, 3.0, None, domain, "mean")
        left, right = run_reference(phased_sgd, params, problem, seed), run_reference(dp_sgd, other, first, seed)
        pairs.append(Pair(domain.kind, left.transcript[0], right.final, TOLERANCE))
    return tuple(pairs)
