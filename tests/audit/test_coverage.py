"""Coverage: the laws have the epsilon that they say, valid bounds pass, invalid ones are refuted, the tier in an audit.

False alarms of the tests that expect silence: 1e-6 each, of exact binomial tests.
"""

from __future__ import annotations

import math
from types import SimpleNamespace
from typing import Any

import numpy as np
import pytest
from scipy.stats import binom

from dpaudit.accounting.epsilon import epsilon_bounds
from dpaudit.audit import coverage, tiers
from dpaudit.audit.laws import Law
from dpaudit.content.audits import audit_of
from dpaudit.records.context import Context, Level
from dpaudit.records.errors import ContentError, MissingPackageError
from dpaudit.records.mechanism import Gaussian, Laplace
from dpaudit.records.privacy import ApproximateDP, Neighbours, PrivacyClaim, View
from dpaudit.records.target import Target, TrialPlan
from dpaudit.records.verdict import Basis, Outcome

ALPHA = 1e-6
LAWS = {law.name: law for law in coverage.laws()}


def zero(scores_in: Any, scores_out: Any, delta: float, alpha: float) -> float:
    return 0.0


def one(scores_in: Any, scores_out: Any, delta: float, alpha: float) -> float:
    return 1.0


def found(bounds: Any, audits: int = 12, **more: Any) -> dict[str, coverage.Finding]:
    return {f.check: f for f in coverage.examine(bounds, audits, seed=3, alpha=ALPHA, **more)}


@pytest.mark.parametrize(
    ("name", "mechanism"),
    [("Laplace", Laplace(1.0)), ("Laplace at delta 0.2", Laplace(1.0)), ("Gaussian at delta 0.1", Gaussian(1.0))],
)
def test_the_epsilon_of_a_law_is_that_of_its_mechanism(name: str, mechanism: Any) -> None:
    bounds = epsilon_bounds(mechanism, LAWS[name].delta, Neighbours.ADD_OR_REMOVE)
    assert bounds.lower * (1 - 1e-3) <= LAWS[name].epsilon <= bounds.upper * (1 + 1e-9)


@pytest.mark.parametrize("law", LAWS.values(), ids=LAWS)
def test_the_scores_have_the_epsilon_of_the_law(law: Law) -> None:
    """Probabilities of the best event under both laws, from 200,000 draws: within six standard errors."""
    rng = np.random.default_rng(7)
    first, second = (law.draw(rng, 200_000, side) for side in (True, False))
    thresholds = np.unique(np.quantile(np.concatenate([first, second]), np.linspace(0, 0.999, 200))) - 1e-12
    hits, alarms = ((values[:, None] > thresholds).mean(axis=0) for values in (first, second))
    excess = hits - math.exp(law.epsilon) * alarms
    assert excess.max() == pytest.approx(law.delta, abs=6 * (1 + math.exp(law.epsilon)) * 0.5 / math.sqrt(200_000))


def test_a_bound_of_nothing_is_valid_everywhere() -> None:
    results = found(zero)
    assert list(results) == list(LAWS)
    assert {finding.outcome for finding in results.values()} == {Outcome.CONSISTENT}


def test_a_bound_above_the_truth_is_refuted_where_it_is_above() -> None:
    above = {name for name, finding in found(one).items() if finding.outcome is Outcome.REFUTED}
    assert above == {name for name, law in LAWS.items() if law.epsilon < 1}


def test_the_truth_itself_is_no_false_alarm() -> None:
    exact = found(lambda x, y, delta, alpha: LAWS["Laplace"].epsilon, names=("Laplace",))
    assert exact["Laplace"].outcome is Outcome.CONSISTENT
    assert dict(exact["Laplace"].numbers)["false_alarms"] == 0


@pytest.mark.parametrize(("alarms", "audits"), [(0, 10), (1, 10), (10, 10), (60, 600), (9, 1)])
def test_the_p_value_is_the_exact_binomial_tail(alarms: int, audits: int) -> None:
    alarms = min(alarms, audits)
    assert coverage.tail(alarms, audits, 0.05) == pytest.approx(binom.sf(alarms - 1, audits, 0.05), rel=1e-9)


