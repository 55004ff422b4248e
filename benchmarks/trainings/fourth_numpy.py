"""Twelve programs in NumPy, each with a twin that has one bug: statistics with noise from which a model is made, and
choices by the exponential mechanism and the sparse vector technique.

They were written by somebody who did not know what the checks see. Each docstring gives the right form, then the bug
and what it does to epsilon, which is claimed to be 3.1 where nothing else is said.
"""

from __future__ import annotations

import math
from collections.abc import Iterator
from typing import Any

import numpy as np
from _shared import CLASSES, CLIP_NORM, FEATURES, NOISE, RATE, RECORDS, SIZE, STEPS, poisson, table, twins, whole
from blind_numpy import both
from numpy.random import default_rng
from numpy_by_hand import Array, drawn, finite, gradients, released

from dpaudit import Neighbours, Training, claim

SHAPE = (FEATURES, CLASSES)
QUERIES, ITEMS, CHOICES = 200, 8, 4


def scaled(rows: Array, axis: Any = 1) -> Array:
    """The rows, each scaled down to norm at most 1."""
    rows = finite(rows)
    return np.asarray(rows / np.maximum(1.0, np.sqrt((rows**2).sum(axis=axis, keepdims=True))))


def handed(recorder: Any, rng: Any, name: str, total: Array, norm: float, scale: float = NOISE) -> Any:
    """What is released of a sum, with Gaussian noise of a scale times its norm."""
    return recorder.release(name, total, scale * norm * rng.normal(size=np.shape(total)), sensitivity=norm,
                            noise_scale=scale * norm)  # fmt: skip


def counted(recorder: Any, rng: Any, name: str, total: Array, norm: float, scale: float) -> Any:
    """What is released of a sum, with Laplace noise."""
    return recorder.release(name, total, rng.laplace(scale=scale, size=total.shape), sensitivity=norm, norm="l1",
                            noise_scale=scale * math.sqrt(2.0), law="laplace")  # fmt: skip


def intercept(records: Any, recorder: Any, broken: bool) -> None:
    """Ridge regression from noisy second moments of rows and targets; a 1 joins each row, which is then scaled down.

    A record moves the moments by at most 2^0.5; epsilon is 3.5. Broken: rows are scaled down before the 1 joins them.
    Their norm is 2^0.5, that of the moments 6^0.5: mu is 1.44 instead of 0.83, and epsilon 6.7.
    """
    x, y = records
    ones, targets = np.ones((len(x), 1)), np.clip(np.asarray(y, dtype=float) - 1.0, -1.0, 1.0)
    rows = np.hstack([scaled(x), ones]) if broken else scaled(np.hstack([finite(x), ones]))
    total = rows.T @ np.column_stack([rows, targets])
    noisy = handed(recorder, default_rng(recorder.seed), "moments", total, math.sqrt(2.0))
    recorder.output("weights", np.linalg.lstsq(noisy[:, :-1] + 8.0 * np.eye(FEATURES + 1), noisy[:, -1], None)[0])


def reseeded(records: Any, recorder: Any, broken: bool) -> None:
    """Two of Lloyd's iterations with noisy sums and counts; a centre with a noisy count below 1 stays where it is.

    Epsilon is 5.3. Broken: it moves to the record that is furthest from its centre. One centre is far from all
    records, so this happens with probability 0.7, and that record leaves as it is: epsilon is infinite.
    """
    rng, rows, middles = default_rng(recorder.seed), scaled(records[0]), 0.5 * np.eye(CLASSES + 1, FEATURES)
    middles[CLASSES, 4] = -3.0
    path = []
    for _ in range(2):
        away = ((rows[:, None] - middles) ** 2).sum(axis=2)
        near = np.eye(CLASSES + 1)[away.argmin(axis=1)]
        noisy = handed(recorder, rng, "sums", near.T @ np.column_stack([rows, np.ones(len(rows))]), math.sqrt(2.0))
        few = noisy[:, -1:] < 1.0
        instead = rows[away.min(axis=1).argmax()] if broken else middles
        middles = np.where(few, instead, noisy[:, :-1] / np.maximum(noisy[:, -1:], 1.0))
        path.append(middles)
    recorder.output("centres", np.stack(path))


