"""Privacy of Noisy-ZOSGD: at every step a uniform batch of b of the n records, the same for all K directions.

Three Renyi divergences of one step, q = b/n, ratio s = noise multiplier of the batch mean:

    "printed"   S_alpha(q, s) = D(N(0, s^2) || (1-q) N(0, s^2) + q N(1, s^2)), definition A.2
    "reversed"  the divergence of the same two laws in the other order
    "replaced"  the largest of ((1-q) N(0) + q N(x), (1-q) N(0) + q N(y)) over x, y, x - y of length at most 1,
                from above: what replacing a record does, in both orders

Printed accountants (appendix A.9): theorem A.3 takes K S_alpha(q, sqrt(K b_dir) sigma b/(2 Delta)) a step, remark A.9
S_alpha(q, sqrt(b_dir) sigma b/(2 Delta)). Both compare a mixture with its own centre, in one order. S_alpha never
exceeds log(1/(1-q)), so neither can be right for small noise, where replacing a far record is seen. Theorem A.3
besides treats one inclusion as K independent ones.

What is proved here: choose A, b records without the replaced one, and j in A; with probability q the step uses the
replaced record in place of j. Given A and j both data sets take the same step but for a mixture of its directional
noise as in "replaced", and the coupling of `hidden_state` goes through with psi_A in place of psi. "replaced" is at
most what a pair has with E_{1 + q(g-1)} = q E_g(Gaussian) for g >= 1 in both orders (Balle, Barthe, Gaboardi 2018,
theorem 2), by the integral over hockey-stick divergences of Sason and Verdu (2016).

Source: Chien, Chen, Li (2025), "Privacy Amplification in Differentially Private Zeroth-Order Optimization with
Hidden States", appendix A.9; conversion: Canonne, Kamath, Steinke (2020), proposition 12.
"""

from __future__ import annotations

import functools
import math
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from typing import Any

import numpy as np
from scipy.special import erfcx, logsumexp

from dpaudit.algorithms.zeroth.accounting.public_states import Setting, assumed, check_delta, sourced
from dpaudit.algorithms.zeroth.accounting.windows import PRINTED, SHARP, SMOOTH, Bound
from dpaudit.arithmetic.arrays import Array
from dpaudit.records.errors import ConfigurationError
from dpaudit.records.mechanism import (
    Composed,
    Concentrated,
    FixedSizeSampled,
    Gaussian,
    Mechanism,
    Promise,
    SelfComposed,
)
from dpaudit.records.privacy import Neighbours, View
from dpaudit.records.validation import check_choice, check_count, check_number

KINDS = ("printed", "reversed", "replaced")
ORDERS = (
    1.1,
    1.25,
    1.5,
    1.75,
    *(float(order) for order in range(2, 17)),
    20.0,
    24.0,
    32.0,
    48.0,
    64.0,
    96.0,
    128.0,
    256.0,
)
_UP = 1 + 1e-9


def sampled_divergence(order: float, rate: float, ratio: float, kind: str = "replaced") -> float:
    """One of KINDS at one order above 1; rate: q in (0, 1]; ratio: s above 0. Rounded up by 1e-9 of itself."""
    check_choice("kind", kind, KINDS)
    check_number("order", order, above=1.0)
    check_number("rate", rate, above=0.0, most=1.0)
    check_number("ratio", ratio, above=0.0)
    gaussian = order / (2 * ratio * ratio)
    if rate == 1:
        return gaussian * _UP
    if ratio < _LEAST:
        return (min(gaussian, -math.log1p(-rate)) if kind == "printed" else gaussian) * _UP
    if kind == "replaced":
        return min(_replaced(order, rate, ratio), gaussian) * _UP
    power = 1 - order if kind == "printed" else order
    return max(0.0, _moment(power, rate, ratio) / (order - 1)) * _UP


_LEAST = 0.05
"""Below this ratio the closed forms that bound the divergences are used: nothing is private there."""


def _moment(power: float, rate: float, ratio: float) -> float:
    """log E (1 - q + q exp((2x - 1)/(2 s^2)))^power, x ~ N(0, s^2): trapezium on x/s, exponentially accurate."""
    step = min(0.25, ratio / 4)
    points = np.arange(-40.0, max(power, 0.0) / ratio + 40.0, step)
    exponent = points / ratio - 1 / (2 * ratio * ratio)
    mixture = np.logaddexp(math.log1p(-rate), math.log(rate) + exponent)
    return float(logsumexp(power * mixture - points * points / 2) + math.log(step / math.sqrt(2 * math.pi)))


