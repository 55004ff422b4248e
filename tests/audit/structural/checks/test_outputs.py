"""What leaves the training past the noise."""

from __future__ import annotations

from recordings import recording

from dpaudit.audit.structural.checks import outputs
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


def test_nothing_to_watch_is_said() -> None:
    assert outputs.check([("removed", recording(NOISY), recording(NOISY))]).outcome is Outcome.NOT_RUN
    assert outputs.check([]).outcome is Outcome.NOT_RUN
