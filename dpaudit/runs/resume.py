"""Goes on with a run that was stopped: killed, interrupted, or out of disk.

Tasks that are complete keep their verdicts, the others are run anew into the same folder. The records are then those
of a run that was never stopped (times aside), because every random number hangs on the run's seed and the task alone.
Therefore nothing may have changed since: the plan is made again from the settings of run.json and compared with what
was planned. Modules that a target imports from elsewhere are not seen.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace
from pathlib import Path

from dpaudit.records.errors import ConfigurationError, ContentError, DpauditError
from dpaudit.records.serial import Json, decode
from dpaudit.records.verdict import ExitCode
from dpaudit.runs import baseline, reading, store
from dpaudit.runs.execute import Observer, Result, carry_on, describe, faults_told, now, workers
from dpaudit.runs.executors.local import LOCAL
from dpaudit.runs.kept import Kept, kept, read_records
from dpaudit.runs.plan import Plan, make_plan
from dpaudit.runs.settings import Settings
from dpaudit.runs.worker import not_begun

_WORDS = {"schema": "the schema of records", "command": "the command", "seed": "the seed", "level": "the level",
          "device": "the device"}  # fmt: skip
_AGAIN = "what is finished is kept, and nothing has changed: say dpaudit resume again"


def header(folder: Path) -> Json:
    """The object of run.json; ConfigurationError if the run never began, ContentError if the file is damaged."""
    path = folder / store.RUN
    if not (path.exists() or path.is_symlink()):  # a failing disk says so, where `lexists` would not
        raise ConfigurationError(f"{str(folder)!r} holds no run.json: no run began there; start one, in a new folder")
    return reading.read_header(path)


def finished(folder: Path, header: Json) -> ExitCode | None:
    """The exit code of a run that came to its end, None for one that was stopped, also by the clock."""
    code = header.get("exit_code")
    if code in (None, int(ExitCode.INTERRUPTED)) or (folder / store.TASKS).exists():
        return None
    if code not in tuple(ExitCode):
        allowed = ", ".join(str(int(one)) for one in ExitCode)
        raise ContentError(f"{folder / store.RUN}: exit_code must be one of {allowed}, got {code!r}")
    return ExitCode(code)


def planned(
    header: Json,
    jobs: int | None = None,
    moved: Path | None = None,
    executor: str = LOCAL,
    time: float | None = None,
    maxfail: int | None = None,
) -> Plan:
    """The plan of the stopped run, made again.

    jobs: another number of worker processes; moved: where the file of its baseline lies now, with the same bytes;
    executor: who does the rest, for run.json names no cluster; time: minutes that the rest
    has, None for no clock; maxfail: outcomes of the rest that are not as expected after which nothing begins.

    ConfigurationError says what has changed since; then the run has to be started anew.
    """
    if "replay" in header:
        raise ConfigurationError(f"a replay is of one verdict alone: start it anew with {header.get('command')}")
    settings = recorded_settings(header)
    made = make_plan(replace(settings, baseline=moved or settings.baseline), _AGAIN)
    plan = replace(made, settings=settings)
    found = changes(header, plan)
    if found:
        more = f" (and {len(found) - 5} more)" if len(found) > 5 else ""
        again = header.get("command", "the command")
        raise ConfigurationError(
            f"cannot resume, since the rest would not belong to what is there: {'; '.join(found[:5])}{more}. "
            f"Put it back, or start a new run: {again}"
        )
    own = replace(plan.settings, jobs=jobs or settings.jobs, executor=executor, time=time, maxfail=maxfail)
    return replace(plan, settings=own)


def changes(header: Json, plan: Plan) -> list[str]:
    """What differs between the stopped run and `plan`, in words; empty if nothing does."""
    fresh = describe(plan)
    found = [f"{_WORDS[name]} was {header.get(name)!r}, is {fresh[name]!r}" for name in _WORDS
             if header.get(name) != fresh[name]]  # fmt: skip
    found += _versions(header.get("versions") or {}, fresh["versions"])
    if not found and header.get("source") != fresh["source"]:
        found.append("the source of dpaudit has changed")
    found += _tasks(header.get("plan") or [], fresh["plan"])
    found += baseline.changes(header.get("baseline"), fresh["baseline"])
    if not found and header.get("content") != fresh["content"]:
        found.append("a file in the folder of the content has changed")
    if not found and header.get("error_budget") != fresh["error_budget"]:
        found.append("the error budget has changed")
    return found


def resume(
    plan: Plan,
    keep: store.Folder,
    observe: Observer,
    stages: Path | None = None,
    tell: Callable[[str], None] = lambda _: None,
) -> Result:
    """Run what the open folder `keep` lacks of `plan`, which `planned` made; observer, stages, result as of `run`.

    tell: is told what is damaged; it is done again. Raises ContentError for verdicts of another run; nothing is
    changed then.
    """
    with faults_told(keep.path):
        return _resumed(plan, keep, observe, stages, tell)


def _resumed(
    plan: Plan, keep: store.Folder, observe: Observer, stages: Path | None, tell: Callable[[str], None]
) -> Result:
    found = kept(keep.path, [task.name for task in plan.tasks])
    before = header(keep.path)
    done = [verdict for complete in found.complete.values() for verdict in complete.verdicts]
    strange = next((verdict for verdict in done if verdict.seed != before.get("seed")), None)
    if strange is not None:
        seeds = f"the seed {strange.seed}, the run {before.get('seed')}"
        raise ContentError(f"{keep.path / store.RECORDS}: {strange.id} has {seeds}; it belongs to another run")
    _without_seed(plan, keep.path, found, before, tell)
    for where, what in found.damage:
        tell(f"{where}: {what}; what is lost is done again")
    fresh = {"finished": None, "exit_code": None, "counts": None, "resumed": [*before.get("resumed", []), now()]}
    unfinished = before | fresh | {store.DIGEST: None}
    with workers(plan) as execute:
        keep.write_run(unfinished)
        keep.keep_only(found.complete)
        return carry_on(plan, keep, unfinished, found.complete, observe, execute, stages)


def _without_seed(plan: Plan, folder: Path, found: Kept, before: Json, tell: Callable[[str], None]) -> None:
    """Targets whose noise is not that of their seed and that may have begun: a second game is a second look at them.

    No share of a ledger covers that, so that it is refused there (ConfigurationError). Elsewhere it is told.
    """
    said = read_records(folder, [])
    names = [
        task.name
        for place, task in enumerate(plan.tasks)
        if place not in found.complete
        and task.target is not None
        and not task.target.deterministic
        and not (task.name in said and not_begun(said[task.name].verdict))
    ]
    if not names:
        return
    listed = ", ".join(names[:5]) + (f" and {len(names) - 5} more" if len(names) > 5 else "")
    if before.get("spending") is not None:
        raise ConfigurationError(
            f"the noise of {listed} is not that of the seed, and may have been looked at before the stop; the share of "
            "the ledger pays for one look; start a new run with --ledger, which takes a share of its own"
        )
    tell(
        f"{listed}: the noise is not that of the seed, so that the game is another one; its error probability holds if "
        "nothing that was seen of the first decided when to stop"
    )


def recorded_settings(header: Json) -> Settings:
    """The settings of a run.json; ConfigurationError if it has none, ContentError if they are damaged."""
    if "settings" not in header:
        raise ConfigurationError("run.json holds no settings: an older dpaudit made the run; start it anew")
    try:
        settings = decode(header["settings"], {"Settings": Settings})
    except DpauditError as error:
        raise ContentError(f"run.json, settings: {error}") from error
    if not isinstance(settings, Settings):
        raise ContentError(f"run.json: settings must hold a Settings, got {type(settings).__name__}")
    return settings


def _versions(before: Json, after: Json) -> list[str]:
    names = [name for name in {**before, **after} if before.get(name) != after.get(name)]
    return [f"{name} was {before.get(name) or 'absent'}, is {after.get(name) or 'absent'}" for name in names]


def _tasks(before: list[Json], after: list[Json]) -> list[str]:
    """Which tasks came, went or changed; that their order changed if nothing else did."""
    was, now_ = ({(row["part"], row["name"]): row for row in rows} for rows in (before, after))
    found = [f"{name} is gone" for part, name in was if (part, name) not in now_]
    found += [f"{name} is new" for part, name in now_ if (part, name) not in was]
    both = [(row, now_[key]) for key, row in was.items() if key in now_]
    found += [f"the file {now['file']} has changed" for row, now in both if row["digest"] != now["digest"]]
    found += [f"{now['name']} makes {now['tests']} statistical tests, not {row['tests']}" for row, now in both
              if row["digest"] == now["digest"] and row["tests"] != now["tests"]]  # fmt: skip
    return found or (["the order of the tasks has changed"] if before != after else [])
