"""The correct twin of a planted bug is the training of the same plan."""

from __future__ import annotations

from dataclasses import replace

import pytest

from dpaudit.audit.planted import dp_sgd
from dpaudit.audit.planted.dp_sgd_bugs import Bug
from dpaudit.audit.planted.dp_sgd_targets import repair
from dpaudit.records.privacy import Neighbours


def test_a_bug_is_repaired_by_the_training_of_its_plan() -> None:
    plan = dp_sgd.plan(Bug.NONE)
    assert repair(plan) == "dp-sgd/structural"
    assert repair(replace(plan, workers=2)) == "dp-sgd/two-workers"
    assert repair(replace(plan, relation=Neighbours.REPLACE_ONE)) == "dp-sgd/replace-one"


def test_a_plan_without_a_correct_training_has_no_repair() -> None:
    with pytest.raises(KeyError):
        repair(replace(dp_sgd.plan(Bug.NONE), workers=3))
