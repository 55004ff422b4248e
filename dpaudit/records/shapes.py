"""Whether JSON has the shape that a published schema states, in the words of JSON Schema that those of dpaudit use."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable, Mapping
from datetime import date, datetime
from itertools import chain
from reprlib import Repr
from typing import Any

from dpaudit.records.errors import ContentError

Schema = Mapping[str, Any]
_TYPES: Mapping[str, Callable[[Any], bool]] = {
    "string": lambda value: isinstance(value, str),
    "integer": lambda value: isinstance(value, int) and not isinstance(value, bool),
    "number": lambda value: isinstance(value, int | float) and not isinstance(value, bool),
    "boolean": lambda value: isinstance(value, bool),
    "null": lambda value: value is None,
    "array": lambda value: isinstance(value, list),
    "object": lambda value: isinstance(value, dict),
}
_FORMATS: Mapping[str, Callable[[str], object]] = {"date": date.fromisoformat, "date-time": datetime.fromisoformat}
_IGNORED = frozenset({"title", "description", "$schema", "$id", "$defs"})
_SHORT = Repr()
_SHORT.maxother = _SHORT.maxstring = 80


def hold(data: object, schema: Schema, definitions: Mapping[str, Schema], where: str) -> None:
    """ContentError names `where`, the place inside `data` and what is wrong unless that has the shape of `schema`."""
    fault = next(iter(_faults(data, schema, definitions, ())), None)
    if fault is not None:
        place, words = fault
        at = "".join(f"[{key}]" if isinstance(key, int) else f".{key[:80]}" for key in place).removeprefix(".")
        raise ContentError(f"{where}: {at or 'it'} {words}; it is damaged or was edited by hand")


Place = tuple[str | int, ...]
Faults = Iterable[tuple[Place, str]]


def _faults(data: Any, schema: Schema, definitions: Mapping[str, Schema], place: Place) -> Faults:
    """What is wrong, first things first."""
    for word, wanted in schema.items():
        if word in _IGNORED:
            continue
        if word in _WORDS:
            yield from _WORDS[word](data, wanted, schema, definitions, place)
        elif (said := _VALUES[word](data, wanted)) is not None:
            yield place, f"{said}, got {_SHORT.repr(data)}"


def _reference(data: Any, name: str, schema: Schema, definitions: Mapping[str, Schema], place: Place) -> Faults:
    yield from _faults(data, definitions[name.removeprefix("#/$defs/")], definitions, place)


def _any_of(
    data: Any, options: list[Schema], schema: Schema, definitions: Mapping[str, Schema], place: Place
) -> Faults:
    """No fault if one option has none; else those of the option that comes furthest into the data."""
    found = [next(iter(_faults(data, option, definitions, place)), None) for option in options]
    if all(fault is not None for fault in found):
        deepest = max((fault for fault in found if fault is not None), key=lambda fault: len(fault[0]))
        alike = [fault for fault in found if fault is not None and fault[0] == deepest[0]]
        heads = dict.fromkeys(words.rpartition(", got ")[0] or words for _, words in alike)
        given = deepest[1].rpartition(", got ")
        yield deepest[0], " or ".join(heads) + (f", got {given[2]}" if given[0] else "")


def _properties(
    data: Any, properties: Mapping[str, Schema], schema: Schema, definitions: Mapping[str, Schema], place: Place
) -> Faults:
    if isinstance(data, dict):
        named = ((key, properties[key]) for key in data if key in properties)
        yield from chain.from_iterable(_faults(data[key], one, definitions, (*place, key)) for key, one in named)


def _additional(
    data: Any, allowed: bool | Schema, schema: Schema, definitions: Mapping[str, Schema], place: Place
) -> Faults:
    known = schema.get("properties", {})
    for key in (key for key in data if key not in known) if isinstance(data, dict) else ():
        if allowed is False:
            yield (*place, key), f"is no key of it (it has: {', '.join(known)})"
        elif isinstance(allowed, Mapping):
            yield from _faults(data[key], allowed, definitions, (*place, key))


def _required(data: Any, keys: list[str], schema: Schema, definitions: Mapping[str, Schema], place: Place) -> Faults:
    if isinstance(data, dict):
        yield from (((*place, key), "is missing") for key in keys if key not in data)


def _first_items(
    data: Any, rows: list[Schema], schema: Schema, definitions: Mapping[str, Schema], place: Place
) -> Faults:
    if isinstance(data, list):
        pairs = enumerate(zip(data, rows, strict=False))
        yield from chain.from_iterable(_faults(one, row, definitions, (*place, n)) for n, (one, row) in pairs)


def _items(
    data: Any, allowed: bool | Schema, schema: Schema, definitions: Mapping[str, Schema], place: Place
) -> Faults:
    first = len(schema.get("prefixItems", ()))
    rest = data[first:] if isinstance(data, list) else []
    if allowed is False and rest:
        yield place, f"must have {first} items, got {len(data)}"
    elif isinstance(allowed, Mapping):
        for number, one in enumerate(rest, start=first):
            yield from _faults(one, allowed, definitions, (*place, number))


_WORDS: Mapping[str, Callable[[Any, Any, Schema, Mapping[str, Schema], Place], Faults]] = {
    "$ref": _reference, "anyOf": _any_of, "properties": _properties, "additionalProperties": _additional,
    "required": _required, "prefixItems": _first_items, "items": _items,
}  # fmt: skip
"""Words about what lies in the data."""


def _formatted(data: Any, form: str) -> str | None:
    try:
        _FORMATS[form](data if isinstance(data, str) else "2000-01-01")
    except ValueError:
        return f"must be a {form} such as {'2026-01-02' if form == 'date' else '2026-01-02T03:04:05+00:00'}"
    return None


def _same(value: Any, wanted: Any) -> bool:
    """Equal, and no truth value in the place of a number."""
    return value == wanted and isinstance(value, bool) is isinstance(wanted, bool)


_VALUES: Mapping[str, Callable[[Any, Any], str | None]] = {
    "type": lambda data, kind: None if _TYPES[kind](data) else f"must be of the type {kind}",
    "const": lambda data, wanted: None if _same(data, wanted) else f"must be {wanted!r}",
    "enum": lambda data, options: (
        None if any(_same(data, one) for one in options) else f"must be one of {', '.join(map(str, options))}"
    ),
    "minimum": lambda data, least: f"must be at least {least}" if _is_number(data) and data < least else None,
    "maximum": lambda data, most: f"must be at most {most}" if _is_number(data) and data > most else None,
    "exclusiveMinimum": lambda data, least: f"must be above {least}" if _is_number(data) and data <= least else None,
    "pattern": lambda data, pattern: (
        f"must match {pattern}" if isinstance(data, str) and not re.search(pattern, data) else None
    ),
    "minItems": lambda data, least: (
        f"must have at least {least} items" if isinstance(data, list) and len(data) < least else None
    ),
    "format": _formatted,
}
"""Words about the value itself: what it must be, in words, where it is not."""


def _is_number(data: Any) -> bool:
    return _TYPES["number"](data)
