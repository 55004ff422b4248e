"""What leaves the training past the noise."""

from __future__ import annotations

from dataclasses import replace

import numpy as np
from recordings import recording

from dpaudit.audit.structural.checks import outputs
from dpaudit.audit.structural.finding import Finding
from dpaudit.audit.structural.recording import Recording
from dpaudit.records.verdict import Outcome

NOISY = {"noise": 1.0}


def test_an_output_that_changes_with_everything_frozen_is_refuted() -> None:
    pair = [recording(NOISY, outputs=[("model", 1.0), ("loss", loss)]) for loss in (0.5, 0.6)]
    found = outputs.check([("removed", *pair)])
    assert found.outcome is Outcome.REFUTED
    assert dict(found.numbers)["output"] == "loss"
    assert outputs.check([("removed", pair[0], pair[0])]).outcome is Outcome.CONSISTENT


def test_a_release_without_noise_is_refuted_by_its_move() -> None:
    for bare in (None, 0.0):
        pair = [recording({"statistic": s, "noise": bare}) for s in (1.0, 2.0)]
        found = outputs.check([("removed", *pair)])
        assert found.outcome is Outcome.REFUTED
        assert dict(found.numbers)["distance"] == 1.0
        assert outputs.check([("removed", pair[0], pair[0])]).outcome is Outcome.INCONCLUSIVE


def test_a_release_that_nobody_can_take_apart_is_not_said_to_be_bare() -> None:
    one, other = (
        replace(recording({"statistic": s, "noise": None}, outputs=[("model", 1.0)]), unclear="clipped after the noise")
        for s in (1.0, 2.0)
    )
    found = outputs.check([("removed", one, other)])
    assert found.outcome is Outcome.CONSISTENT
    assert "noise" not in found.detail
    assert outputs.check([("removed", one, replace(one, outputs=(("model", 2.0),)))]).outcome is Outcome.REFUTED


def test_a_bare_release_beside_noise_whose_scale_is_unclear_is_refuted() -> None:
    pair = [recording({"name": "a", "noise": 1.0}, {"statistic": s, "noise": None}) for s in (1.0, 2.0)]
    one, other = (replace(part, unclear="scaled") for part in pair)
    assert outputs.check([("removed", one, other)]).outcome is Outcome.REFUTED


def test_one_noise_for_all_counts_is_refuted_where_they_move_apart() -> None:
    def counts(noise: np.ndarray, *counted: float) -> Recording:
        return recording({"name": "counts", "statistic": np.array(counted), "noise": noise})

    def found(noises: np.ndarray, *neighbour: float) -> Finding:
        pair = counts(noises[0], 3.0, 5.0), counts(noises[0], *neighbour)
        return outputs.check([("removed", *pair)], [counts(noise, 3.0, 5.0) for noise in noises])

    draws = np.random.default_rng(0).normal(size=(3, 2))
    apart = found(draws[:, :1] * np.ones(2), 3.0, 4.0)
    assert apart.outcome is Outcome.REFUTED
    assert (
        apart.detail
        == "the difference of coordinates 0 and 1 of counts at step 0 has no noise and moves by 1 (removed)"
    )
    assert found(draws[:, :1] * np.ones(2), 2.0, 4.0).outcome is Outcome.NOT_RUN
    assert found(draws, 3.0, 4.0).outcome is Outcome.NOT_RUN


def test_nothing_to_watch_is_said() -> None:
    assert outputs.check([("removed", recording(NOISY), recording(NOISY))]).outcome is Outcome.NOT_RUN
    assert outputs.check([]).outcome is Outcome.NOT_RUN
