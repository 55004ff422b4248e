"""Changes of JSON that leave it JSON, so that a fuzzer comes past the parser: values, keys and places of one document.

What is put in comes from the document itself, from words that the reader knows, or from a list of values that readers
have failed on.
"""

from __future__ import annotations

import json
import re
from collections.abc import Callable, Iterator
from random import Random
from typing import Any

VALUES: tuple[Any, ...] = (
    None, True, False, 0, 1, -1, 2, 64, 0.5, -0.0, 1e-320, 1e308, 2**31, 2**63 - 1, 2**63, 2**64, 10**30, 10**299,
    -(10**299), 10**400, "", "a", "inf", "-oo", "a/b", "../../etc/passwd", "/dev/zero", "\x00", "\u2028\x1b[31m",
    "\ud800", "é", "x" * 300, "2026-13-45T25:61:00+00:00", "1/0", "0/0", "10**10**10", [], {}, [[]], [0, 0],
    {"float": "inf"}, {"float": "nan"}, {"tuple": []}, {"dict": {}}, {"array": 0}, {"scalar": 0}, {"type": "Verdict"},
    [1, "a", None, [], {}],
)  # fmt: skip
"""What is put in the place of a value."""
Place = tuple[Any, Any]
"""What holds a value, and its key or number there."""


def places(data: Any) -> Iterator[Place]:
    """Every place inside of a document."""
    waiting = [data]
    while waiting:
        holder = waiting.pop()
        inner = holder.items() if isinstance(holder, dict) else enumerate(holder) if isinstance(holder, list) else ()
        for key, value in inner:
            yield holder, key
            waiting.append(value)


def changed(data: bytes, rng: Random, words: tuple[str, ...] = ()) -> bytes | None:
    """A document of JSON with one to three changes; None for what is none. Bytes behind its first line stay."""
    head, end, rest = data.partition(b"\n")
    try:
        whole = {"": json.loads(head)}
    except (ValueError, RecursionError):
        return None
    for _ in range(rng.choice((1, 1, 2, 3))):
        found = list(places(whole))
        rng.choice(_CHANGES)(whole, *rng.choice(found), found, rng, words)
        if "" not in whole:
            return None
    try:
        return json.dumps(whole[""], separators=rng.choice(((",", ":"), (", ", ": ")))).encode() + end + rest
    except (ValueError, RecursionError):  # a place that was put into itself
        return None


Change = Callable[[Any, Any, Any, list[Place], Random, tuple[str, ...]], None]


def _value(whole: Any, holder: Any, key: Any, found: list[Place], rng: Random, words: tuple[str, ...]) -> None:
    holder[key] = json.loads(json.dumps(rng.choice(VALUES)))


def _word(whole: Any, holder: Any, key: Any, found: list[Place], rng: Random, words: tuple[str, ...]) -> None:
    holder[key] = rng.choice(words or ("",))


def _other(whole: Any, holder: Any, key: Any, found: list[Place], rng: Random, words: tuple[str, ...]) -> None:
    """What stands at another place is put here too."""
    at, there = rng.choice(found)
    holder[key] = json.loads(json.dumps(at[there]))


def _gone(whole: Any, holder: Any, key: Any, found: list[Place], rng: Random, words: tuple[str, ...]) -> None:
    if holder is not whole:
        del holder[key]


def _renamed(whole: Any, holder: Any, key: Any, found: list[Place], rng: Random, words: tuple[str, ...]) -> None:
    if isinstance(holder, dict) and holder is not whole:
        holder[rng.choice(words or ("",))] = holder.pop(key) if rng.random() < 0.5 else holder[key]


def _more(whole: Any, holder: Any, key: Any, found: list[Place], rng: Random, words: tuple[str, ...]) -> None:
    if isinstance(holder, list):
        holder.insert(rng.randrange(len(holder) + 1), json.loads(json.dumps(holder[key])))
    else:
        holder[key] = [holder[key]]


def _nudged(whole: Any, holder: Any, key: Any, found: list[Place], rng: Random, words: tuple[str, ...]) -> None:
    """A number or a text that is nearly the same."""
    value = holder[key]
    if isinstance(value, bool) or value is None or isinstance(value, (list, dict)):
        holder[key] = not value
    elif isinstance(value, str):
        at = rng.randrange(len(value) + 1)
        new = rng.choice(("", "0", "-", "*", "x", "(", "<", rng.choice(words or ("",))))
        holder[key] = value[:at] + new + value[at + rng.choice((0, 1, 3)) :]
    else:
        near = (value + 1, value - 1, -value, value * 2, value // 2)
        holder[key] = rng.choice((*near, float(value)) if abs(value) < 10**300 else near)


TOKEN = re.compile(r"\d+(?:\.\d+)?|[A-Za-z_]\w*|<=|==|\*\*|[-+*/<()\[\],]")
ALIKE = (
    ("0", "1", "2", "3", "1/2", "0.7", "10", "64"),
    ("<=", "<", "=="),
    ("+", "-", "*", "/", "**"),
    ("(", "["),
    (")", "]"),
)
"""Tokens of formulas that stand in the place of each other."""


def _token(whole: Any, holder: Any, key: Any, found: list[Place], rng: Random, words: tuple[str, ...]) -> None:
    """In one text of the document that may be a formula or a range, a token becomes another one of its kind."""
    texts = [(at, there) for at, there in found if isinstance(at[there], str) and " " in at[there][:200]]
    if not texts:
        return
    at, there = rng.choice(texts)
    tokens = list(TOKEN.finditer(at[there]))
    if not tokens:
        return
    one = rng.choice(tokens)
    names = [token[0] for token in tokens if token[0][0].isalpha()]
    alike = next((kind for kind in ALIKE if one[0] in kind), tuple(names) if one[0] in names else ALIKE[0])
    at[there] = at[there][: one.start()] + rng.choice(alike) + at[there][one.end() :]


_CHANGES: tuple[Change, ...] = (
    _value, _value, _word, _other, _other, _gone, _renamed, _more, _nudged, _nudged, _token, _token, _token, _token,
)  # fmt: skip
