"""Generated problems and data of the papers' experiments and worst cases, as functions of a generator and sizes.

`rng` is a numpy Generator or a seed. The same seed gives the same data with the same version of NumPy. The ids name the
places in the papers' specifications that ask for a family: rbcd is DP-SkGD, srgd Accelerated-DP-SRGD, srm DP-SRM,
zeroth DPZero.
"""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np
from numpy.typing import ArrayLike

from dpaudit.arithmetic.arrays import Array
from dpaudit.problems import losses
from dpaudit.problems.datasets import Dataset
from dpaudit.problems.losses import Problem
from dpaudit.records.errors import ConfigurationError
from dpaudit.records.validation import check_count, check_number

Generator = np.random.Generator | int


def logistic_data(
    rng: Generator, records: int, dimension: int, spread: float = 1.0, signal: float = 3.0, positive: float = 0.5
) -> Dataset:
    """Normal features whose scales fall geometrically from 1 to 1/spread, labels -1 or 1 of a logistic model.

    spread: at least 1, how heterogeneous the coordinates are (rbcd section 5, i); signal: norm of the model;
    positive: share of labels 1, about. The intercept of the model is no feature.
    """
    _check_sizes(records, dimension)
    check_number("spread", spread, least=1.0)
    check_number("signal", signal, least=0.0)
    check_number("positive", positive, above=0.0, most=0.999)
    rng = np.random.default_rng(rng)
    scales = np.geomspace(1.0, 1.0 / spread, dimension)
    features = rng.normal(size=(records, dimension)) * scales
    margins = features @ (signal * _directions(rng, 1, dimension)[0] / scales)
    # The intercept that makes the share right: the quantile of margins plus logistic noise.
    noisy = margins + rng.logistic(size=records)
    labels = np.where(noisy > np.quantile(noisy, 1 - positive), 1.0, -1.0)
    return Dataset(f"logistic data, spread {spread:g}", features, labels)


def like_ijcnn1(rng: Generator, records: int = 5_000) -> Dataset:
    """Logistic data with 22 features, rows of norm at most 1 and a tenth of labels 1, in place of ijcnn1 (srm E1)."""
    made = logistic_data(rng, records, 22, spread=4.0, positive=0.0976).with_rows_within(1.0, "largest")
    return Dataset("like ijcnn1", made.features, made.targets)


def cosine_toy(rng: Generator, records: int, dimension: int) -> Problem:
    """f_i = cos(<a_i, w> + c_i), |a_i| = 1, c_i uniform: smooth, not convex, G = L = 1 (srm THM-5.4, ii)."""
    _check_sizes(records, dimension)
    rng = np.random.default_rng(rng)
    return losses.cosine(_directions(rng, records, dimension), rng.uniform(0, 2 * np.pi, size=records))


def block_smoothness(
    rng: Generator, records: int, blocks: Sequence[int], smoothness: Sequence[float], lipschitz: Sequence[float]
) -> Problem:
    """1/2 <w, Diag(M) w> - <zeta_i, w>, M constant on blocks, |zeta_{i, block}| = L_block (rbcd CMP-3, CMP-5).

    blocks: sizes of consecutive blocks of coordinates; smoothness, lipschitz: one number above 0 for each.
    """
    check_count("records", records)
    if not len(blocks) == len(smoothness) == len(lipschitz) > 0:
        raise ConfigurationError(
            "blocks, smoothness and lipschitz must be as many, at least one, got "
            f"{len(blocks)}, {len(smoothness)} and {len(lipschitz)}"
        )
    rng, parts = np.random.default_rng(rng), []
    for position, (size, bend, length) in enumerate(zip(blocks, smoothness, lipschitz, strict=True)):
        check_count(f"blocks[{position}]", size)
        check_number(f"smoothness[{position}]", bend, above=0.0)
        check_number(f"lipschitz[{position}]", length, above=0.0)
        parts.append(length * _directions(rng, records, size))
    return losses.quadratic_minus_linear(np.diag(np.repeat(smoothness, blocks)), np.hstack(parts))


def one_flat_coordinate(dimension: int, ratio: float) -> tuple[Problem, Array]:
    """rbcd CMP-2: M_1 = 1, M_j = ratio for the others, |w_1 - w_1*| = 1 and 1/ratio^2 for them; problem and start.

    Full sampling gains up to sqrt(d) on DP-SGD as the ratio grows.
    """
    return _uneven(dimension, ratio, np.array([1.0, ratio]), np.array([1.0, ratio**-2]))


def one_steep_coordinate(dimension: int, ratio: float) -> tuple[Problem, Array]:
    """rbcd CMP-4: M_1 = ratio, M_j = 1 for the others, |w_1 - w_1*| = 1 and 1/ratio for them; problem and start.

    Importance sampling gains up to sqrt(d) on DP-CD as the ratio grows.
    """
    return _uneven(dimension, ratio, np.array([ratio, 1.0]), np.array([1.0, 1.0 / ratio]))


