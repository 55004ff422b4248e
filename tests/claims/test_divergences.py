"""Each rule holds for random laws, is an equality where its docstring says so, and gives bounds that are proved."""

from __future__ import annotations

import math

import numpy as np
import pytest
from at_numbers import equal, gaps, hold

from dpaudit.accounting.epsilon import gaussian_epsilon
from dpaudit.claims import divergences
from dpaudit.claims.judge import judge
from dpaudit.claims.source import Source
from dpaudit.claims.writing import Bound, Combine, Have, Logarithm, Statement, Step, integer, positive, real
from dpaudit.records.context import Context, Level
from dpaudit.records.errors import ContentError

SEED = 20261126


def renyi(p, q, order):
    return math.log((p**order * q ** (1 - order)).sum()) / (order - 1)


def hockey_stick(p, q, epsilon):
    return np.maximum(p - math.exp(epsilon) * q, 0).sum()


@pytest.fixture
def rng():
    return np.random.default_rng(SEED)


def laws(rng, count, size=5):
    return rng.dirichlet(np.ones(size), size=count)


def test_maps_and_compositions_of_random_laws(rng):
    for _ in range(100):
        (p, q), (r, s), order = laws(rng, 2), laws(rng, 2), rng.uniform(1.1, 9)
        one, other = renyi(p, q, order), renyi(r, s, order)
        whole = renyi(np.outer(p, r).ravel(), np.outer(q, s).ravel(), order)
        assert equal(divergences.composed("w", "a", "b"), w=whole, a=one, b=other)
        channel = laws(rng, 5)
        assert hold(divergences.processed("b", "a"), a=one, b=renyi(p @ channel, q @ channel, order))
        assert equal(divergences.processed("b", "a"), a=one, b=renyi(p[::-1], q[::-1], order))
        given = laws(rng, 5), laws(rng, 5)  # the law of the second release, for each value of the first
        worst = max(renyi(after, last, order) for after, last in zip(*given, strict=True))
        both = renyi((p[:, None] * given[0]).ravel(), (q[:, None] * given[1]).ravel(), order)
        assert hold(divergences.composed("w", "a", "b"), w=both, a=one, b=worst)


def test_mixtures_of_random_laws(rng):
    for _ in range(100):
        (p, q, r, s), weight, order, epsilon = laws(rng, 4), rng.uniform(), rng.uniform(1.1, 9), rng.uniform(0, 1)
        first, second = weight * p + (1 - weight) * r, weight * q + (1 - weight) * s
        a, b = renyi(p, q, order), renyi(r, s, order)
        assert hold(divergences.mixed("m", "a", "b"), m=renyi(first, second, order), a=a, b=b)
        apart = (np.concatenate([weight * x, (1 - weight) * x]) for x in (p, q))
        assert equal(divergences.mixed("m", "a", "b"), m=renyi(*apart, order), a=a, b=a)
        a, b = hockey_stick(p, q, epsilon), hockey_stick(r, s, epsilon)
        rule = divergences.averaged("m", ("w", "a"), ("1 - w", "b"))
        assert hold(rule, m=hockey_stick(first, second, epsilon), a=a, b=b, w=weight)
        told = (np.concatenate([weight * x, (1 - weight) * y]) for x, y in ((p, r), (q, s)))
        assert equal(rule, m=hockey_stick(*told, epsilon), a=a, b=b, w=weight)


def test_sampling_and_conversions_of_random_laws(rng):
    for _ in range(100):
        (p, q), rate, order, epsilon = laws(rng, 2), rng.uniform(), rng.uniform(1.1, 9), rng.uniform(0, 1)
        less = math.log1p(rate * math.expm1(epsilon))
        found = {"f": less, "e": epsilon, "b": hockey_stick(p, q, epsilon), "q": rate}
        rule = divergences.sampled("a", "f", "b", "e", "q")
        assert equal(rule, a=hockey_stick(rate * p + (1 - rate) * q, q, less), **found)
        found = {"d": hockey_stick(p, q, epsilon), "e": epsilon, "r": renyi(p, q, order), "o": order}
        assert hold(divergences.converted("d", "e", "r", "o"), **found)
        assert hold(divergences.simply_converted("d", "e", "r", "o"), **found)


