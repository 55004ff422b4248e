"""Distances of statistics against declared sensitivities."""

from __future__ import annotations

import math

import numpy as np
import pytest
from recordings import recording

from dpaudit.audit.structural.checks import sensitivity
from dpaudit.audit.structural.finding import Finding
from dpaudit.records.verdict import Outcome


def moved(first: object, second: object, **declared: object) -> Finding:
    noise = np.zeros(np.shape(first))
    pair = [recording({"statistic": s, "noise": noise, **declared}) for s in (first, second)]
    return sensitivity.check([("removed", *pair)])


@pytest.mark.parametrize(("norm", "size"), [("l2", 5.0), ("l1", 7.0), ("linf", 4.0)])
def test_the_distance_is_in_the_declared_norm(norm: str, size: float) -> None:
    exact = moved([3.0, 4.0], [0.0, 0.0], sensitivity=size, norm=norm)
    assert exact.outcome is Outcome.CONSISTENT
    less = moved([3.0, 4.0], [0.0, 0.0], sensitivity=size * 0.999, norm=norm)
    assert less.outcome is Outcome.REFUTED
    assert dict(less.numbers)["distance"] == size


def test_rounding_passes_and_more_does_not() -> None:
    assert moved(1e6 + 1.0, 1e6 - 1e-10, sensitivity=1.0).outcome is Outcome.CONSISTENT
    assert moved(1.0 + 1e-4, 0.0, sensitivity=1.0).outcome is Outcome.REFUTED
    single = [np.float32(1e3 + 1), np.float32(1e3)]
    assert moved(*single, sensitivity=0.9999).outcome is Outcome.CONSISTENT


@pytest.mark.parametrize("value", [math.nan, math.inf])
def test_a_value_that_is_not_finite_is_infinitely_far(value: float) -> None:
    found = moved(1.0, value, sensitivity=1.0)
    assert found.outcome is Outcome.REFUTED
    assert dict(found.numbers)["distance"] == math.inf


def test_a_sensitivity_of_zero_means_that_nothing_moves() -> None:
    assert moved(1.0, 1.5, sensitivity=0.0).outcome is Outcome.REFUTED
    assert moved(0.0, 0.0, sensitivity=0.0).outcome is Outcome.NOT_RUN


def test_nothing_to_see_is_said() -> None:
    assert moved(1.0, 1.0, sensitivity=1.0).outcome is Outcome.NOT_RUN
    assert moved(1.0, 2.0).outcome is Outcome.NOT_RUN
    assert sensitivity.check([]).outcome is Outcome.NOT_RUN
