"""Privacy of Noisy-ZOGD: accountants of the public states and of the last step alone.

Every accountant gives what is true under `assumes`, rounded up, and beside it the paper's own number. Neighbours
replace one record. rho: the release is (alpha, rho alpha)-RDP for all alpha > 1, and sqrt(2 rho)-GDP, given an
event of probability at least 1 - failure; epsilon is that of the Gaussian curve at (delta - failure)/(1 - failure).

Public states (theorem 3.1). The adversary sees w_1..w_T and even all U_t. Given the past and U_t the next point
tells, before projection, the K projected values s_k plus N(0, V), V = eta^2 sigma^2 (b_dir/K + (1 - b_dir)/d), in
span(U_t) and noise without data elsewhere. Replacing a record moves (eta/K)(s_1..s_K) by at most S, so the run is an
adaptive composition of Gaussian mechanisms: rho = sum S^2/(2 V). Clipping alone gives S = (eta/(K n)) 2 sqrt(K) Delta,
attained by sign canaries. For records that are M-smooth and Delta-Lipschitz (so that clipping is idle) the K
difference quotients are K coordinates of one gradient up to M xi/2 each, so S = (eta/(K n)) (2 Delta + sqrt(K) M xi)
if that is smaller. The paper prints Delta^2 in place of (2 Delta)^2: for replacement its rho is too small by 4.

Output perturbation (appendix A.3 prints alpha (2R)^2 d/(2 eta^2 sigma^2), section 3.1 O(R^2/sigma^2), which is
smaller by d/eta^2). Two runs may stand 2R apart before the last step, which may move each by q/2 =
(eta/K) sqrt(K) Delta in span(U): the sensitivity is not 2R.

Source: Chien, Chen, Li (2025), "Privacy Amplification in Differentially Private Zeroth-Order Optimization with
Hidden States", theorem 3.1, appendices A.3, A.4; exact curves: Dong, Roth, Su (2022), corollary 3.3.
"""

from __future__ import annotations

import math
from dataclasses import dataclass
from typing import Annotated

import numpy as np

from dpaudit.accounting.epsilon import gaussian_epsilon
from dpaudit.algorithms.zeroth.accounting.shifts import ROUND_UP, first_order_constant
from dpaudit.records.errors import ConfigurationError
from dpaudit.records.mechanism import Concentrated, Constant, Gaussian, Mechanism, Promise
from dpaudit.records.privacy import Neighbours, View
from dpaudit.records.ranges import Count, NotNegative, Positive, Range, check_fields
from dpaudit.records.validation import check_choice, check_count, check_number, check_vector

ASSUMPTIONS = ("clipping", "smooth and Lipschitz")
PAPER = "Chien, Chen, Li (2025)"


@dataclass(frozen=True)
class Setting:
    """One run. records: n; dimension: d; directions: K in 1..d; steps: T, at least 0; step_size: eta; noise: sigma;
    clip_norm: Delta, all three above 0; b_dir: fraction of the variance on the K directions, in [0, 1], one number or a
    tuple of T (the paper's beta_t in theorem 3.2, its 1 - beta_t in (3)); radius: R above 0, infinite without
    projection; smoothness: M at least 0; convexity: m in [0, M] of m-strongly convex records, None if not convex;
    perturbation: xi at least 0 (0: directional derivatives). Raises ConfigurationError."""

    records: Count
    dimension: Count
    directions: int
    steps: Annotated[int, Range(least=0)]
    step_size: Positive
    noise: NotNegative
    clip_norm: Positive
    b_dir: float | tuple[float, ...] = 0.5
    radius: float = math.inf
    smoothness: NotNegative = 1.0
    convexity: float | None = None
    perturbation: NotNegative = 0.0

    def __post_init__(self) -> None:
        check_fields(self)
        check_count("directions", self.directions, 1, self.dimension)
        if self.noise == 0:
            raise ConfigurationError("noise must be above 0 for a promise of privacy, got 0; set sigma > 0")
        if self.convexity is not None:
            check_number("convexity", self.convexity, least=0.0, most=self.smoothness)
        if self.radius != math.inf:
            check_number("radius", self.radius, above=0.0)
        if isinstance(self.b_dir, tuple):
            check_vector("b_dir", self.b_dir, self.steps or None, least=0.0, most=1.0)
        else:
            check_number("b_dir", self.b_dir, least=0.0, most=1.0)

    @property
    def constant(self) -> float:
        """c: the Lipschitz constant of w - (eta/K) grad L(w)."""
        return first_order_constant(self.step_size / self.directions, self.smoothness, self.convexity)

    def variance(self, b_dir: float) -> float:
        """V: the variance of the noise per direction of span(U)."""
        return (self.step_size * self.noise) ** 2 * (b_dir / self.directions + (1 - b_dir) / self.dimension)

    def change(self, assumption: str) -> float:
        """The norm, at most, of the change of one record's K values s_k when the record is replaced."""
        check_choice("assumption", assumption, ASSUMPTIONS)
        clipped = 2 * math.sqrt(self.directions) * self.clip_norm
        if assumption == "clipping":
            return clipped
        return min(clipped, 2 * self.clip_norm + math.sqrt(self.directions) * self.smoothness * self.perturbation)

    def drift(self, assumption: str) -> float:
        """The distance, at most, by which one step may part two runs that saw equal noise at any points."""
        return self.step_size / self.directions * self.change(assumption)


