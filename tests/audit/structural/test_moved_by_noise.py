"""Statistics that follow a noisy number which nobody told of refute nothing."""

from __future__ import annotations

from functools import partial
from typing import Any

import numpy as np

from dpaudit.audit.structural.examine import examine
from dpaudit.audit.structural.finding import Finding
from dpaudit.audit.structural.recording import Recorder
from dpaudit.records.assumptions import Assumptions
from dpaudit.records.privacy import claim
from dpaudit.records.verdict import Outcome

DATA = np.random.default_rng(0).normal(size=(40, 3)) + 1.0
STEPS = 4


def bounded(data: Any, recorder: Recorder, told: bool, factor: float = 1.0, noise: float = 4.0) -> None:
    """Sums that are clipped to a norm which follows a noisy count of the records, and divided by it."""
    rng, norm = np.random.default_rng(recorder.seed), 4.0
    rows = np.nan_to_num(data)
    lengths = np.linalg.norm(rows, axis=1, keepdims=True)
    for _ in range(STEPS):
        total = factor * (rows * np.minimum(1.0, norm / np.maximum(lengths, 1e-9))).sum(axis=0) / norm
        recorder.release("sum", total, 2 * rng.normal(size=3), sensitivity=1.0, noise_scale=2.0)
        count, drawn = float(len(rows)), noise * rng.normal()
        seen = recorder.release("count", count, drawn, sensitivity=1.0, noise_scale=noise) if told else count + drawn
        norm = norm * float(np.exp(3 * (seen / 40 - 1.0)))
    recorder.output("norm", norm)


def found(**options: Any) -> dict[str, Finding]:
    findings = examine(
        partial(bounded, **options), DATA, (), claim(mu=4.0), seed=3, alpha=1e-6,
        assumptions=Assumptions(shared_generators=True, checked_records=True),
    )  # fmt: skip
    return {one.check: one for one in findings}


def refuted(findings: dict[str, Finding]) -> set[str]:
    return {name for name, one in findings.items() if one.outcome is Outcome.REFUTED}


def test_a_norm_with_noise_of_which_nobody_is_told_is_no_witness() -> None:
    findings = found(told=False)
    assert not refuted(findings)
    assert findings["sensitivity"].outcome is Outcome.INCONCLUSIVE
    assert "recorder.release" in findings["sensitivity"].detail


def test_told_of_it_is_consistent() -> None:
    findings = found(told=True)
    assert not refuted(findings)
    assert findings["sensitivity"].outcome is Outcome.CONSISTENT


def test_what_moves_too_far_before_any_noisy_number_is_refuted() -> None:
    """Twice the sum: so it is in the first step, which no draw changes."""
    assert "sensitivity" in refuted(found(told=False, factor=2.0))


def test_a_norm_without_noise_is_refuted() -> None:
    assert "sensitivity" in refuted(found(told=False, noise=0.0))
