"""The order of the records does not matter."""

from __future__ import annotations

from recordings import recording

from dpaudit.audit.structural.checks import order
from dpaudit.records.verdict import Outcome


def test_order() -> None:
    base = recording({"statistic": 0.1 + 0.2 + 0.3})
    assert order.check(("permuted", base, recording({"statistic": 0.3 + 0.2 + 0.1}))).outcome is Outcome.CONSISTENT
    assert order.check(("permuted", base, recording({"statistic": 0.61}))).outcome is Outcome.REFUTED
