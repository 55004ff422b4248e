"""Corollary 3.3 with every constant it displays, and the numbers of directions and steps that it asks for.

For eta = K/M, b_dir = 1/2 and the slack e = (1 - c^2)/(1 + c^2) that makes c1 = 1:

    (27) rho = 2 N (2 Delta/n)^2/sigma^2 + 4 (2R)^2 d/(N eta^2 sigma^2) for a window of N steps
    (28) N = ceil(n R sqrt(2d)/(Delta eta)), possible if T >= N      (29) rho = 8 Delta R sqrt(2d)/(eta n sigma^2)
    (31) failure 2 N exp(-3 e^2 K/20), (32) at most delta/2           (33) rho = T (2 Delta/n)^2/(2 sigma^2) if T < N
    K from max(20/(3 e^2) log(4/delta ceil(M R n sqrt(2d)/Delta)), 1) to d/2; xi <= 2 Delta/(n eta M sqrt(2d))

What the displays give away or take, found by recomputation:

* (25) and (27) have 4 (2R)^2 d where the two inequalities before give 2 (2R)^2 d; (29) is one of the two equal terms
  of (27) at its minimum, which is twice as large. Even with the 2 the minimum is 16 Delta R sqrt(d)/(eta n sigma^2),
  sqrt 2 above (29). The exact minimum of theorem 3.2 in this case is (1 + x) 8 Delta R sqrt(d)/(eta n sigma^2) with
  x = n c2 sqrt(d)/(2 Delta eta), below (29) only if x <= sqrt 2 - 1; at the largest xi that is eta >= 1.71.
* The condition on xi gives (27) for eta >= 1 only; xi <= 2 Delta/(n M sqrt(2d)) gives it always.
* (30) divides by eta and by K/M, which are the same, once too often.
* At T = N (33) is a quarter of (29): the printed bound jumps up where it is said to saturate. The true minimum of both
  crosses at 4 N; theorem 3.1, with Delta in place of 2 Delta, at 16 N.
* "Inversely proportional to K" holds for rho; epsilon falls like 1/sqrt K while it is small.

`closed_form` gives both the printed rho and `recomputed`, the minimum of theorem 3.2 in this case with the ceiling, xi
as it is, and b_dir = 1/2; the theorem is true (see `hidden_state`).

Source: Chien, Chen, Li (2025), "Privacy Amplification in Differentially Private Zeroth-Order Optimization with
Hidden States", corollary 3.3, appendices A.3 and A.5.
"""

from __future__ import annotations

import math
from dataclasses import dataclass, replace

from dpaudit.algorithms.zeroth.accounting.hidden_state import window_at
from dpaudit.algorithms.zeroth.accounting.public_states import (
    Setting,
    check_delta,
    converted,
    gaussian_bound,
    inverted,
    public_states,
)
from dpaudit.algorithms.zeroth.accounting.windows import Reading
from dpaudit.arithmetic.roots import least_integer
from dpaudit.records.errors import ConfigurationError
from dpaudit.records.validation import check_choice, check_count

LOGARITHMS = ("main text", "appendix")
_RECOMPUTED = Reading("printed", tails="beta")


def slack_of(setting: Setting) -> float:
    """e = (1 - c^2)/(1 + c^2), for which c1 = 1; ConfigurationError unless c < 1."""
    if not setting.constant < 1:
        raise ConfigurationError(
            f"corollary 3.3 needs c < 1, got c = {setting.constant:.6g}; give convexity > 0 and step_size < 2 K/M"
        )
    square = setting.constant**2
    return (1 - square) / (1 + square)


def saturation_steps(setting: Setting) -> int:
    """N of (28); finite radius."""
    return math.ceil(_saturation(setting))


def _saturation(setting: Setting) -> float:
    if setting.radius == math.inf:
        raise ConfigurationError("radius must be finite for corollary 3.3, got inf")
    scale = setting.records * setting.radius * math.sqrt(2 * setting.dimension)
    return scale / (setting.clip_norm * setting.step_size)


def least_directions(setting: Setting, delta: float, logarithm: str = "main text") -> float:
    """The lower end of the range of K, a real number at least 1, for eta = K/M and c = 1 - m/M.

    logarithm: "main text" log(4/delta ceil(M R n sqrt(2d)/Delta)), or "appendix" with ceil(R n sqrt(2d)/(eta Delta)),
    where K stands on both sides: then the smallest integer K that satisfies it. `directions` and `step_size` of the
    setting are not used.
    """
    check_delta(delta)
    check_choice("logarithm", logarithm, LOGARITHMS)
    constant = 20 / (3 * slack_of(with_directions(setting, setting.directions)) ** 2)
    if logarithm == "main text":
        return max(1.0, constant * math.log(4 / delta * saturation_steps(with_directions(setting, 1))))
    return float(least_integer(lambda directions: directions >= _needed(setting, delta, constant, directions)))


