"""DP-SRM: golden runs, the three forms, reductions, exact laws, sensitivities that are attained, promises.

Statistical tests: false alarm at most 1e-6 each.
"""

from __future__ import annotations

import json
from dataclasses import replace
from fractions import Fraction
from functools import partial
from itertools import combinations
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from laws import assert_gaussian
from refusals import refused
from scipy import stats
from three_forms import fast_forms

from dpaudit.algorithms.srm import dp_srm
from dpaudit.algorithms.srm.accounting import calibration
from dpaudit.algorithms.srm.dp_srm import Draws, Params, coupled
from dpaudit.algorithms.srm.dp_srm.privacy import setting_of
from dpaudit.algorithms.stepwise import Trajectory
from dpaudit.content.loading import forms_of
from dpaudit.noise.stream import Stream, Trials
from dpaudit.problems import losses
from dpaudit.problems.losses import Problem
from dpaudit.records.errors import ConfigurationError
from dpaudit.records.mechanism import Composed, FixedSizeSampled, Gaussian, SelfComposed
from dpaudit.records.privacy import Neighbours, View

VECTORS = json.loads((Path(__file__).parents[2] / "vectors" / "srm_trajectories.json").read_text(encoding="utf-8"))
RNG = np.random.default_rng(6)
FEATURES = RNG.normal(size=(7, 3))
FEATURES /= np.linalg.norm(FEATURES, axis=1, keepdims=True)
LOGISTIC = losses.logistic(FEATURES, np.array([1.0, -1, 1, -1, -1, 1, 1]))
HUBER = losses.huber(FEATURES, RNG.normal(size=7), 0.5)
CURVATURE = np.array([[1.0, 0.3, 0.0], [0.3, 0.8, -0.2], [0.0, -0.2, 0.5]])
STREAM = Stream(78, "tests/dp_srm")
PARAMS = Params((0.5, -0.5, 1.0), 8, 7, 4, 3, 0.3, 0.4, 2.0, 1.0, 1.0, 0.3, 0.2)
WHOLE = replace(PARAMS, first_batch=7, batch=7, steps=4)
CLIPPED = replace(PARAMS, gradient_clip=0.4, difference_clip=0.01, momentum=0.1)


def run(params: Params, problem: Problem = LOGISTIC, trial: int = 0) -> tuple[Trajectory, Draws]:
    inputs = dp_srm.draw_inputs(params, STREAM, trial)
    return dp_srm.reference(params, problem, inputs), inputs


def numbers(values: list[str]) -> np.ndarray:
    return np.array([float(Fraction(value)) for value in values])


@pytest.mark.parametrize("case", VECTORS["cases"], ids=lambda case: case["name"])
def test_the_reference_repeats_the_exact_runs(case: dict[str, Any]) -> None:
    centres, curvatures = numbers(case["centres"]), numbers(case["curvatures"])
    problem = losses.squared(np.ones((len(centres), 1)), centres, curvatures)
    batches = tuple(np.array(batch) for batch in case["batches"])
    clips = [None, None] if case["clips"] is None else numbers(case["clips"]).tolist()
    constant = case["step_size"] is not None
    params = Params(
        (float(Fraction(case["start"])),), len(batches), len(centres), len(batches[0]), len(batches[1]),
        *numbers([case[name] for name in ("momentum", "accuracy", "divisor", "smoothness")]).tolist(),
        9.0, 1.0, 1.0, *clips, "constant" if constant else "printed",
        float(Fraction(case["step_size"])) if constant else None,
    )  # fmt: skip
    found = dp_srm.reference(params, problem, Draws(numbers(case["noise"])[:, None], batches, 0))
    assert found.transcript[:, 0] == pytest.approx(numbers(case["expected"]["released"]), abs=1e-14)
    assert found.states[:, 1] == pytest.approx(numbers(case["expected"]["points"]), abs=1e-14)
    estimates = found.transcript[:, 0] - numbers(case["noise"])
    assert estimates == pytest.approx(numbers(case["expected"]["estimates"]), abs=1e-14)


