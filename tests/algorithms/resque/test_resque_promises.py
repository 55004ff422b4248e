"""What the private ReSQue algorithms promise: finite where calibrated, composed as they call each other, never below
what a pair of data sets reveals, refused where nothing is proved.

The one statistical test has a false alarm of at most 1e-6 (Clopper-Pearson bounds).
"""

from __future__ import annotations

import dataclasses
import math
from typing import Any

import numpy as np
import pytest
from scipy import stats

from dpaudit.accounting.epsilon import promised_epsilon
from dpaudit.algorithms.resque import (
    bias_reduced_prox,
    high_probability_erm,
    private_erm,
    private_regularised_erm,
    private_sco,
    sub_erm,
    sub_erm_strongly_convex,
)
from dpaudit.algorithms.resque.accounting.calibration import Calibration
from dpaudit.noise.stream import Stream, Trials
from dpaudit.problems.smoothing.ridges import Ridge, ridge_losses
from dpaudit.records.errors import ConfigurationError
from dpaudit.records.mechanism import ApproximateRenyi, Concentrated, Constant
from dpaudit.records.privacy import ApproximateDP, Neighbours, View

LARGE: dict[str, Any] = {
    "centre": (0.0, 0.0), "radius": 1.0, "smoothing": 1e4, "privacy": 3e-3, "steps": 1000, "records": 10**7,
}  # fmt: skip
SUB_ERM = sub_erm.Params(**LARGE)
STRONG = sub_erm_strongly_convex.Params(regulariser=1.0, **LARGE)
MANY = high_probability_erm.Params(regulariser=1.0, failure=0.1, **LARGE)
LEVELS = bias_reduced_prox.Params(regulariser=1.0, **LARGE)
MADE = Calibration(10**12, 2, 0.5, 1e-6, acceleration_constant=2.0, constant=3.0)
ERM = private_erm.from_calibration(MADE, (0.0, 0.0), privacy_constant=2.0)
WHOLE: dict[str, Any] = {
    "origin": (0.0,), "radius": 1.0, "lipschitz": 1.0, "records": 10**14, "epsilon": 0.5, "delta": 1e-6,
}  # fmt: skip
REGULARISED = private_regularised_erm.Params(regulariser=0.1, **WHOLE)
SCO = private_sco.Params(least_records=2 * 10**13, **WHOLE)
LISTED = [
    (sub_erm, SUB_ERM), (sub_erm, dataclasses.replace(SUB_ERM, regulariser=2.0, anchor=(3.0, 0.0))),
    (sub_erm_strongly_convex, STRONG), (high_probability_erm, MANY), (bias_reduced_prox, LEVELS), (private_erm, ERM),
    (private_regularised_erm, REGULARISED), (private_sco, SCO),
]  # fmt: skip
each = pytest.mark.parametrize(("module", "params"), LISTED, ids=lambda v: getattr(v, "__name__", type(v).__name__))


@pytest.mark.deep(keep=1)
@each
def test_calibrated_runs_promise_a_finite_epsilon(module: Any, params: Any) -> None:
    promise = module.promise(params)
    assert (promise.neighbours, promise.view) == (Neighbours.REPLACE_ONE, View.TRANSCRIPT)
    assert promise.source.endswith("corrected")
    bounds = promised_epsilon(promise, 1e-5)
    assert 0 < bounds.upper < 0.5


@each
def test_more_noise_and_more_records_promise_more(module: Any, params: Any) -> None:
    """beta halved; records doubled where they are no number of a schedule."""
    if "privacy" in {field.name for field in dataclasses.fields(params)} and params.privacy is not None:
        quieter = dataclasses.replace(params, privacy=params.privacy / 2)
        epsilons = [promised_epsilon(module.promise(p), 1e-5).upper for p in (quieter, params)]
        assert epsilons[0] < 0.8 * epsilons[1]
    if module in (sub_erm, sub_erm_strongly_convex, high_probability_erm):
        wider = dataclasses.replace(params, records=2 * params.records)
        assert (
            promised_epsilon(module.promise(wider), 1e-5).upper < promised_epsilon(module.promise(params), 1e-5).upper
        )


