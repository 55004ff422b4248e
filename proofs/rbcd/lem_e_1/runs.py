"""One epoch for quadratic losses, exactly: the first two moments of every coordinate have a closed recursion."""

import numpy as np

from dpaudit.claims.writing import *


def _epoch(curvature, smooth, share, spread, start, steps):
    """E f(w^1) - f* for f = sum of curvature z^2/2 and theta_j <- theta_j - (grad_j f + eta_j)/smooth_j with the
    probability share_j: the second moment of the mean of theta^1, ..., theta^K, coordinate by coordinate."""
    left = 1 - curvature / smooth
    kept = 1 - share * curvature / smooth
    second, total, crossed = start**2, 0.0, 0.0
    for _ in range(steps):
        crossed = kept * (crossed + second) if np.ndim(total) else np.zeros_like(second)
        second = (1 - share) * second + share * (left**2 * second + (spread / smooth) ** 2)
        total = total + second + 2 * crossed
    return float((curvature / 2 * total).sum() / steps**2)


def _bounds(stream, trials, with_gap):
    rng, ratios = np.random.default_rng(stream.seeds(np.array([0]))), []
    for trial in range(trials):
        d, steps = 1 + trial % 3, int(rng.integers(1, 12)) if trial % 4 else 1
        smooth, share = rng.uniform(0.1, 3, d), np.ones(d) if trial % 2 else rng.dirichlet(np.ones(d))
        curvature = smooth * (1.0 if trial % 5 == 0 else rng.uniform(0, 1, d))
        spread, start = rng.exponential(size=d) * (trial % 3 != 0), rng.normal(size=d) * (trial % 7 != 0)
        distance, gap = (smooth / share * start**2).sum(), (curvature * start**2).sum() / 2
        bound = (distance + 2 * gap * with_gap) / (2 * steps) + (spread**2 / smooth).sum()
        ratios.append(_epoch(curvature, smooth, share, spread, start, steps) / bound if bound > 0 else 0.0)
    return np.array(ratios)


def epoch_ratio(stream, trials):
    """The gap after an epoch by the bound of Lemma E.1."""
    return _bounds(stream, trials, 1)


def sharper_ratio(stream, trials):
    """The same by the bound of Lemma E.1~sharper."""
    return _bounds(stream, trials, 0)
