"""The law of ranks that is worst for a claim, and exact tail probabilities under it.

Let Y_1..Y_n be the scores on D' and X_1..X_m those on D, independent and alike on each side, and let a uniform variable
break ties. The level of a score, the probability that a score on D' is at least as high, is uniform for Y. "Says D if
the level is at most a" is a test with false positive rate a, so the claim with curve G states P(level of X <= a) <=
G(a) for every a: the level of X is stochastically larger than V with distribution function G. Coupled draws have level
>= V, so that each X lies below at least as many Y as V lies below n uniform levels. Hence a statistic that does not
fall when an X moves up among the Y is stochastically smaller than the same statistic of (V_1..V_m, n uniform levels):
the *least favourable* law. Its upper tail is a p-value that is exact for every n and m, without a split, a nuisance
parameter or an assumption on the scores.

The statistic here is T = sum_k gain_k * #{X above the rank_k-th largest Y}, gain_k >= 0. Under the least favourable
law the levels of the chosen Y have Dirichlet spacings S, and given S the X fall into the cells between them with
multinomial counts, so that a draw costs a few variables whatever n and m. P(T >= t) comes from importance sampling:
with scores a_c of the cells and G-probabilities p_c(S) of an X to fall into them, draw S_c proportional to
Gamma(alpha_c)/beta_c and the counts with probabilities p_c exp(theta a_c)/M(S). The weight of a draw is

    w = prod_c (beta_c/A)^-alpha_c (sum_c beta_c S_c/A)^A M(S)^m exp(-theta T),       A = n + 1,

and f(S) = A log(beta . S) + m log M(S) is concave, since G is concave. Where theta >= 0, w on {T >= t} is at most its
value at T = t and S = argmax f; any point s and tangent there bounds f. With beta_c = const - m d log M/d s_c at s
this point is the maximum itself. So all weights lie in [0, W] with W of the order of the tail probability, and a bound
on the mean of bounded variables (Maurer, Pontil, "Empirical Bernstein bounds and sample variance penalization", 2009,
theorem 4) gives an upper limit on the tail probability, of 10^-2 or of 10^-12 alike, from 10^4 draws.

Lemmas: `dpaudit/RANK`, the coupling on finitely many values; `dpaudit/P-VALUE`, `SIMULATED` and `TANGENT`.

Promises: P(p <= u) <= u for every u in [0, 1] if the claim holds, simulation included (`p_value_of`).

Assumes: trials that are independent within a side and across the sides, and alike on each side; a statistic that was
chosen without the trials that it is computed of.

Decides: as a part. It gives `rank_test` its p-values.

Sources: the domination is that of Lehmann, "Ordered families of distributions" (1955); trade-off functions: Dong,
Roth, Su (2022).

Example:

    >>> import numpy as np
    >>> from dpaudit.estimators.curves import GaussianCurve
    >>> from dpaudit.estimators.least_favourable import StepStatistic, p_value_of
    >>> rng = np.random.default_rng(1)
    >>> statistic = StepStatistic(np.array([10, 100]), np.array([1.0, 1.0]), negatives=500, positives=500)
    >>> observed = statistic.observed(np.sort(rng.normal(1.5, size=500)), np.sort(rng.normal(size=500)), rng)
    >>> [p_value_of(statistic, observed, GaussianCurve(mu), rng) < 0.001 for mu in (1.0, 2.0)]
    [True, False]
"""

from __future__ import annotations

import math
from dataclasses import dataclass

import numpy as np

from dpaudit.arithmetic.arrays import Array, Integers
from dpaudit.estimators.curves import Curve
from dpaudit.records.errors import ContentError

Ranks = Integers

SIMULATIONS = 10_000
_TILTINGS = 40
_ROUNDING = 1e-11
_LARGEST_SUM = 1e9
"""Of theta T: its rounding error in log W is then below 10^-6."""


