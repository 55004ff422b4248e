"""The instances on which the three forms of DP-SkGD are compared, and the algorithms that it reduces to."""

from __future__ import annotations

from functools import partial
from typing import Any

import numpy as np

from dpaudit.agreement.cases import Case, Pair, Reduction
from dpaudit.algorithms import stepwise
from dpaudit.algorithms.rbcd import dp_cd, dp_gd, dp_skgd, skgd
from dpaudit.algorithms.srgd import dp_sgd
from dpaudit.noise.stream import Stream
from dpaudit.problems import losses
from dpaudit.problems.losses import Problem
from dpaudit.records.verdict import Outcome
from dpaudit.sampling import coordinates
from dpaudit.sampling.batches import Batches

PAPER = "Maranjyan, Sadiev, Richtarik (2024), section 4"
GAMMA, SIGMA = (0.25, 0.5, 0.125, 0.0625), 0.3


def listed(seed: int) -> tuple[tuple[str, Problem, coordinates.Sampler, str], ...]:
    """Every kind of sampler with every kind of loss at least once; both readings of the noise."""
    rng = np.random.default_rng([seed, 0x5C6D])
    features, labels = rng.normal(size=(7, 4)), np.where(rng.random(7) < 0.5, -1.0, 1.0)
    root = rng.normal(size=(4, 4))
    curvature = (root @ root.T + (root @ root.T).T) / 8
    blocks = ((0, 2), (1,), (3,))
    return (
        ("linear loss, blocks", losses.linear(features), coordinates.block(blocks, (0.5, 0.2, 0.3)), "std"),
        ("logistic loss, two of four", losses.logistic(features, labels), coordinates.tau_nice(4, 2), "std"),
        ("Huber loss, one coordinate", losses.huber(features, labels, 0.5), coordinates.single_uniform(4), "std"),
        (
            "quadratic minus linear, all coordinates, variance",
            losses.quadratic_minus_linear(curvature, features),
            coordinates.full(4),
            "var",
        ),
    )


def agreement_cases(seed: int) -> tuple[Case, ...]:
    """One case for each of `listed`."""
    return tuple(_case(name, problem, sampler, reading, seed) for name, problem, sampler, reading in listed(seed))


def _case(name: str, problem: Problem, sampler: coordinates.Sampler, reading: str, seed: int) -> Case:
    number = len(sampler.sets)
    params = dp_skgd.Params(
        start=tuple(0.3 * j - 0.2 for j in range(problem.dimension)),
        step_sizes=(0.05,) * problem.dimension,
        epochs=3,
        inner_steps=4,
        sampler=sampler,
        noise_scales=tuple(0.1 + 0.2 * i / number for i in range(number)),
        lipschitz=problem.lipschitz(sampler.sets),
        records=problem.records,
        noise_param=reading,
    )
    return stepwise.case(dp_skgd, name, params, problem, Stream(seed, f"agree/dp_skgd/{name}"))


def reductions(seed: int) -> tuple[Reduction, ...]:
    """What section 4 of the paper says that DP-SkGD is for some samplers, and the last of them corrected."""
    return (
        Reduction(
            "rbcd/RED-1",
            "DP-SkGD on uniform singletons is DP-CD",
            "with S uniform over singletons and step sizes gamma it is DP-CD with psi = 0 and step sizes d gamma",
            PAPER,
            partial(_dp_cd, seed),
        ),
        Reduction(
            "rbcd/RED-2",
            "DP-SkGD on all coordinates is DP-SGD of Bassily, Smith, Thakurta (2014)",
            "with S = [d] and one inner step an epoch, on shared noise",
            PAPER,
            partial(_dp_sgd, seed),
            expects=Outcome.REFUTED,
            finding=(
                "with S = [d] every step uses the gradient of all n records, which is noisy gradient descent (see "
                "RED-2~repaired); DP-SGD draws one record a step and rests its privacy on that draw, at 1/n of the "
                "cost; no theorem of the paper rests on the remark, but its comparison of rates counts steps alike"
            ),
        ),
        Reduction(
            "rbcd/RED-2~repaired",
            "DP-SkGD on all coordinates is noisy full gradient descent",
            "with S = [d] it is DP-GD with the same step sizes, epochs and averages",
            "correction of RED-2",
            partial(_dp_gd, seed),
        ),
        Reduction(
            "rbcd/RED-3",
            "DP-SkGD without noise is SkGD",
            "with sigma = 0 and one inner step an epoch, so that the average is the iterate itself",
            PAPER,
            partial(_skgd, seed),
        ),
    )


def _skgd_run(sampler: coordinates.Sampler, epochs: int, inner_steps: int, seed: int, noise: float) -> Any:
    """Parameters, problem and randomness of one run on the logistic losses of `listed`."""
    problem = listed(seed)[1][1]
    number, start = len(sampler.sets), (0.5, -0.25, 0.125, 1.0)
    bounds = problem.lipschitz(sampler.sets)
    params = dp_skgd.Params(start, GAMMA, epochs, inner_steps, sampler, (noise,) * number, bounds, problem.records)
    return params, problem, dp_skgd.draw_inputs(params, Stream(seed, "reduce/dp_skgd"), 0)


def _dp_cd(seed: int) -> tuple[Pair, ...]:
    params, problem, draws = _skgd_run(coordinates.single_uniform(4), 3, 4, seed, SIGMA)
    steps = tuple(4 * gamma for gamma in GAMMA)
    other = dp_cd.Params(params.start, steps, 3, 4, (SIGMA,) * 4, params.lipschitz, problem.records)
    left = dp_skgd.reference(params, problem, draws)
    right = dp_cd.reference(other, problem, dp_cd.Draws(draws.noise[:, 0], draws.sets))
    return Pair("final iterate", left.final, right.final), Pair("transcript", left.transcript, right.transcript)


def _dp_gd(seed: int) -> tuple[Pair, ...]:
    params, problem, draws = _skgd_run(coordinates.full(4), 3, 4, seed, SIGMA)
    other = dp_gd.Params(params.start, GAMMA, 3, 4, SIGMA, params.lipschitz[0], problem.records)
    left, right = dp_skgd.reference(params, problem, draws), dp_gd.reference(other, problem, dp_gd.Draws(draws.noise))
    return (
        Pair("final iterate", left.final, right.final),
        Pair("transcript", left.transcript[:, 1:], right.transcript),
    )


def _dp_sgd(seed: int) -> tuple[Pair, ...]:
    params, problem, draws = _skgd_run(coordinates.full(4), 6, 1, seed, SIGMA)
    even = dp_skgd.Params(**{**vars(params), "step_sizes": (0.25,) * 4})
    one = Batches("with replacement", problem.records, 1)
    other = dp_sgd.Params(params.start, (0.25,) * 6, one, SIGMA, params.lipschitz[0])
    batches = one.draw_all(Stream(seed, "reduce/dp_skgd").part("batches"), 0, 6)
    right = dp_sgd.reference(other, problem, dp_sgd.Draws(draws.noise, batches, 0))
    return (Pair("final iterate", dp_skgd.reference(even, problem, draws).final, right.final),)


def _skgd(seed: int) -> tuple[Pair, ...]:
    pairs = []
    for name, _, sampler, _ in listed(seed):
        params, problem, draws = _skgd_run(sampler, 9, 1, seed, 0.0)
        other = skgd.Params(params.start, GAMMA, 9, sampler, problem.records)
        right = skgd.reference(other, problem, skgd.Draws(draws.sets))
        pairs.append(Pair(name, dp_skgd.reference(params, problem, draws).final, right.final))
    return tuple(pairs)
