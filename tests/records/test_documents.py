"""Files of others are read within limits, and what is refused is named by file and place."""

from __future__ import annotations

import os
import re
from collections.abc import Callable
from pathlib import Path

import pytest

from dpaudit.records import documents
from dpaudit.records.errors import ConfigurationError, ContentError


@pytest.mark.parametrize(
    ("make", "words"),
    [
        (os.mkfifo, "no regular file"),
        (Path.mkdir, "no regular file"),
        (lambda path: path.symlink_to("/dev/zero"), "no regular file"),
        (lambda path: path.symlink_to(path.name), "leads to itself"),
        (lambda path: path.symlink_to("absent"), "a link to what is not there"),
        (lambda path: path.write_bytes(b"a" * 65), "larger than"),
        (lambda path: path.write_bytes(b"a\nb\xff"), r"line 2: not UTF-8 text"),
    ],
)
def test_what_is_no_readable_file_is_refused_at_once(
    make: Callable[[Path], object], words: str, tmp_path: Path
) -> None:
    path = tmp_path / "file"
    make(path)
    with pytest.raises(ConfigurationError, match=f"{re.escape(str(path))}.*{words}"):
        documents.read_text(path, 64, refuse=ConfigurationError)


def test_a_file_of_the_largest_size_is_read(tmp_path: Path) -> None:
    (tmp_path / "file").write_bytes(b"a" * 64)
    assert documents.read_text(tmp_path / "file", 64) == "a" * 64


@pytest.mark.parametrize("name", ["a\0b", "x" * 5_000, "\ud800"])
def test_a_name_that_no_file_can_have_is_refused(name: str, tmp_path: Path) -> None:
    with pytest.raises((ContentError, FileNotFoundError)):
        documents.read_bytes(tmp_path / name)


def test_links_inside_of_the_folder_are_followed_and_others_are_not(tmp_path: Path) -> None:
    folder = tmp_path / "run"
    folder.mkdir()
    (folder / "file").write_text("inside")
    (tmp_path / "other").write_text("outside")
    (folder / "near").symlink_to("file")
    (folder / "far").symlink_to("../other")
    assert documents.read_text(folder / "near", inside=folder) == "inside"
    assert documents.read_text(folder / "far") == "outside"
    for name in ("far", "../other"):
        with pytest.raises(ContentError, match="points outside of the folder"):
            documents.read_text(folder / name, inside=folder)


@pytest.mark.parametrize(
    ("text", "words"),
    [
        ("1" * 301, "an integer has 301 digits"),
        ("1" * 5_000, "an integer has 5000 digits"),
        ("1e999", "the number 1e999 is too large"),
        ("[NaN]", "NaN is no number of JSON"),
        ("-Infinity", "-Infinity is no number of JSON"),
        ("[" * 129 + "]" * 129, "deeper than 128"),
        ("[" * 100_000 + "]" * 100_000, "deeper than 128"),
        ('{"a": 1, "a": 2}', "the key 'a' is there twice"),
        (r'{"a": "\ud800"}', "half a pair"),
        ('{"a": ', "not valid JSON"),
    ],
)
def test_json_beyond_a_limit_is_refused_with_its_place(text: str, words: str) -> None:
    with pytest.raises(ContentError, match=f"^here: .*{words}"):
        documents.parse(text, "here")


def test_json_within_the_limits_is_read() -> None:
    assert documents.parse("[" * 128 + "]" * 128, "here")
    assert documents.parse("9" * 300, "here") == int("9" * 300)
    assert documents.parse("-" + "9" * 300, "here") == -int("9" * 300)
    assert documents.parse(r'["\ud83d\ude00", 1.5]', "here") == ["\U0001f600", 1.5]


@pytest.mark.parametrize(
    "text",
    ["a = " + "9" * 5_000, "a = 0x" + "f" * 5_000, "a = nan", "a = [inf]", "a = " + "[" * 5_000 + "]" * 5_000, "="],
)
def test_toml_beyond_a_limit_is_refused(text: str) -> None:
    with pytest.raises(ContentError, match=r"^here: "):
        documents.parse_toml(text, "here")
    assert documents.parse_toml("a = [1, 2.5]", "here") == {"a": [1, 2.5]}
