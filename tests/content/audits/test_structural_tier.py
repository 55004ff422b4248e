"""The structural tier on every shipped target that has `instrument`, without its game.

Targets are found on disk. False alarms: 4e-6 at most for each target, of four statistical tests at 1e-6.
"""

from __future__ import annotations

from dataclasses import replace
from functools import cache
from pathlib import Path
from types import ModuleType
from typing import Any

import numpy as np
import pytest
from depth import DEEP
from what_runs import recorded_with

from dpaudit.audit.structural import examine, stepwise
from dpaudit.audit.structural.finding import Finding
from dpaudit.audit.structural.recording import Recorder
from dpaudit.content.items import Loaded
from dpaudit.content.loading import load_algorithms, load_targets
from dpaudit.records.verdict import Outcome

pytestmark = pytest.mark.usefixtures("few_data_sets_far_away")
AUDITS = Path(__file__).parents[3] / "audits"
ALPHA, SEED = 1e-6, 5
BY_NAME = {item.name: item for item in load_targets([AUDITS]) if isinstance(item, Loaded)}
ITEMS = {name: item for name, item in BY_NAME.items() if item.carrier.instrument is not None}
BAD = {name: item for name, item in ITEMS.items() if item.record.expects is Outcome.REFUTED}
GOOD = {name: item for name, item in ITEMS.items() if name not in BAD}
STEPWISE = {name: item for name, item in ITEMS.items() if "stepwise.instrument" in item.path.read_text("utf-8")}
"""Algorithms of this package, whose trainings are recorded step by step."""
OURS = {name: item for name, item in GOOD.items() if name in STEPWISE}
TRIED = [name for name, item in GOOD.items() if DEEP or "third_party" not in item.path.parts]
"""CI audits all of those of other libraries anyway."""
MIXED = "rbcd/dp-svrg"
"""Its steps are a sampled and an unsampled mechanism under one noise, of which the accountant check says nothing."""


def examined(item: Loaded) -> dict[str, Finding]:
    """What every check finds, by its name."""
    target, module = item.record, item.carrier
    data, neighbour = module.neighbours(np.random.default_rng(3))
    found = examine.examine(
        module.instrument,
        data,
        [(target.claim.neighbours, neighbour)],
        target.claim,
        target.claimed_mechanism,
        seed=SEED,
        alpha=ALPHA,
        assumptions=module.assumptions,
    )
    return {finding.check: finding for finding in found}


@cache
def as_shipped(name: str) -> dict[str, Finding]:
    """`examined`, made once."""
    return examined(ITEMS[name])


@pytest.mark.deep(keep=6)
@pytest.mark.parametrize("name", TRIED)
def test_a_correct_target_raises_nothing(name: str) -> None:
    raised = [f for f in as_shipped(name).values() if f.outcome in (Outcome.REFUTED, Outcome.INCONCLUSIVE)]
    assert raised == []


@pytest.mark.deep(keep=6)
@pytest.mark.parametrize("name", TRIED)
def test_its_records_reach_the_releases(name: str) -> None:
    """Checks that are silent because nothing moves show nothing."""
    found = as_shipped(name)
    silent = {check for check in ("sensitivity", "accountant") if found[check].outcome is not Outcome.CONSISTENT}
    assert silent == ({"accountant"} if name == MIXED else set())


@pytest.mark.deep(keep=6)
@pytest.mark.parametrize("name", OURS)
def test_the_neighbours_are_the_worst_case(name: str) -> None:
    """The declared sensitivity is met; DP-SVRG bounds two ways in which a record enters by their sum."""
    numbers = dict(as_shipped(name)["sensitivity"].numbers)
    assert numbers["distance"] / numbers["sensitivity"] == pytest.approx(1 / 3 if name == MIXED else 1, rel=1e-6)


@pytest.mark.deep(keep=1)
@pytest.mark.parametrize("name", [name for name in BAD if name in STEPWISE])
def test_the_check_that_is_named_refutes(name: str) -> None:
    """dp_sgd bugs are in tests/content/audits/test_known_bad.py, with their cost."""
    assert as_shipped(name)[BAD[name].record.bug.check].outcome is Outcome.REFUTED


def weaker(params: Any) -> Any:
    """The parameters with 0.99 of their noise."""
    fields = {name: getattr(params, name) for name in ("noise", "first_noise", "noise_scales") if hasattr(params, name)}
    return replace(params, **{name: tuple(np.multiply(0.99, value)) if name == "noise_scales" else 0.99 * value
                              for name, value in fields.items()})  # fmt: skip


@pytest.mark.deep(keep=5)
@pytest.mark.parametrize("name", [name for name in OURS if name != MIXED])
def test_one_per_cent_less_noise_is_refuted(name: str, monkeypatch: pytest.MonkeyPatch) -> None:
    recorded_with(monkeypatch, weaker)
    assert examined(OURS[name])["accountant"].outcome is Outcome.REFUTED


def test_the_planted_bugs_are_seen_from_more_than_one_side() -> None:
    assert as_shipped("known-bad/dp-skgd-half-noise")["noise scale"].detail.startswith("statistical: the noise of step")
    tree = dict(as_shipped("known-bad/srgd-noise-of-one-node")["accountant"].numbers)
    assert (tree["total"], tree["accounted"], tree["steps"]) == (pytest.approx(3.0), 1.0, 3)


def test_every_recorded_algorithm_has_a_correct_target(monkeypatch: pytest.MonkeyPatch) -> None:
    seen, honest = set(), stepwise.instrument

    def spy(algorithm: ModuleType, *inputs: Any, **more: Any) -> None:
        seen.add(algorithm.__name__.rpartition(".")[2])
        honest(algorithm, *inputs, **more)

    monkeypatch.setattr(stepwise, "instrument", spy)
    for item in OURS.values():
        item.carrier.instrument(item.carrier.neighbours(np.random.default_rng(3))[0], Recorder(seed=SEED))
    modules = {item.path.parent.name: item.carrier.code for item in load_algorithms()}
    assert seen == {name for name, module in modules.items() if hasattr(module, "RECORDED")}
