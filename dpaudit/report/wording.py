"""Values of records as text of a page: cleaned, cut, rounded, flattened."""

from __future__ import annotations

import re
from urllib.parse import quote

from dpaudit.records.hidden import visible
from dpaudit.records.verdict import Scalar

MAX_TEXT = 4_000


def clean(text: str, most: int = MAX_TEXT) -> str:
    """`visible` text, cut to `most` characters."""
    text = visible(text)
    if len(text) <= most:
        return text
    return f"{text[:most]} [{len(text) - most} more characters in records.jsonl]"


def number(value: Scalar) -> str:
    """A number for a table: four significant digits, integers in full, text as it is."""
    if value is None:
        return "none"
    if isinstance(value, bool):
        return "yes" if value else "no"
    if isinstance(value, float):
        return f"{value:.4g}"
    return str(value)


_POINT = re.compile(r"\[(-?\d+(?:\.\d+)?)((?:e[-+]?\d+)?), \1\2\]")


def points(value: Scalar) -> str:
    """A value as text: six significant digits of a float; an interval with the same end twice is one number, without
    zeros that say nothing."""
    if isinstance(value, float):
        return f"{value:.6g}"
    return _POINT.sub(lambda found: _short(found[1]) + found[2], str(value))


def _short(decimal: str) -> str:
    return decimal.rstrip("0").removesuffix(".") if "." in decimal else decimal


def anchor(name: str) -> str:
    """The fragment of a verdict id, the same in `id` and in `href`."""
    return "v-" + quote(clean(name), safe="/~")


def finding(name: str) -> str:
    """The fragment of the finding on a verdict, which tells more of it than its row in a table."""
    return f"finding-{anchor(name)}"


def file(path: str, above: str = "") -> str:
    """A path in the run folder as the address of a link from its page; a scheme in it is no scheme.

    above: what leads from the page to the run folder.
    """
    return above + quote(clean(path), safe="/~")


def plain(data: object, prefix: str = "") -> list[tuple[str, str]]:
    """Nested JSON as (dotted name, text) lines."""
    if isinstance(data, dict) and data:
        return [line for key, item in data.items() for line in plain(item, f"{prefix}.{key}" if prefix else str(key))]
    if isinstance(data, list) and data and any(isinstance(item, (dict, list)) for item in data):
        return [line for place, item in enumerate(data) for line in plain(item, f"{prefix}[{place}]")]
    if isinstance(data, list):
        return [(prefix, ", ".join(str(item) for item in data) or "none")]
    return [(prefix, "none" if data in (None, "", {}) else str(data))]
