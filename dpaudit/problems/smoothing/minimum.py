"""The minimum of a smoothed ridge loss plus a quadratic over a ball, with a bound on its own error.

Psi(x) = fhat_rho(x) + (lambda/2)|x - c|^2 over the ball of radius r around its centre xbar, c = xbar by default. An
active ball constraint acts like a larger quadratic around xbar, so that the search is a bisection over that
multiplier around Newton's method. The returned error needs no trust in the search: convexity bounds
Psi(x) - min Psi <= min(<g, x - xbar> + r |g|, |g|^2/(2 lambda)), g = grad Psi(x).
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
from numpy.typing import ArrayLike

from dpaudit.arithmetic.arrays import Array
from dpaudit.problems.smoothing.ridges import RidgeLosses, smoothed_gradient, smoothed_hessian, smoothed_value
from dpaudit.records.errors import ConfigurationError
from dpaudit.records.validation import check_number

_STEPS, _HALVINGS = 100, 200


@dataclass(frozen=True, eq=False)
class Minimum:
    """point: where, (d,); value: Psi there; error: value - min Psi is in [0, error]."""

    point: Array
    value: float
    error: float


def ball_minimum(
    losses: RidgeLosses,
    centre: ArrayLike,
    ball_radius: float,
    smoothing_radius: float,
    strength: float = 0.0,
    anchor: ArrayLike | None = None,
) -> Minimum:
    """argmin over |x - centre| <= ball_radius of fhat_rho(x) + (strength/2)|x - anchor|^2.

    centre: xbar, (d,); ball_radius: r above 0; smoothing_radius: rho above 0; strength: lambda at least 0;
    anchor: (d,), the centre where it is not given.
    """
    check_number("ball_radius", ball_radius, above=0.0)
    check_number("strength", strength, least=0.0)
    xbar = np.asarray(centre, dtype=float)
    if xbar.shape != (losses.dimension,):
        raise ConfigurationError(f"centre must have shape ({losses.dimension},), got {xbar.shape}")
    pulled = xbar if anchor is None else np.asarray(anchor, dtype=float)
    objective = _Objective(losses, smoothing_radius, strength, pulled)
    point = _search(objective, xbar, ball_radius)
    g = objective.gradient(point)
    size = float(np.linalg.norm(g))
    error = max(0.0, float(g @ (point - xbar)) + ball_radius * size)
    if strength > 0:
        error = min(error, size**2 / (2 * strength))
    return Minimum(point, objective.value(point), error)


@dataclass(frozen=True, eq=False)
class _Objective:
    losses: RidgeLosses
    radius: float
    strength: float
    anchor: Array

    def value(self, point: Array) -> float:
        away = point - self.anchor
        return float(smoothed_value(self.losses, point, self.radius) + 0.5 * self.strength * away @ away)

    def gradient(self, point: Array) -> Array:
        return smoothed_gradient(self.losses, point, self.radius) + self.strength * (point - self.anchor)

    def hessian(self, point: Array) -> Array:
        return smoothed_hessian(self.losses, point, self.radius) + self.strength * np.eye(len(point))


def _search(objective: _Objective, xbar: Array, ball_radius: float) -> Array:
    """The multiplier by bisection in its logarithm; the point pulled back onto the ball at the end."""
    if objective.strength > 0:
        point = _newton(objective, xbar, 0.0, xbar)
        if np.linalg.norm(point - xbar) <= ball_radius:
            return point
    steepest = objective.losses.lipschitz + objective.strength * float(np.linalg.norm(xbar - objective.anchor))
    low, high = 1e-14 * steepest / ball_radius, 2 * steepest / ball_radius
    point = xbar
    for _ in range(_HALVINGS):
        middle = float(np.sqrt(low * high))
        point = _newton(objective, xbar, middle, point)
        if np.linalg.norm(point - xbar) > ball_radius:
            low = middle
        else:
            high = middle
        if high <= low * (1 + 1e-15):
            break
    away = point - xbar
    length = float(np.linalg.norm(away))
    return np.asarray(xbar + away * min(1.0, ball_radius / length) if length > 0 else xbar)


def _newton(objective: _Objective, xbar: Array, multiplier: float, start: Array) -> Array:
    """The free minimum of Psi + (multiplier/2)|x - xbar|^2 by damped Newton steps."""
    x = start

    def total(point: Array) -> float:
        return objective.value(point) + 0.5 * multiplier * float((point - xbar) @ (point - xbar))

    for _ in range(_STEPS):
        g = objective.gradient(x) + multiplier * (x - xbar)
        step = np.linalg.solve(objective.hessian(x) + multiplier * np.eye(len(x)), -g)
        size, here, slope = 1.0, total(x), float(g @ step)
        while total(x + size * step) > here + 0.25 * size * slope + 1e-15 * abs(here) and size > 1e-12:
            size /= 2
        x = x + size * step
        if np.linalg.norm(size * step) <= 1e-15 * (1 + np.linalg.norm(x)):
            break
    return np.asarray(x)
