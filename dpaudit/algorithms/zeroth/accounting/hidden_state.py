"""Privacy of the last iterate of Noisy-ZOGD when nothing else is released: theorem 3.2, solved and made true.

The printed proof needs a contraction by c1 for all pairs of points and one U, which lemma 3.8 does not give, and
noise that stays Gaussian given later releases, which it does not. The statement is true all the same, in the "proof"
index convention. Couple X (data D) and Y (data D') up to tau with equal noise. After that let Y have the noise
xi_t ~ N(0, V_t) and X the noise xi_t - h_t, where h_t = psi(Y) - psi'(Y) + that part of psi(X) - psi(Y), of length at
most a_t, which leaves at most z_{t+1} = c1 z_t + c2 - a_t. X has its own law if xi_t ~ N(h_t, V_t) instead. Since h_t
depends on the past and U_t only and h_t' V_t^-1 h_t <= s^2/sigma1^2 + a_t^2/sigma2^2, the two laws of (U, xi) are an
adaptive composition of Gaussian mechanisms apart. U_t is independent of the pair (X_t, Y_t), so lemma 3.8 holds for
this pair; events thinned to a probability that does not depend on the past tilt nothing. On all of them X_T = Y_T.

Form "printed": the constants of the theorem, options of `shifts`, delta_split "remaining" (delta - delta_G is
left for the conversion, default) or "half" (delta/2 of corollary 3.3). Form "sharp", what this module promises, with
refinements that the same argument gives: s and the start distance from the change of smooth records (see
`public_states`), c2 = eta M xi/sqrt(K), the exact beta law, 1 - (1 - p)^N for N steps, iterates that have met
cost nothing (so tau = 0 is the composition), and (s + a)^2/(sigma1^2 + sigma2^2), the exact worst case of
h' V^-1 h, where a sigma1^2 <= s sigma2^2. Both need A1 and A2 on B_(R + xi), and the convexity that the setting names.

Source: Chien, Chen, Li (2025), "Privacy Amplification in Differentially Private Zeroth-Order Optimization with
Hidden States", theorem 3.2, lemmas 3.7 to 3.9; adaptive composition: Dong, Roth, Su (2022), theorem 3.2.
"""

from __future__ import annotations

import math
from dataclasses import dataclass

import numpy as np

from dpaudit.algorithms.zeroth.accounting.public_states import (
    Setting,
    Spending,
    assumed,
    check_delta,
    concentrated,
    converted,
    gaussian_bound,
    output_perturbation,
    public_states,
    sourced,
)
from dpaudit.algorithms.zeroth.accounting.shifts import ROUND_UP, Shifts, cheapest_shifts
from dpaudit.algorithms.zeroth.accounting.windows import PRINTED, SHARP, SMOOTH, Bound, Reading
from dpaudit.arithmetic.arrays import Array
from dpaudit.records.mechanism import Promise
from dpaudit.records.privacy import Neighbours, View
from dpaudit.records.validation import check_count


@dataclass(frozen=True)
class Window:
    """The last `length` steps with slack e. growth: c1; failure: delta_G; rho: of the formula; epsilon: rho converted
    at the delta that is left, infinite if none is; b_dir: the split, None if it differs from step to step."""

    length: int
    slack: float
    growth: float
    failure: float
    rho: float
    epsilon: float
    b_dir: float | None


def window_at(setting: Setting, delta: float, length: int, slack: float, reading: Reading = SHARP) -> Window:
    """The bound of one window, N = length in 1..T, slack e at least 0; see `best_window` for the best."""
    check_count("length", length, 1, max(setting.steps, 1))
    check_delta(delta)
    return _evaluate(Bound(setting, delta, reading), length, slack)


def _evaluate(bound: Bound, length: int, slack: float) -> Window:
    met, splits = bound.met(length), bound.setting.b_dir
    growth = 1.0 if met else bound.growth(slack)
    if isinstance(splits, tuple) and not bound.reading.free_split:
        rho, split = _rho_by_step(bound, splits[len(splits) - length :], growth, met), None
    else:
        rho, split = _rho(bound, length, bound.shifts(length, slack))
    failed = bound.failure(length, slack)
    return Window(length, slack, growth, failed, rho, converted(rho, bound.left(failed)), split)


def _rho(bound: Bound, length: int, shifts: Shifts) -> tuple[float, float]:
    """rho and the split of a window whose split does not change."""
    run = bound.setting
    moved, scale = bound.drift / run.records, (run.step_size * run.noise) ** 2
    data = length * moved**2 * run.directions / (2 * scale)
    shift = shifts.squares * run.dimension / (2 * scale)
    if bound.reading.free_split or isinstance(run.b_dir, tuple):
        split = math.sqrt(data) / (math.sqrt(data) + math.sqrt(shift)) if shift < math.inf else 0.5
    else:
        split = run.b_dir
    along, across = _variances(bound, split)
    if bound.sharp and shifts.largest * along <= moved * across:
        total = shifts.squares + 2 * moved * shifts.total + length * moved**2
        return total / (2 * (along + across)) * ROUND_UP, split
    rho = (data / split if split > 0 else math.inf) + (shift / (1 - split) if split < 1 else _none(shift))
    return rho * ROUND_UP, split


