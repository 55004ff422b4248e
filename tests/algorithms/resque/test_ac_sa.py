"""AC-SA: two steps in exact arithmetic for every option, counts, edges, the ways to the gradient, proposition 4."""

from __future__ import annotations

import itertools
import math
from fractions import Fraction

import numpy as np
import pytest
from scipy import special

from dpaudit.algorithms.resque import ac_sa
from dpaudit.algorithms.resque.ac_sa import Params, kernels
from dpaudit.algorithms.resque.ac_sa.series import ORDER, basis, hermite, limit_coefficients, limit_law
from dpaudit.noise.stream import Stream, Trials
from dpaudit.problems.smoothing.minimum import ball_minimum
from dpaudit.problems.smoothing.ridges import Oracle, Ridge, ridge_losses, smoothed_gradient, smoothed_value
from dpaudit.records.errors import ConfigurationError

STREAM = Stream(83, "tests/acsa")
LINEAR = Oracle(ridge_losses([(Ridge.LINEAR, (1.0,))]))
KINK = Oracle(ridge_losses([(Ridge.ABSOLUTE, (1.0,), 0.3)]))
FORMS = list(itertools.product(("GL12", "printed"), repeat=2))


def steps_by_hand(weight: str, linear: str, count: int) -> list[Fraction]:
    """x^ag after each of the first steps for f = x, lambda = 1, L/rho = 3, xbar = 1 and a ball that never matters."""
    centre = Fraction(1)
    ag, x, found = centre, centre, []
    for t in range(1, count + 1):
        alpha, gamma = Fraction(2, t + 1), Fraction(16, t * (t + 1))
        below = gamma + 1 - alpha**2
        second = alpha * (1 - alpha) * (1 + gamma) if weight == "printed" else alpha * (1 - alpha + gamma)
        md = (1 - alpha) * (1 + gamma) / below * ag + second / below * x
        c = alpha + (1 if linear == "printed" else alpha) * (md - centre)
        p = gamma + 1 - alpha
        x = (p * x + alpha * md - c) / (p + alpha)
        ag = alpha * x + (1 - alpha) * ag
        found.append(ag)
    return found


@pytest.mark.deep(keep=1)
@pytest.mark.parametrize(("weight", "linear"), FORMS)
def test_steps_in_exact_arithmetic(weight: str, linear: str) -> None:
    p = Params((1.0,), 100.0, 1 / 3, 1.0, 5000.0, 1.0, weight=weight, linear=linear, gradient="exact")
    assert (p.loops, p.steps) == (1, 8)
    run = ac_sa.reference(p, LINEAR, *ac_sa.draw_inputs(p, LINEAR, STREAM, 0))
    expected = [float(value) for value in steps_by_hand(weight, linear, 8)]
    assert run.states[1:, 0] == pytest.approx(expected, rel=1e-13)
    assert ac_sa.cpu(p, LINEAR, Trials(STREAM, np.array([0])))[0, 0] == pytest.approx(expected[-1], rel=1e-13)


def test_the_cited_weights_sum_to_one_and_the_printed_ones_do_not() -> None:
    cited, printed = (Params((0.0,), 1.0, 0.1, 1.0, 0.1, 1.0, weight=form) for form in ("GL12", "printed"))
    assert [sum(ac_sa.middle_weights(cited, t)) for t in range(1, 12)] == pytest.approx([1.0] * 11, rel=1e-14)
    sums = [sum(ac_sa.middle_weights(printed, t)) for t in range(1, 12)]
    assert sums[0] == 0.0
    assert all(total < 1 for total in sums)


def test_counts_and_sizes() -> None:
    """L = lambda = r = 1, rho = 1/3: T = 8; N_k = 48 2^k/8 = 6 2^k; phi = 1/8: K = 3; N = 8 (12 + 24 + 48)."""
    p = Params((0.0,), 1.0, 1 / 3, 1.0, 0.125, 1.0)
    assert (p.loops, p.steps, p.sizes, p.queries) == (3, 8, (12, 24, 48), 672)
    for index, used in (("GL12", 672), ("printed", 84)):
        q = Params((0.0,), 1.0, 1 / 3, 1.0, 0.125, 1.0, index=index)
        run = ac_sa.reference(q, KINK, *ac_sa.draw_inputs(q, KINK, STREAM, 0))
        assert (run.queries, run.rounds, run.used, len(run.loops), len(run.middles)) == (672, 1, used, 3, 24)
    assert ac_sa.noise_shape(p) == (672, 1)


@pytest.mark.parametrize("tolerance", [1.0, 1.5, 1e9])
def test_a_large_tolerance_returns_the_centre(tolerance: float) -> None:
    p = Params((0.25, 2.0), 1.0, 1.0, 1.0, tolerance, 1.0)
    oracle, trials = Oracle(ridge_losses([(Ridge.LINEAR, (1.0, 0.0))])), Trials(STREAM, np.arange(2))
    assert (p.loops, p.queries) == (0, 0)
    run = ac_sa.reference(p, oracle, *ac_sa.draw_inputs(p, oracle, STREAM, 0))
    assert (run.final.tolist(), len(run.loops)) == ([0.25, 2.0], 0)
    for found in (ac_sa.cpu(p, oracle, trials), ac_sa.gpu(p, oracle, trials).numpy()):
        assert found.tolist() == [[0.25, 2.0]] * 2


