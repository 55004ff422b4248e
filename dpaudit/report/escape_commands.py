"""What a GitHub runner would take for a command in a log, written so that it does not.

A runner reads standard output and standard error line by line. It obeys a line that begins with `::`, spaces before it
left out, and, in an older form that it still knows, `##[` anywhere in a line (`ActionCommand.TryParseV2` and `TryParse`
in src/Runner.Common/ActionCommand.cs of github.com/actions/runner). Titles and messages come from files of others.
"""

from __future__ import annotations

import re

_MODERN = re.compile(r"^(\s*:):", flags=re.MULTILINE)
_LEGACY = "##["


def disarm(text: str) -> str:
    """`text` for people with a space in every such mark."""
    return _MODERN.sub(r"\1 :", text).replace(_LEGACY, "# #[")


def disarm_json(text: str) -> str:
    """The same JSON value; no line of JSON begins with `::`, so that only the older form can occur, inside a string."""
    return text.replace(_LEGACY, "#\\u0023[")


def disarm_xml(text: str) -> str:
    """The same XML document; both marks can occur in character data alone."""
    return _MODERN.sub(r"\1&#58;", text).replace(_LEGACY, "#&#35;[")
