"""The audits of dpmm: not run without it, their attacks and protocol with stand-ins, and the report they led to."""

from __future__ import annotations

import os
import re
import sys
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from own_python import FOLDER, Audits, stand_in

from dpaudit.adapters.command import Command
from dpaudit.content import items, loading
from dpaudit.noise.stream import Stream, Trials
from dpaudit.records.context import Level
from dpaudit.records.privacy import Neighbours
from dpaudit.records.verdict import Outcome

VARIABLE = "DPAUDIT_DPMM_PYTHON"

AUDITS = Audits("dpmm")
PIPELINES, MODELS = (loading.load_module(FOLDER / "dpmm" / name) for name in ("pipelines.py", "models.py"))

STAND_IN = """import json, sys
import numpy as np
assert sys.argv[1].endswith("_worker.py") and sys.argv[2] == "aim", sys.argv
for line in sys.stdin:
    request = json.loads(line)
    count = len(np.load(request["data"])["a"]) + {sigma} * np.random.default_rng(request["seed"]).normal()
    print(json.dumps([count / {sigma} ** 2, 1 / {sigma} ** 2]))
"""


def score(name: str, outputs: Any) -> list[float]:
    """What the attack of a target gives releases."""
    carrier = AUDITS.loaded(name).carrier
    data, neighbour = carrier.neighbours(np.random.default_rng(0))
    found: list[float] = np.asarray(carrier.attacks["score"](np.asarray(outputs), data, neighbour), float).tolist()
    return found


# Declared. ----------------------------------------------------------------------------------------


def test_every_expected_refutation_has_an_effect_and_a_clean_twin() -> None:
    AUDITS.check_twins(consistent=8, refuted=9)


def test_every_target_is_optional_quotes_the_documentation_and_names_its_relation() -> None:
    for target in AUDITS.targets():
        assert target.optional
        assert target.from_level is Level.STANDARD
        assert not target.deterministic  # the noise is that of the operating system
        assert "README of dpmm 0.1.9: " in target.claim.source
        assert target.claim.neighbours is Neighbours.ADD_OR_REMOVE


def test_every_target_has_a_release_in_the_worker() -> None:
    text = (FOLDER / "dpmm" / "_worker.py").read_text(encoding="utf-8")
    releases = set(re.findall(r"(?m)^def ([a-z]\w*)\(rng, \*\*columns\)", text))
    carriers = [audit for path in AUDITS.files for audit in loading.load_module(path).AUDITS]
    assert {_release(audit) for audit in carriers} == releases


def _release(audit: Command) -> str:
    """The word that an audit would start the worker with."""
    [name] = [cell.cell_contents for cell in audit._argv.__closure__ if isinstance(cell.cell_contents, str)]
    return str(name)


def test_each_pair_differs_in_one_record_added() -> None:
    for item in AUDITS.items:
        assert isinstance(item, items.Loaded)
        data, neighbour = item.carrier.neighbours(np.random.default_rng(0))
        for name, column in data.items():
            assert len(neighbour[name]) == len(column) + 1
            assert (neighbour[name][:-1] == column).all()


# Without dpmm, and with a stand-in. ---------------------------------------------------------------


