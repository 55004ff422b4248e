"""The judge accepts a checked certificate of exactly what is asked, on grounds that are allowed, and nothing else."""

from __future__ import annotations

import json
import re
from pathlib import Path

import pytest
from open_claims import papers, places

from dpaudit.claims.argument.nodes import as_data
from dpaudit.claims.certificates import certificate
from dpaudit.claims.challenges import answers, folder
from dpaudit.claims.challenges.answers import Judgement, judge
from dpaudit.claims.challenges.unsettled import find
from dpaudit.claims.citations import items_of
from dpaudit.recheck.check import digest
from dpaudit.records.errors import ConfigurationError

STEP, CONSTANT = "toy/LEM-1/s1", "toy/LEM-1~best-height"


def answered(tmp_path: Path, name: str, *changes: tuple[str, str]) -> Judgement:
    """The judgement of the file to start from, with these changes."""
    asked = find(name, papers(tmp_path))
    file = folder.write(asked, tmp_path / "it", 2026) / "answer" / folder.ANSWER
    text = file.read_text(encoding="utf-8")
    for old, new in changes:
        assert text.count(old) == 1
        text = text.replace(old, new)
    file.write_text(text, encoding="utf-8")
    return judge(file, asked, places(tmp_path))


PROVED = ("argument=(),", "argument=(Boxes(),),")
BY_HAND = 'argument=(Combine(terms=(("x", "x <= 1"),)),),'


def test_a_proof_is_accepted(tmp_path: Path) -> None:
    assert answered(tmp_path, STEP, ("argument=(),", BY_HAND)) == Judgement(STEP, "", "PROVED")


@pytest.mark.deep
def test_a_better_constant_is_accepted_with_its_value(tmp_path: Path) -> None:
    found = answered(tmp_path, CONSTANT, PROVED, ("(2/5)", "(3/10)"))
    assert found == Judgement(CONSTANT, "", "PROVED", "3/10")


@pytest.mark.deep
def test_a_larger_value_that_fails_is_accepted_too(tmp_path: Path) -> None:
    refuted = ("argument=(),", 'expects=Outcome.REFUTED, candidates=(point("x=1/2"),), finding="it fails",')
    found = answered(tmp_path, CONSTANT, refuted, ("(2/5)", "(6/25)"))
    assert found == Judgement(CONSTANT, "", "REFUTED", "6/25")


@pytest.mark.deep(keep=2)
@pytest.mark.parametrize(
    ("name", "changes", "reason"),
    [
        (STEP, [("'[0, 1]'", "'[0, 1/2]'")], "symbols: .* is asked"),
        (STEP, [("'x**2 <= x'", "'x**2 <= 2*x'")], r"goal: 'x\*\*2 <= 2\*x', where 'x\*\*2 <= x' is asked"),
        (STEP, [("        ),\n    ),\n    arg", "        ),\n        ('x <= 1/2',),\n    ),\n    arg")], "conditions"),
        (CONSTANT, [PROVED], "2/5 is not between 2/5 and 1/5"),
        (CONSTANT, [PROVED, ("(2/5)", "(1/2)")], "1/2 is not between"),
        (CONSTANT, [PROVED, ("x*(1 - x) <= (2/5)", "x*(1 - x)/2 <= (3/10)")], "its relation is not"),
        (CONSTANT, [PROVED, ("(2/5)", "(3/10)*(5)")], "goal: "),
        (STEP, [("statement=", "statement=nothing(")], "it leaves no certificate: "),
    ],
)
def test_another_statement_and_no_news_are_refused(
    name: str, changes: list[tuple[str, str]], reason: str, tmp_path: Path
) -> None:
    found = answered(tmp_path, name, *changes)
    assert found.outcome == ""
    assert re.search(reason, found.reason), found.reason


@pytest.mark.parametrize(
    ("cited", "reason"),
    [
        (STEP, "which is consistent"),
        ("toy/LEM-1/s2", "which is or rests on what is asked"),
        ("toy/LEM-9", "which is no statement of the papers as they read now"),
    ],
)
def test_what_is_asked_may_not_be_its_own_ground(cited: str, reason: str, tmp_path: Path) -> None:
    """An answer has an id of its own, under which nothing forbids it to cite what is asked."""
    asked = find(STEP, papers(tmp_path))
    item = items_of(asked.claim).get(cited, asked.claim)
    assert item.statement is not None
    assert reason in answers._unsound({cited: as_data(item.statement)}, asked)
    assert answers._unsound({"toy/LEM-1": as_data(asked.claim.statement)}, asked) == ""  # type: ignore[arg-type]


def test_a_certificate_is_judged_as_it_is_and_a_changed_one_refused(tmp_path: Path) -> None:
    asked = find(STEP, papers(tmp_path))
    answer = folder.write(asked, tmp_path / "it", 2026) / "answer" / folder.ANSWER
    answer.write_text(answer.read_text(encoding="utf-8").replace("argument=(),", BY_HAND), encoding="utf-8")
    with places(tmp_path)() as place:
        found = answers._certificates(answer, place, 600)
    assert not isinstance(found, str)
    [file] = found
    assert judge(file, asked, places(tmp_path)).outcome == "PROVED"
    data = json.loads(file.read_text(encoding="utf-8"))
    data["statement"]["goal"] = "x**2 <= x**3"
    changed = tmp_path / "changed.json"
    changed.write_text(json.dumps(data), encoding="utf-8")
    assert "the checker refuses it" in judge(changed, asked, places(tmp_path)).reason


@pytest.mark.parametrize(
    ("node", "assuming", "reason"),
    [
        ({"by": "solvers", "engines": ["z3", "cvc5"]}, [], "1 of its goals rest on the word of solvers"),
        ({"by": "theorem", "theorem": "jensen"}, ["jensen"], "it assumes jensen: a theorem by its name alone"),
    ],
)
def test_the_word_of_somebody_is_no_proof(
    node: dict[str, object], assuming: list[str], reason: str, tmp_path: Path
) -> None:
    """Anybody may write a certificate of one node that says so, of any statement."""
    asked = find(STEP, papers(tmp_path))
    data = certificate.by_witness("answer/ANSWER", asked.statement, (), "0" * 64)
    del data["digest"]
    data |= {"outcome": "PROVED", "proof": node, "assuming": assuming}
    file = tmp_path / "forged.json"
    file.write_text(json.dumps(data | {"digest": digest(data)}), encoding="utf-8")
    [checked] = certificate.recheck([file])
    assert checked.reason == "", "the checker counts it apart"
    assert reason in judge(file, asked, places(tmp_path)).reason


def test_a_file_that_is_neither_is_said(tmp_path: Path) -> None:
    asked = find(STEP, papers(tmp_path))
    for name in ("answer.v", "absent.py", "absent.json"):
        with pytest.raises(ConfigurationError, match=name):
            judge(tmp_path / name, asked, places(tmp_path))
    with pytest.raises(ConfigurationError, match="--value is for Coq files"):
        judge(tmp_path / "absent.json", asked, places(tmp_path), "1/2")
