"""Cells of benchmarks/attack.py: one training with canaries, and the family of the claimed mechanism."""

from __future__ import annotations

import math
from collections.abc import Callable, Iterator
from functools import cache, partial
from typing import Any

import numpy as np
from attack_game import Cell, Found, Generator
from numpy.typing import NDArray
from scipy.optimize import linprog
from scipy.sparse import coo_array

from dpaudit.accounting.epsilon import gaussian_epsilon
from dpaudit.audit.game import decide_one_run
from dpaudit.estimators import one_run, one_run_family, one_run_fdp
from dpaudit.records.mechanism import Gaussian, Laplace, Mechanism, PoissonSampled, SelfComposed
from dpaudit.records.privacy import ApproximateDP, GaussianDP, Guarantee

Canaries = tuple[NDArray[np.float64], NDArray[np.bool_]]
Draw = Callable[[Generator], Canaries]


def coins(rng: Generator, canaries: int) -> NDArray[np.bool_]:
    """Fair ones."""
    return rng.random(canaries) < 0.5


def answers(rng: Generator, included: NDArray[np.bool_], epsilon: float) -> NDArray[np.float64]:
    """Randomised response on each coin, 1 or 0."""
    return np.asarray(included ^ (rng.random(len(included)) >= 1 / (1 + math.exp(-epsilon))), dtype=np.float64)


def responses(rng: Generator, canaries: int, epsilon: float, values: tuple[float, float] = (0.0, 1.0)) -> Canaries:
    """Randomised response; ties are all there is."""
    included = coins(rng, canaries)
    return np.where(answers(rng, included, epsilon) > 0, values[1], values[0]), included


def parities(rng: Generator, canaries: int, epsilon: float, block: int) -> Canaries:
    """The parity of each block through randomised response, and one coin of each block as well: with half of epsilon
    each, that is epsilon-DP. Guesses of a block are right or wrong together."""
    included = coins(rng, canaries).reshape(-1, block)
    parity = np.logical_xor.reduce(included, axis=1)
    told, first = answers(rng, parity, epsilon / 2), answers(rng, included[:, 0], epsilon / 2)
    others = np.where((told > 0) ^ (block % 2 == 0), first, 1 - first)
    scores = np.concatenate([first[:, None], np.repeat(others[:, None], block - 1, axis=1)], axis=1)
    return scores.ravel(), included.ravel()


def common(rng: Generator, canaries: int, mu: float, spread: float, digits: int) -> Canaries:
    """Gaussian canaries with one more noise that all share, rounded: mu-GDP."""
    included = coins(rng, canaries)
    return np.round(mu * included + rng.normal(size=canaries) + spread * rng.normal(), digits), included


