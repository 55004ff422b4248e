"""Spot tests of the named theorems of probability.toml; see foundation.py for what they return."""

import math

import numpy as np
from scipy import special

SEED = 20261121


def chi_moments():
    """Both moments against the density of |xi|, by quadrature, d = 1..40 and rho = 2."""
    nodes, weights = np.polynomial.legendre.leggauss(400)
    worst = 0.0
    for d in range(1, 41):
        r, mass = 10 * (nodes + 1), 10 * weights
        density = mass * np.exp((d - 1) * np.log(r) - r * r / 2 - (d / 2 - 1) * math.log(2) - special.gammaln(d / 2))
        ratio = math.sqrt(2) * math.exp(special.gammaln((d + 1) / 2) - special.gammaln(d / 2))
        worst = max(worst, (density * r).sum() / ratio, (density * r * r).sum() / d)
    return float(worst) - 1e-9


def conditional_mean():
    """Finite laws: xi on 5 points, g on 4 points given xi."""
    rng = np.random.default_rng(SEED)
    worst = 0.0
    for _ in range(200):
        mass, w = rng.dirichlet(np.ones(5)), rng.exponential(size=5)
        g, given = rng.exponential(size=(5, 4)), rng.dirichlet(np.ones(4), size=5)
        joint = (mass[:, None] * given * w[:, None] * g).sum()
        worst = max(worst, float(joint / (mass * w * (given * g).sum(axis=1)).sum()))
    return worst - 1e-12


def stirling_expansion():
    """r up to 9, with the numbers S(r, j) by their recurrence, at integers q from -6 to 12."""
    rows = [[1]]
    for r in range(9):
        last = [*rows[-1], 0]
        rows.append([0] + [last[j - 1] + j * last[j] for j in range(1, r + 2)])
    gap = 0
    for r, row in enumerate(rows):
        for q in range(-6, 13):
            falling = [math.prod(q - i for i in range(j)) for j in range(r + 1)]
            gap = max(gap, abs(q**r - sum(s * f for s, f in zip(row, falling, strict=True))))
    return 1.0 + gap


def taylor_remainder():
    """f(t) = t^p e^t on the segment from 0 to 1: f(1) lies between the extremes of its p-th derivative over p!."""
    worst = 0.0
    for p in range(1, 8):
        t = np.linspace(0, 1, 201)
        derivative = sum(math.comb(p, k) * math.perm(p, k) * t ** (p - k) * np.exp(t) for k in range(p + 1))
        value = math.e * math.factorial(p)
        worst = max(worst, value / derivative.max(), derivative.min() / value)
    return float(worst)


def taylor_integral():
    """f(x) = x^a, a from 2 to 9 and x from 0.2 to 4, by Gauss quadrature."""
    nodes, weights = np.polynomial.legendre.leggauss(200)
    t, mass = (nodes + 1) / 2, weights / 2
    worst = 0.0
    for a in (2.0, 2.5, 3.7, 9.0):
        for x in (0.2, 0.5, 1.5, 4.0):
            rest = (x - 1) ** 2 * (mass * (1 - t) * a * (a - 1) * (1 + t * (x - 1)) ** (a - 2)).sum()
            worst = max(worst, abs(x**a / (1 + a * (x - 1) + rest) - 1))
    return 1.0 + worst - 1e-6


def hoelder():
    """Random finite laws."""
    rng = np.random.default_rng(SEED)
    worst = 0.0
    for _ in range(500):
        mass, (a, b, c) = rng.dirichlet(np.ones(6)), rng.exponential(size=(3, 6))
        right = (mass @ a**2) ** 0.5 * (mass @ b**4) ** 0.25 * (mass @ c**4) ** 0.25
        worst = max(worst, float(mass @ (a * b * c) / right))
    return worst - 1e-12


def beta_kummer():
    """M and its derivatives as hypergeometric functions, three laws, t from -3 to 3: the largest gap of both sides."""
    gap = 0.0
    for a, b in ((0.5, 2.5), (1.0, 1.0), (3.0, 40.0)):
        for t in np.linspace(-3, 3, 13):
            risen = [math.prod((a + i) / (a + b + i) for i in range(k)) for k in range(3)]
            m, m1, m2 = (risen[k] * special.hyp1f1(a + k, a + b + k, t) for k in range(3))
            gap = max(gap, abs(t * m2 + (a + b - t) * m1 - a * m))
    return 1 + gap - 1e-9


def comparison_at_a_singular_point():
    """D with t D' + s D = t p D + q for bounded p and q >= 0, by Euler steps of 1/1000 from D = 0: never below 0."""
    rng = np.random.default_rng(SEED)
    worst = 0.0
    for _ in range(50):
        s, p, q, d = rng.exponential() + 0.1, rng.normal(size=2000) * 5, rng.exponential(size=2000), 0.0
        for k in range(1, 2000):
            d = (d + (p[k] * d + q[k]) / 1000) / (1 + s / k)  # the term in s is stiff at t = 0, so implicit
            worst = max(worst, -d)
    return 1 + worst - 1e-12
