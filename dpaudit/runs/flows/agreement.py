"""Agreement: do the three forms of an algorithm compute the same?"""

from __future__ import annotations

from collections.abc import Sequence

from dpaudit.content import items as content_items
from dpaudit.content import loading
from dpaudit.content.items import AlgorithmItem, Broken
from dpaudit.records.context import Context
from dpaudit.records.verdict import Kind, Outcome, Verdict
from dpaudit.runs.flows.flow import Collected, Flow, chosen, find
from dpaudit.runs.settings import Part, Settings
from dpaudit.runs.task import Task


class Agreement(Flow):
    """Compares the forms of the algorithms that come with the package."""

    part = Part.AGREE
    kinds = (Kind.AGREEMENT,)
    prefix = "agree/"
    alone = ("--no-cache",)

    def collect(self, settings: Settings) -> Collected:
        items = content_items.select(loading.load_algorithms(), settings.names, "algorithm")
        return Collected(tuple(map(self._task, chosen(items, settings))), names=tuple(item.name for item in items))

    def _task(self, item: AlgorithmItem) -> Task:
        if isinstance(item, Broken):
            return self.broken(item, Kind.AGREEMENT, Outcome.CONSISTENT)
        return Task(self.part, item.name, str(item.path), item.record.title, Kind.AGREEMENT, Outcome.CONSISTENT)

    def perform(self, task: Task, settings: Settings, context: Context) -> Sequence[Verdict]:
        from dpaudit.agreement import compare

        item = find(loading.load_algorithms(), task)
        return compare.agree(item.carrier, context, named=bool(settings.names))

    def decides(self, task: Task, settings: Settings) -> tuple[str, ...] | None:
        """Algorithms come with dpaudit, and its source is part of every key."""
        return ("all forms",) if settings.names else ("those of the level",)
