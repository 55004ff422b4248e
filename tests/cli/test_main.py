"""The command line: streams, formats, flags, configuration, listing, crashes."""

from __future__ import annotations

import json
import os
import signal
import subprocess
import sys
import time
from functools import partial
from pathlib import Path

import click
import pytest
from command_line import dpaudit
from hostile_targets import told
from small_content import boxed_text, claim_text, target_text, write

from dpaudit import cli
from dpaudit.claims import verify
from dpaudit.cli import main
from dpaudit.cli.main import program
from dpaudit.records.errors import MissingPackageError, install_line
from dpaudit.report.page import render
from dpaudit.runs import worker
from dpaudit.runs.settings import DEFAULT_SEED


@pytest.fixture
def claim(workdir: Path) -> Path:
    """A file with a true claim."""
    return write(workdir / "lem_1.py", claim_text())


QUICK = ("--jobs", "1", "--no-report", "--run-dir", "out")


def test_text_begins_with_the_seed_and_ends_with_the_exit_code(claim: Path) -> None:
    done = dpaudit("verify", claim, *QUICK)
    lines = done.stdout.splitlines()
    assert lines[0] == f"seed {DEFAULT_SEED}"
    assert "error budget 0.001" in done.stdout
    assert "run folder out" in done.stdout
    assert any(line.startswith("= proved") and "toy/LEM-1" in line for line in lines)
    assert lines[-1].startswith("Exit code 0: every outcome is the expected one")


def test_the_seed_is_printed_before_anything_can_fail(workdir: Path) -> None:
    done = dpaudit("verify", "no/SUCH", "--seed", "7")
    assert done.stdout.splitlines()[0] == "seed 7"
    assert done.stderr.startswith("dpaudit: unknown claim 'no/SUCH'")


@pytest.mark.deep
def test_off_a_terminal_there_are_no_escape_codes_and_no_bars(claim: Path) -> None:
    words = [sys.executable, "-m", "dpaudit", "verify", str(claim), *QUICK]
    done = subprocess.run(words, capture_output=True, check=True)
    assert b"\x1b" not in done.stdout + done.stderr
    assert done.stderr == b""
    assert done.stdout.startswith(b"seed ")


def test_json_is_one_object(claim: Path) -> None:
    done = dpaudit("verify", claim, *QUICK, "--format", "json")
    data = json.loads(done.stdout)
    assert (data["run"]["seed"], data["run"]["exit_code"]) == (DEFAULT_SEED, 0)
    assert data["verdicts"][0]["id"] == "toy/LEM-1"
    assert data["run"]["counts"]["verdicts"] == len(data["verdicts"])


def test_json_lines_begin_with_the_seed_and_end_with_the_run(claim: Path) -> None:
    done = dpaudit("verify", claim, *QUICK, "--format", "jsonl")
    rows = [json.loads(line) for line in done.stdout.splitlines()]
    assert (rows[0]["type"], rows[0]["seed"]) == ("Start", DEFAULT_SEED)
    assert {row["type"] for row in rows[1:-1]} == {"Verdict"}
    assert (rows[-1]["type"], rows[-1]["exit_code"]) == ("End", 0)


def test_results_can_go_to_a_file(claim: Path, workdir: Path) -> None:
    done = dpaudit("verify", claim, *QUICK, "--format", "json", "-o", "result.json")
    assert done.stdout.startswith("seed ")
    assert json.loads((workdir / "result.json").read_text())["run"]["exit_code"] == 0


def test_an_output_that_cannot_be_written_is_a_wrong_argument(claim: Path) -> None:
    done = dpaudit("verify", claim, *QUICK, "-o", "absent/result.txt")
    assert done.exit_code == 2
    assert "absent/result.txt" in done.stderr


def test_configuration_fills_the_flags_and_flags_outrank_it(claim: Path, workdir: Path) -> None:
    write(workdir / "dpaudit.toml", 'seed = 5\nreport = false\njobs = 1\nformat = "json"\n')
    write(workdir / "named.toml", 'seed = 5\nreport = false\njobs = 1\nformat = "json"\nrun-dir = "here"\n')
    assert json.loads(dpaudit("verify", claim).stdout)["run"]["seed"] == 5
    assert json.loads(dpaudit("--config", "named.toml", "verify", claim).stdout)["run"]["seed"] == 5
    assert (workdir / "here" / "run.json").is_file()
    done = dpaudit("verify", claim, "--seed", "6", "--run-dir", "there")
    assert json.loads(done.stdout)["run"]["seed"] == 6


