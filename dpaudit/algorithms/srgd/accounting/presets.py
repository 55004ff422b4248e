"""The parameters that the paper prints for Accelerated-DP-SRGD, as whole numbers where an algorithm needs them.

    interior    P1, equation (19) and corollary 5.7: the unconstrained minimiser lies in the set. c_DP is a product of
                logarithms, so large that one record per batch takes over a million records, and b_max <= R over 1e25
    scaled      P1-scaled (not in the paper): the same formulas with a free kappa in the place of c_DP
    general     P2, theorem 5.12 and corollary 5.11: no such assumption, batches of at most sqrt n records
    informal    P3, introduction: beta = M or M max(n^1.5/B^2, n/B), with the least noise that the accountant allows

T = floor(printed T + 1/2), B = floor(n/T); the n - B T last records stay unused. eta_t = t + 1 and
tau_t = eta_t/eta_{0:t}. R is a bound on the norm of the set, which the paper uses in two meanings: see `set_norm`.
Logarithms of n in c_DP and of T in the noise have base `log_base`, all others are natural.

A preset is what is printed. What it promises is computed from its numbers, and may be less than the paper claims of it:
the noise of P1 is too small by a factor of 1.41 to 2 (base 2; see `tree_noise`). T = 1 is refused: log T = 0 would
be no noise. `violated` names what the theorems assume and these numbers do not meet; delta = 2^-o(n^1/6) is said of
sequences, not of numbers, and is not in it.

Source: Choquette-Choo, Ganesh, Thakurta (2024), "Optimal Rates for O(1)-Smooth DP-SCO with a Single Epoch and Large
Batches".
"""

from __future__ import annotations

import math
from dataclasses import dataclass, replace
from fractions import Fraction
from typing import Annotated, Any

import numpy as np

from dpaudit.accounting.factorisations import LOG_BASES, logarithm
from dpaudit.algorithms.srgd.accounting.tree_noise import (
    LEAST_DELTA,
    MOST_DELTA,
    TreeRelease,
    claimed_mu,
    lemma_noise_bound,
    node_noise_needed,
    noise_bound,
    printed_node_multiplier,
)
from dpaudit.arithmetic.arrays import Array
from dpaudit.arithmetic.roots import least_integer
from dpaudit.problems.domains import Domain
from dpaudit.records.errors import ConfigurationError
from dpaudit.records.mechanism import Promise
from dpaudit.records.privacy import ApproximateDP, Neighbours
from dpaudit.records.ranges import Count, NotNegative, OneOf, Positive, check_fields
from dpaudit.records.validation import check_choice, check_count, check_number

MOST_RECORDS = 10**300
"""Where a search for the smallest data set ends."""


def set_norm(domain: Domain, norm_of_set: str = "diameter") -> float:
    """The norm of a set that R bounds: its "diameter", or its "radius", the largest norm of its points."""
    check_choice("norm_of_set", norm_of_set, ("diameter", "radius"))
    size = domain.diameter if norm_of_set == "diameter" else domain.largest_norm
    return check_number("the norm of the domain", size, above=0.0)


@dataclass(frozen=True)
class Setting:
    """What a preset starts from.

    records: n; dimension: p; epsilon, delta: the aim; lipschitz: L; radius: R, a bound on the norm of the set;
    smoothness: M; smoothness_constant: c_M with M R <= c_M L, by default M R/L; log_base: "2" or "e".
    Raises ConfigurationError.
    """

    records: int
    dimension: Count
    epsilon: Positive
    delta: float
    lipschitz: Positive = 1.0
    radius: Positive = 1.0
    smoothness: NotNegative = 1.0
    smoothness_constant: float | None = None
    log_base: Annotated[str, OneOf(LOG_BASES)] = "2"

    def __post_init__(self) -> None:
        check_fields(self)
        check_count("records", self.records, most=MOST_RECORDS)
        check_number("delta", self.delta, least=LEAST_DELTA, most=MOST_DELTA)
        if self.smoothness_constant is not None:
            least = self.smoothness * self.radius / self.lipschitz
            check_number("smoothness_constant", self.smoothness_constant, least=least)

    @property
    def relative_smoothness(self) -> float:
        """c_M."""
        given = self.smoothness_constant
        return self.smoothness * self.radius / self.lipschitz if given is None else given