def _needed(setting: Setting, delta: float, constant: float, directions: int) -> float:
    steps = math.ceil(_saturation(replace(setting, step_size=directions / setting.smoothness)))
    return constant * math.log(4 / delta * steps)


def with_directions(setting: Setting, directions: int) -> Setting:
    """The same run with K directions and eta = K/M; smoothness above 0."""
    if not setting.smoothness > 0:
        raise ConfigurationError("smoothness must be above 0 for eta = K/M, got 0")
    return replace(setting, directions=directions, step_size=directions / setting.smoothness)


@dataclass(frozen=True)
class ClosedForm:
    """window: N of (28); rho_27: (27) at N; rho_29; rho_33: at T; recomputed: theorem 3.2 with the choices of the
    corollary, (33) if T < N; failure: (31), 0 if T < N; violated: conditions that fail, in words; epsilon: what
    the corollary says, infinite if a condition fails; sound: the epsilon of `recomputed`, whatever the conditions."""

    window: int
    rho_27: float
    rho_29: float
    rho_33: float
    recomputed: float
    failure: float
    violated: tuple[str, ...]
    epsilon: float
    sound: float


def closed_form(setting: Setting, delta: float, logarithm: str = "main text") -> ClosedForm:
    """Corollary 3.3 for one run; delta in (0, 1); T at least 1. b_dir of the setting is not used: the proof takes 1/2,
    and 1 if T < N."""
    check_count("steps", setting.steps)
    check_delta(delta)
    window, early = saturation_steps(setting), setting.steps < saturation_steps(setting)
    n, sigma, eta = setting.records, setting.noise, setting.step_size
    data, ball = (2 * setting.clip_norm / n) ** 2 / sigma**2, 4 * setting.radius**2 * setting.dimension
    rho_27 = 2 * window * data + 4 * ball / (window * (eta * sigma) ** 2)
    rho_29 = 8 * setting.clip_norm * setting.radius * math.sqrt(2 * setting.dimension) / (eta * n * sigma**2)
    rho_33 = setting.steps * data / 2
    failure = 0.0 if early else 2 * window * math.exp(-3 * slack_of(setting) ** 2 * setting.directions / 20)
    violated = _violated(setting, delta, logarithm)
    printed = converted(rho_33, delta) if early else converted(rho_29, delta / 2)
    recomputed, sound = (rho_33, gaussian_bound(rho_33, delta)) if early else _recomputed(setting, delta, window)
    return ClosedForm(
        window, rho_27, rho_29, rho_33, recomputed, failure, violated, math.inf if violated else printed, sound
    )


def _recomputed(setting: Setting, delta: float, window: int) -> tuple[float, float]:
    """rho and epsilon of theorem 3.2 with the choices of the corollary: half the noise each, c1 = 1, N steps."""
    found = window_at(replace(setting, b_dir=0.5), delta, window, slack_of(setting), _RECOMPUTED)
    return found.rho, gaussian_bound(found.rho, delta, found.failure)


def _violated(setting: Setting, delta: float, logarithm: str) -> tuple[str, ...]:
    least = least_directions(setting, delta, logarithm)
    n, eta, smooth = setting.records, setting.step_size, setting.smoothness
    most = 2 * setting.clip_norm / (n * eta * smooth * math.sqrt(2 * setting.dimension))
    conditions = (
        (math.isclose(eta, setting.directions / smooth), f"eta = {eta:.6g} = K/M = {setting.directions / smooth:.6g}"),
        (setting.directions >= least, f"K = {setting.directions} >= {least:.6g}"),
        (2 * setting.directions <= setting.dimension, f"K = {setting.directions} <= d/2 = {setting.dimension / 2:g}"),
        (setting.perturbation <= most, f"xi = {setting.perturbation:.6g} <= {most:.6g}"),
    )
    return tuple(words for holds, words in conditions if not holds)


def crossing_steps(setting: Setting, delta: float, saturated: float, composition: str = "sound") -> int:
    """The first T at which composition costs more than the epsilon `saturated`.

    composition: "sound" (accountant P under clipping, exact curve), "theorem 3.1" (its printed rho, Mironov), or
    "(33)" (the constant of the corollary, Mironov). b_dir one number.
    """
    check_choice("composition", composition, ("sound", "theorem 3.1", "(33)"))
    one = public_states(replace(setting, steps=1), delta)
    if composition != "sound":
        step = one.printed_rho if composition == "theorem 3.1" else _step_of_33(setting)
        return math.floor(inverted(saturated, delta) / step) + 1
    return least_integer(lambda steps: gaussian_bound(one.rho * steps, delta) > saturated)


def _step_of_33(setting: Setting) -> float:
    return 2 * (setting.clip_norm / (setting.records * setting.noise)) ** 2
