"""The distinguishing game: outcomes, broken targets, determinism, the attachment."""

from __future__ import annotations

import json
import math
import sys
from collections.abc import Callable
from dataclasses import replace
from pathlib import Path
from types import SimpleNamespace
from typing import Any

import numpy as np
import pytest
from depth import repeats
from scipy.special import ndtri
from scipy.stats import binom

from dpaudit.accounting.epsilon import gaussian_epsilon
from dpaudit.accounting.tradeoff import largest_true_positive_rate
from dpaudit.audit import tiers
from dpaudit.audit.game import play
from dpaudit.content.audits import audit_of
from dpaudit.estimators.clopper_pearson import OperatingPoint
from dpaudit.noise.stream import Trials
from dpaudit.records.context import Context, Level
from dpaudit.records.errors import MissingPackageError, install_line
from dpaudit.records.mechanism import Constant, Gaussian
from dpaudit.records.privacy import ApproximateDP, GaussianDP, Neighbours, PrivacyClaim, RenyiDP, View
from dpaudit.records.target import Control, Target, TrialPlan
from dpaudit.records.verdict import Basis, Kind, Outcome, Verdict

CONTEXT = Context(seed=1, level=Level.SMOKE, alpha=1e-4)


UNIT = GaussianDP(1.0)
NOTHING = 5e-324
"""A difference of two data sets that no sum shows."""


def make_target(guarantee: Any = UNIT, trials: int = 20_000, **changes: Any) -> Target:
    claim = PrivacyClaim(guarantee, Neighbours.REPLACE_ONE, delta=1e-5, source="the test")
    plan = TrialPlan(trials, 2 * trials, 4 * trials)
    return replace(Target("test/shift", "A shifted normal", View.TRANSCRIPT, claim, plan), **changes)


def shift(mu: float, **functions: Callable[..., Any]) -> Any:
    """A module whose run releases D + N(0, 1) for D = mu and D' = 0; `functions` replace its own."""

    def run(data: float, trials: Trials) -> Any:
        return data + trials.stream.normals(trials.numbers, 0, 1)[:, 0]

    own = {"neighbours": lambda rng: (mu, 0.0), "run": run, "score": lambda outputs, data, neighbour: outputs}
    return SimpleNamespace(**(own | functions))


def numbers(verdict: Verdict) -> dict[str, Any]:
    return dict(verdict.numbers)


def test_a_correct_mechanism_is_consistent_by_sampling() -> None:
    verdict = tiers.audit(audit_of(shift(1.0), make_target(truth=Gaussian(1.0))), CONTEXT)
    found = numbers(verdict)
    exact = gaussian_epsilon(1e-5, 1.0)
    assert (verdict.outcome, verdict.basis, verdict.kind) == (Outcome.CONSISTENT, Basis.SAMPLING, Kind.AUDIT)
    assert verdict.as_expected
    assert verdict.witness == ()
    assert found["epsilon_claimed"] == found["epsilon_exact"] == pytest.approx(exact)
    assert 0.3 * exact < found["epsilon_lower_95"] <= exact
    assert found["tightness"] == pytest.approx(found["epsilon_lower_95"] / exact)
    assert 0.8 < found["mu_lower_95"] <= 1.0
    assert exact < found["smallest_violation_at_90"] < 6
    assert found["trials_per_side"] == 20_000
    assert "caught with probability 0.9" in verdict.evidence[0].detail


def test_the_printed_bounds_are_at_95_percent() -> None:
    """Where no guess is ever wrong the bounds follow from the number of trials and the level alone."""

    def run(data: float, trials: Trials) -> Any:
        return np.full(len(trials), data)

    found = numbers(tiers.audit(audit_of(shift(1.0, run=run), make_target()), CONTEXT))
    counted = 18_000  # nine tenths of a side; about twice as many coins, less what keeps both sides from running out
    assert found["epsilon_lower_95"] == pytest.approx(math.log(2 * counted / math.log(1 / 0.05)), abs=0.1)
    # Clopper-Pearson without an error: the rate is at most 1 - level^(1/n), half of 0.05 a side.
    missed = 1 - (0.05 / 2) ** (1 / counted)
    assert found["mu_lower_95"] == pytest.approx(-2 * ndtri(missed), abs=0.1)


