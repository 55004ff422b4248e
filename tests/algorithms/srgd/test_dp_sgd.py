"""DP-SGD: the forms, exact laws, sensitivity, promises, outputs, errors.

Statistical tests: false alarm at most 1e-6 each.
"""

from __future__ import annotations

from dataclasses import replace
from functools import partial

import numpy as np
import pytest
import torch
from laws import assert_gaussian
from refusals import refused
from three_forms import fast_forms

from dpaudit.accounting.epsilon import promised_epsilon
from dpaudit.algorithms.srgd import dp_sgd
from dpaudit.algorithms.srgd.dp_sgd import Params
from dpaudit.noise.stream import Stream, Trials
from dpaudit.problems import losses
from dpaudit.problems.domains import ball
from dpaudit.problems.modules import ModuleProblem
from dpaudit.records.mechanism import FixedSizeSampled, Gaussian, PoissonSampled, SelfComposed, WithReplacementSampled
from dpaudit.records.privacy import Neighbours
from dpaudit.sampling.batches import Batches

STREAM = Stream(21, "tests/dp_sgd")
RNG = np.random.default_rng(9)
FEATURES = RNG.normal(size=(6, 3))
LOGISTIC = losses.logistic(FEATURES, np.array([1.0, -1, 1, -1, -1, 1]))
WHOLE = Params((0.5, -0.25, 0.125), (0.5, 0.4, 0.3, 0.2), Batches("all records", 6, 6), 0.3, 3.0)


def test_the_final_iterate_on_linear_losses_is_gaussian() -> None:
    """w_T = w_0 - sum eta_t (mean + s z_t), on numba and torch."""
    linear = losses.linear(FEATURES)
    eta, trials = np.array(WHOLE.step_sizes), Trials(STREAM, np.arange(20_000))
    mean = np.array(WHOLE.start) - eta.sum() * FEATURES.mean(axis=0)
    for found in fast_forms(dp_sgd, WHOLE, linear, trials, "final"):
        assert_gaussian(found, mean, 0.09 * (eta**2).sum() * np.eye(3))


def test_the_final_iterate_on_quadratics_is_gaussian() -> None:
    """w_{t+1} = (I - eta H) w_t + eta (mean of zeta) - eta s z_t: mean and covariance by their recursions."""
    curvature = np.array([[1.0, 0.3, 0.0], [0.3, 0.8, -0.2], [0.0, -0.2, 0.5]])
    problem = losses.quadratic_minus_linear(curvature, FEATURES)
    mean, covariance = np.array(WHOLE.start), np.zeros((3, 3))
    for eta in WHOLE.step_sizes:
        shrink = np.eye(3) - eta * curvature
        mean = shrink @ mean + eta * FEATURES.mean(axis=0)
        covariance = shrink @ covariance @ shrink.T + (eta * 0.3) ** 2 * np.eye(3)
    for found in fast_forms(dp_sgd, WHOLE, problem, Trials(STREAM, np.arange(20_000)), "final"):
        assert_gaussian(found, mean, covariance)


def test_clipping_bounds_what_one_record_adds_and_a_long_gradient_attains_it() -> None:
    """Zeroing a record out changes the pre-noise mean by at most C/b, and by that for a gradient longer than C."""
    params = replace(WHOLE, noise=0.0, clip_norm=0.5)
    data = 10 * FEATURES
    without = losses.linear(np.vstack([np.zeros(3), data[1:]]))
    here, there = (
        dp_sgd.reference(params, p, dp_sgd.draw_inputs(params, STREAM, 0)) for p in (losses.linear(data), without)
    )
    change = np.linalg.norm(here.transcript[0] - there.transcript[0])
    assert change == pytest.approx(params.sensitivity, rel=1e-12)
    assert params.sensitivity == 0.5 / 6
    assert here.branches[0, 0] == 6, "all gradients are clipped"


def test_outputs_are_the_last_the_mean_and_a_drawn_iterate() -> None:
    draws = dp_sgd.draw_inputs(WHOLE, STREAM, 2)
    runs = {output: dp_sgd.reference(replace(WHOLE, output=output), LOGISTIC, draws) for output in dp_sgd.OUTPUTS}
    iterates = runs["last"].states[:, :3]
    assert np.array_equal(runs["last"].final, iterates[-1])
    assert runs["mean"].final == pytest.approx(iterates[1:].mean(axis=0), abs=1e-15)
    assert np.array_equal(runs["uniform"].final, iterates[draws.output])
    chosen = [dp_sgd.draw_inputs(WHOLE, STREAM, trial).output for trial in range(60)]
    assert set(chosen) == {0, 1, 2, 3}


