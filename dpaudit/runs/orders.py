"""The orders of a run, made one by one as they are handed out, so that the last ones can know of the first answers."""

from __future__ import annotations

import math
from collections.abc import Sequence
from pathlib import Path
from typing import overload

from dpaudit.records.verdict import Verdict
from dpaudit.runs.deadline import after
from dpaudit.runs.plan import Plan
from dpaudit.runs.stages import stages_of
from dpaudit.runs.worker import LIMIT, Order, not_begun


class Orders(Sequence[Order]):
    """The orders of the tasks of `plan` at `places`, in that order.

    Once `note` has seen as many outcomes that are not as expected as --maxfail allows, an order says not to begin.
    """

    def __init__(self, plan: Plan, places: Sequence[int], stages: Path | None = None) -> None:
        """stages: the folder in which the tasks say what they are at, None if nobody reads that."""
        self.places = places
        self._plan, self._stages = plan, stages
        minutes = plan.settings.time
        self._deadline = after(math.inf if minutes is None else 60 * minutes)
        self._surprises = 0

    def note(self, verdicts: Sequence[Verdict]) -> None:
        """Count the surprises among the verdicts of a task; one that was not begun is none."""
        self._surprises += sum(verdict.surprising and not not_begun(verdict) for verdict in verdicts)

    def __len__(self) -> int:
        return len(self.places)

    @overload
    def __getitem__(self, index: int) -> Order: ...
    @overload
    def __getitem__(self, index: slice) -> list[Order]: ...
    def __getitem__(self, index: int | slice) -> Order | list[Order]:
        if isinstance(index, slice):
            return [self[place] for place in range(len(self))[index]]
        plan, most = self._plan, self._plan.settings.maxfail
        over = most is not None and self._surprises >= most
        held = f"{LIMIT}, since --maxfail {most} was reached" if over else ""
        task = plan.tasks[self.places[index]]
        stages = "" if self._stages is None else str(stages_of(self._stages, task))
        return Order(task, plan.settings, plan.ledger.of(task.name), self._deadline, held, stages)
