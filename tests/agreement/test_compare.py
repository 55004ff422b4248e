"""Agreement: right forms pass, one wrong digit, branch or trajectory is refuted, what is missing is NOT_RUN."""

from __future__ import annotations

import sys
from collections.abc import Callable
from dataclasses import replace
from typing import Any

import numpy as np
import pytest

from dpaudit.agreement.cases import Case, Pair, Reduction, Replay, Trace
from dpaudit.agreement.compare import FORMS, agree, compare
from dpaudit.algorithms import _template
from dpaudit.algorithms.rbcd import dp_skgd
from dpaudit.algorithms.resque import resque_estimate
from dpaudit.algorithms.srm import dp_srm
from dpaudit.arithmetic.roundoff import growth
from dpaudit.content.loading import forms_of
from dpaudit.records.context import Context, Level
from dpaudit.records.errors import install_line
from dpaudit.records.verdict import Basis, Kind, Outcome, Verdict

SMOKE = Context(11, Level.SMOKE, 1e-3)


@pytest.mark.deep(keep=1)
@pytest.mark.parametrize("module", [dp_skgd, dp_srm, resque_estimate, _template], ids=lambda m: m.__name__)
def test_the_shipped_algorithms_agree(module: Any) -> None:
    verdicts = agree(forms_of(module), SMOKE)
    name = module.ALGORITHM.name
    assert [v.id for v in verdicts if "/reference/" not in v.id] == [
        f"agree/{name}/{backend}/{dtype}" for backend in ("numba", "torch") for dtype in ("float64", "float32")
    ]
    for verdict in verdicts[:4]:
        assert verdict.kind is Kind.AGREEMENT
        assert (verdict.outcome, verdict.basis) == (Outcome.CONSISTENT, Basis.SEARCH), verdict.evidence
        numbers = dict(verdict.numbers)
        assert numbers["compared"] > 0
        assert 0 <= numbers["largest_ratio"] < 1
        # A bound a thousand times above what is seen would hide a bug.
        assert numbers["bound"] < (1e-12 if verdict.id.endswith("64") else 1e-3)


def test_forms_that_begin_at_a_later_level_are_not_compared_but_reductions_are() -> None:
    assert forms_of(dp_srm).algorithm.from_level is Level.STANDARD
    verdicts = agree(forms_of(dp_srm), SMOKE, named=False)
    left, stated = verdicts[:4], verdicts[4:]
    assert [(v.outcome, v.expected) for v in left] == [(Outcome.NOT_RUN, Outcome.NOT_RUN)] * 4
    assert {v.evidence[0].detail for v in left} == {"begins at level standard"}
    assert {v.outcome for v in stated} == {Outcome.CONSISTENT}
    assert len(stated) == len(forms_of(dp_srm).reductions(SMOKE.seed))


def test_numba_is_compared_in_single_precision_from_standard_on_or_by_name() -> None:
    forms = forms_of(resque_estimate)
    assert forms.algorithm.from_level is Level.SMOKE
    late = "agree/resque/ALG-1/numba/float32"
    assert {v.id for v in agree(forms, SMOKE, named=False) if v.outcome is Outcome.NOT_RUN} == {late}
    for named, level in ((False, Level.STANDARD), (True, Level.SMOKE)):
        found = agree(forms, replace(SMOKE, level=level), named=named)
        assert {v.outcome for v in found} == {Outcome.CONSISTENT}
        assert [v.id for v in found][:4] == [f"agree/resque/ALG-1/{b}/{d}" for b, d in FORMS]


def broken(change: Callable[[Case], Case]) -> list[Verdict]:
    """The verdicts on the template with a changed case."""
    cases = tuple(change(case) for case in forms_of(_template).cases(SMOKE.seed))
    return agree(replace(forms_of(_template), cases=lambda seed: cases), SMOKE)


def shifted(replay: Replay, row: int, column: int, by: float) -> Replay:
    after = replay.after.astype(np.float64)
    after[row, column] += by
    return replace(replay, after=after)


def test_a_deviation_beyond_rounding_is_refuted_with_its_place() -> None:
    def change(case: Case) -> Case:
        return replace(case, cpu=lambda trace, dtype: shifted(case.cpu(trace, dtype), 3, 2, 1e-13))

    double, single = broken(change)[:2]
    witness = dict(double.witness)
    assert double.outcome is Outcome.REFUTED
    assert (witness["case"], witness["trial"], witness["step"], witness["position"]) == ("normal records", 3, 0, 2)
    assert abs(witness["reference"] - witness["backend"]) > witness["bound"]
    assert not double.as_expected
    assert single.outcome is Outcome.CONSISTENT, "1e-13 is far below what float32 rounds"


