"""Noisy-ZOGD on quadratic losses in a ball: the last iterate alone, and to an adversary who knows the directions.

What: a few steps on losses |w - x_i|^2/2, whose exact law is known: the path is Gaussian, as no slope is clipped and it
never meets the boundary.
Why: QUADRATIC is the one audit in which hidden states do save something; the claim is the proved hidden-state bound.
FRAMES: the directions of a run come from a public seed more often than not, and given them w_T is Gaussian, with a
covariance and a change of the mean that follow from a recursion, so that the attack is exact in every trial although
its strength differs from trial to trial; where directions are few, composition is what is left of the bound.
Neighbours: one record moves from x to -x. All assumptions of the hidden-state bound hold.
The adversary sees w_T, and no other iterate.
"""

from __future__ import annotations

import math
from functools import partial

import numpy as np

from dpaudit.algorithms.zeroth import noisy_zogd
from dpaudit.arithmetic.arrays import Array
from dpaudit.attacks import likelihood_ratio
from dpaudit.content.audits import Audit
from dpaudit.noise.stream import Trials
from dpaudit.problems.domains import ball
from dpaudit.problems.losses import quadratic_minus_linear
from dpaudit.records.context import Level
from dpaudit.records.mechanism import Gaussian
from dpaudit.records.privacy import GaussianDP, Neighbours, PrivacyClaim, View
from dpaudit.records.target import Target, TrialPlan
from dpaudit.sampling.batches import Batches

STEP_SIZE, SHARE = 0.8, 0.5


def params(
    dimension: int, records: int, steps: int, radius: float, clip_norm: float, noise: float
) -> noisy_zogd.Params:
    """Steps of size 0.8 along one direction on all records, half of the noise along it."""
    start = (0.0,) * dimension
    return noisy_zogd.Params(
        start=start, steps=steps, batches=Batches("all records", records, records), directions=1, step_size=STEP_SIZE,
        perturbation=0.01, clip_norm=clip_norm, noise=noise, domain=ball(radius, start), variance_share=SHARE,
    )  # fmt: skip


