"""Do the three forms of an algorithm compute the same? Compared on equal noise, step by step.

The reference (NumPy, float64, one trial) runs first. Each backend then takes every step from the
reference's own state with the same noise, so that errors cannot pile up or hide, in float64 and in
float32. Every number of every step must lie within the rounding bound

    |reference - backend| <= (gamma_N(u64) + gamma_N(u)) A

of `dpaudit.agreement.cases`, whose N and A the algorithm file derives; branches (drawn sets, clipped or
not) must be the same, unless the deciding number is closer to its switching point than the same bound
(a near-tie, which is counted). Whole trajectories, where errors may grow, are compared at a stated tolerance.

The folder of an algorithm takes part by `cases.agreement_cases(seed)`, a tuple of `agreement.cases.Case`; by
`reductions.reductions(seed)` it may say which other algorithms it equals for some parameters. No violation found is
CONSISTENT on the basis of a search over these cases, never a proof.
"""

from __future__ import annotations

import time
from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace
from typing import Any

import numpy as np

from dpaudit.agreement.cases import Case, Pair, Reduction, Replay, Trace
from dpaudit.agreement.forms import Forms
from dpaudit.arithmetic.arrays import Array, Flags
from dpaudit.arithmetic.roundoff import growth
from dpaudit.noise.tensors import why_unavailable
from dpaudit.records.algorithm import Algorithm, Backend
from dpaudit.records.context import Context, Level
from dpaudit.records.verdict import Basis, Evidence, Kind, Numbers, Outcome, Verdict

DTYPES = ("float64", "float32")
FORMS = tuple((backend, dtype) for backend in (Backend.NUMBA, Backend.TORCH) for dtype in DTYPES)
"""What is compared with the reference."""

TRIALS = {Level.SMOKE: 5, Level.STANDARD: 20, Level.DEEP: 100}
"""Trials of the reference per case."""

USEFUL = {"float64": 1e-9, "float32": 1e-2}
"""A bound above this, relative to the number or 1, says nothing about it."""

MOST_LOOSE = 0.05
"""The share of numbers, and of choices, that may be without a useful bound: those that a near-tie decides."""

TRAJECTORY_TOLERANCE = {"float64": 1e-9, "float32": 1e-3}
"""Of the final result of a whole run, relative to the largest number in it or 1: a stated tolerance, not a bound."""


@dataclass(frozen=True)
class Comparison:
    """One case on one backend. violation: the numbers that refute, or empty; the others: see `_numbers`."""

    compared: int
    deviation_there: float
    bound_there: float
    largest_ratio: float
    near_ties: int
    trajectory_deviation: float
    violation: Numbers = ()


def agree(forms: Forms, context: Context, named: bool = True) -> list[Verdict]:
    """One verdict per backend and dtype, ids `agree/<algorithm name>/<backend>/<dtype>`, then one per reduction.

    named: the user asks for this algorithm, so that all its forms are compared at any level. NOT_RUN with the reason
    where a form begins at a later level, or torch or the device is missing, ERROR where a form raises.
    """
    later = {form: None if named or context.level.includes(level) else level
             for form in FORMS for level in [begins(forms.algorithm, *form)]}  # fmt: skip
    reductions = [reduced(forms.algorithm, stated, context) for stated in forms.reductions(context.seed)]
    played = _compared(forms, [form for form in FORMS if later[form] is None], context)
    left = {form: _left(forms.algorithm, level, *form, context) for form, level in later.items() if level is not None}
    return [(played | left)[form] for form in FORMS] + reductions


def begins(algorithm: Algorithm, backend: Backend, dtype: str) -> Level:
    """The level at which a run of everything compares this form first: numba compiles everything anew for float32."""
    twice = (backend, dtype) == (Backend.NUMBA, "float32")
    return Level.STANDARD if twice and algorithm.from_level is Level.SMOKE else algorithm.from_level


def _left(algorithm: Algorithm, level: Level, backend: Backend, dtype: str, context: Context) -> Verdict:
    """The verdict of a form that is compared at a later level."""
    verdict = replace(_blank(algorithm, backend, dtype, context), expected=Outcome.NOT_RUN)
    return _with(verdict, Outcome.NOT_RUN, f"begins at level {level}")


def _compared(
    forms: Forms, played: Sequence[tuple[Backend, str]], context: Context
) -> dict[tuple[Backend, str], Verdict]:
    """The verdict on each of the forms `played`, on equal noise."""
    if not played:
        return {}
    started = time.perf_counter()
    algorithm, cases = forms.algorithm, forms.cases(context.seed)
    traces = [case.reference(TRIALS[context.level]) for case in cases]
    shared = (time.perf_counter() - started) / len(played)
    missing = why_unavailable(context.device)
    verdicts = {}
    for backend, dtype in played:
        started = time.perf_counter()
        context.at_work(f"{backend} {dtype}")
        verdict = _blank(algorithm, backend, dtype, context)
        if backend is Backend.TORCH and missing:
            verdict = _with(verdict, Outcome.NOT_RUN, missing)
        else:
            verdict = _judged(verdict, cases, traces, _form(backend, dtype, context.device), dtype)
        verdicts[backend, dtype] = replace(verdict, duration_s=time.perf_counter() - started + shared)
    return verdicts


