"""A name that two files give stops nobody else."""

from __future__ import annotations

from collections.abc import Callable

import pytest
from loaded_plugin import audited, content, outcomes, verdicts, warm  # noqa: F401  fixtures
from small_content import claim_text, target_text

pytest_plugins = ["pytester"]
Audit = Callable[..., pytest.RunResult]


def test_a_target_with_the_name_of_another_is_an_error_of_its_file(audit: Audit) -> None:
    content(one=target_text(), two=target_text(), three=target_text("toy/third"))
    result = audit("audits")
    assert outcomes(result) == {"toy/sum": "passed", "audits/two": "failed", "toy/third": "passed"}
    said = "audits/two.py: 'toy/sum' is also in audits/one.py; rename one"
    assert verdicts()["audits/two"].evidence[0].detail.endswith(said)
    result.stdout.fnmatch_lines([f"*{said}*"])


def test_names_that_make_one_file_are_one_name(audit: Audit) -> None:
    content(one=target_text("toy/sum"), two=target_text("Toy_sum"))
    assert outcomes(audit("audits")) == {"toy/sum": "passed", "audits/two": "failed"}


def test_of_two_claims_with_one_name_neither_counts(audit: Audit) -> None:
    content(lem_one=claim_text(), lem_two=claim_text(), lem_three=claim_text("toy/LEM-3"))
    found = outcomes(audit("proofs"))
    assert {found.pop(name) for name in [*found] if name.startswith("toy/LEM-1") or name == "proofs/toy/lem_two"} == {
        "failed"
    }
    assert found
    assert set(found.values()) == {"passed"}


def test_a_name_that_stands_for_another_file_ends_the_session(audit: Audit) -> None:
    """Nothing is left to call that file: better no session than one that passes it over."""
    content(one=target_text(), a=target_text("audits/two"), two=target_text())
    result = audit("audits")
    assert result.ret == pytest.ExitCode.INTERRUPTED
    result.stdout.fnmatch_lines(["*audits/two.py: * is also in audits/*; rename one"])