def neighbours(records: int, worst: Array, rng: np.random.Generator) -> tuple[Array, Array]:
    """Minimisers of the records, shape (records, d), within +-worst; the first is turned around in the neighbour."""
    half = rng.uniform(-1, 1, size=(records // 2 - 1, len(worst))) * worst  # balanced: the path stays near the centre
    data = np.concatenate([worst[None], half, -half, np.zeros((1, len(worst)))])
    neighbour = data.copy()
    neighbour[0] = -worst
    return data, neighbour


def claim(mu: float, source: str) -> PrivacyClaim:
    """mu-GDP for the replacement of a record."""
    source = f"Chien, Chen, Li (2025), {source}"
    return PrivacyClaim(GaussianDP(mu), Neighbours.REPLACE_ONE, delta=1e-5, source=source)


# Six steps in one dimension on 40 losses in the ball of radius 1, nine standard deviations away: a step shrinks all
# distances to a fifth. The last iterate is 0.49-GDP exactly, the claim is 1.58-GDP, composition gives 1.97-GDP. The gap
# from exact to proved is that losses of any minimiser and the start of the window anywhere in the ball are covered.
LINE_RECORDS, LINE_STEPS, LINE_NOISE, LINE_WORST = 40, 6, 0.125, np.array([1.0])
LINE = params(1, records=LINE_RECORDS, steps=LINE_STEPS, radius=1.0, clip_norm=2.01, noise=LINE_NOISE)
KEPT = (1 - STEP_SIZE) ** np.arange(LINE_STEPS)
"""What is left of each step in w_T, the last one first."""
SPREAD = STEP_SIZE * LINE_NOISE * math.sqrt((KEPT**2).sum())


def run_line(params: noisy_zogd.Params, data: Array, trials: Trials) -> Array:
    """Last iterates w_T, shape (trials, 1)."""
    return noisy_zogd.cpu(params, quadratic_minus_linear(np.eye(1), data), trials, release="final")


def score_line(outputs: Array, data: Array, neighbour: Array) -> Array:
    """The log-likelihood ratio of w_T, which is Gaussian."""
    mean, other = (STEP_SIZE * KEPT.sum() * records.mean() for records in (data, neighbour))
    return likelihood_ratio.gaussian(outputs, mean, other, SPREAD)


QUADRATIC = Audit(
    Target(
        name="zeroth/hidden-state-quadratic",
        title="Noisy-ZOGD on quadratic losses, only the last iterate",
        view=View.HIDDEN_STATE,
        claim=claim(1.5812, "theorem 3.2, corrected, as dpaudit.algorithms.zeroth.accounting.hidden_state proves it"),
        trials=TrialPlan(smoke=40_000, standard=200_000, deep=1_000_000),
        truth=Gaussian(SPREAD / (STEP_SIZE * KEPT.sum() * 2 / LINE_RECORDS)),
        effect="the last iterate leaks more about a record than the hidden-state bound says",
        from_level=Level.STANDARD,
    ),
    partial(neighbours, LINE_RECORDS, LINE_WORST),
    partial(run_line, LINE),
    score_line,
)

# Three steps in the plane on 100 losses; the claim is composition for smooth records.
STEPS, NOISE = 3, 0.5
PLANE_RECORDS, PLANE_WORST = 100, np.array([4.8, 6.4])
PLANE = params(2, records=PLANE_RECORDS, steps=STEPS, radius=4.0, clip_norm=4.0 + 8.01, noise=NOISE)


def run_plane(params: noisy_zogd.Params, data: Array, trials: Trials) -> Array:
    """The last iterate, then the directions of all steps, shape (trials, 2 + 2 steps)."""
    transcript = noisy_zogd.cpu(params, quadratic_minus_linear(np.eye(2), data), trials)
    return np.concatenate([transcript[:, -1, :2], transcript[:, :, 2:].reshape(len(trials), -1)], axis=1)


def score_plane(outputs: Array, data: Array, neighbour: Array) -> Array:
    """The log-likelihood ratio of w_T given the directions."""
    (mean, other), spread = law_given_directions(outputs, data, neighbour)
    change = np.linalg.solve(spread, (mean - other)[..., None])[..., 0]
    return np.asarray((change * (outputs[:, :2] - (mean + other) / 2)).sum(axis=1))


def law_given_directions(outputs: Array, data: Array, neighbour: Array) -> tuple[list[Array], Array]:
    """Means (trials, 2) of w_T on both data sets and its covariance (trials, 2, 2), given the directions."""
    frames = outputs[:, 2:].reshape(len(outputs), STEPS, 2)
    projections = frames[..., :, None] * frames[..., None, :]
    means, spread = [np.zeros((len(outputs), 2)) for _ in range(2)], np.zeros((len(outputs), 2, 2))
    energy, eye = (STEP_SIZE * NOISE) ** 2, np.eye(2)
    for step in range(STEPS):
        pull = STEP_SIZE * projections[:, step]
        kept = eye - pull
        pairs = zip(means, (data, neighbour), strict=True)
        means = [(kept @ m[..., None] + pull @ records.mean(axis=0)[:, None])[..., 0] for m, records in pairs]
        noise = energy * (SHARE * projections[:, step] + (1 - SHARE) / 2 * eye)
        spread = kept @ spread @ kept + noise
    return means, spread


FRAMES = Audit(
    Target(
        name="zeroth/hidden-state-frames",
        title="Noisy-ZOGD on quadratic losses, last iterate and directions",
        view=View.HIDDEN_STATE,
        claim=claim(0.961, "accountant of public states for smooth records, corrected"),
        trials=TrialPlan(smoke=20_000, standard=100_000, deep=500_000),
        effect="the last iterate leaks more about a record than all iterates together were promised to",
        from_level=Level.STANDARD,
    ),
    partial(neighbours, PLANE_RECORDS, PLANE_WORST),
    partial(run_plane, PLANE),
    score_plane,
)

AUDITS = (QUADRATIC, FRAMES)
