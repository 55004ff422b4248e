"""Mechanisms are nested data; each refuses parameters that describe nothing, and comes back from JSON as it went."""

from __future__ import annotations

import json
import math
import typing

import pytest

from dpaudit.records import mechanism as module
from dpaudit.records.errors import ContentError
from dpaudit.records.mechanism import (
    ApproximateRenyi,
    Composed,
    Concentrated,
    Constant,
    FixedSizeSampled,
    Gaussian,
    Laplace,
    Mechanism,
    PoissonSampled,
    Promise,
    PureDP,
    SelfComposed,
    WithReplacementSampled,
)
from dpaudit.records.privacy import Neighbours, View
from dpaudit.records.serial import decode, encode

ALL = Composed(
    (
        Gaussian(1.5),
        Laplace(2.0),
        Constant(),
        PureDP(0.5),
        Concentrated(0.25, 1e-6),
        ApproximateRenyi(8.0, 0.5, 1e-7),
        PoissonSampled(0.2, Gaussian(1.0)),
        FixedSizeSampled(3, 10, Gaussian(1.0)),
        SelfComposed(WithReplacementSampled(4, 10, Gaussian(1.0)), 3),
    )
)


@pytest.mark.parametrize("kind", [Gaussian, Laplace])
@pytest.mark.parametrize("noise_multiplier", [0.0, -1.0, math.nan])
def test_noise_is_positive(kind: type, noise_multiplier: float) -> None:
    with pytest.raises(ContentError, match="noise_multiplier must be above 0"):
        kind(noise_multiplier)


@pytest.mark.parametrize("rate", [0.0, 1.5, math.nan])
def test_a_sampling_rate_is_a_probability(rate: float) -> None:
    with pytest.raises(ContentError, match=r"rate must be in \(0, 1\]"):
        PoissonSampled(rate, Gaussian(1.0))


@pytest.mark.parametrize("size", [0, -1, 11])
def test_a_subset_is_not_empty_and_not_larger_than_the_whole(size: int) -> None:
    with pytest.raises(ContentError, match="size must be from 1 to records = 10"):
        FixedSizeSampled(size, 10, Gaussian(1.0))


def test_counts_are_at_least_one() -> None:
    with pytest.raises(ContentError, match="count must be at least 1"):
        SelfComposed(Gaussian(1.0), 0)
    with pytest.raises(ContentError, match="draws must be at least 1"):
        WithReplacementSampled(0, 5, Gaussian(1.0))
    for make in (FixedSizeSampled, WithReplacementSampled):
        with pytest.raises(ContentError, match="records must be at least 1"):
            make(1, 0, Gaussian(1.0))


@pytest.mark.parametrize("budget", [-1.0, math.nan])
def test_a_budget_is_not_negative(budget: float) -> None:
    for make in (PureDP, Concentrated, lambda value: ApproximateRenyi(2.0, value, 0.0)):
        with pytest.raises(ContentError, match="must be at least 0"):
            make(budget)


@pytest.mark.parametrize("failure", [-1e-9, 1.0, math.nan])
def test_a_failure_is_a_probability_below_one(failure: float) -> None:
    for make in (lambda f: Concentrated(1.0, f), lambda f: ApproximateRenyi(2.0, 1.0, f)):
        with pytest.raises(ContentError, match=r"failure must be in \[0, 1\)"):
            make(failure)


@pytest.mark.parametrize("order", [1.0, 0.5, math.inf, math.nan])
def test_an_order_is_finite_and_above_one(order: float) -> None:
    with pytest.raises(ContentError, match="order must be finite and above 1"):
        ApproximateRenyi(order, 1.0, 0.0)


def test_a_promise_names_its_source() -> None:
    with pytest.raises(ContentError, match="source must say"):
        Promise(Constant(), Neighbours.REPLACE_ONE, View.TRANSCRIPT, " ")


def test_equal_data_is_equal() -> None:
    one = SelfComposed(PoissonSampled(0.1, Gaussian(2.0)), 3)
    assert one == SelfComposed(PoissonSampled(0.1, Gaussian(2.0)), 3)
    assert one != SelfComposed(PoissonSampled(0.1, Gaussian(2.0)), 4)
    assert hash(Composed((one, Constant()))) == hash(Composed((one, Constant())))


def test_every_class_comes_back_from_json() -> None:
    promise = Promise(ALL, Neighbours.REPLACE_ONE, View.GRADIENTS, "theorem 1, as printed")
    assert decode(json.loads(json.dumps(encode(promise)))) == promise
    shown = {type(part) for part in ALL.mechanisms} | {Composed, WithReplacementSampled}
    assert shown == set(typing.get_args(Mechanism)), "ALL has one of each"
    assert decode(json.loads(json.dumps(encode(PureDP(math.inf))))) == PureDP(math.inf)


def test_what_describes_nothing_is_refused_from_json_too() -> None:
    data = encode(FixedSizeSampled(3, 10, Gaussian(1.0)))
    with pytest.raises(ContentError, match="size must be from 1 to"):
        decode(data | {"size": 11})
    with pytest.raises(ContentError, match=r"FixedSizeSampled\.mechanism"):
        decode(data | {"mechanism": 1.0})
    assert module.Mechanism is Mechanism


def test_a_mechanism_is_written_as_in_a_file_and_many_parts_are_counted() -> None:
    sampled = SelfComposed(PoissonSampled(0.2, Gaussian(1.5)), 80_000_000)
    assert module.written(sampled) == "SelfComposed(PoissonSampled(0.2, Gaussian(1.5)), 80000000)"
    many = Composed((Constant(), *[Laplace(2.0)] * 9))
    assert module.written(many) == "Composed((Constant(), Laplace(2), Laplace(2), and 7 more))"
    assert module.written(Composed((Constant(),))) == "Composed((Constant()))"
