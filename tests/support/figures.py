"""Figures of pages that name where they come from, in a comment that no reader sees.

    5.9<!-- srgd/corollary-5.7-printed epsilon_lower_95 -->    a number of a record of the sample report
    136<!-- count kind=control outcome=REFUTED -->             how many of its records have these fields; | is "or"
    57<!-- benchmarks/power.json rows[test=rank test; goal=100].found -->   a value of a file below reports/
    48<!-- proofs/resque/paper.toml claims[not */*].length -->              or of a TOML file of the repository
    390<!-- benchmarks/trials-cpu.json tables.1[*].ratio.median -->    length, min, mean, median, max or sum of all rows
    22<!-- benchmarks/trainings-structural.json rows[* name=hand/*; bug=].length -->    or of those with these fields
    3,200<!-- lines dpaudit/recheck to 100 -->            lines of Python of a folder that are not blank
    82<!-- certificates "outcome": "REFUTED" -->          shipped certificates in which this text stands
    80 %<!-- benchmarks/validity.json rows[...].epsilon_exceeded / rows[...].audits -->   the ratio of two values

A figure is the value, rounded to the digits that it shows; a lower bound is rounded down. ` to 100` at the end of a
comment says that it is rounded to hundreds, and a percentage is a share in the record. A value that is text must hold
the figure as one of its numbers.
"""

from __future__ import annotations

import json
import re
import statistics
import tomllib
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from fnmatch import fnmatchcase
from functools import cache
from pathlib import Path
from typing import Any

ROOT = Path(__file__).parents[2]
REPORTS = ROOT / "reports"
BOUND = re.compile(r"(?P<figure>\d[\d,]*(?:\.\d+)?)(?P<percent> ?%)?<!-- (?P<source>.+?) -->")
NUMBER = re.compile(r"\d[\d,]*(?:\.\d+)?")
HIDDEN = (
    r"(?s)```.*?```", r"(?m)^    .*$", r"`[^`]*`", BOUND.pattern, r"(?s)<!--.*?-->",
    r"\]\([^)]*\)", r"(?m)^\[.*$", r"\d+(?: to \d+)? minutes",
)  # fmt: skip
"""What is no running text: code, figures with a source, comments, addresses; and times."""
KNOWN_BY_WORDS = {
    "years and dates": r"\b(?:19|20)\d\d\b(?:-\d\d-\d\d)?",
    "places in papers": r"(?i)\b(?:theorem|lemma|corollary|proposition|algorithm|section|line)s? "
    r"\**[A-Z]?\d[\d.]*(?: and \d+)?",
    "versions": r"\b\d+\.\d+\.\d+\b",
    "issues": r"\b(?:issues?|pull requests?) \d+(?:, \d+)*",
    "commits": r"\b(?=[a-f]*\d)[0-9a-f]{7}\b",
    "exit codes": r"(?i)\b(?:exit code (?:is )?|exits |ends with )\d+\b",
    "powers": r"\b(?:10|2)\^\d+",
    "claims": r"\b(?:epsilon|eps|mu)(?: =)? \d+(?!\.?\d)|\b(?:delta|alpha)(?: =| above)? \d[\d.]*\b|\(\d+, 1e-\d\)",
    "confidence levels": r"\b95 %",
}
"""Numbers that say by the words around them that no run gave them."""
STEP = re.compile(r"\[([^\]]+)\]|([^.\[\]]+)")
SUMMARIES: dict[str, Callable[[list[Any]], Any]] = {
    "length": len, "min": min, "mean": statistics.mean, "median": statistics.median, "max": max, "sum": sum,
}  # fmt: skip


@dataclass(frozen=True)
class Figure:
    """text: as it is printed; source: where its value comes from; percent: it stands for a share."""

    text: str
    source: str
    percent: bool = False

    @property
    def wrong(self) -> str:
        """What is wrong with the figure; empty if it is that of its source."""
        path, _, unit = self.source.partition(" to ")
        value = looked_up(path)
        if isinstance(value, str):
            held = self.text in NUMBER.findall(value)
        else:
            exact = float(value) * (100 if self.percent else 1)
            held = rounded(self.text, exact, float(unit or 0), down=path.endswith("_lower_95"))
        return "" if held else f"{self.text} is printed; {self.source} is {value}"


def rounded(text: str, value: float, unit: float = 0.0, *, down: bool = False) -> bool:
    """Whether `text` is `value`, rounded to its digits, or to multiples of `unit`, or down to them."""
    printed = float(text.replace(",", ""))
    unit = unit or 10.0 ** -len(text.partition(".")[2])
    slack = 1e-9 * max(abs(value), unit)
    if down:
        return -slack <= value - printed < unit - slack
    return abs(value - printed) <= unit / 2 + slack


