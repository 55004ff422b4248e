"""Call sites: those of the program, not of libraries."""

from __future__ import annotations

from typing import Any

import numpy as np

from dpaudit.audit.alignment.sites import call_site, shown, shown_with_caller


def helper() -> str:
    """Called from two places."""
    return call_site()


def test_two_callers_of_a_helper_are_two_sites() -> None:
    one = helper()
    other = helper()
    assert one != other
    assert shown(one) == shown(other)
    assert shown(one).startswith("test_sites.py:")
    assert shown_with_caller(one).startswith(f"{shown(one)} (called at test_sites.py:")
    assert shown_with_caller(one) != shown_with_caller(other)
    assert shown_with_caller("loop.py:3@8") == "loop.py:3"


def test_frames_of_numpy_are_left_out() -> None:
    found: list[Any] = []
    np.apply_along_axis(lambda row: found.append(call_site()) or 0.0, 0, np.zeros((2, 1)))
    assert "site-packages" not in found[0].split(" < ")[0]
    assert "numpy" not in found[0].split(" < ")[1]
