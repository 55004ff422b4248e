"""Messages between processes that do not trust each other: one line of JSON, then the raw bytes of the arrays in it.

    {"value": <tree>, "arrays": [[dtype, shape], ...]}\\n<bytes of the first array><bytes of the second>...

A tree holds None, booleans, integers of any size, finite numbers, strings and lists as JSON has them, and by one key
what JSON lacks: {"tuple": [...]}, {"dict": {...}}, {"float": "inf"}, {"array": i} and, for a number of NumPy,
{"scalar": i}. Nothing is ever executed or looked up by name: no pickle, no eval, no object arrays. Whatever does not
have exactly this form, or is longer than the limit, raises ContentError, and what it holds is only data.
"""

from __future__ import annotations

import json
import math
import socket
import time
from collections.abc import Callable, Sequence
from typing import Any, TypeAlias, TypeVar

import numpy as np
from numpy.typing import NDArray

from dpaudit.records.errors import ContentError

DTYPES = ("bool", "int8", "int16", "int32", "int64", "uint8", "uint16", "uint32", "uint64",
          "float16", "float32", "float64")  # fmt: skip
"""The dtypes that travel, all little-endian."""
HEADER_BYTES = 1 << 24
"""The longest line of JSON, line end included."""
DEPTH = 64
"""The deepest nesting of a tree."""
AXES = 32
"""The most axes of an array."""

_FLOATS = ("inf", "-inf", "nan")
_PIECE = 1 << 20

T = TypeVar("T")
U = TypeVar("U")

Arrays = list[NDArray[np.generic]]
Wire: TypeAlias = Any
"""A value that came over the wire: None, bool, int, float, str, lists, tuples, dicts with string keys, and arrays, in
any nesting. Which of them it is only the checks of the reader say, so that no type can be named."""


def encode(value: object) -> tuple[bytes, Arrays]:
    """The line of JSON for `value`, with its end, and the arrays whose bytes follow; ContentError if it cannot go."""
    arrays: Arrays = []
    tree = _tree(value, arrays, DEPTH)
    header = {"value": tree, "arrays": [[str(array.dtype), array.shape] for array in arrays]}
    line = json.dumps(header, allow_nan=False, separators=(",", ":")).encode() + b"\n"
    if len(line) > HEADER_BYTES:
        raise ContentError(f"a message may have {HEADER_BYTES} bytes beside arrays, got {len(line)}; use NumPy arrays")
    return line, arrays


def travels(value: object) -> bool:
    """Can `value` be sent?"""
    try:
        encode(value)
    except ContentError:
        return False
    return True


def _tree(value: object, arrays: Arrays, depth: int) -> object:
    """`value` as JSON; its arrays are appended to `arrays`."""
    if depth < 0:
        raise ContentError(f"values that travel between processes are nested at most {DEPTH} deep")
    if value is None or type(value) in (bool, int, str):
        return value
    if type(value) is float:
        return value if math.isfinite(value) else {"float": str(value)}
    if type(value) is list:
        return [_tree(item, arrays, depth - 1) for item in value]
    if type(value) is tuple:
        return {"tuple": [_tree(item, arrays, depth - 1) for item in value]}
    if type(value) is dict and all(type(key) is str for key in value):
        return {"dict": {key: _tree(item, arrays, depth - 1) for key, item in value.items()}}
    if isinstance(value, (np.ndarray, np.generic)) and value.dtype.name in DTYPES:
        arrays.append(np.ascontiguousarray(value, dtype=value.dtype.newbyteorder("<")).reshape(value.shape))
        return {"scalar" if isinstance(value, np.generic) else "array": len(arrays) - 1}
    raise ContentError(
        f"{_kind(value)} cannot travel between processes; what can: None, bool, int, float, str, lists, tuples, "
        f"dicts with string keys, and NumPy arrays of {', '.join(DTYPES)}"
    )


def _kind(value: object) -> str:
    if isinstance(value, (np.ndarray, np.generic)):
        return f"an array of dtype {value.dtype}"
    return "a dict with keys that are not strings" if type(value) is dict else f"a {type(value).__name__}"


