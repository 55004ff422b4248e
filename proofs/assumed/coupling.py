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
