"""Equations (30) to (34) by hand."""

from __future__ import annotations

import dataclasses
import math

import pytest

from dpaudit.algorithms.resque.accounting.calibration import Calibration, claimed_excess, claimed_gradients
from dpaudit.records.errors import ConfigurationError

MADE = Calibration(records=10**8, dimension=4, epsilon=0.5, delta=1e-6, lipschitz=2.0, radius=3.0, constant=1.5)


def test_the_parameters_by_hand() -> None:
    log_ratio, log_n = math.log(1e14), math.log(1e8)
    accuracy = 1.5 * 6 * (1e-4 + math.sqrt(4 * math.log(1e6)) * log_ratio**1.5 * log_n / (1e8 * 0.5))
    assert MADE.accuracy == pytest.approx(accuracy)
    assert MADE.kappa == pytest.approx(6 / accuracy)
    assert MADE.smoothing == pytest.approx(accuracy / 4)
    assert MADE.ball_radius == pytest.approx(accuracy / 4 / (math.sqrt(1.5) * log_ratio**2))
    assert MADE.order == pytest.approx(8 * math.log(2e6))
    beta = 0.5 / (1.5 * log_ratio * math.sqrt(math.log(1e6)))
    assert MADE.privacy == pytest.approx(beta)
    balls, kappa = (3 / MADE.ball_radius) ** (2 / 3), 6 / accuracy
    assert MADE.balls == pytest.approx(balls)
    first, second, log = kappa * 2 / (math.sqrt(balls) * beta), kappa**2 / balls, math.log(kappa)
    assert MADE.search_steps == pytest.approx(math.sqrt(1.5) * (first / log**2 + second / (log**3 * log_ratio)))
    assert MADE.ball_steps == pytest.approx(math.sqrt(1.5) * (first / math.sqrt(log) + second / log))
    assert MADE.proximal_steps == pytest.approx(math.sqrt(1.5) * (first + second))
    assert MADE.failure == pytest.approx(1 / (kappa * 6 * balls * log))
    assert MADE.violated == ()


def test_units() -> None:
    """Scaling of the objective and of lengths: T and beta stay, accuracy and radii scale."""
    other = dataclasses.replace(MADE, lipschitz=14.0, radius=15.0)
    assert other.accuracy == pytest.approx(35 * MADE.accuracy)
    assert other.smoothing == pytest.approx(5 * MADE.smoothing)
    for name in ("kappa", "privacy", "balls", "search_steps", "ball_steps", "proximal_steps", "failure"):
        assert getattr(other, name) == pytest.approx(getattr(MADE, name))


def test_small_data_sets_are_not_covered() -> None:
    small = dataclasses.replace(MADE, records=1000)
    assert small.kappa < 1
    assert [words.split(" ")[0] for words in small.violated] == ["kappa"]
    assert small.log_kappa == 1.0
    assert dataclasses.replace(small, logarithms="printed").log_kappa < 0


def test_claimed_costs() -> None:
    assert claimed_excess(100, 4, 0.5, 0.01, 2.0, 3.0) == pytest.approx(
        6 * (0.1 + math.sqrt(4 * math.log(100)) * math.log(1e4) ** 1.5 * math.log(100) / 50)
    )
    assert claimed_gradients(1000, 8, 1.0, 0.1) == pytest.approx(math.log(1e4) ** 6 * (1000 + 400))
    log = math.log(1e8)
    steps = MADE.search_steps * log + MADE.ball_steps + MADE.proximal_steps * log * math.log(1e14)
    assert MADE.gradients(2.0) == pytest.approx(36 * 6 * 2 * MADE.balls * log * steps)


def test_wrong_parameters_are_refused() -> None:
    with pytest.raises(ConfigurationError, match="records must be at least 2"):
        dataclasses.replace(MADE, records=1)
    with pytest.raises(ConfigurationError, match="logarithms must be one of"):
        dataclasses.replace(MADE, logarithms="base2")
