"""What a mechanism allows those who guess whether one record is in: its curve in that one order, and its noise changed.

A guarantee holds for both orders of two neighbours, so that its curve is its own mirror image. A Poisson sample tells
less of a record that is out than of one that is in: its two orders have curves of their own (Zhu, Dong, Wang 2022,
theorem 11), and whoever knows which side has the record may use the one that is meant. Composition keeps the order.

Lines bound the curve from above: with the record in on the side that counts as positive,

    true positive rate <= e^epsilon * false positive rate + delta(in, out)(epsilon)
    true positive rate <= 1 - e^-epsilon * (1 - false positive rate - delta(out, in)(epsilon))

at every epsilon >= 0, with each delta rounded up.
"""

from __future__ import annotations

import math
from dataclasses import replace
from functools import lru_cache

import numpy as np

from dpaudit.accounting.composition import flattened, gaussian_parameter, loss_parts
from dpaudit.accounting.loss_distributions import composed_deltas
from dpaudit.records.errors import ContentError
from dpaudit.records.mechanism import Composed, Gaussian, Laplace, Mechanism, PoissonSampled, SelfComposed

Line = tuple[float, float]
"""Slope and value at 0 of a bound on the true positive rate."""

_EPSILONS = np.concatenate([np.linspace(0.0, 1.0, 41), np.geomspace(1.05, 30.0, 60)])
_SUM_OF_TAILS = 1e-5


def with_leak(mechanism: Mechanism, leak: float) -> Mechanism:
    """`mechanism` with every noise multiplier divided by `leak` > 0: twice the leak is half of the noise.

    Mechanisms with a larger leak allow more: the noise of a smaller one is theirs and some more, which is
    post-processing. ContentError for what has no noise multiplier.
    """
    match mechanism:
        case Gaussian(multiplier) | Laplace(multiplier):
            return replace(mechanism, noise_multiplier=multiplier / leak)
        case PoissonSampled(_, inner) | SelfComposed(inner, _):
            return replace(mechanism, mechanism=with_leak(inner, leak))
        case Composed(parts):
            return Composed(tuple(with_leak(part, leak) for part in parts))
    raise ContentError(f"{type(mechanism).__name__} has no noise multiplier that could be another")


@lru_cache(maxsize=1024)
def inclusion_lines(mechanism: Mechanism) -> tuple[Line, ...]:
    """Lines above the curve of one record in (positive) against out, for add-or-remove; (0, 1) bounds every curve.

    Of Gaussian and Laplace mechanisms, Poisson samples of them and compositions. A Gaussian composition that is not
    sampled has an exact curve: `gaussian_parameter` gives its mu, and here it raises ContentError.
    """
    if gaussian_parameter(mechanism) is not None:
        raise ContentError("a Gaussian mechanism has the exact curve of its mu; lines are for what is sampled")
    orders = loss_parts(flattened(mechanism), _SUM_OF_TAILS, upper=True)
    forward, reverse = (composed_deltas(parts, _EPSILONS).tolist() for parts in (orders[0], orders[-1]))
    return (
        *((math.exp(epsilon), delta) for epsilon, delta in zip(_EPSILONS.tolist(), forward, strict=True)),
        *(
            (math.exp(-epsilon), 1 - math.exp(-epsilon) * (1 - delta))
            for epsilon, delta in zip(_EPSILONS.tolist(), reverse, strict=True)
        ),
    )
