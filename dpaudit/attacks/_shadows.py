"""What attacks with shadow models share: the shapes of their arguments, and means over models in or out of a record."""

from __future__ import annotations

import numpy as np
from numpy.typing import ArrayLike

from dpaudit.arithmetic.arrays import Array, Flags
from dpaudit.records.errors import ContentError


def checked(target: ArrayLike, shadows: ArrayLike, members: ArrayLike) -> tuple[Array, Array, Flags]:
    """target (..., records), shadows and members (models, records) as arrays; ContentError for anything else."""
    values, others, inside = np.asarray(target, np.float64), np.asarray(shadows, np.float64), np.asarray(members)
    if others.ndim != 2 or values.ndim == 0 or values.shape[-1] != others.shape[1]:
        raise ContentError(
            f"target {values.shape} and shadows {others.shape} must be (..., records), (models, records)"
        )
    if inside.shape != others.shape or inside.dtype != np.bool_:
        raise ContentError(f"members must be booleans of shape {others.shape}, got {inside.dtype} {inside.shape}")
    if not (np.isfinite(values).all() and np.isfinite(others).all()):
        raise ContentError("target and shadows must be finite; bound logits and log-probabilities before")
    return values, others, inside


def group_mean(values: Array, group: Flags, fewest: int, name: str) -> Array:
    """Mean over the models of a record's group, (models, records) -> (records,).

    ContentError for a record with fewer than `fewest` models in its group.
    """
    count = group.sum(axis=0)
    if values.shape[1] and count.min() < fewest:
        raise ContentError(
            f"record {int(count.argmin())} has {int(count.min())} shadow models with it {name}, "
            f"the attack needs {fewest}; train more shadow models"
        )
    return np.asarray(np.where(group, values, 0.0).sum(axis=0) / np.maximum(count, 1), dtype=np.float64)
