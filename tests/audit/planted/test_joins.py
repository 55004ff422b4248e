"""Auditors that join two tables: what position does to scores that say nothing."""

from __future__ import annotations

import numpy as np

from dpaudit.audit.planted.joins import _tables, joined_by_name, joined_by_position

RNG = np.random.default_rng(12)


def test_names_give_every_score_its_own_coin() -> None:
    inside, outside = RNG.normal(size=50), RNG.normal(size=40)
    (names, scores), (others, coins) = _tables(inside, outside)
    assert np.all(np.diff(scores) <= 0)
    coin_of = dict(zip(others.tolist(), coins.tolist(), strict=True))
    found = [score for name, score in zip(names.tolist(), scores.tolist(), strict=True) if coin_of[name]]
    assert sorted(found) == sorted(inside.tolist())


def test_position_calls_identical_scores_a_leak_and_names_do_not() -> None:
    same = RNG.normal(size=(2, 1_000))
    assert joined_by_position(*same, 1e-5, 0.05) > 2
    assert joined_by_name(*same, 1e-5, 0.05) < 0.5


def test_names_see_what_leaks() -> None:
    assert 1 < joined_by_name(RNG.normal(size=1_000) + 3, RNG.normal(size=1_000), 1e-5, 0.05) < 20
