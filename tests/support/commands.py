"""The commands that a page of the documentation shows."""

from __future__ import annotations

import re
from pathlib import Path


def commands_of(page: Path) -> list[list[str]]:
    """The words of every `dpaudit` command of a page or recipe."""
    text = page.read_text(encoding="utf-8")
    found = re.findall(r"(?:^\$ |run: |commands = |`)(dpaudit [^`\n]+)", text, flags=re.MULTILINE)
    return [line.split() for line in found]
