"""Distributions over sets of coordinates."""

from __future__ import annotations

import operator
from fractions import Fraction

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from refusals import refused
from scipy import stats

from dpaudit.noise.stream import Stream
from dpaudit.sampling import coordinate_kernels, coordinates
from dpaudit.sampling.coordinates import Sampler

BLOCKS = ((0, 3), (1,), (2, 4))
KINDS = {
    "full": coordinates.full(4),
    "single": coordinates.single((0.5, 0.2, 0.3)),
    "single uniform": coordinates.single_uniform(5),
    "single importance": coordinates.single_importance((1.0, 4.0, 5.0)),
    "block": coordinates.block(BLOCKS, (0.2, 0.3, 0.5)),
    "block uniform": coordinates.block_uniform(BLOCKS),
    "block importance": coordinates.block_importance(BLOCKS, (1.0, 2.0, 3.0, 4.0, 0.5)),
    "tau-nice": coordinates.tau_nice(5, 2),
    "table": coordinates.table(3, ((0, 1), (2,), (0, 1, 2)), (0.25, 0.25, 0.5)),
}


@pytest.mark.parametrize("sampler", KINDS.values(), ids=KINDS)
def test_sets_are_drawn_with_their_probabilities(sampler: Sampler) -> None:
    """Chi-square; false alarm at most 1e-6 each."""
    numbers = sampler.draw(Stream(3, "sets").uniforms(np.arange(50_000), 0, 1)[:, 0])
    counts = np.bincount(numbers, minlength=len(sampler.sets))
    expected = np.array(sampler.probabilities) / sum(sampler.probabilities) * 50_000
    assert len(sampler.sets) == 1 or stats.chisquare(counts, expected).pvalue > 1e-6
    assert counts.sum() == 50_000


@pytest.mark.parametrize("sampler", KINDS.values(), ids=KINDS)
def test_the_sketch_is_unbiased(sampler: Sampler) -> None:
    """E[C x] = x (paper, definition 3.2), by enumeration of the range."""
    mean = np.zeros(sampler.dimension)
    for chosen, probability in zip(sampler.sets, sampler.probabilities, strict=True):
        mean[list(chosen)] += probability / sampler.inclusion[list(chosen)]
    assert mean == pytest.approx(np.ones(sampler.dimension), abs=1e-12)


def test_the_printed_probabilities() -> None:
    assert KINDS["single importance"].probabilities == pytest.approx((0.1, 0.4, 0.5))
    assert KINDS["block importance"].probabilities == pytest.approx((4 / 9, 2 / 9, 3 / 9))
    assert KINDS["tau-nice"].inclusion == pytest.approx(np.full(5, 2 / 5))
    assert len(KINDS["tau-nice"].sets) == 10
    assert KINDS["block uniform"].inclusion == pytest.approx(np.full(5, 1 / 3))
    assert KINDS["full"].inclusion.tolist() == [1.0] * 4


@given(st.integers(1, 6), st.data())
def test_a_set_is_chosen_by_its_interval(dimension: int, data: st.DataObject) -> None:
    weights = data.draw(st.lists(st.integers(1, 50), min_size=dimension, max_size=dimension))
    sampler = coordinates.single(tuple(w / sum(weights) for w in weights))
    uniform = data.draw(st.floats(1e-12, 1 - 1e-12))
    number = int(sampler.draw(np.array([uniform]))[0])
    ends = [float(Fraction(sum(weights[:i]), sum(weights))) for i in range(dimension + 1)]
    assert ends[number] - 1e-12 <= uniform <= ends[number + 1] + 1e-12


def test_members_and_sizes_describe_the_sets() -> None:
    table = KINDS["table"]
    assert table.widest == 3
    assert table.members.tolist() == [[0, 1, 0], [2, 0, 0], [0, 1, 2]]
    assert table.sizes.tolist() == [2, 1, 3]


def test_sketched_norm_is_the_sum_over_the_table() -> None:
    sampler = KINDS["table"]
    scales, weights = (1.0, 2.0, 3.0), (1.0, 0.5, 0.25)
    p = sampler.inclusion
    by_hand = 0.25 * 1 * (1 / p[0] ** 2 + 0.5 / p[1] ** 2) + 0.25 * 4 * (0.25 / p[2] ** 2)
    by_hand += 0.5 * 9 * (1 / p[0] ** 2 + 0.5 / p[1] ** 2 + 0.25 / p[2] ** 2)
    assert coordinates.sketched_norm(sampler, scales, weights) == pytest.approx(by_hand, rel=1e-14)


test_samplers_that_break_the_assumptions_are_refused = refused(
    operator.call,
    (lambda: coordinates.table(2, ((), (0, 1)), (0.5, 0.5)), "a set is empty"),
    (lambda: coordinates.table(2, ((0,),), (1.0,)), "coordinate 1 is in no set"),
    (lambda: coordinates.table(2, ((1, 0),), (1.0,)), "increasing coordinates from 0 to 1"),
    (lambda: coordinates.table(2, ((0, 2),), (1.0,)), "increasing coordinates from 0 to 1"),
    (lambda: coordinates.table(2, ((0,), (1,)), (0.5, 0.6)), "probabilities must sum to 1, got 1.1"),
    (lambda: coordinates.table(2, ((0,), (1,)), (1.0, 0.0)), r"probabilities\[1\] must be above 0"),
    (lambda: coordinates.block(((0, 1), (1, 2)), (0.5, 0.5)), "exactly once"),
    (lambda: coordinates.tau_nice(3, 4), "tau must be from 1 to 3, got 4"),
    (lambda: coordinates.tau_nice(40, 20), "the number of sets must be from 1 to 200000"),
    (lambda: coordinates.single((float("nan"), 1.0)), r"probabilities\[0\] must be finite"),
)


def test_an_end_of_an_interval_belongs_to_the_next_set() -> None:
    """All backends search in the same way; the last end is 1, which no uniform reaches."""
    uniforms = np.array([0.25, np.nextafter(0.25, 0), 0.5, 1 - 2.0**-53])
    sampler = coordinates.single((0.25, 0.25, 0.5))
    assert sampler.draw(uniforms).tolist() == [1, 0, 2, 2]
    assert [coordinate_kernels.draw_set(sampler.cumulative, uniform) for uniform in uniforms] == [1, 0, 2, 2]


@pytest.mark.parametrize("sampler", KINDS.values(), ids=KINDS)
def test_numba_draws_the_same_sets(sampler: Sampler) -> None:
    uniforms = Stream(3, "same sets").uniforms(np.arange(200), 0, 1)[:, 0]
    found = [coordinate_kernels.draw_set(sampler.cumulative, uniform) for uniform in uniforms]
    assert found == sampler.draw(uniforms).tolist()
