"""Which random functions of torch are seen."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import pytest
import torch
from torch.nn import functional

from dpaudit.audit.alignment import torch_draws
from dpaudit.audit.alignment.rows import Call
from dpaudit.audit.alignment.sources import Source

CASES: dict[str, Callable[[], Any]] = {
    "rand": lambda: torch.rand(2),
    "randperm": lambda: torch.randperm(3),
    "normal_": lambda: torch.zeros(2).normal_(),
    "exponential_": lambda: torch.zeros(2).exponential_(),
    "random_": lambda: torch.empty((), dtype=torch.int64).random_(),
    "multinomial": lambda: torch.ones(3).multinomial(2),
    "dropout": lambda: torch.nn.Dropout()(torch.ones(3)),
    "dropout2d": lambda: functional.dropout2d(torch.ones(1, 2, 3, 3)),
    "rrelu": lambda: functional.rrelu(torch.ones(3), training=True),
    "kaiming_uniform_": lambda: torch.nn.Linear(2, 2),
    "normal": lambda: torch.distributions.Normal(0.0, 1.0).sample((2,)),
}


@pytest.mark.parametrize("name", CASES)
def test_seen_with_its_name(name: str) -> None:
    seen: list[str] = []

    def noted(source: Source, call: Call) -> Any:
        assert source.generator is torch.default_generator
        seen.append(call.name)
        return call.make()

    with torch_draws.seen(noted):
        CASES[name]()
    assert name in seen
    seen.clear()
    CASES[name]()
    assert seen == []


def test_the_generator_of_a_call_is_the_one_that_it_is_given() -> None:
    own, found = torch.Generator(), []

    def noted(source: Source, call: Call) -> Any:
        found.append(source.generator)
        return call.make()

    with torch_draws.seen(noted):
        torch.rand(2, generator=own)
        torch.zeros(2).normal_(generator=own)
    assert found == [own, own]


def test_gradients_flow_through_a_layer_in_place() -> None:
    values = torch.ones(50, requires_grad=True)
    with torch_draws.seen(lambda source, call: call.make()):
        functional.dropout(values * 1.0, 0.5, True, True).sum().backward()
    assert set(values.grad.tolist()) == {0.0, 2.0}
