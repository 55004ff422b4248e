"""Messages between processes: what goes in comes out, and nothing else gets in."""

from __future__ import annotations

import contextlib
import json
import math
import pickle
import socket
import struct
import threading
import time
from collections.abc import Iterator
from typing import Any

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from hypothesis.extra import numpy as hnp

from dpaudit.audit.sandbox import wire
from dpaudit.records.errors import ContentError

LIMIT = 1 << 20

SCALARS = st.none() | st.booleans() | st.integers() | st.floats() | st.text() | st.integers(2**128, 2**200)
ARRAYS = hnp.arrays(
    st.sampled_from([np.dtype(name) for name in wire.DTYPES]), hnp.array_shapes(min_dims=0, max_dims=3, min_side=0)
)
VALUES = st.recursive(
    SCALARS | ARRAYS,
    lambda inner: st.lists(inner) | st.lists(inner).map(tuple) | st.dictionaries(st.text(), inner),
    max_leaves=12,
)


def received(data: bytes, most_bytes: int = LIMIT) -> Any:
    """What the other end reads when exactly these bytes arrive and the line closes."""
    one, other = socket.socketpair()

    def write() -> None:
        with one, contextlib.suppress(BrokenPipeError):  # whoever reads may have seen enough
            one.sendall(data)

    writer = threading.Thread(target=write)
    writer.start()
    connection = wire.Connection(other)
    try:
        return connection.receive(most_bytes, time.monotonic() + 5)
    finally:
        connection.close()
        writer.join()


def sent(value: Any) -> bytes:
    line, arrays = wire.encode(value)
    return line + b"".join(array.tobytes() for array in arrays)


def same(one: Any, other: Any) -> bool:
    """Equal in type, dtype, shape and every bit."""
    if type(one) is not type(other):
        return False
    if isinstance(one, (np.ndarray, np.generic)):
        return one.dtype == other.dtype and one.shape == other.shape and one.tobytes() == other.tobytes()
    if isinstance(one, (list, tuple)):
        return len(one) == len(other) and all(map(same, one, other))
    if isinstance(one, dict):
        return list(one) == list(other) and all(same(one[key], other[key]) for key in one)
    if isinstance(one, float):
        return struct.pack("d", one) == struct.pack("d", other) or (one != one and other != other)
    return bool(one == other)


@given(VALUES)
def test_what_is_sent_is_received(value: Any) -> None:
    assert same(received(sent(value)), value)


@settings(max_examples=300)
@given(VALUES, st.data())
def test_corrupted_messages_never_do_anything_but_raise_or_give_data(value: Any, data: st.DataObject) -> None:
    message = bytearray(sent(value))
    for _ in range(data.draw(st.integers(1, 4))):
        place = data.draw(st.integers(0, len(message) - 1))
        message[place : place + data.draw(st.integers(0, 2))] = data.draw(st.binary(max_size=3))
        message = message or bytearray(b"\n")
    try:
        found = received(bytes(message))
    except (ContentError, EOFError):
        return
    assert wire.travels(found)


@given(st.binary(max_size=200))
def test_random_bytes_are_no_message(data: bytes) -> None:
    with pytest.raises((ContentError, EOFError)):
        received(data + b"\n")


def header(arrays: Any, value: Any = None) -> bytes:
    return json.dumps({"value": value, "arrays": arrays}).encode() + b"\n"


