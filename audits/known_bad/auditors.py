"""Auditors with one bug at a time: each must be refuted by bounds that are too large too often.

What: the lower bounds on epsilon of `dpaudit.audit.planted.auditors`, whose sources are in `auditor_targets`.
Why: four published auditors were wrong when they were measured, one of them on identical distributions; nobody had
played them on laws whose epsilon is known.
The adversary sees scores.
"""

from __future__ import annotations

from types import SimpleNamespace
from typing import Any

from dpaudit.audit.planted.auditor_targets import CASES, Case


def _audit(case: Case) -> SimpleNamespace:
    laws: dict[str, Any] = {} if case.laws is None else {"LAWS": case.laws}
    return SimpleNamespace(
        TARGET=case.target(broken=True),
        __doc__=case.words(broken=True),
        bounds=case.broken,
        REPETITIONS=case.repetitions,
        **laws,
    )


AUDITS = tuple(map(_audit, CASES))