def test_the_reductions_are_those_of_the_specification() -> None:
    assert [r.id for r in forms_of(dp_srm).reductions(12)] == [*(f"srm/R{i}" for i in range(1, 8)), "srm/ALG-2"]


def test_a_broken_recursion_fails_its_reductions(monkeypatch: pytest.MonkeyPatch) -> None:
    """v is fed back in the place of v_p: R7 and R1 to R3 tell which of them see it."""
    right = dp_srm.step

    def wrong(params: Params, problem: Any, state: Any, t: int, draw: Draws) -> Any:
        made = right(params, problem, state, t, draw)
        fed_back = made.released - params.noise_at(t) * draw.noise
        return replace(made, state=np.concatenate([made.state[:6], fed_back, made.state[9:]]))

    monkeypatch.setattr(dp_srm, "reference", replace(dp_srm.STEPWISE, step=wrong).reference)
    verdicts = {
        r.id: [np.abs(p.left - p.right).max() <= p.tolerance for p in r.pairs()]
        for r in forms_of(dp_srm).reductions(12)
    }
    assert not all(verdicts["srm/R7"])
    assert all(verdicts["srm/R1"]), "without memory nothing is fed back"


# Batches, steps, counts. ---------------------------------------------------------------------------


def test_both_rates_occur_and_no_step_is_longer_than_zeta_over_n0_l() -> None:
    runs = [run(PARAMS, trial=t)[0] for t in range(20)]
    states = np.stack([r.states for r in runs])
    lengths = np.linalg.norm(states[:, 1:, 3:6] - states[:, 1:, :3], axis=-1)
    assert lengths.max() == pytest.approx(PARAMS.longest, rel=1e-12)
    short = np.stack([r.branches[:, 0] for r in runs])
    assert 0 < short.mean() < 1, "both rates must occur"
    released = np.linalg.norm(np.stack([r.transcript for r in runs]), axis=-1)
    scale = PARAMS.divisor * PARAMS.smoothness
    printed = np.minimum(PARAMS.accuracy / (scale * released), 1 / (2 * scale))
    assert lengths == pytest.approx(printed * released, rel=1e-12)


def test_a_zero_estimate_takes_the_short_rate() -> None:
    flat = losses.linear(np.zeros((7, 3)))
    silent = replace(PARAMS, first_noise=0.0, noise=0.0)
    found, _ = run(silent, flat)
    assert np.isfinite(found.states).all()
    assert found.branches.all()
    assert coupled.iterates(silent, found.transcript).tolist() == [list(PARAMS.start)] * 9
    assert all(
        np.isfinite(one).all() for one in fast_forms(dp_srm, silent, flat, Trials(STREAM, np.arange(2)), "final")
    )


@pytest.mark.parametrize("params", [PARAMS, CLIPPED], ids=["printed", "clipped"])
def test_gradients_are_counted(params: Params) -> None:
    found, draws = run(params)
    assert found.calls == dp_srm.calls(params, draws) == {"gradients": 4 + 2 * 3 * 7}
    assert dp_srm.noise_shape(params) == (8, 3)


def test_batches_are_uniform_subsets() -> None:
    """Chi-square over the 10 subsets of size 2 of 5 records; false alarm at most 1e-6."""
    params = Params((0.0,), 400, 5, 2, 2, 1.0, 1.0, 1.0, 1.0, 1.0, 1.0, 1.0)
    batches = np.sort(np.concatenate([dp_srm.draw_inputs(params, STREAM, t).batches for t in range(10)]), axis=1)
    counts = [int((batches == pair).all(axis=1).sum()) for pair in combinations(range(5), 2)]
    assert sum(counts) == 4_000, "no record twice"
    assert stats.chisquare(counts).pvalue > 1e-6


def test_the_first_batch_has_its_own_size() -> None:
    assert [len(batch) for batch in run(PARAMS)[1].batches] == [4] + [3] * 7