def test_nan_never_passes() -> None:
    def change(case: Case) -> Case:
        return replace(case, gpu=lambda trace, dtype, device: shifted(case.gpu(trace, dtype, device), 0, 0, np.nan))

    assert [v.outcome for v in broken(change)] == [Outcome.CONSISTENT] * 2 + [Outcome.REFUTED] * 2


@pytest.mark.parametrize("factor", [1 + 1e-6, np.nan])
def test_a_drifting_trajectory_is_refuted(factor: float) -> None:
    def change(case: Case) -> Case:
        def drift(trace: Trace, dtype: str) -> Replay:
            replay = case.cpu(trace, dtype)
            return replace(replay, final=replay.final * factor)

        return replace(case, cpu=drift)

    double = broken(change)[0]
    assert double.outcome is Outcome.REFUTED
    assert dict(double.witness)["tolerance"] == 1e-9


def test_a_crash_is_an_error_of_that_backend_only() -> None:
    def fail(trace: Trace, dtype: str) -> Replay:
        raise ZeroDivisionError("by design")

    verdicts = broken(lambda case: replace(case, cpu=fail))
    assert [v.outcome for v in verdicts] == [Outcome.ERROR] * 2 + [Outcome.CONSISTENT] * 2
    assert verdicts[0].evidence[0].detail == "ZeroDivisionError: by design"


def test_a_wrong_shape_is_an_error() -> None:
    def crop(case: Case) -> Case:
        def cropped(trace: Trace, dtype: str) -> Replay:
            return replace(case.cpu(trace, dtype), after=trace.after[:-1])

        return replace(case, cpu=cropped)

    assert "after has shape (4, 3), the reference (5, 3)" in broken(crop)[0].evidence[0].detail


def branching(distance: float, other: int) -> tuple[Case, Trace, Replay]:
    """One number, one choice; the backend took `other` at `distance` from the switching point."""
    zero, number = np.zeros(1, dtype=np.int64), np.array([[1.0]])
    trace = Trace(zero, zero, number, number, number, zero[:, None], np.array([[distance]]), np.array([[2.0]]), number)
    case = Case("choice", None, 10, lambda n: trace, lambda t, d: replay, lambda t, d, e: replay)
    replay = Replay(number, np.array([[other]]), number)
    return case, trace, replay


def test_a_different_branch_is_refuted_unless_it_is_a_near_tie() -> None:
    tie = 2.0 * 2 * growth(10, "float64")
    clear = compare(*branching(1.01 * tie, 1), "float64")
    assert dict(clear.violation)["backend_branch"] == 1
    near = compare(*branching(0.99 * tie, 1), "float64")
    assert (near.violation, near.near_ties) == ((), 1)
    same = compare(*branching(1.01 * tie, 0), "float64")
    assert (same.violation, same.near_ties) == ((), 0)


def unbounded(trace: Trace, rows: int, field: str) -> Trace:
    """The trace with bounds of the first rows that nothing exceeds."""
    changed = getattr(trace, field).copy()
    changed[:rows] = np.inf
    return replace(trace, **{field: changed})


@pytest.mark.parametrize("field", ["magnitude", "tie_magnitude"])
def test_bounds_that_hide_everything_are_an_error_and_one_near_tie_is_not(field: str) -> None:
    case = forms_of(dp_skgd).cases(SMOKE.seed)[0]
    trace = case.reference(5)
    trace = replace(trace, tie_distance=np.minimum(trace.tie_distance, 1.0))
    replay = case.cpu(trace, "float64")
    assert compare(case, unbounded(trace, 0, field), replay, "float64").violation == ()
    few, many = (unbounded(trace, rows, field) for rows in (1, len(trace.after)))
    columns = getattr(trace, field).shape[1]
    assert columns == 1 or columns <= 0.05 * getattr(trace, field).size
    assert compare(case, few, replay, "float64").violation == ()
    what = "numbers" if field == "magnitude" else "choices"
    with pytest.raises(ValueError, match=f"rounding decides .* {what}.*change the instance"):
        compare(case, many, replay, "float64")


@pytest.mark.deep
def test_a_transcript_that_a_run_keeps_wrongly_is_refuted(monkeypatch: pytest.MonkeyPatch) -> None:
    """Single steps and the last state are right; only the released rows are late by one step."""
    right = dp_srm.gpu

    def late(*arguments: Any) -> Any:
        found = right(*arguments)
        return found.roll(1, dims=1) if arguments[3] == "transcript" else found

    monkeypatch.setattr(dp_srm, "gpu", late)
    for verdict in agree(forms_of(dp_srm), SMOKE)[2:4]:
        assert verdict.outcome is Outcome.REFUTED
        assert "trajectory_deviation" in dict(verdict.witness)


