"""Privacy of the ReSQue solvers: approximate Renyi bounds of one call, of their compositions, and what they give.

A bound says that the mechanism is (alpha, epsilon, delta)-RDP in the sense of definition 9 under replacement of
one record. Three ways to compute it:

    "paper"    lemma 7 with its universal constant C_priv as a parameter, composed call by call (lemma 3)
    "derived"  the same with the constants that its printed proof collects in place of C_priv
    "stated"   propositions 8 and 10 and lemma 10 as they print their own bound, with C_priv

Never optimistic: a precondition that fails is named in `violated` and makes epsilon infinite (what the formula gives
is kept as `formula`); sums are rounded up; logarithms of numbers of phases and calls have base 2 and use the whole
numbers, which are larger. A preconditon of an inner call counts, also where the paper states it only for the outer one.
Whether the lemmas hold is the business of their claims; what is proved, `accounting.proved` gives.

Source: Carmon, Jambulapati, Jin, Lee, Liu, Sidford, Tian (2023), "ReSQueing Parallel and Private Stochastic
Convex Optimization", lemmas 3, 5, 7, 10, propositions 8, 10, corollary 1.
"""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass, replace
from typing import Annotated

from dpaudit.arithmetic.roots import bisected
from dpaudit.records.errors import ConfigurationError
from dpaudit.records.ranges import Count, Positive, Range, check_fields
from dpaudit.records.validation import check_choice, check_count, check_number

MODES = ("paper", "derived", "stated")
ROUND_UP = 1 + 1e-12
"""More than the roundings of any formula here."""

FIXED = 1500.0
"""Lemma 5: epsilon = 1500 alpha beta^2 b^2 for b hits and known indices."""
SAMPLED = 13 * 1.2**2 * 6000.0
"""Lemma 7 as its proof collects it: 13 s^2 alpha tau, s = 1.2 T/n, tau = 1500 beta^2 (2 log(2/delta))^2."""
SMOOTHING = 1728.0
"""Lemma 5: rho/r >= 1728 log^2(log T/delta)."""


@dataclass(frozen=True)
class Setting:
    """One call of a solver. records: n; steps: T, at least 1, any real number; privacy: beta; delta, in (0, 1);
    radius: r; smoothing: rho; dimension: d and lipschitz: L, which cancel. Raises ConfigurationError."""

    records: Count
    steps: Annotated[float, Range(least=1.0)]
    privacy: Positive
    delta: Annotated[float, Range(above=0.0, most=1 - 2.0**-53)]
    radius: Positive
    smoothing: Positive
    dimension: Count = 1
    lipschitz: Positive = 1.0

    def __post_init__(self) -> None:
        check_fields(self)

    @property
    def phases(self) -> int:
        """k = floor(log2 T) of SubERM."""
        return math.floor(math.log2(self.steps))

    @property
    def calls(self) -> int:
        """k = ceil(log2 log2 T) of SubERM-sc, at least 0."""
        return max(0, math.ceil(math.log2(math.log2(self.steps)))) if self.steps > 1 else 0


@dataclass(frozen=True)
class Bound:
    """(order, epsilon, delta)-RDP. formula: epsilon without regard to preconditions; violated: those that fail, in
    words; epsilon is infinite if there is one."""

    order: float
    delta: float
    formula: float
    violated: tuple[str, ...] = ()

    @property
    def epsilon(self) -> float:
        """What may be relied upon."""
        return math.inf if self.violated else self.formula


def _demand(conditions: Sequence[tuple[bool, str]]) -> tuple[str, ...]:
    return tuple(words for holds, words in conditions if not holds)


def fixed_indices(setting: Setting, hits: int, orders: Sequence[float], regularised: bool = False) -> list[Bound]:
    """SubERM whose indices are known, with b = hits draws of the record that differs (lemma 5), per order."""
    check_count("hits", hits, 0)
    if setting.phases == 0 or hits == 0:
        return [Bound(order, 0.0, 0.0) for order in orders]
    smooth = _smooth_enough(setting, SMOOTHING, math.log2(setting.steps) / setting.delta, regularised)
    epsilon = FIXED * (setting.privacy * hits) ** 2 * ROUND_UP
    return [Bound(order, setting.delta, order * epsilon, _demand([_order(order), smooth])) for order in orders]


