"""The fixture `dp_audit` audits inside a test, with or without the flag."""

from __future__ import annotations

from pathlib import Path

import pytest
from loaded_plugin import LOADED

pytest_plugins = ["pytester"]

FIXTURE_TEST = """
import numpy as np
import pytest
from dpaudit.testing import NotPrivate

PAIR = (np.ones(4), np.ones(3))

def release(data, trials):
    return data.sum() + {scale} * trials.stream.normals(trials.numbers, 0, 1)[:, 0]

def test_release(dp_audit, tmp_path):
    first = dp_audit(release, PAIR, mu=1.0, batched=True, trials=4000)
    second = dp_audit(release, PAIR, mu=1.0, batched=True, trials=4000)
    assert (first.id, second.id) == ("test_release", "test_release-2")
    assert first.numbers != second.numbers
    assert first.seed == {seed}
    assert len(list((tmp_path / "scores").iterdir())) == 2
"""


def test_the_fixture_audits_without_the_flag(pytester: pytest.Pytester) -> None:
    pytester.makepyfile(FIXTURE_TEST.format(scale=1.0, seed=0))
    pytester.runpytest(*LOADED, "--junitxml", "found.xml").assert_outcomes(passed=1)
    assert Path("found.xml").read_text().count('<property name="dpaudit_outcome" value="CONSISTENT"') == 2


def test_the_fixture_takes_its_seed_from_the_command_line(pytester: pytest.Pytester) -> None:
    pytester.makepyfile(FIXTURE_TEST.format(scale=1.0, seed=7))
    pytester.runpytest(*LOADED, "--dpaudit-seed", "7").assert_outcomes(passed=1)


def test_a_refuted_release_fails_its_test_in_words(pytester: pytest.Pytester) -> None:
    pytester.makepyfile(FIXTURE_TEST.format(scale=0.4, seed=0))
    result = pytester.runpytest(*LOADED, "--junitxml", "found.xml")
    result.assert_outcomes(failed=1)
    result.stdout.fnmatch_lines(["*NotPrivate: test_release is refuted: epsilon is at least*"])
    assert "guarantees.py" not in result.stdout.str(), "the failure is shown at the line of the test"
    assert '<property name="dpaudit_outcome" value="REFUTED"' in Path("found.xml").read_text()
