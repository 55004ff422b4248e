"""A noisy sum whose noise is added in float64: its last bits give it away, unless both lie on a grid.

What: releases a sum of sensitivity 1 plus noise of scale 1. `dpaudit/float-noise`: one draw of the audits' own noise
stream, as every algorithm here adds it. `known-bad/float-gaussian`, `known-bad/float-laplace`: the samplers of NumPy,
the textbook forms of 1-GDP and of epsilon 1. `discrete/float-grid`: noise that is rounded to the grid of 2^-20 before.
Why: near 0 floats lie closer together than near 1. The sum 1 plus noise is in (0, 1/2) only by noise in (-1, -1/2),
whose last place is 2^-53; noise alone in (0, 1/2) has finer digits. One low-order bit tells the sides apart, whatever
the scale (Mironov 2012; Haney et al. 2022 for Gaussian noise); in real numbers the claims hold. The streams are made
for audits, to the same bits on every backend; that they are no safer than others is shown, not assumed. On the grid
both terms are multiples of 2^-20 below 2^32, so that the addition is exact and every output is possible on both sides;
what is left of float64 is the resolution of the uniforms, 2^-52.
Worst-case neighbours: a sum of 0 with the record left out, of 1 with it.
The adversary sees the released number, all 64 bits of it.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace

import numpy as np

from dpaudit.arithmetic.arrays import Array
from dpaudit.attacks import float_bits
from dpaudit.attacks.histogram import Histogram
from dpaudit.content.audits import Audit, planted
from dpaudit.noise.stream import Trials
from dpaudit.records.mechanism import Gaussian
from dpaudit.records.privacy import View, claim
from dpaudit.records.target import PlantedBug, Target, Tier, TrialPlan
from dpaudit.records.verdict import Outcome

GRID = 2.0**-20
IN_REAL_NUMBERS = "Gaussian noise of scale 1 in real numbers"
MIRONOV = "Mironov (2012), https://doi.org/10.1145/2382196.2382264"


def stream_noise(trials: Trials) -> Array:
    """One normal draw a trial, shape (trials,)."""
    return trials.stream.normals(trials.numbers, 0, 1)[:, 0]


def grid_noise(trials: Trials) -> Array:
    """The same draws, rounded to multiples of GRID."""
    return GRID * np.round(stream_noise(trials) / GRID)


def numpy_noise(sampler: Callable[[np.random.Generator], float]) -> Callable[[Trials], Array]:
    """One draw a trial, each from a generator of its own: NumPy has no batch of seeds."""

    def draws(trials: Trials) -> Array:
        return np.array([sampler(np.random.Generator(np.random.Philox(key=int(s)))) for s in trials.seeds()])

    return draws


def off_grid(outputs: Array, data: float, neighbour: float) -> Array:
    """The fixed event: in (0, 1/2) and no multiple of 2^-53, which the sum 1 plus noise never is there."""
    return float_bits.off_grid(outputs, -53, 0.0, 0.5)


def audit(target: Target, noise: Callable[[Trials], Array]) -> Audit:
    """The sums 0 and 1, each released with `noise`, shape (trials,)."""
    return Audit(target, lambda rng: (0.0, 1.0), lambda data, trials: data + noise(trials), off_grid)


ON_THE_GRID = Target(
    name="discrete/float-grid",
    title="Gaussian noise rounded to a grid",
    view=View.TRANSCRIPT,
    claim=claim(mu=1.0, source=IN_REAL_NUMBERS),
    trials=TrialPlan(smoke=100_000, standard=400_000, deep=2_000_000),
    truth=Gaussian(1.0),
    effect="the low-order bits of a released number tell more than its noise was chosen for",
)
OWN_STREAM = replace(
    ON_THE_GRID,
    name="dpaudit/float-noise",
    title="Gaussian noise of dpaudit, added in float64",
    trials=TrialPlan(smoke=20_000, standard=200_000, deep=1_000_000),
    expects=Outcome.REFUTED,
    truth=None,
    repair="discrete/float-grid",
    effect="never release data with these streams: low-order bits prove which data set it was in one value of eight",
)
NUMPY_GAUSSIAN = planted(
    ON_THE_GRID,
    "known-bad/float-gaussian",
    "Gaussian noise of NumPy in float64",
    source=IN_REAL_NUMBERS,
    trials=TrialPlan(smoke=20_000, standard=40_000, deep=100_000),
    effect="in one release of eight the low-order bits prove which data set it was; 1-GDP was promised",
    bug=PlantedBug(f"{MIRONOV}; Jin et al. (2022), https://arxiv.org/abs/2112.05307", Tier.GAME, 5_000),
)
LAPLACE_CLAIM = claim(epsilon=1.0, source="Laplace noise of scale 1 in real numbers")
NUMPY_LAPLACE = replace(
    NUMPY_GAUSSIAN,
    name="known-bad/float-laplace",
    title="Laplace noise of NumPy in float64",
    claim=LAPLACE_CLAIM,
    trials=TrialPlan(smoke=5_000, standard=20_000, deep=100_000),
    effect="in one release of seven the low-order bits prove which data set it was; epsilon 1 was promised",
    bug=PlantedBug(f"{MIRONOV}; https://github.com/IBM/differential-privacy-library/issues/94", Tier.GAME, 1_000),
)

AUDITS = (
    replace(
        audit(ON_THE_GRID, grid_noise),
        score=None,
        attacks={
            "bit": off_grid,
            "low bits": Histogram(features=float_bits.low_bits),
            "value": lambda outputs, data, neighbour: -outputs,  # the likelihood ratio in real numbers
        },
    ),
    audit(OWN_STREAM, stream_noise),
    audit(NUMPY_GAUSSIAN, numpy_noise(lambda generator: generator.standard_normal())),
    audit(NUMPY_LAPLACE, numpy_noise(lambda generator: generator.laplace())),
)
