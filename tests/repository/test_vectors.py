"""Every file of test vectors says where its values come from, and is listed in the README beside it."""

from __future__ import annotations

import json
from fractions import Fraction
from pathlib import Path
from typing import Any

import pytest

FOLDER = Path(__file__).parents[1] / "vectors"
FILES = sorted(FOLDER.glob("*.json"))


@pytest.mark.parametrize("path", FILES, ids=lambda p: p.stem)
def test_a_file_has_a_source_a_reason_and_cases(path: Path) -> None:
    content = json.loads(path.read_text(encoding="utf-8"))
    for name in ("source", "reason"):
        assert len(content[name]) > 20, name
    assert any(isinstance(value, list | dict) and value for name, value in content.items())


def test_the_readme_lists_all_files() -> None:
    text = (FOLDER / "README.md").read_text(encoding="utf-8")
    assert [path.name for path in FILES if f"`{path.name}`" not in text] == []


def numbers(value: Any) -> list[str]:
    """All texts that look like a rational."""
    if isinstance(value, dict):
        return [text for part in value.values() for text in numbers(part)]
    if isinstance(value, list):
        return [text for part in value for text in numbers(part)]
    return [value] if isinstance(value, str) and value.replace("-", "").replace("/", "").isdigit() else []


def test_rationals_are_in_lowest_terms() -> None:
    """So that implementers may compare texts."""
    content = json.loads((FOLDER / "srgd_trajectories.json").read_text(encoding="utf-8"))
    found = numbers(content)
    assert len(found) > 50
    assert [text for text in found if str(Fraction(text)) != text] == []
