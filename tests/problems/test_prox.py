"""Proximal maps: minimisers of their objective, the same in the three forms."""

from __future__ import annotations

import numpy as np
import pytest
import torch
from refusals import refused

from dpaudit.arithmetic.tracked import track
from dpaudit.problems import prox_kernels
from dpaudit.problems.prox import NOTHING, Regulariser

VALUES = np.array([-1.3, -0.28, -0.1, 0.0, 0.05, 0.28, 0.9])
KINDS = [NOTHING, Regulariser("l1", 0.4), Regulariser("ridge", 0.7), Regulariser("box", 0.2)]
each = pytest.mark.parametrize("regulariser", KINDS, ids=lambda r: r.kind)


@each
def test_it_minimises_the_proximal_objective(regulariser: Regulariser) -> None:
    """argmin_u g psi(u) + (u - v)^2/2 on a grid of 10^-5."""
    grid = np.linspace(-2, 2, 400_001)
    inside = np.abs(grid) <= regulariser.strength if regulariser.kind == "box" else np.ones(len(grid), dtype=bool)
    penalty = np.zeros(len(grid)) if regulariser.kind == "box" else regulariser.value(grid[:, None])
    for v, found in zip(VALUES, regulariser.prox(VALUES, 0.7), strict=True):
        objective = np.where(inside, 0.7 * penalty + (grid - v) ** 2 / 2, np.inf)
        assert found == pytest.approx(grid[np.argmin(objective)], abs=2e-5)


@each
def test_the_three_forms_agree(regulariser: Regulariser) -> None:
    expected = regulariser.prox(VALUES, 0.7)
    assert regulariser.torch_prox(torch.tensor(VALUES), 0.7).numpy() == pytest.approx(expected, abs=1e-16)
    assert regulariser.prox(track(VALUES), 0.7).values == pytest.approx(expected, abs=1e-16)
    for dtype, tolerance in (("float64", 1e-16), ("float32", 1e-7)):
        kind = np.dtype(dtype).type
        for v, wanted in zip(VALUES, expected, strict=True):
            found = prox_kernels.prox(kind(v), kind(0.7), regulariser.code, kind(regulariser.strength))
            assert found == pytest.approx(wanted, abs=tolerance)


def test_values_of_the_regularisers() -> None:
    points = np.array([[0.1, -0.2], [0.3, 0.0]])
    assert Regulariser("l1", 2.0).value(points) == pytest.approx([0.6, 0.6])
    assert Regulariser("ridge", 2.0).value(points) == pytest.approx([0.05, 0.09])
    assert Regulariser("box", 0.2).value(points).tolist() == [0.0, np.inf]
    assert NOTHING.value(points).tolist() == [0.0, 0.0]


test_wrong_regularisers_are_refused = refused(
    Regulariser, (("l2", 1.0), "regulariser must be"), (("l1", 0.0), "strength")
)
