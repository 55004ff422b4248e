"""Spot tests of the named theorems of coupling.toml: one function each, `-` written as `_`.

Each tries the theorem numerically where it could fail and returns the largest ratio
left/right that it saw; above 1 the theorem is misquoted.
"""

import numpy as np

RNG_SEED = 20261121


def minkowski():
    """Random laws of pairs on six points, orders 1 to 12, and a proportional pair, at which equality holds."""
    rng = np.random.default_rng(RNG_SEED)
    worst = 0.0
    for trial in range(500):
        mass, x, m = rng.dirichlet(np.ones(6)), rng.standard_normal(6), rng.uniform(1, 12)
        y = rng.standard_normal(6) if trial % 2 else 2 * x
        left, *right = ((mass @ np.abs(z) ** m) ** (1 / m) for z in (x + y, x, y))
        worst = max(worst, float(left / sum(right)))
    return worst - 1e-12


def subsampled_mixture():
    """Normal laws on the line by quadrature: R = N(0, 1), P and Q with means of distance at most sqrt(2 tau)."""
    x = np.linspace(-12, 12, 4801)
    log_r = -x * x / 2 + np.log((x[1] - x[0]) / np.sqrt(2 * np.pi))
    worst = 0.0
    for tau in (0.1, 0.03, 0.001):
        side = np.sqrt(2 * tau)
        for s in (0.0249, 0.001):
            for a, b in ((1, 0), (0, 1), (1, 0.5), (0.5, -0.5), (-0.5, 0.5)):
                p, q = (np.logaddexp(np.log(s) + c * side * x - (c * side) ** 2 / 2, np.log1p(-s)) for c in (a, b))
                for alpha in (1.01, 2.0, 0.3 / tau):
                    moment = np.exp(log_r + alpha * p + (1 - alpha) * q).sum()
                    worst = max(worst, float(np.log(moment) / (alpha - 1) / (13 * s**2 * alpha * tau)))
    return worst
