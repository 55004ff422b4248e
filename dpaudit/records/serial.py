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
from collections.abc import Callable, Mapping
from functools import lru_cache
from pathlib import Path
from typing import Any, TypeVar, dataclass_transform

from dpaudit.records.documents import DIGITS
from dpaudit.records.errors import ContentError, UnknownNameError

SCHEMA = 1
Json = dict[str, Any]
"""An object of JSON as it was read or will be written: docs/schema says what it holds, types cannot."""
_CLASSES: dict[str, type] = {}
T = TypeVar("T")
_MOST = 10**DIGITS
"""No integer of a record is as large: no reader would take it. One that is becomes words."""


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
    if isinstance(value, int) and not -_MOST < value < _MOST:
        return f"about 2^{value.bit_length() - 1}" if value > 0 else f"about -2^{value.bit_length() - 1}"
    if value is None or isinstance(value, (bool, int, float)):
        return value
    raise TypeError(f"a record may not hold a {type(value).__name__}: {value!r}")


def decode(data: object, known: Mapping[str, type] = _CLASSES) -> Any:
    """The record that `encode` wrote, of whichever class the data name; known: those that are made, by their names.

    Raises UnknownNameError for a class that is not a record and ContentError for
    fields that are missing, unknown or of the wrong type.
    """
    if isinstance(data, list):
        return tuple([decode(item, known) if isinstance(item, (list, dict)) else item for item in data])
    if not isinstance(data, dict):
        return data
    if data.keys() == {"float"}:
        return _special(data["float"])
    name = data.get("type")
    if not isinstance(name, str) or name not in known:
        raise UnknownNameError("record type", str(name)[:80], known)
    return _build(known[name], data, known)


def _special(text: object) -> float:
    if text not in ("inf", "-inf", "nan"):
        raise ContentError(f"the float that JSON lacks must be inf, -inf or nan, got {text!r}")
    return float(str(text))


def _build(cls: type, data: Json, known: Mapping[str, type]) -> object:
    readers = _readers(cls)
    extra = sorted(data.keys() - readers.keys() - {"type"})
    if extra:
        raise ContentError(f"{cls.__name__} has no field {extra[0]!r} (it has: {', '.join(readers)})")
    values = {}
    for name, value in data.items():
        if name != "type":
            plain = decode(value, known) if isinstance(value, (list, dict)) else value
            values[name] = readers[name](plain, (cls.__name__, f".{name}"))
    try:
        return cls(**values)
    except TypeError as error:
        raise ContentError(f"{cls.__name__}: {error}") from error


Place = tuple[object, object]
"""What leads to a value: the place of what holds it, and its own name there."""
Reader = Callable[[Any, Place], Any]
"""Gives a decoded value as its annotation asks for it; ContentError names the place that it does not fit."""


@lru_cache
def _readers(cls: type) -> dict[str, Reader]:
    """The readers of the fields of a record; annotations are read from text, which takes longer than all the rest."""
    return {name: _reader(hint) for name, hint in typing.get_type_hints(cls).items()}


def _said(place: object) -> str:
    return place if isinstance(place, str) else "".join(map(_said, place)) if isinstance(place, tuple) else f"[{place}]"


def _reader(hint: object) -> Reader:
    """What reads a value with the annotation `hint`."""
    origin, items = typing.get_origin(hint), typing.get_args(hint)
    if origin in (typing.Union, types.UnionType):
        return _reader_of_union(items)
    if origin is tuple and len(items) == 2 and items[1] is Ellipsis:
        return _reader_of_all(_reader(items[0]))
    if origin is tuple:
        return _reader_of_each([_reader(item) for item in items])
    if isinstance(hint, type) and issubclass(hint, enum.Enum):
        return _reader_of_enum(hint)
    return _reader_of_class(hint) if isinstance(hint, type) else lambda value, place: value


def _reader_of_class(kind: type) -> Reader:
    def read(value: Any, place: Place) -> Any:
        if type(value) is kind:
            return value
        if kind is Path and isinstance(value, str):
            return Path(value)
        if kind is float and isinstance(value, int) and not isinstance(value, bool):
            if not -_MOST < value < _MOST:
                raise ContentError(f"{_said(place)} must be a float, got an integer of more than {DIGITS} digits")
            return float(value)
        if kind is int and isinstance(value, bool):
            raise ContentError(f"{_said(place)} must be an int, got {value!r}")
        if not isinstance(value, kind):
            raise ContentError(f"{_said(place)} must be a {kind.__name__}, got {value!r}")
        return value

    return read


def _reader_of_enum(kind: type[enum.Enum]) -> Reader:
    def read(value: Any, place: Place) -> Any:
        try:
            return kind(value)
        except ValueError as error:
            known = [str(member.value) for member in kind]
            raise UnknownNameError(f"value of {_said(place)}", str(value), known) from error

    return read


def _reader_of_union(options: tuple[object, ...]) -> Reader:
    exact = frozenset(option for option in options if isinstance(option, type))
    readers = [_reader(option) for option in options]

    def read(value: Any, place: Place) -> Any:
        if type(value) in exact:  # an exact type wins, so that 1 stays an int in int | float
            return value
        for one in readers:
            try:
                return one(value, place)
            except (ContentError, UnknownNameError):
                continue
        raise ContentError(f"{_said(place)}: {value!r} fits none of {options}")

    return read


def _reader_of_all(each: Reader) -> Reader:
    def read(value: Any, place: Place) -> Any:
        if not isinstance(value, tuple):
            raise ContentError(f"{_said(place)} must be an array, got {value!r}")
        return tuple([each(one, (place, number)) for number, one in enumerate(value)])

    return read


def _reader_of_each(readers: list[Reader]) -> Reader:
    def read(value: Any, place: Place) -> Any:
        if not isinstance(value, tuple):
            raise ContentError(f"{_said(place)} must be an array, got {value!r}")
        if len(readers) != len(value):
            raise ContentError(f"{_said(place)} must have {len(readers)} items, got {len(value)}")
        return tuple([one(item, (place, n)) for n, (one, item) in enumerate(zip(readers, value, strict=True))])

    return read
