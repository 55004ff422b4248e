"""JSON Schema (draft 2020-12) of records, made from their fields; `records.shapes` holds data to it."""

from __future__ import annotations

import dataclasses
import enum
import types
import typing
from pathlib import Path

from dpaudit.records.serial import SCHEMA, Json

Schema = Json
TEXT: Schema = {"type": "string"}
NUMBER: Schema = {"type": "integer", "minimum": 0}
DIGEST: Schema = {"type": "string", "pattern": "^[0-9a-f]{64}$"}
_SPECIAL: Schema = {
    "description": "A float that JSON lacks.",
    "type": "object",
    "properties": {"float": {"enum": ["inf", "-inf", "nan"]}},
    "required": ["float"],
    "additionalProperties": False,
}


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
        definitions[cls.__name__] = closed({"type": {"const": cls.__name__}} | properties, ["type", *needed]) | {
            "description": " ".join((cls.__doc__ or "").split())
        }
    return {"$ref": f"#/$defs/{cls.__name__}"}


def narrowed(cls: type, definitions: dict[str, Schema], **fields: Schema) -> Schema:
    """As `of_record`, of one some of whose fields take less than their types."""
    found = of_record(cls, definitions)
    made = definitions[cls.__name__]
    definitions[cls.__name__] = made | {"properties": made["properties"] | fields}
    return found


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


def closed(properties: Schema, required: list[str] | None = None) -> Schema:
    """An object with these properties and no others, all of them required unless `required` says which."""
    return {
        "type": "object",
        "properties": properties,
        "required": list(properties) if required is None else required,
        "additionalProperties": False,
    }


def or_null(schema: Schema) -> Schema:
    """What fits the schema, or null."""
    return {"anyOf": [schema, {"type": "null"}]}