def figures(text: str) -> Iterator[Figure]:
    """The figures of a page that name their source."""
    for found in BOUND.finditer(text):
        yield Figure(found["figure"], " ".join(found["source"].split()), found["percent"] is not None)


def unbound(text: str) -> list[str]:
    """The numbers in the running text of a page that name no source, but for minutes: a clock gave those."""
    for pattern in (*HIDDEN, *KNOWN_BY_WORDS.values()):
        text = re.sub(pattern, " ", text)
    return re.findall(r"(?<![\w.-])\d[\d,.]*\d|(?<![\w.-])\d(?![\w.-])", text)


def quoted(text: str) -> set[str]:
    """Those of the unbound numbers of a page that stand, or round a number, in its own blocks of code."""
    blocks = " ".join(re.findall(r"(?s)```.*?```", text))
    values = [float(number.replace(",", "")) for number in NUMBER.findall(blocks)]
    return {number for number in unbound(text) if any(rounded(number, value) for value in values)}


def looked_up(path: str) -> Any:
    """The value that a source names. KeyError where there is none, or more than one."""
    name, _, rest = path.partition(" ")
    if name == "lines":
        return sum(bool(line.strip()) for path in (ROOT / rest).rglob("*.py") for line in read(path).splitlines())
    if name == "certificates":
        return sum(rest in read(path) for path in (ROOT / "proofs").glob("*/certificates/*.json"))
    if name == "count":
        return count(dict(part.split("=", 1) for part in rest.split()))
    if name.endswith((".json", ".toml")):
        above, *below = (inside(loaded(name), part) for part in rest.split(" / "))
        return above / below[0] if below else above
    return field(records()[name], rest)


def read(path: Path) -> str:
    """The text of a file."""
    return path.read_text(encoding="utf-8")


@cache
def loaded(name: str) -> Any:
    """A JSON file below reports/, or a TOML file of the repository."""
    if name.endswith(".toml"):
        return tomllib.loads((ROOT / name).read_text(encoding="utf-8"))
    return json.loads((REPORTS / name).read_text(encoding="utf-8"))


@cache
def records() -> dict[str, dict[str, Any]]:
    """The records of the sample report by id."""
    lines = (REPORTS / "sample" / "records.jsonl").read_text(encoding="utf-8").splitlines()
    return {record["id"]: record for record in map(json.loads, lines)}


def count(fields: dict[str, str]) -> int:
    """How many records have these fields, each a name and patterns joined by |."""
    return sum(all(_fits(record[name], given) for name, given in fields.items()) for record in records().values())


def field(record: dict[str, Any], name: str) -> Any:
    """A number or a text of a record, or a number of its evidence."""
    evidence = {key: value for part in record["evidence"] for key, value in part["numbers"]}
    return {**evidence, **dict(record["numbers"]), **record}[name]


def inside(data: Any, path: str) -> Any:
    """Follow a path of keys, places and [conditions]; lists of pairs are read as objects."""
    many = False
    for chosen, key in STEP.findall(path):
        if many:
            data, many = _of_rows(data, key)
            continue
        if isinstance(data, list) and data and all(isinstance(x, list) and len(x) == 2 for x in data):
            data = dict(data)
        if chosen == "*" or chosen.startswith("* "):
            data, many = _rows(data, chosen[2:]), True
        elif chosen:
            data = _chosen(data, chosen)
        elif key == "length":
            data = len(data)
        else:
            data = data[key]
    return data


def _of_rows(rows: list[Any], key: str) -> tuple[Any, bool]:
    """What each row has under the key, or the summary of the rows; and whether these are still many."""
    if rows and all(isinstance(row, dict) and key in row for row in rows):
        return [row[key] for row in rows], True
    return SUMMARIES[key](rows), False


def _chosen(data: list[Any], chosen: str) -> Any:
    """The one row that meets the conditions, the row at a place, or the strings that fit a pattern."""
    if chosen.isdecimal():
        return data[int(chosen)]
    if "=" not in chosen:
        pattern = chosen.removeprefix("not ")
        return [x for x in data if fnmatchcase(x, pattern) != chosen.startswith("not ")]
    rows = _rows(data, chosen)
    if len(rows) != 1:
        raise KeyError(f"{len(rows)} rows meet [{chosen}]")
    return rows[0]


def _rows(data: Any, conditions: str) -> list[Any]:
    """The rows, or values of an object, that meet the conditions."""
    wanted = dict(part.split("=", 1) for part in conditions.split("; ")) if conditions else {}
    rows = list(data.values()) if isinstance(data, dict) else data
    return [row for row in rows if all(_fits(row.get(name), given) for name, given in wanted.items())]


def _fits(value: object, given: str) -> bool:
    values = value if isinstance(value, list) else [value]
    return any(fnmatchcase(str(each), pattern) for each in values for pattern in given.split("|"))
