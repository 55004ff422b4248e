"""DP-FTRL: its lines, the three forms, the law of its noise, what one record moves, promises, counts, errors.

Statistical tests: false alarm at most 1e-6 each.
"""

from __future__ import annotations

from dataclasses import replace
from functools import partial

import numpy as np
import pytest
from laws import assert_gaussian
from refusals import refused
from three_forms import assert_forms_repeat, fast_forms, run_of

from dpaudit.accounting.factorisations import FACTORISATIONS, binary_tree, square_root
from dpaudit.algorithms.srgd import dp_ftrl, dp_sgd
from dpaudit.algorithms.srgd.dp_ftrl import Params
from dpaudit.noise.stream import Stream, Trials
from dpaudit.problems import losses
from dpaudit.problems.domains import ball, box
from dpaudit.records.mechanism import Gaussian
from dpaudit.sampling.batches import Batches

STREAM = Stream(81, "tests/dp_ftrl")
RNG = np.random.default_rng(16)
FEATURES = RNG.normal(size=(13, 3))
LOGISTIC = losses.logistic(FEATURES, np.where(RNG.random(13) < 0.5, -1.0, 1.0))
LINEAR = losses.linear(FEATURES)
ETA = (0.5, 0.4, 0.3, 0.2, 0.1, 0.1)
PASS = Params((0.3, -0.2, 0.1), ETA, Batches("in order", 13, 2), 0.4, 3.0)
SMALL, STRIP = ball(0.4, (0.1, 0.0, 0.0)), box((-0.3,) * 3, (0.3,) * 3)


@pytest.mark.parametrize("name", FACTORISATIONS)
@pytest.mark.parametrize("projection", dp_ftrl.PROJECTIONS)
def test_numba_and_torch_repeat_every_trial_of_the_reference(name: str, projection: str) -> None:
    params = replace(PASS, factorisation=name, projection=projection)
    assert_forms_repeat(dp_ftrl, replace(params, domain=SMALL), LOGISTIC, STREAM)
    assert_forms_repeat(dp_ftrl, replace(params, domain=STRIP, clip_norm=0.5), LOGISTIC, STREAM)
    whole = replace(params, batches=Batches("all records", 13, 13), factorisation=square_root(6))
    assert_forms_repeat(dp_ftrl, whole, LOGISTIC, STREAM)


@pytest.mark.parametrize("name", FACTORISATIONS)
def test_the_noise_has_covariance_of_the_inverse_gram_matrix(name: str) -> None:
    """(b_1, ..., b_T) ~ N(0, s^2 (C^T C)^-1) coordinatewise; its sums over the steps are s left xi."""
    params = replace(PASS, factorisation=name, start=(0.0,), batches=Batches("in order", 6, 1))
    right, empty = params.factors.right, losses.linear(np.zeros((6, 1)))
    for found in fast_forms(dp_ftrl, params, empty, Trials(STREAM, np.arange(20_000)), "transcript"):
        assert_gaussian(found[:, :, 0], np.zeros(6), 0.16 * np.linalg.inv(right.T @ right))
        left = params.factors.left
        assert_gaussian(np.cumsum(found[:, :, 0], axis=1), np.zeros(6), 0.16 * left @ left.T)


def test_the_output_on_quadratics_is_gaussian() -> None:
    """w_{t+1} = (I - eta_t H) w_t + eta_t (mean of the batch) - eta_t s C^-1[t] xi, coordinates apart for H = c I."""
    curve, params = 0.8, replace(PASS, factorisation="square root")
    problem = losses.quadratic_minus_linear(curve * np.eye(3), FEATURES)
    means, inverse = FEATURES[:12].reshape(6, 2, 3).mean(axis=1), np.linalg.inv(square_root(6).right)
    mean, spread = np.array(PASS.start), np.zeros(6)
    for t, eta in enumerate(ETA):
        mean = mean - eta * (curve * mean - means[t])
        spread = spread - eta * (curve * spread + 0.4 * inverse[t])
    for found in fast_forms(dp_ftrl, params, problem, Trials(STREAM, np.arange(20_000)), "final"):
        assert_gaussian(found, mean, (spread @ spread) * np.eye(3))


def test_the_lazy_reading_follows_the_regularised_leader() -> None:
    """For one step size w_{t+1} minimises <sum of y, w> + |w - w_0|^2/(2 eta) over the set."""
    params = replace(PASS, step_sizes=(0.4,) * 6, domain=SMALL)
    run = run_of(dp_ftrl, params, LOGISTIC, STREAM, 1)
    leaders = SMALL.project(np.array(PASS.start) - 0.4 * np.cumsum(run.transcript, axis=0))
    assert run.states[1:, :3] == pytest.approx(leaders, abs=1e-12)
    every = run_of(dp_ftrl, replace(params, projection="every step"), LOGISTIC, STREAM, 1)
    assert np.abs(every.final - run.final).max() > 0.01, "with a set that binds the readings differ"
    w = np.array(PASS.start)
    for y in every.transcript:
        w = SMALL.project(w - 0.4 * y)
    assert every.final == pytest.approx(w, abs=1e-12)


@pytest.mark.parametrize("name", FACTORISATIONS)
def test_a_record_moves_the_release_by_its_column_norm(name: str) -> None:
    """C times the moved gradients, over the noise, is what the promise allows; the worst step attains it."""
    params, moves = replace(PASS, factorisation=name, clip_norm=0.5), []
    for t in range(6):
        other = FEATURES * 9
        other[2 * t] = 0.0
        here, there = (run_of(dp_ftrl, params, losses.linear(d), STREAM) for d in (9 * FEATURES, other))
        moves.append(np.linalg.norm(params.factors.right @ (here.transcript - there.transcript)))
    assert moves == pytest.approx(0.25 * params.factors.column_norms, abs=1e-12)
    mechanism = dp_ftrl.promise(params).mechanism
    assert isinstance(mechanism, Gaussian)
    assert mechanism.noise_multiplier == pytest.approx(0.4 / max(moves))


def test_independent_noise_promises_what_dp_sgd_does() -> None:
    for batches, steps in ((Batches("in order", 13, 2), 6), (Batches("all records", 13, 13), 4)):
        params = replace(PASS, batches=batches, factorisation="independent noise", step_sizes=ETA[:steps])
        other = dp_sgd.promise(dp_sgd.Params(PASS.start, ETA[:steps], batches, 0.4, 3.0)).mechanism
        once = other if isinstance(other, Gaussian) else other.mechanism
        times = 1 if batches.kind == "in order" else steps
        found = dp_ftrl.promise(params).mechanism
        assert isinstance(found, Gaussian)
        assert found.noise_multiplier == pytest.approx(once.noise_multiplier / times**0.5, rel=1e-11)


def test_counts_and_silence() -> None:
    assert run_of(dp_ftrl, PASS, LOGISTIC, STREAM).calls == {"gradients": 12, "values": 0, "rounds": 6}


test_wrong_parameters_are_refused = refused(
    partial(replace, PASS),
    ({"step_sizes": (0.1,) * 7}, "at most 6 steps"),
    ({"factorisation": binary_tree(5)}, "factorisation must have 6 items"),
    ({"batches": Batches("Poisson", 13, 2)}, "batches.kind must be one of"),
    ({"domain": ball(1.0, (0.0,))}, "the domain has 1 coordinates, the points have 3"),
)
