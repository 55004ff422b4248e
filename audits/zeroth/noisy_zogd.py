"""Noisy-ZOGD with public iterates, in cases that attain the corrected theorem 3.1: frames, free directions, batches.

What: two steps of equation (3) along two directions of three.
Why: replacing a record moves each clipped slope by 2 Delta/b, the K slopes of a step by 2 Delta sqrt(K)/b together;
noise that is calibrated to that makes the claims equalities. The printed theorem takes Delta in place of 2 Delta
(zeroth/theorem-3.1-as-printed).
Worst-case neighbours: a linear record so steep that every slope is clipped to Delta or -Delta, turned into its
opposite, which turns the sign of all K slopes. The promise rests on clipping alone, so that no smoothness is needed.
The adversary sees every iterate and every frame, not which records were drawn.
"""

from __future__ import annotations

import math
from functools import partial

import numpy as np

from dpaudit.algorithms.zeroth import noisy_zogd
from dpaudit.arithmetic.arrays import Array
from dpaudit.attacks import likelihood_ratio
from dpaudit.audit.structural import stepwise
from dpaudit.audit.structural.recording import Recorder
from dpaudit.content.audits import Audit
from dpaudit.noise.stream import Trials
from dpaudit.problems.losses import linear
from dpaudit.records.assumptions import Assumptions
from dpaudit.records.mechanism import FixedSizeSampled, Gaussian, SelfComposed
from dpaudit.records.privacy import ApproximateDP, GaussianDP, Guarantee, Neighbours, PrivacyClaim, View
from dpaudit.records.target import Target, TrialPlan
from dpaudit.sampling.batches import Batches

STEPS, DIMENSION, DIRECTIONS = 2, 3, 2
STEP_SIZE, CLIP_NORM = 0.7, 0.5
STEEP = 1e9 * np.array([1.0, -2.0, 0.5])
params = partial(
    noisy_zogd.Params, start=(0.0,) * DIMENSION, steps=STEPS, directions=DIRECTIONS, step_size=STEP_SIZE,
    perturbation=0.5, clip_norm=CLIP_NORM,
)  # fmt: skip


def first_turned(rng: np.random.Generator) -> tuple[Array, Array]:
    """Slopes of linear losses, shape (5, d): the first record is steep, and its opposite in the neighbour."""
    data = rng.normal(size=(RECORDS, DIMENSION))
    neighbour = data.copy()
    data[0], neighbour[0] = STEEP, -STEEP
    return data, neighbour


def run(params: noisy_zogd.Params, data: Array, trials: Trials) -> Array:
    """Transcripts (trials, steps, d + K d): every iterate and the frame that led to it."""
    return noisy_zogd.cpu(params, linear(data), trials)


def instrument(params: noisy_zogd.Params, data: Array, recorder: Recorder) -> None:
    """One training of the reference form, recorded and replayed step by step."""
    stepwise.instrument(noisy_zogd, params, linear(data), recorder)


def frames_and_moves(outputs: Array) -> tuple[Array, Array]:
    """Frames (trials, steps, K, d) and the moves of their steps, (trials, steps, d, 1)."""
    frames = outputs[:, :, DIMENSION:].reshape(len(outputs), STEPS, DIRECTIONS, DIMENSION)
    return frames, np.diff(outputs[:, :, :DIMENSION], axis=1, prepend=0.0)[..., None]


def mean_moves(frames: Array, data: Array) -> Array:
    """Those along every direction: means of clipped slopes, shape (trials, steps, K)."""
    return np.clip(frames @ data.T, -CLIP_NORM, CLIP_NORM).mean(axis=-1) * (-STEP_SIZE / DIRECTIONS)


def claim(guarantee: Guarantee, source: str) -> PrivacyClaim:
    """`guarantee` for the replacement of a record."""
    source = f"Chien, Chen, Li (2025), {source}"
    return PrivacyClaim(guarantee, Neighbours.REPLACE_ONE, delta=1e-5, source=source)


# Half of the noise variance along the directions.
RECORDS, SHARE = 5, 0.5
NOISE = 2 * CLIP_NORM / RECORDS * math.sqrt(STEPS / (SHARE + (1 - SHARE) * DIRECTIONS / DIMENSION))
SPREAD = STEP_SIZE * NOISE * math.sqrt(SHARE / DIRECTIONS + (1 - SHARE) / DIMENSION)
"""Standard deviation of the noise along each direction."""
ALL_RECORDS = Batches("all records", RECORDS, RECORDS)
ORTHOGONAL = params(batches=ALL_RECORDS, noise=NOISE, variance_share=SHARE)
MECHANISM = SelfComposed(Gaussian(math.sqrt(STEPS)), STEPS)


def score_frames(outputs: Array, data: Array, neighbour: Array) -> Array:
    """The log-likelihood ratio of the moves along the frames; across them there is noise without data."""
    frames, moves = frames_and_moves(outputs)
    means = (mean_moves(frames, records) for records in (data, neighbour))
    return likelihood_ratio.gaussian((frames @ moves)[..., 0], *means, SPREAD)


