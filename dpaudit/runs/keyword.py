"""The expression of -k: which names hold which words, such as `srgd and not (THM or LEM)`."""

from __future__ import annotations

import re
from collections.abc import Callable, Sequence

from dpaudit.records.errors import ConfigurationError, nearest

Chooser = Callable[[str], bool]
"""Is the item of this name chosen?"""

_OPERATORS = ("and", "or", "not", "(", ")")


def chooser(expression: str) -> Chooser:
    """What an expression asks of a name: words that it must hold, whatever their capitals, with and, or, not, brackets.

    Words side by side must all be held. ConfigurationError for an expression that cannot be read.
    """
    tokens = _tokens(expression)
    found, rest = _either(expression, tokens)
    if rest:
        raise _unreadable(expression, f"{rest[0]!r} is one too many")
    return found


def refuse_nothing(expression: str, names: Sequence[str]) -> ConfigurationError:
    """The error of an expression that chooses none of `names`: which of its words no name holds, and what is near."""
    words = [word for word in _tokens(expression) if word not in _OPERATORS]
    absent = [word for word in words if not any(word.casefold() in name.casefold() for name in names)]
    parts = {part for name in names for part in (name, *re.split(r"[/~]", name))}
    near = [repr(one) for word in absent for one in nearest(word, parts, most=1)]
    what = f"no name holds {' or '.join(map(repr, absent))}" if absent else "no name holds what it asks for at once"
    hint = f"; did you mean {' or '.join(near)}?" if near else ""
    return ConfigurationError(
        f"-k {expression!r} chooses none of {len(names)} items: {what}{hint} (all names: dpaudit list)"
    )


def _tokens(expression: str) -> list[str]:
    return re.findall(r"[()]|[^\s()]+", expression)


def _either(text: str, tokens: list[str]) -> tuple[Chooser, list[str]]:
    """The chooser of terms joined by `or`, and the tokens after them."""
    first, rest = _both(text, tokens)
    if rest[:1] != ["or"]:
        return first, rest
    second, rest = _either(text, rest[1:])
    return lambda name: first(name) or second(name), rest


def _both(text: str, tokens: list[str]) -> tuple[Chooser, list[str]]:
    """The chooser of terms joined by `and`, or by nothing."""
    first, rest = _one(text, tokens)
    if rest[:1] in ([], ["or"], [")"]):
        return first, rest
    second, rest = _both(text, rest[1:] if rest[0] == "and" else rest)
    return lambda name: first(name) and second(name), rest


def _one(text: str, tokens: list[str]) -> tuple[Chooser, list[str]]:
    """The chooser of a word, of `not` a term, or of what brackets hold."""
    if not tokens or tokens[0] in ("and", "or", ")"):
        raise _unreadable(text, f"a word is missing {f'before {tokens[0]!r}' if tokens else 'at the end'}")
    head, rest = tokens[0], tokens[1:]
    if head == "not":
        inner, rest = _one(text, rest)
        return lambda name: not inner(name), rest
    if head == "(":
        inner, rest = _either(text, rest)
        if rest[:1] != [")"]:
            raise _unreadable(text, "a bracket is not closed")
        return inner, rest[1:]
    word = head.casefold()
    return lambda name: word in name.casefold(), rest


def _unreadable(text: str, why: str) -> ConfigurationError:
    return ConfigurationError(f"-k {text!r} cannot be read: {why}; write words with and, or, not and brackets")