@pytest.mark.deep
def test_the_output_is_a_uniform_iterate() -> None:
    """Chi-square over the 8 indices; false alarm at most 1e-6."""
    chosen = [dp_srm.draw_inputs(PARAMS, STREAM, t).output for t in range(800)]
    assert stats.chisquare(np.bincount(chosen, minlength=8)).pvalue > 1e-6
    found, draws = run(PARAMS)
    assert np.array_equal(found.final, found.states[draws.output, 3:6])


# Exact laws. ---------------------------------------------------------------------------------------


def recursion(params: Params, steps: int) -> np.ndarray:
    """The covariance over steps of e_t = (1 - gamma) e_{t-1} + u_t in one coordinate (R7 with all records)."""
    keep = 1 - params.momentum
    rows = np.array([[keep ** (t - s) if s <= t else 0.0 for s in range(steps)] for t in range(steps)])
    return rows @ np.diag([params.noise_at(t) ** 2 for t in range(steps)]) @ rows.T


@pytest.mark.parametrize("rule", ["printed", "constant"])
def test_released_values_on_linear_losses_are_gaussian(rule: str) -> None:
    """v_p^t = m + e_t at any rate, on numba and torch."""
    params = replace(WHOLE, step_rule=rule, step_size=0.4 if rule == "constant" else None)
    trials = Trials(STREAM, np.arange(6_000))
    covariance = np.kron(recursion(params, 4), np.eye(3))
    for found in fast_forms(dp_srm, params, losses.linear(FEATURES), trials, "transcript"):
        assert_gaussian(found.reshape(6_000, 12), np.tile(FEATURES.mean(axis=0), 4), covariance)


def test_released_values_on_quadratics_are_gaussian_at_constant_rate() -> None:
    """v_p^t = H theta^t - mean zeta + e_t, theta^{t+1} = theta^t - eta v_p^t: a linear map of the noise."""
    params = replace(WHOLE, step_rule="constant", step_size=0.4)
    problem = losses.quadratic_minus_linear(CURVATURE, FEATURES)
    noises = np.eye(12).reshape(4, 3, 12) * np.array([params.noise_at(t) for t in range(4)])[:, None, None]
    theta, spread, mean, linear = np.array(params.start), np.zeros((3, 12)), [], []
    error = np.zeros((3, 12))
    for t in range(4):
        error = (1 - params.momentum) * error + noises[t]
        mean.append(CURVATURE @ theta - FEATURES.mean(axis=0))
        linear.append(CURVATURE @ spread + error)
        theta, spread = theta - 0.4 * mean[-1], spread - 0.4 * linear[-1]
    matrix = np.concatenate(linear)
    for found in fast_forms(dp_srm, params, problem, Trials(STREAM, np.arange(6_000)), "transcript"):
        assert_gaussian(found.reshape(6_000, 12), np.concatenate(mean), matrix @ matrix.T)


def test_errors_are_gaussian_for_every_loss_when_batches_are_whole() -> None:
    """v_p^t - grad F(theta^t) has the law of e_t at the printed rates too."""
    for found in fast_forms(dp_srm, WHOLE, HUBER, Trials(STREAM, np.arange(6_000)), "transcript"):
        errors = found - HUBER.gradient(coupled.iterates(WHOLE, found)[:, :-1])
        assert_gaussian(errors.reshape(6_000, 12), np.zeros(12), np.kron(recursion(WHOLE, 4), np.eye(3)))


