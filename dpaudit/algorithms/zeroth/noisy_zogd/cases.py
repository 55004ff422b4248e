"""The instances on which the forms of Noisy-ZOGD are compared, and what it becomes for some parameters."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace
from functools import partial
from typing import TYPE_CHECKING, Any

import numpy as np

from dpaudit.agreement.cases import Case, Pair, Reduction
from dpaudit.algorithms import stepwise
from dpaudit.algorithms.srgd import dp_sgd
from dpaudit.algorithms.stepwise import Trajectory
from dpaudit.algorithms.zeroth import dpzero, noisy_zogd, zogd
from dpaudit.algorithms.zeroth.noisy_zogd.params import Draws, Params
from dpaudit.noise.stream import Stream
from dpaudit.problems import losses
from dpaudit.problems.domains import EVERYTHING, ball
from dpaudit.sampling.batches import Batches

if TYPE_CHECKING:
    from dpaudit.problems.losses import Problem

TOLERANCE = 1e-12
ROUNDED = f"tolerance {TOLERANCE:g}: the two sides round in different orders"
TRIALS = 3
EVERY, SOME = Batches("all records", 6, 6), Batches("without replacement", 6, 4)
START, SMALL = (0.3, -0.2, 0.1, 0.4, -0.1), ball(0.6, (0.0,) * 5)
STEP_SIZE, CLIP_NORM, SIGMA = 0.9, 0.4, 0.5


def _instances(seed: int) -> dict[str, Problem]:
    rng = np.random.default_rng([seed, 0x206D])
    features, labels = rng.normal(size=(6, 5)), np.where(rng.random(6) < 0.5, -1.0, 1.0)
    curvature = np.diag([1.0, 0.5, 0.25, 2.0, 0.0])
    return {
        "logistic": losses.logistic(features, labels),
        "log cosh": losses.log_cosh(features, labels),
        "quadratic": losses.quadratic_minus_linear(curvature, features),
    }


def agreement_cases(seed: int) -> tuple[Case, ...]:
    """All records and subsets, both laws of the frame, every split, two-point and derivative, with and without a
    ball."""
    made, params = _instances(seed), _made()
    listed: tuple[tuple[str, str, dict[str, Any]], ...] = (
        ("frames, a ball", "logistic", {}),
        (
            "square frames, shares by step",
            "log cosh",
            {"steps": 3, "directions": 5, "variance_share": (0.0, 0.4, 1.0), "noise_split": "isotropic"},
        ),
        (
            "subsets, derivative, no ball",
            "quadratic",
            {"batches": SOME, "directions": 3, "perturbation": 0.0, "clip_norm": 2.0, "domain": EVERYTHING},
        ),
        (
            "more independent directions than coordinates",
            "logistic",
            {"batches": SOME, "directions": 7, "variance_share": 1.0, "frame": "independent"},
        ),
    )
    changed = ((name, made[kind], replace(params, **changes)) for name, kind, changes in listed)
    return stepwise.cases(noisy_zogd, seed, changed)


def reductions(seed: int) -> tuple[Reduction, ...]:
    """Those that the specification lists, on three trials each."""

    def stated(name: str, title: str, statement: str, pairs: Callable[[int], Pair], rounded: bool = True) -> Reduction:
        source = "Chien, Chen, Li (2025), equations (1) to (3), (63)"
        words = f"{statement} ({ROUNDED})" if rounded else f"{statement}, to the bit"
        return Reduction(f"zeroth/{name}", title, words, source, lambda: (pairs(seed),))

    return (
        stated("RED-ALG-3a", "one direction, b_dir = 1: DPZero, scalar", "sigma_1 = sigma", _scalar),
        stated("RED-ALG-3b", "one direction, b_dir = 0: DPZero, isotropic", "sigma_2 = sigma/sqrt(d)", _isotropic),
        stated("RED-ALG-2", "no noise: ZOGD on the ball", "sigma = 0 leaves (1) with orthonormal directions", _silent),
        stated("RED-GD", "a square frame: gradient descent", "K = d on quadratics moves by -(eta/d) grad L", _descent),
        stated("RED-SQUARE", "a square frame: isotropic noise", "K = d has noise of law N(0, (eta sigma)^2/d I)", _law),
        stated("RED-ENERGY", "the noise has energy (eta sigma)^2", "for every K and split", _energy),
        stated("RED-BALL", "a large ball: no projection", "R = infinity", _unbounded, rounded=False),
        stated("RED-ALG-5", "a batch of all records", "b = n of Noisy-ZOSGD gives Noisy-ZOGD", _whole, rounded=False),
        stated("RED-ALG-6", "one direction", "K = 1 of the i.i.d. variant gives Noisy-ZOGD", _alone, rounded=False),
        stated(
            "RED-EVEN", "-u is as good as u", "-z in place of z, -G_k of G_k, changes nothing", _even, rounded=False
        ),
        stated("RED-SPLIT", "the two printings of beta_t", "isotropic 1 - b is directions b", _split, rounded=False),
        stated("RED-XI", "quadratic losses", "the quotient is the directional derivative for every xi", _limit),
    )


def _made(**changes: Any) -> Params:
    base = noisy_zogd.Params(START, 4, EVERY, 2, STEP_SIZE, 0.25, CLIP_NORM, SIGMA, domain=SMALL)
    return replace(base, **changes)


def _beside(
    seed: int,
    params: Params,
    other: Callable[[Problem, Draws], Trajectory],
    name: str = "logistic",
    tolerance: float = 0.0,
) -> Pair:
    """Iterates of `params` and of another run, made from the same draws on the same problem."""
    problem, sides = _instances(seed)[name], []
    for trial in range(TRIALS):
        draws = noisy_zogd.draw_inputs(params, Stream(seed, "reduce/noisy_zogd"), trial)
        sides.append((noisy_zogd.reference(params, problem, draws).states, other(problem, draws).states))
    return Pair("iterates", np.array([one for one, _ in sides]), np.array([two for _, two in sides]), tolerance)


def _itself(seed: int, params: Params, changed: Params, name: str = "logistic", tolerance: float = 0.0) -> Pair:
    return _beside(seed, params, partial(noisy_zogd.reference, changed), name, tolerance)


def _dpzero(seed: int, share: float, noise_kind: str, sigma: float) -> Pair:
    params = _made(directions=1, variance_share=share)
    single = dpzero.Params(START, 4, 6, STEP_SIZE, 0.25, CLIP_NORM, sigma, noise_kind, SMALL)
    used = slice(5, 6) if noise_kind == "scalar" else slice(0, 5)

    def run(problem: Problem, draws: Draws) -> Trajectory:
        return dpzero.reference(single, problem, dpzero.Draws(draws.noise[:, used], draws.directions))

    return _beside(seed, params, run, tolerance=TOLERANCE)


def _scalar(seed: int) -> Pair:
    return _dpzero(seed, 1.0, "scalar", SIGMA)


def _isotropic(seed: int) -> Pair:
    return _dpzero(seed, 0.0, "isotropic", SIGMA / 5**0.5)


def _silent(seed: int) -> Pair:
    plain = zogd.Params(START, 4, 6, 2, STEP_SIZE, 0.25, CLIP_NORM, SMALL, "orthonormal")
    return _beside(
        seed, _made(noise=0.0), lambda problem, draws: zogd.reference(plain, problem, zogd.Draws(draws.directions)),
        tolerance=TOLERANCE,
    )  # fmt: skip


def _descent(seed: int) -> Pair:
    params = _made(directions=5, noise=0.0, clip_norm=100.0, domain=EVERYTHING)
    plain = dp_sgd.Params(START, (STEP_SIZE / 5,) * 4, EVERY, 0.0, 1.0)

    def run(problem: Problem, draws: Draws) -> Any:
        found = dp_sgd.reference(plain, problem, dp_sgd.draw_inputs(plain, Stream(seed, "unused"), 0))
        return replace(found, states=found.states[:, :5])

    return _beside(seed, params, run, "quadratic", TOLERANCE)


def _law(seed: int) -> Pair:
    """The covariance of the noise given a square frame, for three splits."""
    params = _made(directions=5, steps=3, variance_share=(0.0, 0.3, 1.0))
    normals = Stream(seed, "reduce/noisy_zogd").normals(np.arange(TRIALS), 0, 25).reshape(TRIALS, 5, 5)
    frames = params.sampler.frame(normals)
    found = [
        along**2 * np.moveaxis(frames, -1, -2) @ frames + across**2 * np.eye(5)
        for along, across in map(params.deviations, range(3))
    ]
    return Pair(
        "covariance", np.array(found), np.full((3, TRIALS, 1, 1), (STEP_SIZE * SIGMA) ** 2 / 5) * np.eye(5), TOLERANCE
    )


def _energy(seed: int) -> Pair:
    """E|noise|^2 = K along^2 + d across^2, for every K and three splits."""
    found = [
        count * along**2 + 5 * across**2
        for count in range(1, 6)
        for along, across in map(_made(directions=count, variance_share=(0.0, 0.3, 0.9, 1.0)).deviations, range(4))
    ]
    return Pair("energy", np.array(found), np.full(20, (STEP_SIZE * SIGMA) ** 2), TOLERANCE)


def _unbounded(seed: int) -> Pair:
    return _itself(seed, _made(domain=EVERYTHING), _made(domain=ball(1e9, (0.0,) * 5)))


def _whole(seed: int) -> Pair:
    return _itself(seed, _made(batches=Batches("without replacement", 6, 6)), _made())


def _alone(seed: int) -> Pair:
    return _itself(seed, _made(directions=1, frame="independent"), _made(directions=1))


def _even(seed: int) -> Pair:
    params = _made()

    def mirrored(problem: Problem, draws: Draws) -> Trajectory:
        noise = np.hstack([draws.noise[:, :5], -draws.noise[:, 5:]])
        return noisy_zogd.reference(params, problem, draws._replace(noise=noise, directions=-draws.directions))

    return _beside(seed, params, mirrored)


def _split(seed: int) -> Pair:
    return _itself(seed, _made(variance_share=0.25), _made(variance_share=0.75, noise_split="isotropic"))


def _limit(seed: int) -> Pair:
    quotient = _made(clip_norm=2.0)
    return _itself(seed, quotient, replace(quotient, perturbation=0.0), "quadratic", TOLERANCE)
