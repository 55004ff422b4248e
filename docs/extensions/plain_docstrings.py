"""Docstrings of dpaudit are plain text, with code between single backticks and indented blocks: nothing else is markup.

Without this, reStructuredText reads `2**n` as the start of bold text and `|x|` as a substitution.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator
from typing import Any

from sphinx.application import Sphinx

ACTIVE = re.compile(r"([*|_\\])")
BLOCK = "    "


def escaped(line: str) -> str:
    """`line` with a backslash before every sign that is markup outside of backticks; a bullet stays one."""
    bullet = re.match(r"\s*\* ", line)
    start = bullet[0] if bullet else ""
    pieces = re.split(r"(`[^`]*`)", line[len(start) :])
    return start + "".join(p if p.startswith("`") else ACTIVE.sub(r"\\\1", p) for p in pieces)


def plain(lines: Iterable[str]) -> Iterator[str]:
    """The lines of a docstring as reStructuredText; an indented block after an empty line is shown as it stands."""
    inside, above = False, ""
    for line in lines:
        starts = line.startswith(BLOCK) and not above and not inside
        inside = starts or (inside and (line.startswith(BLOCK) or not line))
        if starts:
            yield from ("::", "")
        yield line if inside else escaped(line)
        above = line


def escape(app: Sphinx, what: str, name: str, obj: object, options: object, lines: list[str]) -> None:
    """Escape a docstring in place, before it is parsed."""
    lines[:] = plain(lines)


def setup(app: Sphinx) -> dict[str, Any]:
    """Called by Sphinx."""
    app.connect("autodoc-process-docstring", escape)
    return {"parallel_read_safe": True}