@pytest.mark.parametrize(("rate", "refuted"), [(0.05, False), (0.2, True)])
def test_the_rate_of_false_alarms_decides(rate: float, refuted: bool) -> None:
    """An auditor that is wrong with this probability whatever the scores, 400 audits of one law."""
    rng = np.random.default_rng(5)
    finding = found(lambda x, y, delta, alpha: float(rng.random() < rate), 400, names=("identical",))["identical"]
    assert (finding.outcome is Outcome.REFUTED) == refuted
    numbers = dict(finding.numbers)
    assert numbers["rate_lower_95"] < numbers["rate"] < numbers["rate_upper_95"]


def test_the_share_of_a_law_is_its_part_of_alpha() -> None:
    everywhere, alone = found(zero)["Laplace"], found(zero, names=("Laplace",))["Laplace"]
    assert dict(everywhere.numbers)["alpha"] == pytest.approx(ALPHA / len(LAWS))
    assert dict(alone.numbers)["alpha"] == ALPHA


def test_the_scores_of_a_law_do_not_hang_on_which_others_are_played() -> None:
    seen: list[float] = []

    def watch(scores_in: Any, scores_out: Any, delta: float, alpha: float) -> float:
        seen.append(float(scores_in[0] + scores_out[0]))
        return 0.0

    found(watch, 1)
    found(watch, 1, names=("Laplace",))
    assert seen[-1] == seen[list(LAWS).index("Laplace")]


def test_an_auditor_that_raises_or_gives_no_number_is_an_error_with_its_count() -> None:
    def fragile(scores_in: Any, scores_out: Any, delta: float, alpha: float) -> float:
        if scores_in[0] > 0:
            raise ValueError("y must be less than x")
        return math.nan

    finding = found(fragile, 50, names=("identical",))["identical"]
    assert finding.outcome is Outcome.ERROR
    assert finding.detail.startswith("no bound in 50 of 50 audits")
    assert "ValueError: y must be less than x" in finding.detail or "bounds returned NaN" in finding.detail


def test_an_auditor_whose_package_is_missing_is_not_played() -> None:
    def lacking(scores_in: Any, scores_out: Any, delta: float, alpha: float) -> float:
        raise MissingPackageError("abacus", "third-party")

    with pytest.raises(MissingPackageError, match="abacus"):
        found(lacking)


@pytest.mark.parametrize("names", [("Cauchy",), ()])
def test_laws_must_be_known(names: tuple[str, ...]) -> None:
    with pytest.raises(ContentError, match="LAWS must name some of"):
        found(zero, names=names)


def audit(bounds: Any, **more: Any) -> tiers.Verdict:
    claim = PrivacyClaim(ApproximateDP(math.inf, 0.0), Neighbours.ADD_OR_REMOVE, 1e-5, "stated by the auditor")
    target = Target(
        name="third-party/auditor", title="an auditor", view=View.TRANSCRIPT, claim=claim, trials=None, effect="wrong"
    )
    module = SimpleNamespace(bounds=bounds, REPETITIONS=TrialPlan(10, 10, 10), **more)
    assert tiers.planned_tests(audit_of(module, target)) == 1
    return tiers.audit(audit_of(module, target), Context(1, Level.SMOKE, ALPHA))


def test_an_audit_of_an_auditor() -> None:
    right = audit(zero)
    assert (right.outcome, right.basis) == (Outcome.CONSISTENT, Basis.SAMPLING)
    assert right.statement == "a lower bound on epsilon at 95% confidence is too large once in 20 audits at most"
    wrong = audit(one, LAWS=("identical", "randomised response, fair"))
    assert wrong.outcome is Outcome.REFUTED
    assert dict(wrong.witness)["identical: false_alarms"] == 10
    assert [e.detail.split(":")[0] for e in wrong.evidence] == ["statistical", "randomised response, fair"]


@pytest.mark.parametrize("given", ["0.5", True, np.bool_(False), None, [0.5, 0.5]])
def test_a_bound_that_is_no_number_is_an_error(given: Any) -> None:
    finding = found(lambda *_: given, 20, names=("identical",))["identical"]
    assert finding.outcome is Outcome.ERROR
    assert "no bound in 20 of 20 audits" in finding.detail