def test_a_wrong_configuration_is_a_wrong_argument(claim: Path, workdir: Path) -> None:
    write(workdir / "dpaudit.toml", "sead = 5\n")
    done = dpaudit("verify", claim, *QUICK)
    assert done.exit_code == 2
    assert "did you mean 'seed'" in done.stderr
    write(workdir / "dpaudit.toml", "jobs = 0\n")
    assert dpaudit("verify", claim).exit_code == 2


def test_a_named_configuration_is_used(claim: Path, workdir: Path) -> None:
    write(workdir / "other.toml", "seed = 11\n")
    assert dpaudit("--config", "other.toml", "verify", claim, *QUICK).stdout.startswith("seed 11\n")
    assert dpaudit("--config", "absent.toml", "verify", claim, *QUICK).exit_code == 2


def test_a_used_run_folder_is_refused(claim: Path) -> None:
    assert dpaudit("verify", claim, *QUICK).exit_code == 0
    done = dpaudit("verify", claim, *QUICK)
    assert done.exit_code == 2
    assert done.stderr == "dpaudit: the run folder 'out' is not empty; name another one or remove it\n"


def test_the_default_run_folder_names_time_command_and_seed(claim: Path, workdir: Path) -> None:
    assert dpaudit("verify", claim, "--jobs", "1", "--no-report", "--seed", "3").exit_code == 0
    (folder,) = (workdir / "runs").iterdir()
    assert folder.name.endswith("Z-verify-3")


