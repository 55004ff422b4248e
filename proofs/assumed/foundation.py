"""Spot tests of the named theorems of foundation.toml: one function each, `-` written as `_`.

A spot test tries the theorem numerically where it could fail and returns the largest ratio
left/right that it saw; above 1 (with the stated slack for sampling) the theorem is misquoted.
They are evidence that the theorem is quoted rightly, not a proof of it.
"""

import numpy as np
from scipy import special

RNG_SEED = 20261121


def _normals(*shape):
    return np.random.default_rng(RNG_SEED).standard_normal(shape)


def gaussian_smoothing_gradient():
    """f = |x| with rho = 1: the smoothed gradient 2 Phi(x) - 1 against central differences of the smoothed value."""
    x = np.linspace(-3, 3, 61)
    smoothed = lambda t: t * (2 * special.ndtr(t) - 1) + 2 * np.exp(-t * t / 2) / np.sqrt(2 * np.pi)  # noqa: E731
    slope = (smoothed(x + 1e-5) - smoothed(x - 1e-5)) / 2e-5
    return 1 + np.abs(slope - (2 * special.ndtr(x) - 1)).max() - 1e-8


def tower_property():
    """Finite laws: xi on 5 points, g on 4 points given xi with second moment at most 1, w any function of xi."""
    rng = np.random.default_rng(RNG_SEED)
    worst = 0.0
    for _ in range(200):
        mass, w, g = rng.dirichlet(np.ones(5)), rng.exponential(size=5), rng.standard_normal((5, 4))
        given = rng.dirichlet(np.ones(4), size=5)
        g /= np.sqrt((given * g**2).sum(axis=1).max())
        joint = mass[:, None] * given
        worst = max(worst, float((joint * w[:, None] ** 2 * g**2).sum() / (mass @ w**2)))
    return worst - 1e-12


def segment_jensen():
    """Both sides by quadrature in one dimension, over p and pairs of points in the ball of radius 1/p."""
    x, weights = np.polynomial.hermite_e.hermegauss(150)
    weights = weights / weights.sum()
    worst = 0.0
    for p in (2.0, 2.5, 3.0, 4.0, 7.0):
        for v, y in ((a / p, b / p) for a in np.linspace(-1, 1, 9) for b in np.linspace(-1, 1, 8) if a != b):
            left = (weights * np.abs(np.exp(v * x - v * v / 2) - np.exp(y * x - y * y / 2)) ** p).sum()
            along = v + np.linspace(0, 1, 41)[:, None] * (y - v)
            slope = (y - v) * (x - along) * np.exp(along * x - along**2 / 2)
            worst = max(worst, left / (weights * np.abs(slope) ** p).sum(axis=1).max())
    return worst


def rotation_invariance():
    """<e, xi>/rho for e = (3, 4)/5 and rho = 2: largest gap of the distribution functions over 20,000 draws,
    against 0.02 (Kolmogorov false alarm 2 exp(-2 * 20000 * 0.02^2) = 2e-7)."""
    along = np.sort(2.0 * _normals(20_000, 2) @ np.array([0.6, 0.8]) / 2.0)
    return np.abs(special.ndtr(along) - (np.arange(20_000) + 0.5) / 20_000).max() / 0.02


def monotone_mean():
    """E e^(|z|+1) by quadrature against 2 e^(3/2) Phi(1), and E (|z|+1)^p against its pointwise bound."""
    nodes, weights = np.polynomial.legendre.leggauss(400)
    z, mass = 20 * (nodes + 1), 20 * weights
    density = mass * np.exp(-z * z / 2) / np.sqrt(2 * np.pi)
    whole = 2 * (density * np.exp(z + 1)).sum()
    powers = np.array([2.0, 3.5, 9.0])[:, None]
    ratio = (density * (z + 1) ** powers).sum(axis=1) / (density * powers**powers * np.exp(z + 1 - powers)).sum(axis=1)
    return float(max(ratio.max(), whole / (2 * np.exp(1.5) * special.ndtr(1.0)) - 1e-12))


def binomial_theorem():
    """Integers up to 12."""
    sums = [
        abs(sum((-1) ** q * special.comb(p, q, exact=True) * a ** (p - q) * b**q for q in range(p + 1)) - (a - b) ** p)
        for p in range(13) for a in range(4) for b in range(4)
    ]  # fmt: skip
    return 1.0 + max(sums)


def lyapunov():
    """Random discrete laws."""
    rng = np.random.default_rng(RNG_SEED)
    worst = 0.0
    for _ in range(500):
        z, mass = rng.exponential(size=5), rng.dirichlet(np.ones(5))
        q, p, s = np.sort(rng.uniform(0.5, 8, 3))
        right = (mass @ z**q) ** ((s - p) / (s - q)) * (mass @ z**s) ** ((p - q) / (s - q))
        worst = max(worst, float(mass @ z**p / right))
    return worst - 1e-12


