"""The loss threshold: members of the training set are fitted better than others.

One cut for all records, so that hard members and easy non-members are mixed up; attacks with shadow models (`lira`,
`rmia`) put each record on a scale of its own, and are measured against this one.

Scores: minus the loss of a record.

Finds: models that fit members of their training set visibly better than others.

Cannot find: members that are hard to fit, beside non-members that are easy: one cut serves all records.

Needs: the loss of each record under the attacked model. No shadow models.

Costs: nothing beside the losses.

Competes: never in a game on two data sets: it scores the records of one training. `dpaudit.audit.membership` measures
the other attacks against it.

Source: Yeom, Giacomelli, Fredrikson, Jha, "Privacy risk in machine learning" (2018), adversary 2.
"""

from __future__ import annotations

import numpy as np
from numpy.typing import ArrayLike

from dpaudit.arithmetic.arrays import Array
from dpaudit.records.errors import ContentError


def loss_threshold(losses: ArrayLike) -> Array:
    """Minus the loss of each record under the model that is attacked, same shape: larger looks like a member.

    An infinite loss is a score like any other; ContentError for NaN.
    """
    values = np.asarray(losses, dtype=np.float64)
    if np.isnan(values).any():
        raise ContentError(f"{int(np.isnan(values).sum())} of {values.size} losses are NaN")
    return np.asarray(-values, dtype=np.float64)
