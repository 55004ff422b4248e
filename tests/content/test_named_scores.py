"""Scores with the names of their canaries."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest

from dpaudit.content.named_scores import by_name, named_scores
from dpaudit.records.errors import ContentError


def test_scores_are_found_by_name() -> None:
    found = named_scores([2, 0, 1], [0.2, -np.inf, 0.1])
    assert found.shape == (1, 2, 3)
    assert by_name(found, 3, "run").tolist() == [-np.inf, 0.1, 0.2]


@pytest.mark.parametrize(
    ("names", "words"),
    [
        ([0, 1, 1], "run gives canary 1 2 scores; each canary has one"),
        ([0, 2, 3], "run names a canary 3; canaries are called 0 to 2"),
        ([0, -1, 2], "run names a canary -1; canaries are called 0 to 2"),
        ([0, 1, 0.5], "run names a canary 0.5"),
        ([0, 1, np.nan], "run names a canary nan"),
    ],
)
def test_every_canary_has_one_score(names: Any, words: str) -> None:
    with pytest.raises(ContentError) as caught:
        by_name(np.array([[names, [1.0, 2.0, 3.0]]]), 3, "run")
    assert words in str(caught.value)


@pytest.mark.parametrize(
    "given", [
        ([0, 1], [1.0]), ([0.0, 1.0], [1.0, 2.0]), ([[0, 1]], [[1.0, 2.0]]), ([0, 1], ["1", "2"]), ([0, 1], [1j, 2.0]),
        ([[0], [1, 2]], [1.0, 2.0]), (np.ma.array([0, 1], mask=[0, 1]), [1.0, 2.0]),
    ],
)  # fmt: skip
def test_names_and_scores_fit_one_another(given: Any) -> None:
    with pytest.raises(ContentError, match="one integer and one score a canary"):
        named_scores(*given)


@pytest.mark.parametrize("shape", [(1, 3), (1, 2, 4), (2, 2, 3)])
def test_scores_without_names_are_refused(shape: tuple[int, ...]) -> None:
    with pytest.raises(ContentError, match=r"run must return named_scores.*from dpaudit import named_scores"):
        by_name(np.zeros(shape), 3, "run")