def _none(shift: float) -> float:
    return 0.0 if shift == 0 else math.inf


def _variances(bound: Bound, split: float) -> tuple[float, float]:
    """sigma1^2, sigma2^2 of a step; for K = d all noise is isotropic."""
    run = bound.setting
    scale = (run.step_size * run.noise) ** 2
    if run.directions == run.dimension:
        return 0.0, scale / run.dimension
    return scale * split / run.directions, scale * (1 - split) / run.dimension


def _rho_by_step(bound: Bound, splits: tuple[float, ...], growth: float, met: bool) -> float:
    """rho for the splits of a window; the shifts are cheapest for the cost that the theorem gives them."""
    both = np.array([_variances(bound, split) for split in splits])
    distance = bound.distance(len(splits))
    along, across, moved = both[:, 0], both[:, 1], bound.drift / bound.setting.records
    if met or bound.reading.index_convention == "display":
        shifts = np.zeros(len(splits))
    elif distance == math.inf or not np.all(across > 0):
        return math.inf
    else:
        shifts = cheapest_shifts(distance, growth, bound.offset, across)
    return float(np.sum(_step_costs(shifts, moved, along, across, bound.sharp))) * ROUND_UP


def _step_costs(shifts: Array, moved: float, along: Array, across: Array, sharp: bool) -> Array:
    with np.errstate(divide="ignore", invalid="ignore"):
        apart = moved**2 / along + np.where(shifts > 0, shifts**2 / across, 0.0)
        joint = (shifts + moved) ** 2 / (along + across)
    return np.asarray(np.where(sharp & (shifts * along <= moved * across), joint, apart) / 2)


def best_window(setting: Setting, delta: float, reading: Reading = SHARP) -> Window:
    """The window and slack with the smallest epsilon that a logarithmic grid and a refinement find; T at least 1.

    Raises ConfigurationError if the printed tail needs d >= 2K.
    """
    check_count("steps", setting.steps)
    check_delta(delta)
    bound = Bound(setting, delta, reading)
    by_step = isinstance(setting.b_dir, tuple) and not bound.reading.free_split
    lengths, slacks = bound.lengths(16 if by_step else 48), bound.slacks(8 if by_step else 24)
    best = min(
        (_evaluate(bound, length, slack) for slack in slacks for length in lengths),
        key=lambda window: (window.epsilon, window.rho),
    )
    return best if by_step else _refined(bound, best)


def _refined(bound: Bound, best: Window) -> Window:
    """Pattern search around `best` in both logarithms."""
    factor = 1.3
    while factor > 1.0002:
        around = [
            _evaluate(bound, length, slack)
            for length in {max(1, math.floor(best.length / factor)), best.length, math.ceil(best.length * factor)}
            for slack in {best.slack / factor, best.slack, best.slack * factor}
            if length <= bound.setting.steps
        ]
        found = min(around, key=lambda window: (window.epsilon, window.rho))
        if found.epsilon < best.epsilon:
            best = found
        else:
            factor = math.sqrt(factor)
    return best


def hidden_states(setting: Setting, delta: float, printed: Reading = PRINTED) -> Spending:
    """Accountant H: only w_T released; delta in (0, 1). printed: how the paper's own numbers are read.

    Never above the composition under the same assumptions, which is its case tau = 0. The printed numbers are infinite
    where the theorem says nothing: d < 2K, or no window fails rarely enough.
    """
    check_delta(delta)
    assumes = (*assumed(SMOOTH), *_convexity(setting))
    source = sourced("theorem 3.2, corrected: proved by one coupling, with sharper constants", assumes)
    if setting.steps == 0:
        promise = Promise(concentrated(0.0, 0.0), Neighbours.REPLACE_ONE, View.HIDDEN_STATE, source)
        return Spending(0.0, 0.0, 0.0, 0.0, 0.0, promise, assumes)
    best = best_window(setting, delta)
    promise = Promise(concentrated(best.rho, best.failure), Neighbours.REPLACE_ONE, View.HIDDEN_STATE, source)
    said = best_window(setting, delta, printed) if setting.dimension >= 2 * setting.directions else None
    return Spending(
        best.rho,
        best.failure,
        gaussian_bound(best.rho, delta, best.failure),
        said.rho if said else math.inf,
        said.epsilon if said else math.inf,
        promise,
        assumes,
    )


def _convexity(setting: Setting) -> tuple[str, ...]:
    if setting.convexity is None:
        return ()
    return ("A3",) if setting.convexity == 0 else ("A4",)


def last_iterate(setting: Setting, delta: float) -> Spending:
    """The smallest epsilon of the last iterate that P, O and H give under A1, A2 (and the convexity named)."""
    accounts = (
        public_states(setting, delta, SMOOTH),
        output_perturbation(setting, delta, SMOOTH),
        hidden_states(setting, delta),
    )
    return min(accounts, key=lambda account: account.epsilon)
