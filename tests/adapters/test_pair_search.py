"""Several pairs: the game is played on the one whose releases are furthest apart, in trials of its own."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest

from dpaudit.adapters import pair_search
from dpaudit.adapters.release import Release
from dpaudit.audit import tiers
from dpaudit.content.audits import audit_of
from dpaudit.noise.stream import Trials
from dpaudit.records.context import Context, Level
from dpaudit.records.errors import ConfigurationError
from dpaudit.records.privacy import claim
from dpaudit.records.verdict import Outcome, Verdict

RECORDS = np.array([0.1, -0.2, 0.05, 1.0, 0.3])
PAIRS = [(RECORDS, np.delete(RECORDS, place)) for place in range(len(RECORDS))]
"""One record is removed; the fourth moves the sum most."""
ALPHA = 1e-6
"""False-alarm probability of the decision."""


def noisy_sum(data: Any, seed: int) -> float:
    """Half of the noise of epsilon 1."""
    return float(np.sum(data)) + float(np.random.laplace(scale=0.5))


def audited(**pairs: Any) -> Verdict:
    audit = Release("mine/sum", noisy_sum, claim=claim(epsilon=1.0), **pairs)
    return tiers.audit(audit_of(audit), Context(1, Level.SMOKE, ALPHA))


def test_the_pair_that_leaks_most_is_found_and_refuted() -> None:
    verdict = audited(pairs=PAIRS)
    assert verdict.outcome is Outcome.REFUTED
    assert "neighbours: pair 4 of 5, whose releases are furthest apart" in verdict.statement
    assert audited(pair=PAIRS[2]).outcome is not Outcome.REFUTED, "this one shows nothing"


def test_a_function_makes_candidates() -> None:
    def made(rng: np.random.Generator) -> tuple[Any, Any]:
        return PAIRS[int(rng.integers(len(PAIRS)))]

    verdict = audited(pairs=made)
    assert verdict.outcome is Outcome.REFUTED
    assert f"of {pair_search.MADE}, whose releases" in verdict.statement


def test_the_search_plays_other_trials_than_the_game_and_repeats() -> None:
    seen: list[tuple[int, ...]] = []

    def release(data: Any, trials: Trials) -> np.ndarray:
        seen.append(tuple(trials.seeds()))
        return np.sum(data) + trials.stream.normals(trials.numbers, 0, 1)

    audit = Release("mine/sum", release, pairs=PAIRS, batched=True, claim=claim(epsilon=1.0))
    first, again = (audit.neighbours(np.random.default_rng(3)) for _ in range(2))
    assert first is again
    searched = {seed for seeds in seen for seed in seeds}
    seen.clear()
    verdict = tiers.audit(audit_of(audit), Context(1, Level.SMOKE, ALPHA))
    played = {seed for seeds in seen if len(seeds) > pair_search.FIRST * pair_search.GROWTH for seed in seeds}
    assert played
    assert not played & searched
    assert verdict.outcome is not Outcome.ERROR


def test_the_rounds_get_fewer_candidates_and_more_trials() -> None:
    played: list[tuple[float, int]] = []

    def run(data: float, trials: Trials) -> np.ndarray:
        played.append((data, len(trials)))
        return data * np.ones((len(trials), 1)) + trials.stream.normals(trials.numbers, 0, 1)

    pairs = [((move / 6) ** 2, 0.0) for move in range(9)]
    place, trials, apart = pair_search.furthest(run, pairs, seed=5)
    assert (place, trials) == (8, 400)
    assert 0.5 < apart < 0.75, "shifted by 1.8 the distribution functions are 0.63 apart"
    assert [sum(count == size for _, count in played) for size in (100, 400)] == [18, 4]
    assert pair_search.furthest(run, pairs[:1], seed=5) == (0, 0, 0.0)


def test_pairs_are_held_against_the_relation() -> None:
    with pytest.raises(ConfigurationError, match="give pair="):
        Release("mine/sum", noisy_sum, claim=claim(epsilon=1.0))
    with pytest.raises(ConfigurationError, match="give pair="):
        Release("mine/sum", noisy_sum, claim=claim(epsilon=1.0), pair=PAIRS[0], pairs=PAIRS)
    assert "got none" in audited(pairs=[]).evidence[0].detail
    wrong = audited(pairs=[PAIRS[0], (RECORDS, RECORDS[:2])])
    assert wrong.outcome is Outcome.ERROR
    assert "they have 5 and 2 records" in wrong.evidence[0].detail
