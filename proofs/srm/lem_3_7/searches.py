"""A search for violations at real orders."""

import numpy as np

from dpaudit.accounting.subsampling import symmetrised


def real_orders_above_two(stream, trials):
    """What no pair exceeds (`symmetrised`) over 3.5 alpha tau^2/sigma^2, at the largest rate of (3.2)."""
    rng = np.random.default_rng(stream.seeds(np.array([0])))
    ratios = []
    for order, spread in zip(2 + 38 * rng.random(trials) ** 3, rng.random(trials), strict=True):
        variance = 0.7 * float(np.exp(4 * spread))
        tau = float(np.exp(-1.5 * (order - 1) / variance)) / (order * (1 + variance))
        if tau > 1e-8:  # smaller rates need more than n = 10^8 records
            ratios.append(float(symmetrised(float(order), tau, variance)) / (3.5 * order * tau**2 / variance))
    return np.array(ratios)
