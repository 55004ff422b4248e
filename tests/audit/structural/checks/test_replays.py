"""The control: a replay on the same data repeats."""

from __future__ import annotations

from recordings import recording

from dpaudit.audit.structural.checks import replays
from dpaudit.records.verdict import Outcome


def test_the_control() -> None:
    base = recording({"statistic": 1.0}, outputs=[("model", 1.0)])
    assert replays.check(("", base, base)).outcome is Outcome.CONSISTENT
    assert replays.check(("", base, recording({"statistic": 1.0, "noise": 9.0}, outputs=[("model", 1.0)]))).outcome is (
        Outcome.CONSISTENT
    ), "its own noise may differ"
    for other in (recording({"statistic": 2.0}, outputs=[("model", 1.0)]), recording(outputs=[("model", 1.0)])):
        assert replays.check(("", base, other)).outcome is Outcome.INCONCLUSIVE
