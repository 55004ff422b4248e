"""Attachments land in the run folder, and nowhere without one."""

from __future__ import annotations

from pathlib import Path

from dpaudit.records.context import Context, Level


def test_an_attachment_is_written_below_the_folder(tmp_path: Path) -> None:
    context = Context(1, Level.SMOKE, 1e-3, folder=str(tmp_path))
    assert context.attach("scores/a.json", "{}") == "scores/a.json"
    assert (tmp_path / "scores" / "a.json").read_text() == "{}"


def test_without_a_folder_nothing_is_written() -> None:
    assert Context(1, Level.SMOKE, 1e-3).attach("scores/a.json", "{}") == ""


def test_a_message_of_others_drives_no_terminal(tmp_path: Path) -> None:
    context = Context(1, Level.SMOKE, 0.05, "cpu", str(tmp_path))
    context.attach("errors/x.txt", "line\n\x1b[2J\u202eabc\ud800")
    assert (tmp_path / "errors/x.txt").read_text(encoding="utf-8") == "line\n\\u001b[2J\\u202eabc\\ud800"
