"""DP-SGD written by hand, with one bug at a time: each must be found in one recorded training.

What: the training of dp-sgd/structural with each bug of `dpaudit.audit.planted.dp_sgd_bugs`, whose sources are in
`dp_sgd_targets`.
Why: canary audits need hundreds of trainings for most of them, and never see some; recording and replaying one training
finds each in about twenty runs.
Worst-case neighbours: a long, mislabelled record that is there or not, or that has the other label.
The adversary sees every noisy sum of gradients.
"""

from __future__ import annotations

from typing import Any

from dpaudit.audit.planted import dp_sgd
from dpaudit.audit.planted.dp_sgd_bugs import Bug
from dpaudit.audit.planted.dp_sgd_targets import SOURCES, carrier
from dpaudit.records.assumptions import Assumptions


def _assumptions(bug: Bug) -> dict[str, Any]:
    """Records belong to workers by their number, so that their order matters where there are several."""
    return {"ASSUMPTIONS": Assumptions(ordered=True)} if dp_sgd.plan(bug).workers > 1 else {}


AUDITS = tuple(carrier(bug, **_assumptions(bug)) for bug in SOURCES)
