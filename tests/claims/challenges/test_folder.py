"""A challenge as a folder: the file to start from states exactly what is asked."""

from __future__ import annotations

import json
from datetime import date
from pathlib import Path

import pytest
from open_claims import papers

from dpaudit.claims import writing
from dpaudit.claims.argument.nodes import as_data
from dpaudit.claims.challenges import folder, holders
from dpaudit.claims.challenges.unsettled import find, unsettled
from dpaudit.content.apart import load_claims
from dpaudit.content.items import Loaded
from dpaudit.records.claim import (
    Statement,
    constant,
    gaussian,
    integer,
    real,
    sequence,
    vector,
    vector_sequence,
)
from dpaudit.records.errors import ConfigurationError


def test_the_files_of_a_challenge(tmp_path: Path) -> None:
    asked = find("toy/LEM-1/s1", papers(tmp_path))
    made = folder.write(asked, tmp_path / "it", 2026)
    assert {p.relative_to(made).as_posix() for p in made.rglob("*") if p.is_file()} == {
        "README.md", "challenge.json", "answer/paper.toml", "answer/answer.py",
        "coq/Asked.v", "coq/Support.v", "coq/answer.v",
    }  # fmt: skip
    assert json.loads((made / "challenge.json").read_text()) == {
        "id": asked.name,
        "statement": as_data(asked.statement),
    }
    text = (made / "README.md").read_text(encoding="utf-8")
    for words in ("nobody knows", "Lemma 1", "the statement is consistent", "x**2 <= x", "--challenge toy/LEM-1/s1"):
        assert words in text
    [item] = load_claims([made / "answer"])
    assert isinstance(item, Loaded)
    assert item.record.statement is not None
    assert as_data(item.record.statement) == as_data(asked.statement)
    with pytest.raises(ConfigurationError, match="exists; --into names another"):
        folder.write(asked, made, 2026)


def test_of_a_constant_the_file_states_the_value_that_is_proved(tmp_path: Path) -> None:
    asked = find("toy/LEM-1~best-height", papers(tmp_path))
    assert "'x*(1 - x) <= (2/5)'" in folder.starter(asked)
    assert "`x*(1 - x) <= {c}`" in folder.readme(asked)
    assert "* 2/5 is proved\n* 1/5 is refuted\n" in folder.readme(asked)
    (asked.file.parent / holders.FILE).write_text(holders.entry(asked.name, "proved", "2/5", date(2026, 11, 28)))
    assert "* 2/5 is proved (your name, 2026-11-28)\n* 1/5 is refuted\n" in folder.readme(asked)


STATEMENTS = [
    Statement("x <= y", (real("x", "(0, oo)"), integer("y", "[1, oo)"))),
    Statement("dot(x, g) <= a[0]", (vector("x"), gaussian("g"), sequence("a", "[0, 1]")), ("0 <= a[1]",)),
    Statement("x <= C", (constant("C", "(0, oo)"), real("x", "[0, 1]"), vector_sequence("w")), ("x <= 1", "0 <= x")),
    Statement("x**2 <= 0", (real("x"),), (), True),
    Statement("1 <= 2", ()),
]


@pytest.mark.parametrize("statement", STATEMENTS, ids=range(len(STATEMENTS)))
def test_a_statement_is_written_so_that_it_reads_back(statement: Statement) -> None:
    made = eval(folder.written(statement), vars(writing))
    assert as_data(made) == as_data(statement)


@pytest.mark.deep
def test_every_statement_of_the_package_that_is_open_reads_back() -> None:
    for asked in unsettled():
        assert as_data(eval(folder.written(asked.statement), vars(writing))) == as_data(asked.statement), asked.name
