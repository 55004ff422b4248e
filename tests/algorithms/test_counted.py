"""A counted problem answers like the problem, and counts what it was asked."""

from __future__ import annotations

import numpy as np

from dpaudit.algorithms.counted import Counted
from dpaudit.problems.losses import logistic

PROBLEM = logistic(np.random.default_rng(3).normal(size=(5, 3)), (1.0, -1.0, 1.0, 1.0, -1.0))
POINT = np.array([0.5, -0.25, 1.0])


def test_every_answer_is_that_of_the_problem_and_is_counted_by_records() -> None:
    counted = Counted(PROBLEM)
    assert np.array_equal(counted.gradient(POINT), PROBLEM.gradient(POINT))
    assert np.array_equal(counted.record_gradients(POINT, [1, 3]), PROBLEM.record_gradients(POINT, [1, 3]))
    assert np.array_equal(counted.record_gradients(POINT), PROBLEM.record_gradients(POINT))
    assert counted.value(POINT) == PROBLEM.value(POINT)
    assert np.array_equal(counted.record_values(POINT, [2]), PROBLEM.record_values(POINT, [2]))
    assert np.array_equal(counted.partial(POINT, [0, 2]), PROBLEM.gradient(POINT)[[0, 2]])
    assert counted.calls == {"gradients": 5 + 2 + 5, "values": 5 + 1, "rounds": 6, "partial derivatives": 5 * 2}
    assert counted.only("values", "rounds") == {"values": 6, "rounds": 6}


def test_what_is_no_question_to_the_records_costs_nothing() -> None:
    counted = Counted(PROBLEM)
    assert (counted.records, counted.dimension) == (5, 3)
    assert counted.calls == {"gradients": 0, "values": 0, "rounds": 0}
