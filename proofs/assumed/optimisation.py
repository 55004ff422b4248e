"""Spot tests of the named theorems of optimisation.toml; see foundation.py for what they are."""

import numpy as np

RNG_SEED = 20261121


def stopped_supermartingale():
    """Walks on a grid with state-dependent decrease and error, stopped when they first fall below a level: the mean over
    200,000 walks against the bound, with room for four standard errors."""
    rng = np.random.default_rng(RNG_SEED)
    walks = 200_000
    potential, running = np.full(walks, 4.0), np.ones(walks, dtype=bool)
    decrease, error = np.zeros(walks), np.zeros(walks)
    for _ in range(30):
        drop, rise = 0.2 * potential, 0.05 * np.sqrt(potential)
        mean = potential - drop + rise
        decrease += np.where(running, drop, 0.0)
        error += np.where(running, rise, 0.0)
        potential = np.where(running, mean * rng.exponential(size=walks), potential)
        running &= potential > 0.5
    total = potential + decrease
    return float((total.mean() - 4 * total.std() / np.sqrt(walks)) / (4.0 + error.mean()))
