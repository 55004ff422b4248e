"""Where dpaudit reads what others wrote: kept inputs end as their readers promise, and a short fuzzing finds no other.

`benchmarks/boundaries.py` fuzzes for longer, and says which inputs are kept.
"""

from __future__ import annotations

import hashlib
import importlib.util
import json
import tomllib
from collections import Counter
from pathlib import Path
from random import Random
from typing import Any

import boundaries
import fuzz_statements
import pytest
import tree_mutations
from fuzz_boundaries import BOUNDARIES, outcome
from fuzz_files import CORPUS, Wrong
from fuzzed_modules import MODULES

from dpaudit.audit.sandbox import remote_target, wire
from dpaudit.claims.language import expression
from dpaudit.recheck.signs import Context
from dpaudit.records import documents

RUNS = {"wire": 15_000, "session": 2_500, "plan": 2_500, "readers": 2_000, "expressions": 6_000, "recheck": 700}
"""Inputs that are tried for each change; the seed is fixed, so that they are the same ones each time."""
each = pytest.mark.parametrize("name", BOUNDARIES)
fuzzed = pytest.mark.skipif(importlib.util.find_spec("atheris") is None, reason="needs the extra fuzz")


def inputs(name: str) -> list[bytes]:
    """The kept inputs of a boundary."""
    return [path.read_bytes() for path in sorted((CORPUS / name).iterdir())]


def first(name: str, begins: bytes) -> bytes:
    """The first kept input that begins with these bytes and is read."""
    found = (data for data in inputs(name) if data.startswith(begins))
    return next(data for data in found if outcome(BOUNDARIES[name], data) == "read")


# Kept inputs. ---------------------------------------------------------------------------------------


@each
def test_kept_inputs_end_as_their_reader_promises(name: str) -> None:
    found = Counter(outcome(BOUNDARIES[name], data) for data in inputs(name))
    assert len(found) > 1, "all end alike"
    assert found.total() >= 10


def test_the_corpus_is_small_and_every_input_has_the_name_of_its_digest() -> None:
    files = [path for name in BOUNDARIES for path in (CORPUS / name).iterdir()]
    assert [path for path in files if path.name != hashlib.sha256(path.read_bytes()).hexdigest()[:16]] == []
    assert len(files) <= len(BOUNDARIES) * boundaries.MOST_KEPT
    assert sum(path.stat().st_size for path in CORPUS.rglob("*") if path.is_file()) < 1 << 20
    assert {path.name for path in CORPUS.iterdir()} == {*BOUNDARIES, "_base"}


def test_every_boundary_says_what_is_counted() -> None:
    assert set(MODULES) == set(BOUNDARIES)
    for module in {module for modules in MODULES.values() for module in modules}:
        assert importlib.util.find_spec(module) is not None, module


# Fuzzing. -------------------------------------------------------------------------------------------


def fuzz(name: str, runs: int, folder: Path) -> dict[str, Any]:
    """A short fuzzing of a boundary in a process of its own."""
    (folder / "corpus").mkdir()
    return boundaries.fuzz(name, 0, runs, folder / "found", folder / "corpus", boundaries.SEED)


@fuzzed
@each
def test_a_short_fuzzing_finds_nothing(name: str, tmp_path: Path) -> None:
    row = fuzz(name, RUNS[name], tmp_path)
    assert row["defects"] == 0, {path.name: path.read_bytes()[:500] for path in (tmp_path / "found").iterdir()}
    assert row["executions"] >= RUNS[name]
    assert row["branches"] > 50


@fuzzed
@pytest.mark.deep
def test_the_same_inputs_are_tried_each_time(tmp_path: Path) -> None:
    rows = []
    for place in ("first", "second"):
        (tmp_path / place).mkdir()
        rows.append(fuzz("wire", 2_000, tmp_path / place))
    assert [row | {"seconds": 0} for row in rows[:1]] == [row | {"seconds": 0} for row in rows[1:]]


def test_the_record_is_of_every_boundary_and_names_no_defect() -> None:
    record = json.loads(boundaries.FILE.read_text(encoding="utf-8"))
    assert list(record["rows"]) == list(BOUNDARIES)
    for row in record["rows"].values():
        assert row["seconds"] >= 600
        assert row["defects"] == 0
        assert row["executions"] > 1_000


# What is broken is seen. ----------------------------------------------------------------------------


