"""What decides is handed the error probability of its audit, and not twice as much."""

from __future__ import annotations

from dataclasses import replace
from types import SimpleNamespace
from typing import Any

import numpy as np
import pytest
from small_content import target_text, write

from dpaudit.audit import tiers
from dpaudit.content.audits import Audit, audit_of
from dpaudit.content.loading import load_targets
from dpaudit.records.context import Context, Level
from dpaudit.records.target import Control

CONTEXT = Context(seed=1, level=Level.SMOKE, alpha=1e-4)


class Heard(Exception):
    """Ends the audit once it is known what a part of it was handed."""


@pytest.fixture
def game(workdir: Any) -> Audit:
    [item] = load_targets([write(workdir / "toy.py", target_text("toy/sum", trials=2_000))])
    return item.carrier  # type: ignore[union-attr, return-value]


@pytest.fixture
def heard(monkeypatch: pytest.MonkeyPatch) -> list[float]:
    """What the examination of a training and that of an auditor are handed."""
    found: list[float] = []

    def hear(*_: Any, alpha: float, **others: Any) -> None:
        found.append(alpha)
        raise Heard

    monkeypatch.setattr(tiers.examine, "examine", hear)
    monkeypatch.setattr(tiers.coverage, "examine", hear)
    return found


@pytest.mark.parametrize("kind", ["instrument", "bounds"])
def test_checks_of_a_training_and_of_an_auditor_have_the_level_of_the_audit(
    game: Audit, heard: list[float], kind: str
) -> None:
    target = replace(game.target, trials=None)
    functions = {"neighbours": game.neighbours, kind: lambda *_: None}
    tiers.audit(audit_of(SimpleNamespace(**functions), target), CONTEXT)
    assert heard == [CONTEXT.alpha]


def test_the_calibration_of_a_null_control_has_the_level_of_the_audit(
    game: Audit, monkeypatch: pytest.MonkeyPatch
) -> None:
    found, real = [], tiers._calibration
    monkeypatch.setattr(tiers, "_calibration", lambda null, alpha: found.append(alpha) or real(null, alpha))  # type: ignore[func-returns-value]
    null = replace(game.target, control=Control.NULL)
    tiers.audit(replace(game, target=null, neighbours=lambda rng: (np.zeros(3), np.zeros(3))), CONTEXT)
    assert found == [CONTEXT.alpha]