def test_a_crash_leaves_its_traceback_in_the_run_folder(claim: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    def crash(folder: Path, jobs: int) -> Path:
        raise RuntimeError("a defect")

    monkeypatch.setattr(render, "write_report", crash)
    done = dpaudit("verify", claim, "--jobs", "1", "--run-dir", "out", "-v")
    assert done.exit_code == 3
    assert "crashed, which is a defect of dpaudit: RuntimeError: a defect; the traceback is in" in done.stderr
    assert "Traceback" in done.stderr
    assert "a defect" in Path("out/errors/dpaudit.txt").read_text()


def test_without_its_packages_the_report_is_left_out_and_said_so(claim: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    def absent(folder: Path, jobs: int) -> Path:
        raise MissingPackageError("jinja2", "report")

    monkeypatch.setattr(render, "write_report", absent)
    done = dpaudit("verify", claim, "--jobs", "1", "--run-dir", "out")
    assert done.exit_code == 0
    assert f"no report: jinja2 is not installed; run: {install_line('report')}" in done.stdout


def test_the_report_is_built_from_the_records_alone(claim: Path, workdir: Path) -> None:
    dpaudit("verify", claim, *QUICK)
    done = dpaudit("report", "out", "-o", "page.html")
    assert (done.exit_code, done.stdout) == (0, "page.html\n")
    assert done.stderr == "the pages, plots and scores that the page links lie in out\n"
    assert (workdir / "page.html").read_bytes() == (workdir / "out" / "report.html").read_bytes()
    assert "toy/LEM-1" in (workdir / "page.html").read_text()
    (workdir / "out" / "report.html").unlink()
    done = dpaudit("report", "out", "-o", "nowhere/page.html")
    assert (done.exit_code, (workdir / "out" / "report.html").exists()) == (2, False)
    assert "cannot write 'nowhere/page.html'" in done.stderr


def test_a_disk_that_fails_is_one_line(claim: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    def full(*arguments: object) -> None:
        raise OSError(28, "No space left on device")

    monkeypatch.setattr("dpaudit.runs.store.Folder.append", full)
    done = dpaudit("verify", claim, *QUICK)
    assert done.exit_code == 2
    assert done.stderr == (
        "dpaudit: this machine failed: No space left on device; free some space; what is finished is kept; "
        "to go on: dpaudit resume out\n"
    )


def test_an_interruption_exits_130(claim: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    def interrupt(*arguments: object) -> None:
        raise KeyboardInterrupt

    monkeypatch.setattr(worker, "_answer", interrupt)
    done = dpaudit("verify", claim, *QUICK)
    assert done.exit_code == 130
    assert json.loads(Path("out/run.json").read_text())["exit_code"] == 130


@pytest.mark.deep(keep=1)
@pytest.mark.parametrize(("sent", "everybody"), [("SIGINT", True), ("SIGTERM", False), ("SIGHUP", False)])
def test_a_signal_to_stop_ends_the_run_in_order_and_its_workers_too(workdir: Path, sent: str, everybody: bool) -> None:
    slow = f"import pathlib, time; pathlib.Path({str(workdir / 'started')!r}).write_text('x'); time.sleep(120)"
    paths = [write(workdir / f"{name}.py", target_text(f"toy/{name}", run=slow)) for name in "ab"]
    flags = ["--jobs", "2", "--run-dir", "out", "--no-controls"]
    words = [sys.executable, "-m", "dpaudit", "audit", *map(str, paths), *flags]
    # A shell starts background jobs with SIGINT ignored, and Python leaves it so: the interruption needs the default.
    heed = partial(signal.signal, getattr(signal, sent), signal.SIG_DFL)
    pipes = {"stdout": subprocess.PIPE, "stderr": subprocess.PIPE}
    with (
        told(workdir / "started") as started,
        subprocess.Popen(words, **pipes, start_new_session=True, preexec_fn=heed) as running,
    ):
        end = time.monotonic() + 60
        while not started() and time.monotonic() < end:
            time.sleep(0.05)
        (os.killpg if everybody else os.kill)(running.pid, getattr(signal, sent))
        _, complaint = running.communicate(timeout=240)
    assert running.returncode == 130, complaint
    assert b"Traceback" not in complaint
    assert b"interrupted; to go on: dpaudit resume out" in complaint
    assert json.loads(Path("out/run.json").read_text())["exit_code"] == 130


def test_list_shows_content_and_what_is_broken(workdir: Path) -> None:
    write(workdir / "proofs" / "toy" / "a.py", claim_text())
    write(workdir / "proofs" / "toy" / "b.py", "X = 1 / 0")
    done = dpaudit("list", "claims", "--format", "json")
    rows = json.loads(done.stdout)
    assert [row["name"] for row in rows] == ["toy/LEM-1", "proofs/toy/b"]
    assert "ZeroDivisionError" in done.stdout
    kinds = {json.loads(line)["kind"] for line in dpaudit("list", "--format", "jsonl").stdout.splitlines()}
    assert kinds == {"claim", "algorithm", "target"}
    assert "toy/LEM-1" in dpaudit("list").stdout


def test_show_gives_everything_stated(workdir: Path) -> None:
    write(workdir / "proofs" / "toy" / "a.py", claim_text())
    text = dpaudit("show", "toy/LEM-1").stdout
    assert "in proofs/toy/a.py" in text
    assert ": (a + b)**2 == a**2 + 2*a*b + b**2" in text
    assert "argument: Identical" in text
    assert "as expected; with --run RUN as judged" in text
    assert dpaudit("verify", "--jobs", "1", "--no-report", "--run-dir", "out").exit_code == 0
    assert "as judged by the run" in dpaudit("show", "toy/LEM-1", "--run", "out").stdout
    assert json.loads(dpaudit("show", "toy/LEM-1", "--format", "json").stdout)["id"] == "toy/LEM-1"


@pytest.mark.deep
@pytest.mark.parametrize(
    ("target", "needs"),
    [
        ("srm/dp-gd", "consistent_needs: a release recorded with its noise and its declared scale"),
        ("null/constant", "consistent_needs: a game whose limit of detection is above the claim"),
        ("dpaudit/one-run-gaussian", "consistent_needs: canaries whose limit of detection is above the claim"),
        ("accountant/wrong-sign", ""),
    ],
)
def test_show_says_what_consistent_needs(target: str, needs: str) -> None:
    text = dpaudit("show", target).stdout
    assert needs in text
    assert ("consistent_needs" in text) is bool(needs)
    assert json.loads(dpaudit("show", target, "--format", "json").stdout)["name"] == target


def test_doctor_lists_packages() -> None:
    done = dpaudit("doctor", "--format", "json")
    rows = {row["name"]: row["state"] for row in json.loads(done.stdout)}
    assert (done.exit_code, rows["numba"]) == (0, "works")


def test_every_command_and_flag_explains_itself() -> None:
    for name, command in program.commands.items():
        assert command.help, name
        for parameter in command.params:
            assert isinstance(parameter, click.Argument) or getattr(parameter, "help", None), (name, parameter.name)
        assert dpaudit(name, "--help").exit_code == 0


def test_the_exit_codes_are_in_the_help() -> None:
    text = " ".join(dpaudit("--help").stdout.split())
    assert "3 a check, a target or dpaudit crashed" in text


def test_control_characters_of_content_do_not_reach_the_terminal(workdir: Path) -> None:
    write(workdir / "lem.py", claim_text().replace('title="square', 'title="\\x1b[31msquare'))
    done = dpaudit("verify", workdir / "lem.py", *QUICK)
    assert "\x1b" not in done.stdout
    assert "[31msquare" in done.stdout


def test_no_color_wins_on_a_terminal(claim: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    assert "\x1b[" in dpaudit("verify", claim, *QUICK, color=True).stdout
    monkeypatch.setenv("NO_COLOR", "1")
    Path("out").rename("old")
    assert "\x1b[" not in dpaudit("verify", claim, *QUICK, color=True).stdout


def test_a_second_run_takes_the_same_records_from_the_cache(workdir: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    file = write(workdir / "proofs" / "toy" / "lem_2.py", boxed_text())
    command = ("verify", file, "--jobs", "1", "--no-report", "--run-dir")
    assert dpaudit(*command, "one").exit_code == 0

    def refuse(*arguments: object) -> None:
        raise AssertionError("verified again")

    monkeypatch.setattr(verify, "verify_claim", refuse)
    assert dpaudit(*command, "two").exit_code == 0
    one, two = (Path(name, "records.jsonl").read_bytes() for name in ("one", "two"))
    assert one == two
    assert {p.name for p in Path("one/certificates").iterdir()} == {p.name for p in Path("two/certificates").iterdir()}
    assert dpaudit(*command, "three", "--no-cache").exit_code == 3


def test_an_edited_claim_is_verified_again(workdir: Path) -> None:
    file = write(workdir / "proofs" / "toy" / "lem_1.py", claim_text())
    command = ("verify", file, "--jobs", "1", "--no-report", "--run-dir")
    assert dpaudit(*command, "one").exit_code == 0
    write(file, claim_text(right="a**2 + a*b + b**2"))
    assert dpaudit(*command, "two").exit_code == 1


def test_mutants_of_inequalities_print_the_score(workdir: Path) -> None:
    file = write(workdir / "proofs" / "toy" / "lem_2.py", boxed_text())
    done = dpaudit("verify", file, *QUICK, "--mutants")
    assert "mutation score of toy: 1.000" in done.stdout
    assert done.exit_code == 0
    plain = dpaudit("verify", file, "--jobs", "1", "--no-report", "--run-dir", "plain")
    assert "mutation score" not in plain.stdout


def test_errata_are_printed_in_every_format(workdir: Path) -> None:
    write(workdir / "proofs" / "toy" / "lem_2.py", boxed_text())
    text = dpaudit("errata").stdout
    for part in ("toy/LEM-2/s1  printed and false", "r = 1/2", "the lemma survives", "1 errata"):
        assert part in text
    assert [row["id"] for row in json.loads(dpaudit("errata", "--format", "json").stdout)] == ["toy/LEM-2/s1"]
    assert json.loads(dpaudit("errata", "--format", "jsonl").stdout)["repair"] == "toy/LEM-2"


def test_the_index_of_a_run(workdir: Path) -> None:
    file = write(workdir / "proofs" / "toy" / "lem_2.py", boxed_text())
    dpaudit("verify", file, *QUICK)
    text = dpaudit("index", "out").stdout
    assert "| toy/LEM-2 | Lemma 2 | proved |" in text
    assert "| toy/LEM-2/s1 |  | refuted |" in text
    assert dpaudit("index", "absent").exit_code == 2


def test_certificates_are_checked_again(workdir: Path) -> None:
    write(workdir / "proofs" / "toy" / "lem_2.py", boxed_text())
    assert dpaudit("verify", *QUICK).exit_code == 0
    assert dpaudit("recheck", "out").exit_code == 0
    (file, *_) = sorted(Path("out/certificates").iterdir())
    file.write_text(file.read_text().replace("0.26", "0.2"))
    done = dpaudit("recheck", "out")
    assert done.exit_code == 1
    assert "refused" in done.stdout


def test_a_new_command_is_one_file(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    (tmp_path / "hello.py").write_text("import click\n\n\n@click.command(name='hello')\ndef command():\n    pass\n")
    (tmp_path / "helper.py").write_text("command = 'not one'\n")
    monkeypatch.setattr(cli, "__path__", [*cli.__path__, str(tmp_path)])
    assert {command.name for command in main._commands()} == {*program.commands, "hello"}
