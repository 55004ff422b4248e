"""JSON Schema (draft 2020-12) of what dpaudit writes, made from the records themselves.

A record may gain a field with a default within one SCHEMA (see `serial`); the schema then gains it too, which is why a
document of a newer version is not held to the schema of an older one. `docs/schema/` holds the text of each.
"""

from __future__ import annotations

import dataclasses
import enum
import json
import types
import typing
from collections.abc import Callable, Mapping
from pathlib import Path

from dpaudit.recheck.check import FORMAT
from dpaudit.recheck.goals import KINDS
from dpaudit.recheck.proof import RULES
from dpaudit.records.serial import SCHEMA, Json
from dpaudit.records.target import Tier
from dpaudit.records.verdict import ExitCode, Outcome, Verdict
from dpaudit.runs.baseline import State
from dpaudit.runs.budget import Ledger
from dpaudit.runs.settings import Part, Settings
from dpaudit.runs.store import DIGEST

Schema = Json

DRAFT = "https://json-schema.org/draft/2020-12/schema"
_TEXT: Schema = {"type": "string"}
_NUMBER: Schema = {"type": "integer", "minimum": 0}
_DIGEST: Schema = {"type": "string", "pattern": "^[0-9a-f]{64}$"}
_SPECIAL: Schema = {
    "description": "A float that JSON lacks.",
    "type": "object",
    "properties": {"float": {"enum": ["inf", "-inf", "nan"]}},
    "required": ["float"],
    "additionalProperties": False,
}


def document(name: str) -> str:
    """The schema `name`, one of NAMES, as text."""
    title, make = _SCHEMAS[name]
    definitions: dict[str, Schema] = {}
    body = make(definitions)
    head = {"$schema": DRAFT, "$id": f"urn:dpaudit:schema:{name}:{_version(name)}", "title": title}
    return json.dumps(head | body | {"$defs": dict(sorted(definitions.items()))}, indent=2)


def of_record(cls: type, definitions: dict[str, Schema]) -> Schema:
    """A reference to the schema of a record class, which is put among the definitions with all that it holds."""
    if cls.__name__ not in definitions:
        definitions[cls.__name__] = {}  # a record may hold another of its own class
        hints = typing.get_type_hints(cls)
        fields = dataclasses.fields(cls)
        needed = [field.name for field in fields if field.default is dataclasses.MISSING]
        properties = {field.name: of_hint(hints[field.name], definitions) for field in fields}
        if "schema" in properties:
            properties["schema"] = {"const": SCHEMA}
        definitions[cls.__name__] = _closed({"type": {"const": cls.__name__}} | properties, ["type", *needed]) | {
            "description": " ".join((cls.__doc__ or "").split())
        }
    return {"$ref": f"#/$defs/{cls.__name__}"}


def of_hint(hint: object, definitions: dict[str, Schema]) -> Schema:
    """The schema of what `serial.encode` makes of a value with the annotation `hint`; TypeError for an unknown one."""
    origin, arguments = typing.get_origin(hint), typing.get_args(hint)
    if origin in (typing.Union, types.UnionType):
        return {"anyOf": [of_hint(one, definitions) for one in arguments]}
    if origin is tuple and len(arguments) == 2 and arguments[1] is Ellipsis:
        return {"type": "array", "items": of_hint(arguments[0], definitions)}
    if origin is tuple:
        rows = [of_hint(one, definitions) for one in arguments]
        return {"type": "array", "prefixItems": rows, "items": False, "minItems": len(rows)}
    if hint is float:
        definitions["float"] = _SPECIAL
        return {"anyOf": [{"type": "number"}, {"$ref": "#/$defs/float"}]}
    if dataclasses.is_dataclass(hint) and isinstance(hint, type):
        return of_record(hint, definitions)
    if isinstance(hint, type) and issubclass(hint, enum.Enum):
        return {"enum": [member.value for member in hint]}
    plain = {str: "string", Path: "string", bool: "boolean", int: "integer", types.NoneType: "null"}
    if hint in plain:
        return {"type": plain[hint]}
    raise TypeError(f"no schema for {hint!r}")


def _record(definitions: dict[str, Schema]) -> Schema:
    """A verdict, and the digest of its line."""
    of_record(Verdict, definitions)
    verdict = definitions["Verdict"]
    return verdict | {"properties": verdict["properties"] | {"digest": _DIGEST}}


def _run(definitions: dict[str, Schema]) -> Schema:
    """run.json; a provenance may say more, so that the object is open."""
    row = {"part": {"enum": [part.value for part in Part]}, "name": _TEXT, "file": _TEXT, "digest": _DIGEST,
           "tests": _NUMBER}  # fmt: skip
    content = {"kind": _TEXT, "folder": _TEXT, "origin": _TEXT, "digest": _DIGEST}
    checkout = {"commit": _TEXT, "dirty": {"type": "boolean"}, "dirty_digest": _or_null(_DIGEST)}
    properties: Schema = {
        "schema": {"const": SCHEMA},
        "command": _TEXT,
        "settings": of_record(Settings, definitions),
        "seed": _NUMBER,
        "level": _TEXT,
        "device": _TEXT,
        "jobs": _NUMBER,
        "executor": _TEXT,
        "allow_inconclusive": {"type": "boolean"},
        "error_budget": of_record(Ledger, definitions),
        "content": {"type": "array", "items": _closed(content)},
        "baseline": _or_null(_baseline()),
        "sandboxes": _or_null(_TEXT),
        "tasks": _NUMBER,
        "plan": {"type": "array", "items": _closed(row)},
        "versions": {"type": "object", "additionalProperties": _or_null(_TEXT)},
        "source": _DIGEST,
        "checkout": _or_null(_closed(checkout)),
        "hardware": {"type": "object"},
        **_course(),
        "digest": _DIGEST,
    }
    # Not in the runs of the first version.
    later = ("settings", "executor", "sandboxes", "baseline", "plan", "source", DIGEST, "resumed", "cached", "digest")
    return {"type": "object", "properties": properties, "required": [n for n in properties if n not in later]}