@dataclass(frozen=True)
class Preset:
    """Everything that a run of the clipped algorithm needs.

    name; setting; steps: T; batch: B; scaling: beta; node_noise: sigma, standard deviation of a node in units of b;
    noise_bound: b_max; clip_norm: K; failure: gamma; printed_steps, printed_batch: before rounding; violated: what the
    theorems assume and these numbers do not meet, in words.
    """

    name: str
    setting: Setting
    steps: int
    batch: int
    scaling: float
    node_noise: float
    noise_bound: float
    clip_norm: float
    failure: float
    printed_steps: float
    printed_batch: float
    violated: tuple[str, ...]

    @property
    def step_weights(self) -> Array:
        """eta_0, ..., eta_T = 1, ..., T + 1; the last one only for x_T. Shape (T + 1,)."""
        return np.arange(1.0, self.steps + 2.0)

    @property
    def couplings(self) -> Array:
        """tau_t = eta_t/eta_{0:t} = 2/(t + 2), t = 0, ..., T. Shape (T + 1,)."""
        return 2 / np.arange(2.0, self.steps + 3.0)

    @property
    def unused(self) -> int:
        """The last n - B T records, which are in no batch."""
        return self.setting.records - self.batch * self.steps

    @property
    def gradients(self) -> int:
        """2 B T - B evaluations of a record's gradient: two per record used, one in the first step."""
        return (2 * self.steps - 1) * self.batch

    def release(self, neighbours: Neighbours = Neighbours.ZERO_OUT) -> TreeRelease:
        """The run with clipping, as its accountant sees it."""
        return TreeRelease(self.steps, self.batch, self.clip_norm, self.scaling, self.node_noise, neighbours)

    @property
    def promise(self) -> Promise:
        """What the run with clipping promises for records that are zeroed out."""
        return self.release().promise

    @property
    def claimed(self) -> ApproximateDP:
        """What the paper claims for it, with clipping and without (corollaries 5.7 and 5.11)."""
        return ApproximateDP(self.setting.epsilon, self.setting.delta)


def dp_constant(records: int, delta: float | None = None, log_base: str = "2") -> float:
    """c_DP = 4 sqrt 2 log^1.5(n) sqrt(ln(2n/delta)) ln(2.5/delta); delta None stands for 1/n."""
    return float(_dp_constant(records, delta, log_base))


def _dp_constant(records: int, delta: float | None, log_base: str) -> Any:
    """c_DP as a ball, because a smallest n of 26 digits has no float64."""
    from flint import arb

    check_choice("log_base", log_base, LOG_BASES)
    n = arb(check_count("records", records))
    inverse = n if delta is None else 1 / arb(check_number("delta", delta, least=LEAST_DELTA, most=MOST_DELTA))
    levels = n.log() / (arb(2).log() if log_base == "2" else 1)
    return (32 * levels**3 * (2 * n * inverse).log()).sqrt() * (inverse * 5 / 2).log()


def _sizes(records: int, delta: float | None, log_base: str, constant: float | None) -> tuple[int, bool]:
    """(T, whether c <= n^(1/4)): T = floor(c n^(1/4) + 1/2) is the largest integer with (2T - 1)^4 <= 16 c^4 n."""
    if constant is not None:
        fourth = Fraction(constant) ** 4
        root = math.isqrt(math.isqrt(math.floor(16 * fourth * records)))
        return (root + 1) // 2, fourth <= records
    from dpaudit.arithmetic.intervals import precision

    with precision(256 + 2 * records.bit_length()):
        ball = _dp_constant(records, delta, log_base) ** 4
        whole = int((16 * ball * records).floor().unique_fmpz())
        return (math.isqrt(math.isqrt(whole)) + 1) // 2, bool(ball <= records)


def smallest_records(
    delta: float | None = None, log_base: str = "2", constant: float | None = None, condition: str = "batch"
) -> int:
    """The smallest n >= 2 at which P1, or P1-scaled with kappa = `constant`, meets a condition, as all larger n do.

    "batch": T >= 2 batches of at least one record; "noise bound": c_DP <= n^(1/4), so that b_max <= R. delta None
    stands for 1/n.
    """
    check_choice("condition", condition, ("batch", "noise bound"))
    if constant is not None:
        check_number("constant", constant, least=1.0)

    def met(records: int) -> bool:
        if records > MOST_RECORDS:
            raise ConfigurationError(f"no n up to 1e300 meets {condition!r}; take a smaller constant, larger delta")
        return _meets(records, delta, log_base, constant, condition)

    return least_integer(met, 2)  # the logarithms of both conditions are convex in log n and unmet at n = 1: met once


def _meets(records: int, delta: float | None, log_base: str, constant: float | None, condition: str) -> bool:
    steps, bounded = _sizes(records, delta, log_base, constant)
    return bounded if condition == "noise bound" else 2 <= steps <= records


def interior(setting: Setting) -> Preset:
    """P1: c_DP as printed. Raises ConfigurationError with the smallest n where batches would have no record."""
    c = dp_constant(setting.records, setting.delta, setting.log_base)
    return _interior("P1", setting, c, None)


def scaled(setting: Setting, constant: float) -> Preset:
    """P1-scaled: kappa = `constant` >= 1 in the place of c_DP, also in the clip norm kappa L."""
    c = check_number("constant", constant, least=1.0)
    return _interior("P1-scaled", setting, c, c)


def _feasible(name: str, s: Setting, c: float, constant: float | None) -> int:
    """T of P1, or a ConfigurationError with the smallest n that has one."""
    steps, _ = _sizes(s.records, s.delta, s.log_base, constant)
    if 2 <= steps <= s.records:
        return steps
    least = smallest_records(s.delta, s.log_base, constant)
    raise ConfigurationError(
        f"{name} needs T from 2 to n, got T = {c * s.records**0.25:.6g} for n = {s.records} and the constant {c:.6g}; "
        f"take records >= {least}" + (" or the scaled preset" if constant is None else " or another constant")
    )


