"""Repeats one verdict of a run alone, and says whether it comes out as recorded.

The task that gave the verdict runs again with the settings, the seed and the share of the error budget that it had, and
without the cache: on the same machine and versions every number is the same to the bit. What the verdict rests on in
other claims is taken from the run's records.
"""

from __future__ import annotations

import shlex
from dataclasses import dataclass, replace
from enum import StrEnum
from pathlib import Path

from dpaudit.claims.grounds import settle
from dpaudit.content import places as content_places
from dpaudit.records.errors import ConfigurationError, ContentError, UnknownNameError
from dpaudit.records.serial import Json
from dpaudit.records.verdict import ExitCode, Verdict
from dpaudit.runs import baseline_file, resume, store
from dpaudit.runs.budget import Ledger, LedgerEntry
from dpaudit.runs.differences import Difference, differences
from dpaudit.runs.execute import Observer, Result, carry_on, describe
from dpaudit.runs.executors.local import LOCAL
from dpaudit.runs.flows import FLOWS, flow_of
from dpaudit.runs.plan import Plan, make_plan, repeatable
from dpaudit.runs.reading import Run, load_run
from dpaudit.runs.settings import Settings
from dpaudit.runs.spending import recorded


class Likeness(StrEnum):
    """How a verdict that was repeated compares with the recorded one."""

    IDENTICAL = "identical"
    SAME_OUTCOME = "same outcome"
    DIFFERENT = "different"


@dataclass(frozen=True)
class Repetition:
    """A replay before it is carried out: the run, the recorded verdict, the plan of one task, what is to be noted."""

    run: Run
    recorded: Verdict
    plan: Plan
    notes: tuple[str, ...]


@dataclass(frozen=True)
class Comparison:
    """What came out: likeness, and every value of the verdict that differs; found: None if there is no such verdict."""

    likeness: Likeness
    differences: tuple[Difference, ...]
    recorded: Verdict
    found: Verdict | None

    def exit_code(self, exact: bool) -> ExitCode:
        """1 if the outcome differs, or with `exact` any value."""
        agreed = self.likeness is Likeness.IDENTICAL or (self.likeness is Likeness.SAME_OUTCOME and not exact)
        return ExitCode.EXPECTED if agreed else ExitCode.REFUTED


def prepare(folder: Path, name: str, *, anyway: bool = False, known: Path | None = None) -> Repetition:
    """Find what has to run again for the verdict `name` of the run in `folder`; known: a baseline.

    Raises UnknownNameError for an id that the run does not have, ConfigurationError if its file is not here, or has
    changed since, unless `anyway`.
    """
    run = load_run(folder)
    verdicts = {verdict.id: verdict for verdict in run.verdicts}
    if name not in verdicts:
        raise UnknownNameError(f"verdict of {str(folder)!r}", name, verdicts)
    row = _row(run, verdicts[name])
    plan = replace(_alone(run.header, row), baseline=baseline_file.read(known) if known is not None else None)
    fresh = describe(plan)
    changed = _changes(row, fresh["plan"][0])
    if changed and not anyway:
        raise ConfigurationError(f"{changed}; to replay it as it is now: --anyway")
    notes = [f"{changed}; replayed as it is now"] if changed else []
    return Repetition(run, verdicts[name], plan, (*notes, *_elsewhere(run.header, fresh)))


def _row(run: Run, verdict: Verdict) -> Json:
    """The task of the plan that gave the verdict: the ids that a task gives begin with its name."""
    flow = next(flow for flow in FLOWS if verdict.kind in flow.kinds)
    name = verdict.id.removeprefix(flow.prefix)
    if "plan" not in run.header:
        by = f"repeat the verdict by: {verdict.replay}"
        raise ConfigurationError(f"{str(run.folder)!r} holds no plan, since an older dpaudit made it; {by}")
    try:
        rows = [row for row in run.header["plan"] if row["part"] == flow.part and _gave(row["name"], name)]
        return max(rows, key=lambda row: len(row["name"]))
    except (KeyError, TypeError, ValueError) as error:
        raise ContentError(f"{run.folder / store.RUN}: no task gives {verdict.id!r}; the plan is damaged") from error


def _gave(task: str, name: str) -> bool:
    return name == task or name.startswith((f"{task}/", f"{task}~"))


def _alone(header: Json, row: Json) -> Plan:
    """The plan of the one task of `row`, with the share of the error budget that it had."""
    settings = resume.recorded_settings(dict(header))
    plan = make_plan(_narrowed(settings, row))
    tasks = tuple(task for task in plan.tasks if task.name == row["name"])
    if not tasks:
        raise ConfigurationError(f"{row['name']} is no longer in {row['file']}")
    share, tests = _share(header, row["name"]), tasks[0].tests
    entries = (LedgerEntry(row["name"], tests),) if tests else ()
    ledger = Ledger(share * max(tests, 1), tests, share, entries, "the share of each test is that of the run")
    once = replace(settings, command="replay", jobs=1, executor=LOCAL, time=None, cache=False, baseline=None)
    return Plan(once, repeatable(tasks, once, ledger), ledger, plan.origins, spending=recorded(header))


