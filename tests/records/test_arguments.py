"""Wrong arguments of what users write: one sentence that says what was given, what is allowed, what to do."""

from __future__ import annotations

import dataclasses
import json
import pickle
from fractions import Fraction
from typing import Any

import numpy as np
import pytest

from dpaudit.claims.writing import erratum, step
from dpaudit.content.audits import Audit
from dpaudit.records.arguments import checked
from dpaudit.records.assumptions import Assumptions
from dpaudit.records.claim import Claim, ClaimKind, Statement, Step, real
from dpaudit.records.errors import ContentError, UnknownNameError
from dpaudit.records.mechanism import Composed, Gaussian, PoissonSampled, SelfComposed
from dpaudit.records.privacy import ApproximateDP, GaussianDP, Neighbours, PrivacyClaim, View, claim
from dpaudit.records.serial import encode
from dpaudit.records.target import Target, TrialPlan

R = real("r")
STATED = claim(epsilon=1.0)
PLAN = TrialPlan(2, 2, 2)


def a_target(**changes: Any) -> Target:
    given = {"name": "a/b", "title": "t", "view": View.LOSS, "claim": STATED, "trials": PLAN}
    return Target(**(given | changes))


CASES: tuple[tuple[Any, tuple[Any, ...], dict[str, Any], str], ...] = (
    (claim, (), {"epsilon": "1.0"}, r"claim: epsilon must be a number or None, got '1.0' \(str\); write it without"),
    (ApproximateDP, ("1.0", 0.0), {}, "ApproximateDP: epsilon must be a number, got '1.0' .*; write it without"),
    (GaussianDP, (Fraction(1, 2),), {}, r"GaussianDP: mu must be a number, got .*; write float\(...\) around it"),
    (GaussianDP, (np.ones(2),), {}, r"GaussianDP: mu must be a number, got array\(\[1., 1.\]\) \(ndarray\)"),
    (GaussianDP, (np.True_,), {}, r"GaussianDP: mu must be a number, got "),
    (GaussianDP, (True,), {}, r"GaussianDP: mu must be a number, got True \(bool\)$"),
    (TrialPlan, (2.0, 2, 2), {}, r"TrialPlan: smoke must be an integer, got 2.0 \(float\)$"),
    (TrialPlan, (np.float32(2), 2, 2), {}, r"TrialPlan: smoke must be an integer, got .*\(float32\)"),
    (TrialPlan, (2, 2, 2, 2), {}, "TrialPlan: too many positional arguments; it takes smoke, standard, deep"),
    (Statement, ("r <= 1", (R,), "r > 0"), {}, r"Statement: conditions must be a tuple of which each item is a text, "
     r"got 'r > 0' \(str\); a tuple has round brackets, and of one item a comma: \(item,\)"),
    (Statement, ("r <= 1", R), {}, r"Statement: symbols must be a tuple of which each item is a Symbol, got .*item,"),
    (Statement, ("r <= 1", [R, "s"]), {}, r"Statement: symbols must be a tuple .*, got \[Symbol.*; a tuple has round"),
    (Statement, ("r <= 1", (R,), ("r > 0", 3)), {}, r"Statement: conditions\[1\] must be a text, got 3"),
    (Statement, ("r <= 1", (R,)), {"where": ("r > 0",)}, "unknown argument of Statement 'where'.*known: cond"),
    (Step, ("s1", "words", None), {"argumnt": ()}, "unknown argument of Step 'argumnt'; did you mean 'argument'"),
    (step, ("s1", "w", "r <= 1", (R,), "r > 0"), {}, "step: conditions must be a tuple"),
    (erratum, ("s1", "w", "r <= 1", (R,)), {"fnding": ""}, "unknown argument of Step 'fnding'; did you mean 'fin"),
    (a_target, (), {"claim": "eps 1"}, "Target: claim must be a PrivacyClaim, got 'eps 1'"),
    (a_target, (), {"trials": 100}, "Target: trials must be a TrialPlan or None, got 100"),
    (a_target, (), {"view": "all"}, "Target: view must be one of View.TRANSCRIPT, View.GRADIENTS, .*, got 'all'"),
    (a_target, (), {"needs": ("torch", "torch")}, r"Target: needs\[0\] must be a tuple of 2 items, got 'torch'"),
    (a_target, (), {"tital": "x"}, "unknown argument of Target 'tital'; did you mean 'title'"),
    (Target, ("a/b",), {}, "Target: missing a required argument: 'title'; it takes name, title, view"),
    (PrivacyClaim, (GaussianDP(1.0), "add", 1e-5, ""), {}, "PrivacyClaim: neighbours must be one of Neighbours.ADD_"),
    (Composed, ((Gaussian(1.0), "a Gaussian"),), {}, r"Composed: mechanisms\[1\] must be a Gaussian or .*got 'a Ga"),
    (Audit, (a_target(),), {"runn": print}, "unknown argument of Audit 'runn'; did you mean 'run'"),
    (Audit, (a_target(),), {"run": 3}, "Audit: run must be a function or None, got 3"),
    (Audit, (STATED,), {}, "Audit: target must be a Target, got"),
    (Assumptions, (), {"orderd": True}, "unknown argument of Assumptions 'orderd'; did you mean 'ordered'"),
    (Assumptions, (), {"ordered": "yes"}, "Assumptions: ordered must be True or False, got 'yes'"),
    (real, ("r", 3), {}, "real: interval must be a text, got 3"),
    (claim, (), {"epsilon": 1.0, "neighbors": 1}, "unknown argument of claim 'neighbors'; did you mean 'neighbours'"),
    (Claim, ("a/B", "t", "w", "p", ClaimKind.COST), {}, "Claim: missing a required argument: 'statement'"),
)  # fmt: skip