def stump(records: Any, seed: int, broken: bool) -> Array:
    """A decision tree of one node, whose threshold is drawn with a density of e to half of how many it tells right.

    An interval between neighbouring values is drawn, then a number in it; epsilon is at most 1. Broken: the middle of
    the interval is taken, as trees do. It is the mean of two values of records and shows them: epsilon is infinite.
    """
    values, labels = np.clip(finite(records[0]), -3.0, 3.0), np.asarray(records[1]) > 0
    order = np.argsort(values, kind="stable")
    edges, labels = np.concatenate([[-3.0], values[order], [3.0]]), labels[order]
    right = np.append(0, np.cumsum(~labels)) + np.append(np.cumsum(labels[::-1])[::-1], 0)
    odds = np.diff(edges) * np.exp(0.5 * (right - right.max()))
    rng = default_rng(seed)
    place = int(rng.choice(len(odds), p=odds / odds.sum()))
    share = 0.5 if broken else rng.random()
    return np.array([edges[place] + share * (edges[place + 1] - edges[place])])


def scatter(records: Any, recorder: Any, broken: bool) -> None:
    """Principal components: rows less a public centre are scaled down, and their second moment has noise.

    Epsilon is 3.5. Broken: rows are scaled down, and then centred by their mean. One that is opposite to the others is
    two away from it, and moves the moment by nearly four: epsilon is above 15.
    """
    rows = scaled(records[0]) if broken else scaled(finite(records[0]) - 0.3)
    if broken:
        rows = rows - rows.mean(axis=0)
    noisy = handed(recorder, default_rng(recorder.seed), "moment", rows.T @ rows, CLIP_NORM)
    recorder.output("directions", np.linalg.eigh((noisy + noisy.T) / 2)[1][:, -2:])


def objective(records: Any, seed: int, broken: bool) -> Array:
    """The minimum of a mean logistic loss with a penalty and a random linear term over the number of records.

    This is objective perturbation (Chaudhuri et al., 2011) with penalty 0.1 and epsilon 2. Broken: losses and penalty
    are summed up instead, and the random term is still divided by 40. It is 40 times too small: epsilon is above 20.
    """
    rows, signs = scaled(records[0]), np.where(np.asarray(records[1]) == 0, 1.0, -1.0)
    size, rng, penalty = len(rows), default_rng(seed), 0.1
    left = 2.0 - 2.0 * math.log(1.0 + 0.25 / (size * penalty))
    direction = rng.normal(size=FEATURES)
    term = rng.gamma(FEATURES, 2.0 / left) * direction / np.linalg.norm(direction) / size
    term, weights = term / size if broken else term, np.zeros(FEATURES)
    for _ in range(40):
        chances = 1.0 / (1.0 + np.exp(signs * (rows @ weights)))
        slope = -(chances * signs) @ rows / size + penalty * weights + term
        bend = (rows * (chances * (1.0 - chances))[:, None]).T @ rows / size + penalty * np.eye(FEATURES)
        weights = weights - np.linalg.solve(bend, slope)
    return np.asarray(weights)


def sparse_vector(records: Any, seed: int, broken: bool) -> Array:
    """Which of 200 counts is the first above a threshold; threshold and counts have Laplace noise. Epsilon is 1.

    Broken: it does not stop at the first, and says of each count whether it is above. A record that is replaced moves
    half of them up and half down: epsilon is above 10.
    """
    rng = default_rng(seed)
    threshold = len(records) // 2 + rng.laplace(scale=2.0)
    above = (finite(records) > 0.5).sum(axis=0) + rng.laplace(scale=4.0, size=QUERIES) >= threshold
    return np.asarray(above if broken else above & (np.cumsum(above) == 1), dtype=float)


def nucleus(records: Any, seed: int, broken: bool) -> Array:
    """The most frequent of four, drawn with a weight of e to half of its count. Epsilon is at most 1.

    Broken: among the most likely ones that have nine tenths of the weight together. Of votes 6, 5, 5, 3 the last is
    never drawn, of 6, 5, 4, 3 it is with probability 0.1: epsilon is infinite.
    """
    counts = np.bincount(np.clip(records, 0, CHOICES - 1), minlength=CHOICES)
    odds = np.exp(0.5 * (counts - counts.max()))
    odds /= odds.sum()
    if broken:
        order = np.argsort(-odds, kind="stable")
        odds[order[1:]] *= np.cumsum(odds[order])[:-1] < 0.9
        odds /= odds.sum()
    return np.array([float(default_rng(seed).choice(CHOICES, p=odds))])


