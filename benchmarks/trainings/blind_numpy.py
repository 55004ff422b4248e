"""Ten programs in NumPy, each with a twin that has one bug: federated and private-label training, sums with noise that
is correlated by design, and steps on something else than gradients.

They were written by somebody who did not know what the checks see. Each docstring gives the right form, then the bug
and what it does to epsilon or mu.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Iterator
from typing import Any

import numpy as np
from _shared import CLASSES, CLIP_NORM, FEATURES, NOISE, RATE, RECORDS, SIZE, STEPS, table, twins, whole
from numpy.random import default_rng
from numpy_by_hand import Array, clipped, drawn, finite, gradients, released, unit

from dpaudit import Assumptions, Neighbours, Release, Training, claim
from dpaudit.records.privacy import PrivacyClaim
from dpaudit.records.verdict import Outcome


def folds(records: Any, recorder: Any, broken: bool) -> None:
    """Four models, each trained on the records of one of four random parts; their mean leaves too.

    Broken: each is trained on the three other parts, as for cross-validation, and accounted as if the parts were
    disjoint. A record is in three of them: epsilon is 15.9, not 8.0.
    """
    x, y = records
    rng = default_rng(recorder.seed)
    fold = rng.integers(4, size=len(x))
    models = np.zeros((4, FEATURES, CLASSES))
    for number in range(4):
        members = np.flatnonzero((fold != number) if broken else (fold == number))
        for _ in range(STEPS):
            own = gradients(models[number], x[members], y[members])
            models[number] -= 0.5 * released(recorder, rng, clipped(own)) / SIZE
    recorder.output("mean", models.mean(axis=0))


def rest(records: Any, recorder: Any, broken: bool) -> None:
    """Of each noisy update a random half of the coordinates is sent, and the others are set to 0.

    Broken: the others are left as they are, clipped but without noise: epsilon is infinite.
    """
    x, y = records
    rng, weights = default_rng(recorder.seed), np.zeros((FEATURES, CLASSES))
    for _ in range(STEPS):
        members = drawn(rng, recorder, records)
        total = clipped(gradients(weights, x[members], y[members]))
        sent = rng.random(total.shape) < 0.5
        noise = NOISE * CLIP_NORM * rng.normal(size=total.shape)
        noise = noise * sent if broken else noise
        update = recorder.release("update", total, noise, sensitivity=CLIP_NORM, noise_scale=NOISE * CLIP_NORM)
        weights -= 0.5 * (update if broken else update * sent) / SIZE
    recorder.output("weights", weights)


def users(seed: int = 0) -> tuple[Array, Array]:
    """Users with four records each, and one label."""
    rng = default_rng(seed)
    labels = rng.integers(CLASSES, size=RECORDS)
    return rng.normal(size=(RECORDS, 4, FEATURES)) + np.eye(CLASSES, FEATURES)[labels][:, None], labels


def federated(records: Any, recorder: Any, broken: bool) -> None:
    """Each user makes three steps on records of their own, and sends how far they went, clipped to a norm.

    Broken: each of the three steps is clipped to the norm, and their sum is not: noise of 0.4 for 1.2, and epsilon is
    above 20, not 3.1.
    """
    x, y = records
    rng, weights = default_rng(recorder.seed), np.zeros((FEATURES, CLASSES))
    for _ in range(STEPS):
        members = drawn(rng, recorder, records)
        deltas = np.zeros((len(members), FEATURES, CLASSES))
        for place, member in enumerate(members):
            for _ in range(3):
                own = gradients(weights + deltas[place], x[member], np.repeat(y[member], 4)).mean(axis=0)
                own = 2.0 * finite(own)
                deltas[place] -= clipped(own[None]) if broken else own
        total = deltas.sum(axis=0) if broken else clipped(deltas)
        weights += released(recorder, rng, total) / SIZE
    recorder.output("weights", weights)


def restarted(records: Any, recorder: Any, broken: bool) -> None:
    """Prefix sums over four batches, with noise of a binary tree, in each of two passes; a record is in six nodes.

    Broken: the noise of a node is drawn from its place in the tree, and the tree of the second pass has the noise of
    the first one. The difference of two nodes has none: mu is infinite.
    """
    x, y = records
    weights, scale = np.zeros((FEATURES, CLASSES)), math.sqrt(6.0) * NOISE
    for epoch in range(2):
        nodes: dict[tuple[int, int], Array] = {}
        for step, part in enumerate(np.array_split(np.arange(len(x)), 4)):
            members = recorder.batch(part)
            total = clipped(gradients(weights, x[members], y[members]))
            found = []
            for level in range(3):
                place = (level, step >> level)
                nodes[place] = nodes.get(place, np.zeros_like(total)) + total
                if (step + 1) % (1 << level) == 0:
                    rng = default_rng([recorder.seed, 0 if broken else epoch, *place])
                    noise = scale * rng.normal(size=total.shape)
                    found.append(recorder.release(f"node {epoch} {place}", nodes[place], noise, sensitivity=CLIP_NORM,
                                                  noise_scale=scale))  # fmt: skip
            weights = weights - 0.2 * sum(found) / RECORDS
    recorder.output("weights", weights)


def correlated(records: Any, recorder: Any, broken: bool) -> None:
    """One pass in four batches; each step takes 0.9 of the noise of the last one back.

    Over the steps that is noise of `scale` on sums that decay by 0.9 a step, in which a record counts with norm
    (1 + 0.9^2 + 0.9^4 + 0.9^6)^0.5 = 1.73. Broken: noise for a norm of 1, as if steps were apart: mu is 1.73 times as
    large, and epsilon 6.7 for 3.6.
    """
    x, y = records
    rng, weights = default_rng(recorder.seed), np.zeros((FEATURES, CLASSES))
    column = 1.0 if broken else math.sqrt(sum(0.9 ** (2 * k) for k in range(4)))
    last = np.zeros_like(weights)
    for step, part in enumerate(np.array_split(np.arange(len(x)), 4)):
        members = recorder.batch(part)
        total = clipped(gradients(weights, x[members], y[members]))
        fresh = NOISE * column * CLIP_NORM * rng.normal(size=total.shape)
        scale = NOISE * column * CLIP_NORM * (math.sqrt(1.81) if step else 1.0)
        weights -= 0.5 / SIZE * recorder.release("gradient", total, fresh - 0.9 * last, sensitivity=CLIP_NORM,
                                                 noise_scale=scale)  # fmt: skip
        last = fresh
    recorder.output("weights", weights)


def mixture(records: Any, recorder: Any, broken: bool) -> None:
    """A mixture of two normal laws by expectation and maximisation: noisy sums of records of norm at most 1, by how
    much they belong to either. One that is replaced moves the sums by 2.

    Broken: noise for one that comes or goes, by 1: epsilon is 12.3, not 5.3.
    """
    rows, rng = unit(records), default_rng(recorder.seed)
    bound = 1.0 if broken else 2.0
    centres = np.array([[0.1], [0.8]]) * np.eye(2, FEATURES)
    for _ in range(STEPS // 2):
        nearness = np.exp(-((rows[:, None] - centres) ** 2).sum(axis=2) / 0.1)
        belongs = nearness / np.maximum(nearness.sum(axis=1, keepdims=True), 1e-300)
        sums = belongs.T @ rows
        noise = NOISE * bound * rng.normal(size=sums.shape)
        noisy = recorder.release("sums", sums, noise, sensitivity=bound, noise_scale=NOISE * bound)
        centres = noisy / (RECORDS / 2)
    recorder.output("centres", centres)


def losses(weights: Array, x: Array, y: Array) -> Array:
    """Of softmax regression, one a record."""
    scores = finite(x) @ weights
    top = scores.max(axis=1, keepdims=True, initial=-math.inf)
    return np.asarray(np.log(np.exp(scores - top).sum(axis=1)) + top[:, 0] - scores[np.arange(len(y)), y])


def zeroth(records: Any, recorder: Any, broken: bool) -> None:
    """Steps along four public directions, by how much the loss of each record differs on their two sides.

    The four differences of a record are clipped to half of the norm each, and so to the norm together. Broken: to the
    whole norm each, so that it is 2: noise of 0.6 for 1.2, and epsilon is 10, not 3.1.
    """
    x, y = records
    rng, weights = default_rng(recorder.seed), np.zeros((FEATURES, CLASSES))
    bound = CLIP_NORM if broken else CLIP_NORM / 2
    for _ in range(STEPS):
        members = drawn(rng, recorder, records)
        directions = rng.normal(size=(4, FEATURES, CLASSES))
        sides = [
            (losses(weights + 0.5 * one, x[members], y[members]) - losses(weights - 0.5 * one, x[members], y[members]))
            for one in directions
        ]
        total = np.clip(finite(np.array(sides)), -bound, bound).sum(axis=1)
        weights -= 0.1 * np.einsum("k,kij->ij", released(recorder, rng, total), directions) / SIZE
    recorder.output("weights", weights)


def published_seed(records: Any, recorder: Any, broken: bool) -> None:
    """The settings of the run are published with the weights.

    Broken: the seed is among them, and the noise can be drawn again and taken away: epsilon is infinite.
    """
    x, y = records
    seed = int(default_rng(recorder.seed).integers(2**31))
    rng, weights = default_rng(seed), np.zeros((FEATURES, CLASSES))
    for _ in range(STEPS):
        members = drawn(rng, recorder, records)
        weights -= 0.5 * released(recorder, rng, clipped(gradients(weights, x[members], y[members]))) / SIZE
    recorder.output("settings", np.array([0.5, RATE, NOISE, *([seed] if broken else [])]))
    recorder.output("weights", weights)


def flipped(records: Any, seed: int, broken: bool) -> Array:
    """Labels are flipped at random, and the training sees nothing else of them; what leaves is the flipped labels.

    Of three labels the true one stays with probability e/(e + 2). Broken: e/(e + 1), which is right for two: epsilon
    is 1 + log(2) = 1.7, not 1.
    """
    _, y = records
    rng, odds = default_rng(seed), math.exp(1.0)
    stays = rng.random(len(y)) < odds / (odds + (1 if broken else CLASSES - 1))
    moves = rng.integers(1, CLASSES, size=len(y))
    return np.where(stays, y, (y + moves) % CLASSES).astype(float)


def long_or_short(records: Any, seed: int, broken: bool) -> Array:
    """A logistic regression with a penalty, whose minimum moves by at most 2/(n 0.1) when a record of norm 1 is
    replaced, and a vector of noise with a density that falls by e over that length, for epsilon = 1.

    The length of such a vector follows a gamma law of shape 6. Broken: an exponential law, whose density has a pole in
    the middle: epsilon is infinite, and above 5 for events that are not rare.
    """
    rows, labels = unit(records), np.where(records[1] > 0, 1.0, -1.0)
    rng, weights = default_rng(seed), np.zeros(FEATURES)
    for _ in range(60):
        slope = -(labels / (1 + np.exp(labels * (rows @ weights)))) @ rows / RECORDS
        weights = weights - 2.0 * (slope + 0.1 * weights)
    direction = rng.normal(size=FEATURES)
    length = rng.gamma(1 if broken else FEATURES, 2 / (RECORDS * 0.1))
    return weights + length * direction / np.linalg.norm(direction)


def mirrored() -> tuple[Any, Any]:
    """The table with one more of its first feature alone, and the same with that record's opposite in its place."""
    x, y = table()
    x[0], y[0] = np.eye(FEATURES)[0], 1
    other = x.copy()
    other[0] = -x[0]
    return (x, y), (other, y.copy())


