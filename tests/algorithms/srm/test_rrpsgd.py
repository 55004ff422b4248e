"""RRPSGD: the forms, the law of the round and of the output, sensitivity, the printed noise against what is true.

Statistical tests: false alarm at most 1e-6 each.
"""

from __future__ import annotations

import math
from dataclasses import replace
from functools import partial

import numpy as np
import pytest
from laws import assert_gaussian
from refusals import refused
from scipy import stats
from three_forms import fast_forms

from dpaudit.accounting.epsilon import promised_epsilon
from dpaudit.algorithms.srm import rrpsgd
from dpaudit.algorithms.srm.rrpsgd import LAWS, Params
from dpaudit.noise.stream import Stream, Trials
from dpaudit.problems import losses
from dpaudit.records.errors import ConfigurationError
from dpaudit.records.mechanism import Gaussian, SelfComposed, WithReplacementSampled
from dpaudit.records.privacy import Neighbours, View

STREAM = Stream(80, "tests/rrpsgd")
RNG = np.random.default_rng(10)
FEATURES = RNG.normal(size=(5, 3))
ROUGH = losses.nonconvex_logistic(FEATURES, np.array([1.0, -1, 1, -1, -1]), 0.1)
PARAMS = Params((0.5, -0.5, 1.0), (0.8, 0.6, 0.4, 0.2, 0.2), 5, 0.3, 3.0, 1.5)


def test_the_run_stops_at_its_round_and_its_gradients_are_counted() -> None:
    for trial in range(12):
        draws = rrpsgd.draw_inputs(PARAMS, STREAM, trial)
        found = rrpsgd.reference(PARAMS, ROUGH, draws)
        assert found.calls == rrpsgd.calls(PARAMS, draws) == {"gradients": draws.steps}
        assert np.array_equal(found.final, found.states[draws.steps])
        assert not found.transcript[draws.steps :].any()
        assert np.abs(found.transcript[: draws.steps]).min(initial=1.0) > 0
    assert rrpsgd.noise_shape(PARAMS) == (4, 3)


@pytest.mark.deep
@pytest.mark.parametrize("law", LAWS)
def test_the_round_has_its_law_on_every_form(law: str) -> None:
    """Chi-square over the 5 rounds, of the reference's draws and of the zeros that numba and torch leave."""
    eta = np.array(PARAMS.step_sizes)
    weights = {LAWS[0]: 2 * eta - 1.5 * eta**2, LAWS[1]: eta, LAWS[2]: np.ones(5)}[law]
    params, trials = replace(PARAMS, round_law=law), Trials(STREAM, np.arange(3_000))
    drawn = [np.array([rrpsgd.draw_inputs(params, STREAM, t).steps for t in range(500)])]
    drawn += [(found != 0).any(axis=2).sum(axis=1) for found in fast_forms(rrpsgd, params, ROUGH, trials, "transcript")]
    for made in drawn:
        expected = len(made) * weights / weights.sum()
        assert stats.chisquare(np.bincount(made, minlength=5), expected).pvalue > 1e-6


def test_the_output_on_identical_linear_records_is_gaussian_given_the_round() -> None:
    """theta^R = theta^1 - sum_{t<R} eta_t (x + sigma z_t), on numba and torch."""
    record, trials = np.array([0.4, -0.2, 0.1]), Trials(STREAM, np.arange(20_000))
    eta = np.array(PARAMS.step_sizes)
    uniform = STREAM.part("output").uniforms(trials.numbers, 0, 1)[:, 0]
    made = (uniform[:, None] >= PARAMS.round_law_sums).sum(axis=1)
    for found in fast_forms(rrpsgd, PARAMS, losses.linear(np.tile(record, (5, 1))), trials, "final"):
        for steps in range(1, 5):
            mean = np.array(PARAMS.start) - eta[:steps].sum() * record
            assert_gaussian(found[made == steps], mean, 0.09 * (eta[:steps] ** 2).sum() * np.eye(3))
        assert np.array_equal(found[made == 0], np.tile(PARAMS.start, ((made == 0).sum(), 1)))


def test_records_are_uniform() -> None:
    """Chi-square over 5 records; false alarm at most 1e-6."""
    drawn = np.concatenate([np.ravel(rrpsgd.draw_inputs(PARAMS, STREAM, t).records) for t in range(500)])
    assert stats.chisquare(np.bincount(drawn, minlength=5)).pvalue > 1e-6


def test_one_record_moves_a_gradient_by_2_g_at_most_and_opposite_ones_attain_it() -> None:
    """Without noise, one record, replaced by its opposite."""
    params = replace(PARAMS, records=1, noise=0.0, clip_norm=0.5)
    draws = rrpsgd.draw_inputs(params, STREAM, 0)._replace(steps=4)
    here, there = (rrpsgd.reference(params, losses.linear([[s, s, 0.0]]), draws) for s in (3.0, -3.0))
    change = np.linalg.norm(here.transcript - there.transcript, axis=1)
    assert change == pytest.approx([2 * 0.5] * 4, rel=1e-12)
    assert here.branches.tolist() == [[1]] * 4


def test_it_promises_the_composition_of_all_rounds() -> None:
    promise = rrpsgd.promise(PARAMS)
    assert promise.mechanism == SelfComposed(WithReplacementSampled(1, 5, Gaussian(0.3 / 6)), 4)
    assert (promise.neighbours, promise.view) == (Neighbours.REPLACE_ONE, View.TRANSCRIPT)
    clipped = rrpsgd.promise(replace(PARAMS, clip_norm=0.6)).mechanism
    assert clipped == SelfComposed(WithReplacementSampled(1, 5, Gaussian(0.3 / 1.2)), 4)


@pytest.mark.parametrize(("epsilon", "delta"), [(0.5, 1e-5), (2.0, 1e-3)])
def test_the_printed_noise_keeps_its_claim_and_wastes_most_of_it(epsilon: float, delta: float) -> None:
    """n = 40, T = n^2: the true epsilon is below a tenth of the printed one."""
    sigma = rrpsgd.printed_noise(3.0, 40, epsilon, delta)
    assert sigma == pytest.approx(12 * math.sqrt(3 * math.log(40 / delta) * math.log(2 / delta)) / epsilon, rel=1e-15)
    params = Params((0.0,), (0.1,) * 1600, 40, sigma, 3.0, 1.0)
    found = promised_epsilon(rrpsgd.promise(params), delta)
    assert 0 < found.upper < epsilon / 10


test_wrong_parameters_are_refused = refused(
    partial(replace, PARAMS),
    ({"step_sizes": (0.5,)}, "step_sizes must have two or more numbers"),
    ({"smoothness": 2.5}, r"step_sizes must be below 2/L = 0.8 for the round_law '2 eta - L eta\^2', got 0.8"),
    ({"clip_norm": 0.0}, "clip_norm must be above 0"),
    ({"noise": -1.0}, "noise must be at least 0"),
)


def test_long_steps_are_allowed_for_other_laws() -> None:
    assert replace(PARAMS, smoothness=2.5, round_law="eta").round_law_sums == pytest.approx(
        np.cumsum(PARAMS.step_sizes)[:-1] / 2.2
    )


@pytest.mark.parametrize(("epsilon", "delta"), [(0.0, 0.1), (1.0, 0.0), (1.0, 1.0)])
def test_the_printed_noise_refuses_what_is_no_promise(epsilon: float, delta: float) -> None:
    with pytest.raises(ConfigurationError, match=r"epsilon|delta"):
        rrpsgd.printed_noise(1.0, 10, epsilon, delta)
