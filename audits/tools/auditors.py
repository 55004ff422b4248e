"""Auditors with one bug at a time, refuted by bounds that are too large too often, and their correct twins.

What: the lower bounds on epsilon of `dpaudit.audit.planted.auditors`, with their sources, and the
bound by counts that dpaudit prints.
Why: four published auditors were wrong when they were measured, one of them on identical distributions; nobody had
played them on laws whose epsilon is known. An audit that refutes the auditors as they must be has a wrong law.
The adversary sees scores.
"""

from __future__ import annotations

import math

import numpy as np

from dpaudit.arithmetic.arrays import Array
from dpaudit.audit.planted.auditors import CASES
from dpaudit.content.audits import Audit
from dpaudit.estimators import held_out_threshold
from dpaudit.records.privacy import View, claim
from dpaudit.records.target import Target, TrialPlan

Scores = Array


def counts(scores_in: Scores, scores_out: Scores, delta: float, alpha: float) -> float:
    """The bound by counts that dpaudit prints."""
    return held_out_threshold.lower_bound(scores_in, scores_out, delta, alpha, np.random.default_rng(0)).epsilon_lower


OWN = Audit(
    Target(
        name="auditor/dpaudit-counts",
        title="Lower bound on epsilon: counts at a threshold that is held out, of dpaudit",
        view=View.TRANSCRIPT,
        claim=claim(epsilon=math.inf, source="docs/statistics.md, counts"),
        trials=None,
        effect="the bounds that dpaudit prints are too large too often",
    ),
    bounds=counts,
    repetitions=TrialPlan(smoke=100, standard=2_000, deep=10_000),
)
TWINS = {case.twin: case.audit(broken=False) for case in CASES}
"""Several bugs are of one auditor."""

AUDITS = (*TWINS.values(), OWN, *(case.audit(broken=True) for case in CASES))
