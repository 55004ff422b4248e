"""The lines of the checker that a certificate rests on: each function that it enters, once, and what loading needs."""

from __future__ import annotations

import json
from pathlib import Path

import pytest
import trusted_lines
from trusted_lines import AT_LOADING, CHECKER, ROOT, entered, grown, lines, sizes

SHIPPED = min((ROOT / "proofs").glob("*/certificates/*.json"))


def blank_free(module: str) -> int:
    return sum(bool(line.strip()) for line in (CHECKER / module).read_text(encoding="utf-8").splitlines())


def test_all_functions_of_a_module_and_what_is_outside_are_the_module() -> None:
    outside, spans = sizes("check.py")
    assert 0 < outside < blank_free("check.py")
    assert lines({("check.py", first) for first in spans}) == blank_free("check.py")


def test_a_function_counts_once_and_a_module_brings_what_it_needs_to_be_loaded(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setattr(trusted_lines, "AT_LOADING", set())
    outside, spans = sizes("check.py")
    (first, last), *_ = sorted(spans.values())
    text = (CHECKER / "check.py").read_text(encoding="utf-8").splitlines()
    alone = outside + sum(bool(line.strip()) for line in text[first - 1 : last])
    assert lines({("check.py", first)}) == lines({("check.py", first), ("check.py", first + 1)}) == alone
    monkeypatch.setattr(trusted_lines, "AT_LOADING", {("check.py", other) for other in spans})
    assert lines({("check.py", first)}) == blank_free("check.py")


def test_a_certificate_enters_the_checker_and_no_more_than_all_of_it() -> None:
    found = entered(SHIPPED)
    assert {"check.py", "goals.py", "proof.py"} <= {module for module, _ in found}
    assert AT_LOADING
    everything = sum(blank_free(path.relative_to(CHECKER).as_posix()) for path in CHECKER.rglob("*.py"))
    assert 500 < lines(found) < everything


def test_what_is_not_accepted_is_not_counted(tmp_path: Path) -> None:
    data = json.loads(SHIPPED.read_text(encoding="utf-8"))
    (tmp_path / "changed.json").write_text(json.dumps(data | {"claim": "toy/LEM-1"}), encoding="utf-8")
    with pytest.raises(SystemExit, match="is not accepted"):
        entered(tmp_path / "changed.json")


def test_certificates_are_counted_where_they_enter_nothing_else() -> None:
    found = {Path("a"): {("check.py", 1)}, Path("b"): {("check.py", 1), ("boxes.py", 1)}}
    rows = grown(found, ["check.py", "boxes.py"])
    assert [row["certificates"] for row in rows] == [2, 1]
    assert [row["within_so_far"] for row in rows] == [1, 2]
    assert rows[1]["lines_so_far"] == blank_free("check.py") + blank_free("boxes.py")
