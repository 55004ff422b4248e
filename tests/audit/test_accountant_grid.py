"""Grids of accountants: where a stated epsilon stands beside its enclosure, and by how much it is loose."""

from __future__ import annotations

import math

import pytest

from dpaudit.accounting.epsilon import epsilon_bounds
from dpaudit.audit import accountant_grid
from dpaudit.audit.accountant_grid import Cell
from dpaudit.records.errors import ContentError
from dpaudit.records.mechanism import Gaussian, PoissonSampled, SelfComposed

SAMPLED = Cell(1.0, 0.1, 10, 1e-5)
WHOLE = Cell(2.0, 1.0, 4, 1e-5)


@pytest.mark.parametrize("cell", [SAMPLED, WHOLE])
def test_standings(cell: Cell) -> None:
    ends = epsilon_bounds(cell.mechanism, cell.delta, accountant_grid.NEIGHBOURS)
    middle = (ends.lower + ends.upper) / 2
    found = [
        accountant_grid.judge(cell, epsilon) for epsilon in (0.99 * ends.lower, middle, 1.5 * ends.upper, math.inf)
    ]
    assert [one.standing for one in found] == ["below", "within", "above", "above"]
    assert found[2].looseness == pytest.approx(1.5)
    assert [math.isnan(one.looseness) for one in found] == [True, True, False, False]
    assert (found[0].lower, found[0].upper) == (ends.lower, ends.upper)


def test_roundings_are_no_standing() -> None:
    """Twice the mu of the cell is one release at noise multiplier 1, known exactly."""
    true = accountant_grid.judge(WHOLE, 5.0).upper
    assert {accountant_grid.judge(WHOLE, true * (1 + error)).standing for error in (-1e-8, 0, 1e-8)} == {"within"}


def test_what_is_run() -> None:
    assert SAMPLED.mechanism == SelfComposed(PoissonSampled(0.1, Gaussian(1.0)), 10)
    assert WHOLE.mechanism == SelfComposed(Gaussian(2.0), 4)


def test_every_combination_once() -> None:
    cells = accountant_grid.grid((1.0, 2.0, 1.0), (0.1,), (1, 2, 3), (1e-5, 1e-6))
    assert len(cells) == len(set(cells)) == 12
    assert cells[0] == Cell(1.0, 0.1, 1, 1e-5)


def test_no_number_is_told_so() -> None:
    with pytest.raises(ContentError, match="is not a number"):
        SAMPLED.stated(math.nan)
    assert accountant_grid.failed(SAMPLED, "ValueError: x").standing == "error"