def epsilon_of(promise: Any) -> float:
    return promised_epsilon(promise, 1e-5).upper


def test_one_copy_is_the_solver_and_copies_add_up() -> None:
    one = dataclasses.replace(MANY, failure=0.96)
    assert one.copies == 1
    assert high_probability_erm.promise(one).mechanism == sub_erm_strongly_convex.promise(STRONG).mechanism
    assert epsilon_of(high_probability_erm.promise(MANY)) > 3 * epsilon_of(high_probability_erm.promise(one))


def test_equal_betas_promise_more_than_the_printed_ones() -> None:
    """sum of (beta_i T_i)^2: printed (beta T)^2 (1 - 2^-k), equal beta below a third of (beta T)^2."""
    equal = dataclasses.replace(STRONG, privacy_schedule="equal")
    assert epsilon_of(sub_erm_strongly_convex.promise(equal)) < 0.7 * epsilon_of(
        sub_erm_strongly_convex.promise(STRONG)
    )
    assert [level.privacy for level in sub_erm_strongly_convex.levels(equal)] == [3e-3] * 5


def test_the_promise_of_a_random_level_lies_between_its_extremes() -> None:
    loops, top = LEVELS.loops, LEVELS.highest
    least, mixed, most = (
        epsilon_of(bias_reduced_prox.promise(LEVELS, levels=levels))
        for levels in ([top + 1] * loops, None, [top] * loops)
    )
    assert least < mixed < most
    assert bias_reduced_prox.promise(LEVELS, levels=[top + 1] * loops).mechanism != Constant()


