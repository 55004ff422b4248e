"""The sparse vector technique, correct and in four published forms that are not private.

Each query answer, of sensitivity 1, is compared with a noisy threshold; only "above" or "below" is released, until
`most_positives` answers were above. The correct form splits epsilon in half: Laplace(2/epsilon) on the threshold,
Laplace(4 most_positives/epsilon) on each answer. Sources: Lyu, Su, Li, "Understanding the sparse vector technique for
differential privacy" (2017), algorithm 1 (correct) and figure 1 for the others; iSVT1 to iSVT4 are their names in
Ding et al., "Detecting violations of differential privacy" (2018).
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass

import numpy as np
from numpy.typing import ArrayLike

from dpaudit.arithmetic.arrays import Array, Integers
from dpaudit.audit.planted._laplace import laplace
from dpaudit.noise.stream import Trials

NOT_ASKED, BELOW, ABOVE = -1, 0, 1
"""Codes of an answer: the run had stopped before it, or what was said of it."""


@dataclass(frozen=True)
class SparseVector:
    """threshold: before noise; threshold_scale > 0 and query_scale >= 0: Laplace scales (0: no noise); most_positives:
    answers above the threshold after which the run stops, None: never; reveals: the noisy answer is released too.
    """

    threshold: float
    threshold_scale: float
    query_scale: float
    most_positives: int | None
    reveals: bool = False

    def run(self, answers: ArrayLike, trials: Trials) -> Integers | Array:
        """Codes (trials, queries) of exact `answers` (queries,); with `reveals` the released values follow, 0 where
        there is none, shape (trials, 2 queries).
        """
        noise = laplace(trials, 1 + len(np.asarray(answers)))
        noisy = np.asarray(answers, dtype=np.float64) + self.query_scale * noise[:, 1:]
        above = noisy >= self.threshold + self.threshold_scale * noise[:, :1]
        codes = above.astype(np.int64)
        if self.most_positives is not None:
            codes[np.cumsum(above, axis=1) - above >= self.most_positives] = NOT_ASKED
        return np.concatenate([codes, np.where(codes == ABOVE, noisy, 0.0)], axis=1) if self.reveals else codes


Form = Callable[[float, int, float], SparseVector]
"""(epsilon that is claimed, most_positives, threshold) -> the mechanism."""


def correct(epsilon: float, most_positives: int, threshold: float) -> SparseVector:
    """epsilon-DP (Lyu, Su, Li 2017, theorem 2)."""
    return SparseVector(threshold, 2 / epsilon, 4 * most_positives / epsilon, most_positives)


def no_query_noise(epsilon: float, most_positives: int, threshold: float) -> SparseVector:
    """iSVT1 (their algorithm 5): exact answers against a noisy threshold, without end; no epsilon at all holds."""
    return SparseVector(threshold, 2 / epsilon, 0.0, None)


def no_cap(epsilon: float, most_positives: int, threshold: float) -> SparseVector:
    """iSVT2 (algorithm 6): query noise that does not grow with the positives, and no end to them."""
    return SparseVector(threshold, 2 / epsilon, 2 / epsilon, None)


def noise_for_one_positive(epsilon: float, most_positives: int, threshold: float) -> SparseVector:
    """iSVT3 (algorithm 4): query noise 4/(3 epsilon) whatever `most_positives`; (1 + 6 most_positives)/4 epsilon-DP."""
    return SparseVector(threshold, 4 / epsilon, 4 / (3 * epsilon), most_positives)


def reveals_answer(epsilon: float, most_positives: int, threshold: float) -> SparseVector:
    """iSVT4 (algorithm 3): the noisy answer that was compared is released, which gives the noisy threshold away."""
    return SparseVector(threshold, 2 / epsilon, 2 * most_positives / epsilon, most_positives, reveals=True)


BROKEN: dict[str, Form] = {
    "iSVT1": no_query_noise,
    "iSVT2": no_cap,
    "iSVT3": noise_for_one_positive,
    "iSVT4": reveals_answer,
}
