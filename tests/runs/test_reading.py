"""Damaged run folders are named by file and line; text of records is made fit for a page."""

from __future__ import annotations

import json
import re
from dataclasses import replace
from pathlib import Path

import pytest
import run_folder

from dpaudit.records.digests import sha256, with_digest, without_digest
from dpaudit.records.errors import ContentError
from dpaudit.records.verdict import Kind, Outcome
from dpaudit.report.page.render import write_report
from dpaudit.report.wording import MAX_TEXT, clean, plain
from dpaudit.runs.reading import load_run


def test_a_long_text_is_cut_and_says_so() -> None:
    assert clean("a" * (MAX_TEXT + 7)).endswith("[7 more characters in records.jsonl]")
    assert clean("\ud800\x1b[31m") == "\\ud800\\u001b[31m"


def test_nested_json_becomes_dotted_lines() -> None:
    data = {"a": {"b": 1, "c": None}, "d": [1, 2], "e": [{"f": "x"}], "g": {}}
    assert plain(data) == [("a.b", "1"), ("a.c", "none"), ("d", "1, 2"), ("e[0].f", "x"), ("g", "none")]


@pytest.mark.parametrize(
    ("damage", "words"),
    [
        (lambda lines: [*lines[:3], lines[3][:40]], r"records\.jsonl, line 4: not valid JSON"),
        (lambda lines: [*lines, lines[0]], r"records\.jsonl, line 23: a second verdict with the id 'rbcd/LEM-2'"),
        (lambda lines: [again(lines[0], '"PROVED"', '"MAYBE"'), *lines[1:]], r"line 1: unknown value of"),
        (
            lambda lines: [lines[0].replace('"PROVED"', '"REFUTED"', 1), *lines[1:]],
            r"line 1: its digest is not that of",
        ),
        (lambda lines: [without_digest(lines[0]), *lines[1:]], r"line 1: its digest is not that of the text"),
        (lambda lines: [again(lines[0], '"PROVED"', '"REFUTED"'), *lines[1:]], r"jsonl: its digest is not the one in"),
        (lambda lines: [lines[1], lines[0], *lines[2:]], r"jsonl: its digest is not the one in run\.json: lines are"),
        (lambda lines: [with_digest('{"type": "Entry"}'), *lines], r"line 1: unknown record type 'Entry'"),
        (lambda lines: ["[]", *lines], r"line 1 must hold a JSON object, got list"),
        (lambda lines: [lines[0].replace('"schema": 1', '"schema": 99'), *lines[1:]], r"line 1: schema 99"),
        (lambda lines: ["", *lines], r"line 1: not valid JSON"),
        (lambda lines: lines[:-1], r"line 21: the file ends here, but run\.json counts 22 verdicts"),
    ],
    ids=["cut", "twice", "outcome", "edited", "bare", "forged", "swapped", "type", "array", "schema", "blank", "lost"],
)
def test_damaged_records_are_named_by_file_and_line(damage, words: str, tmp_path: Path) -> None:
    path = run_folder.write(tmp_path) / "records.jsonl"
    lines = path.read_text(encoding="utf-8").splitlines()
    path.write_text("\n".join(damage(lines)) + "\n", encoding="utf-8")
    with pytest.raises(ContentError, match=words):
        load_run(tmp_path)


def test_strings_may_hold_unicode_line_separators(tmp_path: Path) -> None:
    v = run_folder.verdict("a/B-1", Kind.CLAIM, Outcome.PROVED, title="one\u2028two\x85three")
    assert load_run(run_folder.write(tmp_path, [v])).verdicts == (v,)


def test_bytes_that_are_not_text_are_named_by_line(tmp_path: Path) -> None:
    path = run_folder.write(tmp_path) / "records.jsonl"
    path.write_bytes(path.read_bytes().replace(b"srm/COR-5", b"srm/\xff\xfeCOR", 1))
    with pytest.raises(ContentError, match=r"records\.jsonl, line 9: not UTF-8"):
        load_run(tmp_path)


@pytest.mark.parametrize("name", ["run.json", "records.jsonl", "scores/rbcd_alg-1.json"])
def test_a_missing_file_is_named(name: str, tmp_path: Path) -> None:
    (run_folder.write(tmp_path) / name).unlink()
    with pytest.raises(ContentError, match=re.escape(name) + " is missing"):
        write_report(tmp_path)


def again(line: str, before: str, after: str) -> str:
    """A line with another text, whose digest is right again."""
    return with_digest((without_digest(line) or "").replace(before, after, 1))


@pytest.mark.parametrize("text", ["{}", "[]", "{", '{"false_positive_rate": [2]}'])
def test_a_damaged_scores_file_is_named(text: str, tmp_path: Path) -> None:
    (run_folder.write(tmp_path) / "scores" / "rbcd_alg-1.json").write_text(text, encoding="utf-8")
    with pytest.raises(ContentError, match=r"rbcd_alg-1\.json"):
        write_report(tmp_path)


def test_a_rate_that_is_nan_is_refused(tmp_path: Path) -> None:
    path = run_folder.write(tmp_path) / "scores" / "rbcd_alg-1.json"
    data = json.loads(path.read_text(encoding="utf-8"))
    data["true_positive_rate"][5] = float("nan")
    old, new = path.read_text(encoding="utf-8"), json.dumps(data)
    path.write_text(new, encoding="utf-8")
    with pytest.raises(
        ContentError, match=r"rbcd_alg-1\.json: its digest is not the one that the record of rbcd/alg-1"
    ):
        write_report(tmp_path)
    run_folder.edit(tmp_path / "records.jsonl", lambda line: line.replace(sha256(old), sha256(new)))
    with pytest.raises(ContentError, match=r"rbcd_alg-1\.json: not valid JSON \(NaN is no number of JSON\)"):
        write_report(tmp_path)


def test_an_attachment_outside_of_the_run_folder_is_refused(tmp_path: Path) -> None:
    (tmp_path / "secret.json").write_text("{}", encoding="utf-8")
    v = replace(run_folder.games()[0], attachments=())
    folder = run_folder.write(tmp_path / "run", [v])
    outside = '"attachments": ["scores/../../secret.json"]'
    run_folder.edit(folder / "records.jsonl", lambda line: line.replace('"attachments": []', outside))
    with pytest.raises(ContentError, match="points outside of the folder"):
        write_report(folder)
