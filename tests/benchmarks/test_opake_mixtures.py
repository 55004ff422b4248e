"""What opake's amplified accountants are held against: patterns of participations, delta of mixtures; the record."""

from __future__ import annotations

import json

import numpy as np
import opake_mixtures
import pytest

from dpaudit.accounting.epsilon import gaussian_epsilon


@pytest.mark.parametrize(("bands", "chance"), [(1, 0.3), (2, 1 / 3), (3, 0.2)])
def test_a_record_is_in_every_step_with_the_same_probability_and_apart(bands: int, chance: float) -> None:
    found = opake_mixtures.separated_patterns(7, bands, chance)
    patterns, weights = np.array(list(found)), np.array(list(found.values()))
    assert weights.sum() == pytest.approx(1)
    assert weights @ patterns == pytest.approx(np.full(7, chance / (1 + (bands - 1) * chance)))
    for lag in range(1, bands):
        assert not (patterns[:, lag:] * patterns[:, :-lag]).any()


def test_delta_of_a_mixture_is_that_of_a_gaussian_where_it_is_one(monkeypatch: pytest.MonkeyPatch) -> None:
    """Each within 5.5 standard errors: 4e-8 by chance."""
    deltas = (0.1, 0.01)
    epsilons = tuple(gaussian_epsilon(delta, 1.0) for delta in deltas)
    monkeypatch.setattr(opake_mixtures, "EPSILONS", epsilons)
    monkeypatch.setattr(opake_mixtures, "DRAWS", opake_mixtures.BATCH)
    # Two patterns with one mean are one Gaussian of mu 1: noise 2, a mean of length 2.
    means = np.array([[2.0, 0.0], [2.0, 0.0]])
    for delta, (found, error) in zip(
        deltas, opake_mixtures.mixture_deltas(means, np.array([0.25, 0.75]), 2.0, 1), strict=True
    ):
        assert 0 < error < 0.002
        assert abs(found - delta) < 5.5 * error


def test_a_mixture_has_the_larger_delta_of_both_directions(monkeypatch: pytest.MonkeyPatch) -> None:
    """A record that takes part with probability 1/2: delta is larger where it is removed."""
    monkeypatch.setattr(opake_mixtures, "EPSILONS", (0.5,))
    monkeypatch.setattr(opake_mixtures, "DRAWS", opake_mixtures.BATCH)
    [(found, error)] = opake_mixtures.mixture_deltas(np.array([[0.0], [1.0]]), np.array([0.5, 0.5]), 1.0, 2)
    # By quadrature, of (P - e^0.5 Q)+ and of (Q - e^0.5 P)+.
    at = np.linspace(-12, 12, 240_001)
    density = np.exp(-(at**2) / 2) / np.sqrt(2 * np.pi)
    mixture = (density + np.exp(-((at - 1) ** 2) / 2) / np.sqrt(2 * np.pi)) / 2
    one, other = (np.maximum(0, a - np.exp(0.5) * b).sum() * 1e-4 for a, b in ((mixture, density), (density, mixture)))
    assert one > other
    assert abs(found - one) < 5.5 * error


def test_the_record_has_every_case_and_none_is_too_small() -> None:
    record = json.loads(opake_mixtures.JSON.read_text(encoding="utf-8"))
    assert len(record["rows"]) == len(opake_mixtures.MIXTURES) * len(opake_mixtures.EPSILONS)
    for row in record["rows"]:
        assert row["too_small"] is (row["stated"] < row["delta"] - opake_mixtures.ERRORS * row["error"])
        assert not row["too_small"]
        assert row["stated"] < 1.5 * row["delta"] + 1e-5
