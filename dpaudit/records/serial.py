"""One JSON form for every record.

A record is a frozen dataclass registered with `record`. Its JSON form is an object
whose first key, `type`, names the class. Tuples become arrays, enumerations their
value, paths their text, and the floats that JSON lacks become {"float": "inf"}, {"float": "-inf"} or
{"float": "nan"}. Promise: a field is never renamed and never changes its meaning
within one SCHEMA; adding a field with a default is allowed.
"""

from __future__ import annotations

import dataclasses
import enum
import math
import types
import typing
from functools import lru_cache
from pathlib import Path
from typing import Any, TypeVar, dataclass_transform

from dpaudit.records.errors import ContentError, UnknownNameError

SCHEMA = 1
Json = dict[str, Any]
"""An object of JSON as it was read or will be written: docs/schema says what it holds, types cannot."""
_CLASSES: dict[str, type] = {}
T = TypeVar("T")


@dataclass_transform(frozen_default=True, kw_only_default=False)
def record(cls: type[T]) -> type[T]:
    """Make `cls` a frozen dataclass that `encode` and `decode` know by its name."""
    made = dataclasses.dataclass(frozen=True)(cls)
    if made.__name__ in _CLASSES:
        raise TypeError(f"two records are called {made.__name__}")
    _CLASSES[made.__name__] = made
    return made


def encode(value: object) -> Any:
    """The JSON form of a record, a tuple of them, or a plain value; which kind of JSON it is hangs on the value."""
    if dataclasses.is_dataclass(value) and not isinstance(value, type):
        fields = {f.name: encode(getattr(value, f.name)) for f in dataclasses.fields(value)}
        return {"type": type(value).__name__, **fields}
    if isinstance(value, enum.Enum):
        return value.value
    if isinstance(value, (tuple, list)):
        return [encode(item) for item in value]
    if isinstance(value, float) and not math.isfinite(value):
        return {"float": str(value)}
    if isinstance(value, Path):
        return str(value)
    if isinstance(value, str):  # half a surrogate pair is no text that a file can hold
        return value if value.isascii() else value.encode("utf-8", "backslashreplace").decode("utf-8")
    if value is None or isinstance(value, (bool, int, float)):
        return value
    raise TypeError(f"a record may not hold a {type(value).__name__}: {value!r}")


def decode(data: object) -> Any:
    """The record that `encode` wrote, of whichever class the data name.

    Raises UnknownNameError for a class that is not a record and ContentError for
    fields that are missing, unknown or of the wrong type.
    """
    if isinstance(data, list):
        return tuple(decode(item) for item in data)
    if not isinstance(data, dict):
        return data
    if set(data) == {"float"}:
        return float(data["float"])
    name = data.get("type")
    if name not in _CLASSES:
        raise UnknownNameError("record type", str(name), _CLASSES)
    return _build(_CLASSES[name], data)


def _build(cls: type, data: Json) -> object:
    hints = _hints(cls)
    extra = sorted(set(data) - set(hints) - {"type"})
    if extra:
        raise ContentError(f"{cls.__name__} has no field {extra[0]!r} (it has: {', '.join(hints)})")
    values = {k: _coerce(hints[k], decode(v), f"{cls.__name__}.{k}") for k, v in data.items() if k != "type"}
    try:
        return cls(**values)
    except TypeError as error:
        raise ContentError(f"{cls.__name__}: {error}") from error


@lru_cache
def _hints(cls: type) -> dict[str, object]:
    """The types of the fields of a record; they are read from text, which takes longer than all the rest."""
    return typing.get_type_hints(cls)


def _coerce(hint: object, value: object, where: str) -> object:
    """`value` as the annotation `hint` asks for; ContentError names `where` it does not fit."""
    origin = typing.get_origin(hint)
    if origin in (typing.Union, types.UnionType):
        return _coerce_union(typing.get_args(hint), value, where)
    if origin is tuple:
        return _coerce_tuple(typing.get_args(hint), value, where)
    if isinstance(hint, type) and issubclass(hint, enum.Enum):
        try:
            return hint(value)
        except ValueError as error:
            raise UnknownNameError(f"value of {where}", str(value), [str(m.value) for m in hint]) from error
    if hint is Path and isinstance(value, str):
        return Path(value)
    if hint is float and isinstance(value, int) and not isinstance(value, bool):
        return float(value)
    if hint is int and isinstance(value, bool):
        raise ContentError(f"{where} must be an int, got {value!r}")
    if isinstance(hint, type) and not isinstance(value, hint):
        raise ContentError(f"{where} must be a {hint.__name__}, got {value!r}")
    return value


def _coerce_union(options: tuple[object, ...], value: object, where: str) -> object:
    for exact in options:  # an exact type wins, so that 1 stays an int in int | float
        if isinstance(exact, type) and type(value) is exact:
            return value
    for option in options:
        try:
            return _coerce(option, value, where)
        except (ContentError, UnknownNameError):
            continue
    raise ContentError(f"{where}: {value!r} fits none of {options}")


def _coerce_tuple(items: tuple[object, ...], value: object, where: str) -> tuple[object, ...]:
    if not isinstance(value, tuple):
        raise ContentError(f"{where} must be an array, got {value!r}")
    if len(items) == 2 and items[1] is Ellipsis:
        return tuple(_coerce(items[0], v, f"{where}[{i}]") for i, v in enumerate(value))
    if len(items) != len(value):
        raise ContentError(f"{where} must have {len(items)} items, got {len(value)}")
    return tuple(_coerce(h, v, f"{where}[{i}]") for i, (h, v) in enumerate(zip(items, value, strict=True)))
