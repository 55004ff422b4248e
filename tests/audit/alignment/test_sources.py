"""Generators of three libraries: read, put back, and set from a key."""

from __future__ import annotations

import random
from collections.abc import Callable
from typing import Any

import numpy as np
import pytest
import torch

from dpaudit.audit.alignment.sources import BitSource, LegacySource, PythonSource, Source, TorchSource

KINDS: dict[str, Callable[[], tuple[Source, Callable[[], Any]]]] = {}


def _python() -> tuple[Source, Callable[[], Any]]:
    one = random.Random(1)
    return PythonSource("p", one), lambda: (one.random(), one.gauss(0, 1))


def _bits(kind: Any) -> Callable[[], tuple[Source, Callable[[], Any]]]:
    def made() -> tuple[Source, Callable[[], Any]]:
        one = np.random.Generator(kind(1))
        return BitSource("b", one.bit_generator), lambda: one.normal(size=3).tolist()

    return made


def _legacy() -> tuple[Source, Callable[[], Any]]:
    one = np.random.RandomState(1)
    return LegacySource("l", one), lambda: one.normal(size=3).tolist()


def _torch() -> tuple[Source, Callable[[], Any]]:
    one = torch.Generator().manual_seed(1)
    return TorchSource("t", one), lambda: (torch.rand(2, generator=one).tolist(), torch.randn(1, generator=one).item())


KINDS = {
    "Python": _python,
    "PCG64": _bits(np.random.PCG64),
    "MT19937": _bits(np.random.MT19937),
    "Philox": _bits(np.random.Philox),
    "SFC64": _bits(np.random.SFC64),
    "RandomState": _legacy,
    "torch": _torch,
}


@pytest.mark.parametrize("kind", KINDS)
def test_a_state_can_be_put_back(kind: str) -> None:
    source, draw = KINDS[kind]()
    draw()
    state = source.read()
    assert source.read() == state
    first = draw()
    assert source.read() != state
    assert source.fingerprint(source.read()) != source.fingerprint(state)
    source.write(state)
    assert source.read() == state
    assert draw() == first


@pytest.mark.parametrize("kind", KINDS)
def test_every_byte_of_a_key_counts_and_nothing_else(kind: str) -> None:
    source, draw = KINDS[kind]()
    found = []
    for place in range(16):
        draw()
        source.seed(bytes(place) + b"x" + bytes(15 - place))
        found.append(repr(draw()))
    assert len(set(found)) == 16
    source.seed(bytes(15) + b"x")
    assert repr(draw()) == found[-1]


def test_draws_of_torch_from_a_key_are_uniform() -> None:
    source, one = TorchSource("t", torch.Generator()), []
    source = TorchSource("t", generator := torch.Generator())
    for number in range(2000):
        source.seed(number.to_bytes(16, "big"))
        one.append(torch.rand(2, generator=generator))
    values = torch.stack(one).double()
    assert abs(float(values.mean()) - 0.5) < 5 * (1 / 12 / values.numel()) ** 0.5
    assert abs(float(torch.corrcoef(values.T)[0, 1])) < 5 / 2000**0.5