FRAMES = Audit(
    Target(
        name="zeroth/noisy-zogd",
        title="Noisy-ZOGD with public iterates and frames, two steps",
        view=View.TRANSCRIPT,
        claim=claim(GaussianDP(1.0), "theorem 3.1, corrected: replacement moves a clipped slope by 2 Delta"),
        trials=TrialPlan(smoke=50_000, standard=800_000, deep=5_000_000),
        truth=MECHANISM,
        claimed_mechanism=MECHANISM,
        effect="zeroth-order training leaks more about a record than even the corrected theorem 3.1 says",
    ),
    first_turned,
    partial(run, ORTHOGONAL),
    score_frames,
    instrument=partial(instrument, ORTHOGONAL),
    assumptions=Assumptions(checked_records=True),
)

# Appendix B and prior work draw directions independently. Noise of equal size along each is then not isotropic in their
# span, and the released move tells the K noisy slopes, as the directions are linearly independent with probability 1.
# With all noise along them the claim is met with equality.
INDEPENDENT_NOISE = 2 * CLIP_NORM * math.sqrt(STEPS) / RECORDS
INDEPENDENT = params(batches=ALL_RECORDS, noise=INDEPENDENT_NOISE, variance_share=1.0, frame="independent")


def score_independent(outputs: Array, data: Array, neighbour: Array) -> Array:
    """The log-likelihood ratio of the coefficients of the moves in the directions."""
    frames, moves = frames_and_moves(outputs)
    along = np.linalg.solve(frames @ frames.swapaxes(2, 3), frames @ moves)[..., 0]
    means = (mean_moves(frames, records) for records in (data, neighbour))
    return likelihood_ratio.gaussian(along, *means, STEP_SIZE * INDEPENDENT_NOISE / math.sqrt(DIRECTIONS))


INDEPENDENT_DIRECTIONS = Audit(
    Target(
        name="zeroth/noisy-zogd-independent-directions",
        title="Noisy-ZOGD along independent directions, public iterates",
        view=View.TRANSCRIPT,
        claim=claim(GaussianDP(1.0), "appendix B; composition of the steps given their directions"),
        trials=TrialPlan(smoke=50_000, standard=800_000, deep=5_000_000),
        truth=MECHANISM,
        effect="independent directions leak more about a record than their noise was chosen for",
    ),
    first_turned,
    partial(run, INDEPENDENT),
    score_independent,
)

# Two of eight records a step, the same for both directions: the repair of theorem A.3 and remark A.9
# (zeroth/theorem-a.3-as-printed). One drawn record turns all K slopes at once, so a step is one subsampled Gaussian
# mechanism, not K of them; replacement is judged in both orders. All records are equal, one of them is turned.
MANY, BATCH = 8, 2
BATCH_NOISE = 2 * CLIP_NORM / BATCH / math.sqrt(SHARE + (1 - SHARE) * DIRECTIONS / DIMENSION)
BATCH_SPREAD = STEP_SIZE * BATCH_NOISE * math.sqrt(SHARE / DIRECTIONS + (1 - SHARE) / DIMENSION)
SAMPLED = SelfComposed(FixedSizeSampled(BATCH, MANY, Gaussian(1.0)), STEPS)
BATCHED = params(batches=Batches("without replacement", MANY, BATCH), noise=BATCH_NOISE, variance_share=SHARE)


def one_of_equals(rng: np.random.Generator) -> tuple[Array, Array]:
    """Slopes of linear losses, shape (8, d), all the same; the first is turned around in the data set."""
    neighbour = np.tile(STEEP, (MANY, 1))
    data = neighbour.copy()
    data[0] = -STEEP
    return data, neighbour


def score_batches(outputs: Array, data: Array, neighbour: Array) -> Array:
    """The log-likelihood ratio: each step is a mixture over the inclusion of the record on `data`, a Gaussian else."""
    frames, moves = frames_and_moves(outputs)
    centre = -STEP_SIZE / DIRECTIONS * np.clip(frames @ STEEP, -CLIP_NORM, CLIP_NORM)
    drawn = centre * (1 - 2 / BATCH)
    ratio = ((drawn - centre) * ((frames @ moves)[..., 0] - (drawn + centre) / 2)).sum(axis=2) / BATCH_SPREAD**2
    rate = BATCH / MANY
    return np.asarray(np.logaddexp(math.log1p(-rate), ratio + math.log(rate)).sum(axis=1))


ON_BATCHES = Audit(
    Target(
        name="zeroth/noisy-zosgd",
        title="Noisy-ZOSGD on batches without replacement, public iterates",
        view=View.TRANSCRIPT,
        claim=claim(
            ApproximateDP(3.337, 1e-5), "appendix A.9, corrected: replacement in both orders, one inclusion a step"
        ),
        trials=TrialPlan(smoke=50_000, standard=1_000_000, deep=3_000_000),
        truth=SAMPLED,
        claimed_mechanism=SAMPLED,
        effect="batched zeroth-order training leaks more about a record than its sampling was accounted for",
    ),
    one_of_equals,
    partial(run, BATCHED),
    score_batches,
    instrument=partial(instrument, BATCHED),
    assumptions=Assumptions(checked_records=True),
)

AUDITS = (FRAMES, INDEPENDENT_DIRECTIONS, ON_BATCHES)