def test_the_numbers_have_their_fixed_names() -> None:
    assert list(numbers(tiers.audit(audit_of(shift(1.0), make_target(trials=50)), CONTEXT))) == [
        "epsilon_lower_95", "epsilon_claimed", "epsilon_exact", "tightness", "delta", "mu_lower_95",
        "trials_per_side", "alpha_decision", "limit_of_detection", "smallest_violation_at_90", "threshold",
    ]  # fmt: skip


@pytest.mark.deep(keep=2)
@pytest.mark.parametrize(
    "guarantee", [GaussianDP(1.0), ApproximateDP(1.0, 1e-5), RenyiDP(4.0, 0.5), ApproximateDP(0.0, 1e-5)]
)
def test_a_violated_claim_is_refuted_with_a_witness(guarantee: Any) -> None:
    target = make_target(guarantee, effect="it leaks", expects=Outcome.REFUTED, control=Control.KNOWN_BAD)
    verdict = tiers.audit(audit_of(shift(2.0), target), CONTEXT)
    witness: dict[str, Any] = dict(verdict.witness)
    assert (verdict.outcome, verdict.kind, verdict.effect) == (Outcome.REFUTED, Kind.CONTROL, "it leaks")
    assert verdict.as_expected
    assert "statistical" in verdict.evidence[0].detail
    upper, lower = witness["false_positive_rate_upper"], witness["true_positive_rate_lower"]
    assert witness["true_positive_rate_allowed"] == float(largest_true_positive_rate(upper, guarantee)) < lower
    assert witness["false_positives"] / witness["negatives"] < upper
    assert witness["true_positives"] / witness["positives"] > lower
    assert witness["alpha"] == CONTEXT.alpha / 2  # the other half is for the ranks


def test_the_decision_spends_the_budget_of_the_run_not_five_percent() -> None:
    # At the edge the printed 95 % bound exceeds the claim while the decision stays silent.
    target = make_target(GaussianDP(0.0), trials=4000)
    verdict = tiers.audit(audit_of(shift(0.09), target), replace(CONTEXT, alpha=1e-12, seed=3))
    assert numbers(verdict)["mu_lower_95"] > 0
    assert verdict.outcome is Outcome.CONSISTENT


def test_a_claim_out_of_reach_is_inconclusive() -> None:
    verdict = tiers.audit(audit_of(shift(1.0), make_target(ApproximateDP(8.0, 1e-5), trials=200)), CONTEXT)
    assert verdict.outcome is Outcome.INCONCLUSIVE
    assert verdict.basis is None
    assert numbers(verdict)["limit_of_detection"] <= 8.0
    assert "run more trials" in verdict.evidence[0].detail


def test_a_claim_that_says_nothing_at_the_quoted_delta_is_inconclusive() -> None:
    verdict = tiers.audit(audit_of(shift(NOTHING), make_target(ApproximateDP(1.0, 1e-3))), CONTEXT)
    assert numbers(verdict)["epsilon_claimed"] == math.inf
    assert verdict.outcome is Outcome.INCONCLUSIVE


@pytest.mark.deep
def test_the_null_is_refuted_no_more_often_than_stated() -> None:
    """Audits without signal at alpha 0.05; false alarm of this test 1e-7."""
    audits = repeats(60, 150)
    target = make_target(GaussianDP(0.0), trials=300, truth=Constant())
    subject = audit_of(shift(NOTHING), target)
    verdicts = [tiers.audit(subject, Context(seed, Level.SMOKE, 0.05)) for seed in range(audits)]
    refuted = sum(v.outcome is Outcome.REFUTED for v in verdicts)
    assert refuted <= binom.isf(1e-7, audits, 0.05)
    assert {v.outcome for v in verdicts} <= {Outcome.REFUTED, Outcome.CONSISTENT}
    assert numbers(verdicts[0])["tightness"] is None
    assert numbers(verdicts[0])["epsilon_exact"] == 0.0


