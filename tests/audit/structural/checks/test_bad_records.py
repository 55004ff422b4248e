"""Broken records and odd batches."""

from __future__ import annotations

import math

import pytest
from recordings import recording

from dpaudit.audit.structural.checks import bad_records
from dpaudit.audit.structural.finding import Pair
from dpaudit.records.verdict import Outcome


def pair(label: str, first: float, second: float) -> Pair:
    return (label, *(recording({"statistic": s, "sensitivity": 1.0}) for s in (first, second)))


@pytest.mark.parametrize("value", [math.nan, math.inf, 1e30, 2.0])
def test_a_bad_record_that_moves_too_far_is_refuted(value: float) -> None:
    assert bad_records.check([pair("NaN record", 0.0, value)]).outcome is Outcome.REFUTED
    assert bad_records.check([pair("NaN record", 0.0, 1.0)]).outcome is Outcome.CONSISTENT


def test_odd_batches_need_only_be_finite() -> None:
    assert bad_records.check([], [pair("empty batches", 0.0, 9.0)]).outcome is Outcome.CONSISTENT
    assert bad_records.check([], [pair("empty batches", 0.0, math.nan)]).outcome is Outcome.REFUTED


def test_refused_records_are_listed() -> None:
    found = bad_records.check([pair("huge record", 0.0, 1.0)], refused=[("NaN record", "ValueError")])
    assert found.outcome is Outcome.CONSISTENT
    assert "NaN record (ValueError)" in found.detail
    assert bad_records.check([], refused=[("NaN record", "ValueError")]).outcome is Outcome.NOT_RUN