def test_the_worst_case_is_the_mixture_of_the_specification() -> None:
    """Normal records have gradient -G e, the canary +G e: the increment of the released values along e is Delta_t
    more where the canary is in the batch, which it is with probability b/n. Kolmogorov-Smirnov, 1e-6 each."""
    e = np.array([0.6, -0.8, 0.0])
    data = losses.linear(np.vstack([e, np.tile(-e, (6, 1))]))
    params = replace(PARAMS, momentum=1.0, steps=3, first_noise=0.1, noise=0.1)
    first, later = dp_srm.sensitivities(params)
    assert (first, later) == (2 / 4, pytest.approx(2 / 3))
    for found in fast_forms(dp_srm, params, data, Trials(STREAM, np.arange(8_000)), "transcript"):
        along = found @ e + 1.0
        for t, (size, jump) in enumerate(((4, first), (3, later), (3, later))):
            rate = size / 7

            def law(x: Any, rate: float = rate, jump: float = jump) -> Any:
                return (1 - rate) * stats.norm.cdf(x / 0.1) + rate * stats.norm.cdf((x - jump) / 0.1)

            assert stats.kstest(along[:, t], law).pvalue > 1e-6
        inside = along > first / 2
        assert stats.chi2_contingency(np.histogram2d(*inside[:, 1:].T, bins=2)[0])[1] > 1e-6, "fresh batches"


# Sensitivity. --------------------------------------------------------------------------------------


def test_iterates_and_queries_follow_the_released_values() -> None:
    """With full batches the query plus the released past is what the shipped code computes before noise."""
    for params in (replace(WHOLE, steps=8), replace(WHOLE, steps=8, step_rule="constant", step_size=0.3)):
        found, draws = run(params)
        points = np.vstack([found.states[:, 3:6]])
        assert coupled.iterates(params, found.transcript) == pytest.approx(points, abs=1e-13)
        before_noise = found.transcript - np.array([params.noise_at(t) for t in range(8)])[:, None] * draws.noise
        past = np.vstack([np.zeros(3), (1 - params.momentum) * found.transcript[:-1]])
        assert coupled.queries(params, LOGISTIC, found.transcript) == pytest.approx(before_noise - past, abs=1e-13)


def test_the_coupled_difference_is_that_of_one_record() -> None:
    """(1/b)(a_i - a_i') with a = grad f(theta^t) - (1 - gamma) grad f(theta^{t-1}) (theorem 5.1, s7)."""
    neighbour = losses.logistic(np.vstack([-FEATURES[:1], FEATURES[1:]]), LOGISTIC.labels)
    transcript = dp_srm.cpu(PARAMS, LOGISTIC, Trials(STREAM, np.arange(200)))
    difference = coupled.coupled_difference(PARAMS, LOGISTIC, neighbour, transcript)
    points = coupled.iterates(PARAMS, transcript)[:, :-1]
    changed = LOGISTIC.record_gradients(points)[:, :, 0] - neighbour.record_gradients(points)[:, :, 0]
    expected = changed.copy()
    expected[:, 1:] -= (1 - PARAMS.momentum) * changed[:, :-1]
    expected[:, 0] /= PARAMS.first_batch
    expected[:, 1:] /= PARAMS.batch
    assert difference == pytest.approx(expected, abs=1e-13)
    first, later = dp_srm.sensitivities(PARAMS)
    assert (first, later) == (0.5, pytest.approx(2 * (0.7 * 0.2 + 0.3) / 3))
    sizes = np.linalg.norm(difference, axis=-1)
    assert sizes[:, 0].max() <= first
    assert sizes[:, 1:].max() <= later


def test_coupled_runs_attain_the_sensitivity_and_never_exceed_it() -> None:
    ratios = coupled.coupled_sensitivity(STREAM, 201)
    assert ratios.shape == (201,)
    assert 1 - 1e-12 <= ratios.max() <= 1 + 1e-12
    assert 0.05 < ratios[101:].max() < 1


class Slope:
    """One record in one dimension with slope sign * clip(x - kink, -G, G): smooth with L = 1, concave for sign -1."""

    records, dimension = 1, 1

    def __init__(self, sign: float, kink: float) -> None:
        self.sign, self.kink = sign, kink

    def gradient(self, point: Any) -> Any:
        return self.sign * np.clip(point - self.kink, -1.0, 1.0)