def stored(records: Any, recorder: Any, broken: bool) -> None:
    """The sum of the clipped gradients of a batch.

    Broken: the last gradient of each record is stored, and all that are stored are summed up (stochastic average
    gradient). A record is in all sums after the batch that it was first in, and not in one of four: epsilon is above 6.
    """
    x, y = records
    rng, weights, memory = default_rng(recorder.seed), np.zeros(SHAPE), np.zeros((len(x), *SHAPE))
    for _ in range(STEPS):
        members = drawn(rng, recorder, records)
        if not broken:
            memory[:] = 0.0
        memory[members] = scaled(gradients(weights, x[members], y[members]), (1, 2))
        weights -= 0.5 * released(recorder, rng, memory.sum(axis=0)) / SIZE
    recorder.output("weights", weights)


def ratings() -> Array:
    """What users think of eight things, 1 to 5, or 0 where it is not known; the first one has a scale of their own."""
    rng = default_rng(5)
    told = rng.integers(1, 6, size=(RECORDS, ITEMS)) * (rng.random((RECORDS, ITEMS)) < 0.6).astype(float)
    told[0] = 1000.0 * rng.normal(size=ITEMS)
    return told


def factors(records: Any, recorder: Any, broken: bool) -> None:
    """Two factors of each thing, by gradients of users, whose own factors are fitted and kept. A user is clipped.

    Broken: the norm goes over the wrong axes, over the users of a batch instead of the things. A user with large
    numbers has norm 1 for each of eight things, and all others vanish: noise of 0.43 for 1.2, and epsilon is above 12.
    """
    rng, things = default_rng(recorder.seed), default_rng(6).normal(size=(ITEMS, 2))
    for _ in range(STEPS):
        members = np.asarray(recorder.batch(np.flatnonzero(rng.random(len(records)) < RATE)))
        told = finite(records[members])
        known = (told != 0.0).astype(float)
        wanted = (told - 3.0) * known
        bends = np.einsum("ui,ik,il->ukl", known, things, things) + 0.5 * np.eye(2)
        users = np.linalg.solve(bends, (wanted @ things)[:, :, None])[:, :, 0]
        own = (known * (users @ things.T) - wanted)[:, :, None] * users[:, None, :]
        total = scaled(own, (0, 2) if broken else (1, 2)).sum(axis=0)
        things = things - 0.5 * released(recorder, rng, total) / SIZE
    recorder.output("things", things)


def positive() -> tuple[Array, Array]:
    """Features near 1, and targets near 0.3, but for the first record."""
    rng = default_rng(7)
    x, y = 1.0 + 0.1 * rng.normal(size=(RECORDS, FEATURES)), 0.3 + 0.05 * rng.normal(size=RECORDS)
    x[0], y[0] = [3.0, -3.0, 3.0, -3.0, 3.0, -3.0], -5.0
    return x, y


def coordinates(records: Any, recorder: Any, broken: bool) -> None:
    """Least squares, one coordinate after the other; the errors of all records are kept and follow each noisy step.

    Derivatives are clipped to 1, and mu is 1.02, epsilon 4.5. Broken: the errors follow the step before its noise.
    What a record has moved comes back in the sums of all others: for the first one mu is 1.8, and epsilon 8.9.
    """
    x, errors = finite(records[0]), -finite(records[1])
    rng, weights = default_rng(recorder.seed), np.zeros(FEATURES)
    for place in range(FEATURES):
        total = np.clip(finite(x[:, place] * errors), -1.0, 1.0).sum()
        noisy = handed(recorder, rng, "derivative", total, 1.0, 2.0 * NOISE)
        weights[place] -= noisy / RECORDS
        errors = errors - x[:, place] * (total if broken else noisy) / RECORDS
    recorder.output("weights", weights)


def naive_bayes(records: Any, recorder: Any, broken: bool) -> None:
    """Counts, sums and sums of squares of six features in [-1, 1] by class, with Laplace noise; epsilon is 1.5.

    Each of the three has a third of it, which six features share. Broken: each feature has it, although a record is in
    the sums of all six: epsilon is 6.5.
    """
    rng, x = default_rng(recorder.seed), np.clip(finite(records[0]), -1.0, 1.0)
    member = np.eye(CLASSES)[np.clip(records[1], 0, CLASSES - 1)]
    share = 1.0 if broken else 6.0
    counts = np.maximum(counted(recorder, rng, "counts", member.sum(axis=0), 1.0, 2.0), 1.0)[:, None]
    means = counted(recorder, rng, "sums", member.T @ x, share, 2.0 * share) / counts
    squares = counted(recorder, rng, "squares", member.T @ x**2, share, 2.0 * share) / counts
    recorder.output("model", np.stack([means, np.maximum(squares - means**2, 0.01)]))


