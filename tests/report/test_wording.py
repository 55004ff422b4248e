"""Text of records on a page: nothing hidden, nothing endless, nothing unescaped by accident."""

import pytest

from dpaudit.report.wording import MAX_TEXT, anchor, clean, file, number, plain, points


def test_hidden_characters_are_shown_as_escapes():
    assert clean("a\x00b\u202ec\ud800") == "a\\u0000b\\u202ec\\ud800"
    assert clean("line\nbreak\tkept") == "line\nbreak\tkept"


@pytest.mark.parametrize(
    ("value", "shown"),
    [("[0.2500, 0.2500]", "0.25"), ("[10, 10]", "10"), ("[1.50e+10, 1.50e+10]", "1.5e+10"), ("[1, 2]", "[1, 2]"),
     ("left [0, 0] > [-1.0, -1.0]", "left 0 > -1"), (0.5, "0.5"),
     (0.24936901905034643, "0.249369"), (5.163071468137668e-286, "5.16307e-286")],
)  # fmt: skip
def test_an_interval_with_the_same_end_twice_is_a_number(value, shown):
    assert points(value) == shown


def test_a_file_is_addressed_from_its_page():
    assert file("plots/a b.svg") == "plots/a%20b.svg"
    assert file("plots/a.svg", above="../") == "../plots/a.svg"


def test_long_text_is_cut_and_says_so():
    cut = clean("x" * (MAX_TEXT + 7))
    assert cut.startswith("x" * MAX_TEXT)
    assert "[7 more characters in records.jsonl]" in cut


@pytest.mark.parametrize(
    ("value", "text"),
    [(None, "none"), (True, "yes"), (False, "no"), (0.123456, "0.1235"), (1_000_000, "1000000"), ("as is", "as is")],
)
def test_numbers_of_a_table(value, text):
    assert number(value) == text


def test_an_anchor_is_a_fragment():
    assert anchor("rbcd/LEM-2~a b") == "v-rbcd/LEM-2~a%20b"
    assert '"' not in anchor('x" onclick="')


def test_nested_data_becomes_lines():
    data = {"a": {"b": 1, "c": []}, "d": [1, 2], "e": [{"f": None}]}
    assert plain(data) == [("a.b", "1"), ("a.c", "none"), ("d", "1, 2"), ("e[0].f", "none")]


def test_the_cut_can_be_shorter():
    assert clean("x" * 12, 10) == "x" * 10 + " [2 more characters in records.jsonl]"


def test_the_address_of_a_file_is_a_relative_path():
    assert file("plots/a b#?.svg") == "plots/a%20b%23%3F.svg"
    assert file("javascript:alert(1)") == "javascript%3Aalert%281%29"
