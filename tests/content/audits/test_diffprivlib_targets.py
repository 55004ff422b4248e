"""The audits of diffprivlib: not run without it, their protocol with a stand-in, and the report that they led to."""

from __future__ import annotations

import json
import re
import stat
import sys
from importlib.util import find_spec
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from dpaudit.adapters.command import Command
from dpaudit.audit import tiers
from dpaudit.content import items, loading
from dpaudit.noise.stream import Stream, Trials
from dpaudit.records.context import Context, Level
from dpaudit.records.target import Target
from dpaudit.records.verdict import Outcome

ROOT = Path(__file__).parents[3]
FOLDER = ROOT / "audits" / "third_party"
REPORT = ROOT / "reports" / "third-party" / "diffprivlib.md"
VARIABLE = "DPAUDIT_DIFFPRIVLIB_PYTHON"

FILES = sorted(path for path in (FOLDER / "diffprivlib").glob("*.py") if path.name[0] != "_")
ITEMS = loading.load_targets(FILES)

STAND_IN = """#!{python}
import json, sys
import numpy as np
assert sys.argv[1].endswith("_worker.py"), sys.argv
for line in sys.stdin:
    request = json.loads(line)
    value = float(np.load(request["data"])["value"])
    print(json.dumps(value + {scale} * np.random.default_rng(request["seed"]).laplace()))
"""


def loaded(name: str) -> items.Loaded:
    [item] = items.select(ITEMS, [name], "target")
    assert isinstance(item, items.Loaded)
    return item


def targets() -> list[Target]:
    assert all(isinstance(item, items.Loaded) for item in ITEMS), [i.error for i in ITEMS if hasattr(i, "error")]
    return [item.record for item in ITEMS if isinstance(item, items.Loaded)]


def audited(name: str) -> Any:
    item = loaded(name)
    return tiers.audit(item.carrier, Context(1, Level.SMOKE, 1e-6))


def stand_in(folder: Path, scale: float) -> str:
    """A program that answers like the worker does for one of its releases, with Laplace noise of this scale."""
    program = folder / "python"
    program.write_text(STAND_IN.format(python=sys.executable, scale=scale), encoding="utf-8")
    program.chmod(program.stat().st_mode | stat.S_IXUSR)
    return str(program)


def test_every_expected_refutation_has_an_effect_and_a_clean_twin() -> None:
    found = targets()
    consistent = {target.name for target in found if target.expects is Outcome.CONSISTENT}
    refuted = [target for target in found if target.expects is Outcome.REFUTED]
    assert len(consistent) >= 30
    assert len(refuted) >= 15
    assert all(target.effect and target.repair in consistent for target in refuted)
    assert all(target.optional for target in found)
    assert all("diffprivlib 0.6.6" in target.claim.source for target in found)


def test_every_target_has_a_release_in_the_worker() -> None:
    text = (FOLDER / "diffprivlib" / "_worker.py").read_text(encoding="utf-8")
    releases = set(re.findall(r"(?m)^def ([a-z]\w*)\((?!name)", text))
    carriers = [audit for path in FILES for audit in loading.load_module(path).AUDITS]
    assert {_release(audit) for audit in carriers} == releases


def _release(audit: Command) -> str:
    """The word that an audit would start the worker with."""
    [name] = [cell.cell_contents for cell in audit._argv.__closure__ if isinstance(cell.cell_contents, str)]
    return str(name)


def test_without_diffprivlib_nothing_is_run_and_the_install_line_is_given(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.delenv(VARIABLE, raising=False)
    if find_spec("diffprivlib") is not None:
        pytest.skip("this Python has diffprivlib itself")
    verdict = audited("diffprivlib/laplace")
    assert verdict.outcome is Outcome.NOT_RUN
    assert "pip install diffprivlib==0.6.6 'scikit-learn<1.8'" in verdict.evidence[0].detail
    assert VARIABLE in verdict.evidence[0].detail


def test_a_python_that_is_not_there_is_an_error_and_no_pass(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv(VARIABLE, "/no/such/python")
    verdict = audited("diffprivlib/laplace")
    assert verdict.outcome is Outcome.ERROR
    assert "could not be started" in verdict.evidence[0].detail


@pytest.mark.deep(keep=1)
@pytest.mark.parametrize(("scale", "outcome"), [(1.0, Outcome.CONSISTENT), (0.5, Outcome.REFUTED)])
def test_a_stand_in_is_judged_by_the_noise_it_adds(
    scale: float, outcome: Outcome, monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    monkeypatch.setenv(VARIABLE, stand_in(tmp_path, scale))
    assert audited("diffprivlib/laplace").outcome is outcome


@pytest.mark.deep
def test_float64_noise_of_a_stand_in_is_seen_in_its_last_bits(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    monkeypatch.setenv(VARIABLE, stand_in(tmp_path, 1.0))
    assert audited("diffprivlib/laplace-bits").outcome is Outcome.REFUTED


def test_equal_noise_for_all_classes_is_seen_and_own_noise_is_not() -> None:
    """The attack of the audit with two jobs, on coefficients that solve the model's equations to 1e-9."""
    item = loaded("diffprivlib/logistic-regression-two-jobs")
    score = item.carrier.attacks["score"]
    data, neighbour = item.carrier.neighbours(np.random.default_rng(0))
    ridge = 0.25 / np.expm1(1 / 12)
    rng = np.random.default_rng(0)

    def fitted(records: Any, noise: Any) -> Any:
        weights = np.zeros((3, 2))
        for _ in range(200):
            chances = 1 / (1 + np.exp(-weights @ records["inputs"].T))
            members = records["labels"] == np.arange(3)[:, None]
            weights = weights - 0.2 * ((chances - members) @ records["inputs"] + ridge * weights + noise)
        return np.concatenate([weights, np.zeros((3, 1))], axis=1).ravel()

    equal = np.stack([fitted(data, np.tile(rng.normal(size=2), (3, 1))) for _ in range(20)])
    other = np.stack([fitted(neighbour, np.tile(rng.normal(size=2), (3, 1))) for _ in range(20)])
    assert score(equal, data, neighbour).min() > 0.5
    assert score(other, data, neighbour).max() < -0.5
    own = np.stack([fitted(data, 12 * rng.normal(size=(3, 2))) for _ in range(20)])
    assert np.abs(score(own, data, neighbour)).max() < 6


def test_data_sets_reach_the_worker_as_the_arrays_that_it_names() -> None:
    pair = loaded("diffprivlib/histogram-weights").carrier.neighbours(np.random.default_rng(0))
    assert [set(side) for side in pair] == [{"sample", "weights"}] * 2
    assert len(Trials(Stream(1, "x"), np.arange(2)).seeds()) == 2


def test_the_report_names_every_target_with_its_outcome_and_the_records_agree() -> None:
    text = REPORT.read_text(encoding="utf-8")
    rows = dict(re.findall(r"(?m)^\| `(diffprivlib/[\w-]+)` \|.*\| (CONSISTENT|REFUTED) \|", text))
    assert rows == {target.name: target.expects.value for target in targets()}
    records = json.loads(REPORT.with_suffix(".json").read_text(encoding="utf-8"))
    found = {(record["id"], record["outcome"]) for record in records}
    assert found == set(rows.items())
    seeds = {name: {r["seed"] for r in records if r["id"] == name} for name in rows}
    assert all(len(seeds[name]) >= 3 for name, outcome in rows.items() if outcome == "REFUTED")