def whole_counts(records: Any, recorder: Any, broken: bool) -> None:
    """Counts of a feature in eight public intervals, with Laplace noise, cut down to whole numbers. Epsilon is 1.

    Broken: the noise is cut to whole numbers, towards 0, and then added. It is 0 with probability 0.63 and 1 with
    0.12: epsilon is 1.69.
    """
    places = np.searchsorted(np.linspace(-2.0, 2.0, 7), finite(records[0])[:, 0])
    counts, noise = np.bincount(places, minlength=8).astype(float), default_rng(recorder.seed).laplace(size=8)
    noisy = recorder.release("counts", counts, np.trunc(noise) if broken else noise, sensitivity=1.0, norm="l1",
                             noise_scale=math.sqrt(2.0), law="laplace")  # fmt: skip
    recorder.output("counts", np.floor(noisy))


def opposite() -> tuple[Array, Array]:
    """Records that look alike, but for the first one."""
    x = np.array([2.0, 2.0, 2.0, 0.0, 0.0, 0.0]) + 0.3 * default_rng(9).normal(size=(RECORDS, FEATURES))
    x[0] = -x[0]
    return x, (np.arange(RECORDS) == 0).astype(np.int64)


def _functions() -> Iterator[Any]:
    one, other = claim(epsilon=1.0), claim(epsilon=1.0, neighbours=Neighbours.REPLACE_ONE)
    labels = (np.arange(20) % 3 > 0).astype(np.int64)
    values = np.where(labels > 0, 1.0, -1.0) * (0.5 + np.abs(table()[0][:20, 0].astype(float)))
    middle = int(np.abs(values).argmin())
    fewer = np.delete(values, middle), np.delete(labels, middle)
    yield from both("fourth/np-stump", stump, "the middle of two records is the threshold", ((values, labels), fewer),
                    one)  # fmt: skip
    x, y = opposite()[0], (np.arange(RECORDS) % 2).astype(np.int64)
    turned = np.where((np.arange(RECORDS) == 0)[:, None], -x, x)
    yield from both("fourth/np-objective", objective, "a sum of losses with the noise of a mean", ((x, y), (turned, y)),
                    claim(epsilon=2.0, neighbours=Neighbours.REPLACE_ONE))  # fmt: skip
    said = (np.arange(QUERIES)[None] + np.arange(10)[:, None]) % 2
    said[0] = np.arange(QUERIES) < QUERIES // 2
    turned = np.where((np.arange(10) == 0)[:, None], 1 - said, said)
    yield from both("fourth/np-sparse-vector", sparse_vector, "answers go on after the first above",
                    (said.astype(float), turned.astype(float)), other)  # fmt: skip
    votes = np.repeat(np.arange(CHOICES), [6, 5, 5, 3])
    yield from both("fourth/np-nucleus", nucleus, "unlikely ones are never drawn", (votes, np.delete(votes, 12)), one)


def _audits() -> Iterator[Any]:
    kind = Training
    yield from twins(kind, "fourth/np-intercept", intercept, "a column joins the rows after their norms",
                     mechanism=whole(1))  # fmt: skip
    yield from twins(kind, "fourth/np-reseeded", reseeded, "an empty centre moves to a record", mechanism=whole(2))
    yield from twins(kind, "fourth/np-scatter", scatter, "rows are centred after they are scaled down",
                     mechanism=whole(1), records=opposite())  # fmt: skip
    yield from twins(kind, "fourth/np-stored", stored, "stored gradients are summed up", mechanism=poisson())
    yield from twins(kind, "fourth/np-factors", factors, "norms go over the users of a batch", mechanism=poisson(),
                     records=ratings())  # fmt: skip
    yield from twins(kind, "fourth/np-coordinates", coordinates, "errors follow the step before its noise",
                     mechanism=whole(FEATURES, 2.0 * NOISE), records=positive())  # fmt: skip
    yield from twins(kind, "fourth/np-naive-bayes", naive_bayes, "each of six features has the whole budget",
                     claimed=claim(epsilon=1.5))  # fmt: skip
    yield from twins(kind, "fourth/np-whole-counts", whole_counts, "noise is cut to whole numbers",
                     claimed=claim(epsilon=1.0))  # fmt: skip
    yield from _functions()


AUDITS = tuple(_audits())