def _course() -> Schema:
    """When the run began, went on and ended, and how."""
    time: Schema = {"type": "string", "format": "date-time"}
    counts = {"verdicts": _NUMBER, "unexpected": _NUMBER, **{outcome.value: _NUMBER for outcome in Outcome}}
    return {
        "started": time,
        "finished": _or_null(time),
        "exit_code": _or_null({"enum": [int(code) for code in ExitCode]}),
        "counts": _or_null({"type": "object", "properties": counts, "required": list(counts)}),
        DIGEST: _or_null(_DIGEST),
        "resumed": {"type": "array", "items": time},
        "cached": {"type": "array", "items": _TEXT},
    }


def _baseline() -> Schema:
    """The accepted findings; what became of each is known when the run has ended."""
    outcome: Schema = {"enum": [outcome.value for outcome in Outcome]}
    entry = {"id": _TEXT, "outcome": outcome, "reason": _TEXT, "expires": {"type": "string", "format": "date"},
             "issue": _TEXT}  # fmt: skip
    became = {"state": {"enum": [state.value for state in State]}, "found": _or_null(outcome),
              "overdue": {"type": "integer"}}  # fmt: skip
    rows = {"type": "array", "items": _closed(entry | became, list(entry))}
    return _closed({"file": _TEXT, "digest": _DIGEST, "entries": rows})


def _result(definitions: dict[str, Schema]) -> Schema:
    bug = {"name": _TEXT, "tier": {"enum": [tier.name.lower() for tier in Tier]}, "by": _TEXT, "check": _TEXT,
           "cost": _NUMBER, "unit": _TEXT}  # fmt: skip
    definitions["run"] = _run(definitions)
    catalogue = {"planted": _NUMBER, "caught": _NUMBER, "bugs": {"type": "array", "items": _closed(bug)}}
    return _closed({
        "run": {"$ref": "#/$defs/run"},
        "folder": _TEXT,
        "verdicts": {"type": "array", "items": of_record(Verdict, definitions)},
        "catalogue": _closed(catalogue),
    })  # fmt: skip


def _certificate(definitions: dict[str, Schema]) -> Schema:
    """A proof or a witness; what its texts mean is told in dpaudit/recheck/check.py, what a node needs in its rules."""
    row = [_TEXT, {"enum": list(KINDS)}, _TEXT]
    symbol: Schema = {"type": "array", "prefixItems": row, "items": False, "minItems": len(row)}
    texts: Schema = {"type": "array", "items": _TEXT}
    statement = {"symbols": {"type": "array", "items": symbol}, "conditions": texts, "goal": _TEXT,
                 "exists": {"type": "boolean"}}  # fmt: skip
    definitions["statement"] = _closed(statement)
    definitions["node"] = {
        "type": "object",
        "properties": {
            "by": {"enum": ["witness", "for-every", *sorted(RULES)]},
            "goal": _TEXT,
            "because": _TEXT,
            "needs": texts,
        },
        "required": ["by"],
    }
    of_ground: Schema = {"$ref": "#/$defs/statement"}
    body = {"format": {"const": FORMAT}, "claim": _TEXT, "source": _DIGEST,
            "outcome": {"enum": [Outcome.PROVED.value, Outcome.REFUTED.value]}, "statement": of_ground,
            "grounds": {"type": "object", "additionalProperties": of_ground}, "assuming": texts,
            "proof": {"$ref": "#/$defs/node"}, "digest": _DIGEST}  # fmt: skip
    return _closed(body)


def _closed(properties: Schema, required: list[str] | None = None) -> Schema:
    """An object with these properties and no others, all of them required unless `required` says which."""
    return {
        "type": "object",
        "properties": properties,
        "required": list(properties) if required is None else required,
        "additionalProperties": False,
    }


def _or_null(schema: Schema) -> Schema:
    return {"anyOf": [schema, {"type": "null"}]}


def _version(name: str) -> int:
    return FORMAT if name == "certificate" else SCHEMA


_SCHEMAS: Mapping[str, tuple[str, Callable[[dict[str, Schema]], Schema]]] = {
    "record": ("A line of records.jsonl of dpaudit", _record),
    "run": ("run.json of dpaudit", _run),
    "result": ("What dpaudit writes with --format json", _result),
    "certificate": ("A certificate of dpaudit: a proof, or a witness", _certificate),
}
NAMES = tuple(_SCHEMAS)