def both(name: str, release: Callable[..., Array], bug: str, pair: Any, said: PrivacyClaim) -> Iterator[Release]:
    """The audits of a function that is called once, and of its twin with the bug."""
    yield Release(name, lambda data, seed: release(data, seed, False), pair=pair, claim=said)
    yield Release(f"{name}-broken", lambda data, seed: release(data, seed, True), pair=pair, claim=said, title=bug,
                  effect=bug, expects=Outcome.REFUTED)  # fmt: skip


def _audits() -> Iterator[Any]:
    kind, mu = Training, claim(mu=1 / NOISE)
    by_design = Assumptions(independent_noise=False, shared_generators=True)
    trees = Assumptions(independent_noise=True, shared_generators=True)
    yield from twins(kind, "blind/folds", folds, "a record is in three of four models", mechanism=whole())
    yield from twins(kind, "blind/rest", rest, "what is not sent is left without noise")
    yield from twins(kind, "blind/federated", federated, "local steps are clipped, their sum is not", records=users())
    yield from twins(kind, "blind/restarted", restarted, "two trees have one noise", claimed=mu, assumptions=trees)
    yield from twins(kind, "blind/correlated", correlated, "noise for single steps that is taken back in part",
                     claimed=mu, assumptions=by_design)  # fmt: skip
    yield from twins(kind, "blind/mixture", mixture, "noise for one more record, not for another one",
                     mechanism=whole(STEPS // 2), neighbours=Neighbours.REPLACE_ONE)  # fmt: skip
    yield from twins(kind, "blind/zeroth", zeroth, "four differences have the whole norm each")
    yield from twins(kind, "blind/published-seed", published_seed, "the seed leaves")
    x, y = table()
    said = claim(epsilon=1.0, neighbours=Neighbours.REPLACE_ONE)
    label = (x, y), (x, np.where(np.arange(RECORDS) == 0, (y + 1) % CLASSES, y))
    yield from both("blind/flipped", flipped, "labels stay as often as of two", label, said)
    yield from both("blind/long-or-short", long_or_short, "the length of the noise follows a wrong law",
                    mirrored(), said)  # fmt: skip


AUDITS = tuple(_audits())
