"""STORM: the forms, an independent writing of the paper, what its schedule becomes at the ends, counts, errors."""

from __future__ import annotations

from dataclasses import replace
from functools import partial
from typing import Any

import numpy as np
import pytest
from refusals import refused
from scipy import stats

from dpaudit.algorithms.srm import storm
from dpaudit.algorithms.srm.storm import Params
from dpaudit.noise.stream import Stream, Trials
from dpaudit.problems import losses
from dpaudit.problems.losses import Problem
from dpaudit.sampling.batches import Batches

STREAM = Stream(79, "tests/storm")
RNG = np.random.default_rng(8)
FEATURES = RNG.normal(size=(7, 3))
ROUGH = losses.nonconvex_logistic(FEATURES, np.array([1.0, -1, 1, -1, -1, 1, 1]), 0.1)
ONE = Batches("with replacement", 7, 1)
PARAMS = Params((0.5, -0.5, 1.0), 9, ONE, 0.4, 1.0, 5.0)


def as_printed(params: Params, problem: Problem, batches: Any) -> tuple[list[np.ndarray], list[np.ndarray]]:
    """Algorithm 1 of Cutkosky and Orabona, from d_1 on: (d_1, ..., d_T) and (x_1, ..., x_{T+1})."""

    def gradient(point: np.ndarray, t: int) -> np.ndarray:
        return sum(problem.record_gradients(point)[i] for i in batches[t]) / len(batches[t])

    x, squares = [np.array(params.start)], []
    d = [gradient(x[0], 0)]
    for t in range(params.steps):
        squares.append(np.linalg.norm(gradient(x[t], t)) ** 2)
        eta = params.rate_factor / np.cbrt(params.offset + sum(squares))
        x.append(x[t] - eta * d[t])
        if t + 1 < params.steps:
            a = params.momentum_factor * eta**2
            d.append(gradient(x[t + 1], t + 1) + (1 - a) * (d[t] - gradient(x[t], t + 1)))
    return d, x


@pytest.mark.parametrize("batches", [ONE, Batches("without replacement", 7, 3), Batches("all records", 7, 7)])
def test_the_reference_is_the_paper(batches: Batches) -> None:
    params = replace(PARAMS, batches=batches)
    draws = storm.draw_inputs(params, STREAM, 3)
    found = storm.reference(params, ROUGH, draws)
    estimates, points = as_printed(params, ROUGH, draws.batches)
    assert found.transcript == pytest.approx(np.array(estimates), abs=1e-14)
    assert found.states[:, 3:6] == pytest.approx(np.array(points), abs=1e-14)
    assert found.final == pytest.approx(points[draws.output], abs=1e-14)
    momenta = found.states[1:, 12]
    assert 0 < momenta.min() < momenta.max() <= 1, "the momentum adapts"


@pytest.mark.deep
def test_all_records_of_a_linear_loss_give_its_gradient() -> None:
    """d_t = the mean record at any schedule, and x moves by sums of k/(w + t |d|^2)^(1/3)."""
    params, mean = replace(PARAMS, batches=Batches("all records", 7, 7)), FEATURES.mean(axis=0)
    rates = 0.4 / np.cbrt(1.0 + np.arange(1, 10) * (mean @ mean))
    points = np.array(params.start) - np.concatenate([[0.0], np.cumsum(rates)])[:, None] * mean
    found = storm.cpu(params, losses.linear(FEATURES), Trials(STREAM, np.arange(4)))
    assert found == pytest.approx(np.broadcast_to(mean, found.shape), abs=1e-15)
    outputs = storm.cpu(params, losses.linear(FEATURES), Trials(STREAM, np.arange(4)), "final")
    chosen = [storm.draw_inputs(params, STREAM, t).output for t in range(4)]
    assert outputs == pytest.approx(points[chosen], abs=1e-14)


def test_momentum_one_is_stochastic_gradient_descent() -> None:
    """w so large that eta does not move, c = 1/eta^2: a = 1, and nothing is remembered."""
    params = replace(PARAMS, rate_factor=2.0**28, offset=2.0**90, momentum_factor=16.0)
    draws = storm.draw_inputs(params, STREAM, 0)
    found = storm.reference(params, ROUGH, draws)
    x = np.array(params.start)
    for t in range(params.steps):
        gradient = ROUGH.record_gradients(x)[draws.batches[t][0]]
        assert found.transcript[t] == pytest.approx(gradient, abs=1e-13)
        x = x - 0.25 * gradient


def test_gradients_are_counted_and_nothing_is_promised() -> None:
    params = replace(PARAMS, batches=Batches("without replacement", 7, 3))
    draws = storm.draw_inputs(params, STREAM, 0)
    assert storm.reference(params, ROUGH, draws).calls == storm.calls(params, draws) == {"gradients": 3 * 17}
    assert storm.promise(params) is None
    assert storm.noise_shape(params) == ()


@pytest.mark.deep
def test_the_output_is_a_uniform_iterate() -> None:
    """Chi-square over the 9 indices; false alarm at most 1e-6."""
    chosen = [storm.draw_inputs(PARAMS, STREAM, t).output for t in range(900)]
    assert stats.chisquare(np.bincount(chosen, minlength=9)).pvalue > 1e-6


test_wrong_parameters_are_refused = refused(
    partial(replace, PARAMS),
    ({"momentum_factor": 6.3}, r"momentum_factor must be at most w\^\(2/3\)/k\^2 = 6.25, so that a_t <= 1, got 6.3"),
    ({"offset": 0.0}, "offset must be above 0"),
    ({"batches": Batches("Poisson", 7, 2)}, "batches.kind must be one of"),
    ({"steps": 0}, "steps must be at least 1"),
)
