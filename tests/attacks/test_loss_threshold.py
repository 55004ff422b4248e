"""The loss threshold: order, infinities, NaN."""

from __future__ import annotations

import numpy as np
import pytest

from dpaudit.attacks.loss_threshold import loss_threshold
from dpaudit.records.errors import ContentError


def test_smaller_losses_score_higher() -> None:
    scores = loss_threshold([[0.5, 2.0, 0.0], [np.inf, 1.0, 1.0]])
    assert scores.tolist() == [[-0.5, -2.0, 0.0], [-np.inf, -1.0, -1.0]]


def test_no_records() -> None:
    assert loss_threshold(np.zeros((3, 0))).shape == (3, 0)


def test_nan_is_refused() -> None:
    with pytest.raises(ContentError, match="1 of 2 losses are NaN"):
        loss_threshold([0.0, np.nan])