def reduced(algorithm: Algorithm, reduction: Reduction, context: Context) -> Verdict:
    """The verdict `agree/<algorithm name>/reference/<last part of the reduction's id>`."""
    started = time.perf_counter()
    verdict = Verdict(
        id=f"agree/{algorithm.name}/{Backend.REFERENCE.value}/{reduction.id.rsplit('/', 1)[-1]}",
        kind=Kind.AGREEMENT,
        outcome=Outcome.ERROR,
        expected=reduction.expects,
        title=reduction.title,
        evidence=(),
        source=reduction.source,
        seed=context.seed,
        statement=reduction.statement,
    )
    try:
        pairs = reduction.pairs()
        apart = [_apart(pair) for pair in pairs]
        if reduction.expects is Outcome.REFUTED and not np.isfinite(apart).all():
            raise ValueError("what a paper prints is refuted by numbers, and these are not")
    except Exception as error:  # whatever a form raises is a finding about that form
        return _with(verdict, Outcome.ERROR, f"{type(error).__name__}: {error}")
    worst = max(range(len(pairs)), key=lambda i: apart[i] - pairs[i].tolerance)
    numbers: Numbers = (
        ("deviation", apart[worst]),
        ("bound", pairs[worst].tolerance),
        ("compared", sum(pair.left.size for pair in pairs)),
        ("cases", len(pairs)),
    )
    if apart[worst] <= pairs[worst].tolerance:
        detail = f"{dict(numbers)['compared']} numbers of {len(pairs)} instances, each equal within its tolerance"
        verdict = replace(_with(verdict, Outcome.CONSISTENT, detail, numbers), basis=Basis.SEARCH)
    else:
        detail = "the two differ by more than the tolerance"
        verdict = _with(verdict, Outcome.REFUTED, detail, numbers)
        verdict = replace(verdict, witness=_pair_witness(pairs[worst]), effect=reduction.finding)
    return replace(verdict, duration_s=time.perf_counter() - started)


def _apart(pair: Pair) -> float:
    """The largest deviation relative to max(1, |right|); infinite for NaN. Raises ValueError for unlike shapes."""
    if pair.left.shape != pair.right.shape or not pair.left.size:
        raise ValueError(f"{pair.name}: the two sides have shapes {pair.left.shape} and {pair.right.shape}")
    deviation = float(np.max(np.abs(pair.left - pair.right) / np.maximum(1.0, np.abs(pair.right))))
    return np.inf if np.isnan(deviation) else deviation


def _pair_witness(pair: Pair) -> Numbers:
    deviation = np.abs(pair.left - pair.right) / np.maximum(1.0, np.abs(pair.right))
    place = np.unravel_index(int(np.argmax(np.where(np.isnan(deviation), np.inf, deviation))), deviation.shape)
    return (
        ("instance", pair.name),
        ("position", ", ".join(map(str, place))),
        ("left", float(pair.left[place])),
        ("right", float(pair.right[place])),
        ("tolerance", pair.tolerance),
    )


def _form(backend: Backend, dtype: str, device: str) -> Callable[[Case, Trace], Replay]:
    if backend is Backend.NUMBA:
        return lambda case, trace: case.cpu(trace, dtype)
    return lambda case, trace: case.gpu(trace, dtype, device)


def _judged(
    verdict: Verdict, cases: tuple[Case, ...], traces: list[Trace], form: Callable[[Case, Trace], Replay], dtype: str
) -> Verdict:
    try:
        found = [compare(case, trace, form(case, trace), dtype) for case, trace in zip(cases, traces, strict=True)]
    except Exception as error:  # whatever a form raises is a finding about that form
        return _with(verdict, Outcome.ERROR, f"{type(error).__name__}: {error}")
    numbers = _numbers(found, len(traces[0].final), dtype)
    violation = next((one.violation for one in found if one.violation), ())
    if violation:
        return replace(
            _with(verdict, Outcome.REFUTED, "a number differs from the reference by more than rounding can", numbers),
            witness=violation,
        )
    ties = sum(one.near_ties for one in found)
    worst = max(found, key=lambda one: one.largest_ratio)
    detail = (
        f"{sum(one.compared for one in found)} numbers of {len(cases)} cases; every deviation is within "
        f"{worst.largest_ratio:.2g} of its derived bound; {ties} near-ties"
    )
    return replace(_with(verdict, Outcome.CONSISTENT, detail, numbers), basis=Basis.SEARCH)


