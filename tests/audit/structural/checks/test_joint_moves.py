"""Moves of all releases together, in units of noise that is correlated by design."""

from __future__ import annotations

import math

import numpy as np
import pytest

from dpaudit.audit.structural.checks import joint_moves
from dpaudit.audit.structural.finding import Finding
from dpaudit.audit.structural.observed import Observed
from dpaudit.audit.structural.recording import Recorder
from dpaudit.records.assumptions import Assumptions
from dpaudit.records.mechanism import Gaussian
from dpaudit.records.privacy import ApproximateDP, GaussianDP, Guarantee, Neighbours, PrivacyClaim
from dpaudit.records.verdict import Outcome

ALPHA = 1e-6
STEPS, SIZE = 6, 12
BACK = np.eye(STEPS) - 0.8 * np.eye(STEPS, k=-1)
"""Each step takes a part of the last noise back."""
COLUMN = float(np.linalg.norm(np.linalg.inv(BACK)[:, 0]))
"""How far one record of the first step moves all steps together, in units of the fresh noise."""
SAME = np.tril(np.ones((STEPS, STEPS)))
"""Prefix sums with the noise of one more step each."""
DATA = np.eye(STEPS, SIZE)
ONE = GaussianDP(1.0)


def train(data: np.ndarray, recorder: Recorder, mixing: np.ndarray, scale: float, sums: bool = False) -> None:
    """One record a step; its sum, or that of all records so far."""
    rng = np.random.default_rng(recorder.seed)
    noise = scale * mixing @ rng.normal(size=(STEPS, SIZE))
    total = np.zeros(SIZE)
    for step in range(STEPS):
        members = recorder.batch(np.arange(step, min(step + 1, len(data))))
        own = data[members].sum(axis=0)
        total = total + own
        declared = scale * float(np.linalg.norm(mixing[step]))
        recorder.release("sum", total if sums else own, noise[step], sensitivity=1.0, noise_scale=declared)


def outcome(
    mixing: np.ndarray, scale: float, sums: bool = False, guarantee: Guarantee = ONE, **assumed: bool
) -> Outcome:
    claim = PrivacyClaim(guarantee, Neighbours.ADD_OR_REMOVE, 1e-5, source="the test")
    assumptions = Assumptions(**{"independent_noise": False, **assumed})
    seen = Observed(
        lambda data, recorder: train(data, recorder, mixing, scale, sums),
        DATA, [DATA[:-1]], claim, Gaussian(1.0), assumptions, 5, ALPHA,
    )  # fmt: skip
    return joint_moves.examine(seen).outcome


def test_noise_that_is_taken_back_must_cover_all_steps_together() -> None:
    assert outcome(BACK, COLUMN) is Outcome.CONSISTENT
    assert outcome(BACK, 1.0) is Outcome.REFUTED
    assert COLUMN > 1.5


def test_differences_of_prefix_sums_are_bare_where_the_noise_is_one() -> None:
    """Sums of all records so far move by 1 from the first step on; noise that only grows hides each step on its own."""
    assert outcome(SAME, 1.0, sums=True) is Outcome.CONSISTENT
    assert outcome(np.ones((STEPS, STEPS)) / math.sqrt(STEPS) + 0.1 * np.eye(STEPS), 1.0, sums=False) is Outcome.REFUTED


def test_a_claim_of_epsilon_and_delta_is_held_against_it_too() -> None:
    told = ApproximateDP(4.5, 1e-5)  # a little more than a mu of 1 spends, far less than COLUMN does
    assert outcome(BACK, COLUMN, guarantee=told) is Outcome.CONSISTENT
    assert outcome(BACK, 1.0, guarantee=told) is Outcome.REFUTED


def test_it_is_not_asked_of_independent_noise_or_sampled_batches() -> None:
    assert outcome(BACK, 1.0, independent_noise=True) is Outcome.NOT_RUN
    assert outcome(BACK, 1.0, random_batches=True) is Outcome.NOT_RUN


def test_false_alarms_are_rare_where_the_noise_is_just_enough() -> None:
    """The share of alpha 0.1: above 30 of 100 has a chance below 1e-7."""
    moves = {("sum", step): np.eye(STEPS, SIZE)[0] * (step == 0) for step in range(STEPS)}
    alarms = 0
    for seed in range(100):
        rng = np.random.default_rng(seed)
        made = []
        for _ in range(9):
            recorder, noise = Recorder(), COLUMN * BACK @ rng.normal(size=(STEPS, SIZE))
            for row in noise:
                recorder.release("sum", np.zeros(SIZE), row, noise_scale=1.0)
            made.append(recorder.recording())
        found = joint_moves._tested("pair", moves, made[:3], made[3:])
        alarms += found is not None and found.p_value(1.0) <= 0.1
    assert alarms <= 30


@pytest.mark.parametrize("how", ["shared", "unlike"])
def test_coordinates_that_are_not_independent_and_alike_say_nothing(how: str) -> None:
    rng = np.random.default_rng(1)
    one = rng.normal(size=(200, 1)) * np.ones(20) if how == "shared" else rng.normal(size=(200, 20)) * np.arange(20)
    assert not joint_moves._alike(one)
    assert joint_moves._alike(rng.normal(size=(200, 20)))


def test_a_pair_has_its_share_of_alpha() -> None:
    """Seven pairs: the neighbour that is given, and each record of the data set left out."""

    def found(alpha: float) -> Finding:
        claim = PrivacyClaim(ONE, Neighbours.ADD_OR_REMOVE, 1e-5, source="the test")
        seen = Observed(
            lambda data, recorder: train(data, recorder, BACK, 0.8 * COLUMN), DATA, [DATA[:-1]], claim, Gaussian(1.0),
            Assumptions(independent_noise=False), 5, alpha,
        )  # fmt: skip
        return joint_moves.examine(seen)

    whole = 7 * float(dict(found(ALPHA).numbers)["p_value"])
    assert [found(part * whole).outcome for part in (0.99, 1.01)] == [Outcome.CONSISTENT, Outcome.REFUTED]