def _replaced(order: float, rate: float, ratio: float) -> float:
    """log(1 + a (a - 1) q^2 int_1^oo (G^(a - 2) + G^(-a - 1)) E_g dg)/(a - 1) with a = alpha, G = 1 + q (g - 1)."""
    shift = 1 / ratio
    points, weights = _panels(shift * shift * order + 40 * shift + 1, min(shift, 1.0))
    grown = np.logaddexp(math.log1p(-rate), math.log(rate) + points)
    inside = np.logaddexp((order - 2) * grown, (-order - 1) * grown) + points + _hockey_stick(points, shift)
    total = float(logsumexp(inside, b=weights)) + math.log(order * (order - 1)) + 2 * math.log(rate)
    return float(np.logaddexp(0.0, total)) / (order - 1)


def _panels(end: float, width: float) -> tuple[Array, Array]:
    """Nodes and weights of Gauss-Legendre rules with 16 nodes on panels of [0, end]."""
    nodes, weights = np.polynomial.legendre.leggauss(16)
    edges = np.linspace(0.0, end, max(2, math.ceil(end / width) + 1))
    half = np.diff(edges)[:, None] / 2
    points = edges[:-1, None] + half * (nodes + 1)
    return points.ravel(), (half * weights).ravel()


def _hockey_stick(epsilon: Array, mu: float) -> Array:
    """log of Phi(mu/2 - epsilon/mu) - e^epsilon Phi(-mu/2 - epsilon/mu), from a difference of Mills ratios."""
    near, far = epsilon / mu - mu / 2, epsilon / mu + mu / 2
    direct = near > -30  # to the left of it the value is 1 up to 1e-190
    mills = np.where(direct, erfcx(np.where(direct, near, 0.0) / math.sqrt(2)), 0.0)
    difference = np.maximum(mills - erfcx(far / math.sqrt(2)), 1e-300)
    return np.asarray(np.where(direct, np.log(difference / 2) - near * near / 2, 0.0))


@dataclass(frozen=True)
class SampledSpending:
    """The best order and window. order: alpha; length: N; slack: e; hidden: whether the window hides its start (else
    all T steps are composed); failure: delta_G; divergence: at that order; epsilon: at the delta asked for, infinite
    if nothing is promised."""

    order: float
    length: int
    slack: float
    hidden: bool
    failure: float
    divergence: float
    epsilon: float


FORMULAS = ("proved", "theorem A.3", "remark A.9")
PRINTED_ORDERS = ("printed", "larger")


def sampled_states(
    setting: Setting, batch: int, delta: float, formula: str = "proved", order_of_laws: str = "printed"
) -> SampledSpending:
    """Accountant M for the last iterate; batch: b in 1..n; delta in (0, 1); b_dir one number; T at least 1.

    formula: one of FORMULAS. order_of_laws: of the printed formulas, "printed" (the centre against the mixture) or
    "larger" of both orders. "proved" needs A1, A2 on B_(R + xi) and the convexity that the setting names; its
    conversion is the sharper one of the source, that of the printed formulas is Mironov's.
    """
    check_count("batch", batch, 1, setting.records)
    check_count("steps", setting.steps)
    check_delta(delta)
    check_choice("formula", formula, FORMULAS)
    check_choice("order_of_laws", order_of_laws, PRINTED_ORDERS)
    if isinstance(setting.b_dir, tuple):
        raise ConfigurationError(
            "b_dir must be one number for batches, got a tuple; use its smallest and largest values"
        )
    bound = Bound(setting, delta, SHARP if formula == "proved" else PRINTED)
    step = functools.partial(_directional, setting, batch, formula, order_of_laws)
    data = {order: step(order) for order in _orders(setting, batch)}
    grid = ((length, slack) for slack in bound.slacks(24) for length in bound.lengths(48))
    found = [_best(data, *_parts(bound, *window)) for window in grid]
    best = min(found, key=lambda account: account.epsilon)
    best = _refined(step, best, *_parts(bound, best.length, best.slack))
    if formula == "proved":
        best = min(best, _public(setting, batch, delta), key=lambda account: account.epsilon)
    return best


def _public(setting: Setting, batch: int, delta: float) -> SampledSpending:
    """All iterates released: T steps, no window and no event."""
    step = functools.partial(_composed, setting, batch)
    apart = (setting.steps, 0.0, False, 0.0, 0.0, delta, True)
    return _refined(step, _best({order: step(order) for order in _orders(setting, batch)}, *apart), *apart)


def _orders(setting: Setting, batch: int) -> tuple[float, ...]:
    """ORDERS, and larger ones where the noise is so large that they pay and cost little."""
    ratio = math.sqrt(_split(setting)) * setting.noise * batch / (2 * setting.clip_norm)
    return ORDERS if ratio < 1 else (*ORDERS, *(2.0**power for power in range(9, 15)))


