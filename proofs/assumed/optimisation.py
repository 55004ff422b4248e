"""Spot tests of the named theorems of optimisation.toml; see foundation.py for what they are."""

import math

import numpy as np

from dpaudit.algorithms.resque import lambda_search
from dpaudit.algorithms.resque.ball_acceleration.objectives import Objective, Shape
from dpaudit.noise.stream import Stream, Trials

RNG_SEED = 20261121


def stopped_supermartingale():
    """Walks with decrease and error that depend on the state, stopped below a level: the mean over 200,000 walks
    against the bound, with room for four standard errors."""
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


def bisection_for_lambda():
    """Calls of the search on random points over its bound, for all four objectives in d = 3 with erring oracles."""
    stream, worst = Stream(RNG_SEED, "assumed/bisection"), 0.0
    for shape in Shape:
        for ratio, kappa in ((2.0, 2.0), (100.0, 100.0), (1e4, 1e6)):
            part, numbers = stream.part(f"{shape}/{ratio}"), np.arange(200)
            x, v, centres = (part.normals(numbers, step, 3) for step in range(3))
            x, v = x / np.sqrt(3), v / np.maximum(1.0, np.sqrt((v**2).sum(axis=1)))[:, None]
            params = lambda_search.Params(1.0, 1 / ratio, 1.0, 1 / kappa, acceleration_constant=12.0, oracle_error=1.0)
            objective = Objective(shape, centres, 1.0, 0.1, np.eye(3)[0] if shape is Shape.RIDGE else None)
            weights = np.exp(10 * part.uniforms(numbers, 3, 1)[:, 0])
            calls = lambda_search.cpu(params, objective, x, v, weights, Trials(part, numbers))[:, 1]
            length = np.sqrt(((x - v) ** 2).sum(axis=1)) + params.ball_radius
            width = math.log(params.largest_strength / params.smallest_strength)
            bound = 2 + np.log2(136 * length * width / params.ball_radius)
            worst = max(worst, float((calls / bound).max()))
    return worst


def gradient_along_a_segment():
    """F = log-sum-exp of three linear functions of R^2, both sides by Gauss quadrature; and m(z) = largest value."""
    rng, worst = np.random.default_rng(RNG_SEED), 0.0
    nodes, weights = np.polynomial.legendre.leggauss(60)
    z, mass = (nodes + 1) / 2, weights / 2
    for _ in range(200):
        rows, x, y = rng.normal(size=(3, 2)), rng.normal(size=2), rng.normal(size=2)
        shares = np.exp((x + z[:, None] * (y - x)) @ rows.T)
        slopes = (shares / shares.sum(axis=1, keepdims=True)) @ rows @ (y - x)
        first = np.exp(rows @ x)
        start = first @ (rows @ (y - x)) / first.sum()
        gain = math.log(np.exp(rows @ y).sum() / first.sum()) - start
        worst = max(worst, 1 + abs(gain - mass @ (slopes - start)), 1 + gain - (slopes - start).max())
    return float(worst) - 1e-9
