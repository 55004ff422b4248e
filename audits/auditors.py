"""The correct twins of the broken auditors, and the bound by counts that dpaudit prints.

What: the lower bounds on epsilon of `dpaudit.audit.planted.auditors` as they must be.
Why: an audit of auditors that refutes these has a wrong law.
The adversary sees scores.
"""

from __future__ import annotations

import math
from types import SimpleNamespace
from typing import Any

import numpy as np
from numpy.typing import NDArray

from dpaudit.audit.planted.auditor_targets import CASES, Case
from dpaudit.estimators import held_out_threshold
from dpaudit.records.privacy import ApproximateDP, Neighbours, PrivacyClaim, View
from dpaudit.records.target import Target, TrialPlan

Scores = NDArray[np.float64]


def _audit(case: Case) -> SimpleNamespace:
    laws: dict[str, Any] = {} if case.laws is None else {"LAWS": case.laws}
    return SimpleNamespace(
        TARGET=case.target(broken=False),
        __doc__=case.words(broken=False),
        bounds=case.correct,
        REPETITIONS=TrialPlan(smoke=200, standard=2_000, deep=12_000),
        **laws,
    )


def _counts(scores_in: Scores, scores_out: Scores, delta: float, alpha: float) -> float:
    return held_out_threshold.lower_bound(scores_in, scores_out, delta, alpha, np.random.default_rng(0)).epsilon_lower


OWN = SimpleNamespace(
    TARGET=Target(
        name="auditor/dpaudit-counts",
        title="Lower bound on epsilon: counts at a threshold that is held out, of dpaudit",
        view=View.TRANSCRIPT,
        claim=PrivacyClaim(
            ApproximateDP(math.inf, 0.0), Neighbours.ADD_OR_REMOVE, delta=1e-5, source="docs/statistics.md, counts"
        ),
        trials=None,
        effect="the bounds that dpaudit prints are too large too often",
    ),
    __doc__="The bound by counts that dpaudit prints. The adversary sees scores.",
    bounds=_counts,
    REPETITIONS=TrialPlan(smoke=100, standard=2_000, deep=10_000),
)

AUDITS = (*{case.twin: _audit(case) for case in CASES}.values(), OWN)