def slopes_in_order(records: int, slope: float, dimension: int = 1, curved: bool = False) -> Problem:
    """Losses of slope +L, then of slope -L along the first coordinate: the adversarial order (srgd 4.5, LEM-5.9).

    curved: the record in the middle is Huber's loss of the same slope with its bend at 0, and the others are
    Huber's far from theirs: they have slopes +-L for |w_1| <= 100 L.
    """
    _check_sizes(records, dimension)
    check_number("slope", slope, above=0.0)
    signs = np.where(np.arange(records) < (records + 1) // 2, 1.0, -1.0)
    features = np.zeros((records, dimension))
    if not curved:
        features[:, 0] = slope * signs
        return losses.linear(features)
    features[:, 0] = 1.0
    targets = -101.0 * slope * signs
    targets[records // 2] = 0.0
    return losses.huber(features, targets, slope)


def random_signs(rng: Generator, records: int, mean: float = 0.0) -> Problem:
    """f_i(w) = d_i w in one dimension, d_i = +-1 with the given mean (srgd THM-4.1, scaling checks)."""
    check_count("records", records)
    check_number("mean", mean, least=-1.0, most=1.0)
    positive = np.random.default_rng(rng).random(records) < (1 + mean) / 2
    return losses.linear(np.where(positive, 1.0, -1.0)[:, None])


def noisy_quadratic(rng: Generator, records: int, centre: ArrayLike, curvature: float, noise: float) -> Problem:
    """f_i = M |w - c|^2/2 + <z_i, w> - M |c|^2/2 with |z_i| = Q: gradients deviate by at most Q (srgd THM-5.1).

    centre: c, shape (d,); curvature: M; noise: Q. The z_i come in opposite pairs, so that their mean is 0 for an even
    number of records and f has its minimum at c.
    """
    check_count("records", records)
    check_number("curvature", curvature, above=0.0)
    check_number("noise", noise, least=0.0)
    point = np.asarray(centre, dtype=float)
    half = noise * _directions(np.random.default_rng(rng), (records + 1) // 2, len(point))
    pairs = np.stack([half, -half], axis=1).reshape(-1, len(point))[:records]
    return losses.quadratic_minus_linear(curvature * np.eye(len(point)), curvature * point - pairs)


def centred_quadratic(rng: Generator, records: int, dimension: int, curvature: float = 1.0) -> Problem:
    """f_i = (h/2) |w - x_i|^2 less the constant (h/2) |x_i|^2, x_i uniform on the unit sphere (zeroth, model Q).

    What two evaluations of a record's loss differ by is that of the printed loss.
    """
    _check_sizes(records, dimension)
    check_number("curvature", curvature, above=0.0)
    points = _directions(np.random.default_rng(rng), records, dimension)
    return losses.quadratic_minus_linear(curvature * np.eye(dimension), curvature * points)


def canary_pair(records: int, vector: ArrayLike, background: ArrayLike | None = None) -> tuple[Problem, Problem]:
    """Linear losses that differ in record 0 only: <v, w> in the first, -<v, w> in the second data set.

    The worst case of a replaced record whose gradients are bounded by |v| (rbcd 4.5, zeroth AUD-1, srm section 4).
    vector: v, shape (d,); background: gradient of all other records, shape (d,), 0 by default.
    """
    check_count("records", records)
    canary = np.asarray(vector, dtype=float)
    others = np.zeros_like(canary) if background is None else np.asarray(background, dtype=float)
    if canary.ndim != 1 or others.shape != canary.shape:
        raise ConfigurationError(
            f"vector and background must be vectors of one length, got shapes {canary.shape} and {others.shape}"
        )
    rest = np.tile(others, (records - 1, 1))
    first, second = (losses.linear(np.vstack([sign * canary, rest])) for sign in (1.0, -1.0))
    return first, second


def _uneven(dimension: int, ratio: float, bends: Array, distances: Array) -> tuple[Problem, Array]:
    """A quadratic with one coordinate unlike the others, minimum at 0, and the start."""
    check_count("dimension", dimension, 2)
    check_number("ratio", ratio, least=1.0)
    counts = [1, dimension - 1]
    problem = losses.quadratic(np.diag(np.repeat(bends, counts)), np.zeros(dimension))
    return problem, np.repeat(distances, counts)


def _directions(rng: np.random.Generator, count: int, dimension: int) -> Array:
    """Uniform on the unit sphere, shape (count, dimension); norms are short of 1 by roundings, never above."""
    return Dataset("", rng.normal(size=(count, dimension)), np.zeros(count)).with_rows_within(1.0, "unit").features


def _check_sizes(records: int, dimension: int) -> None:
    check_count("records", records)
    check_count("dimension", dimension)
