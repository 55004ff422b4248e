"""What the fixture `dp_audit` gives to a test, and what JUnit XML keeps of a verdict."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING, Any

import pytest

from dpaudit.records.verdict import Verdict
from dpaudit.testing import NotPrivate, UnderPowered, assert_private

if TYPE_CHECKING:
    from dpaudit.adapters.base import Adapter
    from dpaudit.adapters.release import ReleaseFunction
    from dpaudit.content.audits import Audit, Data

_NUMBERS = ("epsilon_lower_95", "epsilon_claimed", "smallest_violation_at_90")


class Auditor:
    """`dpaudit.testing.assert_private` for one test: same arguments, same errors.

    The audit is named after the test, has the seed and the level of the command line, and keeps its scores in `folder`.
    """

    def __init__(self, test: pytest.Item, folder: Path) -> None:
        self._test = test
        self._folder = folder
        self._audits = 0

    def __call__(
        self, release: ReleaseFunction | Adapter | Audit, pair: tuple[Data, Data] | None = None, **options: Any
    ) -> Verdict:  # options of assert_private, each of its own type
        """Audit; see `assert_private`."""
        __tracebackhide__ = True
        self._audits += 1
        number = f"-{self._audits}" if self._audits > 1 else ""  # else two audits of a test would share their noise
        config = self._test.config
        standard = {
            "seed": config.getoption("dpaudit_seed") or 0,
            "level": config.getoption("dpaudit_level"),
            "name": self._test.name + number,
            "folder": self._folder,
        }
        try:
            verdict = assert_private(release, pair, **{**standard, **options})
        except (NotPrivate, UnderPowered) as error:
            self._test.user_properties += properties(error.verdict)
            raise
        self._test.user_properties += properties(verdict)
        return verdict


def properties(verdict: Verdict) -> list[tuple[str, object]]:
    """What JUnit XML keeps of a verdict: outcome, bound and claim if it has them, the command that repeats it."""
    numbers = [(f"dpaudit_{name}", value) for name, value in verdict.numbers if name in _NUMBERS]
    replay = [("dpaudit_replay", verdict.replay)] if verdict.replay else []
    return [("dpaudit_outcome", verdict.outcome.value), *numbers, *replay]
