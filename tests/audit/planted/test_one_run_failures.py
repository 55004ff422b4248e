"""Releases that one run cannot refute: their laws by hand, and that they are blind spots and no dead targets."""

from __future__ import annotations

import math
from dataclasses import replace
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from dpaudit.audit import tiers
from dpaudit.audit.planted import one_run_failures as failures
from dpaudit.content.items import Loaded
from dpaudit.content.loading import load_targets
from dpaudit.content.named_scores import named_scores
from dpaudit.noise.stream import Stream, Trials
from dpaudit.records.context import Context, Level
from dpaudit.records.verdict import Outcome

NUMBER = 20_000
TRIALS = Trials(Stream(3, "failures of one run"), np.arange(NUMBER))
DATA = np.array([1.0, 0.0, 1.0, 0.0])
TRUE = math.e / (1 + math.e)
FILE = Path(__file__).parents[3] / "audits" / "one_run" / "failures.py"
ITEMS = {item.name: item.carrier for item in load_targets([FILE]) if isinstance(item, Loaded)}
BLIND = [name for name in ITEMS if name.startswith("one-run/")]


def test_one_record_is_named_and_told_as_often_as_it_says() -> None:
    for broken, rate in ((True, 1.0), (False, TRUE)):
        found = failures.name_and_shame(DATA, TRIALS, broken)
        named = found[:, 0].astype(int)
        assert np.bincount(named, minlength=4) / NUMBER == pytest.approx(np.full(4, 0.25), abs=0.02)
        assert (found[:, 1] == DATA[named]).mean() == pytest.approx(rate, abs=6 * 0.5 / NUMBER**0.5)


def test_all_are_told_seldom_or_all_through_randomised_response() -> None:
    said = 2 * DATA - 1
    broken, right = (failures.all_or_nothing(DATA, TRIALS, kind)[:, :4] for kind in (True, False))
    told = (broken == said).all(axis=1)
    assert told.mean() == pytest.approx(failures.CHANCE, abs=6 * math.sqrt(failures.CHANCE / NUMBER))
    assert np.all(broken[~told] == 0)
    assert (right == said).mean(axis=0) == pytest.approx(np.full(4, TRUE), abs=6 * 0.5 / NUMBER**0.5)


def test_the_parity_moves_with_every_record() -> None:
    for place in range(4):
        moved = DATA.copy()
        moved[place] = 1 - moved[place]
        assert np.all(failures.parity(DATA, TRIALS, True)[:, 0] != failures.parity(moved, TRIALS, True)[:, 0])
    assert (failures.parity(DATA, TRIALS, False)[:, 0] == 0).mean() == pytest.approx(TRUE, abs=6 * 0.5 / NUMBER**0.5)


def test_scores_of_one_run() -> None:
    named = failures.scores_of_the_named(np.array([[2.0, 1.0, 9.0], [1.0, 0.0, 9.0]]), 3)
    assert named.tolist() == [[0, 0, 1], [0, -1, 0]]
    assert failures.scores_of_all(np.array([[1.0, -1.0, 9.0]]), 2).tolist() == [[1, -1]]
    assert failures.scores_of_parity(np.array([[1.0, 9.0]]), 3).tolist() == [[1, 1, 1]]


@pytest.mark.parametrize("name", BLIND)
def test_one_run_is_inconclusive_and_says_that_its_scores_show_nothing(name: str) -> None:
    for seed in (5, 6):
        verdict = tiers.audit(ITEMS[name], Context(seed, Level.SMOKE, 1e-6))
        assert verdict.outcome is Outcome.INCONCLUSIVE
        said = verdict.evidence[0].detail
        assert "too weak to show anything" in said or "the attack says nothing" in said
        assert dict(verdict.numbers)["epsilon_lower_95"] < 0.2
        assert dict(verdict.numbers)["limit_of_detection"] > dict(verdict.numbers)["epsilon_claimed"]


def test_all_in_the_one_run_in_which_it_tells_everything(monkeypatch: pytest.MonkeyPatch) -> None:
    """The scores are right: where the release speaks, one run refutes it."""
    monkeypatch.setattr(failures, "CHANCE", 1.0)
    verdict = tiers.audit(ITEMS["one-run/all-or-nothing"], Context(5, Level.SMOKE, 1e-6))
    assert verdict.outcome is Outcome.REFUTED


def test_sorted_scores_with_the_names_of_their_canaries_refute_what_others_hide() -> None:
    subject = ITEMS["one-run/joined-by-position"]

    def joined(included: Any, trials: Trials) -> Any:
        scores = included + 0.5 * trials.stream.normals(trials.numbers, 0, len(included))[0]
        order = np.argsort(-scores)
        return named_scores(order, scores[order])

    verdict = tiers.audit(replace(subject, run=joined), Context(5, Level.SMOKE, 1e-3))
    assert verdict.outcome is Outcome.REFUTED