def exponential(rng: Generator, canaries: int, epsilon: float) -> Canaries:
    """One answer for all coins, drawn by how many bits of it are right, at least half of them: the weights of
    neighbouring counts differ by a factor of e^epsilon at most, so that it is epsilon-DP."""
    counts = np.arange(canaries + 1)
    logs = epsilon * np.maximum(counts, canaries // 2) + _log_choose(canaries, counts)
    weights = np.exp(logs - logs.max())
    included, right = coins(rng, canaries), int(rng.choice(counts, p=weights / weights.sum()))
    agreed = rng.permutation(canaries) < right
    return np.where(agreed, included, ~included) + 0.1 * rng.random(canaries), included


def told(rng: Generator, canaries: int, epsilon: float, chances: tuple[float, ...]) -> Canaries:
    """With each of `chances` as many coins are told as the adversary guesses in one of three ways, else randomised
    response: (epsilon, delta)-DP with delta the mean share of coins that are told."""
    included, at = coins(rng, canaries), rng.random()
    for (_, number), chance in zip(one_run.guess_numbers(canaries), chances, strict=True):
        if 0 <= at < chance:
            who = rng.permutation(canaries) < number
            return np.where(who, 4.0 * included - 2, rng.random(canaries) - 0.5), included
        at -= chance
    return answers(rng, included, epsilon) + 0.5 * rng.random(canaries), included


def told_delta(canaries: int, chances: tuple[float, ...]) -> float:
    """The delta of `told`."""
    numbers = one_run.guess_numbers(canaries)
    return sum(chance * number / canaries for (_, number), chance in zip(numbers, chances, strict=True))


def audited(draw: Draw, guarantee: Guarantee, delta: float, epsilon: float, mu: float | None = None) -> Any:
    """Audits of one run: the decision, and the bounds."""

    def audit(rng: Generator) -> Found:
        scores, included = draw(rng)
        found: Found = {}
        for alpha in (0.05, 0.001):
            decision = decide_one_run._decision(scores, included, guarantee, alpha)
            found[f"refuted at {alpha:g}"] = alpha, decision.refuted
        bound = one_run_fdp.one_run_bound(scores, included, delta, 0.05)
        counted = one_run.one_run_bound(scores, included, delta, 0.05)
        found["printed epsilon"] = 0.05, bound.epsilon_lower > epsilon + 1e-9
        found["printed epsilon, counts"] = 0.05, counted.epsilon_lower > epsilon + 1e-9
        if mu is not None:
            found["printed mu"] = 0.05, bound.mu_lower > mu + 1e-9
        return found

    return audit


def _log_choose(top: int, counts: NDArray[Any]) -> NDArray[np.float64]:
    table = np.concatenate([[0.0], np.cumsum(np.log(np.arange(1, top + 1)))])
    return np.asarray(table[top] - table[counts] - table[top - counts])


def most_likely(canaries: int, made: int, least: int, epsilon: float, delta: float) -> float:
    """The largest probability of `least` or more right bits that (epsilon, delta)-DP allows to a mechanism which gives
    `made` canaries a bit each, with chances that hang on how many are right.

    Variables: the chance p_k of k right bits, and for each k two excesses whose sum over k is at most delta. Flipping
    one coin that was right takes the mass p_k k/n of answers, of n canaries, to p_{k-1} (m - k + 1)/n.
    """
    m, grown = made, math.exp(epsilon)
    entries: list[tuple[int, int, float]] = []
    for k in range(1, m + 1):
        here, there = k / canaries, (m - k + 1) / canaries
        up, down = 2 * k - 2, 2 * k - 1
        entries += [(up, k, here), (up, k - 1, -grown * there), (up, m + 1 + up, -1.0)]
        entries += [(down, k - 1, there), (down, k, -grown * here), (down, m + 1 + down, -1.0)]
    entries += [(2 * m, m + 1 + place, 1.0) for place in range(2 * m)]
    places, columns, values = zip(*entries, strict=True)
    matrix = coo_array((values, (places, columns)), shape=(2 * m + 1, 3 * m + 1)).tocsr()
    limits = np.zeros(2 * m + 1)
    limits[-1] = delta
    aim, total = np.zeros(3 * m + 1), np.zeros((1, 3 * m + 1))
    aim[least : m + 1], total[0, : m + 1] = -1.0, 1.0
    tolerance = {"primal_feasibility_tolerance": 1e-10, "dual_feasibility_tolerance": 1e-10}
    solved = linprog(aim, matrix, limits, total, [1.0], method="highs", options=tolerance)
    return float(-solved.fun)


def _refutes(test: str, right: int, made: int, canaries: int, claim: ApproximateDP, alpha: float) -> bool:
    found = one_run.Guesses(right, made, canaries)
    if test == "curve":
        return one_run_fdp.refutes([found], claim, alpha)
    return one_run.p_value(found, claim.epsilon, claim.delta) <= alpha


def worst(canaries: int, made: int, epsilon: float, delta: float) -> Iterator[tuple[str, float, float]]:
    """The size of both tests at three levels, where they can refute at all."""
    claim = ApproximateDP(epsilon, delta)
    for alpha in (0.05, 0.001, 1e-6):
        for name in ("curve", "counts"):
            rights = (right for right in range(made + 1) if _refutes(name, right, made, canaries, claim, alpha))
            least = next(rights, None)
            chance = 0.0 if least is None else most_likely(canaries, made, least, epsilon, delta)
            yield f"{name} at {alpha:g}", alpha, chance


def steps(rng: Generator, canaries: int, mechanism: SelfComposed, leak: float, summed: bool) -> Canaries:
    """Canaries under sampled noisy steps with 1/leak of the noise; scores: log ratios under the claim, or sums."""
    step = mechanism.mechanism
    assert isinstance(step, PoissonSampled)
    rate, included, total = step.rate, coins(rng, canaries), np.zeros(canaries)
    noise = step.mechanism.noise_multiplier  # type: ignore[union-attr]
    laplace = isinstance(step.mechanism, Laplace)
    for _ in range(mechanism.count):
        drawn = rng.laplace(size=canaries) if laplace else rng.normal(size=canaries)
        seen = noise / leak * drawn + (included & (rng.random(canaries) < rate))
        if summed:
            total += seen
        else:
            loss = (np.abs(seen) - np.abs(seen - 1)) / noise if laplace else (seen - 0.5) / noise**2
            total += np.log1p(rate * np.expm1(np.minimum(loss, 500.0)))
    return total, included


@cache
def place_of(leak: float) -> int:
    """The first place of the grid of leaks at or above `leak`."""
    return math.ceil(math.log(leak) / one_run_family._STEP - 1e-9)


def family(mechanism: Mechanism, draw: Draw, place: int = 0) -> Any:
    """Is the leak at this place of the grid, the true one, refuted by the statistic that the claim has chosen?"""
    curve = one_run_family.curve_of_leak(mechanism, place)

    def audit(rng: Generator) -> Found:
        scores, included = draw(rng)
        test = one_run_family._test(scores[included], scores[~included], mechanism, rng)
        found: Found = {}
        for alpha in (0.05, 0.001):
            error = alpha * one_run_family._SPENT / 11
            refuted = test is not None and one_run_family._is_refuted(*test, curve, alpha, error, rng)
            found[f"the true leak refuted at {alpha:g}"] = alpha, refuted
        return found

    return audit


def _coin_cells() -> Iterator[Cell]:
    def pure(name: str, draw: Callable[..., Canaries], true: float, **given: Any) -> Cell:
        return Cell("one run", name, audited(partial(draw, **given), ApproximateDP(true, 0), 0.0, true))

    for canaries in (1, 5, 20):
        yield pure(f"answers, epsilon 1, {canaries} canaries", responses, 1.0, canaries=canaries, epsilon=1.0)
    yield pure("all scores tied, epsilon 0, 300", lambda rng: (np.zeros(300), coins(rng, 300)), 0.0)
    ends = (-np.inf, np.inf)
    yield pure("infinite answers, epsilon 2, 300", responses, 2.0, canaries=300, epsilon=2.0, values=ends)
    for block in (2, 5):
        name = f"parities of blocks of {block}, epsilon 2, 300"
        yield pure(name, parities, 2.0, canaries=300, epsilon=2.0, block=block)
    for canaries, epsilon in ((50, 1.0), (400, 0.5)):
        name = f"one answer drawn for all, epsilon {epsilon:g}, {canaries}"
        yield pure(name, exponential, epsilon, canaries=canaries, epsilon=epsilon)
    for chances in ((0.05, 0.0, 0.0), (0.03, 0.004, 0.004), (0.0, 0.006, 0.006)):
        delta, draw = told_delta(900, chances), partial(told, canaries=900, epsilon=1.0, chances=chances)
        name = f"three numbers of coins told with chances {chances}, 900"
        yield Cell("one run", name, audited(draw, ApproximateDP(1, delta), delta, 1.0))
    for mu, spread, digits in ((1.0, 100.0, 0), (0.0, 1.0, 1), (3.0, 1e6, 3)):
        draw = partial(common, canaries=500, mu=mu, spread=spread, digits=digits)
        name = f"mu {mu:g}, shared noise {spread:g}, {digits} digits, 500"
        yield Cell("one run", name, audited(draw, GaussianDP(mu), 1e-5, gaussian_epsilon(1e-5, mu), mu))


def _family_cells() -> Iterator[Cell]:
    for noise, rate, times, canaries, leak, summed in FAMILIES:
        mechanism = SelfComposed(PoissonSampled(rate, noise), times)
        draw = partial(steps, canaries=canaries, mechanism=mechanism, leak=leak, summed=summed)
        kind = f"{type(noise).__name__} {noise.noise_multiplier:g}, rate {rate}, {times} steps"
        name = f"{kind}, {canaries} canaries, leak {leak:g}{', sums' * summed}"
        yield Cell("family", name, family(mechanism, draw, place_of(leak)))


FAMILIES = (
    (Gaussian(1.0), 0.001, 1, 5_000, 1.0, False),
    (Gaussian(1.0), 0.9, 1, 5_000, 1.0, False),
    (Gaussian(0.5), 0.9, 1, 20, 2.0, False),
    (Gaussian(1.0), 0.001, 1_000, 300, 1.0, False),
    (Gaussian(30.0), 0.9, 1_000, 300, 1.0, True),
    (Gaussian(2.5), 0.2, 30, 1_000, 2.0, False),
    (Gaussian(2.5), 0.2, 30, 1_000, 0.5, True),
    (Laplace(1.0), 0.2, 10, 1_000, 1.0, False),
    (Laplace(1.0), 0.9, 5, 20, 1.5, False),
)
"""Noise of the claim, rate, steps, canaries, leak of the truth, and whether scores are sums."""


CLAIMS = ((0.0, 1e-2), (0.1, 1e-3), (1.0, 0.0), (1.0, 1e-5), (1.0, 1e-3), (3.0, 1e-4))
GUESSES = ((10, 10), (40, 40), (100, 100), (200, 200), (400, 50), (400, 100), (2000, 112))
"""Canaries, and how many of them are guessed."""

CELLS = (
    *_coin_cells(),
    *(
        Cell(
            "worst law",
            f"({epsilon:g}, {delta:g}), {k} of {m} guessed",
            exact=partial(worst, m, k, epsilon, delta),
        )
        for m, k in GUESSES
        for epsilon, delta in CLAIMS
    ),
    *_family_cells(),
)
