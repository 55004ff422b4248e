"""A printed formula as MathML, which browsers typeset without a script.

Formulas come from claim files, which other people write. Only elements and attributes of MathML that draw something
pass, and every text is escaped; what the converter does not understand is shown as it was written.
"""

from __future__ import annotations

import html
from collections.abc import Iterator
from functools import lru_cache
from typing import Any

from dpaudit.report import wording

MOST_SIGNS = 2_000
"""Longest formula that is typeset."""
ELEMENTS = frozenset({
    "math", "mrow", "mi", "mn", "mo", "mtext", "mspace", "ms", "msub", "msup", "msubsup", "munder", "mover",
    "munderover", "mfrac", "msqrt", "mroot", "mtable", "mtr", "mtd", "mpadded", "mphantom", "mstyle", "menclose",
    "mmultiscripts", "mprescripts", "none",
})  # fmt: skip
ATTRIBUTES = frozenset({
    "display", "displaystyle", "scriptlevel", "mathvariant", "stretchy", "fence", "form", "lspace", "rspace",
    "minsize", "maxsize", "linethickness", "columnalign", "rowspacing", "columnspacing", "accent", "accentunder",
    "movablelimits", "width", "linebreak", "notation", "symmetric",
})  # fmt: skip


@lru_cache(maxsize=4096)
def mathml(formula: str) -> str:
    """The formula, TeX without dollar signs, as an element `math`; empty if it cannot be typeset."""
    try:
        from latex2mathml.converter import convert_to_element
    except ImportError:
        return ""
    if not formula.strip() or len(formula) > MOST_SIGNS:
        return ""
    try:
        return "".join(_written(convert_to_element(wording.clean(formula), display="block")))
    except Exception:  # the converter has a dozen exceptions of no common kind; what it raises for is shown as written
        return ""


class _Refused(Exception):
    """An element that draws nothing, or draws something from elsewhere."""


def _written(element: Any) -> Iterator[str]:
    if element.tag not in ELEMENTS:
        raise _Refused(element.tag)
    drawn = ((name, value) for name, value in element.items() if name in ATTRIBUTES)
    attributes = "".join(f' {name}="{_escaped(value)}"' for name, value in drawn)
    yield f"<{element.tag}{attributes}>{_escaped(element.text)}"
    for child in element:
        yield from (*_written(child), _escaped(child.tail))
    yield f"</{element.tag}>"


def _escaped(text: str | None) -> str:
    """The text that the converter means, which writes signs as entities of HTML."""
    return html.escape(wording.clean(html.unescape(text or "")))
