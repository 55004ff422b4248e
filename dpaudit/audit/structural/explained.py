"""The structural checks in words: what each asks, sees and cannot see, how often it errs, how an exception is declared.

The words are those of the files of checks; `dpaudit explain` prints them, and each check has a page in docs/checks/.
"""

from __future__ import annotations

import inspect
import sys
from collections.abc import Collection, Iterable
from dataclasses import dataclass
from functools import cache

from dpaudit.audit.structural.examine import Check, every_check
from dpaudit.audit.structural.finding import code_of
from dpaudit.records.errors import ConfigurationError, UnknownNameError

CONTROL = "repeatable replay"
"""The control of all replays, without which none of them says anything."""
FALSE_ALARMS = "False alarms"
"""The label of the paragraph of a docstring that says how they come about."""
SHARES = {"0": "it takes no share of the error budget", "alpha": "its share of the error budget of the run"}
"""What `FALSE_ALARM` of a check stands for."""


@dataclass(frozen=True)
class Explanation:
    """A check in words. code: its name as one word, for the command line; question: what it asks of a training; text:
    what it does, sees and cannot see; false_alarm: the share of the error budget that it takes, and how it may refute a
    correct training; exception: how it is said that the check does not apply."""

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
    question, _, rest = words.partition("\n\n")
    text, said = labelled(rest, (FALSE_ALARMS,))
    alarm = f"{SHARES[check.FALSE_ALARM]}. {said.get(FALSE_ALARMS, '')}".strip()
    return Explanation(check.NAME, code_of(check.NAME), " ".join(question.split()), text, alarm, check.EXCEPTION)


def labelled(words: str, labels: Collection[str]) -> tuple[str, dict[str, str]]:
    """A docstring without its paragraphs that begin with one of `labels` and a colon, and those by their label; an
    indented block belongs to the paragraph before it."""
    found: dict[str, str] = {}
    rest: list[str] = []
    label = ""
    for paragraph in words.split("\n\n"):
        first, _, said = paragraph.partition(":")
        if not paragraph.startswith(" "):
            label = first if first in labels else ""
        if not label:
            rest.append(paragraph)
        elif label in found:
            found[label] += f"\n\n{paragraph}"
        else:
            found[label] = said.strip()
    return "\n\n".join(rest), found


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
