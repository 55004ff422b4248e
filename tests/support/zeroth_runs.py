"""What the tests of the zeroth-order algorithms share: exact runs, means of bounded numbers."""

from __future__ import annotations

import json
from fractions import Fraction
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from dpaudit.problems import losses
from dpaudit.problems.losses import Problem
from dpaudit.sampling.directions import Directions

FILE = Path(__file__).parents[1] / "vectors" / "zeroth_steps.json"
VECTORS = {case["name"]: case for case in json.loads(FILE.read_text(encoding="utf-8"))["cases"]}


def numbers(values: Any) -> Any:
    """Rationals written as text, in lists of any depth, as an array."""
    if isinstance(values, list):
        return np.array([numbers(one) for one in values])
    return np.float64(float(Fraction(values)))


def problem_of(case: dict[str, Any]) -> Problem:
    """The losses of an exact run."""
    return losses.quadratic_minus_linear(np.diag(numbers(case["curvature"])), numbers(case["records"]))


def given_frames(monkeypatch: pytest.MonkeyPatch) -> None:
    """Take the normals behind the directions for the directions themselves."""
    monkeypatch.setattr(Directions, "frame", lambda self, normals: normals)


def assert_mean(samples: Any, mean: Any, width: float, level: float = 1e-6) -> float:
    """Fail if numbers of a range of `width`, shape (trials, ...), do not have the `mean`; returns the tolerance.

    Maurer, Pontil (2009), theorem 4, on both sides, the level divided by the number of means: wrong with probability
    at most `level`, whatever the law.
    """
    rows = np.asarray(samples, dtype=np.float64).reshape(len(samples), -1)
    count, expected = len(rows), np.broadcast_to(mean, np.shape(samples)[1:]).reshape(-1)
    log = np.log(4 * rows.shape[1] / level)
    tolerance = np.sqrt(2 * rows.var(axis=0, ddof=1) * log / count) + 7 * width * log / (3 * (count - 1))
    away = np.abs(rows.mean(axis=0) - expected)
    assert (away <= tolerance).all(), f"means are off by up to {(away / tolerance).max():.2f} times the tolerance"
    return float(tolerance.max())
