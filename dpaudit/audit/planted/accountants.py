"""Accountants, correct and with the bugs that accountants have had.

Each function yields (label, mechanism, delta, stated epsilon): what the accountant was told, and what it says. With
`broken` it has the bug of its name, else it says what is right. Sources are with the targets that carry them.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Iterator

from scipy.optimize import brentq
from scipy.special import ndtr

from dpaudit.accounting.epsilon import epsilon_upper, gaussian_epsilon
from dpaudit.arithmetic.roots import bisected
from dpaudit.records.mechanism import (
    Composed,
    FixedSizeSampled,
    Gaussian,
    Laplace,
    Mechanism,
    PoissonSampled,
    PureDP,
    SelfComposed,
)
from dpaudit.records.privacy import Neighbours

Stated = Iterator[tuple[str, Mechanism, float, float]]
Accountant = Callable[[bool], Stated]

DELTA = 1e-5
ADDED, REPLACED = Neighbours.ADD_OR_REMOVE, Neighbours.REPLACE_ONE


def wrong_sign(broken: bool) -> Stated:
    """Balle, Wang (2018), algorithm 1: sqrt(1 + u/2) + sqrt(u/2), taken with a minus."""
    for epsilon in (0.5, 1.0, 4.0):
        yield f"calibrated to {epsilon:g}", Gaussian(_analytic_scale(epsilon, -1 if broken else 1)), DELTA, epsilon


def _analytic_scale(epsilon: float, sign: int) -> float:
    def short(u: float) -> float:
        return float(ndtr(-math.sqrt(epsilon * u)) - math.exp(epsilon) * ndtr(-math.sqrt(epsilon * (u + 2)))) - DELTA

    u = brentq(short, 0.0, 1e3, xtol=1e-14)
    # A calibration must round towards more noise.
    return (math.sqrt(1 + u / 2) + sign * math.sqrt(u / 2)) / math.sqrt(2 * epsilon) * (1 + 1e-6)


def classic_scale(broken: bool) -> Stated:
    """sqrt(2 log(1.25/delta))/epsilon holds for epsilon up to 1 (Dwork, Roth 2014, theorem A.1), taken for any."""
    for epsilon in (0.5, 1.0, 20.0):
        scale = math.sqrt(2 * math.log(1.25 / DELTA)) / epsilon
        known = epsilon if broken or epsilon <= 1 else gaussian_epsilon(DELTA, 1 / scale)
        yield f"noise for {epsilon:g}", Gaussian(scale), DELTA, known


def fixed_size_as_poisson(broken: bool) -> Stated:
    """Batches of 20 of 200 records, of which one may be replaced: twice the distance, half the noise multiplier."""
    sampled = SelfComposed(FixedSizeSampled(20, 200, Gaussian(0.75)), 24)
    told = SelfComposed(PoissonSampled(0.1, Gaussian(1.5)), 24)
    yield (
        "24 steps",
        sampled,
        DELTA,
        epsilon_upper(told, DELTA, ADDED) if broken else epsilon_upper(sampled, DELTA, REPLACED),
    )


def fixed_batches_as_sampled(broken: bool) -> Stated:
    """The same batches every epoch: a record is in one step of ten, in the same one each time; nothing is random."""
    run = SelfComposed(Gaussian(2.0), 3)
    told = SelfComposed(PoissonSampled(0.1, Gaussian(2.0)), 30)
    yield "3 epochs of 10 batches", run, DELTA, epsilon_upper(told if broken else run, DELTA, ADDED)


def best_of_forty(broken: bool) -> Stated:
    """Forty trainings on the private data, whose results all go into the choice of the best; one is accounted for."""
    yield (
        "40 runs",
        SelfComposed(Gaussian(8.0), 40),
        DELTA,
        gaussian_epsilon(DELTA, (1 if broken else math.sqrt(40)) / 8.0),
    )


def calibration_below(broken: bool) -> Stated:
    """A bisection for the noise multiplier that meets a target, which returns the end of too little noise."""
    for target in (1.0, 3.0):

        def enough(noise: float, target: float = target) -> bool:
            return gaussian_epsilon(DELTA, math.sqrt(10) / noise) <= target

        found = bisected(enough, 64.0, 0.1, width=0.05)
        noise = found.outside if broken else found.inside
        yield f"calibrated to {target:g}", SelfComposed(Gaussian(noise), 10), DELTA, target


def orders_near_one(broken: bool) -> Stated:
    """Renyi divergences of a Gaussian, with an order so near 1 that the logarithm of the moment is rounded to 0."""
    scale, orders = 2.0, [1 + 2.0**-51, *(1 + x / 10 for x in range(1, 1000))]
    yield "one step", Gaussian(scale), DELTA, min(_from_order(order, scale, broken) for order in orders)


def _from_order(order: float, scale: float, broken: bool) -> float:
    logarithm = order * (order - 1) / (2 * scale**2)
    divergence = (math.log(math.exp(logarithm)) if broken and logarithm < 700 else logarithm) / (order - 1)
    # Pinsker's inequality: where the divergence is so small, delta alone covers the total variation.
    if DELTA**2 + math.expm1(-divergence) >= 0:
        return 0.0
    return divergence + math.log(1 / DELTA) / (order - 1)


def changes_when_read(broken: bool) -> Stated:
    """A reading that takes the last entry off the history of two entries, of five steps each."""
    history = [5, 5]
    for _ in range(2):
        yield "10 steps", SelfComposed(Gaussian(4.0), 10), DELTA, gaussian_epsilon(DELTA, math.sqrt(sum(history)) / 4.0)
        if broken:
            history.pop()


def central_limit(broken: bool) -> Stated:
    """mu = q sqrt(T (e^(1/sigma^2) - 1)), a limit for many steps (Bu, Dong, Long, Su 2020), taken for a bound."""
    rate, scale, steps = 0.01, 0.6, 100
    run = SelfComposed(PoissonSampled(rate, Gaussian(scale)), steps)
    limit = gaussian_epsilon(DELTA, rate * math.sqrt(steps * math.expm1(scale**-2)))
    yield "100 steps", run, DELTA, limit if broken else epsilon_upper(run, DELTA, ADDED)


def last_spend_counted(broken: bool) -> Stated:
    """An odometer of unequal spends that multiplies their number by the last one."""
    spends = (0.5, 0.5, 0.1)
    told = Composed(tuple(PureDP(spend) for spend in spends))
    yield "3 spends", told, 0.0, len(spends) * spends[-1] if broken else sum(spends)


def spent_twice(broken: bool) -> Stated:
    """Two queries, each with the whole budget."""
    yield "two queries at 1", SelfComposed(Laplace(1.0), 2), 0.0, 1.0 if broken else 2.0


def shared_slice(broken: bool) -> Stated:
    """The means of X and of y, and a fit: three uses of a budget that was cut into two."""
    parts = 2 if broken else 3
    yield "two means and a fit", SelfComposed(Laplace(float(parts)), 3), 0.0, 1.0


def replaced_as_removed(broken: bool) -> Stated:
    """Replacing a record moves a sum of clipped values by twice the norm, in whose units the noise is given."""
    yield "one sum", Gaussian(2.0 / 2), DELTA, gaussian_epsilon(DELTA, 1 / (2.0 if broken else 1.0))


def incomplete_batch(broken: bool) -> Stated:
    """Steps counted as epochs times records // batch, while the last, incomplete batch of an epoch is a step too."""
    epochs, records, batch, scale = 4, 270, 100, 4.0
    steps = epochs * -(-records // batch)
    counted = epochs * (records // batch) if broken else steps
    run, told = (SelfComposed(PoissonSampled(batch / records, Gaussian(scale)), number) for number in (steps, counted))
    yield "4 epochs", run, DELTA, epsilon_upper(told, DELTA, ADDED)


def reset_on_resume(broken: bool) -> Stated:
    """A training that goes on from a checkpoint, which holds the weights and not the history of the accountant."""
    before, after, scale = 60, 40, 20.0
    counted = after if broken else before + after
    yield (
        "60 and 40 steps",
        SelfComposed(Gaussian(scale), before + after),
        DELTA,
        gaussian_epsilon(DELTA, math.sqrt(counted) / scale),
    )


def records_of_one_person(broken: bool) -> Stated:
    """Noise for one record under a promise about persons, who have up to five records each."""
    records, scale = 5, 5.0
    yield "one sum", Gaussian(scale / records), DELTA, gaussian_epsilon(DELTA, (1 if broken else records) / scale)


def overlapping_parts(broken: bool) -> Stated:
    """The largest epsilon of two queries, as on disjoint parts of the data; these parts have records in common."""
    yield "two overlapping parts", Composed((Laplace(1.0), Laplace(2.0))), 0.0, 1.0 if broken else 1.5


def linear_amplification(broken: bool) -> Stated:
    """Sampling with rate q turns epsilon into log(1 + q (e^epsilon - 1)), not into q epsilon."""
    rate, epsilon = 0.1, 2.0
    stated = rate * epsilon if broken else math.log1p(rate * math.expm1(epsilon))
    yield "one sampled query", PoissonSampled(rate, Laplace(1 / epsilon)), 0.0, stated


def decimal_logarithm(broken: bool) -> Stated:
    """rho + 2 sqrt(rho log(1/delta)) (Bun, Steinke 2016, proposition 1.3), with the logarithm to base ten."""
    rho, logarithm = 1 / (2 * 2.0**2), math.log10 if broken else math.log
    yield "one step", Gaussian(2.0), DELTA, rho + 2 * math.sqrt(rho * logarithm(1 / DELTA))


def gaussian_as_pure(broken: bool) -> Stated:
    """Gaussian noise at an epsilon whose delta is left out of what is stated."""
    yield "one query", Gaussian(4.0), 0.0 if broken else DELTA, gaussian_epsilon(DELTA, 1 / 4.0)