@pytest.mark.deep
def test_a_float32_form_that_computes_in_float64_is_an_error(monkeypatch: pytest.MonkeyPatch) -> None:
    right = dp_srm.gpu

    def wide(*arguments: Any) -> Any:
        return right(*arguments[:-1], "float64")

    monkeypatch.setattr(dp_srm, "gpu", wide)
    double, single = agree(forms_of(dp_srm), SMOKE)[2:4]
    assert double.outcome is Outcome.CONSISTENT
    assert "a whole run in float32 gives float64 outputs" in single.evidence[0].detail


@pytest.mark.deep
def test_a_wrong_sampler_shows_as_a_branch(monkeypatch: pytest.MonkeyPatch) -> None:
    """A torch form that takes the set on the other side of the interval."""
    right = dp_skgd.advance_gpu

    def wrong(*arguments: Any) -> Any:
        after, sets = right(*arguments)
        return after, (sets + 1) % 2

    monkeypatch.setattr(dp_skgd, "advance_gpu", wrong)
    verdict = agree(forms_of(dp_skgd), SMOKE)[2]
    assert verdict.outcome is Outcome.REFUTED
    assert "reference_branch" in dict(verdict.witness)


def reduced(left: Any, right: Any, tolerance: float = 0.0, **changes: Any) -> Verdict:
    """The verdict on a reduction of one pair."""
    pair = Pair("the instance", np.asarray(left), np.asarray(right), tolerance)
    stated = Reduction("template/RED-1", "it is itself", "the two are equal", "nobody, 1", lambda: (pair,), **changes)
    return agree(replace(forms_of(_template), reductions=lambda seed: (stated,)), SMOKE)[-1]


def test_a_reduction_that_holds_is_consistent_and_named_after_its_algorithm() -> None:
    verdict = reduced([1.0, 2.0], [1.0, 2.0])
    assert verdict.id == "agree/template/ALG-1/reference/RED-1"
    assert (verdict.outcome, verdict.basis, verdict.kind) == (Outcome.CONSISTENT, Basis.SEARCH, Kind.AGREEMENT)
    assert dict(verdict.numbers) == {"deviation": 0.0, "bound": 0.0, "compared": 2, "cases": 1}


@pytest.mark.parametrize(
    ("wrong", "expects"),
    [(2.0 * (1 + 2e-16 * 2), Outcome.REFUTED), (np.nan, Outcome.CONSISTENT)],
    ids=["one bit", "NaN"],
)
def test_a_reduction_that_fails_is_refuted_with_its_place(wrong: float, expects: Outcome) -> None:
    verdict = reduced([1.0, wrong], [1.0, 2.0], expects=expects, finding="it is not")
    assert (verdict.outcome, verdict.expected, verdict.effect) == (Outcome.REFUTED, expects, "it is not")
    witness = dict(verdict.witness)
    assert (witness["instance"], witness["position"], witness["right"]) == ("the instance", "1", 2.0)


def test_a_printed_falsehood_is_refuted_by_numbers_only() -> None:
    assert reduced([1.0], [2.0], expects=Outcome.REFUTED, finding="wrong").outcome is Outcome.REFUTED
    for wrong in (np.nan, np.inf):
        verdict = reduced([wrong], [2.0], expects=Outcome.REFUTED, finding="wrong")
        assert verdict.outcome is Outcome.ERROR
        assert "refuted by numbers" in verdict.evidence[0].detail


def test_a_reduction_has_a_stated_tolerance_and_like_shapes() -> None:
    assert reduced([1.0], [1.0 + 1e-9], 1e-8).outcome is Outcome.CONSISTENT
    assert reduced([1.0], [1.0 + 1e-7], 1e-8).outcome is Outcome.REFUTED
    assert reduced([100.0], [100.0 + 1e-7], 1e-8).outcome is Outcome.CONSISTENT, "relative above 1"
    crashed = reduced([1.0], [1.0, 2.0])
    assert crashed.outcome is Outcome.ERROR
    assert "shapes (1,) and (2,)" in crashed.evidence[0].detail
    assert reduced([], []).outcome is Outcome.ERROR


def test_without_torch_its_rows_are_not_run(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(sys.modules, "torch", None)
    verdicts = agree(forms_of(_template), SMOKE)
    assert [v.outcome for v in verdicts] == [Outcome.CONSISTENT] * 2 + [Outcome.NOT_RUN] * 2
    assert verdicts[2].evidence[0].detail == f"torch is not installed; run: {install_line('torch')}"


def test_an_absent_device_is_not_run_with_the_reason() -> None:
    verdicts = agree(forms_of(_template), replace(SMOKE, device="banana"))
    assert [v.outcome for v in verdicts] == [Outcome.CONSISTENT] * 2 + [Outcome.NOT_RUN] * 2
    assert "torch cannot use the device 'banana'" in verdicts[3].evidence[0].detail


def test_the_same_seed_gives_the_same_numbers() -> None:
    first, second = (agree(forms_of(resque_estimate), SMOKE) for _ in range(2))
    assert [v.numbers for v in first] == [v.numbers for v in second]
