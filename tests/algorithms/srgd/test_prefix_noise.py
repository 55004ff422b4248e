"""Noisy prefix sums: known nodes, the three forms, streaming, exact laws, what one record moves, promises, errors.

Statistical tests: false alarm at most 1e-6 each.
"""

from __future__ import annotations

import json
import math
from dataclasses import replace
from fractions import Fraction
from functools import partial
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from laws import assert_gaussian
from refusals import refused
from three_forms import assert_forms_repeat, fast_forms, run_of

from dpaudit.accounting.factorisations import FACTORISATIONS, binary_tree, nodes_from_prefixes, nodes_with_item
from dpaudit.algorithms.srgd import prefix_noise
from dpaudit.algorithms.srgd.noisy_sums import form, kernels
from dpaudit.algorithms.srgd.prefix_noise import Params
from dpaudit.noise.stream import Stream, Trials
from dpaudit.problems import losses
from dpaudit.records.errors import ConfigurationError
from dpaudit.records.mechanism import Gaussian
from dpaudit.sampling.batches import Batches

TREES = json.loads((Path(__file__).parents[2] / "vectors" / "srgd_tree.json").read_text(encoding="utf-8"))
STREAM = Stream(41, "tests/prefix_noise")
FEATURES = np.random.default_rng(12).normal(size=(13, 2))
LINEAR = losses.linear(FEATURES)
LOGISTIC = losses.logistic(FEATURES, np.where(FEATURES[:, 0] < 0, -1.0, 1.0))
TREE = Params((0.2, -0.1), 13, Batches("in order", 13, 1), 0.4, 3.0)


@pytest.mark.parametrize("case", TREES["cases"], ids=lambda c: f"T={c['steps']}")
def test_a_prefix_uses_the_noise_of_the_listed_nodes(case: dict[str, Any]) -> None:
    steps = case["steps"]
    params = replace(TREE, steps=steps, batches=Batches("in order", steps, 1))
    empty, draws = losses.linear(np.zeros((steps, 2))), prefix_noise.draw_inputs(params, STREAM, 2)
    noise, expected = draws.noise[0], np.zeros((steps, 2))
    for t, used in enumerate(case["prefix_nodes"]):
        expected[t] = 0.4 * sum(noise[u - 1] for u in used)
    for found in fast_forms(prefix_noise, params, empty, Trials(STREAM, [2]), "transcript"):
        assert found[0] == pytest.approx(expected, abs=1e-14)
    assert prefix_noise.reference(params, empty, draws).transcript == pytest.approx(expected, abs=1e-14)


@pytest.mark.parametrize("name", FACTORISATIONS)
@pytest.mark.parametrize("clip_norm", [None, 0.5])
def test_numba_and_torch_repeat_every_trial_of_the_reference(name: str, clip_norm: float | None) -> None:
    assert_forms_repeat(prefix_noise, replace(TREE, factorisation=name, clip_norm=clip_norm), LOGISTIC, STREAM)
    pairs = replace(TREE, steps=6, batches=Batches("in order", 13, 2), factorisation=name, clip_norm=clip_norm)
    assert_forms_repeat(prefix_noise, pairs, LINEAR, STREAM)


def test_streaming_keeps_few_vectors_and_is_chosen_by_the_matrix() -> None:
    found = {name: form.mixed(made(13).left) for name, made in FACTORISATIONS.items()}
    assert found == {
        "binary tree": (kernels.TREE, 4),
        "square root": (kernels.DENSE, 13),
        "independent noise": (kernels.RUNNING, 1),
        "noise per prefix": (kernels.CURRENT, 0),
    }
    assert form.mixed(binary_tree(1024).left) == (kernels.TREE, 11)
    assert form.mixed(binary_tree(4).increments)[0] == kernels.DENSE