def one_phase(setting: Setting, hits: int, orders: Sequence[float], regularised: bool = False) -> list[Bound]:
    """One phase with b_i = hits: the bound of `fixed_indices` at its share delta/log2 T."""
    whole = fixed_indices(setting, hits, orders, regularised)
    return [replace(bound, delta=bound.delta / max(1.0, math.log2(setting.steps))) for bound in whole]


def _order(order: float) -> tuple[bool, str]:
    return order > 1, f"order {order} > 1"


def _smooth_enough(setting: Setting, constant: float, inside: float, doubled: bool = False) -> tuple[bool, str]:
    ratio, least = setting.smoothing / setting.radius, (2 if doubled else 1) * constant * math.log(inside) ** 2
    return inside > 1 and ratio >= least, f"rho/r = {ratio:.4g} >= {least:.4g}"


def sub_erm(
    setting: Setting, orders: Sequence[float], mode: str = "paper", constant: float = 4.0, regularised: bool = False
) -> list[Bound]:
    """SubERM with hidden indices (lemma 7), per order; constant: C_priv; regularised: ALG-7, whose steps are up to
    twice as long, so that rho/r must be twice as large."""
    check_choice("mode", mode, MODES)
    if setting.phases == 0:
        return [Bound(order, 0.0, 0.0) for order in orders]
    if mode == "derived":
        return _derived(setting, orders, regularised)
    check_number("constant", constant, least=1.0)
    rate, noise = setting.steps / setting.records, setting.privacy * math.log(1 / setting.delta)
    conditions = [
        (rate * constant <= 1, f"T/n = {rate:.4g} <= 1/C = {1 / constant:.4g}"),
        (noise**2 * constant * ROUND_UP <= 1, f"(beta log(1/delta))^2 = {noise**2:.4g} <= 1/C = {1 / constant:.4g}"),
        (setting.delta < 1 / 6, f"delta = {setting.delta:.4g} < 1/6"),
        _smooth_enough(setting, constant, math.log2(setting.steps) / setting.delta, regularised),
    ]
    most, slope = 1 / (constant * noise**2), constant * (noise * rate) ** 2
    return [_bounded(setting, order, slope, most, conditions) for order in orders]


def _derived(setting: Setting, orders: Sequence[float], regularised: bool) -> list[Bound]:
    rate, noise = setting.steps / setting.records, setting.privacy * math.log(2 / setting.delta)
    conditions = [
        (rate * 60 <= 1, f"T/n = {rate:.4g} <= 1/60"),
        (18000 * noise**2 * ROUND_UP <= 1, f"18000 (beta log(2/delta))^2 = {18000 * noise**2:.4g} <= 1"),
        (setting.delta < 1 / 6, f"delta = {setting.delta:.4g} < 1/6"),
        _smooth_enough(setting, SMOOTHING, 2 * math.log2(setting.steps) / setting.delta, regularised),
    ]
    return [
        _bounded(setting, order, SAMPLED * (noise * rate) ** 2, 1 / (2000 * noise**2), conditions) for order in orders
    ]


def _bounded(
    setting: Setting, order: float, slope: float, most: float, conditions: Sequence[tuple[bool, str]]
) -> Bound:
    in_range = (order * ROUND_UP < most, f"order {order} < {most:.4g}")
    return Bound(order, setting.delta, order * slope * ROUND_UP, _demand([_order(order), in_range, *conditions]))


def compose(*parts: Sequence[Bound]) -> list[Bound]:
    """Adaptive composition at common orders (lemma 3): epsilons and deltas add up."""
    orders = [bound.order for bound in parts[0]]
    if any([bound.order for bound in part] != orders for part in parts):
        raise ConfigurationError("bounds can be composed at common orders only, in one order")
    made = []
    for row in zip(*parts, strict=True):
        violated = tuple(dict.fromkeys(words for bound in row for words in bound.violated))
        formula, delta = (sum(values) * ROUND_UP for values in ([b.formula for b in row], [b.delta for b in row]))
        made.append(Bound(row[0].order, delta, formula, violated))
    return made


