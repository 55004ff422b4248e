"""Known findings that a run may have: what a baseline accepts, until when, and what it accepts no longer.

An entry names one verdict by its id and the one outcome that is accepted. There are no patterns: an id that is new is a
new finding, and no finding is waved through that nobody has looked at. An entry whose date is over accepts nothing.
"Today" is the day on which the run started (UTC), so that whoever resumes or reads the run later gets the same answer.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass, replace
from datetime import date
from enum import StrEnum

from dpaudit.records.serial import Json
from dpaudit.records.verdict import Kind, Outcome, Verdict

LONGEST = 366
"""Days ahead; an entry that expires later is named, since nobody will look at it again."""


@dataclass(frozen=True)
class Entry:
    """One accepted finding; expires: the last day on which it is accepted; issue: where it is discussed."""

    id: str
    outcome: Outcome
    reason: str
    expires: date
    issue: str = ""

    def as_json(self) -> dict[str, str]:
        """Plain data, for run.json."""
        return {
            "id": self.id,
            "outcome": self.outcome.value,
            "reason": self.reason,
            "expires": self.expires.isoformat(),
            "issue": self.issue,
        }


@dataclass(frozen=True)
class Baseline:
    """The entries of a file, by id; file: its name in records; digest: SHA-256 of its bytes in hexadecimal."""

    file: str
    digest: str
    entries: Mapping[str, Entry]


class State(StrEnum):
    """What became of an entry in a run."""

    ACCEPTED = "accepted"
    EXPIRED = "expired"
    STALE = "no longer needed"
    OTHER = "another outcome"
    ABSENT = "not in this run"


def day(header: Json) -> date:
    """The day on which the run of a run.json started."""
    return date.fromisoformat(header["started"][:10])


def apply(baseline: Baseline | None, verdicts: Iterable[Verdict], today: date) -> list[Verdict]:
    """The verdicts, each with why it is accepted, or without: what an earlier baseline said is forgotten."""
    return [replace(verdict, accepted=_reason(baseline, verdict, today)) for verdict in verdicts]


def _reason(baseline: Baseline | None, verdict: Verdict, today: date) -> str:
    entry = baseline.entries.get(verdict.id) if baseline is not None else None
    if baseline is None or entry is None or _state(entry, verdict, today) is not State.ACCEPTED:
        return ""
    where = ", ".join(filter(None, (entry.issue, baseline.file)))
    return f"until {entry.expires}: {entry.reason} ({where})"


def _state(entry: Entry, verdict: Verdict | None, today: date) -> State:
    if verdict is None:
        return State.ABSENT
    if verdict.as_expected:
        return State.STALE
    if verdict.outcome is not entry.outcome or _stands_for_more(verdict):
        return State.OTHER  # what turned from undecided into refuted, or into a crash, is new
    return State.ACCEPTED if today <= entry.expires else State.EXPIRED


def _stands_for_more(verdict: Verdict) -> bool:
    """Is it in the place of every check of a task that was not begun, or that died? Nobody has accepted those."""
    whole = any(evidence.engine == "run" for evidence in verdict.evidence[:1])
    return whole and (verdict.kind is Kind.CLAIM or verdict.outcome is Outcome.NOT_RUN)


def described(baseline: Baseline | None) -> Json | None:
    """What run.json says of the baseline before the run."""
    if baseline is None:
        return None
    rows = [entry.as_json() for entry in baseline.entries.values()]
    return {"file": baseline.file, "digest": baseline.digest, "entries": rows}


def ended(baseline: Baseline | None, verdicts: Iterable[Verdict], today: date) -> Json | None:
    """What run.json says of the baseline after the run: the state of each entry, and why one is no longer needed."""
    before = described(baseline)
    if baseline is None or before is None:
        return None
    found = {verdict.id: verdict for verdict in verdicts}
    rows = [
        row | _became(entry, found.get(entry.id), today)
        for row, entry in zip(before["entries"], baseline.entries.values(), strict=True)
    ]
    return before | {"entries": rows}


def _became(entry: Entry, verdict: Verdict | None, today: date) -> Json:
    """State of an entry, the outcome that there is, and the days since it expired, 0 or below before that."""
    outcome = verdict.outcome.value if verdict is not None else None
    return {"state": _state(entry, verdict, today).value, "found": outcome, "overdue": (today - entry.expires).days}


def notes(header: Json) -> list[str]:
    """What a user must know of the baseline of a finished run, a sentence each; none without a baseline."""
    used = header.get("baseline")
    if not used:
        return []
    return [note for row in used["entries"] if "state" in row for note in _notes(row, used["file"])]


def _notes(row: Json, file: str) -> list[str]:
    found, overdue = row["found"], row["overdue"]
    days = f"{overdue} day{'s' if overdue != 1 else ''} ago"
    words = {
        State.EXPIRED: f", but that expired on {row['expires']}, {days}; it counts again",
        State.STALE: f", is {found} as expected; the entry is no longer needed",
        State.OTHER: f", but is {found}, which the entry does not accept",
        State.ACCEPTED: f" until {row['expires']}, more than {LONGEST} days ahead" if -overdue > LONGEST else "",
    }.get(row["state"])
    return [f"{file}: {row['id']}: accepted as {row['outcome']}{words}"] if words else []


def changes(before: Json | None, after: Json | None) -> list[str]:
    """What differs between two descriptions of a baseline, in words; a file of another name is no difference."""
    if not before or not after:
        return [] if before == after else [f"the run was started {'with' if before else 'without'} a baseline"]
    if before["digest"] == after["digest"]:
        return []
    was, now = ({row["id"]: {key: row[key] for key in _KEYS} for row in used["entries"]} for used in (before, after))
    found = [f"{name} is gone" for name in was if name not in now]
    found += [f"{name} is new" for name in now if name not in was]
    found += [_changed(was[name], now[name]) for name in was if name in now and was[name] != now[name]]
    return [f"the baseline {after['file']} has changed: {', '.join(found) or 'its comments or its layout'}"]


_KEYS = ("id", "outcome", "reason", "expires", "issue")


def _changed(was: Mapping[str, str], now: Mapping[str, str]) -> str:
    parts = [f"{key} of {was['id']} was {was[key]!r}, is {now[key]!r}" for key in _KEYS if was[key] != now[key]]
    return ", ".join(parts)
