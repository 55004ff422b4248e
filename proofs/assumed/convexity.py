"""Spot tests of the named theorems of convexity.toml: one function each, `-` written as `_`.

A spot test tries the theorem numerically where it could fail and returns the largest ratio
left/right that it saw; above 1 (with the stated slack for sampling) the theorem is misquoted.
They are evidence that the theorem is quoted rightly, not a proof of it.
"""

import numpy as np

RNG_SEED = 20261121


def _generator():
    return np.random.default_rng(RNG_SEED)


def _onto(points, radius):
    """Nearest points of the ball around 0 intersected with the orthant, by projecting on the orthant first."""
    inside = np.maximum(points, 0.0)
    lengths = np.linalg.norm(inside, axis=-1, keepdims=True)
    return inside * np.minimum(1.0, radius / np.maximum(lengths, 1e-300))


def projection_onto_a_convex_set():
    """The part of a ball in an orthant of R^3: 4,000 pairs of points, and comparators of the set."""
    rng = _generator()
    x, y = 2 * rng.normal(size=(4_000, 3)), 2 * rng.normal(size=(4_000, 3))
    p, q, u = _onto(x, 1.0), _onto(y, 1.0), _onto(rng.normal(size=(4_000, 3)), 1.0)
    obtuse = ((x - p) * (u - p)).sum(axis=1).max()
    length = lambda v: np.linalg.norm(v, axis=1)  # noqa: E731
    pairs = ((p - u, x - u), (p - x, u - x), (p - q, x - y))
    return float(max([(length(a) / length(b)).max() for a, b in pairs] + [1 + obtuse])) - 1e-12


def first_order_optimality():
    """F = max of three linear functions on the interval [-1, 1], psi = (x - c)^2: the minimiser of a fine grid
    against the slopes of F on both sides of it; the ratio is the largest violation beside the grid's slack."""
    rng, grid = _generator(), np.linspace(-1, 1, 20_001)
    worst = 0.0
    for _ in range(200):
        slopes, heights, c = rng.normal(size=3), rng.normal(size=3), rng.normal()
        planes = grid[:, None] * slopes + heights
        at = int((planes.max(axis=1) + (grid - c) ** 2).argmin())
        active = slopes[planes[at] > planes[at].max() - 1e-3]
        total = np.array([active.min(), active.max()]) + 2 * (grid[at] - c)
        if at < 20_000:  # going right must not help: the largest slope is not negative
            worst = max(worst, float(-total[1]))
        if at > 0:
            worst = max(worst, float(total[0]))
    return worst / 1e-3


def jensen():
    """Laws on 5 points: F = log-sum-exp of two linear functions, absolute value, and second moments."""
    rng = _generator()
    worst = 0.0
    for _ in range(500):
        mass, x = rng.dirichlet(np.ones(5)), rng.normal(size=5)
        for convex in (np.exp, np.abs, lambda t: np.logaddexp(t, -2 * t)):
            worst = max(worst, float(1 + convex(mass @ x) - mass @ convex(x)))
        worst = max(worst, float((mass @ np.abs(x)) ** 2 / (mass @ x**2)))
    return worst - 1e-12


def noncentral_chi_square():
    """d = 1 by Gauss-Hermite quadrature, and d = 3 as a product of three; growth in s and |v| on a grid."""
    nodes, weights = np.polynomial.hermite_e.hermegauss(200)
    weights = weights / np.sqrt(2 * np.pi)

    def closed(t, v, s, d):
        return (1 - 2 * t * s * s) ** (-d / 2) * np.exp(t * v * v / (1 - 2 * t * s * s))

    worst = 0.0
    for s in (0.05, 0.2, 0.4):
        line = [float((weights * np.exp((v + s * nodes) ** 2)).sum()) for v in (0.0, 0.5, 1.0)]
        worst = max(worst, max(abs(a / closed(1.0, v, s, 1) - 1) for a, v in zip(line, (0.0, 0.5, 1.0), strict=True)))
        worst = max(worst, abs(np.prod(line) / closed(1.0, np.sqrt(1.25), s, 3) - 1))
    v, s = np.linspace(0, 2, 21), np.linspace(0, 0.6, 21)
    table = closed(1.0, v[:, None], s, 2)
    falls = max(float(-np.diff(table, axis=0).min()), float(-np.diff(table, axis=1).min()))
    return 1 + max(worst, falls) - 1e-9
