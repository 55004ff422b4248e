"""What run.json holds: its published schema, and whether an object fits it."""

from __future__ import annotations

from functools import cache

from dpaudit.records import shapes
from dpaudit.records.record_schemas import DIGEST, NUMBER, TEXT, Schema, closed, narrowed, or_null
from dpaudit.records.serial import SCHEMA, Json
from dpaudit.records.verdict import ExitCode, Outcome
from dpaudit.runs import store
from dpaudit.runs.baseline import State
from dpaudit.runs.budget import Ledger, LedgerEntry
from dpaudit.runs.settings import Part, Settings
from dpaudit.runs.spending import Taken

_SHARE: Schema = {"type": "number", "exclusiveMinimum": 0, "maximum": 0.5}
_ABOVE_0: Schema = {"type": "number", "exclusiveMinimum": 0}
_SEED: Schema = NUMBER | {"maximum": 2**63 - 1}
_PLAIN: Schema = {"anyOf": [{"type": kind} for kind in ("string", "number", "boolean", "null")]}
_FROM_1: Schema = {"type": "integer", "minimum": 1}


def hold(header: Json, where: str) -> None:
    """ContentError says `where` and what of it is not as the schema says."""
    schema, definitions = _made()
    shapes.hold(header, schema, definitions, where)


@cache
def _made() -> tuple[Schema, dict[str, Schema]]:
    definitions: dict[str, Schema] = {}
    return run(definitions), definitions


def run(definitions: dict[str, Schema]) -> Schema:
    """run.json; a provenance may say more, so that the object is open."""
    row = {"part": {"enum": [part.value for part in Part]}, "name": TEXT, "file": TEXT, "digest": DIGEST,
           "tests": NUMBER}  # fmt: skip
    content = {"kind": TEXT, "folder": TEXT, "origin": TEXT, "digest": DIGEST}
    checkout = {"commit": TEXT, "dirty": {"type": "boolean"}, "dirty_digest": or_null(DIGEST)}
    properties: Schema = {
        "schema": {"const": SCHEMA},
        "command": TEXT,
        "settings": _settings(definitions),
        "seed": _SEED,
        "level": TEXT,
        "device": TEXT,
        "jobs": NUMBER,
        "executor": TEXT,
        "allow_inconclusive": {"type": "boolean"},
        "error_budget": _budget(definitions),
        "content": {"type": "array", "items": closed(content)},
        "spending": or_null(_spending(definitions)),
        "baseline": or_null(_baseline()),
        "sandboxes": or_null(TEXT),
        "tasks": NUMBER,
        "plan": {"type": "array", "items": closed(row)},
        "versions": {"type": "object", "additionalProperties": or_null(TEXT)},
        "source": DIGEST,
        "checkout": or_null(closed(checkout)),
        "hardware": {"type": "object", "additionalProperties": _PLAIN},
        **_course(),
        "digest": DIGEST,
    }
    # Not in the runs of the first version.
    later = ("settings", "executor", "sandboxes", "spending", "baseline", "plan", "source", store.DIGEST, "resumed",
             "cached", "digest")  # fmt: skip
    return {"type": "object", "properties": properties, "required": [n for n in properties if n not in later]}


def _course() -> Schema:
    """When the run began, went on and ended, and how."""
    time: Schema = {"type": "string", "format": "date-time"}
    counts = {"verdicts": NUMBER, "unexpected": NUMBER, **{outcome.value: NUMBER for outcome in Outcome}}
    return {
        "started": time,
        "finished": or_null(time),
        "exit_code": or_null({"enum": [int(code) for code in ExitCode]}),
        "counts": or_null({"type": "object", "properties": counts, "required": list(counts)}),
        store.DIGEST: or_null(DIGEST),
        "resumed": {"type": "array", "items": time},
        "cached": {"type": "array", "items": TEXT},
    }


def _baseline() -> Schema:
    """The accepted findings; what became of each is known when the run has ended."""
    outcome: Schema = {"enum": [outcome.value for outcome in Outcome]}
    entry = {"id": TEXT, "outcome": outcome, "reason": TEXT, "expires": {"type": "string", "format": "date"},
             "issue": TEXT}  # fmt: skip
    became = {"state": {"enum": [state.value for state in State]}, "found": or_null(outcome),
              "overdue": {"type": "integer"}}  # fmt: skip
    rows = {"type": "array", "items": {"anyOf": [closed(entry), closed(entry | became)]}}
    return closed({"file": TEXT, "digest": DIGEST, "entries": rows})


def _settings(definitions: dict[str, Schema]) -> Schema:
    """What the flags of a run may say."""
    return narrowed(
        Settings, definitions, seed=_SEED, alpha=_SHARE, jobs=_FROM_1, time=or_null(_ABOVE_0), time_limit=_ABOVE_0,
        memory_limit=_ABOVE_0, load_limit=_ABOVE_0, maxfail=or_null(_FROM_1),
        parts={"type": "array", "items": {"enum": [part.value for part in Part]}, "minItems": 1},
    )  # fmt: skip


def _spending(definitions: dict[str, Schema]) -> Schema:
    """The ledger that the error budget is from."""
    return narrowed(Taken, definitions, total=_SHARE, horizon=_FROM_1, number=_FROM_1, share=_SHARE)


def _budget(definitions: dict[str, Schema]) -> Schema:
    found = narrowed(Ledger, definitions, total=_SHARE, planned=NUMBER, share=_SHARE)
    narrowed(LedgerEntry, definitions, tests=_FROM_1, share=or_null(_SHARE))
    return found