def test_gaussian_values_are_those_of_the_accountant():
    for shift, scale, delta in ((1.0, 2.0, 1e-5), (0.3, 0.1, 1e-9), (2.0, 2.5, 0.1)):
        epsilon = gaussian_epsilon(delta, shift / scale)
        rule = divergences.gaussian_hockey_stick("h", "e", "v", "s")
        (gap,) = gaps(rule, h=delta, e=epsilon, v=shift, s=scale)
        assert abs(gap) < 1e-6 * delta
    points = np.linspace(-30, 30, 200_001)
    for shift, scale, order in ((1.0, 2.0, 3.0), (0.5, 1.0, 7.0)):
        log_ratio = (points**2 - (points - shift) ** 2) / (2 * scale**2)
        density = np.exp(-(points**2) / (2 * scale**2)) / (scale * math.sqrt(2 * math.pi))
        value = math.log(np.trapezoid(density * np.exp(order * log_ratio), points)) / (order - 1)
        (gap,) = gaps(divergences.gaussian_renyi("r", "o", "v", "s"), r=value, o=order, v=shift, s=scale)
        assert abs(gap) < 1e-9


def test_shifts_are_reduced_with_equality_for_points():
    """Two points at distance x + a: the first is moved by x, so that what is left is the Gaussian value at a."""
    order, scale, shift = 3.0, 2.0, 0.7
    value = order * shift**2 / (2 * scale**2)
    found = {"o": order, "v": shift, "s": scale}
    assert equal(divergences.gaussian_renyi("r", "o", "v", "s"), r=value, **found)
    assert equal(divergences.shift_reduced("a", "0", "o", "v", "s"), a=value, **found)
    assert equal(divergences.transported("w", "2", "3", "m"), w=7.0, m=1.0)
    assert equal(divergences.composed_gaussians("m", "3", "4"), m=5.0)


STEPS, ORDER, SCALE = integer("K", "[1, oo)"), real("alpha", "(1, oo)"), positive("sigma")
ONE, WHOLE, SENT = (real(name, "[0, oo)") for name in ("one", "whole", "sent"))
EPS, DELTA = real("eps", "[0, oo)"), real("delta", "[0, 1]")
RUN = (
    *divergences.gaussian_renyi("one", "alpha", "2", "sigma"),
    *divergences.composed("whole", "K*one"),
    *divergences.processed("sent", "whole"),
)
SYMBOLS = (STEPS, ORDER, SCALE, ONE, WHOLE, SENT)


@pytest.mark.parametrize(
    ("expected", "bound"),
    [
        ("PROVED", "sent <= 2*K*alpha/sigma**2"),
        ("REFUTED", "sent <= 19/10*K*alpha/sigma**2"),
        ("REFUTED", "2*alpha/sigma**2 <= sent"),
    ],
)
def test_what_a_run_sends_is_bounded_without_an_argument(expected, bound):
    step = Step("s1", "a bound", Statement(bound, SYMBOLS, RUN))
    assert judge("toy/THM-1", step, Source(), Context(7, Level.SMOKE, 1e-6)).outcome == expected


@pytest.mark.parametrize(("expected", "share"), [("PROVED", "1"), ("REFUTED", "2")])
def test_an_order_gives_delta_at_epsilon(expected, share):
    conditions = (*RUN, *divergences.simply_converted("delta", "eps", "sent", "alpha"))
    bound = "sent <= 2*K*alpha/sigma**2"
    argument = (
        Have(bound),
        Bound(right="exp((alpha - 1)*(sent - eps))", argument=(Logarithm(), Combine((("alpha - 1", bound),)))),
        Combine((("1", "delta <= exp((alpha - 1)*(sent - eps))"),)),
    )
    statement = Statement(
        f"{share}*delta <= exp((alpha - 1)*(2*K*alpha/sigma**2 - eps))", (*SYMBOLS, EPS, DELTA), conditions
    )
    step = Step("s1", "a bound", statement, argument=argument)
    assert judge("toy/THM-1", step, Source(), Context(7, Level.SMOKE, 1e-6)).outcome == expected


def test_what_has_too_few_parts_is_refused():
    with pytest.raises(ContentError, match="2 parts or more, got 1"):
        divergences.mixed("m", "a")
    with pytest.raises(ContentError, match="1 parts or more, got 0"):
        divergences.composed("w")