def test_the_cap_of_iterations_counts() -> None:
    fewer = dataclasses.replace(ERM, most=ERM.most_iterations // 4)
    assert epsilon_of(private_erm.promise(fewer)) < 0.7 * epsilon_of(private_erm.promise(ERM))


def test_phases_on_disjoint_records_cost_as_much_as_the_worst_of_them() -> None:
    solvers = [phase.solver for phase in private_sco.phases(SCO) if phase.solver is not None]
    alone = [promised_epsilon(private_regularised_erm.promise(one, SCO.delta), 1e-5).upper for one in solvers]
    assert len(alone) == 2
    assert epsilon_of(private_sco.promise(SCO)) == pytest.approx(max(alone), rel=0.01)


def test_nothing_read_is_promised_in_full() -> None:
    assert sub_erm.promise(dataclasses.replace(SUB_ERM, steps=1)).mechanism == Constant()
    assert sub_erm.promise(dataclasses.replace(SUB_ERM, distance=0.0)).mechanism == Constant()


@pytest.mark.parametrize(
    ("change", "words"),
    [
        ({"records": None}, "records must be given"),
        ({"smoothing": 2.0}, r"smoothing/radius is 2; .* is proved from [\d.]+ on: raise smoothing"),
        ({"estimator": "plain"}, "estimator must be 'resque' or 'unweighted'"),
        ({"control": "tenth_noise"}, "control must be 'none'"),
        ({"privacy": 1e200}, "privacy .* no noise to speak of"),
    ],
)
@pytest.mark.parametrize(("module", "params"), [(sub_erm, SUB_ERM), (sub_erm_strongly_convex, STRONG)])
def test_what_is_not_proved_is_refused(module: Any, params: Any, change: dict[str, Any], words: str) -> None:
    with pytest.raises(ConfigurationError, match=words):
        module.promise(dataclasses.replace(params, **change))


def test_a_start_outside_the_ball_is_refused() -> None:
    with pytest.raises(ConfigurationError, match="start must lie in the ball"):
        sub_erm.promise(dataclasses.replace(SUB_ERM, start=(1.0, 0.1)))
    assert sub_erm.promise(dataclasses.replace(SUB_ERM, start=(1.0, 0.0))).mechanism != Constant()


# As printed. ---------------------------------------------------------------------------------------


def test_lemma_7_as_printed_by_hand() -> None:
    """alpha C (beta log(1/delta) T/n)^2 with the delta that the promise names."""
    params = dataclasses.replace(SUB_ERM, privacy=1e-5, smoothing=1e9)
    made = sub_erm.promise_as_printed(params, constant=1000.0)
    assert made.source.endswith("as printed")
    mechanism = made.mechanism
    assert isinstance(mechanism, ApproximateRenyi)
    slope = 1000 * (1e-5 * math.log(1 / mechanism.failure) * 1e-4) ** 2
    assert mechanism.epsilon == pytest.approx(mechanism.order * slope, rel=1e-9)
    with pytest.raises(ConfigurationError, match=r"the printed statement does not cover .*T/n"):
        sub_erm.promise_as_printed(dataclasses.replace(params, records=10**5), constant=1000.0)


def test_what_is_built_on_it_as_printed() -> None:
    shared = {"privacy": 1e-6, "smoothing": 1e9}
    strong, many, levels = (dataclasses.replace(p, **shared) for p in (STRONG, MANY, LEVELS))
    one = sub_erm_strongly_convex.promise_as_printed(strong, constant=100.0).mechanism
    assert isinstance(one, ApproximateRenyi)
    slope = 100 * (1e-6 * math.log(4 / one.failure) * 1e-4) ** 2
    assert one.epsilon == pytest.approx(one.order * slope, rel=1e-9)
    assert high_probability_erm.promise_as_printed(many, constant=100.0).source.endswith("proposition 10, as printed")
    drawn = [1] * levels.loops
    assert bias_reduced_prox.promise_as_printed(levels, drawn, constant=100.0).source.endswith("lemma 10, as printed")


def test_theorem_3_as_printed() -> None:
    """(4 log(2/delta)/eps, eps/2, delta/6) gives (eps, delta) by corollary 1; for small data sets it says nothing."""
    made = private_erm.promise_as_printed(MADE)
    assert made.mechanism == ApproximateRenyi(4 * math.log(2e6) / 0.5, 0.25, 1e-6 / 6)
    assert promised_epsilon(made, 1e-6).upper <= 0.5
    with pytest.raises(ConfigurationError, match="kappa"):
        private_erm.promise_as_printed(dataclasses.replace(MADE, records=1000))


@pytest.mark.parametrize(("module", "params"), [(private_regularised_erm, REGULARISED), (private_sco, SCO)])
def test_the_wholes_as_printed(module: Any, params: Any) -> None:
    claim = module.promise_as_printed(params)
    assert claim.guarantee == ApproximateDP(0.5, 1e-6)
    assert claim.neighbours is Neighbours.REPLACE_ONE
    with pytest.raises(ConfigurationError, match="most must be None"):
        module.promise_as_printed(dataclasses.replace(params, most=3))


# Against a pair of data sets. ----------------------------------------------------------------------


def test_no_test_of_the_canary_pair_reveals_more() -> None:
    """Both error rates of the likelihood ratio test, hidden indices, T = 4, n = 2, 200,000 trials a side.

    P_D(E) <= e^eps P_D'(E) + delta for E = {ratio >= c}: Clopper-Pearson at 5e-7 on each of the two rates, for the one
    c that is chosen from the exact law. A hundredth of the epsilon is refuted by the same numbers.
    """
    params = sub_erm.Params(
        centre=(0.0,), radius=1.0, smoothing=1e6, privacy=0.3, steps=4, records=2, estimator="resque"
    )
    here = ridge_losses([(Ridge.LINEAR, (1.0,)), (Ridge.ZERO, (0.0,))])
    promise = sub_erm.promise(params)
    assert isinstance(promise.mechanism, ApproximateRenyi | Concentrated)
    epsilon, counts, many = promised_epsilon(promise, 1e-5).upper, [], 200_000
    for data in (here, here.replaced(0, Ridge.LINEAR, (-1.0,))):
        phases = sub_erm.cpu(params, data, Trials(Stream(91, "tests/promises"), np.arange(many))).phases
        ratio = sub_erm.canary_log_likelihood_ratio(params, phases, (1.0,), records=2)
        counts.append(int((ratio >= 1.0).sum()))
    hit = stats.beta.ppf(5e-7, counts[0], many - counts[0] + 1)
    miss = stats.beta.isf(5e-7, counts[1] + 1, many - counts[1])
    revealed = math.log((hit - 1e-5) / miss)
    assert 0 < epsilon / 100 < revealed <= epsilon < math.inf
