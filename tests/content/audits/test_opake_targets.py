"""The audits of opake's matrices: not run without it, their attack and protocol with stand-ins, and the report."""

from __future__ import annotations

import os
import re

import numpy as np
import pytest
from own_python import FOLDER, Audits, stand_in

from dpaudit.content import loading
from dpaudit.records.context import Level
from dpaudit.records.mechanism import Gaussian
from dpaudit.records.verdict import Outcome

VARIABLE = "DPAUDIT_OPAKE_PYTHON"
AUDITS = Audits("opake")
MODULE = loading.load_module(FOLDER / "opake" / "matrix_mechanisms.py")

STAND_IN = """import json, sys
import numpy as np
assert sys.argv[1].endswith("_worker.py") and sys.argv[2] == "one_band", sys.argv
for line in sys.stdin:
    request = json.loads(line)
    noise = {sigma} * np.random.default_rng(request["seed"]).normal(size=16)
    print(json.dumps([*(np.load(request["data"])["gradients"] + noise), *(np.arange(16) % 4 == 0).astype(float)]))
"""
"""Independent noise, whose matrix is the unit matrix."""


def test_every_expected_refutation_has_an_effect_and_a_clean_twin() -> None:
    AUDITS.check_twins(consistent=10, refuted=4)


def test_every_target_is_optional_and_quotes_the_documentation() -> None:
    for target in (audit.TARGET for audit in MODULE.AUDITS):
        assert target.optional
        assert target.from_level is Level.STANDARD
        assert "mf_gaussian: models a Gaussian release with effective noise multiplier" in target.claim.source
        assert isinstance(target.claimed_mechanism, Gaussian)


def test_every_target_has_a_strategy_in_the_worker() -> None:
    text = (FOLDER / "opake" / "_worker.py").read_text(encoding="utf-8")
    table = text[text.index("STRATEGIES = {") : text.index("SCHEMA = ")]
    names = re.findall(r'(?m)^    "(\w+)":', table)
    started = [
        cell.cell_contents
        for audit in MODULE.AUDITS
        for cell in audit._argv.__closure__
        if isinstance(cell.cell_contents, str)
    ]
    assert sorted(started) == sorted(names)


def test_the_record_takes_part_as_often_as_is_allowed_and_no_more() -> None:
    text = (FOLDER / "opake" / "_worker.py").read_text(encoding="utf-8")
    assert "STEPS, APART, TIMES, NOISE = 16, 4, 4, 4.0" in text
    assert (MODULE.STEPS, MODULE.NOISE) == (16, 4.0)
    assert np.flatnonzero(MODULE.PRESENT["gradients"]).tolist() == list(MODULE.TIMES)
    assert len(MODULE.TIMES) == 4
    assert set(np.diff(MODULE.TIMES)) == {4}
    assert np.abs(MODULE.PRESENT["gradients"]).max() == 1  # the clipping norm


def test_the_score_is_the_projection_onto_what_the_record_adds() -> None:
    outputs = np.concatenate([np.arange(32.0).reshape(2, 16), np.full((2, 16), 0.5)], axis=1)
    assert MODULE.projection(outputs, None, None).tolist() == [60.0, 188.0]


def test_without_opake_nothing_is_run_and_the_install_line_is_given(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.delenv(VARIABLE, raising=False)
    if MODULE.LIBRARY.installed():
        pytest.skip("this Python has opake itself")
    verdict = AUDITS.audited("opake/one-band")
    assert verdict.outcome is Outcome.NOT_RUN
    assert "pip install opake==0.16.1 opake-dpftrl==0.16.1" in verdict.evidence[0].detail
    assert VARIABLE in verdict.evidence[0].detail


@pytest.mark.parametrize(("sigma", "outcome"), [(4.0, Outcome.CONSISTENT), (1.6, Outcome.REFUTED)])
def test_a_stand_in_is_judged_by_its_noise(
    sigma: float, outcome: Outcome, monkeypatch: pytest.MonkeyPatch, tmp_path: object
) -> None:
    """Noise of 4 on four steps is mu 1/2, as is claimed; seeds are fixed."""
    monkeypatch.setenv(VARIABLE, stand_in(tmp_path, STAND_IN.format(sigma=sigma)))  # type: ignore[arg-type]
    assert AUDITS.audited("opake/one-band").outcome is outcome


def test_opake_itself_has_the_noise_of_two_steps_that_differ() -> None:
    if not os.environ.get(VARIABLE) and not MODULE.LIBRARY.installed():
        pytest.skip(f"opake is not installed, and {VARIABLE} names no Python that has it")
    from dpaudit.noise.stream import Stream, Trials

    carrier = AUDITS.loaded("opake/band-mf").carrier
    found = carrier.run(MODULE.PRESENT, Trials(Stream(1, "noise"), np.arange(40)))
    assert found.shape == (40, 32)
    assert np.unique(found[:, :16]).size == 40 * 16
    assert np.ptp(found[:, 16:], axis=0).max() == 0


def test_the_report_names_every_target_with_its_outcome_and_the_records_agree() -> None:
    AUDITS.check_report()
