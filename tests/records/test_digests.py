"""A text that carries its digest is read as it was written, and no other one is."""

from __future__ import annotations

import json

import pytest
from hypothesis import given
from hypothesis import strategies as st

from dpaudit.records.digests import digest_in, sha256, with_digest, without_digest

VALUES = st.dictionaries(st.text(max_size=8), st.text(max_size=12) | st.integers() | st.booleans(), min_size=1)


@given(VALUES, st.sampled_from([None, 2]))
def test_what_was_written_is_read(value: dict[str, object], indent: int | None) -> None:
    for ascii_alone in (True, False):
        text = json.dumps(value, indent=indent, ensure_ascii=ascii_alone)
        whole = with_digest(text)
        assert json.loads(whole) == value | {"digest": digest_in(whole)}
        assert json.loads(without_digest(whole) or "") == value


@pytest.mark.parametrize("indent", [None, 2])
def test_no_bit_can_change_what_is_read(indent: int | None) -> None:
    data = {"id": "a", "outcome": "REFUTED", "seed": 7, "text": 'x, "digest": y'}
    whole = with_digest(json.dumps(data, indent=indent)).encode()
    other = []
    for place in range(8 * len(whole)):
        changed = bytearray(whole)
        changed[place // 8] ^= 1 << place % 8
        text = without_digest(changed.decode("utf-8", "replace"))
        other += [place] if text is not None and json.loads(text) != data else []
    assert other == []


@pytest.mark.parametrize(
    "text", ["", "{}", "[]", '{"a": 1}', '{"a": 1, "digest": ""}', f'{{"a": 1, "digest": "{sha256("a")}"}}']
)
def test_a_text_without_its_digest_is_none(text: str) -> None:
    assert without_digest(text) is None


def test_the_digest_is_of_what_stands_before_the_last_comma() -> None:
    whole = with_digest('{"a": 1, "b": "é"}')
    assert whole == f'{{"a": 1, "b": "é", "digest": "{sha256(whole[: whole.rindex(",")])}"}}'
    assert digest_in('{"a": 1}') == ""