def _share(header: Json, name: str) -> float:
    """The share of the error budget that each statistical test of an item had in the run."""
    budget = header.get("error_budget")
    share = budget.get("share") if isinstance(budget, dict) else None
    rows = budget.get("entries", ()) if isinstance(budget, dict) else ()
    share = next((row["share"] for row in rows if row["name"] == name and row.get("share") is not None), share)
    if not isinstance(share, float) or not 0 < share <= 0.5:
        raise ContentError(f"{store.RUN}: the share of the error budget must be in (0, 0.5], got {share!r}")
    return share


def _narrowed(settings: Settings, row: Json) -> Settings:
    """`settings` that find the one item: as a folder of its own, unless the run named its items."""
    flow = flow_of(row["part"])
    narrowed = replace(settings, parts=(flow.part,), controls=False, baseline=None)
    if not flow.content:
        return replace(narrowed, names=(row["name"],))
    file = _file(row["file"], flow.content, settings, flow.named_folder(settings))
    if settings.names:  # what is named is played at every level
        return replace(narrowed, names=(str(file),))
    return replace(narrowed, proofs=file) if flow.content == "proofs" else replace(narrowed, audits=file)


def _file(name: str, kind: str, settings: Settings, folder: Path | None) -> Path:
    """The file that records call `name`: from here, in the content of the package, or where the run had to look."""
    here = content_places.located(name)
    places = [place for place in (folder, *map(Path, settings.names)) if place is not None and place.exists()]
    found = [path for path in content_places.files_of(kind, places) if content_places.shown(path) == name]
    if here is None and not found:
        raise ConfigurationError(f"the file {name} is not here; replay in the folder in which the run was made")
    return here or found[0]


def _changes(before: Json, after: Json) -> str:
    """What has changed in the task since the run, in words; "" if nothing has."""
    if before["digest"] != after["digest"]:
        return f"the file {after['file']}, or what it rests on, has changed since the run"
    if before["tests"] != after["tests"]:
        return f"{after['name']} makes {after['tests']} statistical tests now, {before['tests']} in the run"
    return ""


def _elsewhere(before: Json, after: Json) -> list[str]:
    """Versions, source and machine that are not those of the run: numbers may differ for these reasons."""
    was, now = before.get("versions") or {}, after["versions"]
    notes = [f"{name} was {was.get(name) or 'absent'} in the run, is {now.get(name) or 'absent'} here"
             for name in {**was, **now} if was.get(name) != now.get(name)]  # fmt: skip
    if before.get("source") != after["source"]:
        notes.append("the source of dpaudit is not that of the run")
    machine, here = (row.get("hardware", {}).get("machine") for row in (before, after))
    return [*notes, f"the run was made on {machine}, this is {here}"] if machine != here else notes


def carry_out(
    repetition: Repetition, folder: Path, observe: Observer, *, exact: bool = False
) -> tuple[Result, Comparison]:
    """Run the one task into the new folder `folder` and compare; run.json says under `replay` what came out."""
    name = repetition.recorded.id
    with store.Folder(folder) as keep:
        of = content_places.shown(repetition.run.folder)
        asked = {"of": of, "id": name, "notes": list(repetition.notes)}
        command = shlex.join(["dpaudit", "replay", of, name])
        header = describe(repetition.plan) | {"command": command, "replay": asked}
        keep.write_run(header)
        result = carry_on(repetition.plan, keep, header, {}, observe)
        found = compared(repetition, result)
        header = result.header | {"replay": asked | _as_json(found, exact)}
        keep.write_run(header)
    return replace(result, header=header), found


def compared(repetition: Repetition, result: Result) -> Comparison:
    """The recorded verdict beside the one that `result` has, which rests on the other verdicts of the run."""
    recorded = repetition.recorded
    fresh = {verdict.id: verdict for verdict in result.verdicts}
    listed = settle([fresh.get(verdict.id, verdict) for verdict in repetition.run.verdicts])
    found = next((verdict for verdict in listed if verdict.id == recorded.id and recorded.id in fresh), None)
    if found is None:
        return Comparison(Likeness.DIFFERENT, (), recorded, None)
    every = differences(recorded, found)
    likeness = Likeness.SAME_OUTCOME if every else Likeness.IDENTICAL
    return Comparison(likeness if found.outcome is recorded.outcome else Likeness.DIFFERENT, every, recorded, found)


def _as_json(found: Comparison, exact: bool) -> Json:
    rows = [{"what": row.what, "before": str(row.before), "after": str(row.after)} for row in found.differences]
    return {"likeness": found.likeness.value, "differences": rows, "exit_code": int(found.exit_code(exact))}
