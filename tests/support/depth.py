"""How much of what is slow tests try: as CI can afford for each change, or all where DPAUDIT_DEEP_TESTS is set, as each
night."""

from __future__ import annotations

import hashlib
import os
from collections import defaultdict
from collections.abc import Iterable
from itertools import product
from typing import Any

import pytest

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


def left_out(items: Iterable[pytest.Item]) -> list[pytest.Item]:
    """What a change does not wait for: of each function that is marked `deep` all cases but `keep` of them. Which ones
    hangs on their names alone, so that a case that comes or goes moves no other."""
    cases: dict[str, list[pytest.Item]] = defaultdict(list)
    for item in items:
        if item.get_closest_marker("deep"):
            cases[item.nodeid.partition("[")[0]].append(item)
    out = []
    for found in cases.values():
        mark = found[0].get_closest_marker("deep")
        assert mark is not None
        out += sorted(found, key=lambda item: hashlib.sha256(item.name.encode()).digest())[mark.kwargs.get("keep", 0) :]
    return out
