"""What the accountant assumes, against what is declared and what moves."""

from __future__ import annotations

import math
from typing import Any

import numpy as np
import pytest
from recordings import recording

from dpaudit.audit.sandbox.recordings import plain, repeat
from dpaudit.audit.structural.checks import accountant
from dpaudit.audit.structural.finding import Finding
from dpaudit.audit.structural.observed import Observed
from dpaudit.audit.structural.recording import Recorder, Recording
from dpaudit.records.assumptions import Assumptions
from dpaudit.records.mechanism import (
    Composed,
    Gaussian,
    Laplace,
    Mechanism,
    PoissonSampled,
    PureDP,
    SelfComposed,
    WithReplacementSampled,
)
from dpaudit.records.privacy import GaussianDP, Neighbours, PrivacyClaim
from dpaudit.records.verdict import Outcome


def steps(*moves: float, scale: float = 2.0, law: str = "gaussian", sensitivity: float | None = None) -> Recording:
    """One scalar release a step, moved by so much."""
    calls = ({"statistic": m, "noise_scale": scale, "law": law, "sensitivity": sensitivity} for m in moves)
    return recording(*calls)


def checked(claimed: Mechanism | None, *moves: float, **declared: object) -> Finding:
    base = steps(*(0.0 for _ in moves), **declared)
    return accountant.check(base, [("removed", base, steps(*moves, **declared))], claimed)


def sampled(multiplier: float, count: int) -> Mechanism:
    return SelfComposed(PoissonSampled(0.1, Gaussian(multiplier)), count)


@pytest.mark.parametrize(
    ("claimed", "moves", "expected"),
    [
        (sampled(2.0, 3), (1.0, 1.0, 1.0), Outcome.CONSISTENT),
        (sampled(2.0, 3), (1.0, 1.01, 1.0), Outcome.REFUTED),
        (sampled(2.0, 2), (1.0, 1.0, 0.0), Outcome.REFUTED),
        (SelfComposed(Gaussian(2.0), 3), (1.0, 1.0, 1.0), Outcome.CONSISTENT),
        (SelfComposed(Gaussian(2.0), 1), (1.0, 0.0, 0.0), Outcome.CONSISTENT),
        (SelfComposed(Gaussian(2.0), 1), (1.0, 0.5, 0.0), Outcome.REFUTED),
        (Composed((Gaussian(2.0), Gaussian(4.0))), (1.0, 0.5), Outcome.CONSISTENT),
        (Composed((Gaussian(2.0), Gaussian(4.0))), (1.0, 1.0), Outcome.REFUTED),
        (Gaussian(2.0), (math.nan,), Outcome.REFUTED),
    ],
)
def test_steps_and_moves(claimed: Mechanism, moves: tuple[float, ...], expected: Outcome) -> None:
    assert checked(claimed, *moves).outcome is expected


@pytest.mark.parametrize(("held", "expected"), [(2, Outcome.CONSISTENT), (3, Outcome.REFUTED), (None, Outcome.REFUTED)])
def test_no_more_steps_count_than_hold_one_record(held: int | None, expected: Outcome) -> None:
    base, other = steps(0.0, 0.0, 0.0), steps(1.0, 1.0, 1.0)
    claimed = SelfComposed(Gaussian(2.0), 2)
    assert accountant.check(base, [("removed", base, other)], claimed, held).outcome is expected
    one_step = steps(0.0, 1.01, 0.0)
    assert accountant.check(base, [("removed", base, one_step)], claimed, held).outcome is Outcome.REFUTED


