"""The timing attack: perfect where time tells the noise, and no better than the values where it does not."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from dpaudit.attacks.running_time import Timing
from dpaudit.audit import tiers
from dpaudit.content.audits import audit_of
from dpaudit.content.items import Loaded, select
from dpaudit.content.loading import load_targets
from dpaudit.records.context import Context, Level
from dpaudit.records.errors import ConfigurationError, ContentError
from dpaudit.records.verdict import Outcome

AUDITS = Path(__file__).parents[2] / "audits"
RNG = np.random.default_rng(0)
TRIALS = 4_000


def released(answer: float, leak: str, seed: int) -> Any:
    """Discrete Laplace noise with a time that is its size, its size and much jitter, or unrelated."""
    rng = np.random.default_rng(seed)
    noise = rng.geometric(0.6, TRIALS) - rng.geometric(0.6, TRIALS)
    times = {
        "size": np.abs(noise),
        "jitter": np.abs(noise) + 0.3 * rng.normal(size=TRIALS),
        "nothing": rng.random(TRIALS),
        "constant": np.ones(TRIALS),
    }
    return np.column_stack([answer + noise, times[leak]])


def accuracy(leak: str, **options: Any) -> float:
    """How often the score has the right sign on fresh trials, half of the zeros counted."""
    attack = Timing(answer=float, **options)
    score = attack.fit(released(0, leak, 1), released(1, leak, 2), 0, 1, RNG)
    right = np.concatenate([score(released(0, leak, 3)), -score(released(1, leak, 4))])
    return float((right > 0).mean() + (right == 0).mean() / 2)


def test_time_that_is_the_size_of_the_noise_tells_everything() -> None:
    assert accuracy("size") > 0.999


def test_time_with_jitter_tells_nearly_everything() -> None:
    assert accuracy("jitter") > 0.9


@pytest.mark.parametrize("leak", ["nothing", "constant"])
def test_time_that_is_unrelated_adds_nothing_to_the_values(leak: str) -> None:
    """The values alone are right with probability 1/2 + (1 - r)/(2 (1 + r)) = 0.714 for r = 0.4."""
    assert accuracy(leak, cells=16) == pytest.approx(0.714, abs=0.03)


def test_real_noise_is_cut_at_its_quantiles() -> None:
    noise = np.random.default_rng(5).laplace(size=(2, TRIALS))
    sides = [np.column_stack([answer + one, np.abs(one)]) for answer, one in zip((0.0, 1.0), noise, strict=True)]
    score = Timing(answer=float).fit(*sides, 0.0, 1.0, RNG)
    assert (score(sides[0]) > 0).mean() > 0.95
    assert (score(sides[1]) < 0).mean() > 0.95


def test_what_was_never_seen_and_empty_sides_score_zero() -> None:
    score = Timing(answer=float).fit(np.zeros((0, 2)), np.zeros((0, 2)), 0, 1, RNG)
    assert score(np.array([[3.0, 4.0], [np.inf, 0.0]])).tolist() == [0.0, 0.0]
    assert score(np.zeros((0, 2))).shape == (0,)
    seen = Timing(answer=float).fit(released(0, "size", 1), released(1, "size", 2), 0, 1, RNG)
    assert seen(np.array([[1e6, 1e6]])).tolist() == [0.0]


def test_other_outputs_and_options_are_refused() -> None:
    with pytest.raises(ContentError, match="needs outputs"):
        Timing(answer=float).fit(np.zeros((3, 3)), np.zeros((3, 3)), 0, 1, RNG)
    for options in ({"cells": 1}, {"smoothing": 0.0}):
        with pytest.raises(ConfigurationError):
            Timing(answer=float, **options)


@pytest.mark.parametrize(
    ("name", "expected"),
    [
        ("known-bad/timing-geometric", Outcome.REFUTED),
        ("dpaudit/discrete-laplace-constant-work", Outcome.CONSISTENT),
    ],
)
def test_the_targets_come_out_as_expected(name: str, expected: Outcome) -> None:
    [item] = select(load_targets([AUDITS / "mechanisms" / "timing.py"]), [name], "target")
    assert isinstance(item, Loaded)
    judged = replace(item.record, truth=None)  # the decision reads the claim alone
    verdict = tiers.audit(audit_of(item.carrier, judged), Context(11, Level.SMOKE, 1e-6))
    assert verdict.outcome is expected
