"""Report noisy max, correct and with its noisy maximum released.

Noise of scale 2/epsilon on each answer of sensitivity 1; the index of the largest noisy answer is epsilon-DP. The
noisy maximum itself is not: where all answers move together, it moves with them, and each of them testifies.
Sources: Dwork, Roth, "The algorithmic foundations of differential privacy" (2014), claim 3.9; with the value: Ding,
Wang, Wang, Zhang, Kifer, "Detecting violations of differential privacy" (2018), algorithms 7 and 8 (v1b, v2b).
"""

from __future__ import annotations

from collections.abc import Callable

import numpy as np
from numpy.typing import ArrayLike

from dpaudit.arithmetic.arrays import Array, Integers
from dpaudit.audit.planted._laplace import exponential, laplace
from dpaudit.noise.stream import Trials

Run = Callable[[ArrayLike, float, Trials], Array]


def index(answers: ArrayLike, epsilon: float, trials: Trials) -> Integers:
    """Correct: the position of the largest noisy answer; answers (queries,) -> (trials,)."""
    return np.asarray(np.argmax(_noisy(answers, epsilon, laplace, trials), axis=1), dtype=np.int64)


def value(answers: ArrayLike, epsilon: float, trials: Trials) -> Array:
    """Broken: the largest noisy answer itself, Laplace noise; (trials,)."""
    return np.asarray(_noisy(answers, epsilon, laplace, trials).max(axis=1), dtype=np.float64)


def value_exponential(answers: ArrayLike, epsilon: float, trials: Trials) -> Array:
    """Broken: the largest noisy answer itself, exponential noise, which never falls below the answer; (trials,)."""
    return np.asarray(_noisy(answers, epsilon, exponential, trials).max(axis=1), dtype=np.float64)


BROKEN: dict[str, Run] = {"noisy max v1b": value, "noisy max v2b": value_exponential}


def _noisy(answers: ArrayLike, epsilon: float, noise: Callable[[Trials, int], Array], trials: Trials) -> Array:
    exact = np.asarray(answers, dtype=np.float64)
    return exact + 2 / epsilon * noise(trials, len(exact))
