"""The structural checks in words: what each asks, sees and cannot see, how often it errs, how an exception is declared.

The words are those of the files of checks; `dpaudit explain` prints them, and docs/checks.md holds them.
"""

from __future__ import annotations

import inspect
import sys
from collections.abc import Iterable
from dataclasses import dataclass
from functools import cache

from dpaudit.audit.structural.examine import Check, every_check
from dpaudit.audit.structural.finding import code_of
from dpaudit.records.errors import ConfigurationError, UnknownNameError

CONTROL = "repeatable replay"
"""The control of all replays, without which none of them says anything."""


@dataclass(frozen=True)
class Explanation:
    """A check in words. code: its name as one word, for the command line; question: what it asks of a training; text:
    what it does, sees and cannot see; false_alarm: the probability that it refutes a correct training; exception: how
    it is said that the check does not apply."""

    name: str
    code: str
    question: str
    text: str
    false_alarm: str
    exception: str


@cache
def explanations() -> tuple[Explanation, ...]:
    """All checks, in their order."""
    return tuple(_explained(check) for check in every_check())


def _explained(check: Check) -> Explanation:
    words = inspect.getdoc(sys.modules[check.__name__]) or ""  # type: ignore[attr-defined]  # a check is a module
    question, _, text = words.partition("\n\n")
    alarm = {"0": "none: it refutes by a witness", "alpha": "its share of the error budget of the run"}
    joined = " ".join(question.split())
    return Explanation(check.NAME, code_of(check.NAME), joined, text, alarm[check.FALSE_ALARM], check.EXCEPTION)


def named(word: str) -> Explanation:
    """The check of this name or code; UnknownNameError with near ones."""
    found = next((one for one in explanations() if word in (one.name, one.code)), None)
    if found is None:
        raise UnknownNameError("structural check", word, [one.code for one in explanations()], see="dpaudit explain")
    return found


def left_out(select: Iterable[str], ignore: Iterable[str]) -> tuple[str, ...]:
    """The names of the checks that are not made: those ignored, and where any are selected all others.

    The control of replays is always made; ConfigurationError where it shall be ignored, UnknownNameError.
    """
    wanted = {named(word).name for word in select}
    unwanted = {named(word).name for word in ignore}
    if CONTROL in unwanted:
        raise ConfigurationError(f"{code_of(CONTROL)!r} cannot be ignored: without it no replay says anything")
    if both := wanted & unwanted:
        raise ConfigurationError(f"{code_of(min(both))!r} is both selected and ignored; say one of the two")
    names = [one.name for one in explanations() if one.name != CONTROL]
    return tuple(name for name in names if name in unwanted or (wanted and name not in wanted))