@dataclass(frozen=True)
class Spending:
    """rho and failure: see the module; epsilon: at the delta asked for, rounded up, infinite if nothing is promised;
    printed_rho, printed_epsilon: the paper's (Mironov's conversion); promise: the same as data; assumes: what the
    true numbers need beyond the algorithm."""

    rho: float
    failure: float
    epsilon: float
    printed_rho: float
    printed_epsilon: float
    promise: Promise
    assumes: tuple[str, ...]

    @property
    def optimistic(self) -> bool:
        """Whether the printed rho is below what is shown here under the stated assumptions."""
        return self.printed_rho < self.rho * (1 - 1e-9)


def converted(rho: float, delta: float) -> float:
    """rho + 2 sqrt(rho log(1/delta)): Mironov's conversion at the best order; infinite unless 0 < delta < 1."""
    if rho == 0:
        return 0.0
    return rho + 2 * math.sqrt(rho * -math.log(delta)) if 0 < delta < 1 and rho < math.inf else math.inf


def inverted(epsilon: float, delta: float) -> float:
    """rho with converted(rho, delta) = epsilon; epsilon at least 0, delta in (0, 1)."""
    check_number("epsilon", epsilon, least=0.0)
    logarithm = -math.log(check_delta(delta))
    return (epsilon / (math.sqrt(logarithm + epsilon) + math.sqrt(logarithm))) ** 2


def gaussian_bound(rho: float, delta: float, failure: float = 0.0) -> float:
    """The smallest epsilon at `delta` of sqrt(2 rho)-GDP given an event of probability 1 - failure, rounded up."""
    left = (delta - failure) / (1 - failure) if failure < 1 else 0.0
    if rho == 0 and left >= 0:
        return 0.0
    if left <= 0 or not rho < math.inf:
        return math.inf
    mu = math.sqrt(2 * rho)
    if math.erf(mu / math.sqrt(8)) <= left:
        return 0.0
    with np.errstate(divide="ignore"):  # the root search of a tiny mu meets log 0 on its way
        return gaussian_epsilon(left, mu) * (1 + 1e-9) + 1e-12


def check_delta(delta: float) -> float:
    """`delta` if it is in (0, 1)."""
    return check_number("delta", delta, above=0.0, most=1 - 2.0**-53)


