"""Spot tests of the named theorems of concentration.toml: one function each, `-` written as `_`.

Each tries the theorem numerically where it could fail and returns the largest ratio
left/right that it saw; above 1 the theorem is misquoted.
"""

import math

import numpy as np
from scipy import special, stats

RNG_SEED = 20261121


def markov_inequality():
    """Random laws on ten points, and the two-point law at which equality holds."""
    rng = np.random.default_rng(RNG_SEED)
    worst = 1.0  # the point mass at t
    for _ in range(500):
        mass, value, t = rng.dirichlet(np.ones(10)), rng.exponential(size=10), rng.exponential()
        worst = max(worst, float(mass[value >= t].sum() / (mass @ value / t)))
    return worst


def binomial_chernoff():
    """k up to 300, a = 51/100, p in [2/3, 1), s in (0, 1)."""
    k = np.arange(1, 301)[:, None, None]
    p, s = np.array([2 / 3, 0.75, 0.9])[None, :, None], np.array([0.1, 0.3, 0.52, 0.7, 1.0])[None, None, :]
    tail = special.bdtr(np.ceil(0.51 * k - 1e-9) - 1, k, p)
    return float((np.nan_to_num(tail) / (s**-0.51 * (1 - p + p * s)) ** k).max())


def binomial_upper_chernoff():
    """Bin(k, q) for k up to 200 at every m from the mean on."""
    worst = 0.0
    for k in (1, 2, 5, 20, 200):
        for q in (0.01, 0.1, 0.5):
            m = np.arange(max(1, int(np.ceil(k * q))), k + 1)
            worst = max(worst, float((special.bdtrc(m - 1, k, q) / (np.e * k * q / m) ** m).max()))
    return worst


def strong_convexity_growth():
    """F(x) = |x|_1 + <b, x> + (lambda/2)|x|^2 on the unit ball of the plane: random feasible x against the best of
    a fine polar grid, whose own error is allowed for."""
    rng = np.random.default_rng(RNG_SEED)
    radius, angle = np.meshgrid(np.linspace(0, 1, 401), np.linspace(0, 2 * np.pi, 1601))
    grid = np.stack([radius * np.cos(angle), radius * np.sin(angle)], axis=-1).reshape(-1, 2)
    worst = 0.0
    for lam in (0.3, 1.0, 4.0):
        slope = rng.normal(size=2) * 3

        def value(x, lam=lam, slope=slope):
            return np.abs(x).sum(axis=-1) + x @ slope + lam / 2 * (x**2).sum(axis=-1)

        best = grid[value(grid).argmin()]
        x = rng.normal(size=(2000, 2))
        x /= np.maximum(1.0, np.sqrt((x**2).sum(axis=1, keepdims=True)))
        growth = lam / 2 * ((x - best) ** 2).sum(axis=1)
        worst = max(worst, float((growth / (value(x) - value(best) + 0.03)).max()))
    return worst


def odd_map_keeps_mean():
    """The law of x with atoms at -3, -1, 1, 3, clipped to [-2, 2], twice with noise +-1 between: its mean."""
    law = {-3.0: 0.25, -1.0: 0.25, 1.0: 0.25, 3.0: 0.25}
    for _ in range(2):
        noisy: dict[float, float] = {}
        for x, mass in law.items():
            for step in (-1.0, 1.0):
                y = min(max(x, -2.0), 2.0) + step
                noisy[y] = noisy.get(y, 0.0) + mass / 2
        law = noisy
    return 1.0 + abs(sum(x * mass for x, mass in law.items()))


def phased_erm():
    """Linear losses -<s, x> with s of mean g, exact phases (v_i = 0) and x_0 at distance R of y on the sphere: the
    excess risk of the phases against |x_0 - y|^2/(eta_1 n_1) + 2 L^2 sum of eta_i."""
    rng = np.random.default_rng(RNG_SEED)
    worst = 0.0
    for n in (16, 64, 256):
        eta, excess = 1.0 / np.sqrt(n), []
        for _ in range(400):
            x, phases = 0.0, int(np.log2(n))
            for i in range(1, phases + 1):
                batch, step = n >> i, eta * 4.0**-i
                mean = rng.choice([-1.0, 1.0], size=batch, p=[0.45, 0.55]).mean()
                x = min(max(x + mean * step * batch / 2, -1.0), 1.0)
            excess.append(0.1 - 0.1 * x)
        bound = 1.0 / (eta / 4 * (n / 2)) + 2 * sum(eta * 4.0**-i for i in range(1, int(np.log2(n)) + 1))
        worst = max(worst, float(np.mean(excess)) / bound)
    return worst


def matrix_laplace():
    """Y_k = e_k A with fair signs e_k, A diagonal or a dilation: the largest eigenvalue of the sum is
    |A| |e_1 + ... + e_K|, held against 2 exp(-theta t) cosh(theta)^K for |A| = 1 in two dimensions, at every t and some
    theta."""
    worst = 0.0
    for k in (1, 2, 5, 20):
        heads = np.arange(k + 1)
        size, mass = np.abs(2 * heads - k), special.comb(k, heads) / 2.0**k
        for theta in (0.05, 0.2, 0.5, 1.0, 2.0):
            for t in range(k + 1):
                worst = max(worst, float(mass[size >= t].sum() / (2 * np.exp(-theta * t) * np.cosh(theta) ** k)))
    return worst


def empirical_bernstein():
    """Coins, all of their counts: how often the mean lies above the limit, by d; n = 2 to 400 and d = 0.05 to 0.9."""
    worst = 0.0
    for n in (2, 10, 50, 200, 400):
        heads = np.arange(n + 1)
        mean = heads / n
        variance = heads * (n - heads) / (n * (n - 1))
        for d in (0.05, 0.3, 0.9):
            log = math.log(2 / d)
            limit = mean + np.sqrt(2 * variance * log / n) + 7 * log / (3 * (n - 1))
            for p in np.linspace(0.001, 0.999, 999):
                worst = max(worst, float(stats.binom.pmf(heads[limit < p], n, p).sum()) / d)
    return worst
