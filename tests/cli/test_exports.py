"""One run in several formats: where each goes, and what people read beside it."""

from __future__ import annotations

import json
from pathlib import Path
from xml.etree import ElementTree

import click
import pytest
from command_line import dpaudit
from refusals import refused
from small_content import claim_text, write

from dpaudit.cli.exports import SCREEN, placed, written
from dpaudit.cli.format_flag import Export
from dpaudit.cli.main import program

QUICK = ("--jobs", "1", "--no-report", "--run-dir", "out")


@pytest.fixture
def false(workdir: Path) -> Path:
    """A file with a false claim."""
    return write(workdir / "lem_1.py", claim_text(right="a**2"))


def test_formats_with_files_leave_standard_output_to_people(false: Path) -> None:
    done = dpaudit("verify", false, *QUICK, "--format", "junit=x.xml", "--format", "sarif=y.sarif")
    assert done.exit_code == 1
    assert done.stdout.startswith("seed ")
    assert "x refuted, expected proved   toy/LEM-1" in done.stdout
    assert done.stdout.splitlines()[-1].startswith("Exit code 1: refuted")
    assert done.stderr == ""
    assert ElementTree.parse("x.xml").getroot().get("failures") == "2"  # the witness and the checker
    assert json.loads(Path("y.sarif").read_text())["runs"][0]["results"]


def test_a_format_and_its_file_as_two_flags_say_what_happened(false: Path) -> None:
    done = dpaudit("verify", false, *QUICK, "--format", "junit", "-o", "x.xml")
    assert (done.exit_code, Path("x.xml").is_file()) == (1, True)
    assert "Exit code 1: refuted where that was not expected" in done.stdout


def test_where_standard_output_has_data_people_read_the_end_on_standard_error(false: Path) -> None:
    done = dpaudit("verify", false, *QUICK, "--format", "json", "--format", "text=log.txt")
    assert json.loads(done.stdout)["run"]["exit_code"] == 1
    assert done.stderr.startswith("x refuted, expected proved   toy/LEM-1")
    assert "  witness:" in done.stderr
    assert done.stderr.splitlines()[-1].startswith("Exit code 1: refuted")
    assert Path("log.txt").read_text().startswith("seed ")


def test_quiet_is_what_is_not_as_expected_and_the_last_sentences(false: Path, workdir: Path) -> None:
    done = dpaudit("verify", false, *QUICK, "-q")
    assert done.stdout.startswith("x refuted, expected proved   toy/LEM-1")
    assert done.stdout.splitlines()[-3] == "run folder out"
    true = write(workdir / "lem_2.py", claim_text("toy/LEM-2"))
    fine = dpaudit("verify", true, "--jobs", "1", "--no-report", "--run-dir", "two", "-q", "--format", "junit=x.xml")
    assert [line.split()[0] for line in fine.stdout.splitlines()] == ["run", "All", "Exit"]
    data = dpaudit("verify", true, "--jobs", "1", "--no-report", "--run-dir", "three", "-q", "--format", "jsonl")
    assert json.loads(data.stdout.splitlines()[-1])["type"] == "End"
    assert data.stderr == ""


def test_a_run_that_is_there_is_written_in_several_formats(false: Path) -> None:
    dpaudit("verify", false, *QUICK, "-q")
    done = dpaudit("report", "out", "--format", "junit=x.xml", "--format", "json")
    assert (done.exit_code, done.stderr) == (0, "")
    assert json.loads(done.stdout)["run"]["exit_code"] == 1
    assert ElementTree.parse("x.xml").getroot().get("failures") == "2"  # the witness and the checker
    page = dpaudit("report", "out", "--format", "html=page.html", "--format", "markdown=a.md")
    assert (page.exit_code, page.stdout) == (0, "page.html\n")
    assert "toy/LEM-1" in Path("a.md").read_text().replace("&#47;", "/")


def test_a_finished_run_is_not_shown_again_but_its_files_are_written(false: Path) -> None:
    dpaudit("verify", false, *QUICK, "-q")
    done = dpaudit("resume", "out", "--format", "junit=x.xml", "--no-report")
    assert (done.exit_code, done.stdout) == (1, "")
    assert "is finished; exit code 1" in done.stderr
    assert Path("x.xml").is_file()


@pytest.mark.parametrize(
    ("asked", "output", "places"),
    [
        ([Export("junit")], Path("x.xml"), [("junit", "x.xml")]),
        ([Export("junit", Path("x.xml")), Export("text")], Path("a.txt"), [("junit", "x.xml"), ("text", "a.txt")]),
        ([Export("junit")], None, [("junit", "-")]),
        ([Export("junit", SCREEN), Export("json")], Path("a"), [("junit", "-"), ("json", "a")]),
    ],
)
def test_the_file_of_the_flag_is_that_of_the_format_without_one(
    asked: list[Export], output: Path | None, places: list[tuple[str, str]]
) -> None:
    assert [(form, str(file)) for form, file in placed(asked, output)] == places


test_no_place_is_for_two = refused(
    placed,
    (([Export("junit"), Export("json")], None), "--format junit and --format json both go to standard output"),
    (([Export("json"), Export("sarif")], Path("a")), "both go to 'a'; give one of them a file of its own"),
    (([Export("json", Path("a")), Export("text", Path("./b/../a"))], None), r"both go to '(b/../)?a'"),
)


@pytest.mark.parametrize(
    ("given", "words"),
    [("yaml=x", "'yaml' is not one of 'text', 'json'"), ("junit=", "'junit=' names no file; write junit=FILE")],
)
def test_an_unknown_format_and_a_missing_file_are_refused(false: Path, given: str, words: str) -> None:
    done = dpaudit("verify", false, *QUICK, "--format", given)
    assert done.exit_code == 2
    assert words in done.stderr
    assert not Path("out").exists()


def test_what_is_printed_is_no_silence_and_what_goes_to_a_file_is(
    workdir: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    heard: list[str] = []
    with click.Context(program), written([Export("text", Path("out.txt"))], lambda: heard.append("file")) as view:
        view.announce("to a file")
    with click.Context(program), written([Export("text", SCREEN)], lambda: heard.append("screen")) as view:
        view.announce("to the terminal")
    assert heard == ["screen"]
    assert (Path("out.txt").read_text(), capsys.readouterr().out) == ("to a file\n", "to the terminal\n")
