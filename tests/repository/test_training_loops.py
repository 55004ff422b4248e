"""The loops of docs/training_loops.md are audited as printed, and once more with a mistake that the audit finds."""

from __future__ import annotations

import contextlib
import re
import warnings
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest

from dpaudit.audit import tiers
from dpaudit.content import items, loading
from dpaudit.content.audits import audit_of
from dpaudit.records.context import Context, Level
from dpaudit.records.verdict import Outcome, Verdict

pytestmark = pytest.mark.filterwarnings("ignore:optax.global_norm is deprecated:DeprecationWarning")  # by jax-privacy
PAGE = (Path(__file__).parents[2] / "docs" / "training_loops.md").read_text(encoding="utf-8")
LOOPS = {
    name: block
    for block in re.findall(r"```python\n(.*?)```", PAGE, re.DOTALL)
    for name in re.findall(r'"(digits/[\w-]+)"', block)
}
NEEDS = {"digits/opacus": "opacus", "digits/jax-privacy": "jax_privacy", "digits/loop": "torch"}
ALPHA = 1e-6
"""False-alarm probability of each audit; the seed is fixed."""

MISTAKES = (
    ("digits/opacus", "noise_multiplier=1.0", "noise_multiplier=0.5", {"accountant"}),
    ("digits/jax-privacy", "stddev=1.0", "stddev=0.5", {"noise scale"}),
    ("digits/loop", "torch.cat([g.flatten(1) for g in own.values()], dim=1)", "own['0.bias']", {"sensitivity"}),
)
"""A line of a loop, what stands there by mistake, and checks that refute it."""


@pytest.fixture(scope="module", autouse=True)
def loaded() -> None:
    with warnings.catch_warnings(), contextlib.suppress(ImportError):
        warnings.simplefilter("ignore")
        import opacus  # noqa: F401


def loop(name: str, folder: Path, old: str = "", new: str = "") -> Any:
    """The adapter of the loop of this name, saved as a user would save it, with `new` where `old` is."""
    pytest.importorskip(NEEDS[name])
    assert old in LOOPS[name]
    file = folder / "my_audit.py"
    file.write_text(LOOPS[name].replace(old, new) if old else LOOPS[name], encoding="utf-8")
    [item] = loading.load_targets([file])
    assert isinstance(item, items.Loaded), item
    return item.carrier


def audited(audit: Any) -> Verdict:
    return tiers.audit(audit_of(audit), Context(1, Level.SMOKE, ALPHA))


def recorded(audit: Any) -> Verdict:
    """The verdict of the checks of recorded trainings, without the game."""
    return audited(replace(audit, target=replace(audit.target, trials=None)))


def test_the_page_has_three_loops() -> None:
    assert set(LOOPS) == set(NEEDS)


@pytest.mark.deep(keep=3)
@pytest.mark.parametrize("name", NEEDS)
def test_a_loop_as_printed_is_consistent(name: str, tmp_path: Path) -> None:
    verdict = recorded(loop(name, tmp_path))
    assert verdict.outcome is Outcome.CONSISTENT, [e.detail for e in verdict.evidence]


@pytest.mark.deep(keep=1)
@pytest.mark.parametrize(("name", "old", "new", "checks"), MISTAKES)
def test_a_loop_with_a_mistake_is_refuted(name: str, old: str, new: str, checks: set[str], tmp_path: Path) -> None:
    verdict = recorded(loop(name, tmp_path, old, new))
    assert checks <= {e.detail.partition(":")[0] for e in verdict.evidence if e.outcome is Outcome.REFUTED}


@pytest.mark.deep
@pytest.mark.parametrize("name", NEEDS)
def test_a_loop_as_printed_is_consistent_in_its_game_too(name: str, tmp_path: Path) -> None:
    verdict = audited(loop(name, tmp_path))
    assert verdict.outcome is Outcome.CONSISTENT, [e.detail for e in verdict.evidence]


def rows(text: str, cells: int) -> list[list[str]]:
    """The rows of all tables with so many columns or more, cell by cell."""
    lines = (re.split(r" *\| *", line.strip().strip("|").strip(" ")) for line in text.splitlines() if line[:1] == "|")
    return [row for row in lines if len(row) >= cells]


def test_each_pitfall_is_a_planted_bug_that_the_named_check_finds() -> None:
    catalogue = (Path(__file__).parents[2] / "docs" / "catalogue.md").read_text(encoding="utf-8")
    planted = {row[0]: row[3] for row in rows(catalogue, 7)}
    listed = [(row[2], row[1]) for row in rows(PAGE, 3) if re.fullmatch(r"[a-z]+(-[a-z]+)+", row[2])]
    assert len(listed) > 12
    assert [(bug, check) for bug, check in listed if planted.get(bug) != check] == []
