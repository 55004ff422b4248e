"""How often tests repeat what is slow and random: as CI can afford, or in full where DPAUDIT_DEEP_TESTS is set."""

from __future__ import annotations

import os

DEEP = bool(os.environ.get("DPAUDIT_DEEP_TESTS"))


def repeats(usual: int, deep: int) -> int:
    """How many; every probability that a test states must hold for both."""
    return deep if DEEP else usual