@pytest.mark.parametrize("momentum", [0.0, 0.3, 1.0])
def test_2_4_is_attained_where_one_record_is_convex_and_the_other_concave(momentum: float) -> None:
    """A step of length zeta/(n0 L) up to the kink of two opposite slopes; at t = 0 they give 2 G."""
    params = Params((0.0,), 2, 1, 1, 1, momentum, 0.5, 2.0, 1.0, 1.0, 1.0, 1.0)
    transcript = np.array([[-1.5], [0.0]])  # |v_p| > 2 zeta: theta^1 = zeta/(n0 L) = 1/4
    at_start = [
        np.abs(coupled.coupled_difference(params, Slope(1, k), Slope(-1, k), transcript)) for k in (-1.0, -0.75)
    ]
    assert at_start[0][0, 0] == pytest.approx(dp_srm.sensitivities(params)[0], rel=1e-15)
    assert at_start[1][1, 0] == pytest.approx(dp_srm.sensitivities(params)[1], rel=1e-15)


def test_convex_records_stay_below_2_4() -> None:
    """Gradient differences of two convex records lie in one ball of diameter L |step| (Baillon, Haddad 1977), so that
    the part of (2.4) that comes from differences halves; searched on random pairs of convex quadratics in the plane."""
    rng, worst = np.random.default_rng(3), 0.0
    for _ in range(2_000):
        step = rng.normal(size=2)
        pair = [np.outer(v, v) / (v @ v) @ step for v in rng.normal(size=(2, 2))]
        worst = max(worst, float(np.linalg.norm(pair[0] - pair[1]) / np.linalg.norm(step)))
    assert 0.99 < worst <= 1


@pytest.mark.parametrize("rule", ["printed", "constant"])
def test_clips_bound_what_one_record_changes_and_a_canary_attains_it(rule: str) -> None:
    """Squared losses of two records, almost orthogonal to the step and long: gradients and differences are clipped to
    +- C1 and +- C2 along one axis, so that replacing one by the other moves v by Delta_t but for the tilt of 1e-4."""
    options = {"step_rule": rule, "step_size": 0.5 if rule == "constant" else None}
    params = replace(CLIPPED, steps=2, first_batch=2, batch=2, records=2, start=(0.0, 0.0), **options)
    tilt, rows = 1e-4, []
    normal = np.array([0.5, 0.0])  # the other record, which moves theta against the first axis
    for sign in (1.0, -1.0):
        canary = 1e6 * np.array([tilt, sign])
        problem = losses.squared(np.stack([normal, canary]), np.array([1.0, -sign]), np.array([1.0, 1.0]))
        state = np.array([[0.0, 0.0, 0.2, 0.0, -1.0, 0.0, 0.0, 0.0]])  # theta^0 = 0, theta^1 = (0.2, 0)
        rows.append([
            dp_srm.advance_cpu(params, problem, Trials(STREAM, np.array([0])), np.array([1]), state)[0][0, 8:],
            dp_srm.advance_gpu(
                params, problem, Trials(STREAM, np.array([0])), np.array([1]), state, "float64", "cpu"
            )[0][0, 8:],
        ])  # fmt: skip
    change = np.linalg.norm(np.array(rows[0]) - np.array(rows[1]), axis=1)
    later = dp_srm.sensitivities(params)[1]
    assert later == pytest.approx(2 * (0.9 * 0.01 + 0.1 * 0.4) / 2)
    assert (change <= later * (1 + 1e-12)).all()
    assert (change >= later * (1 - 1e-6)).all()


def test_sensitivities_without_a_longest_step() -> None:
    """At constant rate the difference of a record's gradients is bounded by 2 G alone."""
    constant = replace(PARAMS, step_rule="constant", step_size=0.3)
    assert dp_srm.sensitivities(constant)[1] == pytest.approx(2 * (0.7 * 2 + 0.3) / 3)
    assert dp_srm.sensitivities(replace(constant, gradient_clip=0.4, difference_clip=0.01)) == pytest.approx(
        (0.8 / 4, 2 * (0.7 * 0.01 + 0.3 * 0.4) / 3)
    )


# Promises. -----------------------------------------------------------------------------------------