def compare(case: Case, trace: Trace, replay: Replay, dtype: str) -> Comparison:
    """Hold one replay against the trace; NaN counts as a violation.

    Raises ValueError for a wrong shape, and where so few bounds are useful that a bug could hide.
    """
    for name in ("after", "branches", "final"):
        given, wanted = getattr(replay, name).shape, getattr(trace, name).shape
        if given != wanted:
            raise ValueError(f"{case.name}: {name} has shape {given}, the reference {wanted}")
    factor = growth(case.operations, "float64") + growth(case.operations, dtype)
    bound = factor * trace.magnitude
    deviation = np.abs(replay.after.astype(np.float64) - trace.after)
    ratio = np.divide(deviation, bound, out=np.where(deviation == 0, 0.0, np.inf), where=bound > 0)
    near = trace.tie_distance <= factor * trace.tie_magnitude
    _check_useful(case.name, ~(bound <= USEFUL[dtype] * np.maximum(1.0, np.abs(trace.after))), "numbers")
    _check_useful(case.name, near, "choices")
    scale = max(1.0, float(np.abs(trace.final).max(initial=0.0)))
    drift = float(np.abs(replay.final - trace.final).max(initial=0.0)) / scale
    worst = np.unravel_index(int(np.argmax(np.where(np.isnan(ratio), np.inf, ratio))), ratio.shape)
    violation: Numbers = ()
    if not bool((deviation <= bound).all()):
        violation = _number_witness(case, trace, replay, bound, worst)
    elif bool(((replay.branches != trace.branches) & ~near).any()):
        violation = _branch_witness(case, trace, replay, near)
    elif not drift <= TRAJECTORY_TOLERANCE[dtype]:
        violation = (("case", case.name), ("trajectory_deviation", drift), ("tolerance", TRAJECTORY_TOLERANCE[dtype]))
    return Comparison(
        compared=deviation.size + trace.branches.size,
        deviation_there=float(deviation[worst]),
        bound_there=float(bound[worst]),
        largest_ratio=float(ratio[worst]),
        near_ties=int(near.sum()),
        trajectory_deviation=drift,
        violation=violation,
    )


def _check_useful(name: str, loose: Flags, what: str) -> None:
    """One number or choice may always be loose, so that few trials do not fail for one near-tie."""
    if loose.sum() > max(1.0, MOST_LOOSE * loose.size):
        raise ValueError(
            f"{name}: rounding decides {loose.sum()} of {loose.size} {what}, so that agreement would say nothing; "
            "change the instance"
        )


def _number_witness(case: Case, trace: Trace, replay: Replay, bound: Array, at: Any) -> Numbers:
    return (
        ("case", case.name),
        ("trial", int(trace.trials[at[0]])),
        ("step", int(trace.steps[at[0]])),
        ("position", int(at[1])),
        ("reference", float(trace.after[at])),
        ("backend", float(replay.after[at])),
        ("bound", float(bound[at])),
    )


def _branch_witness(case: Case, trace: Trace, replay: Replay, near: Flags) -> Numbers:
    row, choice = np.argwhere((replay.branches != trace.branches) & ~near)[0]
    return (
        ("case", case.name),
        ("trial", int(trace.trials[row])),
        ("step", int(trace.steps[row])),
        ("choice", int(choice)),
        ("reference_branch", int(trace.branches[row, choice])),
        ("backend_branch", int(replay.branches[row, choice])),
        ("tie_distance", float(trace.tie_distance[row, choice])),
    )


def _numbers(found: list[Comparison], trials: int, dtype: str) -> Numbers:
    """deviation and bound: at the place where the one comes nearest to the other, in ratio."""
    worst = max(found, key=lambda one: one.largest_ratio)
    return (
        ("deviation", worst.deviation_there),
        ("bound", worst.bound_there),
        ("largest_ratio", worst.largest_ratio),
        ("near_ties", sum(one.near_ties for one in found)),
        ("compared", sum(one.compared for one in found)),
        ("cases", len(found)),
        ("trials", trials),
        ("trajectory_deviation", max(one.trajectory_deviation for one in found)),
        ("trajectory_tolerance", TRAJECTORY_TOLERANCE[dtype]),
    )


def _blank(algorithm: Algorithm, backend: Backend, dtype: str, context: Context) -> Verdict:
    device = f" on {context.device}" if backend is Backend.TORCH else ""
    return Verdict(
        id=f"agree/{algorithm.name}/{backend.value}/{dtype}",
        kind=Kind.AGREEMENT,
        outcome=Outcome.ERROR,
        expected=Outcome.CONSISTENT,
        title=f"{algorithm.title}: {backend.value}{device} against the reference, {dtype}",
        evidence=(),
        source=algorithm.source,
        seed=context.seed,
        statement="on equal noise every step differs from the reference by no more than rounding explains",
    )


def _with(verdict: Verdict, outcome: Outcome, detail: str, numbers: Numbers = ()) -> Verdict:
    evidence = (Evidence("agreement", outcome, detail, numbers),)
    return replace(verdict, outcome=outcome, evidence=evidence, numbers=numbers)