@pytest.mark.parametrize(
    ("message", "reason"),
    [
        (header([["float64", [-1]]]), "integers from 0"),
        (header([["float64", [1 << 60]]]), "integers from 0"),
        (header([["float64", [1 << 20, 0]], ["float64", [1 << 18]]]), "the limit is"),
        (header([["float64", [1 << 19, 1 << 19, 1 << 19]]]), "the limit is"),
        (header([["float64", [LIMIT // 16]], ["float64", [LIMIT // 16 + 1]]]), "the limit is"),  # each alone is less
        (header([["float64", [1.0]]]), "integers from 0"),
        (header([["float64", [True]]]), "integers from 0"),
        (header([["float64", [1] * 33]]), "at most 32 integers"),
        (header([["object", [1]]]), "by its dtype"),
        (header([["O", [1]]]), "by its dtype"),
        (header([[["float64"], [1]]]), "by its dtype"),
        (header({"a": 1}), "must be a list"),
        (header([], {"array": 0}), "stands for nothing"),
        (header([["bool", []]], {"array": -1}) + b"\0", "stands for nothing"),
        (header([["uint8", [1]]], {"scalar": 0}) + b"\0", "a single number"),
        (header([["bool", [1]]], {"array": 0}) + b"\2", "other than 0 and 1"),
        (header([], {"float": "1e5"}), "stands for nothing"),
        (header([], {"tuple": [], "dict": {}}), "stands for nothing"),
        (b'{"value": NaN, "arrays": []}\n', "not JSON"),
        (b'{"value": 1e999, "arrays": []}\n', "outside of its form"),
        (b'{"value": ' + b"9" * 5000 + b', "arrays": []}\n', "not JSON"),
        (b'{"value": ' + b"[" * 100 + b"]" * 100 + b', "arrays": []}\n', "nested"),
        (b'{"value": ' + b"[" * 200_000 + b"]" * 200_000 + b', "arrays": []}\n', "not JSON"),
        (b"[]\n", "value and arrays"),
        (b"x" * (wire.HEADER_BYTES + 70_000), "no line end"),
        (b'{"value": 1, "arrays": [], "more": 1}\n', "value and arrays"),
        (pickle.dumps(print) + b"\n", "not JSON"),
    ],
)
def test_lying_messages(message: bytes, reason: str) -> None:
    with pytest.raises(ContentError, match=reason):
        received(message)


def test_a_message_that_ends_early_is_an_end_of_file() -> None:
    with pytest.raises(EOFError, match="in the middle"):
        received(header([["float64", [2]]], {"array": 0}) + struct.pack("<d", 1.0))
    with pytest.raises(EOFError):
        received(b"")


@pytest.mark.parametrize(
    "value",
    [object(), {1: 2}, np.array([None]), np.array(["a"]), np.longdouble(1.0), 1j, b"bytes", {"a": {1}}, math.sin],
)
def test_what_cannot_travel_says_what_can(value: Any) -> None:
    with pytest.raises(ContentError, match="cannot travel between processes; what can: None, bool"):
        wire.encode(value)
    assert not wire.travels([value])


def test_a_value_that_holds_itself_is_refused() -> None:
    loop: list[Any] = []
    loop.append(loop)
    with pytest.raises(ContentError, match="nested"):
        wire.encode(loop)


def test_other_byte_orders_and_strides_arrive_as_plain_arrays() -> None:
    value = np.arange(12, dtype=">i4").reshape(3, 4)[:, ::2].T
    found = received(sent(value))
    assert found.dtype == np.int32
    np.testing.assert_array_equal(found, value)


@pytest.fixture
def ends() -> Iterator[tuple[wire.Connection, wire.Connection]]:
    one, other = map(wire.Connection, socket.socketpair())
    yield one, other
    one.close()
    other.close()


def test_messages_follow_each_other(ends: tuple[wire.Connection, wire.Connection]) -> None:
    one, other = ends
    for value in ("first", np.arange(3), {"third": (1, 2.5)}):
        one.send(value)
    assert other.receive(LIMIT) == "first"
    assert other.receive(LIMIT).tolist() == [0, 1, 2]
    assert other.receive(LIMIT) == {"third": (1, 2.5)}


def test_no_answer_in_time(ends: tuple[wire.Connection, wire.Connection]) -> None:
    with pytest.raises(TimeoutError):
        ends[0].receive(LIMIT, time.monotonic() + 0.1)
    with pytest.raises(TimeoutError):  # nobody reads what is sent
        ends[0].send(np.zeros(1 << 22), deadline=time.monotonic() + 0.1)


def test_too_much_to_send_and_nobody_there(ends: tuple[wire.Connection, wire.Connection]) -> None:
    one, other = ends
    with pytest.raises(ContentError, match="80 bytes of arrays are more than the limit of 79"):
        one.send(np.zeros(10), most_bytes=79)
    other.close()
    with pytest.raises(EOFError):
        one.send("hello")
