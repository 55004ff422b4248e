"""The digest counts exactly what it keeps, whatever the portions, and stays small."""

from __future__ import annotations

import math

import numpy as np

from dpaudit.estimators.score_digest import ScoreDigest


def test_counts_are_exact_at_every_edge() -> None:
    rng = np.random.default_rng(0)
    x, y = np.round(rng.normal(1, 1, 300), 1), np.round(rng.normal(0, 1, 200), 1)
    x[0], y[0] = math.inf, -math.inf
    for digest in (ScoreDigest.empty().add(x, y), ScoreDigest.empty().add(x, y).thinned(1.2)):
        positive, negative = digest.at_least()
        assert positive.tolist() == [int((x >= edge).sum()) for edge in digest.edges]
        assert negative.tolist() == [int((y >= edge).sum()) for edge in digest.edges]


def test_portions_do_not_matter() -> None:
    rng = np.random.default_rng(1)
    x, y = np.round(rng.normal(size=(2, 100)), 1)  # with scores that come again
    whole, parts = ScoreDigest.empty().add(x, y), ScoreDigest.empty()
    for i in range(0, 100, 7):
        parts = parts.add(x[i : i + 7], y[i : i + 7])
    for kept, expected in zip(vars(parts).values(), vars(whole).values(), strict=True):
        np.testing.assert_array_equal(kept, expected)


def test_thinning_keeps_both_tails_and_a_ratio_of_ranks() -> None:
    scores = np.arange(100_000, dtype=np.float64)
    digest = ScoreDigest.empty().add(scores[::2], scores[1::2]).thinned(1.1)
    assert digest.edges[:8].tolist() == list(range(8))
    assert digest.edges[-8:].tolist() == list(range(99_992, 100_000))
    assert len(digest.edges) < 2 * (10 + math.log(50_000 / 8) / math.log(1.1))
    upper = 100_000 - digest.edges[digest.edges > 50_000]
    assert (upper[:-1] / upper[1:])[:-8].max() < 1.2


def test_area_is_that_under_the_roc_curve() -> None:
    rng = np.random.default_rng(2)
    x, y = np.round(rng.normal(1, 1, 80), 1), np.round(rng.normal(0, 1, 90), 1)
    expected = ((x[:, None] > y).mean() + (x[:, None] >= y).mean()) / 2
    assert abs(ScoreDigest.empty().add(x, y).area() - expected) < 1e-12
