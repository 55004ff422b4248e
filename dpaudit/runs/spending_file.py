"""The file of a ledger: made once, read whole or refused, and entered into before a run looks at any data."""

from __future__ import annotations

import json
import os
from collections.abc import Callable
from dataclasses import replace
from functools import cache
from pathlib import Path

from dpaudit.content import places
from dpaudit.records import documents, shapes
from dpaudit.records.digests import with_digest
from dpaudit.records.errors import ConfigurationError, ContentError
from dpaudit.records.hidden import visible
from dpaudit.records.lines import read_object
from dpaudit.records.record_schemas import DIGEST, NUMBER, TEXT, Schema, narrowed
from dpaudit.records.serial import decode, encode
from dpaudit.runs import budget, spending, store
from dpaudit.runs.commands import command_line
from dpaudit.runs.execute import now
from dpaudit.runs.plan import Plan, asked, repeatable
from dpaudit.runs.settings import Settings
from dpaudit.runs.spending import Spending, Spent, Taken

_TIME: Schema = {"type": "string", "format": "date-time"}
_TOTAL: Schema = {"type": "number", "exclusiveMinimum": 0, "maximum": 0.5}
_FROM_1: Schema = {"type": "integer", "minimum": 1}


def schema(definitions: dict[str, Schema]) -> Schema:
    """What the file holds: a `Spending` and the digest of the text."""
    seed = NUMBER | {"maximum": 2**63 - 1}
    narrowed(Spent, definitions, number=_FROM_1, taken=_TIME, seed=seed, share=_TOTAL, tests=_FROM_1, run=TEXT)
    horizon = _FROM_1 | {"maximum": spending.LARGEST_HORIZON}
    narrowed(Spending, definitions, made=_TIME, total=_TOTAL, horizon=horizon)
    found = definitions["Spending"]
    return found | {"properties": found["properties"] | {"digest": DIGEST}, "required": [*found["required"], "digest"]}


@cache
def _schema() -> tuple[Schema, dict[str, Schema]]:
    definitions: dict[str, Schema] = {}
    made = schema(definitions)
    # `read_object` has looked at the digest and taken it off.
    return made | {"required": [name for name in made["required"] if name != "digest"]}, definitions


def make(path: Path, total: float, horizon: int = spending.DEFAULT_HORIZON) -> Spending:
    """Make the file `path` of a new ledger, of which no run has taken anything.

    Raises ConfigurationError where there is such a file already, unless 0 < total <= 0.5 and 1 <= horizon <= 100,000,
    and where the file cannot be written.
    """
    if not 0 < total <= 0.5:  # NaN fails here too
        raise ConfigurationError(f"the total must be above 0 and at most 0.5, got {total}; 0.05 is usual")
    if not 1 <= horizon <= spending.LARGEST_HORIZON:
        raise ConfigurationError(f"the horizon must be 1 to {spending.LARGEST_HORIZON:,} runs, got {horizon}")
    made = Spending(now(), total, horizon)
    try:
        with store.alone(path.parent):
            if os.path.lexists(path):
                raise ConfigurationError(
                    f"{path} is there already; the total and the horizon of a ledger are set once: without them, "
                    f"`dpaudit ledger {path}` shows it"
                )
            store.put(path, _text(made))
    except OSError as error:
        raise ConfigurationError(f"cannot write the ledger {path}: {error.strerror or error}") from error
    return made


def read(path: Path) -> Spending:
    """The ledger in the file `path`.

    ConfigurationError if there is none, ContentError for one that is damaged, was edited, or holds what no run enters.
    """
    name = f"the ledger {path}"
    try:
        text = documents.read_text(path)
    except OSError as error:
        raise ConfigurationError(
            f"cannot read {name}: {error.strerror or error}; put it back, for it knows what its runs have spent. A new "
            f"one is made by `dpaudit ledger {path} --total 0.05`"
        ) from error
    try:
        data = read_object(text, name)
        shapes.hold(data, *_schema(), name)
        found = decode(data, {"Spending": Spending, "Spent": Spent})
        wrong = spending.faults(found)
        if wrong:
            raise ContentError(f"{name}: {'; '.join(wrong[:3])}; it is damaged or was edited by hand")
    except ContentError as error:
        raise ContentError(
            f"{error}. Put back a copy in which no run is missing, or make a new ledger: the totals of both then add up"
        ) from error
    assert isinstance(found, Spending)
    return found


def take(path: Path, plan: Plan, folder: Path, command: Callable[[Settings], str] = command_line) -> Plan:
    """`plan` with the next share of the ledger in the file `path` as its error budget; folder: of the run; command:
    what repeats a run of such settings.

    The share is entered and on the disk before this returns: whatever becomes of the run, it is spent. Several runs
    may take shares at a time and get different ones. A plan without a statistical test takes none and stays as it is.
    Raises as `read`, and ConfigurationError for a seed that a run of the ledger had, or a file that cannot be written.
    """
    if not plan.ledger.planned:
        return plan
    file = path.resolve()  # a link stays a link to the one file
    try:
        with store.alone(file.parent):
            known = read(path)
            spending.refuse_seed(known, plan.settings.seed, str(path))
            number, share = len(known.runs) + 1, spending.next_share(known)
            taken = Taken(places.shown(path), known.made, known.total, known.horizon, number, share)
            made = _with_share(plan, taken)
            entered = replace(known, runs=(*known.runs, _entry(made, taken, folder, command(made.settings))))
            store.put(file, _fitting(_text(entered), path))
    except OSError as error:
        reason = f"{error.strerror or error}; nothing was begun"
        raise ConfigurationError(f"cannot write the ledger {path}: {reason}") from error
    return made


def _with_share(plan: Plan, taken: Taken) -> Plan:
    """`plan` with the error budget of `taken`, also in the commands that repeat its tasks."""
    settings = replace(plan.settings, alpha=taken.share)
    ledger = budget.plan(taken.share, asked(plan.tasks))
    return replace(
        plan, settings=settings, tasks=repeatable(plan.tasks, settings, ledger), ledger=ledger, spending=taken
    )


def _entry(plan: Plan, taken: Taken, folder: Path, command: str) -> Spent:
    tests = plan.ledger.planned
    return Spent(taken.number, now(), plan.settings.seed, taken.share, tests, places.shown(folder), command)


def _text(made: Spending) -> str:
    return with_digest(visible(json.dumps(encode(made), indent=2, ensure_ascii=False, allow_nan=False)))


def _fitting(text: str, path: Path) -> str:
    """`text`, which `read` takes; ConfigurationError if it is too long for that."""
    if len(text.encode()) > documents.MOST:
        raise ConfigurationError(
            f"the ledger {path} is full: it would be larger than {documents.MOST // documents.MIB} MiB; make a new one"
        )
    return text
