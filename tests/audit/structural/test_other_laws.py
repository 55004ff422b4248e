"""Likelihood ratios of other laws of noise: of numbers, and of the lengths of releases."""

from __future__ import annotations

import math
from collections.abc import Callable

import numpy as np
import pytest
from recordings import noisy, recording

from dpaudit.audit.structural.checks import noise_law
from dpaudit.audit.structural.other_laws import log_ratio
from dpaudit.audit.structural.recording import Recording
from dpaudit.records.verdict import Outcome

ALPHA = 1e-6
Array = np.ndarray


def on_a_sphere(rng: np.random.Generator) -> Array:
    """Noise of a fixed norm."""
    drawn = rng.normal(size=(30, 20))
    return np.asarray(drawn * math.sqrt(20) / np.linalg.norm(drawn, axis=1, keepdims=True))


def of_random_scale(rng: np.random.Generator) -> Array:
    """Noise whose norm has an exponential law, with the declared mean square."""
    return on_a_sphere(rng) * rng.exponential(math.sqrt(0.5), size=(30, 1))


def symmetric(rng: np.random.Generator) -> Array:
    drawn = np.triu(rng.normal(size=(30, 5, 5)))
    return np.asarray((drawn + np.triu(drawn, 1).transpose(0, 2, 1)).reshape(30, 25))


OTHER: dict[str, Callable[[np.random.Generator], Array]] = {
    "Laplace": lambda rng: rng.laplace(scale=math.sqrt(0.5), size=(30, 20)),
    "uniform": lambda rng: rng.uniform(-math.sqrt(3), math.sqrt(3), size=(30, 20)),
    "one-sided": lambda rng: np.abs(rng.normal(size=(30, 20))),
    "cut off": lambda rng: np.clip(rng.normal(size=(30, 20)), -2, 2),
    "a fixed norm": on_a_sphere,
    "a random scale": of_random_scale,
}


def made(values: Array, law: str = "gaussian") -> Recording:
    return recording(*noisy(list(values), law=law))


@pytest.mark.parametrize("which", list(OTHER))
def test_600_numbers_show_another_law_at_one_in_a_million(which: str) -> None:
    assert noise_law.check(made(OTHER[which](np.random.default_rng(3))), ALPHA).outcome is Outcome.REFUTED


@pytest.mark.parametrize(("law", "drawn"), [("gaussian", "normal"), ("laplace", "laplace")])
def test_the_declared_law_is_as_likely_as_any(law: str, drawn: str) -> None:
    """100 recordings a law: that any is refuted has a chance of at most 1e-4, by Markov, and is far rarer."""
    rng = np.random.default_rng(4)
    size = 1.0 if law == "gaussian" else math.sqrt(0.5)
    for _ in range(100):
        values = size * getattr(rng, drawn)(size=(10, 20))
        assert log_ratio(made(values, law).releases)[0] < math.log(1 / ALPHA)


@pytest.mark.deep
def test_ratios_exceed_a_hundred_as_rarely_as_stated() -> None:
    """At most one in a hundred, whatever the number of coordinates: above 45 of 2,000 has a chance below 1e-6."""
    rng = np.random.default_rng(5)
    sizes = [(1, 1), (1, 6), (4, 20), (20, 6)]
    found = [log_ratio(made(rng.normal(size=sizes[n % 4])).releases)[0] for n in range(2_000)]
    assert sum(one > math.log(100) for one in found) <= 45


def test_symmetric_noise_has_its_own_lengths_by_design() -> None:
    rng = np.random.default_rng(6)
    assert max(log_ratio(made(symmetric(rng)).releases)[0] for _ in range(50)) < math.log(1 / ALPHA) / 2


def test_numbers_that_are_not_finite_have_no_likelihood() -> None:
    values = np.array([[math.nan, math.inf, 0.3, -0.2]])
    assert math.isfinite(log_ratio(made(values).releases)[0])
    assert log_ratio(()) == (0.0, "")
