"""The gradient canary: how far noisy gradients point along the gradient of a crafted record.

A record whose clipped gradient is known and is at right angles to all others moves a noisy gradient along one direction
only. The inner product with it keeps all that the release tells about the record (it is a monotone function of the
likelihood ratio for Gaussian noise).

Scores: how far each released gradient points along that of the canary; the `score` of a target adds up the steps.

Finds: a canary that moves the releases by more than is accounted for: too little noise, a wrong sensitivity, a gradient
that is not clipped.

Cannot find: leaks in any other direction, and what other records than the canary do.

Needs: every released gradient, the clipped gradient of the canary, and noise that is about Gaussian to be the best
test. No held-out trials.

Costs: one inner product a step.

Competes: never by itself: it is a function that the `score` of a target file calls.

Source: Nasr et al., "Tight auditing of differentially private machine learning" (2023), section 4.
"""

from __future__ import annotations

import numpy as np
from numpy.typing import ArrayLike

from dpaudit.arithmetic.arrays import Array


def canary_inner_product(gradients: ArrayLike, canary: ArrayLike) -> Array:
    """Inner product of each step's released gradient with the canary's; (trials, steps, d) -> (trials, steps).

    canary: the clipped gradient of the canary in the units of `gradients`, shape (d,),
    (steps, d) or (trials, steps, d), as far as the adversary can compute it.
    """
    released = np.asarray(gradients, dtype=np.float64)
    return np.asarray((released * np.asarray(canary, dtype=np.float64)).sum(axis=-1), dtype=np.float64)
