"""Searches for violations where nothing is proved."""

import numpy as np

from dpaudit.accounting.subsampling import symmetrised, theorem_9


def closing_condition(points):
    """The right side of (3.1) over 3.5 alpha tau^2/sigma^2; (alpha, log of sigma^2 over 0.7, tau over the largest)."""
    ratios = []
    for alpha, log_variance, share in points:
        order, variance = round(alpha), 0.7 * float(np.exp(5 * log_variance))
        tau = (1 - 0.99 * share) * float(np.exp(-order)) / (1 + variance)
        ratios.append(float(theorem_9(order, tau, variance)) / (3.5 * order * tau**2 / variance))
    return np.array(ratios)


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
