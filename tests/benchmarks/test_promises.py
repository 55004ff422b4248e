"""Every number that a verdict of a game has, or its scores file, is in the table of what they promise."""

from __future__ import annotations

import json
from collections.abc import Iterable
from dataclasses import replace
from functools import cache
from pathlib import Path
from types import SimpleNamespace
from typing import Any

import numpy as np
import promises
import pytest
from canary_trainings import in_order

from dpaudit.audit import tiers
from dpaudit.audit.accounts import Account
from dpaudit.content.audits import audit_of
from dpaudit.noise.stream import Trials
from dpaudit.records.context import Context, Level
from dpaudit.records.mechanism import Gaussian
from dpaudit.records.privacy import ApproximateDP, Guarantee, Neighbours, PrivacyClaim, View
from dpaudit.records.target import Control, Target, TrialPlan
from dpaudit.records.verdict import Outcome, Verdict

GUARANTEE = ApproximateDP(1.0, 1e-5)
CONTEXT = Context(seed=4, level=Level.SMOKE, alpha=1e-3)


def target(guarantee: Guarantee = GUARANTEE, **changes: Any) -> Target:
    claim = PrivacyClaim(guarantee, Neighbours.ADD_OR_REMOVE, 1e-5, "the test")
    plan = TrialPlan(1000, 1000, 1000)
    return replace(Target("test/promises", "A shifted normal", View.TRANSCRIPT, claim, plan), **changes)


def shift(by: float) -> Any:
    """A game whose scores are normal, `by` apart."""

    def run(data: Any, trials: Trials) -> Any:
        return trials.stream.normals(trials.numbers, 0, 1) + by * float(np.sum(data))

    return SimpleNamespace(run=run, neighbours=lambda rng: (np.ones(1), np.zeros(1)), score=lambda o, d, n: o[:, 0])


def canaries(by: float) -> Any:
    def run(included: Any, trials: Trials) -> Any:
        return in_order(trials.stream.normals(trials.numbers, 0, len(included))[0] + by * included)

    return SimpleNamespace(run=run, without_noise=lambda included, trials: in_order(included))


def of_other_shapes() -> Any:
    def run(data: Any, trials: Trials) -> Any:
        return np.zeros((len(trials.numbers), int(data.sum()) + 1))

    return SimpleNamespace(run=run, neighbours=lambda rng: (np.ones(1), np.zeros(1)), score=lambda o, d, n: o[:, 0])


@cache
def audited(kind: str, folder: Path) -> tuple[Verdict, dict[str, Any]]:
    """A verdict of each kind that there is, and its scores file."""
    kinds = {
        "kept": (shift(0.2), target()),
        "violated": (shift(6.0), target()),
        "mechanism, violated": (shift(6.0), target(claimed_mechanism=Gaussian(2.0))),
        "stopped": (shift(6.0), target(early_stop=True)),
        "not stopped": (shift(0.2), target(early_stop=True)),
        "null": (shift(0.0), target(ApproximateDP(0.0, 1e-5), control=Control.NULL)),
        "canaries": (canaries(0.5), target(trials=TrialPlan(2, 2, 2), canaries=400, view=View.GRADIENTS)),
        "canaries, others outside": (
            canaries(0.5),
            target(trials=TrialPlan(2, 2, 2), canaries=400, canaries_outside=50, view=View.GRADIENTS),
        ),
        "canaries, violated": (canaries(9.0), target(trials=TrialPlan(2, 2, 2), canaries=400, view=View.GRADIENTS)),
        "shapes": (of_other_shapes(), target()),
    }
    subject, one = kinds[kind]
    context = Context(seed=4, level=Level.SMOKE, alpha=1e-3, folder=str(folder / kind.replace(" ", "-")))
    verdict = tiers.audit(audit_of(subject, one), context)
    assert verdict.outcome is not Outcome.ERROR, verdict
    files = list(Path(context.folder or "").glob("scores/*.json"))
    return verdict, json.loads(files[0].read_text(encoding="utf-8")) if files else {}


KINDS = (
    "kept",
    "violated",
    "mechanism, violated",
    "stopped",
    "not stopped",
    "null",
    "canaries",
    "canaries, others outside",
    "canaries, violated",
    "shapes",
)


@pytest.fixture(scope="module")
def folder(tmp_path_factory: pytest.TempPathFactory) -> Path:
    return tmp_path_factory.mktemp("games")


def names(rows: Iterable[promises.Promise]) -> set[str]:
    return {name for row in rows for name in row.names}


def numbers(verdict: Verdict) -> set[str]:
    """All that verdict, witness and evidence hold."""
    parts = (verdict.numbers, verdict.witness, *(one.numbers for one in verdict.evidence))
    return {name for part in parts for name, _ in part}


@pytest.mark.parametrize("kind", KINDS)
def test_every_number_has_a_row(kind: str, folder: Path) -> None:
    verdict, file = audited(kind, folder)
    rows = promises.ONE_RUN if kind.startswith("canaries") else promises.GAME
    assert numbers(verdict) <= names(rows)
    assert {key for key in file if key not in ("target", "claim_label")} <= names(promises.SCORES_FILE)


def test_the_numbers_of_accounts_and_of_auditors_have_rows() -> None:
    """And what their evidence says of chance."""
    plan = TrialPlan(20, 20, 20)
    functions = {
        "accounts": lambda: [Account("one step", Gaussian(1.0), 1e-5, 9.0)], "bounds": lambda *_: 0.0,
        "REPETITIONS": plan, "LAWS": ("identical",),
    }  # fmt: skip
    verdict = tiers.audit(audit_of(SimpleNamespace(**functions), replace(target(), trials=None)), CONTEXT)
    assert verdict.outcome is Outcome.CONSISTENT, verdict
    shown = names(promises.OTHERS)
    assert {name for name, _ in verdict.numbers} <= shown | names(promises.GAME)
    of_chance = {name for one in verdict.evidence for name, _ in one.numbers if "rate" in name or "p_value" in name}
    assert {"rate", "rate_lower_95", "p_value"} <= of_chance <= shown


def test_every_row_has_a_number(folder: Path) -> None:
    found, files, of_canaries = set(), set(), set()
    for kind in KINDS:
        verdict, file = audited(kind, folder)
        (of_canaries if kind.startswith("canaries") else found).update(numbers(verdict))
        files |= set(file)
    assert names(promises.GAME) <= found
    assert names(promises.ONE_RUN) <= of_canaries
    assert names(promises.SCORES_FILE) <= files


def test_what_is_not_there_after_a_stop_is_not_there(folder: Path) -> None:
    verdict, file = audited("stopped", folder)
    assert verdict.outcome is Outcome.REFUTED
    absent = names(row for row in promises.GAME if row.stopped == promises.ABSENT)
    assert not numbers(verdict) & absent
    absent = names(row for row in promises.SCORES_FILE if row.stopped == promises.ABSENT)
    assert all(file.get(name) is None for name in absent)
    kept, kept_file = audited("kept", folder)
    assert all(kept_file[name] is not None for name in ("point", "band", "ruled_out"))
    assert kept.outcome is Outcome.CONSISTENT


def test_the_names_are_unique_in_each_table() -> None:
    for _, rows in promises.TABLES:
        every = [name for row in rows for name in row.names]
        assert len(set(every)) == len(every)
        assert all(f"`{name}`" in promises.markdown() for name in every)
