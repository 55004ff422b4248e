"""JSON Schema (draft 2020-12) of what dpaudit writes, made from the records themselves.

A record may gain a field with a default within one SCHEMA (see `serial`); the schema then gains it too, which is why a
document of a newer version is not held to the schema of an older one. `docs/schema/` holds the text of each.
"""

from __future__ import annotations

import json
from collections.abc import Callable, Mapping

from dpaudit.recheck.check import FORMAT
from dpaudit.recheck.goals import KINDS
from dpaudit.recheck.proof import RULES
from dpaudit.records.record_schemas import DIGEST, NUMBER, TEXT, Schema, closed, of_record
from dpaudit.records.serial import SCHEMA
from dpaudit.records.target import Tier
from dpaudit.records.verdict import Outcome, Verdict
from dpaudit.runs import run_schema, spending_file

DRAFT = "https://json-schema.org/draft/2020-12/schema"


def document(name: str) -> str:
    """The schema `name`, one of NAMES, as text."""
    title, make = _SCHEMAS[name]
    definitions: dict[str, Schema] = {}
    body = make(definitions)
    head = {"$schema": DRAFT, "$id": f"urn:dpaudit:schema:{name}:{_version(name)}", "title": title}
    return json.dumps(head | body | {"$defs": dict(sorted(definitions.items()))}, indent=2)


def _record(definitions: dict[str, Schema]) -> Schema:
    """A verdict, and the digest of its line."""
    of_record(Verdict, definitions)
    verdict = definitions["Verdict"]
    return verdict | {"properties": verdict["properties"] | {"digest": DIGEST}}


def _result(definitions: dict[str, Schema]) -> Schema:
    bug = {"name": TEXT, "tier": {"enum": [tier.name.lower() for tier in Tier]}, "by": TEXT, "check": TEXT,
           "cost": NUMBER, "unit": TEXT}  # fmt: skip
    definitions["run"] = run_schema.run(definitions)
    catalogue = {"planted": NUMBER, "caught": NUMBER, "bugs": {"type": "array", "items": closed(bug)}}
    return closed({
        "run": {"$ref": "#/$defs/run"},
        "folder": TEXT,
        "verdicts": {"type": "array", "items": of_record(Verdict, definitions)},
        "catalogue": closed(catalogue),
    })  # fmt: skip


def _certificate(definitions: dict[str, Schema]) -> Schema:
    """A proof or a witness; what its texts mean is told in dpaudit/recheck/check.py, what a node needs in its rules."""
    row = [TEXT, {"enum": list(KINDS)}, TEXT]
    symbol: Schema = {"type": "array", "prefixItems": row, "items": False, "minItems": len(row)}
    texts: Schema = {"type": "array", "items": TEXT}
    statement = {"symbols": {"type": "array", "items": symbol}, "conditions": texts, "goal": TEXT,
                 "exists": {"type": "boolean"}}  # fmt: skip
    definitions["statement"] = closed(statement)
    definitions["node"] = {
        "type": "object",
        "properties": {
            "by": {"enum": ["witness", "for-every", *sorted(RULES)]},
            "goal": TEXT,
            "because": TEXT,
            "needs": texts,
        },
        "required": ["by"],
    }
    of_ground: Schema = {"$ref": "#/$defs/statement"}
    body = {"format": {"const": FORMAT}, "claim": TEXT, "source": DIGEST,
            "outcome": {"enum": [Outcome.PROVED.value, Outcome.REFUTED.value]}, "statement": of_ground,
            "grounds": {"type": "object", "additionalProperties": of_ground}, "assuming": texts,
            "proof": {"$ref": "#/$defs/node"}, "digest": DIGEST}  # fmt: skip
    return closed(body)


def _version(name: str) -> int:
    return FORMAT if name == "certificate" else SCHEMA


_SCHEMAS: Mapping[str, tuple[str, Callable[[dict[str, Schema]], Schema]]] = {
    "record": ("A line of records.jsonl of dpaudit", _record),
    "run": ("run.json of dpaudit", run_schema.run),
    "result": ("What dpaudit writes with --format json", _result),
    "ledger": ("The ledger of dpaudit: what runs have taken of one error budget", spending_file.schema),
    "certificate": ("A certificate of dpaudit: a proof, or a witness", _certificate),
}
NAMES = tuple(_SCHEMAS)