@dataclass(frozen=True)
class StepStatistic:
    """T = sum of gains * number of scores on D above the ranks-th largest of the scores on D'.

    ranks: rising, in 1..negatives; gains: of the same length, above 0; negatives, positives: trials a side, at least 1.
    """

    ranks: Ranks
    gains: Array
    negatives: int
    positives: int

    def __post_init__(self) -> None:
        ranks, gains = self.ranks, self.gains
        if not (len(ranks) == len(gains) > 0 and np.all(np.diff(ranks) > 0) and ranks[0] >= 1 and np.all(gains > 0)):
            raise ContentError("a step statistic needs rising ranks from 1 on, and a gain above 0 for each")
        if ranks[-1] > self.negatives or self.positives < 1:
            raise ContentError(f"rank {ranks[-1]} of {self.negatives} scores on D', {self.positives} scores on D")

    @property
    def spacings(self) -> Array:
        """Dirichlet parameters of the spacings of the levels of the chosen scores on D', (cells,)."""
        return np.diff(np.concatenate([[0], self.ranks, [self.negatives + 1]])).astype(np.float64)

    @property
    def cell_scores(self) -> Array:
        """What a score on D adds to T in each cell, from the top cell down; 0 in the last one."""
        return np.append(np.cumsum(self.gains[::-1])[::-1], 0.0)

    def observed(self, positive: Array, negative: Array, rng: np.random.Generator) -> float:
        """T of ascending scores; `rng` breaks ties between the sides."""
        return float(counts_above(self.ranks, positive, negative, rng) @ self.gains)

    def expected(self, curve: Curve) -> float:
        """About the mean of T under the least favourable law: that at the mean levels."""
        return self.positives * float(self.gains @ curve.value(self.ranks / (self.negatives + 1)))

    def ordinary(self, observed: float, curve: Curve) -> bool:
        """True if `observed` is at most `expected`, to rounding: no evidence against the curve."""
        return observed * (1 - _ROUNDING) <= self.expected(curve)


def counts_above(ranks: Ranks, positive: Array, negative: Array, rng: np.random.Generator) -> Ranks:
    """How many of `positive` lie above the ranks-th largest of `negative`, both ascending.

    Ties are broken by uniform variables, one a score; only how many of them fall into which gap is drawn.
    """
    thresholds = negative[len(negative) - ranks]
    first, last = (np.searchsorted(positive, thresholds, side) for side in ("left", "right"))
    counts = len(positive) - last
    for value in np.unique(thresholds[first < last]):
        group = thresholds == value
        start, end = (int(np.searchsorted(negative, value, side)) for side in ("left", "right"))
        within = ranks[group] - (len(negative) - end)
        gaps = rng.dirichlet(np.diff(np.concatenate([[0], within, [end - start + 1]])))
        tied = int(last[group][0] - first[group][0])
        counts[group] += np.cumsum(rng.multinomial(tied, gaps / gaps.sum()))[:-1]
    return np.asarray(counts, dtype=np.int64)


@dataclass(frozen=True)
class _Tilt:
    """A proposal of the importance sampling: theta, beta (cells,), log W: the logarithm of the largest weight on {T >=
    t}.
    """

    theta: float
    rates: Array
    log_bound: float


def tail_probability(
    statistic: StepStatistic,
    observed: float,
    curve: Curve,
    rng: np.random.Generator,
    *,
    error: float | None = None,
    simulations: int = SIMULATIONS,
) -> float:
    """P(T >= observed) under the least favourable law of `curve`: an estimate, or an upper limit.

    error: probability that the upper limit is too low, in (0, 1); without it the estimate. 1 if `observed` is at most
    `expected`.
    """
    if statistic.ordinary(observed, curve):
        return 1.0
    tilt = _tilt(statistic, observed, curve)
    weights = _weights(statistic, observed, curve, tilt, rng, simulations)
    mean = float(weights.mean())
    if error is not None:
        log = math.log(2 / error)
        mean += math.sqrt(2 * float(weights.var(ddof=1)) * log / simulations) + 7 * log / (3 * (simulations - 1))
    return min(1.0, mean) * math.exp(tilt.log_bound)


def log_bound(statistic: StepStatistic, observed: float, curve: Curve) -> float:
    """log W, at least the logarithm of the tail probability and a few times its exponential; rises with the curve, at
    most 0.
    """
    return _tilt(statistic, observed, curve).log_bound if not statistic.ordinary(observed, curve) else 0.0


def p_value_of(statistic: StepStatistic, observed: float, curve: Curve, rng: np.random.Generator) -> float:
    """A p-value of the claim with `curve`: P(p <= u) <= u for every u in [0, 1], simulation included.

    The tail probability is at most W, and its upper limit fails with probability e = 10^-5 W, where W is known before
    the simulation. p = 1.01 max(limit, 100 e), so that p <= u means e <= u/101, and P(p <= u) <= u/101 + u/1.01 = u.
    """
    if statistic.ordinary(observed, curve):
        return 1.0
    error = 1e-5 * math.exp(max(log_bound(statistic, observed, curve), -650.0))
    limit = tail_probability(statistic, observed, curve, rng, error=error)
    return min(1.0, 1.01 * max(limit, 100 * error))


