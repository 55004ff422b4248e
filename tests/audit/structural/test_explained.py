"""The words of the structural checks, and which of them a user leaves out."""

from __future__ import annotations

import pytest

from dpaudit.audit.structural.examine import every_check
from dpaudit.audit.structural.explained import CONTROL, SHARES, Explanation, explanations, labelled, left_out, named
from dpaudit.records.errors import ConfigurationError, UnknownNameError

NAMES = [check.NAME for check in every_check()]


def test_every_check_is_explained_in_its_order() -> None:
    assert [one.name for one in explanations()] == NAMES
    assert NAMES[0] == CONTROL


@pytest.mark.parametrize("explained", explanations(), ids=lambda one: one.code)
def test_an_explanation_asks_a_question_and_says_how_an_exception_is_declared(explained: Explanation) -> None:
    assert "?" in explained.question
    assert " " not in explained.code
    assert explained.exception.endswith(".")
    assert "Sees: " in explained.text
    assert "Cannot see: " in explained.text
    share, _, how = explained.false_alarm.partition(". ")
    assert share in SHARES.values()
    assert how.endswith(".")
    assert how not in explained.text


def test_a_paragraph_with_a_label_is_taken_out_with_the_block_below_it() -> None:
    words = "One: of no label.\n\nSees: noise,\ntwice.\n\n    a block\n\nMore.\n\nUses: x."
    assert labelled(words, ("Sees", "Uses")) == (
        "One: of no label.\n\nMore.", {"Sees": "noise,\ntwice.\n\n    a block", "Uses": "x."}
    )  # fmt: skip


def test_a_check_has_two_names() -> None:
    assert named("un-noised outputs") is named("un-noised-outputs")
    with pytest.raises(UnknownNameError, match="did you mean 'sensitivity'"):
        named("sensitvity")


def test_what_is_ignored_is_left_out_and_what_is_selected_is_made_alone() -> None:
    assert left_out((), ()) == ()
    assert left_out((), ("noise-law", "sampler")) == ("noise law", "sampler")
    assert set(left_out(("sensitivity",), ())) == set(NAMES) - {"sensitivity", CONTROL}
    assert left_out((CONTROL,), ()) == tuple(name for name in NAMES if name != CONTROL)


@pytest.mark.parametrize(
    ("select", "ignore", "words"),
    [((), (CONTROL,), "cannot be ignored"), (("sampler",), ("sampler",), "both selected and ignored")],
)
def test_a_choice_that_makes_no_sense_is_refused(select: tuple[str, ...], ignore: tuple[str, ...], words: str) -> None:
    with pytest.raises(ConfigurationError, match=words):
        left_out(select, ignore)
