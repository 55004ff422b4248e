"""Releases of opake, one a line: a worker for `dpaudit.adapters.command`, run by a Python that has opake-dpftrl.

    python _worker.py NAME

NAME is a strategy below. Each release takes what one record adds to the gradient sum of every step, and the generator
that stands for the key; it calls the public API as its documentation shows, and returns the noisy sums times the public
matrix of the strategy, in which the noise of every step is a number of its own, and beside them what that matrix makes
of the record that is audited. Nothing here knows of dpaudit.
"""

import sys
from pathlib import Path

import numpy as np
import torch
from opake.dpftrl.noise import (
    band_mf_strategy,
    bisr_strategy,
    blt_strategy,
    bsr_strategy,
    identity_strategy,
    lambda_cgd_strategy,
    mf_gaussian_noise,
)
from opake.random import key
from opake.types import ClippedPytree

sys.path.insert(0, str(Path(__file__).resolve().parents[1] / "_shared"))
from _answers import answer

STEPS, APART, TIMES, NOISE = 16, 4, 4, 4.0
STRATEGIES = {
    "band_mf": lambda: band_mf_strategy(bands=4),
    "blt": blt_strategy,
    "bsr": lambda: bsr_strategy(bandwidth=4, alpha=1.0, beta=0.0),
    "bisr": lambda: bisr_strategy(bandwidth=4),
    "lambda_cgd": lambda: lambda_cgd_strategy(lambda_=0.5),
    "identity": identity_strategy,
    "one_band": lambda: band_mf_strategy(bands=1),
}
RECORD = (np.arange(STEPS) % APART == 0).astype(float)
"""What the record that is audited adds to each step."""
SCHEMA = {"n_steps": STEPS, "min_sep": APART, "max_participations": TIMES}


def matrix(strategy):
    """The strategy matrix, (steps, steps): lower triangular and Toeplitz; columns are normalised if it says so."""
    first = np.asarray(strategy.coefficients(**SCHEMA), dtype=float)
    first = np.pad(first, (0, max(0, STEPS - len(first))))[:STEPS]
    made = sum(np.diag(np.full(STEPS - lag, first[lag]), -lag) for lag in range(STEPS))
    return made / np.linalg.norm(made, axis=0) if getattr(strategy, "normalized", False) else made


def releases(strategy):
    """The release of a strategy."""
    encoder = matrix(strategy)

    def release(rng, gradients):
        template = torch.zeros(1)
        seed = int(rng.randint(0, 2**31 - 1))
        add_noise, state = mf_gaussian_noise(template, strategy, noise_multiplier=NOISE, key=key(seed), **SCHEMA)
        noisy = np.empty(STEPS)
        for step in range(STEPS):
            clipped = ClippedPytree(torch.tensor([gradients[step]], dtype=torch.float32), 1.0)
            found, state = add_noise(clipped, state)
            noisy[step] = float(found.pytree[0])
        return np.concatenate([encoder @ noisy, encoder @ RECORD])

    return release


if __name__ == "__main__":
    torch.set_num_threads(1)
    answer(releases(STRATEGIES[sys.argv[1]]()))
