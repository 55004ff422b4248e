"""Files that others may have written: opened, decoded and parsed within limits, in this one place.

A file is a regular one: a pipe could be waited for without end, a device never ends. Its text is UTF-8. JSON is read
within limits of depth and digits, its numbers are finite, its text can be written again, and no key stands twice in an
object. What is refused is named by file and place. `records.shapes` holds what was parsed to a published schema.
"""

from __future__ import annotations

import errno
import json
import os
import stat
import tomllib
from collections.abc import Iterable, Iterator
from pathlib import Path
from typing import Any

from dpaudit.records.errors import ContentError, DpauditError

MIB = 1 << 20
MOST = 64 * MIB
"""Bytes of a document: run.json, a certificate, a scores file."""
MOST_OF_LINES = 2048 * MIB
"""Bytes of a file of lines: a million records."""
MOST_OF_SETTINGS = 4 * MIB
"""Bytes of a file that people write: settings, a baseline."""
DEPTH = 128
"""Objects and arrays inside one another; the deepest certificate that ships has half of it."""
DIGITS = 300
"""Of an integer, so that each of them is a float too."""


def read_bytes(
    path: Path, most: int = MOST, inside: Path | None = None, refuse: type[DpauditError] = ContentError
) -> bytes:
    """The bytes of a regular file of at most `most`; inside: a folder that it lies in, links followed.

    Raises `refuse` for anything else, OSError for a file that is missing or may not be read.
    """
    if inside is not None and not _inside(path, inside, refuse):
        raise refuse(f"{path} points outside of the folder {inside}; put the file itself there")
    handle = _opened(path, refuse)
    try:
        found = os.fstat(handle)
        if not stat.S_ISREG(found.st_mode):
            raise refuse(f"{path} is no regular file, but a folder, a pipe or a device; put a file there")
        with open(handle, "rb", closefd=False) as file:
            data = file.read() if found.st_size <= most else b""
    finally:
        os.close(handle)
    if max(found.st_size, len(data)) > most:
        raise refuse(f"{path} is larger than {most // MIB} MiB, which no file of its kind is; put the right file there")
    return data


def _opened(path: Path, refuse: type[DpauditError]) -> int:
    """A handle that waits for nobody; errors as of `read_bytes`."""
    try:
        return os.open(path, os.O_RDONLY | getattr(os, "O_NONBLOCK", 0) | getattr(os, "O_BINARY", 0))
    except ValueError as error:  # such as a NUL in a name
        raise refuse(f"{str(path)!r} is no name of a file: {error}") from error
    except OSError as error:
        if error.errno == errno.ELOOP:
            raise refuse(f"{path} is a link that leads to itself; put the file itself there") from error
        if error.errno in (errno.ENXIO, errno.ENAMETOOLONG):  # a socket, or a name that no file can have
            raise refuse(f"{str(path)[:200]} is no regular file: {error.strerror}") from error
        if error.errno == errno.ENOENT and path.is_symlink():
            raise refuse(f"{path} is a link to what is not there; put the file itself there") from error
        raise


def read_text(
    path: Path, most: int = MOST, inside: Path | None = None, refuse: type[DpauditError] = ContentError
) -> str:
    """As `read_bytes`, of UTF-8 text as it stands; the line that is none is named."""
    data = read_bytes(path, most, inside, refuse)
    try:
        return data.decode("utf-8")
    except UnicodeDecodeError as error:
        line = data[: error.start].count(b"\n") + 1
        raise refuse(f"{path}, line {line}: not UTF-8 text; the file is damaged") from error


def parse(text: str, where: str) -> Any:  # of any kind: who asks for it checks it
    """The JSON value in `text`; ContentError says `where` it is cut off, damaged or beyond a limit."""
    try:
        data = _DECODER.decode(text)
        if "\\u" in text:
            json.dumps(data, ensure_ascii=False).encode()
    except RecursionError as error:
        raise ContentError(f"{where}: {_TOO_DEEP}") from error
    except UnicodeEncodeError as error:
        raise ContentError(f"{where}: a text holds half a pair of \\u escapes, which is no character") from error
    except ValueError as error:
        raise ContentError(f"{where}: not valid JSON ({error}); it is cut off or damaged") from error
    if text.count("[") + text.count("{") > DEPTH and _deep(data):
        raise ContentError(f"{where}: {_TOO_DEEP}")
    return data


def parse_toml(text: str, where: str, refuse: type[DpauditError] = ContentError) -> dict[str, Any]:
    """The table in a TOML text; `refuse` says `where` it is no TOML, or beyond a limit."""
    try:
        data = tomllib.loads(text)
    except RecursionError as error:
        raise refuse(f"{where}: {_TOO_DEEP}") from error
    except ValueError as error:  # the message ends with line and column, but for integers that are too long
        raise refuse(f"{where}: not valid TOML: {error}; mend it") from error
    if _deep(data):
        raise refuse(f"{where}: {_TOO_DEEP}")
    for value in _leaves(data):
        if isinstance(value, int) and abs(value) >= 10**DIGITS:
            raise refuse(f"{where}: an integer has more than {DIGITS} digits; write a smaller one")
        if isinstance(value, float) and value - value != 0:
            raise refuse(f"{where}: the number {value} is not finite; write a finite one")
    return data


_TOO_DEEP = f"objects and arrays lie deeper than {DEPTH} in one another, which no file of dpaudit has; it is damaged"


def _inside(path: Path, folder: Path, refuse: type[DpauditError]) -> bool:
    try:
        return Path(os.path.realpath(path)).is_relative_to(os.path.realpath(folder))
    except ValueError as error:  # such as a NUL in a name
        raise refuse(f"{str(path)!r} is no name of a file: {error}") from error


def _deep(data: object) -> bool:
    level = _holding([data])
    for _ in range(DEPTH):
        if not level:
            return False
        level = [one for holding in level for one in _holding(holding)]
    return bool(level)


def _holding(items: Iterable[object]) -> list[Iterable[object]]:
    """Those of the items that hold others, each as what it holds."""
    return [one.values() if isinstance(one, dict) else one for one in items if isinstance(one, (dict, list))]


def _leaves(data: object) -> Iterator[object]:
    """Every value inside that holds no other."""
    if isinstance(data, (dict, list)):
        for one in data.values() if isinstance(data, dict) else data:
            yield from _leaves(one)
    else:
        yield data


def _once(pairs: list[tuple[str, Any]]) -> dict[str, Any]:
    """An object; a key that is there twice would be read by somebody as the first, by somebody as the last."""
    found = dict(pairs)
    if len(found) < len(pairs):
        keys = [key for key, _ in pairs]
        twice = next(key for key in keys if keys.count(key) > 1)
        raise ValueError(f"the key {twice[:80]!r} is there twice")
    return found


def _integer(text: str) -> int:
    digits = len(text.lstrip("-"))
    if digits > DIGITS:
        raise ValueError(f"an integer has {digits} digits, {DIGITS} are allowed")
    return int(text)


def _finite(text: str) -> float:
    found = float(text)
    if found - found != 0:
        raise ValueError(f"the number {text[:40]} is too large; the largest float is 1.8e308")
    return found


def _no_number(text: str) -> None:
    raise ValueError(f"{text} is no number of JSON")


_DECODER = json.JSONDecoder(parse_int=_integer, parse_float=_finite, parse_constant=_no_number, object_pairs_hook=_once)
