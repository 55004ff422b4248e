"""Numbers of audits in sentences."""

from __future__ import annotations

import pytest

from dpaudit.audit import wording


@pytest.mark.parametrize(
    ("value", "words"),
    [(0.012345, "at most 0.0123"), (1.0, "at most 1"), (1e-300, "at most 1e-300"), (0.0, "below 1e-300")],
)
def test_a_probability_is_never_nothing(value: float, words: str) -> None:
    assert wording.probability(value, "at most") == words
    assert wording.probability(value) == words.replace("at most", "=")