def test_it_promises_sampled_gaussian_steps() -> None:
    first, later = dp_srm.sensitivities(PARAMS)
    promise = dp_srm.promise(PARAMS)
    expected = Composed(
        (
            FixedSizeSampled(4, 7, Gaussian(0.3 / first)),
            SelfComposed(FixedSizeSampled(3, 7, Gaussian(0.2 / later)), 7),
        )
    )
    assert promise.mechanism == expected
    assert (promise.neighbours, promise.view) == (Neighbours.REPLACE_ONE, View.TRANSCRIPT)
    assert "corrected" in promise.source
    assert dp_srm.promise(replace(PARAMS, steps=1, noise=0.0)).mechanism == FixedSizeSampled(
        4, 7, Gaussian(0.3 / first)
    )
    assert dp_srm.promise(replace(WHOLE, steps=1)).mechanism == Gaussian(0.3 / (2 / 7)), "nothing is hidden"
    assert promise.mechanism == calibration.mechanism(setting_of(PARAMS), 0.3, 0.2)
    with pytest.raises(ConfigurationError, match="noise must be above 0"):
        dp_srm.promise(replace(PARAMS, noise=0.0))


def test_the_calibration_of_theorem_5_1_keeps_what_it_claims() -> None:
    """epsilon = 5 at delta = 1e-3 for 500 steps on batches of 200 of 10^4 records: claimed 5, true below 1.6."""
    params = replace(PARAMS, steps=500, records=10_000, first_batch=200, batch=200)
    made = dp_srm.calibrate(params, 5.0, 1e-3)
    drift = 0.7 * 0.2 + 0.3
    assert made.noise / made.first_noise == pytest.approx(drift, rel=1e-12)
    found = dp_srm.claims(made, 1e-3)
    assert found.claimed == pytest.approx(5.0, rel=1e-9)
    assert found.true.upper < found.theorem_9 < found.formula < 5
    clipped = replace(params, gradient_clip=2.0, difference_clip=0.1, step_rule="constant", step_size=0.1)
    assert dp_srm.calibrate(clipped, 5.0, 1e-3).first_noise == pytest.approx(2 * made.first_noise, rel=1e-12)
    assert dp_srm.calibrate(clipped, 5.0, 1e-3).noise == pytest.approx((0.07 + 0.6) * made.first_noise, rel=1e-12)


def test_without_the_conditions_the_calibration_breaks_its_claim() -> None:
    """One record a step, 400 of them: (2.3) keeps its noise, the condition fails, and 1.77 > 1 is true."""
    params = replace(PARAMS, steps=400, records=400, first_batch=1, batch=1, momentum=1.0)
    with pytest.raises(ConfigurationError, match=r"theorem 5.1 does not apply .* sigma'\^2 = 0.259.* < 0.7"):
        dp_srm.calibrate(params, 1.0, 1e-3, share=0.5)
    forced = dp_srm.calibrate(params, 1.0, 1e-3, share=0.5, forced=True)
    found = dp_srm.claims(forced, 1e-3)
    assert found.claimed == np.inf
    assert found.formula < 1 < 1.7 < found.true.lower


# Errors. -------------------------------------------------------------------------------------------


test_wrong_parameters_are_refused = refused(
    partial(replace, PARAMS),
    ({"batch": 8}, "batch must be from 1 to 7, got 8"),
    ({"momentum": 1.5}, r"momentum must be at most 1.0, got 1.5"),
    ({"momentum": -0.1}, "momentum must be at least 0.0"),
    ({"step_rule": "constant"}, "step_size is for the constant step_rule alone, got None with 'constant'"),
    ({"step_size": 0.1}, "step_size is for the constant step_rule alone, got 0.1 with 'printed'"),
    ({"step_size": 0.0, "step_rule": "constant"}, "step_size must be above 0"),
    ({"gradient_clip": 1.0}, "gradient_clip and difference_clip must be both given"),
    ({"gradient_clip": 1.0, "difference_clip": 0.0}, "difference_clip must be above 0"),
)
