"""The catalogue of planted bugs: what each says of itself is true.

Deterministic tiers run in full; of games and auditors those that are cheap, at their stated cost and one seed. Twenty
seeds of all of them are in reports/benchmarks/catalogue.json. A twin is refuted by chance once in 200,000 runs.
"""

from __future__ import annotations

import re
from dataclasses import replace
from functools import cache
from pathlib import Path
from typing import Any

import pytest

from dpaudit.audit import tiers
from dpaudit.content.audits import Audit
from dpaudit.content.items import Loaded
from dpaudit.content.loading import load_targets
from dpaudit.records.context import Context, Level
from dpaudit.records.target import Control, PlantedBug, Tier
from dpaudit.records.verdict import Outcome, Verdict
from dpaudit.report import catalogue

AUDITS = Path(__file__).parents[3] / "audits"
FOLDERS = sorted(path for path in AUDITS.iterdir() if path.name != "third_party" and not path.name.startswith("_"))
ITEMS = {item.name: item for item in load_targets(FOLDERS) if isinstance(item, Loaded)}
BAD = {name: item for name, item in ITEMS.items() if item.record.control is Control.KNOWN_BAD}
ALPHA = 1e-6
MOST_TRIALS, MOST_AUDITS = 500, 300
NOT_PLAYED = {"known-bad/timing-geometric"}
"""Its trials are timed: tests/attacks/test_running_time.py plays it."""


def of(tier: Tier) -> list[str]:
    return [name for name, item in BAD.items() if item.record.bug.tier is tier]


def played_by(tier: Tier, subject: Audit) -> bool:
    """Does this tier look at the target?"""
    function = {
        Tier.ACCOUNTS: subject.accounts,
        Tier.STRUCTURAL: subject.instrument,
        Tier.GAME: subject.run,
        Tier.COVERAGE: subject.bounds,
    }[tier]
    return function is not None


def cheap(name: str) -> bool:
    bug = BAD[name].record.bug
    most = {Tier.GAME: MOST_TRIALS, Tier.COVERAGE: MOST_AUDITS}[bug.tier]
    return bool(bug.cost <= most and not BAD[name].record.canaries and name not in NOT_PLAYED)


def audited(name: str, bug: PlantedBug, instrument: Any = None) -> Verdict:
    """The verdict by the tier of the bug alone, at its cost."""
    subject = catalogue.alone(ITEMS[name].carrier, bug.tier, bug.cost)
    if instrument is not None:
        subject = replace(subject, instrument=instrument)
    return tiers.audit(subject, Context(5, Level.SMOKE, ALPHA))


@cache
def refuted(name: str) -> Verdict:
    return audited(name, BAD[name].record.bug)


@pytest.mark.parametrize("name", BAD)
def test_a_bug_says_what_it_is(name: str) -> None:
    target = BAD[name].record
    assert target.expects is Outcome.REFUTED
    assert target.effect
    assert target.bug is not None, "a known-bad control needs bug=PlantedBug(source, tier, cost)"
    assert re.search(
        r"https://(arxiv\.org/abs/\d{4}\.\d{5}|doi\.org/10\.|github\.com/[\w.-]+/[\w.-]+)", target.bug.source
    )
    assert bool(target.bug.check) == (target.bug.tier is Tier.STRUCTURAL)


@pytest.mark.parametrize("name", BAD)
def test_the_repair_is_a_target_that_holds_and_has_the_tier(name: str) -> None:
    twin = ITEMS[BAD[name].record.repair]
    assert twin.record.expects is Outcome.CONSISTENT
    assert twin.record.control is Control.NONE
    assert played_by(BAD[name].record.bug.tier, twin.carrier)


def test_every_tier_has_bugs() -> None:
    assert {tier: len(of(tier)) > 5 for tier in Tier} == dict.fromkeys(Tier, True)
    assert len(BAD) >= 120


@pytest.mark.parametrize("name", of(Tier.ACCOUNTS))
def test_an_accountant_is_refuted_and_its_twin_is_not(name: str) -> None:
    bug = BAD[name].record.bug
    verdict = refuted(name)
    assert verdict.outcome is Outcome.REFUTED
    stated = [e for e in verdict.evidence if not e.detail.startswith("read again")]
    assert len(stated) == bug.cost
    assert audited(BAD[name].record.repair, bug).outcome is Outcome.CONSISTENT


@pytest.mark.deep(keep=1)
@pytest.mark.usefixtures("few_data_sets_far_away")  # enough for every bug; at its cost the others are looked at too
@pytest.mark.parametrize("name", of(Tier.STRUCTURAL))
def test_the_check_that_is_named_refutes_within_the_trainings_that_are_named(name: str) -> None:
    bug, made = BAD[name].record.bug, []

    def counted(data: Any, recorder: Any) -> None:
        made.append(1)
        BAD[name].carrier.instrument(data, recorder)

    refuting = [e for e in audited(name, bug, counted).evidence if e.outcome is Outcome.REFUTED]
    named = [e for e in refuting if e.detail.startswith((f"{bug.check}: ", f"statistical: {bug.check}: "))]
    assert named, [e.detail for e in refuting]
    assert named[0].numbers, "a refutation has its witness"
    assert len(made) <= bug.cost


@pytest.mark.deep(keep=3)
@pytest.mark.parametrize("name", [name for name in [*of(Tier.GAME), *of(Tier.COVERAGE)] if cheap(name)])
def test_a_cheap_bug_is_caught_at_its_cost_and_its_twin_is_not(name: str) -> None:
    bug = BAD[name].record.bug
    assert refuted(name).outcome is Outcome.REFUTED
    assert audited(BAD[name].record.repair, bug).outcome is not Outcome.REFUTED


def test_a_verdict_says_what_was_planted() -> None:
    numbers = dict(refuted("known-bad/accountant-spent-twice").numbers)
    assert (numbers["planted_tier"], numbers["planted_check"], numbers["planted_cost"]) == ("accounts", "", 1)
