"""Characters that show nothing are escapes, and are read as they were."""

from __future__ import annotations

import json

from dpaudit.records.hidden import visible


def test_an_escape_is_one_of_json_too() -> None:
    for character in "\u200f\ufeff\u3164\U000e0041\u202e\x9b\x1b":
        assert visible(character) != character
        assert json.loads(f'"{visible(character)}"') == character


def test_what_is_seen_stays() -> None:
    assert visible("é ∑ 中 \U0001f600\n\tx") == "é ∑ 中 \U0001f600\n\tx"
