"""Data is held to a schema as the library for that does it, and what is wrong is named by its place."""

from __future__ import annotations

from typing import Any

import jsonschema
import pytest

from dpaudit.records.errors import ContentError
from dpaudit.records.shapes import hold

DEFINITIONS = {"pair": {"type": "array", "prefixItems": [{"type": "string"}, {"type": "integer"}], "items": False,
                        "minItems": 2}}  # fmt: skip
SCHEMA: dict[str, Any] = {
    "type": "object",
    "properties": {
        "one": {"const": 1}, "kind": {"enum": ["a", "b"]}, "many": {"type": "array", "items": {"$ref": "#/$defs/pair"}},
        "share": {"type": "number", "exclusiveMinimum": 0, "maximum": 0.5}, "count": {"type": "integer", "minimum": 0},
        "day": {"anyOf": [{"type": "string", "format": "date"}, {"type": "null"}]},
        "digest": {"type": "string", "pattern": "^[0-9a-f]{4}$"}, "flag": {"type": "boolean"},
        "open": {"type": "object", "additionalProperties": {"type": "string"}},
    },
    "required": ["one"],
    "additionalProperties": False,
}  # fmt: skip


@pytest.mark.parametrize(
    ("data", "words"),
    [
        ({"one": 1, "many": [["a", 2]], "share": 0.5, "day": None, "digest": "00ff", "open": {"x": "y"}}, ""),
        ({"one": 1, "kind": "b", "count": 0, "day": "2026-01-02", "flag": True}, ""),
        ([], "it must be of the type object"),
        ({}, "one is missing"),
        ({"one": True}, "one must be 1, got True"),
        ({"one": 1, "kind": "c"}, "kind must be one of a, b, got 'c'"),
        ({"one": 1, "many": [["a", 2], ["a", "b"]]}, r"many\[1\]\[1\] must be of the type integer, got 'b'"),
        ({"one": 1, "many": [["a", 2, 3]]}, r"many\[0\] must have 2 items, got 3"),
        ({"one": 1, "many": [["a"]]}, r"many\[0\] must have at least 2 items"),
        ({"one": 1, "share": 0}, "share must be above 0"),
        ({"one": 1, "share": 0.6}, r"share must be at most 0\.5"),
        ({"one": 1, "count": -1}, "count must be at least 0, got -1"),
        ({"one": 1, "count": True}, "count must be of the type integer"),
        ({"one": 1, "day": "2026-13-45"}, "day must be a date such as .* or must be of the type null"),
        ({"one": 1, "digest": "00fg"}, "digest must match"),
        ({"one": 1, "open": {"x": 3}}, r"open\.x must be of the type string, got 3"),
        ({"one": 1, "more": 2}, "more is no key of it"),
    ],
)
def test_what_is_wrong_is_named_by_its_place(data: Any, words: str) -> None:
    validator = jsonschema.Draft202012Validator(
        SCHEMA | {"$defs": DEFINITIONS}, format_checker=jsonschema.Draft202012Validator.FORMAT_CHECKER
    )
    assert validator.is_valid(data) is not bool(words)
    if not words:
        hold(data, SCHEMA, DEFINITIONS, "file")
        return
    with pytest.raises(ContentError, match=f"^file: {words}"):
        hold(data, SCHEMA, DEFINITIONS, "file")
