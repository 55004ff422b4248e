"""One table of formats: the same exit code from each, the same text while a run ends and from its folder later."""

from __future__ import annotations

import json
import re
from pathlib import Path
from typing import Any

import pytest
import run_folder
from command_line import dpaudit
from commands import commands_of
from run_folder import verdict
from small_content import claim_text, write

from dpaudit.cli import config
from dpaudit.cli.main import program
from dpaudit.records.hidden import visible
from dpaudit.records.verdict import ExitCode, Kind, Outcome, Verdict
from dpaudit.report import formats
from dpaudit.report.formats import json as as_json
from dpaudit.report.formats import registry
from dpaudit.report.formats.registry import FORMATS
from dpaudit.runs.reading import Run, load_run

QUICK = ("--jobs", "1", "--no-report", "--no-cache")
RUNS = {"run", "verify", "agree", "audit", "controls", "resume", "replay"}
LISTS = {"list", "show", "power", "errata", "recheck", "doctor", "diff"}


def choices(command: str) -> tuple[str, ...]:
    """What --format of a command may be."""
    return next(tuple(p.type.choices) for p in program.commands[command].params if "--format" in p.opts)


@pytest.fixture
def claim(workdir: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """A file with a false claim."""
    monkeypatch.delenv("GITHUB_STEP_SUMMARY", raising=False)
    return write(workdir / "lem_1.py", claim_text(right="a**2 + b**2"))


def test_the_table_is_what_configuration_and_commands_allow() -> None:
    assert set(config.LISTINGS) < set(FORMATS)
    assert all(choices(command) == tuple(FORMATS) for command in RUNS)
    assert all(choices(command) == config.LISTINGS for command in LISTS)
    assert choices("report") == ("html", *FORMATS)
    every = {name for name, command in program.commands.items() if any("--format" in p.opts for p in command.params)}
    assert every >= {*RUNS, *LISTS, "report"}
    assert all(choices(name) in (tuple(FORMATS), config.LISTINGS) for name in every - {"report"})


@pytest.mark.deep(keep=2)
@pytest.mark.parametrize("form", config.FORMATS)
def test_a_run_and_its_folder_say_the_same_with_the_same_exit_code(claim: Path, form: str) -> None:
    done = dpaudit("verify", claim, *QUICK, "--run-dir", "out", "--format", form, "-o", "live")
    assert done.exit_code == ExitCode.REFUTED
    assert done.stdout.splitlines()[-1].startswith("Exit code 1: ")
    later = dpaudit("report", "out", "--format", form, "-o", "later")
    assert later.exit_code == 0
    assert later.stdout == "".join(line for line in done.stdout.splitlines(True) if line.startswith("::"))
    live, again = (Path(name).read_text(encoding="utf-8").splitlines() for name in ("live", "later"))
    if form == "text":
        assert live.pop(0).startswith("seed ")
    if form == "jsonl":
        live, again = ([{**json.loads(line), "error_budget": 0} for line in lines] for lines in (live, again))
    assert live == again
    assert any("LEM" in str(line) for line in live) or form == "badge"


@pytest.mark.parametrize("form", sorted(set(config.FORMATS) - set(config.LISTINGS)))
def test_what_is_no_run_names_the_formats_that_it_has(workdir: Path, form: str) -> None:
    for words in (
        ["list", "algorithms"],
        ["show", "x"],
        ["errata"],
        ["recheck"],
        ["doctor"],
        ["power", "x"],
        ["diff", "x", "y"],
    ):
        refused = dpaudit(*words, "--format", form)
        assert refused.exit_code == ExitCode.USAGE
        assert f"'{form}' is not one of 'text', 'json', 'jsonl', 'markdown'" in refused.stderr


def test_every_command_of_the_page_about_formats_exists() -> None:
    page = Path(__file__).parents[3] / "docs" / "formats.md"
    commands = commands_of(page)
    assert {words[1] for words in commands} >= {"audit", "report", "schema", "run"}
    for _, name, *words in commands:
        flags = {flag for parameter in program.commands[name].params for flag in parameter.opts}
        assert {word for word in words if word.startswith("-")} <= flags, (name, words)
    text = page.read_text(encoding="utf-8")
    assert set(re.findall(r"--format ([a-z-]+)", text)) == set(config.FORMATS) - {"text", "markdown"}


DISGUISED = "toy/LEM-\u202e1\u2066\u200b\u2028\ufeff\U000e0041\x1b[31m[/red]"


@pytest.mark.parametrize("name", [*FORMATS, "html"])
def test_no_format_lets_hidden_characters_of_a_record_through(name: str, workdir: Path) -> None:
    """They turn the direction of what stands near them, or make two names look alike."""
    found = verdict(DISGUISED, Kind.CLAIM, Outcome.REFUTED, Outcome.PROVED, title=DISGUISED, detail=DISGUISED)
    run_folder.write(workdir / "run", [found])
    done = dpaudit("report", "run", "--format", name, "-o", "out")
    assert done.exit_code == 0, done.stderr
    text = (workdir / "out").read_text(encoding="utf-8")
    assert visible(text) == text.replace("\r", "")
    assert "u202e" in text or name in ("badge", "markdown")
    if name == "jsonl":
        assert DISGUISED in {json.loads(line).get("id") for line in text.splitlines()}, "programs read what was there"


def test_lists_come_in_markdown(workdir: Path) -> None:
    write(workdir / "proofs" / "toy" / "lem_1.py", claim_text())
    listed = dpaudit("list", "claims", "--proofs", "proofs", "--format", "markdown").stdout
    assert listed.splitlines() == [
        "| kind | name | level | title |",
        "| --- | --- | --- | --- |",
        "| claim | toy/LEM-1 | smoke | square of a sum |",
    ]
    shown = dpaudit("show", "toy/LEM-1", "--proofs", "proofs", "--format", "markdown").stdout
    assert shown.startswith("```text\ntoy/LEM-1: square of a sum")


def test_a_configured_format_is_that_of_runs_and_leaves_the_others_alone(claim: Path) -> None:
    write(Path("dpaudit.toml"), 'format = "junit"\n')
    assert dpaudit("verify", claim, *QUICK, "--run-dir", "out").stdout.startswith("<?xml")
    assert re.match(r"algorithm +\w", dpaudit("list", "algorithms").stdout)
    assert dpaudit("report", "out").stdout == "out/report.html\n"
    write(Path("dpaudit.toml"), 'format = "markdown"\n')
    assert dpaudit("list", "algorithms").stdout.startswith("| kind | name | level | title |")


def test_a_finished_run_is_written_again_by_resume(claim: Path) -> None:
    dpaudit("verify", claim, *QUICK, "--run-dir", "out", "--format", "json", "-o", "first")
    done = dpaudit("resume", "out", "--format", "json", "-o", "second")
    assert done.exit_code == ExitCode.REFUTED
    assert Path("first").read_text() == Path("second").read_text()
    assert "is finished; exit code 1" in done.stderr
    assert dpaudit("resume", "out").stdout == ""


def test_a_stopped_run_is_written_as_far_as_it_came(workdir: Path) -> None:
    run_folder.write(workdir / "out", finished=None, exit_code=None, counts=None)
    for form in config.FORMATS:
        done = dpaudit("report", "out", "--format", form)
        assert done.exit_code == 0, (form, done.stderr)
        assert done.stdout


def test_the_object_of_json_holds_run_verdicts_and_catalogue(tmp_path: Path) -> None:
    run = load_run(run_folder.write(tmp_path))
    data = json.loads(as_json.document(run))
    assert list(data) == ["run", "folder", "verdicts", "catalogue"]
    assert [row["id"] for row in data["verdicts"]] == [v.id for v in run.verdicts]


def text_of(verdicts: list[Verdict], verbose: bool = False, **header: object) -> str:
    """All that the text view prints for these verdicts."""
    lines: list[str] = []
    view = FORMATS["text"].view(lines.append, lines.append, verbose)
    run = Run(Path("out"), run_folder.header(verdicts, **header), tuple(verdicts))
    view.show(verdicts)
    view.end(run, ["a note"])
    return "\n".join(lines)


def test_mutants_are_one_line_unless_one_escapes() -> None:
    caught = verdict("toy/LEM-1~caught", Kind.MUTANT, Outcome.REFUTED)
    escaped = verdict("toy/LEM-1~escaped", Kind.MUTANT, Outcome.INCONCLUSIVE, Outcome.REFUTED)
    text = text_of([verdict("toy/LEM-1", Kind.CLAIM, Outcome.PROVED), caught, escaped])
    assert "1 of 2 mutants" in text
    assert "~caught" not in text
    assert text.count("expected refuted toy/LEM-1~escaped") == 2  # its line, and the details at the end
    assert "~caught" in text_of([caught], verbose=True)
    assert "mutation score of toy" in text_of([caught], settings={"mutants": True})


def test_surprises_come_last_and_in_full_and_what_is_accepted_in_its_line_alone() -> None:
    wrong = verdict("toy/LEM-0", Kind.CLAIM, Outcome.REFUTED, Outcome.PROVED)
    accepted = "until 2027-01-01: known (b.toml)"
    known = verdict("toy/LEM-2", Kind.CLAIM, Outcome.REFUTED, Outcome.PROVED, accepted=accepted)
    text = text_of([wrong, verdict("toy/LEM-1", Kind.CLAIM, Outcome.PROVED), known])
    assert text.rindex("toy/LEM-0") > text.index("toy/LEM-1")
    assert text.index("replay:") > text.rindex("x refuted, expected proved   toy/LEM-0")
    assert text.count("expected proved   toy/LEM-2") == 1
    assert "a note" in text


def test_a_place_that_cannot_be_written_is_refused_before_the_run(claim: Path) -> None:
    for form in config.FORMATS:
        done = dpaudit("verify", claim, *QUICK, "--run-dir", "out", "--format", form, "-o", "absent/file")
        assert done.exit_code == ExitCode.USAGE
        assert "cannot write 'absent/file': No such file or directory; name another file" in done.stderr
        assert not Path("out").exists()


@pytest.mark.deep
def test_a_run_that_fails_leaves_the_file_that_was_there(workdir: Path) -> None:
    before = write(workdir / "kept.xml", "before")
    done = dpaudit("verify", "no/SUCH", *QUICK, "--format", "junit", "-o", "kept.xml")
    assert done.exit_code == ExitCode.USAGE
    assert before.read_text() == "before"
    assert [path.name for path in workdir.iterdir()] == ["kept.xml"]


@pytest.mark.parametrize("form", config.FORMATS)
def test_no_format_lets_a_title_command_the_runner_of_github(
    workdir: Path, monkeypatch: pytest.MonkeyPatch, form: str
) -> None:
    """Of the words of others none is a command; the commands of the format github are ours."""
    monkeypatch.setenv("GITHUB_ACTIONS", "true")
    monkeypatch.delenv("GITHUB_STEP_SUMMARY", raising=False)
    hostile = "x\n::error::a\n  ::set-output name=b::c\n##[error]d\r::stop-commands::e\x85\x7f\x1b"
    fields = ("title", "detail", "effect", "statement", "source", "replay")
    more = dict.fromkeys(fields, hostile)
    names = (f"toy/1{hostile}", f"toy/2{hostile}")
    listed = [verdict(name, Kind.CLAIM, Outcome.REFUTED, Outcome.PROVED, **more) for name in names]
    run_folder.write(workdir / "out", listed, command=f"dpaudit run {hostile}", device=hostile)
    done = dpaudit("report", "out", "--format", form)
    assert done.exit_code == 0
    lines = re.split(r"\r\n|\r|\n", done.stdout)
    commands = [line for line in lines if line.lstrip().startswith("::") or "##[" in line]
    ours = [line for line in commands if line.startswith("::error title=toy/")]
    assert commands == ours
    assert len(ours) == (2 if form == "github" else 0)
    if form in ("json", "jsonl", "in-toto"):  # what is disarmed still says the same
        read = [json.loads(done.stdout)] if form != "jsonl" else list(map(json.loads, done.stdout.splitlines()))
        assert {name for name in names if name in leaves(read)} == set(names)


def leaves(data: Any) -> set[str]:
    """Every string in nested data."""
    if isinstance(data, (dict, list)):
        return {leaf for item in (data.values() if isinstance(data, dict) else data) for leaf in leaves(item)}
    return {str(data)}


def test_a_new_format_is_one_file(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    source = Path(as_json.__file__).read_text()
    (tmp_path / "counts.py").write_text(source.replace('"json", 2', '"counts", 99'))
    (tmp_path / "helper.py").write_text("")
    monkeypatch.setattr(formats, "__path__", [*formats.__path__, str(tmp_path)])
    found = {one.NAME: one for one in registry._found()}
    assert set(found) == {*FORMATS, "counts"}
    assert found["counts"].PLACE == 99
