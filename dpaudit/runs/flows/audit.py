"""Audits: from a target to the verdict on it, together with the controls that show what the auditor can find."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path
from typing import TypeGuard

from dpaudit.audit.sandbox import isolation, planning
from dpaudit.audit.structural.finding import code_of
from dpaudit.content import items as content_items
from dpaudit.content import loading, places
from dpaudit.content.audits import Audit
from dpaudit.content.items import Broken, Loaded, TargetItem
from dpaudit.records.context import Context
from dpaudit.records.errors import ContentError
from dpaudit.records.target import Control, Target
from dpaudit.records.verdict import Kind, Outcome, Verdict
from dpaudit.runs import cache
from dpaudit.runs.flows.flow import Collected, Flow, chosen, limit_words, once, origin
from dpaudit.runs.settings import Part, Settings
from dpaudit.runs.task import Task


class Audits(Flow):
    """Audits targets; those that did not come with dpaudit are played in sandboxes."""

    part = Part.AUDIT
    kinds = (Kind.AUDIT, Kind.CONTROL)
    content = "audits"
    alone = ("--no-controls",)
    variables = frozenset({"TARGET", "AUDIT", "AUDITS"})

    def collect(self, settings: Settings) -> Collected:
        """Quick controls that came with dpaudit join an audit that names none of these."""
        if settings.controls_alone:
            return self._controls(settings)
        items, origins = list(_loaded(settings.paths, settings)), []
        every: tuple[TargetItem, ...] = ()
        if settings.ids or not settings.paths:
            folder, searched = self.searched(settings)
            every = _loaded([folder], settings)
            items += content_items.select(every, settings.ids, "target")
            origins.append(searched)
        names = tuple(item.name for item in items)
        items = chosen(items, settings)
        if items and settings.controls and not any(map(_is_ours, items)):
            listed = every
            if not any(map(_is_ours, every)):
                folder = places.shipped_folder("audits")
                origins.append(origin("audits", folder, "controls of the package"))
                listed = loading.load_targets([folder])
            items += [item for item in listed if _is_ours(item) and item.record.companion]
            items = planning.with_names_of_their_own(items)
        return Collected(tuple(self._task(item, settings) for item in once(items)), tuple(origins), names)

    def _controls(self, settings: Settings) -> Collected:
        """The shipped controls and those of the working directory, or those of the folder or the files that are named.

        A control of the working directory stands in for a shipped one of its name. Files that cannot be loaded stay:
        they may hold controls.
        """
        items, origins = list(_loaded(settings.paths, settings)), []
        if settings.ids or not settings.paths:
            folder, searched = self.searched(settings)
            items += _loaded([folder], settings)
            origins.append(searched)
            shipped = places.shipped_folder("audits")
            if settings.audits is None and folder.resolve() != shipped.resolve():
                own = {item.name for item in items if _is_control(item)}
                items += [item for item in loading.load_targets([shipped]) if item.name not in own]
                origins.append(origin("audits", shipped, "controls of the package"))
        controls = [item for item in items if isinstance(item, Broken) or _is_control(item)]
        named = content_items.select(controls, settings.ids, "control") if settings.ids else controls
        tasks = tuple(self._task(item, settings) for item in once(chosen(named, settings)))
        return Collected(tasks, tuple(origins), tuple(item.name for item in named))

    def _task(self, item: TargetItem, settings: Settings) -> Task:
        kind = Kind.CONTROL if _is_control(item) else Kind.AUDIT
        if isinstance(item, Broken):
            return self.broken(item, kind, Outcome.CONSISTENT)
        from dpaudit.audit.tiers import planned_tests

        target = item.record
        played = bool(settings.names) or settings.controls_alone or settings.level.includes(target.from_level)
        return Task(
            self.part,
            target.name,
            str(item.path),
            target.title,
            kind,
            target.expects if played else Outcome.NOT_RUN,
            planned_tests(item.carrier) if played else 0,
            target.needs,
            optional=target.optional,
            target=target,
            begins=None if played else target.from_level,
            error_share=item.carrier.error_share,
        )

    def perform(self, task: Task, settings: Settings, context: Context) -> Sequence[Verdict]:
        from dpaudit.audit import tiers

        attached: list[str] = []

        def played() -> tuple[Verdict, bool]:
            context.detach(attached)
            with isolation.playing(Path(task.path), task.name, settings.limits, settings.isolate) as item:
                if task.target is not None and item.record != task.target:
                    said = "states something else than when the run was planned: its file has changed"
                    raise ContentError(f"{task.name} {said}")
                verdict = tiers.audit(item.carrier, context)
            attached.extend(verdict.attachments)
            # A refutation stands: else a target could end its sandbox to be judged again.
            return verdict, isolation.was_killed(item) and verdict.outcome is not Outcome.REFUTED

        return [isolation.twice(played)]

    def decides(self, task: Task, settings: Settings) -> tuple[str, ...] | None:
        """A target that came with dpaudit depends on nothing else; any other is played each time."""
        path = Path(task.path)
        apart = task.target is None or task.target.isolate
        return None if apart or isolation.shipped_form(path) is None or not cache.self_contained(path) else ()

    def command(self, task: Task, settings: Settings) -> str:
        """`controls` finds a shipped control whatever the folder holds in which it is repeated."""
        folder = self.named_folder(settings) or places.content_folder(self.content)[0]
        elsewhere = places.real(folder) not in places.real(Path(task.path)).parents
        return "controls" if task.kind is Kind.CONTROL and elsewhere else super().command(task, settings)

    def words(self, settings: Settings) -> list[str]:
        """The flags of structural checks, and of sandboxes where they are not the default."""
        ignored = [word for name in settings.left_out for word in ("--ignore", code_of(name))]
        if not settings.isolate:
            return [*ignored, "--no-isolate"]
        ignored += ["--allow-network"] if settings.allow_network else []
        return ignored + limit_words(settings)


def _loaded(paths: list[Path], settings: Settings) -> tuple[TargetItem, ...]:
    return planning.load_targets(paths, settings.limits, settings.isolate)


def _is_ours(item: TargetItem) -> TypeGuard[Loaded[Target, Audit]]:
    """Is it a control that came with dpaudit? Any other says what it likes, and vouches for no auditor."""
    return isinstance(item, Loaded) and _is_control(item) and isolation.shipped_form(item.path) is not None


def _is_control(item: TargetItem) -> bool:
    return isinstance(item, Loaded) and item.record.control is not Control.NONE
