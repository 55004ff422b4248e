"""Where results go: whole files or none, streams that grow, and a reader that goes away."""

from __future__ import annotations

import os
import subprocess
import sys
import threading
from pathlib import Path
from typing import Any

import pytest
from small_content import claim_text, write

from dpaudit.cli import output
from dpaudit.cli.output import destination, writer
from dpaudit.records.errors import ConfigurationError
from dpaudit.report.formats.view import Filing


def test_a_whole_file_is_there_at_the_end_or_not_at_all(tmp_path: Path) -> None:
    path = tmp_path / "a.xml"
    with writer(path) as line:
        line("one")
        assert list(tmp_path.iterdir()) == []
    assert path.read_text() == "one\n"
    with pytest.raises(ZeroDivisionError), writer(path) as line:
        line(f"two {1 / 0}")
    assert path.read_text() == "one\n"
    assert [found.name for found in tmp_path.iterdir()] == ["a.xml"]


def test_without_a_line_the_file_stays(tmp_path: Path) -> None:
    path = write(tmp_path / "a.xml", "before")
    with writer(path):
        pass
    assert path.read_text() == "before"


def test_a_stream_grows_and_a_summary_is_added(tmp_path: Path) -> None:
    path = tmp_path / "a.jsonl"
    with writer(path, Filing.GROWING) as line:
        line("one")
        assert path.read_text() == "one\n"
    with writer(path, Filing.ADDED) as line:
        line("two")
    assert path.read_text() == "one\ntwo\n"
    with writer(path, Filing.GROWING) as line:
        line("three")
    assert path.read_text() == "three\n"


def test_a_dash_is_standard_output(tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: Any) -> None:
    monkeypatch.chdir(tmp_path)
    with writer(Path("-")) as line:
        line("one")
    assert capsys.readouterr().out == "one\n"
    assert list(tmp_path.iterdir()) == []


def test_a_link_stays_and_what_it_names_is_replaced(tmp_path: Path) -> None:
    write(tmp_path / "real.md", "old")
    (tmp_path / "link.md").symlink_to("real.md")
    with writer(tmp_path / "link.md") as line:
        line("new")
    assert (tmp_path / "link.md").is_symlink()
    assert (tmp_path / "real.md").read_text() == "new\n"


def test_what_is_no_plain_file_is_written_and_never_replaced(tmp_path: Path) -> None:
    pipe = tmp_path / "pipe"
    os.mkfifo(pipe)
    read: list[str] = []
    reader = threading.Thread(target=lambda: read.append(pipe.read_text()))
    reader.start()
    with writer(pipe) as line:
        line("through")
    reader.join(10)
    assert read == ["through\n"]
    assert pipe.is_fifo()


@pytest.mark.parametrize("filing", Filing)
def test_a_place_that_cannot_be_written_is_refused_at_once(tmp_path: Path, filing: Filing) -> None:
    write(tmp_path / "file", "")
    for path in (tmp_path / "absent" / "a", tmp_path / "file" / "a", tmp_path / ("a" * 300)):
        with pytest.raises(ConfigurationError, match=r"cannot write .*; name another file"), writer(path, filing):
            raise AssertionError("the run would have begun")


@pytest.mark.skipif(os.geteuid() == 0, reason="nothing is read-only for root")
def test_a_read_only_file_is_refused_at_once(tmp_path: Path) -> None:
    path = write(tmp_path / "a.md", "old")
    path.chmod(0o400)
    with pytest.raises(ConfigurationError, match="Permission denied"), writer(path):
        raise AssertionError("the run would have begun")


def test_a_file_that_the_system_refuses_to_open_is_kept(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """As for a read-only one, also where the tests are run by root."""
    path = write(tmp_path / "a.md", "old")

    def refuse(self: Path, mode: str = "r", **more: object) -> None:
        raise PermissionError(13, "Permission denied", str(self))

    monkeypatch.setattr(Path, "open", refuse)
    with pytest.raises(ConfigurationError, match="Permission denied"), writer(path):
        raise AssertionError("the run would have begun")


def test_where_a_run_goes_by_its_format(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.delenv("GITHUB_STEP_SUMMARY", raising=False)
    named = Path("a")
    assert [destination(form, named)[1] for form in ("text", "jsonl")] == [Filing.GROWING] * 2
    assert [destination(form, named)[1] for form in ("json", "junit", "sarif")] == [Filing.WHOLE] * 3
    assert destination("github", named) == (named, Filing.ADDED)
    assert destination("github", None) == (None, Filing.ADDED)
    monkeypatch.setenv("GITHUB_STEP_SUMMARY", "step.md")
    assert destination("github", None) == (Path("step.md"), Filing.ADDED)
    assert destination("junit", None) == (None, Filing.WHOLE)


def test_control_characters_and_half_characters_are_written_harmlessly(tmp_path: Path) -> None:
    for filing in Filing:
        with writer(tmp_path / "a", filing) as line:
            line("a\x1b[31m\ud800b")
        assert (tmp_path / "a").read_text().endswith("a\\u001b[31m\\ud800b\n")
        (tmp_path / "a").unlink()


def test_commands_to_the_runner_of_github_are_disarmed_in_its_jobs_alone(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    for value in ("", "true"):
        monkeypatch.setenv("GITHUB_ACTIONS", value)
        with writer(None) as line:
            line("x\n::error::y")
        output.complain("::error::z")
    done = capsys.readouterr()
    assert done.out == "x\n::error::y\nx\n: :error::y\n"
    assert done.err == "::error::z\n: :error::z\n"
    output.announce("::error::ours")
    assert capsys.readouterr().out == "::error::ours\n"


def test_a_reader_that_goes_away_neither_stops_a_run_nor_changes_its_exit_code(workdir: Path) -> None:
    write(workdir / "proofs" / "toy" / "lem_1.py", claim_text())
    words = [sys.executable, "-m", "dpaudit", "verify", "--jobs", "1", "--no-report", "--run-dir", "out", "-v"]
    run = subprocess.Popen(words, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True)
    assert run.stdout is not None
    run.stdout.close()
    assert run.stderr is not None
    errors = run.stderr.read()
    run.stderr.close()
    assert (run.wait(60), errors) == (0, "")
    assert (workdir / "out" / "records.jsonl").read_text().count("\n") == 7, "a claim and its mutants"