def public_states(setting: Setting, delta: float, assumption: str = "clipping") -> Spending:
    """Accountant P: all iterates (and all U_t) released; delta in (0, 1).

    assumption: "clipping" holds for any records, "smooth and Lipschitz" needs A1 and A2. Printed: theorem 3.1, that
    is Delta^2/(2 n^2 sigma^2) a step for b_dir = 1, d Delta^2/(2 n^2 K sigma^2) for b_dir = 0, and by the same
    derivation (Delta eta/n)^2/(2 K V) between. Its ratio to the true rho is 4 under clipping; a ratio below 1 (K > 4
    for smooth records, xi = 0) means that the paper gives away more than it must.
    """
    check_delta(delta)
    moved = setting.step_size * setting.change(assumption) / (setting.directions * setting.records)
    single = setting.step_size * setting.clip_norm / (math.sqrt(setting.directions) * setting.records)
    inverse = _precision(setting)
    rho, printed = moved**2 * inverse * ROUND_UP, single**2 * inverse
    source = sourced("theorem 3.1, corrected: replacement moves a clipped value by 2 Delta", assumed(assumption))
    promise = Promise(_gaussian(rho), Neighbours.REPLACE_ONE, View.TRANSCRIPT, source)
    return Spending(
        rho, 0.0, gaussian_bound(rho, delta), printed, converted(printed, delta), promise, assumed(assumption)
    )


def _precision(setting: Setting) -> float:
    """The sum over the steps of 1/(2V)."""
    if isinstance(setting.b_dir, tuple):
        return math.fsum(1 / (2 * setting.variance(split)) for split in setting.b_dir)
    return setting.steps / (2 * setting.variance(setting.b_dir))


def output_perturbation(setting: Setting, delta: float, assumption: str = "clipping") -> Spending:
    """Accountant O: only the noise of the last step counts; delta in (0, 1).

    h' V^-1 h at most over h = x + y, ||x|| <= 2R in any direction, ||y|| <= q in span(U): with p the part of x in the
    span, (p + q)^2/(sigma1^2 + sigma2^2) + (4R^2 - p^2)/sigma2^2 at its best p. Infinite for R infinite, or for
    b_dir = 1 and K < d. Printed (A.3): (2R)^2 d/(2 eta^2 sigma^2), for b_dir > 0 divided by 1 - b_dir.
    """
    check_delta(delta)
    rho = printed = 0.0
    if setting.steps:
        split = setting.b_dir[-1] if isinstance(setting.b_dir, tuple) else setting.b_dir
        drift, diameter = setting.drift(assumption), 2 * setting.radius
        elsewhere = (setting.step_size * setting.noise) ** 2 * (1 - split) / setting.dimension
        printed = diameter**2 / (2 * elsewhere) if elsewhere > 0 else math.inf
        rho = _last_step(diameter, drift, setting.variance(split), elsewhere, setting.directions == setting.dimension)
    source = sourced("appendix A.3, corrected: the last step parts two runs by more than 2R", assumed(assumption))
    promise = Promise(_gaussian(rho), Neighbours.REPLACE_ONE, View.HIDDEN_STATE, source)
    return Spending(
        rho, 0.0, gaussian_bound(rho, delta), printed, converted(printed, delta), promise, assumed(assumption)
    )


def _last_step(diameter: float, drift: float, inside: float, elsewhere: float, whole: bool) -> float:
    if diameter == math.inf:
        return math.inf
    if whole:
        return (diameter + drift) ** 2 / (2 * inside) * ROUND_UP
    if elsewhere == 0:
        return math.inf
    part = diameter if inside <= elsewhere else min(diameter, drift * elsewhere / (inside - elsewhere))
    return ((part + drift) ** 2 / inside + (diameter**2 - part**2) / elsewhere) / 2 * ROUND_UP


def _gaussian(rho: float) -> Mechanism:
    if rho == 0:
        return Constant()
    return Gaussian(1 / math.sqrt(2 * rho)) if rho < math.inf else Concentrated(rho)


def concentrated(rho: float, failure: float) -> Mechanism:
    """The mechanism of a bound that holds given an event."""
    return _gaussian(rho) if failure == 0 else Concentrated(rho, failure)


def assumed(assumption: str) -> tuple[str, ...]:
    """The assumptions of the paper behind one of ASSUMPTIONS."""
    return () if assumption == "clipping" else ("A1 on B_(R + xi)", "A2 on B_(R + xi)")


def sourced(statement: str, assumes: tuple[str, ...]) -> str:
    """The source of a promise, with what it needs beyond the algorithm."""
    return f"{PAPER}, {statement}" + (f"; needs {', '.join(assumes)}" if assumes else "")
