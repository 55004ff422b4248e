"""The audits of diffprivlib: not run without it, their protocol with a stand-in, and the report that they led to."""

from __future__ import annotations

import re
from importlib.util import find_spec
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from own_python import FOLDER, Audits, stand_in

from dpaudit.adapters.command import Command
from dpaudit.content import loading
from dpaudit.noise.stream import Stream, Trials
from dpaudit.records.verdict import Outcome

VARIABLE = "DPAUDIT_DIFFPRIVLIB_PYTHON"

AUDITS = Audits("diffprivlib")

STAND_IN = """import json, sys
import numpy as np
assert sys.argv[1].endswith("_worker.py"), sys.argv
for line in sys.stdin:
    request = json.loads(line)
    value = float(np.load(request["data"])["value"])
    print(json.dumps(value + {scale} * np.random.default_rng(request["seed"]).laplace()))
"""


def test_every_expected_refutation_has_an_effect_and_a_clean_twin() -> None:
    AUDITS.check_twins(consistent=30, refuted=15)
    found = AUDITS.targets()
    assert all(target.optional for target in found)
    assert all("diffprivlib 0.6.6" in target.claim.source for target in found)


def test_every_target_has_a_release_in_the_worker() -> None:
    text = (FOLDER / "diffprivlib" / "_worker.py").read_text(encoding="utf-8")
    releases = set(re.findall(r"(?m)^def ([a-z]\w*)\((?!name)", text))
    carriers = [audit for path in AUDITS.files for audit in loading.load_module(path).AUDITS]
    assert {_release(audit) for audit in carriers} == releases


def _release(audit: Command) -> str:
    """The word that an audit would start the worker with."""
    [name] = [cell.cell_contents for cell in audit._argv.__closure__ if isinstance(cell.cell_contents, str)]
    return str(name)


def test_without_diffprivlib_nothing_is_run_and_the_install_line_is_given(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.delenv(VARIABLE, raising=False)
    if find_spec("diffprivlib") is not None:
        pytest.skip("this Python has diffprivlib itself")
    verdict = AUDITS.audited("diffprivlib/laplace")
    assert verdict.outcome is Outcome.NOT_RUN
    assert "pip install diffprivlib==0.6.6 'scikit-learn<1.8'" in verdict.evidence[0].detail
    assert VARIABLE in verdict.evidence[0].detail


def test_a_python_that_is_not_there_is_an_error_and_no_pass(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv(VARIABLE, "/no/such/python")
    verdict = AUDITS.audited("diffprivlib/laplace")
    assert verdict.outcome is Outcome.ERROR
    assert "could not be started" in verdict.evidence[0].detail


@pytest.mark.deep(keep=1)
@pytest.mark.parametrize(("scale", "outcome"), [(1.0, Outcome.CONSISTENT), (0.5, Outcome.REFUTED)])
def test_a_stand_in_is_judged_by_the_noise_it_adds(
    scale: float, outcome: Outcome, monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    monkeypatch.setenv(VARIABLE, stand_in(tmp_path, STAND_IN.format(scale=scale)))
    assert AUDITS.audited("diffprivlib/laplace").outcome is outcome


@pytest.mark.deep
def test_float64_noise_of_a_stand_in_is_seen_in_its_last_bits(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    monkeypatch.setenv(VARIABLE, stand_in(tmp_path, STAND_IN.format(scale=1.0)))
    assert AUDITS.audited("diffprivlib/laplace-bits").outcome is Outcome.REFUTED


def test_equal_noise_for_all_classes_is_seen_and_own_noise_is_not() -> None:
    """The attack of the audit with two jobs, on coefficients that solve the model's equations to 1e-9."""
    item = AUDITS.loaded("diffprivlib/logistic-regression-two-jobs")
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
    pair = AUDITS.loaded("diffprivlib/histogram-weights").carrier.neighbours(np.random.default_rng(0))
    assert [set(side) for side in pair] == [{"sample", "weights"}] * 2
    assert len(Trials(Stream(1, "x"), np.arange(2)).seeds()) == 2


def test_the_report_names_every_target_with_its_outcome_and_the_records_agree() -> None:
    AUDITS.check_report()
