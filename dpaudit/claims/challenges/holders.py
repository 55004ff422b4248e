"""Who found the best values of constants, and when: the file `constants.toml` of a paper."""

from __future__ import annotations

from dataclasses import dataclass
from datetime import date
from pathlib import Path

from dpaudit.records import shapes
from dpaudit.records.claim import Tightness
from dpaudit.records.documents import MOST_OF_SETTINGS, parse_toml, read_text
from dpaudit.records.record_schemas import TEXT, Schema, closed

FILE = "constants.toml"
_HELD = closed({"value": TEXT, "holder": TEXT, "date": {"type": "string", "format": "date"}})
_SCHEMA: Schema = {"type": "object", "additionalProperties": closed({"proved": _HELD, "refuted": _HELD}, [])}


@dataclass(frozen=True)
class Held:
    """A value of a constant, who found it, and the day on which it came into the claim file."""

    value: str
    holder: str
    day: date

    def __str__(self) -> str:
        return f"{self.holder}, {self.day.isoformat()}"


@dataclass(frozen=True)
class Ends:
    """The best value that is proved, and the best one that is refuted; None where there is none."""

    proved: Held | None = None
    refuted: Held | None = None


def ends(folder: Path) -> dict[str, Ends]:
    """By id, the ends of the constants of the paper in `folder`; none where it has no such file. ContentError for a
    damaged one."""
    file = folder / FILE
    if not file.exists():
        return {}
    data = parse_toml(read_text(file, MOST_OF_SETTINGS), str(file))
    shapes.hold(data, _SCHEMA, {}, str(file))
    return {f"{folder.name}/{name}": Ends(**{end: _held(row) for end, row in of.items()}) for name, of in data.items()}


def _held(row: dict[str, str]) -> Held:
    return Held(row["value"], row["holder"], date.fromisoformat(row["date"]))


def stale(name: str, row: Tightness, found: Ends) -> str:
    """What the ends of the constant `name` say otherwise than its row in the claim file; "" if they agree."""
    for word, value, end in (("proved", row.proved, found.proved), ("refuted", row.refuted, found.refuted)):
        held = end.value if end is not None else ""
        if held != value:
            said, there = value or "absent", held or "absent"
            return f"{name}: {word} is {said} in the claim file and {there} in {FILE}, which says who found it"
    return ""


def entry(name: str, word: str, value: str, day: date) -> str:
    """The lines of `constants.toml` for a new value of the constant `name`; word: "proved" or "refuted"."""
    held = f'{{ value = "{value}", holder = "your name", date = "{day.isoformat()}" }}'
    return f'["{name.partition("/")[2]}"]\n{word} = {held}'