def _directional(setting: Setting, batch: int, formula: str, order_of_laws: str, order: float) -> float:
    """The divergence of the directional noise of one step."""
    split, rate = _split(setting), batch / setting.records
    if split == 0:
        return math.inf
    if formula == "proved":
        ratio = setting.step_size * setting.noise * math.sqrt(split / setting.directions) * batch
        return sampled_divergence(order, rate, ratio / setting.drift(SMOOTH))
    ratio = math.sqrt(split) * setting.noise * batch / (2 * setting.clip_norm)
    times = 1
    if formula == "theorem A.3":
        times, ratio = setting.directions, ratio * math.sqrt(setting.directions)
    kinds = ("printed",) if order_of_laws == "printed" else ("printed", "reversed")
    return times * max(sampled_divergence(order, rate, ratio, kind) for kind in kinds)


def _composed(setting: Setting, batch: int, order: float) -> float:
    """The divergence of one step whose outcome is released: all noise in the span counts."""
    ratio = math.sqrt(setting.variance(_split(setting))) * batch / setting.drift(SMOOTH)
    return sampled_divergence(order, batch / setting.records, ratio)


def _split(setting: Setting) -> float:
    """b_dir of a run whose split does not change."""
    return setting.b_dir[0] if isinstance(setting.b_dir, tuple) else setting.b_dir


_Parts = tuple[int, float, bool, float, float, float, bool]
"""length, slack, hidden, failure, divergence of the shifts per order, delta that is left, form of the bound."""


def _parts(bound: Bound, length: int, slack: float) -> _Parts:
    run, failed = bound.setting, bound.failure(length, slack)
    across = (run.step_size * run.noise) ** 2 * (1 - _split(run)) / run.dimension
    squares = bound.shifts(length, slack).squares
    shift = 0.0 if squares == 0 else (squares / (2 * across) if across > 0 else math.inf)
    return length, slack, not bound.met(length), failed, shift, bound.left(failed), bound.sharp


def _best(
    data: Mapping[float, float],
    length: int,
    slack: float,
    hidden: bool,
    failed: float,
    shift: float,
    left: float,
    sharp: bool,
) -> SampledSpending:
    """The best order of one window."""
    accounts = []
    for order, step in data.items():
        divergence = length * step + order * shift
        epsilon = _converted(order, divergence, left, sharp)
        accounts.append(SampledSpending(order, length, slack, hidden, failed, divergence, epsilon))
    return min(accounts, key=lambda account: account.epsilon)


def _refined(step: Callable[[float], float], best: SampledSpending, *parts: Any) -> SampledSpending:
    """Pattern search over the order, around the best of the grid."""
    factor = 1.4
    while factor > 1.001 and best.epsilon < math.inf:
        near = [1 + (best.order - 1) * factor, 1 + (best.order - 1) / factor]
        found = _best({order: step(order) for order in near}, *parts)
        best, factor = (found, factor) if found.epsilon < best.epsilon else (best, math.sqrt(factor))
    return best


def _converted(order: float, divergence: float, left: float, sharp: bool) -> float:
    if not left > 0:
        return math.inf
    epsilon = divergence - math.log(left) / (order - 1)
    if sharp:
        epsilon += math.log1p(-1 / order) - math.log(order) / (order - 1)
    return max(0.0, epsilon * _UP)


def sampled_promise(setting: Setting, batch: int, delta: float) -> Promise:
    """The proved bound at the best window for `delta`, as data that the accountants of dpaudit convert on their own."""
    best = sampled_states(setting, batch, delta)
    bound = Bound(setting, delta, SHARP)
    noise = setting.variance(_split(setting))
    parts: tuple[Mechanism, ...] = ()
    if best.hidden:
        scale = (setting.step_size * setting.noise) ** 2
        noise = scale * _split(setting) / setting.directions
        squares = bound.shifts(best.length, best.slack).squares
        spread = scale * (1 - _split(setting)) / setting.dimension
        parts = (Gaussian(math.sqrt(spread / squares) / _UP),) if squares > 0 else ()
        parts += (Concentrated(0.0, best.failure),) if best.failure > 0 else ()
    step: Mechanism = Gaussian(math.sqrt(noise) * batch / setting.drift(SMOOTH))
    step = FixedSizeSampled(batch, setting.records, step) if batch < setting.records else step
    mechanism = Composed((SelfComposed(step, best.length), *parts)) if parts else SelfComposed(step, best.length)
    source = sourced("theorem A.3, corrected: replacement in both orders, one inclusion a step", assumed(SMOOTH))
    view = View.HIDDEN_STATE if best.hidden else View.TRANSCRIPT
    return Promise(mechanism, Neighbours.REPLACE_ONE, view, source)
