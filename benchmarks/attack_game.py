"""Cells of benchmarks/attack.py: games with a fixed number of trials."""

from __future__ import annotations

import math
from collections.abc import Callable, Iterator
from dataclasses import dataclass, replace
from functools import cache, partial
from typing import Any
from unittest.mock import patch

import numpy as np
from composed import _shaped, without_mu
from numpy.typing import NDArray
from validity import sparing
from worst_laws import worst_law

from dpaudit.accounting.epsilon import epsilon_bounds, gaussian_epsilon
from dpaudit.audit.game import decide
from dpaudit.estimators import rank_test
from dpaudit.estimators.held_out_threshold import Scores, split
from dpaudit.records.mechanism import Gaussian, Mechanism, PoissonSampled
from dpaudit.records.privacy import ApproximateDP, GaussianDP, Guarantee, Neighbours, PrivacyClaim, View
from dpaudit.records.target import Target, TrialPlan

LEAST, MOST = 500, 10_000
"""Audits of a cell."""

Floats = NDArray[np.float64]
Generator = np.random.Generator
Sides = Callable[[Generator, int, int], tuple[Floats, Floats]]
Found = dict[str, tuple[float, bool]]
"""By promise, the promised share, and whether this audit broke it."""


@dataclass(frozen=True)
class Cell:
    """play: one audit, or in its place exact: (promise, promised share, probability of an error)."""

    group: str
    name: str
    play: Callable[[Generator], Found] | None = None
    exact: Callable[[], Iterator[tuple[str, float, float]]] | None = None


@cache
def target_of(guarantee: Guarantee, delta: float, mechanism: Mechanism | None = None, early: bool = False) -> Target:
    """A target with this claim, or this claimed mechanism."""
    stated = PrivacyClaim(guarantee, Neighbours.ADD_OR_REMOVE, delta, "the benchmark")
    plan = TrialPlan(1_000, 1_000, 1_000)
    return Target("a/b", "b", View.TRANSCRIPT, stated, plan, claimed_mechanism=mechanism, early_stop=early)


def decided(target: Target, scores: Scores, guarantee: Guarantee, rng: Generator, bets: Any = None) -> Found:
    """Is the true claim refuted? At two levels, with one p-value; what has no say in the decision is left out."""
    once = cache(lambda: rank_test_p_value(scores, guarantee, rng))
    found: Found = {}
    with (
        patch.object(decide, "printed_bounds", return_value=(0.0, 0.0)),
        patch.object(rank_test, "split_p_value", lambda *_: once()),
        patch.object(decide.power, "smallest_violation", return_value=1.0),
        patch.object(decide.power, "limit_of_detection", return_value=1.0),
    ):
        for alpha in (0.05, 0.001) if bets is None else (bets.alpha,):
            judged = decide.judge(target, scores, guarantee, alpha, rng, bets)
            found[f"refuted at {alpha:g}"] = alpha, judged.decision.refuted
    return found


rank_test_p_value = rank_test.split_p_value


@dataclass(frozen=True)
class _Truth:
    """What `validity.sparing` reads: bounds that cannot exceed these are not looked for."""

    epsilon: float
    mu: float


def fixed(
    sides: Sides,
    guarantee: Guarantee,
    sizes: tuple[int, int],
    delta: float = 0.0,
    epsilon: float | None = None,
    mu: float | None = None,
    mechanism: Mechanism | None = None,
) -> Callable[[Generator], Found]:
    """Audits of a game with a fixed number of trials; epsilon: the true one at `delta`; mu: the true one, if known."""
    true = guarantee.epsilon if epsilon is None and isinstance(guarantee, ApproximateDP) else epsilon

    def audit(rng: Generator) -> Found:
        target, scores = target_of(guarantee, delta, mechanism), replace(split(*sides(rng, *sizes)), unspent=True)
        found = decided(target, scores, decide.decided_guarantee(target), rng)
        if true is None:
            return found
        remembered, without = without_mu()
        if mu is None and sizes[0] <= decide._FEW:
            with remembered, without:
                printed = decide.printed_bounds(scores, delta, rng, decide.PRINTED_ALPHA)
        else:
            spared = _Truth(true, math.inf if mu is None else mu)
            with patch.object(rank_test, "_ceiling", sparing(spared)):  # type: ignore[arg-type]
                printed = decide.printed_bounds(scores, delta, rng, decide.PRINTED_ALPHA)
        found["printed epsilon"] = 0.05, printed[0] > true + 1e-9
        if mu is not None:
            found["printed mu"] = 0.05, printed[1] > mu + 1e-9
        return found

    return audit