def haar_beta():
    """Squared projections on K = 2 of d = 5 QR-orthonormal directions: largest gap of the distribution
    functions over 20,000 draws, against 0.02 (Kolmogorov false alarm 2 exp(-2 * 20000 * 0.02^2) = 2e-7)."""
    frames, _ = np.linalg.qr(_normals(20_000, 5, 2))
    share = np.sort((frames[:, 0, :] ** 2).sum(axis=1))
    gap = np.abs(special.betainc(1.0, 1.5, share) - (np.arange(20_000) + 0.5) / 20_000).max()
    return gap / 0.02


def union_bound():
    """Random events on 8 points."""
    rng = np.random.default_rng(RNG_SEED)
    mass = rng.dirichlet(np.ones(8), size=200)
    a, b = rng.random((200, 8)) < 0.5, rng.random((200, 8)) < 0.5
    either, both = (mass * (a | b)).sum(axis=1), (mass * a).sum(axis=1) + (mass * b).sum(axis=1)
    return float((either[both > 0] / both[both > 0]).max()) - 1e-12


def renyi_probability_preservation():
    """Random laws on 6 points, all 62 proper events, orders 1.1 to 20."""
    rng = np.random.default_rng(RNG_SEED)
    events = np.array([[(k >> i) & 1 for i in range(6)] for k in range(1, 63)], dtype=float)
    worst = 0.0
    for _ in range(200):
        p, q, alpha = rng.dirichlet(np.ones(6)), rng.dirichlet(np.ones(6)), rng.uniform(1.1, 20)
        moment = (p**alpha * q ** (1 - alpha)).sum() ** (1 / (alpha - 1))
        worst = max(worst, float(((events @ p) / (moment * (events @ q)) ** (1 - 1 / alpha)).max()))
    return worst - 1e-12


def renyi_composition():
    """Adaptive two-step randomised response: the second flip probability depends on the first answer."""

    def divergence(p, q, alpha):
        return np.log((p**alpha * q ** (1 - alpha)).sum()) / (alpha - 1)

    worst = 0.0
    for alpha in (1.5, 2.0, 5.0, 20.0):
        flips = np.array([0.3, 0.4])  # second stage after answer 0 and 1
        first = np.array([0.75, 0.25])
        joint = np.array([[first[i] * f for f in (1 - flips[i], flips[i])] for i in range(2)]).ravel()
        other = np.array([[first[1 - i] * f for f in (flips[i], 1 - flips[i])] for i in range(2)]).ravel()
        stage = max(divergence(np.array([1 - f, f]), np.array([f, 1 - f]), alpha) for f in flips)
        worst = max(worst, divergence(joint, other, alpha) / (divergence(first, first[::-1], alpha) + stage))
    return worst - 1e-12


def gaussian_dp_composition():
    """Two Gaussian steps with shifts 0.6 and 0.8: the likelihood ratio test of the pair has the power of shift 1."""
    alpha = np.linspace(0.01, 0.99, 99)
    # The optimal test adds 0.6 x1 + 0.8 x2, of variance 1 and mean shift 1.
    beta = special.ndtr(special.ndtri(1 - alpha) - np.hypot(0.6, 0.8))
    return float((beta / special.ndtr(special.ndtri(1 - alpha) - 1.0)).max()) - 1e-12


def released_index():
    """A released fair coin in front of N(0,1) against N(1,1): tests with a threshold for each side of the coin
    have no smaller type II error than the best test without the coin at the same type I error."""
    heads, tails = np.meshgrid(np.linspace(-2, 3, 51), np.linspace(-2, 3, 51))
    first = (special.ndtr(-heads) + special.ndtr(-tails)) / 2
    second = (special.ndtr(heads - 1) + special.ndtr(tails - 1)) / 2
    return float((special.ndtr(special.ndtri(1 - first) - 1) / second).max()) - 1e-9


def post_processing():
    """Rounding a pair of discrete laws never raises the total variation."""
    rng = np.random.default_rng(RNG_SEED)
    p, q = rng.dirichlet(np.ones(8), size=100), rng.dirichlet(np.ones(8), size=100)
    before = np.abs(p - q).sum(axis=1)
    after = np.abs((p - q).reshape(100, 4, 2).sum(axis=2)).sum(axis=1)
    return float((after / before).max())


def normal_tail():
    """x from 0 to 37, where both sides are still normal numbers; equality at 0."""
    x = np.linspace(0, 37, 2_000)
    return float((special.ndtr(-x) / (np.exp(-x * x / 2) / 2)).max()) - 1e-12