@pytest.mark.parametrize(("again", "expected"), [(0, Outcome.CONSISTENT), (2, Outcome.REFUTED)])
def test_epochs_in_a_new_order_take_each_record_once(again: int, expected: Outcome) -> None:
    """Two epochs of a shuffled data set; the last batch may be filled up with `again` records of the first."""

    def train(data: Any, recorder: Recorder) -> None:
        rng = np.random.default_rng(recorder.seed)
        for _ in range(2):
            order = rng.permutation(len(data))
            for start in range(0, len(order), 3):
                taken = np.append(order, order[:again])[start : start + 3]
                total = data[recorder.batch(taken)].sum(axis=0)
                recorder.release("sum", total, rng.normal(size=2), sensitivity=1.0, noise_scale=1.0)

    data, neighbour = np.zeros((7, 2)), np.zeros((7, 2))
    data[:, 0], neighbour[1:, 0] = 1.0, 1.0
    claim = PrivacyClaim(GaussianDP(math.sqrt(2)), Neighbours.ZERO_OUT, 1e-5, source="the test")
    two, assumptions = SelfComposed(Gaussian(1.0), 2), Assumptions(random_batches=True)
    seen = Observed(train, data, [neighbour], claim, two, assumptions, 11, 1e-6)
    assert accountant.examine(seen).outcome is expected


def test_parts_of_one_step_move_together() -> None:
    def parts(*moves: float) -> Recording:
        return recording(*({"name": f"part {i}", "statistic": m, "noise_scale": 2.0} for i, m in enumerate(moves)))

    base, limit = parts(0.0, 0.0), 1 / math.sqrt(2)
    for size, expected in ((limit, Outcome.CONSISTENT), (limit * 1.01, Outcome.REFUTED)):
        assert accountant.check(base, [("", base, parts(size, size))], sampled(2.0, 1)).outcome is expected


def test_laplace_moves_are_l1_in_units_of_b() -> None:
    claimed, scale = SelfComposed(Laplace(2.0), 1), 2.0 * math.sqrt(2)
    noise = {"noise": np.zeros(2), "noise_scale": scale, "law": "laplace"}
    vectors = [recording({"statistic": np.array(v), **noise}) for v in ([0.0, 0.0], [0.5, 0.5], [0.6, 0.5])]
    for other, expected in zip(vectors[1:], (Outcome.CONSISTENT, Outcome.REFUTED), strict=True):
        assert accountant.check(vectors[0], [("", vectors[0], other)], claimed).outcome is expected


@pytest.mark.parametrize(("sensitivity", "expected"), [(1.0, Outcome.CONSISTENT), (1.01, Outcome.REFUTED)])
def test_declared_noise_against_declared_sensitivity(sensitivity: float, expected: Outcome) -> None:
    assert checked(sampled(2.0, 1), 0.5, sensitivity=sensitivity).outcome is expected
    half = math.sqrt(2)  # of a Laplace law with b = 1 and standard deviation sqrt(2)
    found = checked(Laplace(1.0), 0.5, scale=half, law="laplace", sensitivity=sensitivity)
    assert found.outcome is expected


@pytest.mark.parametrize(("factor", "expected"), [(1.0000013, Outcome.CONSISTENT), (1.01, Outcome.REFUTED)])
@pytest.mark.parametrize("claimed", [sampled(2.0, 1), Gaussian(2.0), Laplace(2.0)])
def test_single_precision_is_no_violation(claimed: Mechanism, factor: float, expected: Outcome) -> None:
    """A sum that moves from -1 to 1 with noise 4, in float32: 0.5 allowed, and five roundings more."""
    law = "laplace" if isinstance(claimed, Laplace) else "gaussian"
    scale = 4.0 * (math.sqrt(2) if law == "laplace" else 1.0)
    one, other = (
        recording({"statistic": np.float32(s), "noise": np.float32(0), "noise_scale": scale, "law": law})
        for s in (-1.0, 2 * factor - 1)
    )
    assert accountant.check(one, [("replaced", one, other)], claimed).outcome is expected