def kov(epsilon: float, delta: float, shape: str = "no ties") -> Sides:
    """The worst law of a claim; "told tied": the told scores are the only ties."""

    def draw(rng: Generator, positives: int, negatives: int) -> tuple[Floats, Floats]:
        sides = worst_law(epsilon, delta).scores(rng, positives, negatives)
        if shape != "told tied":
            return _shaped(sides[0], shape, rng), _shaped(sides[1], shape, rng)
        return tuple(side + np.where(np.isfinite(side), rng.random(len(side)) / 2, 0) for side in sides)  # type: ignore

    return draw


def moved(noise: Callable[[Generator, int], Floats], shift: float = 1.0, back: Any = np.asarray) -> Sides:
    """Noise about `shift` and about 0; back: a monotone map of the scores."""
    return lambda rng, n, m: (back(noise(rng, n) + shift), back(noise(rng, m)))


def finite(first: Floats, second: Floats, values: Floats | None = None) -> Sides:
    """Two laws on a few values; scores are log ratios unless values are given."""
    scores = np.log(first) - np.log(second) if values is None else values
    return lambda rng, n, m: (scores[rng.choice(len(scores), n, p=first)], scores[rng.choice(len(scores), m, p=second)])


def law_epsilon(first: Floats, second: Floats, delta: float) -> float:
    """Of two laws on the same values, by bisection, rounded up; both orders."""
    low, high = 0.0, 60.0
    for _ in range(80):
        middle = (low + high) / 2
        lost = max(float(np.maximum(a - math.exp(middle) * b, 0).sum()) for a, b in ((first, second), (second, first)))
        low, high = (middle, high) if lost > delta else (low, middle)
    return high


def normalised(weights: Floats) -> Floats:
    """Of sum 1."""
    return np.asarray(weights / weights.sum())


LADDER = np.arange(-60.0, 61.0)
DISCRETE = normalised(np.exp(-((LADDER - 1) ** 2) / 8)), normalised(np.exp(-(LADDER**2) / 8))
"""Discrete Gaussians of standard deviation 2, one apart."""
CHOICES = normalised(np.exp([0, 0.5, 1.0, 0, 0])), normalised(np.exp([1.0, 0.5, 0, 0, 0]))
"""An exponential mechanism on five choices whose scores move by one."""
STEP = PoissonSampled(0.3, Gaussian(0.5))


def sampled(rng: Generator, count: int, inside: bool) -> Floats:
    """Scores of one sampled Gaussian step, log ratios; inside: with the record."""
    x = rng.normal(size=count) + 2.0 * (rng.random(count) < 0.3 * inside)
    return np.log(0.7 + 0.3 * np.exp(2 * x - 2))


def signed_zeros(rng: Generator, n: int, m: int) -> tuple[Floats, Floats]:
    """Randomised response of epsilon 1 whose zeros have signs that tell the side, and mean nothing."""
    kept = 1 / (1 + math.exp(-1.0))
    return np.where(rng.random(n) < kept, 1.0, 0.0), np.where(rng.random(m) < kept, -0.0, 1.0)


def one_sided_atoms(rng: Generator, n: int, m: int) -> tuple[Floats, Floats]:
    """No test does better than total variation 0.3: a share of 0.3 on D lies on an atom that D' never shows."""
    first = np.where(rng.random(n) < 0.3, 2.0, rng.random(n))
    return first, np.where(rng.random(m) < 0.3, -1.0 - rng.random(m), rng.random(m))


def rare_runs(rng: Generator, n: int, m: int) -> tuple[Floats, Floats]:
    """Randomised response with jitter, rounded to one digit in one game of three, on both sides."""
    sides = kov(1.0, 1e-3)(rng, n, m)
    return tuple(np.round(side, 1) for side in sides) if rng.random() < 1 / 3 else sides  # type: ignore


def laplace(rng: Generator, n: int) -> Floats:
    """Standard Laplace noise."""
    return rng.laplace(size=n)


def normal(rng: Generator, n: int) -> Floats:
    """Standard normal noise."""
    return rng.normal(size=n)


def geometric(rng: Generator, n: int) -> Floats:
    """Discrete Laplace noise of epsilon 1."""
    share = 1 - math.exp(-1.0)
    return np.asarray(rng.geometric(share, n) - rng.geometric(share, n), dtype=np.float64)


