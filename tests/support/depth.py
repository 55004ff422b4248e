"""How often tests repeat what is slow and random: as CI can afford, or in full where DPAUDIT_DEEP_TESTS is set."""

from __future__ import annotations

import os
from collections.abc import Iterable
from itertools import product
from typing import Any

DEEP = bool(os.environ.get("DPAUDIT_DEEP_TESTS"))


def repeats(usual: int, deep: int) -> int:
    """How many; every probability that a test states must hold for both."""
    return deep if DEEP else usual


def pairs(rows: Iterable[Any], columns: Iterable[Any]) -> list[tuple[Any, Any]]:
    """All pairs where tests go deep; else each of the longer list once, with those of the other in turn."""
    rows, columns = list(rows), list(columns)
    if DEEP:
        return list(product(rows, columns))
    return [(rows[k % len(rows)], columns[k % len(columns)]) for k in range(max(len(rows), len(columns)))]