@pytest.mark.parametrize(("make", "given", "named", "words"), CASES)
def test_a_wrong_argument_is_named(make: Any, given: tuple[Any, ...], named: dict[str, Any], words: str) -> None:
    with pytest.raises((ContentError, UnknownNameError), match=f"^{words}"):
        make(*given, **named)


def test_right_arguments_pass_by_place_and_by_name() -> None:
    assert Statement("r <= 1", (R,), ("r > 0",)) == Statement(expression="r <= 1", symbols=(R,), conditions=("r > 0",))
    assert TrialPlan(2, deep=3, standard=2).deep == 3
    assert ApproximateDP(1, 0).epsilon == 1
    assert GaussianDP(np.float64(1.5)).mu == 1.5
    assert a_target(trials=None, needs=(("torch", "torch"),)).trials is None
    assert Audit(a_target(), run=print, attacks={"a": print}).run is print


@pytest.mark.parametrize(
    ("made", "plain"),
    [
        (lambda: claim(np.float32(0.5), delta=np.float64(1e-5)), lambda: claim(0.5, 1e-5)),
        (lambda: GaussianDP(np.array(2)), lambda: GaussianDP(2)),
        (lambda: TrialPlan(np.int64(2), 2, deep=np.int32(2)), lambda: TrialPlan(2, 2, 2)),
        (lambda: Assumptions(ordered=np.True_), lambda: Assumptions(ordered=True)),
        (lambda: Statement("r <= 1", [R], conditions=["r > 0"]), lambda: Statement("r <= 1", (R,), ("r > 0",))),
        (lambda: a_target(needs=[["a", "b"]]), lambda: a_target(needs=(("a", "b"),))),
        (lambda: SelfComposed(PoissonSampled(np.float32(0.5), Gaussian(np.int64(2))), np.int64(3)),
         lambda: SelfComposed(PoissonSampled(0.5, Gaussian(2)), 3)),
    ],
)  # fmt: skip
def test_numbers_of_numpy_and_lists_are_taken_for_what_they_hold(made: Any, plain: Any) -> None:
    assert made() == plain()
    assert json.dumps(encode(made())) == json.dumps(encode(plain()))


def test_a_checked_record_is_replaced_and_pickled_like_any_other() -> None:
    target = a_target()
    assert pickle.loads(pickle.dumps(target)) == target
    assert dataclasses.replace(target, title="u").title == "u"
    with pytest.raises(ContentError, match="title must be a text, got 3"):
        dataclasses.replace(target, title=3)  # type: ignore[arg-type]


def test_a_type_error_from_inside_is_left_as_it_is() -> None:
    @checked
    def broken(number: float) -> float:
        return number + None  # type: ignore[operator]

    with pytest.raises(TypeError, match="unsupported operand"):
        broken(1.0)


def test_what_has_no_type_that_can_be_tested_passes() -> None:
    @checked
    def free(value: Any, relation: Neighbours | None = None) -> Any:
        return value

    assert free(3) == 3
    assert free("x", Neighbours.ZERO_OUT) == "x"
