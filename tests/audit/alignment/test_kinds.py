"""Which random functions may draw noise."""

from __future__ import annotations

import random
from typing import Any

import numpy as np
import pytest
import torch

from dpaudit.audit.alignment.alignment import Alignment
from dpaudit.audit.alignment.kinds import may_be_noise

RNG = np.random.default_rng(0)


@pytest.mark.parametrize(
    "function", [torch.randn, torch.rand, torch.Tensor.exponential_, torch.poisson, torch.bernoulli, torch.multinomial,
                 RNG.normal, RNG.laplace, RNG.gumbel, RNG.geometric, RNG.random, random.gauss, random.random],
)  # fmt: skip
def test_what_may_be_noise(function: Any) -> None:
    assert may_be_noise(function)


@pytest.mark.parametrize(
    "function", [torch.randperm, torch.randint, torch.nn.functional.dropout, torch.nn.init.normal_, RNG.permutation,
                 RNG.shuffle, RNG.integers, random.shuffle, random.sample, random.randrange],
)  # fmt: skip
def test_what_is_no_noise(function: Any) -> None:
    assert not may_be_noise(function)


@pytest.mark.parametrize(
    ("function", "drawn"),
    [(random.randrange, 7), (random.getrandbits, 2**70), (RNG.integers, np.int64(4)), (torch.randint, torch.tensor(3)),
     (RNG.integers, np.array([[5], [4]])), (torch.randint, torch.tensor([0, 1, 1]))],
)  # fmt: skip
def test_whole_numbers_may_be_noise_one_at_a_time_and_as_coins(function: Any, drawn: Any) -> None:
    """As samplers of exact discrete noise draw them."""
    assert may_be_noise(function, drawn=drawn)


def test_many_whole_numbers_are_places() -> None:
    assert not may_be_noise(RNG.integers, drawn=np.array([0, 2, 1]))
    assert not may_be_noise(torch.randint, drawn=torch.tensor([5, 9]))
    assert not may_be_noise(RNG.integers, drawn=np.zeros(0, dtype=int))


def test_numbers_that_cannot_be_read_are_places() -> None:
    told: list[bool] = []

    def drawn(row: torch.Tensor) -> torch.Tensor:
        value = torch.randint(2, (3,))
        told.append(may_be_noise(torch.randint, drawn=value))
        return row + value

    torch.vmap(drawn, randomness="different")(torch.zeros(2, 3))
    assert told == [False]


def test_a_choice_may_be_noise_where_weights_are_given() -> None:
    """As in the exponential mechanism."""
    assert not may_be_noise(RNG.choice, (3,))
    assert may_be_noise(RNG.choice, (3,), {"p": [0.2, 0.3, 0.5]})
    assert may_be_noise(RNG.choice, (3, None, True, [0.2, 0.3, 0.5]))
    assert not may_be_noise(random.choices, ([1, 2],))
    assert may_be_noise(random.choices, ([1, 2], [0.1, 0.9]))


def test_a_parameter_that_is_drawn_is_a_start() -> None:
    assert not may_be_noise(torch.Tensor.normal_, (torch.nn.Parameter(torch.zeros(2)),))
    assert may_be_noise(torch.Tensor.normal_, (torch.zeros(2),))


def test_a_log_names_them_and_those_of_single_numbers() -> None:
    alignment = Alignment()
    with alignment.open(3):
        np.random.permutation(3)
        for size in (1, 1):
            np.random.normal(size=size)
        for size in (1, 2):
            np.random.laplace(size=size)
        np.random.random()
    log = alignment.log()
    assert len(log.noisy) == 3
    assert log.fewer(2) == (log.noisy[0], log.noisy[2])