class Connection:
    """One end of a socket that carries messages; the other end may be hostile."""

    def __init__(self, end: socket.socket) -> None:
        """end: a stream socket, owned by this object from now on."""
        self._socket = end
        self._left = b""
        self.torn = False
        """Was a part of a message sent, and not yet all of it?"""

    def send(self, value: object, most_bytes: int | None = None, deadline: float | None = None) -> None:
        """Send `value`. ContentError if it cannot travel or has more than `most_bytes`.

        deadline: by time.monotonic(), TimeoutError after it. Raises EOFError where the other end is closed.
        """
        line, arrays = encode(value)
        size = sum(array.nbytes for array in arrays)
        if most_bytes is not None and size > most_bytes:
            raise ContentError(f"{size} bytes of arrays are more than the limit of {most_bytes}")
        self.torn = True
        try:
            self._send_all(memoryview(line), deadline)
            for array in arrays:
                self._send_all(_raw(array), deadline)
            self.torn = False
        except (BrokenPipeError, ConnectionResetError) as error:
            raise EOFError("the other end is closed") from error

    def _send_all(self, data: memoryview, deadline: float | None) -> None:
        while data:
            self._socket.settimeout(_seconds_left(deadline))
            data = data[self._socket.send(data[:_PIECE]) :]

    def receive(self, most_bytes: int, deadline: float | None = None) -> Wire:
        """The next message, with at most `most_bytes` of arrays; ContentError for anything that is none.

        deadline: by time.monotonic(), TimeoutError after it. Raises EOFError where the other end is closed.
        """
        tree, kinds = _header(self._line(deadline))
        shapes = _shapes(kinds, most_bytes)
        arrays = [self._array(np.dtype(kind), shape, deadline) for kind, shape in shapes]
        return _value(tree, arrays, DEPTH)

    def close(self) -> None:
        """Close this end."""
        self._socket.close()

    def _line(self, deadline: float | None) -> bytes:
        pieces, size = [self._left], len(self._left)
        while b"\n" not in pieces[-1]:
            if size > HEADER_BYTES:
                raise ContentError(f"a message began with more than {HEADER_BYTES} bytes and no line end")
            self._socket.settimeout(_seconds_left(deadline))
            pieces.append(self._receive(self._socket.recv, _PIECE))
            size += len(pieces[-1])
            if not pieces[-1]:
                raise EOFError("the other end is closed")
        line, _, self._left = b"".join(pieces).partition(b"\n")
        return line

    def _array(
        self, dtype: np.dtype[np.generic], shape: tuple[int, ...], deadline: float | None
    ) -> NDArray[np.generic]:
        try:
            array = np.empty(math.prod(shape), dtype=dtype)
            array.reshape(shape)
        except ValueError as error:  # dimensions that are too many or too long, with a zero among them
            raise ContentError(f"an array of the shape {shape} cannot be: {error}") from error
        raw = _raw(array)
        ready = self._left[: len(raw)]
        raw[: len(ready)] = ready
        self._left, raw = self._left[len(ready) :], raw[len(ready) :]
        while raw:
            self._socket.settimeout(_seconds_left(deadline))
            number = self._receive(self._socket.recv_into, raw[:_PIECE])
            if not number:
                raise EOFError("the other end closed in the middle of an array")
            raw = raw[number:]
        if dtype == np.bool_ and array.size and int(array.view(np.uint8).max()) > 1:
            raise ContentError("an array of booleans holds bytes other than 0 and 1")
        return array.reshape(shape)

    def _receive(self, read: Callable[[T], U], argument: T) -> U:
        try:
            return read(argument)
        except ConnectionResetError as error:
            raise EOFError("the other end is closed") from error


def _raw(array: NDArray[np.generic]) -> memoryview:
    """The bytes of a contiguous array."""
    return array.reshape(-1).view(np.uint8).data


def _seconds_left(deadline: float | None) -> float | None:
    if deadline is None:
        return None
    left = deadline - time.monotonic()
    if left <= 0:
        raise TimeoutError("no time is left")
    return left


def _header(line: bytes) -> tuple[Wire, Wire]:
    """The tree and the list of arrays of a line of JSON."""
    try:
        header = json.loads(line, parse_constant=_refuse)
    except (ValueError, RecursionError) as error:  # ValueError: no JSON, no UTF-8, or an integer of too many digits
        raise ContentError(f"a message began with {line[:40]!r}, which is not JSON of the protocol: {error}") from error
    if not isinstance(header, dict) or set(header) != {"value", "arrays"}:
        raise ContentError(f"a message began with {line[:40]!r}, not with an object of value and arrays")
    return header["value"], header["arrays"]


def _refuse(name: str) -> float:
    raise ValueError(f"{name} is not JSON")


def _shapes(kinds: object, most_bytes: int) -> list[tuple[str, tuple[int, ...]]]:
    """The dtypes and shapes that a message announces, checked before any memory is taken."""
    if not isinstance(kinds, list):
        raise ContentError(f"the arrays of a message must be a list, got {_short(kinds)}")
    found, size = [], 0
    for kind in kinds:
        if not (isinstance(kind, list) and len(kind) == 2 and kind[0] in DTYPES):
            raise ContentError(f"an array must be announced by its dtype, of {', '.join(DTYPES)}, got {_short(kind)}")
        shape = _shape(kind[1], most_bytes)
        size += math.prod(shape) * np.dtype(kind[0]).itemsize
        if size > most_bytes:
            raise ContentError(f"a message announces {size} bytes or more, the limit is {most_bytes}")
        found.append((kind[0], shape))
    return found


def _shape(shape: object, most: int) -> tuple[int, ...]:
    lengths = shape if isinstance(shape, list) and len(shape) <= AXES else [None]
    if not all(type(length) is int and 0 <= length <= most for length in lengths):
        raise ContentError(f"a shape must be at most {AXES} integers from 0 to {most}, got {_short(shape)}")
    return tuple(lengths)


def _value(tree: Wire, arrays: Sequence[NDArray[np.generic]], depth: int) -> Wire:
    """The value that `tree` stands for."""
    if depth < 0:
        raise ContentError(f"a message is nested more than {DEPTH} deep")
    if tree is None or isinstance(tree, (bool, int, float, str)):
        if isinstance(tree, float) and not math.isfinite(tree):  # 1e999 in JSON
            raise ContentError(f"a message holds the number {tree} outside of its form")
        return tree
    if isinstance(tree, list):
        return [_value(item, arrays, depth - 1) for item in tree]
    [(key, held)] = tree.items() if len(tree) == 1 else [("", None)]
    if key == "tuple" and isinstance(held, list):
        return tuple(_value(item, arrays, depth - 1) for item in held)
    if key == "dict" and isinstance(held, dict):
        return {name: _value(item, arrays, depth - 1) for name, item in held.items()}
    if key == "float" and held in _FLOATS:
        return float(held)
    if key in ("array", "scalar") and type(held) is int and 0 <= held < len(arrays):
        return _numbered(key, arrays[held])
    raise ContentError(f"a message holds {_short(tree)}, which stands for nothing")


def _numbered(key: str, array: NDArray[np.generic]) -> Wire:
    if key == "array":
        return array
    if array.ndim:
        raise ContentError(f"a message calls an array of shape {array.shape} a single number")
    return array[()]


def _short(value: object) -> str:
    text = repr(value)
    return text if len(text) <= 80 else f"{text[:80]}..."
