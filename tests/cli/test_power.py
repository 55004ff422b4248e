"""The command `power`."""

from __future__ import annotations

import json

import pytest
from command_line import dpaudit


def invoke(*words: str) -> tuple[int, str]:
    found = dpaudit("power", *words)
    return found.exit_code, found.output


def test_rows_as_text_with_their_names() -> None:
    code, text = invoke("null/constant")
    assert code == 0
    assert text.splitlines()[0].split() == [
        "target",
        "violation",
        "epsilon",
        "trials_per_side",
        "seconds",
        "level",
        "alpha",
    ]
    assert text.count("null/constant") == 3


def test_rows_as_json_at_the_share_of_the_audit_that_would_follow() -> None:
    flags = ("--format", "json", "--epsilon", "6", "--alpha", "0.01", "--no-controls")
    code, text = invoke("dpaudit/gaussian-mechanism", *flags)
    [row] = json.loads(text)
    assert code == 0
    assert (row["target"], row["epsilon"], row["alpha"]) == ("dpaudit/gaussian-mechanism", 6.0, 0.01)
    assert 400 <= row["trials_per_side"] < 1_000


@pytest.mark.deep
def test_two_targets_share_the_error_budget() -> None:
    """Each needs the trials that it needs alone at its share."""
    flags = ("--format", "json", "--epsilon", "6", "--no-controls", "--alpha")
    together = json.loads(invoke("dpaudit/gaussian-mechanism", "null/constant", *flags, "0.02")[1])[0]
    share = together["alpha"]
    alone, more = (json.loads(invoke("dpaudit/gaussian-mechanism", *flags, str(a))[1])[0] for a in (share, 0.02))
    assert share < 0.02
    assert together["trials_per_side"] == alone["trials_per_side"] > more["trials_per_side"]


@pytest.mark.parametrize(
    ("words", "reason"),
    [(("nothing/here",), "unknown target"), (("rbcd/dp-skgd", "--epsilon", "2"), "is no violation"), ((), "Missing")],
)
def test_wrong_arguments(words: tuple[str, ...], reason: str) -> None:
    code, text = invoke(*words)
    assert code == 2
    assert reason in text
