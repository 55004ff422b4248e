"""The expression of -k: what it chooses, and what it says when it chooses nothing."""

from __future__ import annotations

from pathlib import Path

import pytest
from small_content import claim_text, target_text, write

from dpaudit.records.errors import ConfigurationError
from dpaudit.records.verdict import Kind
from dpaudit.runs import commands
from dpaudit.runs.keyword import chooser, refuse_nothing
from dpaudit.runs.plan import make_plan
from dpaudit.runs.settings import Part, Settings

NAMES = ("rbcd/LEM-2", "rbcd/THM-4.1", "srm/THM-5", "opacus/adam")


@pytest.mark.parametrize(
    ("expression", "chosen"),
    [
        ("THM", (1, 2)),
        ("thm", (1, 2)),
        ("rbcd and THM", (1,)),
        ("rbcd THM", (1,)),
        ("opacus or LEM", (0, 3)),
        ("not rbcd", (2, 3)),
        ("not (rbcd or srm)", (3,)),
        ("srm or rbcd and LEM", (0, 2)),
        ("(srm or rbcd) and LEM", (0,)),
        ("4.1", (1,)),
    ],
)
def test_words_choose_by_parts_of_names(expression: str, chosen: tuple[int, ...]) -> None:
    wanted = chooser(expression)
    assert [name for name in NAMES if wanted(name)] == [NAMES[place] for place in chosen]


@pytest.mark.parametrize(
    ("expression", "why"),
    [
        ("a or", "a word is missing at the end"),
        ("and a", "a word is missing before 'and'"),
        ("(a", "a bracket is not closed"),
        ("a)", "')' is one too many"),
        ("not", "a word is missing at the end"),
        ("()", "a word is missing before ')'"),
    ],
)
def test_what_cannot_be_read_is_refused(expression: str, why: str) -> None:
    with pytest.raises(ConfigurationError) as caught:
        chooser(expression)
    assert why in str(caught.value)


@pytest.mark.parametrize(
    ("expression", "message"),
    [
        ("opacsu", "no name holds 'opacsu'; did you mean 'opacus'?"),
        ("rbcd and THM-4.2", "no name holds 'THM-4.2'; did you mean 'THM-4.1'?"),
        ("rbcd and opacus", "no name holds what it asks for at once"),
    ],
)
def test_nothing_chosen_names_the_word_that_no_name_holds(expression: str, message: str) -> None:
    said = str(refuse_nothing(expression, NAMES))
    assert said.startswith(f"-k {expression!r} chooses none of 4 items: {message}")


def test_a_plan_has_what_is_chosen_and_its_controls(workdir: Path) -> None:
    for name in ("one", "two"):
        write(workdir / "proofs" / "toy" / f"{name}.py", claim_text(f"toy/{name}"))
        write(workdir / "audits" / f"{name}.py", target_text(f"toy/{name}"))
    settings = Settings("run", (Part.VERIFY, Part.AUDIT), isolate=False, keyword="two")
    plan = make_plan(settings)
    assert [task.name for task in plan.tasks[:2]] == ["toy/two", "toy/two"]
    assert {task.kind for task in plan.tasks[2:]} == {Kind.CONTROL}, "controls join as always"
    assert "-k two" in commands.command_line(settings)
    with pytest.raises(ConfigurationError, match="chooses none of 4 items: no name holds 'tow'"):
        make_plan(Settings("run", (Part.VERIFY, Part.AUDIT), isolate=False, keyword="tow"))
