"""Spot tests of the theorems of subsampling.toml."""

import numpy as np
from scipy import special

RNG_SEED = 20261125


def subsampled_renyi():
    """The pair that replace-one sampling realises, (1-tau) N(0,s) + tau N(1,s) against N(0,s), has a closed form at
    integer orders."""
    worst = 0.0
    for order, rate, s in ((2, 0.05, 0.7), (3, 0.02, 1.0), (8, 0.01, 4.0), (2, 0.5, 2.0), (20, 0.01, 10.0)):
        k = np.arange(order + 1)
        pair = special.xlogy(k, rate) + special.xlog1py(order - k, -rate) + k * (k - 1) / (2 * s)
        true = special.logsumexp(np.log(special.binom(order, k)) + pair)
        j = k[3:]
        tail = (rate**j * special.binom(order, j) * 2 * np.exp(j * (j - 1) / (2 * s))).sum()
        second = rate**2 * special.binom(order, 2) * min(4 * np.expm1(1 / s), 2 * np.exp(1 / s))
        worst = max(worst, float(true / np.log1p(second + tail)))
    return worst


def renyi_of_mixtures():
    """Random laws on 6 points: a mixture of two pairs against the larger divergence; orders in pairs."""
    rng = np.random.default_rng(RNG_SEED)

    def divergence(p, q, alpha):
        return np.log((p**alpha * q ** (1 - alpha)).sum()) / (alpha - 1)

    worst = 0.0
    for _ in range(300):
        p, q, r, t = rng.dirichlet(np.ones(6), size=4)
        weight, alpha = rng.uniform(), rng.uniform(1.1, 10)
        mixed = divergence(weight * p + (1 - weight) * r, weight * q + (1 - weight) * t, alpha)
        worst = max(worst, mixed / max(divergence(p, q, alpha), divergence(r, t, alpha)))
        worst = max(worst, divergence(p, q, alpha) / divergence(p, q, alpha + rng.uniform(0.1, 5)))
    return worst