def _fixed_cells() -> Iterator[Cell]:
    def cell(name: str, *given: Any, **more: Any) -> Cell:
        return Cell("game, fixed", name, fixed(*given, **more))

    dp, profile_delta = ApproximateDP, 1e-5
    step = epsilon_bounds(STEP, profile_delta, Neighbours.ADD_OR_REMOVE).upper
    for delta in (0.05, 0.1, 0.2):
        yield cell(f"told scores alone tied, (1, {delta}), 200 a side", kov(1, delta, "told tied"), dp(1, delta),
                   (200, 200), delta)  # fmt: skip
    for sizes in ((20, 5000), (5000, 20)):
        yield cell(f"worst law (1, 0.001), {sizes}", kov(1, 1e-3), dp(1, 1e-3), sizes, 1e-3)
        yield cell(f"worst law (4, 0.1), told tied, {sizes}", kov(4, 0.1, "told tied"), dp(4, 0.1), sizes, 0.1)
        yield cell(f"worst law (1, 0), four values, {sizes}", kov(1, 0, "as it is"), dp(1, 0), sizes)
    yield cell("epsilon 0, delta 0.5, no ties, 200", kov(0, 0.5), dp(0, 0.5), (200, 200), 0.5)
    yield cell("epsilon 0, delta 0.99, four values, 100", kov(0, 0.99, "as it is"), dp(0, 0.99), (100, 100), 0.99)
    yield cell("epsilon 50, told apart always, 300", moved(normal, 1e6), dp(50, 1e-5), (300, 300), 1e-5)
    yield cell("epsilon 12, no ties, 1000 x 100", kov(12, 1e-5), dp(12, 1e-5), (1000, 100), 1e-5)
    yield cell("mu 0, normal, 150", moved(normal, 0.0), GaussianDP(0), (150, 150), 1e-5, 0.0, 0.0)
    of_mu = partial(gaussian_epsilon, 1e-5)
    yield cell("mu 20, normal, 150", moved(normal, 20.0), GaussianDP(20), (150, 150), 1e-5, of_mu(20), 20.0)
    yield cell("mu 3, normal, rounded to halves, 300", moved(normal, 3.0, lambda x: np.round(2 * x)), GaussianDP(3),
               (300, 300), 1e-5, of_mu(3), 3.0)  # fmt: skip
    yield cell("mu 1, normal, 40 x 4000", moved(normal, 1.0), GaussianDP(1), (40, 4000), 1e-5, of_mu(1), 1.0)
    yield cell("atoms that one side alone shows, (0, 0.3), 200", one_sided_atoms, dp(0, 0.3), (200, 200), 0.3)
    yield cell("rounded in one game of three, (1, 0.001), 200", rare_runs, dp(1, 1e-3), (200, 200), 1e-3)
    yield cell("signed zeros, epsilon 1, 100", signed_zeros, dp(1, 0), (100, 100))
    huge = partial(moved, laplace, 1.0)
    yield cell("Laplace, scores up to 1e308, 200", huge(lambda x: np.copysign(10 ** (308 * np.tanh(np.abs(x))), x)),
               dp(1, 0), (200, 200))  # fmt: skip
    yield cell("Laplace, scores half infinite, 200", huge(lambda x: np.where(x > 0.5, np.inf, x)), dp(1, 0), (200, 200))
    yield cell("Laplace, subnormal scores, 200", huge(lambda x: np.round(20 * x) * 5e-324), dp(1, 0), (200, 200))
    yield cell(
        "Laplace, scores one bit apart, 200", huge(lambda x: 1 + np.round(1e3 * x) * 2.0**-52), dp(1, 0), (200, 200)
    )
    yield cell("Laplace, 30 a side", huge(), dp(1, 0), (30, 30))
    yield cell("discrete Laplace, epsilon 1, 500", moved(geometric), dp(1, 0), (500, 500))
    exact = law_epsilon(*DISCRETE, 1e-3)
    yield cell("discrete Gaussian at delta 0.001, 300", finite(*DISCRETE, LADDER), dp(exact, 1e-3), (300, 300), 1e-3)
    exact = law_epsilon(*DISCRETE, 0.1)
    yield cell("discrete Gaussian at delta 0.1, 1000", finite(*DISCRETE, LADDER), dp(exact, 0.1), (1000, 1000), 0.1)
    exact = law_epsilon(*CHOICES, 0.0)
    yield cell("exponential mechanism, 200", finite(*CHOICES), dp(exact, 0), (200, 200))
    add: Sides = lambda rng, n, m: (sampled(rng, n, True), sampled(rng, m, False))  # noqa: E731
    remove: Sides = lambda rng, n, m: (-sampled(rng, n, False), -sampled(rng, m, True))  # noqa: E731
    for name, sides in (("with the record first", add), ("without it first", remove)):
        yield cell(f"sampled Gaussian step, {name}, 500", sides, dp(step, 1e-5), (500, 500), 1e-5, step, mechanism=STEP)


CELLS = (*_fixed_cells(),)