def raising(*_: Any) -> Any:
    raise ZeroDivisionError("one over none")


def leaving(*_: Any) -> Any:
    raise SystemExit(0)


def with_nan(data: float, trials: Trials) -> Any:
    values = np.zeros(len(trials))
    values[3] = math.nan
    return values


@pytest.mark.parametrize(
    ("functions", "reason"),
    [
        ({"run": raising}, "ZeroDivisionError: one over none"),
        ({"score": raising}, "ZeroDivisionError: one over none"),
        ({"neighbours": raising}, "ZeroDivisionError: one over none"),
        ({"run": leaving}, "SystemExit: 0"),
        ({"run": with_nan}, "run on D returned NaN in 1 of 40 trials"),
        ({"run": lambda data, trials: np.zeros(3)}, "run on D must return 40 rows, one a trial, got shape (3,)"),
        ({"run": lambda data, trials: 0.0}, "run on D must return 40 rows"),
        ({"run": lambda data, trials: ["a"] * 40}, "run on D must return real numbers"),
        ({"run": lambda data, trials: None}, "run on D must return real numbers"),
        ({"score": lambda *a: np.full(40, math.nan)}, "score on D returned NaN in 40 of 40 trials"),
        ({"score": lambda *a: np.zeros((40, 2))}, "score on D must return one number a trial"),
        ({"score": lambda *a: np.zeros(39)}, "score on D must return 40 rows"),
        ({"neighbours": lambda rng: 1.0}, "neighbours must return a pair"),
    ],
)
def test_a_broken_target_is_an_error_of_that_target(functions: dict[str, Any], reason: str, tmp_path: Path) -> None:
    verdict = tiers.audit(
        audit_of(shift(1.0, **functions), make_target(trials=40)), replace(CONTEXT, folder=str(tmp_path))
    )
    assert verdict.outcome is Outcome.ERROR
    assert not verdict.as_expected
    assert reason in verdict.evidence[0].detail
    assert verdict.attachments == ("errors/test_shift.txt",)
    assert "Traceback" in (tmp_path / verdict.attachments[0]).read_text()
    assert not (tmp_path / "scores").exists()


def test_a_target_without_its_functions_is_an_error() -> None:
    verdict = tiers.audit(audit_of(SimpleNamespace(), make_target()), CONTEXT)
    assert verdict.outcome is Outcome.ERROR
    assert "neighbours" in verdict.evidence[0].detail


def standardised(outputs: Any, data: float, neighbour: float) -> Any:
    return outputs - outputs.mean()


def batch_sign(outputs: Any, data: float, neighbour: float) -> Any:
    return np.full(len(outputs), float(outputs.mean() > 0.05))


@pytest.mark.parametrize("score", [standardised, batch_sign])
@pytest.mark.parametrize("early_stop", [False, True])
def test_a_score_that_looks_at_its_batch_is_an_error(score: Any, early_stop: bool) -> None:
    # A batch comes from one side: its mean would tell an honest mechanism's sides apart without an error.
    target = make_target(GaussianDP(0.1), trials=5000, early_stop=early_stop)
    verdict = tiers.audit(audit_of(shift(0.1, score=score), target), CONTEXT)
    assert verdict.outcome is Outcome.ERROR
    assert "score depends on the other trials of its batch" in verdict.evidence[0].detail


@pytest.mark.parametrize("early_stop", [False, True])
@pytest.mark.parametrize("chunk", [100, 200])
def test_noise_that_starts_again_in_every_batch_is_an_error(
    monkeypatch: pytest.MonkeyPatch, early_stop: bool, chunk: int
) -> None:
    monkeypatch.setattr(play, "CHUNK", chunk)

    def run(data: float, trials: Trials) -> Any:
        return data + np.random.default_rng(int(data)).normal(size=len(trials))

    # Else the first trials, played again, show it.
    target = make_target(trials=250, deterministic=False, early_stop=early_stop)
    verdict = tiers.audit(audit_of(shift(1.0, run=run), target), CONTEXT)
    assert verdict.outcome is Outcome.ERROR
    assert "run on D repeats itself" in verdict.evidence[0].detail


