"""Which released values are 0 on one of two data sets alone, and what that tells."""

from __future__ import annotations

from functools import partial
from typing import Any

import numpy as np
import pytest
from recordings import recording

from dpaudit.adapters import zeros
from dpaudit.adapters.training import Training
from dpaudit.audit import tiers
from dpaudit.audit.structural.recording import Recorder
from dpaudit.content.audits import audit_of
from dpaudit.records.context import Context, Level
from dpaudit.records.mechanism import Gaussian, PoissonSampled, SelfComposed
from dpaudit.records.privacy import claim
from dpaudit.records.target import TrialPlan
from dpaudit.records.verdict import Outcome, Verdict


def released(*values: list[float]) -> Any:
    return recording(*({"name": "a", "statistic": np.array(one), "noise": None} for one in values))


def test_a_value_speaks_for_the_data_set_on_which_it_is_not_0() -> None:
    one, other = released([1.0, 0.0, 2.0, 0.0], [3.0]), released([1.0, 5.0, 0.0, 0.0], [4.0])
    found = zeros.patterns([(one, other)])
    assert {key: signs.tolist() for key, signs in found.items()} == {("a", 0): [0, -1, 1, 0]}
    assert zeros.size(found) == 2
    signs = found["a", 0]
    assert zeros.told(signs, [9.0, 0.0, 9.0, 9.0]) == 1
    assert zeros.told(signs, [9.0, 9.0, 0.0, 9.0]) == -1
    assert zeros.told(signs, [9.0, 9.0, np.nan, 9.0]) == 0
    assert zeros.told(signs, [1.0, 2.0]) == 0, "another shape says nothing here"


def test_several_paths_are_joined() -> None:
    for_it, against = (released([1.0, 0.0]), released([0.0, 0.0])), (released([0.0, 0.0]), released([1.0, 1.0]))
    assert zeros.patterns([for_it, for_it])["a", 0].tolist() == [1, 0]
    assert zeros.patterns([for_it, against])["a", 0].tolist() == [0, -1]
    assert zeros.patterns([(released([1.0]), released([2.0]))]) == {}


WORDS, RATE, STEPS, NOISE = 8, 0.25, 4, 1.5
MECHANISM = SelfComposed(PoissonSampled(RATE, Gaussian(NOISE)), STEPS)
TEXTS = np.random.default_rng(0).integers(WORDS, size=(40, 3))


def count(records: np.ndarray, recorder: Recorder, mask: Any) -> None:
    """Noisy counts of the words of a batch; what `mask` makes of the counts and the noisy ones is released."""
    rng = np.random.default_rng(recorder.seed)
    for _ in range(STEPS):
        members = recorder.batch(np.flatnonzero(rng.random(len(records)) < RATE))
        own = np.stack([(records[members] == word).any(axis=1) for word in range(WORDS)], axis=1) / 3**0.5
        total, noise = own.sum(axis=0), NOISE * rng.normal(size=WORDS)
        recorder.release("counts", total, noise, value=mask(total, total + noise))


def as_it_is(total: Any, noisy: Any) -> Any:
    return noisy


def only_what_occurs(total: Any, noisy: Any) -> Any:
    return np.where(total > 0, noisy, 0.0)


def only_what_is_large(total: Any, noisy: Any) -> Any:
    """Private: a threshold on noisy counts."""
    return np.where(noisy > 2 * NOISE, noisy, 0.0)


def played(mask: Any, seed: int = 3) -> Verdict:
    """The game alone."""
    audit = Training(
        "mine/counts", partial(count, mask=mask), records=TEXTS, claim=claim(epsilon=1.9, delta=1e-5),
        mechanism=MECHANISM, trials=TrialPlan(1500, 1500, 1500),
    )  # fmt: skip
    subject = audit_of(audit)
    return tiers.audit(type(subject)(**{**vars(subject), "instrument": None}), Context(seed, Level.SMOKE, 1e-6))


@pytest.mark.deep
def test_noise_for_what_occurs_alone_is_refuted_by_the_game() -> None:
    verdict = played(only_what_occurs)
    assert verdict.outcome is Outcome.REFUTED
    assert "the attack 'values that are 0' was chosen" in verdict.evidence[-1].detail
    assert "neighbours differ in a record of a number that no other has" in verdict.statement


@pytest.mark.deep
@pytest.mark.parametrize("mask", [as_it_is, only_what_is_large])
def test_noise_everywhere_is_not_refuted_whatever_is_0_after_it(mask: Any) -> None:
    assert played(mask).outcome is not Outcome.REFUTED
