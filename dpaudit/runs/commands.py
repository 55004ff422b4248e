"""The commands that repeat a run, and the verdicts of one task of it."""

from __future__ import annotations

import shlex
from collections.abc import Iterator
from pathlib import Path

from dpaudit.content import places
from dpaudit.runs.flows import FLOWS, flow_of
from dpaudit.runs.flows.flow import LIMITS, Flow
from dpaudit.runs.settings import Settings
from dpaudit.runs.task import Task


def command_line(settings: Settings) -> str:
    """The command that repeats the run."""
    flows = [flow for flow in FLOWS if flow.part in settings.parts]
    words = ["dpaudit", settings.command, *settings.names, "--seed", str(settings.seed)]
    words += ["-k", settings.keyword] if settings.keyword else []
    words += ["--level", settings.level.value, "--alpha", repr(settings.alpha), "--device", settings.device]
    words += [word for flow in flows for word in _folder(flow, settings)]
    words += ["--baseline", places.shown(settings.baseline)] if settings.baseline is not None else []
    words += [word for flow in flows for word in flow.words(settings)]
    return shlex.join([*_limits_once(words), *([] if settings.controls else ["--no-controls"])])


def _limits_once(words: list[str]) -> Iterator[str]:
    """The words; of the limits that several flows have, the first alone."""
    for place, word in enumerate(words):
        flag = word if word in LIMITS else words[place - 1]
        if not (flag in LIMITS and flag in words[: place - (flag != word)]):
            yield word


def again(task: Task, settings: Settings, share: float) -> str:
    """The command that repeats the verdicts of `task` alone, at its share of the error budget: where its file sets what
    it takes of that, the whole is given."""
    flow = flow_of(task.part)
    file, by_path = places.shown(Path(task.path)), _named_by_path(task, flow, settings)
    command = task.part.value if task.error or by_path else flow.command(task, settings)
    words = ["dpaudit", command, file if task.error else task.name]
    words += ["--seed", str(settings.seed), "--level", (task.begins or settings.level).value]
    words += ["--alpha", repr(share * task.tests / (task.error_share or 1.0))] if task.tests else []
    words += ["--device", settings.device] if settings.device != "cpu" else []
    home = [f"--{flow.content}", file] if by_path else _folder(flow, settings)
    found = not task.error and command == task.part.value
    return shlex.join([*words, *flow.alone, *flow.words(settings), *(home if found else [])])


def _folder(flow: Flow, settings: Settings) -> list[str]:
    folder = flow.named_folder(settings)
    return [f"--{flow.content}", places.shown(folder)] if folder else []


def _named_by_path(task: Task, flow: Flow, settings: Settings) -> bool:
    """Was the file, or a folder that holds it, named by path?"""
    file = places.real(Path(task.path))
    return bool(flow.content) and any(places.real(path) in (file, *file.parents) for path in settings.paths)
