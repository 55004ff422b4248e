"""A noisy histogram, correct and with the scale of its noise turned upside down.

One record more or less moves one count by 1, so that Laplace noise of scale 1/epsilon on each count is epsilon-DP.
With scale epsilon the guarantee is 1/epsilon: weaker than claimed for epsilon below 1. Sources: Dwork, McSherry,
Nissim, Smith, "Calibrating noise to sensitivity in private data analysis" (2006); the wrong scale: Ding, Wang, Wang,
Zhang, Kifer, "Detecting violations of differential privacy" (2018), algorithm 10.
"""

from __future__ import annotations

import numpy as np
from numpy.typing import ArrayLike

from dpaudit.arithmetic.arrays import Array
from dpaudit.audit.planted._laplace import laplace
from dpaudit.noise.stream import Trials


def correct(counts: ArrayLike, epsilon: float, trials: Trials) -> Array:
    """Noisy counts (trials, cells) of exact `counts` (cells,); epsilon-DP when a record is added or removed."""
    return _noisy(counts, 1 / epsilon, trials)


def wrong_scale(counts: ArrayLike, epsilon: float, trials: Trials) -> Array:
    """Broken for epsilon < 1: the scale of the noise is epsilon; 1/epsilon-DP."""
    return _noisy(counts, epsilon, trials)


def _noisy(counts: ArrayLike, scale: float, trials: Trials) -> Array:
    exact = np.asarray(counts, dtype=np.float64)
    return exact + scale * laplace(trials, len(exact))
