"""The likelihood ratio attack (LiRA): each record is judged by shadow models trained with and without it.

The confidence of a model in a record, log p - log(1 - p) with p the probability of its label, is about normal over
models. Online: shadow models with and without the record give both laws, the score is the log-likelihood ratio.
Offline: models without it alone, the score says how far the confidence lies above their law. With few shadow models a
variance for each record is noisy, and one for all records is better; with 64 or more of each kind its own is better.
The attack is a heuristic test: it assumes nothing that a bound on epsilon would inherit.

Scores: how much likelier the confidence of a model in a record is under models with the record than under those without
it; offline, how far it lies above those without it.

Finds: records that a model remembers: membership in the training set, read off the outputs of the model alone.

Cannot find: leaks that do not show in the confidence of the record itself; a release that is no model with classes.

Needs: shadow models, trained with and without each record, as the attacked one is (`online`), or only without it
(`offline`). No held-out trials of a game.

Costs: the training of the shadow models, which are as dear as the attacked one; the score itself costs nothing beside
that.

Competes: never in a game on two data sets: it scores the canaries of one training. `dpaudit.audit.membership` uses it,
and with it `audits/one_run/digits.py`.

Source: Carlini, Chien, Nasr, Song, Terzis, Tramer, "Membership inference attacks from first principles" (2022),
algorithm 1 and section V.
"""

from __future__ import annotations

import numpy as np
from numpy.typing import ArrayLike

from dpaudit.arithmetic.arrays import Array, Flags
from dpaudit.attacks._shadows import checked, group_mean
from dpaudit.records.errors import ConfigurationError, ContentError

VARIANCES = ("fixed", "per-example")
"""One variance for all records, or one for each."""

_SMALLEST_SCALE = 1e-9


def confidence(logits: ArrayLike, labels: ArrayLike) -> Array:
    """log p - log(1 - p) of each record's label; (..., records, classes), (records,) -> (..., records).

    At least 2 classes; the logits must be finite. It is the logit of the label less the log-sum-exp of the others,
    so that nothing is lost where p rounds to 0 or 1.
    """
    values, wanted = np.asarray(logits, dtype=np.float64), np.asarray(labels, dtype=np.int64)
    if values.ndim < 2 or wanted.shape != values.shape[-2:-1] or values.shape[-1] < 2:
        raise ContentError(
            f"logits {values.shape} and labels {wanted.shape} must be (..., records, classes), (records,)"
        )
    if not np.isfinite(values).all():
        raise ContentError("logits must be finite")
    own = np.arange(values.shape[-1]) == wanted[:, None]
    others = np.where(own, -np.inf, values)
    top = others.max(axis=-1)
    rest = top + np.log(np.exp(others - top[..., None]).sum(axis=-1))
    return np.asarray(np.where(own, values, 0.0).sum(axis=-1) - rest, dtype=np.float64)


def online(target: ArrayLike, shadows: ArrayLike, members: ArrayLike, variance: str = "fixed") -> Array:
    """Log-likelihood ratio of "trained with the record" against "without"; (..., records) -> (..., records).

    target: confidences under the attacked models; shadows: under the shadow models, (models, records); members: who was
    trained with which record, booleans of the same shape. All finite. Each record needs a shadow model with it and one
    without, two of each for `variance="per-example"`. Raises ContentError, ConfigurationError for the variance.
    """
    values, others, inside = checked(target, shadows, members)
    mean_in, scale_in = _law(others, inside, variance, "in")
    mean_out, scale_out = _law(others, ~inside, variance, "out")
    ratio = ((values - mean_out) / scale_out) ** 2 / 2 - ((values - mean_in) / scale_in) ** 2 / 2
    return np.asarray(ratio + np.log(scale_out / scale_in), dtype=np.float64)


def offline(target: ArrayLike, shadows: ArrayLike, members: ArrayLike, variance: str = "fixed") -> Array:
    """Standard deviations by which the confidence exceeds that of models without the record; (..., records) -> same.

    Arguments as for `online`; only shadow models without a record are used, and they may have been trained before the
    record was known. A monotone function of one minus the p-value that Carlini et al. state.
    """
    values, others, inside = checked(target, shadows, members)
    mean, scale = _law(others, ~inside, variance, "out")
    return np.asarray((values - mean) / scale, dtype=np.float64)


def _law(values: Array, group: Flags, variance: str, name: str) -> tuple[Array, Array]:
    """Mean and standard deviation over the models of the group, for each record."""
    if variance not in VARIANCES:
        raise ConfigurationError(f"variance must be one of {', '.join(VARIANCES)}, got {variance!r}")
    own = variance == "per-example"
    mean = group_mean(values, group, 2 if own else 1, name)
    squares = np.where(group, (values - mean) ** 2, 0.0)
    freedom = group.sum(axis=0) - 1
    if own:
        found = squares.sum(axis=0) / np.maximum(freedom, 1)
    else:
        found = np.full(len(mean), squares.sum() / max(int(freedom.sum()), 1))
    return mean, np.sqrt(np.maximum(found, _SMALLEST_SCALE**2))