class _Cells:
    """Everything that the tilted law needs at one point of the simplex of spacings."""

    def __init__(self, statistic: StepStatistic, curve: Curve, spacings: Array, theta: float) -> None:
        scores = statistic.cell_scores
        levels = np.clip(np.cumsum(spacings)[:-1], 1e-300, 1.0 - 2.0**-53)
        rates, slopes = curve.value(levels), curve.slope(levels)
        powers = np.exp(theta * (scores - scores[0]))
        rises = powers[:-1] - powers[1:]
        norm = powers[-1] + rises @ rates
        chances = np.diff(np.concatenate([[0.0], rates, [1.0]])) * powers / norm
        self.theta, self.log_norm = theta, math.log(norm)  # of M exp(-theta * largest score)
        self.mean = statistic.positives * float(chances @ scores)
        self.log_slopes = np.append(np.cumsum((rises * slopes)[::-1])[::-1] / norm, 0.0)
        of_level = np.append(np.cumsum((statistic.gains * slopes)[::-1])[::-1], 0.0)
        self.variance = statistic.positives * float(chances @ scores**2 - (chances @ scores) ** 2) + (
            statistic.positives**2
            / (statistic.negatives + 1)
            * float(spacings @ of_level**2 - (spacings @ of_level) ** 2)
        )


def _tilt(statistic: StepStatistic, observed: float, curve: Curve) -> _Tilt:
    """A proposal under which T is about `observed`: the saddle point in theta and the spacings.

    Every step is a valid proposal with a valid bound; the one with the lowest bound is taken, a poor one costs
    precision only.
    """
    alpha, m = statistic.spacings, statistic.positives
    total, theta, most = alpha.sum(), 0.0, _LARGEST_SUM / (m * float(statistic.cell_scores[0]))
    point, best = alpha / total, _Tilt(0.0, np.full_like(alpha, total), 0.0)
    for _ in range(_TILTINGS):
        cells = _Cells(statistic, curve, point, theta)
        missing, deviation = observed - cells.mean, math.sqrt(max(cells.variance, 1e-300))
        move = float(np.clip(missing / deviation**2, -theta / 2, max(2 * theta, 1 / deviation)))
        theta = min(max(0.0, theta + move), most)
        cells = _Cells(statistic, curve, point, theta)
        best = min(best, _bounded(statistic, observed, cells, point), key=lambda tilt: tilt.log_bound)
        step = np.log(alpha / np.maximum(_rates(cells, point, total, m), 0.05 * alpha / point) / point)
        if abs(missing) < 1e-3 * deviation and np.abs(step).max() < 1e-4:
            break
        height = alpha @ np.log(point) + m * cells.log_norm
        for length in (1.0, 0.5, 0.25, 0.1, 0.03):
            moved = point * np.exp(length * step)
            moved /= moved.sum()
            if alpha @ np.log(moved) + m * _Cells(statistic, curve, moved, theta).log_norm >= height:
                point = moved
                break
    return best


def _rates(cells: _Cells, point: Array, total: float, positives: int) -> Array:
    return np.asarray(total + positives * (point @ cells.log_slopes - cells.log_slopes), dtype=np.float64)


def _bounded(statistic: StepStatistic, observed: float, cells: _Cells, point: Array) -> _Tilt:
    """The proposal at `point` with the bound that the tangent of the concave f gives."""
    alpha, m = statistic.spacings, statistic.positives
    total = alpha.sum()
    rates = np.maximum(_rates(cells, point, total, m), 0.01 * alpha / point)
    tangent = total * rates / (rates @ point) + m * cells.log_slopes
    log_bound = float(
        total * math.log(rates @ point / total) - alpha @ np.log(rates / total)
        + m * cells.log_norm + cells.theta * (m * statistic.cell_scores[0] - observed)
        + (tangent.max() - tangent @ point)
    )  # fmt: skip
    return _Tilt(cells.theta, rates, log_bound if math.isfinite(log_bound) else math.inf)


def _weights(
    statistic: StepStatistic, observed: float, curve: Curve, tilt: _Tilt, rng: np.random.Generator, simulations: int
) -> Array:
    """w/W of each draw where T >= observed, else 0: in [0, 1], (simulations,)."""
    alpha, scores, m = statistic.spacings, statistic.cell_scores, statistic.positives
    total, rates, theta = alpha.sum(), tilt.rates, tilt.theta
    spacings = rng.standard_gamma(alpha, size=(simulations, len(alpha))) / rates
    spacings /= spacings.sum(axis=1, keepdims=True)
    reached = curve.value(np.minimum(np.cumsum(spacings, axis=1)[:, :-1], 1.0))
    powers = np.exp(theta * (scores - scores[0]))
    norm = powers[-1] + reached @ (powers[:-1] - powers[1:])
    chances = np.maximum(np.diff(reached, axis=1, prepend=0.0, append=1.0), 0.0) * powers
    values = rng.multinomial(m, chances / chances.sum(axis=1, keepdims=True)) @ scores
    log_weights = (
        total * np.log(spacings @ rates / total) - alpha @ np.log(rates / total)
        + m * np.log(norm) + theta * (m * scores[0] - values) - tilt.log_bound
    )  # fmt: skip
    reaches = values >= observed * (1 - _ROUNDING)
    return np.where(reaches, np.exp(np.minimum(log_weights, 0.0)), 0.0)