def _interior(name: str, s: Setting, c: float, constant: float | None) -> Preset:
    steps, clip_norm, root = _feasible(name, s, c, constant), c * s.lipschitz, math.sqrt(s.dimension)
    batch, fourth = s.records // steps, s.records**0.25
    scaling = c**2 * s.lipschitz * max(1.0, root / (s.epsilon * math.sqrt(s.records))) / s.radius
    change = clip_norm / (batch * scaling)
    noise = change * printed_node_multiplier("COR-5.7", steps, s.epsilon, s.delta, s.log_base)
    bound, kept = c * change * root / s.epsilon, noise_bound(noise, steps, s.dimension, s.delta)
    conditions = (
        (s.delta * s.records <= 1, f"delta = {s.delta:.4g} <= 1/n = {1 / s.records:.4g}"),
        (root <= s.epsilon * s.records, f"p = {s.dimension} <= (epsilon n)^2 = {(s.epsilon * s.records) ** 2:.4g}"),
        (c <= fourth, f"c_DP = {c:.4g} <= n^(1/4) = {fourth:.4g}, for b_max <= R"),
        (scaling >= s.smoothness, f"beta = {scaling:.4g} >= M = {s.smoothness:.4g}"),
        (kept <= bound, f"|b_t| <= {kept:.4g} (probability 1 - delta) <= b_max = {bound:.4g}"),
    )
    violated = tuple(words for holds, words in conditions if not holds)
    printed = (c * fourth, s.records / (c * fourth))
    return Preset(name, s, steps, batch, scaling, noise, bound, clip_norm, s.delta / 4, *printed, violated)


def general(setting: Setting, batch: int | None = None) -> Preset:
    """P2: no assumption on the minimiser. batch: B, from 1 to sqrt n, by default the largest; T = floor(n/B).

    noise_bound is that of lemma 5.6 as printed, for C = K/(B beta). Raises ConfigurationError.
    """
    s, most = setting, math.isqrt(setting.records)
    if s.records < 2:
        raise ConfigurationError(f"P2 needs 2 steps, so 2 records or more, got {s.records}")
    batch = check_count("batch", most if batch is None else batch, most=most)
    steps, c_m = s.records // batch, s.relative_smoothness
    scaling = (16 * c_m + 8) * s.lipschitz * math.pow(s.records, 1.5) / (s.radius * batch**2)
    clip_norm = (8 * c_m + 4) * s.lipschitz
    change, mu = clip_norm / (batch * scaling), claimed_mu(s.epsilon, s.delta)
    noise = change * printed_node_multiplier("COR-5.11", steps, s.epsilon, s.delta, s.log_base)
    bound = lemma_noise_bound(change, mu, steps, s.dimension, s.delta, s.log_base)
    printed = (s.records / batch, float(batch))
    made = Preset("P2", s, steps, batch, scaling, noise, bound, clip_norm, 1 / steps**2, *printed, ())
    largest = largest_dimension(made)
    words = f"p = {s.dimension} <= {largest:.4g} (corollary 5.10), so that no difference is clipped"
    return made if s.dimension <= largest else replace(made, violated=(words,))


def largest_dimension(preset: Preset) -> float:
    """The p up to which P2 clips nothing, corollary 5.10: (B beta eps/M)^2/(32 log^3(T) ln(2T/delta) ln(2.5/delta)).

    Its proof drops the 4 of lemma 5.6; the 32 is right all the same, with logarithms to base 2 (srgd/COR-5.10)."""
    s = preset.setting
    if s.smoothness == 0:
        return math.inf
    logs = math.log(2 * preset.steps / s.delta) * math.log(2.5 / s.delta)
    levels = 32 * logarithm(preset.steps, s.log_base) ** 3
    return (preset.batch * preset.scaling * s.epsilon / s.smoothness) ** 2 / (levels * logs)


def informal(setting: Setting, batch: int, clip_norm: float, inside: bool, constant: float = 1.0) -> Preset:
    """P3: beta = constant M if the unconstrained minimiser is `inside`, else constant M max(n^1.5/B^2, n/B).

    batch: B, from 1 to n; clip_norm: K above 0, which the introduction does not fix; constant: at least 1. The noise
    is the least that gives (epsilon, delta), noise_bound from its exact law at delta/2. Raises ConfigurationError.
    """
    s = setting
    check_number("smoothness", s.smoothness, above=0.0)
    check_number("constant", constant, least=1.0)
    steps = s.records // check_count("batch", batch, most=s.records)
    slowed = 1.0 if inside else max(math.pow(s.records, 1.5) / batch**2, s.records / batch)
    scaling = constant * s.smoothness * slowed
    noise = node_noise_needed(steps, batch, clip_norm, scaling, s.epsilon, s.delta)
    bound, printed = noise_bound(noise, steps, s.dimension, s.delta / 2), (s.records / batch, float(batch))
    return Preset("P3", s, steps, batch, scaling, noise, bound, clip_norm, s.delta / 2, *printed, ())