def test_without_dpmm_nothing_is_run_and_the_install_line_is_given(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.delenv(VARIABLE, raising=False)
    if PIPELINES.SHARED.LIBRARY.installed():
        pytest.skip("this Python has dpmm itself")
    verdict = AUDITS.audited("dpmm/aim")
    assert verdict.outcome is Outcome.NOT_RUN
    assert "python3.11 -m venv dpmm-venv && dpmm-venv/bin/pip install dpmm==0.1.9 &&" in verdict.evidence[0].detail
    assert VARIABLE in verdict.evidence[0].detail


def test_the_audits_make_no_folder_pass_for_a_library() -> None:
    """Folders of files that are loaded are searched for modules: that of all libraries must not be one of them."""
    assert str(FOLDER) not in sys.path


def test_a_python_that_is_not_there_is_an_error_and_no_pass(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv(VARIABLE, "/no/such/python")
    verdict = AUDITS.audited("dpmm/aim")
    assert verdict.outcome is Outcome.ERROR
    assert "could not be started" in verdict.evidence[0].detail


@pytest.mark.parametrize(("sigma", "outcome"), [(2.5, Outcome.CONSISTENT), (0.5, Outcome.REFUTED)])
def test_a_stand_in_is_judged_by_the_noise_of_its_counts(
    sigma: float, outcome: Outcome, monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    """Noise of 2.2 times the change is what epsilon 1 and delta 0.01 allow; seeds are fixed."""
    monkeypatch.setenv(VARIABLE, stand_in(tmp_path, STAND_IN.format(sigma=sigma)))
    assert AUDITS.audited("dpmm/aim").outcome is outcome


# The attacks. -------------------------------------------------------------------------------------


def test_the_attacks_on_synthetic_tables_look_at_the_column_in_question() -> None:
    tables = [[[0, 0], [1, 0]], [[1, 1], [0, 1]], [[0, -1], [0, 2]]]
    assert score("dpmm/static-column", tables) == [1, 0, 1]
    assert score("dpmm/missing-value", tables) == [1, 1, 0]
    assert score("dpmm/missing-fill", tables) == [0, 0, -1]
    assert score("dpmm/pipeline", tables) == [0, -2, 0]
    assert score("dpmm/structural-zeros", tables) == [0, 0, -1]
    values = [[[0, 0.905], [0, 0.9]], [[0, 0.91], [0, 0.89]]]
    assert score("dpmm/automatic-bins", values) == [2, 0]
    assert score("dpmm/trees", values) == [-2, -2]


def test_the_attacks_on_dtypes_files_and_networks_are_events() -> None:
    assert score("dpmm/category-of-records", [[1, 1, 0], [1, 1, 1]]) == [1, 0]
    assert score("dpmm/stored-records", [0, 1]) == [1, 0]
    assert score("dpmm/category-of-domain", [[1, 1, 0, 9], [1, 1, 1, 3]]) == [-9, -1_000_003]
    assert score("dpmm/stored-uniform", [[0, 7], [1, 5]]) == [-7, -1_000_005]
    assert score("dpmm/priv-bayes-network", [[0, 1, 1], [1, 1, 0]]) == [1, 0]


def test_the_attack_on_noisy_counts_is_the_likelihood_ratio() -> None:
    noisy, sigmas = np.array([[99.0, 101.0], [100.5, 100.5]]), np.array([2.0, 3.0])
    outputs = [[(row / sigmas**2).sum(), (1 / sigmas**2).sum()] for row in noisy]
    logs = [((row - 101) ** 2 / (2 * sigmas**2) - (row - 100) ** 2 / (2 * sigmas**2)).sum() for row in noisy]
    assert score("dpmm/aim", outputs) == pytest.approx(logs)
    assert score("dpmm/mst", [[1, 2, 3, 10, 20], [0, 0, 0, 0, 0]]) == [-17, 0]


def test_automatic_bins_change_where_the_audit_has_its_records() -> None:
    """The formula of dpmm 0.1.9, at its proc_epsilon for one numerical column."""
    bins = [int(np.ceil(2 * records ** (1 / 3) / (1 + np.exp(-0.1)))) for records in (863, 864)]
    assert bins == [10, 11]
    assert PIPELINES.EDGE == 863
    assert len(MODELS.CONSTANT["a"]) == 1_000


# With dpmm. ---------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("name", "expected"),
    [
        ("dpmm/stored-records", [[1, 1], [0, 0]]),
        ("dpmm/category-of-records", [[1, 1], [0, 0]]),
    ],
)
def test_dpmm_itself_shows_what_is_certain(name: str, expected: list[list[float]]) -> None:
    if not os.environ.get(VARIABLE) and not PIPELINES.SHARED.LIBRARY.installed():
        pytest.skip(f"dpmm is not installed, and {VARIABLE} names no Python that has it")
    carrier = AUDITS.loaded(name).carrier
    trials = Trials(Stream(1, "certain"), np.arange(2))
    pair = carrier.neighbours(np.random.default_rng(0))
    assert [score(name, carrier.run(data, trials)) for data in pair] == expected


# The report. --------------------------------------------------------------------------------------


def test_the_report_names_every_target_with_its_outcome_and_the_records_agree() -> None:
    AUDITS.check_report()
