"""Schemas of records, made from their fields."""

from __future__ import annotations

from dpaudit.records.record_schemas import closed, of_record, or_null
from dpaudit.records.verdict import Evidence


def test_a_field_without_a_default_is_required() -> None:
    definitions: dict[str, object] = {}
    assert of_record(Evidence, definitions) == {"$ref": "#/$defs/Evidence"}  # type: ignore[arg-type]
    made = definitions["Evidence"]
    assert made["required"] == ["type", "engine", "outcome", "detail"]  # type: ignore[index]


def test_a_closed_object_takes_no_other_key() -> None:
    assert closed({"a": {}})["additionalProperties"] is False
    assert or_null({"const": 1}) == {"anyOf": [{"const": 1}, {"type": "null"}]}