def test_other_errors_of_a_reader_are_seen(monkeypatch: pytest.MonkeyPatch) -> None:
    """Of each reader a part that refuses is gone."""
    broken = (
        ("wire", wire, "_shapes", lambda kinds, most: [(kind, tuple(shape)) for kind, shape in kinds],
         b'{"value":{"array":0},"arrays":[["nothing",[1]]]}\n'),
        ("session", remote_target, "_field", lambda answer, name: answer[name],
         b'n{"value":{"dict":{"number":1}},"arrays":[]}\n'),
        ("readers", documents, "parse_toml", lambda text, where, refuse: tomllib.loads(text), b"B a = "),
    )  # fmt: skip
    for name, module, part, other, data in broken:
        assert outcome(BOUNDARIES[name], data) != "read"
        monkeypatch.setattr(module, part, other)
        with pytest.raises((TypeError, KeyError, ValueError)):
            outcome(BOUNDARIES[name], data)
        monkeypatch.undo()


def test_a_certificate_that_is_accepted_and_proves_what_is_false_is_wrong(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(fuzz_statements, "examine", lambda path: {"accepted": True, "assuming": [], "solvers": 0})
    symbols = [["x", "real", "[0, 1]"]]
    said = {"symbols": symbols, "conditions": [], "goal": "x <= 1/100", "exists": False}
    data = {"claim": "toy/LEM-1", "statement": said, "outcome": "PROVED"}
    with pytest.raises(Wrong, match="fails at"):
        outcome(BOUNDARIES["recheck"], b" " + json.dumps(data).encode())
    true = data | {"statement": said | {"goal": "x <= 1"}}
    assert outcome(BOUNDARIES["recheck"], b" " + json.dumps(true).encode()) == "read"
    shipped = json.loads(first("recheck", b"=")[1:])
    shipped["outcome"] = {"PROVED": "REFUTED", "REFUTED": "PROVED"}[shipped["outcome"]]
    with pytest.raises(Wrong, match="by the certificate that ships"):
        outcome(BOUNDARIES["recheck"], b" " + json.dumps(shipped).encode())


def test_a_checker_that_shows_no_side_goal_proves_what_is_false(monkeypatch: pytest.MonkeyPatch) -> None:
    """What a certificate says of itself is put right, so that a change of its statement comes to the rules."""
    data = json.loads(first("recheck", b'={"format":3,"claim":"resque/PROP-7/moments')[1:])
    assert data["statement"]["conditions"]
    data["statement"]["conditions"] = []
    assert outcome(BOUNDARIES["recheck"], b"=" + json.dumps(data).encode()) == "Refused"
    monkeypatch.setattr(Context, "shown", lambda context, given: True)
    with pytest.raises(Wrong, match="is proved and fails at"):
        outcome(BOUNDARIES["recheck"], b"=" + json.dumps(data).encode())


def test_two_values_of_one_text_are_wrong(monkeypatch: pytest.MonkeyPatch) -> None:
    data = b"tx - 2*y - 1"
    assert outcome(BOUNDARIES["expressions"], data) == "read"
    monkeypatch.setattr(expression, "_show", lambda expr, outer: "x - 2*(y - 1)")
    with pytest.raises(Wrong, match="its print"):
        outcome(BOUNDARIES["expressions"], data)
    monkeypatch.undo()
    term = fuzz_statements.terms.term
    reads = (expression.parse, lambda text: term("x"))
    monkeypatch.setitem(fuzz_statements.READS, b"t", reads)
    with pytest.raises(Wrong, match="the checker says"):
        outcome(BOUNDARIES["expressions"], b"tx - 1")


# Changes of JSON. -----------------------------------------------------------------------------------


def test_changed_json_is_json_and_another_one() -> None:
    data = first("readers", b"R=")[2:]
    made = [tree_mutations.changed(data, Random(seed), ("type", "Verdict")) for seed in range(300)]
    read = [json.loads(one) for one in made if one is not None]
    assert len(read) > 250
    assert sum(one != json.loads(data) for one in read) > 200
    assert made == [tree_mutations.changed(data, Random(seed), ("type", "Verdict")) for seed in range(300)]


def test_what_is_no_json_is_left_to_others() -> None:
    assert tree_mutations.changed(b"\xff{", Random(1)) is None
    assert tree_mutations.changed(b"[" * 5_000, Random(1)) is None


def test_what_stands_behind_the_first_line_stays() -> None:
    made = [tree_mutations.changed(b'{"a": 1}\nbytes', Random(seed)) for seed in range(20)]
    assert all(one is None or one.endswith(b"\nbytes") for one in made)
