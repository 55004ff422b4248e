"""Which random functions of Python and NumPy are seen."""

from __future__ import annotations

import copy
import random
from random import gauss
from typing import Any

import numpy as np
import pytest
from numpy.random import default_rng

from dpaudit.audit.alignment import numpy_draws
from dpaudit.audit.alignment.rows import Call
from dpaudit.audit.alignment.sources import Source

SEEN: list[tuple[str, str]] = []


def noted(source: Source, call: Call) -> Any:
    """Makes the call and keeps its name."""
    SEEN.append((source.name, call.name))
    return call.make()


CASES = {
    "random": (lambda: random.random(), ("random", "random")),
    "a name imported before": (lambda: gauss(0, 1), ("random", "gauss")),
    "numpy.random": (lambda: np.random.normal(size=2), ("numpy.random", "normal")),
    "default_rng": (lambda: np.random.default_rng(1).normal(), ("a generator of NumPy", "normal")),
    "default_rng imported before": (lambda: default_rng(1).random(), ("a generator of NumPy", "random")),
    "its child": (lambda: default_rng(1).spawn(1)[0].random(), ("a generator of NumPy", "random")),
    "its copy": (lambda: copy.deepcopy(default_rng(1)).random(), ("a generator of NumPy", "random")),
    "RandomState": (lambda: np.random.RandomState(1).randn(2), ("a generator of NumPy", "randn")),
    "random.Random": (lambda: random.Random(1).random(), ("a generator of Python", "random")),
}


@pytest.mark.parametrize("name", CASES)
def test_seen_inside_the_context_and_not_after_it(name: str) -> None:
    draw, expected = CASES[name]
    SEEN.clear()
    with numpy_draws.seen(noted):
        draw()
    assert SEEN[0] == expected
    SEEN.clear()
    draw()
    assert SEEN == []


def test_generators_give_what_they_give_unobserved_and_are_of_their_classes() -> None:
    earlier = np.random.RandomState(1), random.Random(1), np.random.default_rng(1)
    with numpy_draws.seen(noted):
        made = np.random.RandomState(1), random.Random(1), np.random.default_rng(1)
        assert isinstance(earlier[0], np.random.RandomState)
        assert isinstance(earlier[1], random.Random)
        assert not isinstance(earlier[2], np.random.RandomState)
        assert [made[0].rand(), made[1].random(), made[2].random()] == [
            earlier[0].rand(),
            earlier[1].random(),
            earlier[2].random(),
        ]
    assert isinstance(made[2], np.random.Generator)
    assert isinstance(made[0], np.random.RandomState)
