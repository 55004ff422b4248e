"""The audits of Opacus: each named check refutes, the repaired code passes, and the report says what the audits say.

Structural refutations are witnesses and have no false alarms; each statistical test below is at 1e-6.
"""

from __future__ import annotations

import contextlib
import io
import json
import re
import warnings
from collections.abc import Iterator
from dataclasses import replace
from pathlib import Path
from typing import Any

import main_job
import numpy as np
import pytest

from dpaudit.audit import accounts, tiers
from dpaudit.audit.structural import examine
from dpaudit.audit.structural.finding import Finding
from dpaudit.content import loading
from dpaudit.content.audits import audit_of
from dpaudit.content.items import Loaded
from dpaudit.records.context import Context, Level
from dpaudit.records.privacy import Neighbours
from dpaudit.records.target import TrialPlan
from dpaudit.records.verdict import Outcome

pytest.importorskip("opacus")
torch = pytest.importorskip("torch")

ROOT = Path(__file__).parents[3]
REPORT = ROOT / "reports" / "third-party" / "opacus.md"
ITEMS = loading.load_targets([ROOT / "audits" / "third_party" / "opacus"])
BY_NAME = {item.name.removeprefix("opacus/"): item for item in ITEMS if isinstance(item, Loaded)}
BROKEN = {name: item for name, item in BY_NAME.items() if item.record.expects is Outcome.REFUTED}
RECORDED = {name: item for name, item in BROKEN.items() if item.carrier.instrument is not None}
ALPHA = 1e-6
AUDITED = main_job.left("audits", main_job.LIBRARIES, main_job.OF_LIBRARIES) or {}
"""The verdicts of the audits of released libraries, where they have just been made."""
pytestmark = pytest.mark.usefixtures("few_data_sets_far_away")


@pytest.fixture(autouse=True)
def one_thread() -> Iterator[None]:
    threads = torch.get_num_threads()
    torch.set_num_threads(1)
    yield
    torch.set_num_threads(threads)


def examined(name: str, seed: int = 5) -> dict[str, Finding]:
    """What every structural check finds, by its name."""
    item = BY_NAME[name]
    data, neighbour = item.carrier.neighbours(np.random.default_rng(3))
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")  # what Opacus warns of is not under test
        found = examine.examine(
            item.carrier.instrument,
            data,
            [(item.record.claim.neighbours, neighbour)],
            item.record.claim,
            item.record.claimed_mechanism,
            seed=seed,
            alpha=ALPHA,
            assumptions=item.carrier.assumptions,
        )
    return {finding.check: finding for finding in found}


def told(name: str) -> dict[str, Outcome]:
    """What every structural check finds, in the audit that has been made, else in one now."""
    verdict = AUDITED.get(f"opacus/{name}")
    if verdict is None:
        return {check: finding.outcome for check, finding in examined(name).items()}
    said = [one for one in verdict.evidence if one.engine == "structural"]
    return {one.detail.removeprefix("statistical: ").partition(":")[0]: one.outcome for one in said}


def played(name: str, trials: int) -> Outcome:
    """The outcome of the game with `trials` trials a side."""
    item = BY_NAME[name]
    target = replace(item.record, trials=TrialPlan(trials, trials, trials))
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        return tiers.audit(audit_of(item.carrier, target), Context(11, Level.SMOKE, ALPHA)).outcome


def refuting(name: str) -> set[str]:
    return {check for check, finding in examined(name).items() if finding.outcome is Outcome.REFUTED}


# What is refuted, and what is not. ----------------------------------------------------------------


def test_every_target_is_optional_and_every_refuted_one_names_one_that_holds() -> None:
    assert len(BY_NAME) == len(ITEMS)
    for item in BY_NAME.values():
        assert item.record.optional
        assert {"opacus", "torch"} <= {module for module, _ in item.record.needs}
    for item in BROKEN.values():
        assert BY_NAME[item.record.repair.removeprefix("opacus/")].record.expects is Outcome.CONSISTENT
        assert re.search(r"\d|exact|certain|every|negative", item.record.effect)


@pytest.mark.deep
@pytest.mark.parametrize("name", RECORDED)
def test_the_check_that_is_named_refutes(name: str) -> None:
    """In one of two audits: whether an empty batch meets one that is not hangs on the draws."""
    [named] = re.findall(r'structural check "([a-z -]+)"', RECORDED[name].carrier.instrument.__self__.__doc__)
    assert told(name)[named] is Outcome.REFUTED or examined(name, 3)[named].outcome is Outcome.REFUTED


@pytest.mark.deep(keep=1)
@pytest.mark.parametrize("name", sorted({item.record.repair.removeprefix("opacus/") for item in RECORDED.values()}))
def test_the_target_that_it_is_repaired_by_raises_nothing(name: str) -> None:
    found = told(name)
    assert not {Outcome.REFUTED, Outcome.INCONCLUSIVE} & {*found.values()}
    assert found["sensitivity"] is found["accountant"] is Outcome.CONSISTENT


@pytest.mark.deep(keep=1)
@pytest.mark.parametrize("name", ["divisor-of-three", "divisor-of-a-thousand", "divisor-of-zero"])
def test_the_number_of_records_shows(name: str) -> None:
    assert played(name, 120) is Outcome.REFUTED