def test_it_promises_by_how_batches_are_drawn() -> None:
    multiplier = 0.3 * 2 / 3.0
    listed = {
        "Poisson": (PoissonSampled(2 / 6, Gaussian(multiplier)), Neighbours.ADD_OR_REMOVE),
        "without replacement": (FixedSizeSampled(2, 6, Gaussian(multiplier / 2)), Neighbours.REPLACE_ONE),
        "with replacement": (WithReplacementSampled(2, 6, Gaussian(multiplier / 2)), Neighbours.REPLACE_ONE),
    }
    for kind, (once, neighbours) in listed.items():
        promise = dp_sgd.promise(replace(WHOLE, batches=Batches(kind, 6, 2)))
        assert (promise.mechanism, promise.neighbours) == (SelfComposed(once, 4), neighbours)
    whole = dp_sgd.promise(WHOLE)
    assert whole.mechanism == SelfComposed(Gaussian(0.3 * 6 / 3.0), 4)
    one_pass = dp_sgd.promise(replace(WHOLE, batches=Batches("in order", 6, 1)))
    assert one_pass.mechanism == Gaussian(0.3 / 3.0), "a record is in one step only"
    assert promised_epsilon(whole, 1e-5).upper == pytest.approx(promised_epsilon(whole, 1e-5).lower, abs=1e-6)


def test_without_noise_it_is_stochastic_gradient_descent() -> None:
    params = replace(WHOLE, noise=0.0, batches=Batches("with replacement", 6, 1))
    draws, w = dp_sgd.draw_inputs(params, STREAM, 3), np.array(WHOLE.start)
    for eta, batch in zip(WHOLE.step_sizes, draws.batches, strict=True):
        w = w - eta * LOGISTIC.record_gradients(w)[batch[0]]
    assert dp_sgd.reference(params, LOGISTIC, draws).final == pytest.approx(w, abs=1e-15)


def test_a_torch_module_takes_the_place_of_a_problem() -> None:
    """A linear layer with the logistic loss gives the iterates of the closed form, clipped per example."""
    module = torch.nn.Linear(3, 1, bias=False).double()
    labels = torch.tensor(LOGISTIC.labels)
    loss = lambda outputs, target: torch.nn.functional.softplus(-target * outputs[..., 0])  # noqa: E731
    model = ModuleProblem(module, loss, torch.tensor(FEATURES), labels)
    params = replace(WHOLE, batches=Batches("Poisson", 6, 3), clip_norm=0.7)
    trials = Trials(STREAM, np.arange(4))
    expected = dp_sgd.gpu(params, LOGISTIC, trials, "final").numpy()
    assert dp_sgd.gpu(params, model, trials, "final").numpy() == pytest.approx(expected, abs=1e-12)


def test_an_empty_batch_is_noise_alone() -> None:
    params = replace(WHOLE, batches=Batches("Poisson", 6, 1), clip_norm=1.0)
    empty = next(t for t in range(200) if not len(dp_sgd.draw_inputs(params, STREAM, t).batches[0]))
    draws = dp_sgd.draw_inputs(params, STREAM, empty)
    expected = 0.3 * draws.noise[0]
    assert np.array_equal(dp_sgd.reference(params, LOGISTIC, draws).transcript[0], expected)
    for found in fast_forms(dp_sgd, params, LOGISTIC, Trials(STREAM, np.array([empty])), "transcript"):
        assert found[0, 0] == pytest.approx(expected, abs=1e-15)


test_wrong_parameters_are_refused = refused(
    partial(replace, WHOLE),
    ({"clip_norm": 0.0}, "clip_norm must be above 0"),
    ({"batches": Batches("in order", 6, 2)}, "at most 3 steps"),
    ({"domain": ball(1.0, (0.0,))}, "the domain has 1 coordinates, the points have 3"),
    ({"step_sizes": (0.1, -0.1)}, r"step_sizes\[1\] must be above 0"),
)
