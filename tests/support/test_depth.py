"""What is left out of CI: cases of tests that are marked deep, the same ones each time."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

import depth
import pytest


@dataclass(frozen=True)
class Item:
    """As pytest collects it; keep: of its mark, None without one."""

    name: str
    keep: int | None = None

    @property
    def nodeid(self) -> str:
        return f"tests/test_a.py::{self.name}"

    def get_closest_marker(self, name: str) -> Any:
        assert name == "deep"
        return None if self.keep is None else pytest.mark.deep(keep=self.keep).mark


def left_out(*items: Item) -> set[str]:
    return {item.name for item in depth.left_out(items)}


def test_what_is_not_marked_stays() -> None:
    assert left_out(Item("test_x[1]"), Item("test_x[2]")) == set()


def test_of_what_is_marked_as_many_cases_stay_as_it_says() -> None:
    cases = [Item(f"test_x[{n}]", 3) for n in range(20)]
    out = left_out(*cases, Item("test_y", 0), Item("test_z", 1))
    assert len(out) == 18
    assert "test_y" in out
    assert "test_z" not in out


def test_a_case_that_comes_or_goes_moves_no_other() -> None:
    cases = [Item(f"test_x[{n}]", 4) for n in range(20)]
    stay = {case.name for case in cases} - left_out(*cases)
    for gone in cases:
        rest = [case for case in cases if case != gone]
        assert stay - {gone.name} <= {case.name for case in rest} - left_out(*rest)


def test_the_order_of_collection_changes_nothing() -> None:
    cases = [Item(f"test_x[{n}]", 2) for n in range(20)]
    assert left_out(*cases) == left_out(*reversed(cases))