def test_equal_batches_of_rare_or_constant_outputs_are_no_repetition(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(play, "CHUNK", 50)

    def rare(data: float, trials: Trials) -> Any:
        return (trials.stream.uniforms(trials.numbers, 0, 1)[:, 0] < 0.01) + 0.0

    verdict = tiers.audit(audit_of(shift(1.0, run=rare), make_target(trials=2000)), CONTEXT)
    assert verdict.outcome is not Outcome.ERROR


def second_number(outputs: Any, data: float, neighbour: float) -> Any:
    """A score that only trials of two numbers have."""
    return outputs[:, 1]


@pytest.mark.parametrize("attacks", [1, 2])
@pytest.mark.parametrize("early_stop", [False, True])
def test_outputs_of_unlike_shape_tell_the_sides_apart(attacks: int, early_stop: bool) -> None:
    def run(data: float, trials: Trials) -> Any:
        return trials.stream.normals(trials.numbers, 0, 2 if data else 1)

    module = shift(1.0, run=run, score=second_number)
    if attacks > 1:
        module.ATTACKS = {"one": second_number, "two": second_number}
    verdict = tiers.audit(audit_of(module, make_target(early_stop=early_stop)), CONTEXT)
    assert verdict.outcome is Outcome.REFUTED
    witness: dict[str, Any] = dict(verdict.witness)
    trials = witness["positives"]
    assert f"each of {trials} trials on D gives shape (2,), each of {trials} on D' (1,)" in verdict.evidence[-1].detail
    assert "wrong with probability at most 1e-07" in verdict.evidence[-1].detail  # a thousandth of that of the audit
    told = {"shape": "(2,)", "neighbour_shape": "(1,)", "true_positives": trials, "negatives": trials}
    assert witness | told == witness
    assert witness["false_positives"] == 0
    allowed = [OperatingPoint(0.5, 0, n, n, n, witness["alpha"]).contradicts(UNIT) for n in (trials // 2, trials)]
    assert allowed == [False, True]


@pytest.mark.parametrize(("epsilon", "outcome"), [(8.0, Outcome.ERROR), (1.0, Outcome.REFUTED)])
def test_a_length_that_nearly_always_tells_the_sides_apart_refutes_what_forbids_it(
    epsilon: float, outcome: Outcome
) -> None:
    """By randomised response at epsilon 8: 2,980 of 2,981 trials have the length of their side. Fixed seed."""

    def run(data: float, trials: Trials) -> Any:
        lies = trials.stream.uniforms(trials.numbers[:1], 0, 1)[0, 0] < 1 / (1 + np.exp(8.0))
        return trials.stream.normals(trials.numbers, 1, 2 if bool(data) != lies else 1)

    module = shift(1.0, run=run, score=second_number)
    target = make_target(ApproximateDP(epsilon, 1e-5), deterministic=False)
    verdict = tiers.audit(audit_of(module, target), CONTEXT)
    assert verdict.outcome is outcome, verdict.evidence
    if outcome is Outcome.ERROR:
        assert "fill up to the longest" in verdict.evidence[-1].detail


def test_so_few_trials_of_another_shape_refute_no_large_epsilon() -> None:
    def run(data: float, trials: Trials) -> Any:
        return trials.stream.normals(trials.numbers, 0, 2 if data else 1)

    target = make_target(ApproximateDP(8.0, 1e-5), trials=500)
    verdict = tiers.audit(audit_of(shift(1.0, run=run, score=second_number), target), CONTEXT)
    assert verdict.outcome is Outcome.ERROR
    assert "500 trials are too few to hold that against the claim" in verdict.evidence[-1].detail


def test_a_shape_that_hangs_on_the_batch_or_the_trial_refutes_nothing() -> None:
    def run(data: float, trials: Trials) -> Any:
        odd = int(trials.numbers[0]) % 2 if len(trials) < 5 else int(data)
        return trials.stream.normals(trials.numbers, 0, 1 + odd)

    target = make_target(deterministic=False)
    module = shift(1.0, run=run)
    module.ATTACKS = {"one": second_number, "two": second_number}
    verdict = tiers.audit(audit_of(module, target), CONTEXT)
    assert verdict.outcome is Outcome.ERROR
    assert "gives trials of several shapes, (1,), (2,)" in verdict.evidence[-1].detail


def test_infinite_outputs_are_outputs() -> None:
    def run(data: float, trials: Trials) -> Any:
        return np.where(trials.stream.uniforms(trials.numbers, 0, 1)[:, 0] < 0.5, np.inf if data else -np.inf, 0.0)

    verdict = tiers.audit(audit_of(shift(1.0, run=run), make_target()), CONTEXT)
    assert verdict.outcome is Outcome.REFUTED


def test_a_missing_package_is_not_run_and_the_target_is_not_touched() -> None:
    target = make_target(needs=(("json", "core"), ("no_such_package.part", "audits")))
    verdict = tiers.audit(audit_of(shift(1.0, neighbours=raising), target), CONTEXT)
    assert verdict.outcome is Outcome.NOT_RUN
    assert verdict.evidence[0].detail == f"no_such_package.part is not installed; run: {install_line('audits')}"
    assert verdict.numbers == ()


def test_without_the_accountant_nothing_is_played(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(sys.modules, "dp_accounting", None)
    verdict = tiers.audit(audit_of(shift(0.5, neighbours=raising), make_target()), CONTEXT)
    assert verdict.outcome is Outcome.NOT_RUN
    assert "'.[accountants]'" in verdict.evidence[0].detail


def test_same_seed_same_verdict_whatever_the_chunks(monkeypatch: pytest.MonkeyPatch) -> None:
    first = tiers.audit(audit_of(shift(1.0), make_target(trials=3000)), CONTEXT)
    monkeypatch.setattr(play, "CHUNK", 700)
    again = tiers.audit(audit_of(shift(1.0), make_target(trials=3000)), CONTEXT)
    other = tiers.audit(audit_of(shift(1.0), make_target(trials=3000)), replace(CONTEXT, seed=2))
    assert replace(again, duration_s=0.0) == replace(first, duration_s=0.0)
    assert numbers(other)["threshold"] != numbers(first)["threshold"]


def test_the_two_sides_have_noise_of_their_own() -> None:
    seen: list[Any] = []

    def run(data: float, trials: Trials) -> Any:
        seen.append(trials.stream.normals(trials.numbers, 0, 1)[:, 0])
        return seen[-1]

    play.play(audit_of(shift(1.0, run=run), make_target(trials=100, deterministic=False)), CONTEXT, UNIT)
    assert len(seen) == 2
    assert not np.intersect1d(*seen).size


@pytest.mark.parametrize(("level", "factor"), [(Level.SMOKE, 1), (Level.STANDARD, 2), (Level.DEEP, 4)])
def test_the_level_sets_the_trials(level: Level, factor: int) -> None:
    verdict = tiers.audit(audit_of(shift(1.0), make_target(trials=100)), replace(CONTEXT, level=level))
    assert numbers(verdict)["trials_per_side"] == 100 * factor


def test_the_attachment_holds_the_curves(tmp_path: Path) -> None:
    verdict = tiers.audit(
        audit_of(shift(1.0), make_target(truth=Gaussian(1.0))), replace(CONTEXT, folder=str(tmp_path))
    )
    assert verdict.attachments == ("scores/test_shift.json",)
    data = json.loads((tmp_path / "scores/test_shift.json").read_text())
    assert (data["target"], data["trials_per_side"], data["claim_label"]) == ("test/shift", 20_000, "1-GDP")
    assert data["epsilon_lower"] == numbers(verdict)["epsilon_lower_95"]
    assert data["epsilon_exact"] == data["epsilon_claimed"] == pytest.approx(4.377178, abs=1e-6)
    for side in ("", "claim_"):
        false, true = np.array(data[f"{side}false_positive_rate"]), np.array(data[f"{side}true_positive_rate"])
        assert len(false) == len(true) <= 300
        assert np.all(np.diff(false) >= 0)
        assert np.all(np.diff(true) >= 0)
        assert (false[0], false[-1], true[-1]) == (0.0, 1.0, 1.0)
    assert list(data["point"]) == [
        "false_positive_rate", "true_positive_rate", "false_positive_rate_upper", "true_positive_rate_lower",
    ]  # fmt: skip
    assert data["point"]["false_positive_rate"] < data["point"]["false_positive_rate_upper"]


def test_a_run_without_a_folder_keeps_nothing() -> None:
    assert tiers.audit(audit_of(shift(1.0), make_target(trials=50)), CONTEXT).attachments == ()


@pytest.mark.deep
def test_a_null_control_says_whether_the_p_values_are_uniform(tmp_path: Path) -> None:
    target = make_target(GaussianDP(0.5), control=Control.NULL)
    assert tiers.planned_tests(audit_of(shift(0.5), target)) == 2
    verdict = tiers.audit(audit_of(shift(0.5), target), replace(CONTEXT, folder=str(tmp_path)))
    assert [e.engine for e in verdict.evidence] == ["game", "calibration"]
    assert verdict.outcome is Outcome.CONSISTENT
    values = json.loads((tmp_path / verdict.attachments[0]).read_text())["null_p_values"]
    assert len(values) == 60
    leaking = tiers.audit(audit_of(shift(0.8), target), CONTEXT)
    assert leaking.outcome is Outcome.REFUTED
    assert leaking.evidence[1].outcome is Outcome.REFUTED


def bare_sum(data: Any, recorder: Any) -> None:
    """A training that releases its sum without noise."""
    recorder.output("sum", float(np.sum(data)))
    recorder.release("sum", [float(np.sum(data))], None, sensitivity=1.0)


def noisy_sum(data: Any, recorder: Any) -> None:
    """A training that releases its clipped sum with noise."""
    noise = np.random.default_rng(recorder.seed).normal(size=1)
    recorder.release("sum", [float(np.clip(np.nan_to_num(data), -1, 1).sum())], noise, sensitivity=1.0, noise_scale=1.0)


def recorded(training: Any, **functions: Callable[..., Any]) -> Any:
    """An audit with structural checks of a training on six records."""
    pair = np.linspace(-1, 1, 6), np.linspace(-1, 1, 6)[:-1]
    target = make_target(trials=40)
    target = replace(target, claim=replace(target.claim, neighbours=Neighbours.ADD_OR_REMOVE))
    return audit_of(shift(1.0, neighbours=lambda rng: pair, instrument=training, **functions), target)


@pytest.mark.parametrize(("training", "outcome"), [(bare_sum, Outcome.REFUTED), (noisy_sum, Outcome.ERROR)])
def test_a_refutation_stands_where_the_game_crashes_and_nothing_else_does(
    training: Any, outcome: Outcome, tmp_path: Path
) -> None:
    def run(data: Any, trials: Trials) -> Any:
        raise RuntimeError("no trial is played")

    verdict = tiers.audit(recorded(training, run=run), replace(CONTEXT, folder=str(tmp_path)))
    assert verdict.outcome is outcome
    assert "RuntimeError: no trial is played" in verdict.evidence[-1].detail
    assert verdict.attachments == ("errors/test_shift.txt",)
    assert sum(one.engine == "structural" for one in verdict.evidence) == 18
    assert numbers(verdict)["checks_run"] > 3


def test_a_game_that_lacks_a_package_leaves_no_consistent_behind(monkeypatch: pytest.MonkeyPatch) -> None:
    def lacking(subject: Any, context: Any) -> Any:
        raise MissingPackageError("sklearn", "mia")

    monkeypatch.setattr(tiers, "_game", lacking)
    for training, outcome in ((noisy_sum, Outcome.NOT_RUN), (bare_sum, Outcome.REFUTED)):
        assert tiers.audit(recorded(training), CONTEXT).outcome is outcome