@pytest.mark.parametrize("index", ["GL12", "printed"])
@pytest.mark.parametrize("gradient", ["samples", "moments", "limit", "exact"])
def test_all_forms_give_the_same_run(index: str, gradient: str) -> None:
    p = Params((0.1,), 0.8, 0.8, 1.2, 0.3, 1.0, index, gradient=gradient)
    numbers = np.array([1, 6])
    runs = [ac_sa.reference(p, KINK, *ac_sa.draw_inputs(p, KINK, STREAM, t)) for t in numbers.tolist()]
    expected = np.stack([run.final for run in runs])
    assert ac_sa.cpu(p, KINK, Trials(STREAM, numbers)) == pytest.approx(expected, abs=1e-12)
    assert ac_sa.gpu(p, KINK, Trials(STREAM, numbers)).numpy() == pytest.approx(expected, abs=1e-12)


@pytest.mark.parametrize("index", ["GL12", "printed"])
def test_moments_are_the_samples(index: str) -> None:
    p, trials = Params((0.1,), 0.8, 0.8, 1.2, 0.1, 1.0, index), Trials(STREAM, np.arange(20))
    moments = Params((0.1,), 0.8, 0.8, 1.2, 0.1, 1.0, index, gradient="moments")
    assert ac_sa.cpu(moments, KINK, trials) == pytest.approx(ac_sa.cpu(p, KINK, trials), abs=1e-11)


@pytest.mark.deep
def test_a_pool_too_large_to_keep_is_drawn_again() -> None:
    wide = Params((0.1,), 1.0, 1e6, 0.004, 0.0025, 1.0, "printed")
    moments = Params((0.1,), 1.0, 1e6, 0.004, 0.0025, 1.0, "printed", gradient="moments")
    assert (wide.loops, wide.sizes[0] > kernels.KEPT) == (1, True)
    one = Trials(STREAM, np.array([0]))
    assert ac_sa.cpu(wide, KINK, one) == pytest.approx(ac_sa.cpu(moments, KINK, one), abs=1e-9)


def test_the_limit_law_has_the_mean_and_the_covariance_of_one_sample() -> None:
    """c against the exact gradient of the smoothed loss; cov against M^2 exp(t t') - m(t) m(t')."""
    for oracle in (KINK, LINEAR, Oracle(KINK.losses, "mean", 0.7)):
        mean, size = limit_law(oracle, 0.1, 0.8)
        t = np.array([-1.5, -0.4, 0.0, 0.7, 2.0])
        exact = smoothed_gradient(oracle.losses, (0.1 + 0.8 * t)[:, None], 0.8)[:, 0]
        assert basis(t) @ mean == pytest.approx(exact, abs=1e-12)
        rows = limit_coefficients(mean, size, 1, np.eye(ORDER)) - mean
        covariance = basis(t) @ rows.T @ rows @ basis(t).T
        expected = size**2 * np.exp(np.outer(t, t)) - np.outer(exact, exact)
        assert covariance == pytest.approx(expected, abs=1e-9 * size**2 * math.exp(4))


def test_hermite_polynomials_and_the_weight() -> None:
    z = np.array([-3.0, -0.2, 0.0, 1.0, 4.0])
    for j in (0, 1, 2, 5, 20):
        assert hermite(z)[:, j] == pytest.approx(special.eval_hermitenorm(j, z) / math.sqrt(math.factorial(j)))
    assert hermite(z) @ basis(np.array(0.9)) == pytest.approx(np.exp(0.9 * z - 0.405), rel=1e-12)
    assert np.isnan(basis(np.array(4.1))).any()


def test_the_cited_form_reaches_the_tolerance_and_the_printed_one_need_not() -> None:
    """Exact gradients, |xbar| = 30 rho: the printed weight of x_{t-1} drags x^md to the origin."""
    losses = ridge_losses([(Ridge.ABSOLUTE, (1.0,), 30.5)])
    best = ball_minimum(losses, (30.0,), 1.0, 1.0, 1.0)
    gaps = []
    for weight in ("GL12", "printed"):
        p = Params((30.0,), 1.0, 1.0, 1.0, 0.05, 1.0, weight=weight, gradient="exact")
        x = ac_sa.cpu(p, Oracle(losses), Trials(STREAM, np.array([0])))
        gaps.append(float(smoothed_value(losses, x, 1.0)[0] + 0.5 * (x[0, 0] - 30) ** 2 - best.value))
    assert -1e-12 <= gaps[0] <= 0.05 < gaps[1]


def test_wrong_values_are_refused() -> None:
    with pytest.raises(ConfigurationError, match="needs one dimension"):
        Params((0.0, 0.0), 1.0, 1.0, 1.0, 0.1, 1.0, gradient="limit")
    with pytest.raises(ConfigurationError, match="weight must be one of 'GL12', 'printed'"):
        Params((0.0,), 1.0, 1.0, 1.0, 0.1, 1.0, weight="other")
    with pytest.raises(ConfigurationError, match="not HINGE"):
        limit_law(Oracle(ridge_losses([(Ridge.HINGE, (1.0,))])), 0.0, 1.0)
    with pytest.raises(ConfigurationError, match="reach 2\\^39"):
        Params((0.0,), 1e-4, 1e-4, 1.0, 1e-12, 1.0)
    assert Params((0.0,), 1e-4, 1e-4, 1.0, 1e-12, 1.0, gradient="limit").loops == 14
