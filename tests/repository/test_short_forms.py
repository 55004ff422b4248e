"""The short forms of docs/audit_your_own.md do what the page says."""

from __future__ import annotations

import contextlib
import re
import warnings
from pathlib import Path
from typing import Any

import pytest

from dpaudit.audit import tiers
from dpaudit.content import items, loading
from dpaudit.content.audits import audit_of
from dpaudit.records.assumptions import Assumptions
from dpaudit.records.context import Context, Level
from dpaudit.records.target import TrialPlan
from dpaudit.records.verdict import Outcome, Verdict

PAGE = (Path(__file__).parents[2] / "docs" / "audit_your_own.md").read_text(encoding="utf-8")
BLOCKS = [block for block in re.findall(r"```python\n(.*?)```", PAGE, re.DOTALL) if "AUDIT = " in block]
ALPHA = 1e-6
"""False-alarm probability of each statistical test."""


@pytest.fixture(scope="module", autouse=True)
def loaded() -> None:
    with warnings.catch_warnings(), contextlib.suppress(ImportError):
        warnings.simplefilter("ignore")
        import opacus  # noqa: F401


def block(text: str, folder: Path, changes: tuple[tuple[str, str], ...] = ()) -> Any:
    """The adapter of the block that holds `text`, loaded from a file as a run does."""
    [source] = [one for one in BLOCKS if text in one]
    for old, new in changes:
        assert old in source
        source = source.replace(old, new)
    file = folder / "my_audit.py"
    file.write_text(source, encoding="utf-8")
    [item] = loading.load_targets([file])
    assert isinstance(item, items.Loaded), item
    return item.carrier


def audited(audit: Any) -> Verdict:
    return tiers.audit(audit_of(audit), Context(1, Level.SMOKE, ALPHA))


def structural(audit: Any, **options: Any) -> Verdict:
    """The verdict without the game."""
    from dataclasses import replace

    given = {
        {"ASSUMPTIONS": "assumptions", "ATTACKS": "attacks"}.get(name, name): value for name, value in options.items()
    }
    return audited(replace(audit, target=replace(audit.target, trials=None), **given))


def test_the_sum_of_ages_is_refuted_and_repaired(tmp_path: Path) -> None:
    assert audited(block("sum-of-ages", tmp_path)).outcome is Outcome.REFUTED
    assert audited(block("sum-of-ages", tmp_path, (("scale=50", "scale=100"),))).outcome is Outcome.CONSISTENT


@pytest.mark.deep
def test_opacus_is_refuted_by_nan_alone(tmp_path: Path) -> None:
    pytest.importorskip("opacus")
    verdict = structural(block("make_private", tmp_path))
    assert [e.detail.partition(":")[0] for e in verdict.evidence if e.outcome is Outcome.REFUTED] == ["bad records"]
    checked = Assumptions(checked_records=True, shared_generators=True)
    assert structural(block("make_private", tmp_path), ASSUMPTIONS=checked).outcome is Outcome.CONSISTENT


@pytest.mark.deep(keep=1)
@pytest.mark.parametrize("text", ["mine/loop", "mine/counted", "mine/mean"])
def test_loops_of_ones_own_are_consistent(text: str, tmp_path: Path) -> None:
    verdict = structural(block(text, tmp_path))
    assert verdict.outcome is Outcome.CONSISTENT, [e.detail for e in verdict.evidence]


@pytest.mark.deep
def test_the_game_plays_a_loop_of_ones_own(tmp_path: Path) -> None:
    audit = block("mine/mean", tmp_path, (("claim=claim(", "trials=PLAN, claim=claim("),
                                          ("import numpy as np\n", "from dpaudit.records.target import TrialPlan\n"
                                           "import numpy as np\nPLAN = TrialPlan(200, 200, 200)\n")))  # fmt: skip
    assert audit.target.trials == TrialPlan(200, 200, 200)
    assert audited(audit).outcome is Outcome.CONSISTENT


def test_short_forms_are_short() -> None:
    """Lines that are not blank; those of the training itself are the user's anyway."""
    written = {name: [line for line in text.splitlines() if line.strip()] for text in BLOCKS
               for name in re.findall(r'"(mine/[a-z-]+)"', text)}  # fmt: skip
    assert len(written["mine/sum-of-ages"]) <= 8
    training = [len(re.search(r"def train.*?(?=\n\n\n)", text, re.DOTALL)[0].splitlines()) for text in BLOCKS[1:]]  # type: ignore[index]
    assert max(training) <= 15


def test_a_training_that_can_be_made_once(tmp_path: Path) -> None:
    kept = audited(block("mine/once", tmp_path))
    assert (kept.outcome, "without its noise is refuted" in kept.evidence[0].detail) == (Outcome.CONSISTENT, True)
    quarter = block("mine/once", tmp_path, changes=(("8.0 * rng.normal", "2.0 * rng.normal"),))
    assert audited(quarter).outcome is Outcome.REFUTED


@pytest.mark.parametrize(("noise", "outcome"), [("16.0", Outcome.CONSISTENT), ("1.0", Outcome.REFUTED)])
def test_a_training_of_which_only_losses_are_seen(noise: str, outcome: Outcome, tmp_path: Path) -> None:
    assert audited(block("mine/model", tmp_path, (("noise=16.0", f"noise={noise}"),))).outcome is outcome