@pytest.mark.deep
@pytest.mark.parametrize("name", ["sum-of-three", "known-size"])
def test_where_the_divisor_is_the_same_nothing_shows(name: str) -> None:
    assert played(name, 300) is Outcome.CONSISTENT


def test_the_accountants() -> None:
    outcomes = {}
    for name in ("accountant-gdp", "accountant-negative"):
        found = accounts.examine(BY_NAME[name].carrier.accounts(), Neighbours.ADD_OR_REMOVE)
        outcomes[name] = {finding.outcome for finding in found if finding.check != "read again"}
    assert outcomes == {"accountant-gdp": {Outcome.REFUTED}, "accountant-negative": {Outcome.REFUTED}}


# Repairs: each takes one finding away, so that it is this bug that is found. ------------------------


@pytest.mark.deep
def test_dropping_gradients_that_are_not_finite_repairs(monkeypatch: pytest.MonkeyPatch) -> None:
    from opacus.optimizers import DPOptimizer

    honest = DPOptimizer._get_flat_grad_sample
    monkeypatch.setattr(DPOptimizer, "_get_flat_grad_sample", lambda self, p: torch.nan_to_num(honest(self, p)))
    assert "bad records" not in refuting("non-finite")


@pytest.mark.deep
def test_clearing_what_a_cut_epoch_left_behind_repairs(monkeypatch: pytest.MonkeyPatch) -> None:
    from opacus.utils.batch_memory_manager import BatchMemoryManager

    def leave(self: Any, *failure: object) -> None:
        self.optimizer._step_skip_queue.clear()
        self.optimizer._is_last_step_skipped = False
        self.optimizer.zero_grad()

    monkeypatch.setattr(BatchMemoryManager, "__exit__", leave)
    assert refuting("virtual-steps-cut") == set()


@pytest.mark.deep
def test_losses_by_record_repair_the_adaptive_ghost(monkeypatch: pytest.MonkeyPatch) -> None:
    from opacus.utils.adaptive_clipping.adaptive_clipping_utils import DPLossFastGradientAdaptiveClipping as Loss

    honest = Loss.__call__

    def by_record(self: Any, *given: Any, **named: Any) -> Any:
        kept, self.criterion.reduction = self.criterion.reduction, "none"
        try:
            return honest(self, *given, **named)
        finally:
            self.criterion.reduction = kept

    broken = float(dict(examined("adaptive-ghost")["accountant"].numbers)["move"])
    monkeypatch.setattr(Loss, "__call__", by_record)
    repaired = dict(examined("adaptive-ghost")["accountant"].numbers)
    assert broken > 5
    assert float(repaired.get("move", repaired.get("largest_move", 0.0))) < 2.5  # the count still leaks


@pytest.mark.deep
def test_a_schedule_that_reaches_the_model_repairs(monkeypatch: pytest.MonkeyPatch) -> None:
    from opacus.grad_sample import GradSampleModuleFastGradientClipping as Module
    from opacus.schedulers import ExponentialGradClip

    made: list[Any] = []
    honest = Module.__init__
    monkeypatch.setattr(Module, "__init__", lambda self, *a, **k: (honest(self, *a, **k), made.append(self))[0])
    step = ExponentialGradClip.step

    def both(self: Any) -> None:
        step(self)
        made[-1].max_grad_norm = self.optimizer.max_grad_norm

    monkeypatch.setattr(ExponentialGradClip, "step", both)
    assert "sensitivity" not in refuting("clip-schedule-ghost")


# The report. --------------------------------------------------------------------------------------


def test_the_records_of_the_report_are_those_of_the_targets() -> None:
    verdicts = {v["id"]: v for v in json.loads(REPORT.with_suffix(".json").read_text(encoding="utf-8"))["verdicts"]}
    assert set(verdicts) == {item.name for item in BY_NAME.values()}
    for name, item in BY_NAME.items():
        assert verdicts[f"opacus/{name}"]["outcome"] == item.record.expects.name
    text = REPORT.read_text(encoding="utf-8")
    assert [name for name in BY_NAME if f"`opacus/{name}`" not in text] == []


BLOCK = re.compile(r"```python\n(.*?)```\n\n```text\n(.*?)```", re.DOTALL)
BLOCKS = BLOCK.findall(REPORT.read_text(encoding="utf-8"))


@pytest.mark.deep(keep=2)
@pytest.mark.parametrize(("code", "printed"), BLOCKS, ids=[str(i) for i in range(len(BLOCKS))])
def test_every_reproduction_prints_what_the_report_says(code: str, printed: str) -> None:
    assert len([line for line in code.splitlines() if line.strip()]) <= 15
    shown = io.StringIO()
    with warnings.catch_warnings(), torch.random.fork_rng(devices=[]), contextlib.redirect_stdout(shown):
        warnings.simplefilter("ignore")
        torch.manual_seed(0)
        exec(compile(code, "reproduction", "exec"), {"__name__": "reproduction"})
    assert shown.getvalue().split() == printed.split()


def test_there_are_reproductions() -> None:
    assert len(BLOCKS) >= 12
