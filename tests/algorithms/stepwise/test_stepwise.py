"""The parts that algorithms in steps share: states, draws, sizes, what a recorder sees, the comparison of the forms."""

from __future__ import annotations

from functools import partial
from typing import Any, NamedTuple

import numpy as np
import pytest
import torch
from refusals import refused

from dpaudit.algorithms import stepwise
from dpaudit.algorithms.rbcd import skgd
from dpaudit.algorithms.srgd.accelerated_dp_srgd.cases import agreement_cases as accelerated_cases
from dpaudit.algorithms.srgd.dp_sgd.cases import agreement_cases as dp_sgd_cases
from dpaudit.algorithms.srgd.prefix_noise.cases import agreement_cases as prefix_noise_cases
from dpaudit.algorithms.stepwise.comparison import case
from dpaudit.noise.stream import Stream
from dpaudit.problems.losses import logistic
from dpaudit.sampling import coordinates

STREAM = Stream(5, "tests/stepwise")
PROBLEM = logistic(np.random.default_rng(13).normal(size=(6, 3)), (1.0, -1.0, 1.0, -1.0, -1.0, 1.0))
PARAMS = skgd.Params((0.5, -0.25, 0.0), (0.5, 0.4, 0.3), 4, coordinates.full(3), 6)


class Three(NamedTuple):
    """Two points and a number."""

    point: Any
    mean: Any
    weight: Any


@pytest.mark.parametrize("kind", [np.asarray, torch.tensor], ids=["array", "tensor"])
def test_a_state_is_its_parts_side_by_side(kind: Any) -> None:
    state = stepwise.unpack(Three, kind([[1.0, 2.0, 3.0, 4.0, 5.0]]), numbers=1)
    assert [part.tolist() for part in state] == [[[1.0, 2.0]], [[3.0, 4.0]], [[5.0]]]


def test_packing_is_the_way_back() -> None:
    state = np.arange(7.0)
    assert np.array_equal(stepwise.pack(stepwise.unpack(Three, state, numbers=1)), state)


def test_draws_are_those_of_the_trial_the_step_and_the_part() -> None:
    noise = stepwise.normals(STREAM, 3, (2, 4))
    assert noise.shape == (2, 4)
    assert np.array_equal(noise[1], STREAM.part("noise").normals(np.array([3]), 1, 4)[0])
    assert not np.array_equal(noise, stepwise.normals(STREAM, 3, (2, 4), "directions"))
    assert not np.array_equal(noise, stepwise.normals(STREAM, 4, (2, 4)))
    numbers = stepwise.uniforms(STREAM, 3, 50, "coins")
    assert numbers.shape == (50,)
    assert ((numbers > 0) & (numbers < 1)).all()


def test_one_of_all_is_picked_evenly() -> None:
    """Each of four within 6 standard deviations of a quarter of 2,000 trials: false alarm below 1e-7."""
    counts = np.bincount([stepwise.picked(STREAM, trial, 4) for trial in range(2000)], minlength=4)
    assert len(counts) == 4
    assert np.abs(counts - 500).max() < 6 * (2000 * 3 / 16) ** 0.5


def test_the_randomness_of_a_step_keeps_plain_numbers() -> None:
    draws = Three(np.arange(6.0).reshape(3, 2), np.array([7, 8, 9]), 4)
    step = stepwise.at(draws, 1)
    assert isinstance(step, Three)
    assert (step.point.tolist(), step.mean, step.weight) == ([2.0, 3.0], 8, 4)


def test_sizes_that_are_equal_or_open_are_taken() -> None:
    stepwise.check_sizes(PROBLEM, 6, 3)
    stepwise.check_sizes(PROBLEM, None, 3)


test_a_problem_of_other_sizes_is_refused = refused(
    partial(stepwise.check_sizes, PROBLEM),
    ((6, 2), "the problem has 6 records of 3 coordinates, the parameters say 6 of 2"),
    ((5, 3), "the problem has 6 records of 3 coordinates, the parameters say 5 of 3"),
    ((None, 4), "the problem has 3 coordinates, the parameters say 4"),
)


def test_private_parts_of_a_state_never_leave() -> None:
    def noise(params: object, t: int, draw: object, columns: int) -> np.ndarray:
        return np.eye(columns)

    state = np.arange(6.0)
    assert stepwise.Recorded(noise).public(state).tolist() == state.tolist()
    hidden = stepwise.Recorded(noise, Three, ("mean",))
    assert hidden.public(state).tolist() == [0.0, 1.0, 4.0, 5.0]


def test_the_forms_of_an_algorithm_lie_within_the_bounds_of_its_case() -> None:
    made = case(skgd, "small", PARAMS, PROBLEM, STREAM)
    trace = made.reference(3)
    replay = made.cpu(trace, "float64")
    error = np.abs(replay.after - trace.after).max()
    assert trace.after.size > 0
    assert error < 1e-12
    assert (trace.magnitude > 0).any()
    found, stated = made.calls(0)
    assert found == stated


def test_a_gradient_at_a_parameter_may_miss_what_its_terms_miss() -> None:
    """The means of two gradients may nearly cancel; each is rounded at its own size, twice at least."""
    compared = next(one for one in prefix_noise_cases(1) if one.name == "square root")
    problem, params = compared.reference.args[2], compared.params
    trace = compared.reference(1)
    terms = np.abs(problem.record_gradients(np.array(params.point)))[:12].reshape(6, 2, 3).mean(axis=1)
    assert (trace.magnitude[:, :3] >= 2 * terms).all()
    assert (trace.magnitude[:, :3] < 40 * terms.max()).all(), "and no more than a few roundings of a few terms"


def test_cases_draw_from_a_stream_of_their_own_each_in_the_place_of_its_folder() -> None:
    made = [*dp_sgd_cases(3), *accelerated_cases(3)]
    purposes = [case.bulk.args[3].purpose for case in made]
    assert purposes[0] == f"agree/dp_sgd/{made[0].name}"
    assert purposes[-1] == f"agree/srgd/{made[-1].name}"
    assert len(set(purposes)) == len(made)