def repeated(bounds: Sequence[Bound], count: int) -> list[Bound]:
    """`count` >= 1 runs with the same bounds."""
    check_count("count", count)
    return [
        replace(bound, formula=count * bound.formula * ROUND_UP, delta=count * bound.delta * ROUND_UP)
        for bound in bounds
    ]


def nothing(orders: Sequence[float]) -> list[Bound]:
    """The bounds of an algorithm that reads no record."""
    return [Bound(order, 0.0, 0.0) for order in orders]


def strongly_convex(
    setting: Setting, orders: Sequence[float], mode: str = "paper", constant: float = 4.0
) -> list[Bound]:
    """SubERM-sc: k calls of SubERM-reg with T_i = 2^(i-k) T, beta_i = 2^((k-i)/2) beta and delta/k, i = 0..k-1.

    The first call has the largest beta_i, so that its range of orders is smaller by 2^k than that of the outer beta.
    """
    k = setting.calls
    if k == 0:
        return nothing(orders)
    inner = [
        replace(
            setting, steps=max(1.0, setting.steps * 2.0 ** (i - k)), privacy=setting.privacy * 2 ** ((k - i) / 2),
            delta=setting.delta / k,
        )
        for i in range(k)
    ]  # fmt: skip
    composed = compose(*(sub_erm(call, orders, _inner(mode), constant, True) for call in inner))
    if mode != "stated":
        return composed
    inside, rate = k / setting.delta, setting.steps / setting.records
    wide = _smooth_enough(setting, constant, math.log2(setting.steps) / setting.delta)
    return _stated(setting, composed, constant, 1.0, math.log(inside), rate, 1 / 6, wide)


def _inner(mode: str) -> str:
    check_choice("mode", mode, MODES)
    return "paper" if mode == "stated" else mode


def _stated(
    setting: Setting, composed: Sequence[Bound], constant: float, factor: float, log: float, rate: float,
    largest_delta: float, wide: tuple[bool, str],
) -> list[Bound]:  # fmt: skip
    """epsilon = alpha C factor (beta log T/n)^2 with the printed preconditions; those of the inner calls are kept."""
    noise = setting.privacy * log
    conditions = [
        (rate * constant <= 1, f"T/n = {rate:.4g} <= 1/C = {1 / constant:.4g}"),
        (noise**2 * constant * ROUND_UP <= 1, f"stated: (beta log)^2 = {noise**2:.4g} <= 1/C = {1 / constant:.4g}"),
        (setting.delta < largest_delta, f"delta = {setting.delta:.4g} < {largest_delta:.4g}"),
        wide,
    ]
    slope, most = constant * factor * (noise * rate) ** 2, 1 / (constant * noise**2)
    made = [_bounded(setting, bound.order, slope, most, conditions) for bound in composed]
    return [
        replace(bound, violated=(*bound.violated, *(f"inner call: {words}" for words in inner.violated)))
        for bound, inner in zip(made, composed, strict=True)
    ]


def bias_reduced(
    setting: Setting, level: int, highest: int, orders: Sequence[float], mode: str = "paper", constant: float = 4.0
) -> list[Bound]:
    """One loop of BiasReducedProx given J = level >= 1, jmax = highest: the base call, and for J <= jmax those at
    levels J and J - 1, each at delta/3. For several loops: `compose`."""
    check_count("level", level)
    check_count("highest", highest)
    used = (0, level, level - 1) if level <= highest else (0,)
    calls = [at_level(replace(setting, delta=setting.delta / 3), j) for j in used]
    composed = compose(*(strongly_convex(call, orders, _inner(mode), constant) for call in calls))
    if mode != "stated":
        return [replace(bound, delta=setting.delta) for bound in composed]
    doubled = math.log2(math.log2(max(4.0, setting.records)))
    wide = _smooth_enough(setting, constant, max(1.0, math.log2(setting.steps)) / setting.delta)
    factor, rate = (2.0**level if level <= highest else 1.0), setting.steps / setting.records
    return _stated(setting, composed, constant, factor, math.log(doubled / setting.delta), rate, 1 / 2, wide)


