"""What algorithms with noisy sums declare to a recorder, and the instances of their reductions."""

from __future__ import annotations

import numpy as np
import pytest

from dpaudit.accounting.factorisations import square_root
from dpaudit.algorithms.srgd import dp_ftrl
from dpaudit.algorithms.srgd.noisy_sums import entry, instances
from dpaudit.sampling.batches import Batches

STEPS = 6
PARAMS = dp_ftrl.Params(
    (0.3, -0.2, 0.1), (0.5,) * STEPS, Batches("in order", 13, 2), 0.4, 3.0, factorisation=square_root(STEPS)
)


def test_a_step_declares_its_own_noise_alone() -> None:
    declared = entry.declared_noise(PARAMS, 2, None, 3)
    assert declared == pytest.approx(0.4 * PARAMS.mixing[2, 2] * np.eye(3))
    assert declared[0, 0] > 0


def test_a_record_that_no_step_sees_moves_nothing_and_one_of_the_first_step_moves_all() -> None:
    assert entry.declared_moves(PARAMS, np.zeros(STEPS)).tolist() == [0.0] * STEPS
    seen = np.eye(STEPS)[0]
    column = np.abs(PARAMS.factors.right[:, 0]) * PARAMS.changes[0]
    assert entry.declared_moves(PARAMS, seen) == pytest.approx(column / (2 * 0.4))
    assert entry.declared_moves(PARAMS, 2 * seen) == pytest.approx(2 * column / (2 * 0.4))


def test_a_recorder_reads_the_batches_and_both_declarations() -> None:
    found = entry.recorded(dp_ftrl.State, ("total",))
    draw = dp_ftrl.draw_inputs(PARAMS, instances.stream(1), 0)
    assert np.array_equal(found.used(PARAMS, 0, draw), draw.batches)
    assert (found.noise, found.moves, found.private) == (entry.declared_noise, entry.declared_moves, ("total",))


def test_instances_are_those_of_their_seed() -> None:
    for made in (instances.logistic_instance, instances.linear_instance):
        point = np.ones(3)
        assert (made(1).records, made(1).dimension) == (13, 3)
        assert np.array_equal(made(1).gradient(point), made(1).gradient(point))
        assert not np.array_equal(made(1).gradient(point), made(2).gradient(point))


def test_the_parts_of_a_reference_run_have_their_names() -> None:
    run = instances.run_reference(dp_ftrl, PARAMS, instances.logistic_instance(1), 7)
    other = instances.run_reference(dp_ftrl, PARAMS, instances.logistic_instance(1), 8)
    parts = instances.parts(run, dp_ftrl.State)
    assert all(part.shape == (STEPS + 1, 3) for part in parts)
    assert np.array_equal(np.concatenate(parts, axis=1), run.states)
    assert not np.array_equal(run.transcript, other.transcript)


def test_a_reduction_carries_the_name_of_the_paper() -> None:
    made = instances.stated("zero-noise", "without noise", "both agree", "page 3", tuple)
    assert (made.id, made.title, made.source) == ("srgd/zero-noise", "without noise", "page 3")