@pytest.mark.parametrize(
    ("batches", "move", "expected"),
    [
        ([[0, 1, 2]], 1.0, Outcome.CONSISTENT),
        ([[0, 1, 2]], 1.01, Outcome.REFUTED),
        ([[0, 0, 2]], 2.0, Outcome.CONSISTENT),
        ([[0, 0, 2]], 2.01, Outcome.REFUTED),
        ([[0, 0, 0]], 3.0, Outcome.CONSISTENT),
        ([], 3.0, Outcome.CONSISTENT),
        ([], 3.01, Outcome.REFUTED),
    ],
)
def test_a_record_that_is_drawn_again_moves_again(batches: list, move: float, expected: Outcome) -> None:
    """Three draws with replacement; without recorded batches any record may be all of them."""
    claimed = SelfComposed(WithReplacementSampled(3, 10, Gaussian(2.0)), 1)
    one, other = (recording({"statistic": s, "noise_scale": 2.0}, batches=batches) for s in (0.0, move))
    assert accountant.check(one, [("replaced", one, other)], claimed).outcome is expected


@pytest.mark.parametrize(("sensitivity", "expected"), [(3.0, Outcome.CONSISTENT), (3.03, Outcome.REFUTED)])
def test_declared_noise_with_replacement(sensitivity: float, expected: Outcome) -> None:
    claimed = WithReplacementSampled(3, 10, Gaussian(2.0))
    assert checked(claimed, 0.5, sensitivity=sensitivity).outcome is expected


def test_another_law_than_the_accounted_one_is_refuted() -> None:
    assert checked(Gaussian(2.0), 0.5, law="laplace").outcome is Outcome.REFUTED


def test_what_is_no_such_composition_is_said() -> None:
    mixed = Composed((Gaussian(1.0), Laplace(1.0)))
    partly = Composed((Gaussian(1.0), PoissonSampled(0.1, Gaussian(1.0))))
    for claimed in (None, PureDP(1.0), mixed, partly):
        assert checked(claimed, 0.5).outcome is Outcome.NOT_RUN
    assert checked(Gaussian(2.0), 0.5, scale=None).outcome is Outcome.NOT_RUN
    assert accountant.check(steps(0.0), [], Gaussian(2.0)).outcome is Outcome.NOT_RUN


def thawed(move: float, together: float = 0.0) -> Recording:
    """Four steps; a second layer is trained in the last two alone, and moves by `together` beside the first one."""
    recorder = Recorder()
    for step in range(4):
        recorder.step()
        recorder.release("head", move if step < 2 else together, 0.1, noise_scale=2.0)
        if step >= 2:
            recorder.release("body", move, 0.1, noise_scale=2.0)
    return recorder.recording()


def test_a_layer_that_is_frozen_at_first_moves_with_the_steps_that_it_is_trained_in() -> None:
    claimed, still = sampled(2.0, 4), thawed(0.0)
    assert accountant.check(still, [("removed", still, thawed(1.0))], claimed).outcome is Outcome.CONSISTENT
    assert accountant.check(still, [("removed", still, thawed(1.0, 0.5))], claimed).outcome is Outcome.REFUTED
    there = repeat(plain(thawed(1.0)), Recorder()).recording()
    assert [one.at for one in there.releases] == [one.at for one in thawed(1.0).releases] == [1, 2, 3, 3, 4, 4]


def test_a_release_of_its_own_is_a_step_of_its_own_where_none_was_told() -> None:
    """A noisy choice before the steps: it is not added to the first of them. What comes as often is."""

    def made(move: float, before: float = 0.0, beside: float = 0.0) -> Recording:
        calls = [{"name": "choice", "statistic": before, "noise_scale": 2.0}] if before is not None else []
        for _ in range(3):
            calls += [
                {"name": name, "statistic": one, "noise_scale": 2.0} for name, one in (("a", move), ("b", beside))
            ]
        return recording(*calls)

    def found(*there: float) -> Outcome:
        claimed = SelfComposed(Gaussian(2.0), 4)
        return accountant.check(made(0.0), [("removed", made(0.0), made(*there))], claimed).outcome

    assert found(1.0, 1.0) is Outcome.CONSISTENT
    assert found(1.0, 1.1) is Outcome.REFUTED, "alone it is too much"
    assert found(1.0, 0.0, 1.0) is Outcome.REFUTED, "two parameters of one step"
    assert found(0.7, 1.0, 0.7) is Outcome.CONSISTENT
