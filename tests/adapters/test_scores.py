"""The attacks of training adapters read their own columns."""

from __future__ import annotations

import numpy as np
import pytest

from dpaudit.adapters.scores import FINAL_ATTACKS, STEP_ATTACKS

ROWS = np.array([[1.0, 4.0, 7.0, 10.0, 100.0], [-3.0, -2.0, -8.0, 20.0, 200.0]])
"""Two steps, what zeros tell, the final model, the likelihood ratio."""


@pytest.mark.parametrize(
    ("name", "scores"),
    [
        ("sum of projections", [5.0, -5.0]),
        ("largest projection", [4.0, -2.0]),
        ("values that are 0", [7.0, -8.0]),
        ("likelihood ratio of the steps", [100.0, 200.0]),
    ],
)
def test_scores_of_the_steps(name: str, scores: list[float]) -> None:
    attack = STEP_ATTACKS[name]
    assert callable(attack)
    assert np.asarray(attack(ROWS, None, None)).tolist() == scores


def test_the_final_model_has_one_column_and_two_signs() -> None:
    found = [attack(ROWS[:, 3:4], None, None) for attack in FINAL_ATTACKS.values() if callable(attack)]
    assert [np.asarray(one).tolist() for one in found] == [[10.0, 20.0], [-10.0, -20.0]]
