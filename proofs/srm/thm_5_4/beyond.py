"""Beyond the conditions of Theorem 5.1: is the bound of Lemma 3.7 itself false there?"""

import numpy as np

from dpaudit.accounting.subsampling import line
from dpaudit.claims.writing import *


def sampled_steps(stream, trials):
    """D_alpha((1 - tau) N(0, s) + tau N(1, s) || N(0, s)) over 3.5 alpha tau^2/s for zeta of (2.22), C_9 = 1, G = L =
    D_F = d = 1 and beta = 1/2, where no n meets the order condition: n from 10^4 to 10^10, integers alpha <= 60."""
    rng = np.random.default_rng(stream.seeds(np.array([0])))
    ratios = []
    for _ in range(trials):
        alpha, size, eps = int(rng.integers(2, 61)), 10 ** rng.uniform(4, 10), rng.uniform(0.05, 1)
        zeta = ((alpha - 1) / 2 * eps / (size * eps) ** 2) ** (1 / 3)
        steps, rate = np.floor(4 / zeta**2) + 1, 1 / (zeta * size)
        variance = 7 * rate**2 * steps * alpha / eps
        ratios.append(float(line(alpha, rate, variance)) / (3.5 * alpha * rate**2 / variance))
    return np.array(ratios)


BEYOND = (
    Step(
        "privacy-beyond",
        "the privacy of one step, beta eps/T, for the parameters of Theorem 5.4 where the order condition fails: the "
        "Renyi divergence of order alpha of a sampled Gaussian, (1 - tau) N(0, s) + tau N(1, s) against N(0, s) with "
        "s = sigma'^2, which neighbouring data attain, is 1/7 of it. So the conditions fail, and not, as far as this "
        "shows, the privacy. A lemma for large sigma'^2 would settle it: Theorem 9 of Wang et al. (2019), by which "
        "Lemma 3.7 is shown, has terms of third order in tau that no sigma'^2 makes small",
        None,
        kind=ClaimKind.DIVERGENCE,
        empirical=(Search("sampled_steps", near_miss=0.14, trials=400),),
        expects=Outcome.CONSISTENT,
    ),
)
