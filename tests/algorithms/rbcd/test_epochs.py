"""The sizes of a run in epochs, its first state, and which part of the last state is its result."""

from __future__ import annotations

from dataclasses import replace

import numpy as np
import pytest

from dpaudit.algorithms.rbcd.epochs import Epochs, first_state, output
from dpaudit.records.errors import ConfigurationError

PARAMS = Epochs((0.5, -0.25, 1.0), (0.1, 0.2, 0.3), 4, 5)


def test_the_sizes_of_a_run() -> None:
    assert (PARAMS.dimension, PARAMS.steps) == (3, 20)


def test_a_run_starts_at_the_start_and_gives_the_iterate() -> None:
    assert first_state(PARAMS).tolist() == [0.5, -0.25, 1.0, 0.0, 0.0, 0.0]
    states = np.arange(12.0).reshape(2, 6)
    assert output(PARAMS, states).tolist() == [[0.0, 1.0, 2.0], [6.0, 7.0, 8.0]]


@pytest.mark.parametrize("wrong", [{"step_sizes": (0.1, 0.2)}, {"step_sizes": (0.1, 0.2, 0.0)}, {"epochs": 0},
                                   {"inner_steps": 0}, {"start": ()}])  # fmt: skip
def test_wrong_sizes_are_refused(wrong: dict[str, object]) -> None:
    with pytest.raises(ConfigurationError, match=next(iter(wrong))):
        replace(PARAMS, **wrong)