def at_level(setting: Setting, level: int) -> Setting:
    """2^j T steps and 2^(-j/2) beta."""
    return replace(setting, steps=setting.steps * 2.0**level, privacy=setting.privacy * 2 ** (-level / 2))


def high_probability(
    setting: Setting, failure: float, orders: Sequence[float], mode: str = "paper", constant: float = 4.0,
    factor: float = 20.0,
) -> list[Bound]:  # fmt: skip
    """HighProbERM: ceil(factor log(1/zeta)) runs of SubERM-sc, zeta = failure, each at its share of delta."""
    check_number("failure", failure, above=0.0, most=1 - 2.0**-53)
    copies = max(1, math.ceil(factor * -math.log(failure)))
    one = replace(setting, delta=setting.delta / copies)
    composed = repeated(strongly_convex(one, orders, _inner(mode), constant), copies)
    if mode != "stated":
        return composed
    inside = math.log(setting.steps / failure) / setting.delta
    wide, rate = _smooth_enough(setting, constant, inside), setting.steps / setting.records
    return _stated(setting, composed, constant, -math.log(failure), math.log(inside), rate, 1 / 6, wide)


def accelerated(
    setting: Setting, steps: tuple[float, float, float], failure: float, counts: tuple[int, int], levels: Sequence[int],
    highest: int, orders: Sequence[float], mode: str = "paper", constant: float = 4.0,
) -> list[Bound]:  # fmt: skip
    """PrivateERM (algorithm of theorem 3): all oracle calls of a run, at delta/6 together (steps s11 to s17).

    setting.steps is not read; steps: T_1, T_2, T_3 of the search, ball and proximal oracle; failure: zeta; counts: the
    most iterations, and the most search calls of one; levels: J of every loop of the proximal oracle in the whole run,
    public and independent of the data; highest: jmax. Each of the three oracles has delta/18.
    """
    iterations, searches = counts
    share = setting.delta / 18
    search = replace(setting, steps=steps[0], delta=share / (iterations * searches))
    ball = replace(setting, steps=steps[1], delta=share / iterations)
    proximal = replace(setting, steps=steps[2], delta=share / max(1, len(levels)))
    loops = [
        repeated(bias_reduced(proximal, level, highest, orders, mode, constant), list(levels).count(level))
        for level in sorted(set(levels))
    ]
    return compose(
        repeated(high_probability(search, failure, orders, mode, constant), iterations * searches),
        repeated(strongly_convex(ball, orders, mode, constant), iterations),
        *loops,
    )


def epsilon_at(bounds: Sequence[Bound], delta: float) -> float:
    """The smallest epsilon that corollary 1 gives at `delta` over all orders; infinite if none does.

    (alpha, e, delta_0)-RDP gives (epsilon, delta' + (1 + exp(epsilon)) delta_0)-DP with epsilon = e +
    log(1/delta')/(alpha-1), for every delta' in (0, 1). The total is convex in delta'; the largest delta' within
    `delta` is taken.
    """
    check_number("delta", delta, above=0.0, most=1 - 2.0**-53)
    return min((_epsilon_of(bound, delta) for bound in bounds), default=math.inf)


def _epsilon_of(bound: Bound, delta: float) -> float:
    if not math.isfinite(bound.epsilon) or not bound.order > 1:
        return math.inf
    if bound.epsilon == 0 and bound.delta == 0:
        return 0.0
    share, spent = 1 / (bound.order - 1), bound.delta

    def total(log_free: float) -> float:
        exponent = bound.epsilon - share * log_free
        return math.exp(log_free) + (1 + math.exp(min(exponent, 700.0))) * spent

    high = math.log(delta)
    low = math.log(spent * share) + bound.epsilon if spent > 0 else high
    low = min(high, low / (1 + share))  # where the total is least
    if total(low) > delta:
        return math.inf
    if total(high) > delta:
        high = bisected(lambda log_free: total(log_free) <= delta, low, high, halvings=200).inside
    return (bound.epsilon - share * high) * ROUND_UP
