"""Small certificates for Coq, and the mark of tests that need it."""

from __future__ import annotations

import shutil
from typing import Any

import pytest
from domains import stated, written

from dpaudit.kernel import coqc
from dpaudit.kernel.export import Exported, export
from dpaudit.kernel.judge import Judged, judge

needs_coq = pytest.mark.skipif(shutil.which("coqc") is None, reason=f"coqc is absent: {coqc.INSTALL}")
POSITIVE: dict[str, Any] = {"by": "positive"}
SAME: dict[str, Any] = {"by": "identical"}


def certified(text: str, node: dict[str, Any], *rows: str, **more: Any) -> dict[str, Any]:
    """A certificate of a statement on a domain."""
    conditions = more.pop("conditions", ())
    return written(stated(text, *rows, conditions=conditions), node, **more)


def opinions(*data: dict[str, Any]) -> list[Judged]:
    """What Coq says of certificates."""
    return list(judge({str(i): one for i, one in enumerate(data)}, workers=1).values())


def text_of(text: str, node: dict[str, Any], *rows: str, **more: Any) -> Exported:
    """The text of a certificate of a statement on a domain."""
    return export(certified(text, node, *rows, **more))