def test_torch_steps_may_come_in_any_order() -> None:
    """A step out of turn begins with the noise of step 0, so that replays do not depend on what ran before."""
    run = run_of(prefix_noise, TREE, LINEAR, STREAM, 3)
    after = np.hstack([run.states[1:], run.transcript])
    for order in ([0, 1, 2, 3], [5, 2, 12, 12], [12, 0, 6, 7]):
        steps = np.array(order)
        trials = Trials(STREAM, np.full(len(steps), 3))
        for advance in (
            lambda *given: prefix_noise.advance_cpu(*given, "float64"),
            lambda *given: prefix_noise.advance_gpu(*given, "float64", "cpu"),
        ):
            found, _ = advance(TREE, LINEAR, trials, steps, run.states[steps])
            assert found == pytest.approx(after[steps], abs=1e-13)


@pytest.mark.parametrize("name", FACTORISATIONS)
def test_the_sums_are_gaussian_with_the_covariance_of_the_factors(name: str) -> None:
    """Prefix sums + s left xi on linear losses: every coordinate has covariance s^2 left left^T."""
    params = replace(TREE, steps=6, factorisation=name)
    left = params.factors.left
    covariance = 0.16 * np.kron(left @ left.T, np.eye(2))
    mean = np.cumsum(FEATURES[:6], axis=0).ravel()
    for found in fast_forms(prefix_noise, params, LINEAR, Trials(STREAM, np.arange(20_000)), "transcript"):
        assert_gaussian(found.reshape(len(found), -1), mean, covariance)


def test_a_record_moves_the_nodes_of_its_item_and_no_other() -> None:
    """The move has norm K/b sqrt(number of nodes), largest for the first item: the promise divides the noise by it."""
    params, moves = replace(TREE, clip_norm=0.5), []
    long = losses.linear(np.sign(FEATURES) * 10)
    for item in range(1, 14):
        data = long.features.copy()
        data[item - 1] = 0.0
        here, there = (run_of(prefix_noise, params, p, STREAM) for p in (long, losses.linear(data)))
        moved = np.linalg.norm(nodes_from_prefixes(here.transcript - there.transcript), axis=1)
        assert np.sort(moved)[::-1] == pytest.approx(
            [0.5] * nodes_with_item(item, 13) + [0.0] * (13 - nodes_with_item(item, 13)), abs=1e-12
        )
        moves.append(np.linalg.norm(moved))
    mechanism = prefix_noise.promise(params).mechanism
    assert isinstance(mechanism, Gaussian)
    assert mechanism.noise_multiplier == pytest.approx(0.4 / max(moves))
    assert max(moves) == pytest.approx(0.5 * math.sqrt(4))
    assert max(moves) == pytest.approx(moves[0])


def test_the_shifts_of_points_are_the_noise_in_their_unit() -> None:
    draws = prefix_noise.draw_inputs(TREE, STREAM, 5)
    run = prefix_noise.reference(TREE, LINEAR, draws)
    shifts = prefix_noise.shifts_of_points(TREE, draws, 2.5)
    assert run.transcript == pytest.approx(np.cumsum(FEATURES, axis=0) - 2.5 * shifts, abs=1e-13)
    with pytest.raises(ConfigurationError, match="scaling must be above 0"):
        prefix_noise.shifts_of_points(TREE, draws, 0.0)


def test_the_square_root_has_the_listed_coefficients() -> None:
    params = replace(TREE, factorisation="square root")
    for case in TREES["square_root"]:
        listed = [float(Fraction(c)) for c in case["coefficients"][:13]]
        assert params.mixing[12][::-1][: len(listed)] == pytest.approx(listed, abs=1e-15)


def test_one_item_is_one_noisy_mean() -> None:
    params = replace(TREE, steps=1, batches=Batches("all records", 13, 13))
    assert_forms_repeat(prefix_noise, params, LOGISTIC, STREAM)
    assert prefix_noise.calls(params, prefix_noise.draw_inputs(params, STREAM, 0))["gradients"] == 13
    mechanism = prefix_noise.promise(params).mechanism
    assert isinstance(mechanism, Gaussian)
    assert mechanism.noise_multiplier == pytest.approx(0.4 * 13 / 3)


test_wrong_parameters_are_refused = refused(
    partial(replace, TREE),
    ({"steps": 14}, "at most 13 steps"),
    ({"factorisation": binary_tree(12)}, "factorisation must have 13 items"),
    ({"batches": Batches("with replacement", 13, 1)}, "batches.kind must be one of"),
    ({"noise": -0.1}, "noise must be at least 0"),
)
