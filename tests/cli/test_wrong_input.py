"""Wrong arguments, names, places, configurations: what was given, what is allowed, what to do; once."""

from __future__ import annotations

import os
import tempfile
from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field
from pathlib import Path

import pytest
from click.testing import Result
from command_line import dpaudit
from small_content import claim_text, target_text, write

import dpaudit as dpaudit_package
from dpaudit.confinement import enclosed
from dpaudit.records.verdict import ExitCode


@dataclass(frozen=True)
class Case:
    """What is typed after `dpaudit`, a part of the one answer, the files that are there."""

    typed: str
    answer: str
    files: Mapping[str, str | bytes] = field(default_factory=dict)


TRUE = {"proofs/toy/a.py": claim_text("toy/LEM-1"), "proofs/rbcd/b.py": claim_text("rbcd/THM-4.1")}
TARGETS = {"audits/a.py": target_text("toy/sum")}

ARGUMENTS = (
    Case("verfy", "No such command 'verfy'. Did you mean 'verify'?"),
    Case("verify --levle deep", "No such option '--levle'. (Did you mean one of: '--device', '--ledger', '--level'?)"),
    Case("verify --level fast", "'fast' is not one of 'smoke', 'standard', 'deep'"),
    Case("verify --seed x", "'x' is not a valid integer"),
    Case("verify --seed -1", "-1 is not in the range 0<=x<=9223372036854775807"),
    Case("verify --alpha x", "'x' is not a valid number"),
    Case("verify --alpha 2", "alpha must be above 0 and at most 0.5, got 2.0; the default is 0.001", TRUE),
    Case("verify --alpha nan", "alpha must be above 0 and at most 0.5, got nan", TRUE),
    Case("verify --jobs 0", "0 is not in the range x>=1"),
    Case("verify --device gpu", "device must be cpu, mps, cuda or cuda:NUMBER, got 'gpu'"),
    Case("verify --time 0", "0.0 is not in the range x>0"),
    Case("verify --time nan", "time must be above 0 minutes, got nan"),
    Case("verify --executor spark", "must be local, dask://HOST:PORT or ray://HOST:PORT, got 'spark'"),
    Case("verify --maxfail 0", "0 is not in the range x>=1"),
    Case("verify -k (", "-k '(' cannot be read: a word is missing at the end; write words with and, or, not", TRUE),
    Case("verify -k rbdc", "chooses none of 2 items: no name holds 'rbdc'; did you mean 'rbcd'?", TRUE),
    Case("verify --format yaml", "'yaml' is not one of 'text', 'json'"),
    Case("verify --format junit=", "'junit=' names no file; write junit=FILE, or junit alone"),
    Case("verify --format json --format junit", "both go to standard output; give one of them a file of its own"),
    Case("list --format junit", "'junit' is not one of 'text', 'json', 'jsonl', 'markdown'"),
    Case("list clams", "'clams' is not one of 'claims', 'algorithms', 'targets'"),
    Case("audit", "Missing argument 'TARGET...'"),
    Case("audit toy/sum --time-limit 0", "0.0 is not in the range x>0"),
    Case("init claims", "'claims' is not one of 'audit', 'claim', 'algorithm'"),
    Case("init audit --kind tensorflow", "'tensorflow' is not one of 'function', 'training', 'torch', 'opacus'"),
    Case("power toy/sum --chance 1", "1.0 is not in the range 0<x<1"),
    Case("recheck --ship", "--ship needs exactly one RUN"),
    Case("schema x", "'x' is not one of 'record', 'run', 'result', 'ledger', 'certificate'"),
    Case("diff one", "Missing argument 'NEW'"),
    Case("accept out --reason x --expires 1.2.2030", "'1.2.2030' does not match the format '%Y-%m-%d'"),
    Case("accept out --reason x --expires 2020-01-01", "--expires 2020-01-01 is over; give the last day on which"),
)
NAMES = (
    Case("verify rbdc", "unknown claim 'rbdc'; did you mean 'rbcd' (every claim of it)?", TRUE),
    Case("verify rbcd/THM41", "unknown claim 'rbcd/THM41'; did you mean 'rbcd/THM-4.1'?", TRUE),
    Case("verify RBCD/thm-4.1", "did you mean 'rbcd/THM-4.1'?", TRUE),
    Case("audit toy/smu", "unknown target 'toy/smu'; did you mean 'toy/sum'? (known: toy/sum; all: ", TARGETS),
    Case("agree rbcd/ALG-99", "unknown algorithm 'rbcd/ALG-99'; did you mean 'rbcd/ALG-9'"),
    Case("show toy", "unknown id 'toy'; did you mean 'toy/sum'? (known: toy/LEM-1, toy/sum", {**TRUE, **TARGETS}),
)  # fmt: skip
PLACES = (
    Case("verify absent.py", "no file or folder 'absent.py'; see what there is with: dpaudit list"),
    Case("verify --proofs absent", "no file or folder 'absent'; see what there is with: dpaudit list"),
    Case("verify a.txt", "claims and targets are Python files (.py) or folders of them, got 'a.txt'", {"a.txt": ""}),
    Case("verify -o absent/x", "cannot write 'absent/x': No such file or directory; name another file"),
    Case("verify -o .", "File '.' is a directory"),
    Case("verify --run-dir full", "the run folder 'full' is not empty; name another one or remove it",
         {**TRUE, "full/a": ""}),
    Case("verify --run-dir file", "cannot use the run folder 'file': File exists; see --run-dir", {**TRUE, "file": ""}),
    Case("verify --baseline absent", "cannot read the baseline absent: No such file or directory; `dpaudit accept "),
    Case("init audit x.txt", "the file must end in .py, got 'x.txt'; leave it out for a name of its own"),
    Case("init audit numpy.py", "numpy.py would hide the installed package 'numpy'; take another name"),
    Case("init claim mine.py", "'mine.py' is there already; name another file, or replace it with --force",
         {"mine.py": ""}),
    Case("init audit file/own_sum.py", "cannot make the folder 'file': File exists; name another file", {"file": ""}),
    Case("init algorithm a-b", "an algorithm is a folder with the name of a package, got 'a-b'"),
    Case("report absent", "absent/run.json is missing: give the folder of a run, as `dpaudit run` prints it"),
    Case("resume absent", "no run folder 'absent'; runs lie below runs/ unless --run-dir says else"),
    Case("recheck absent", "'absent' is no certificate, run folder, folder of claims, paper or claim"),
)  # fmt: skip
CONFIGURATIONS = (
    Case("verify", "dpaudit.toml, line 2: unknown key 'sead'; did you mean 'seed'?",
         {"dpaudit.toml": "jobs = 1\nsead = 1"}),
    Case("list", "dpaudit.toml, line 1: seed must be an integer, got 'x'", {"dpaudit.toml": "seed = 'x'"}),
    Case("list", "dpaudit.toml, line 1: unknown key 'tool'", {"dpaudit.toml": "[tool]\nx = 1"}),
    Case("list", "pyproject.toml, line 3: unknown key 'levle'; did you mean 'level'?",
         {"pyproject.toml": "[project]\n[tool.dpaudit]\nlevle = 'deep'"}),
    Case("list", "dpaudit.toml: not valid TOML: Invalid value (at end of document); mend it",
         {"dpaudit.toml": "seed ="}),
    Case("list", "dpaudit.toml, line 1: not UTF-8 text; the file is damaged", {"dpaudit.toml": b"\xff"}),
    Case("--config absent.toml list", "cannot read 'absent.toml': No such file or directory; --config names another"),
    Case("--config . list", ". is no regular file, but a folder, a pipe or a device; put a file there"),
    Case("verify --baseline b.toml", "b.toml, line 1: unknown key 'acepted'; an entry is a table [[accepted]] with id",
         {"b.toml": "[[acepted]]"}),
)  # fmt: skip


def typed_with(typed: str, files: Mapping[str, str | bytes]) -> Result:
    """The command in this process, with these files in the working directory."""
    for name, text in files.items():
        write(Path(name), text if isinstance(text, str) else "")
        if isinstance(text, bytes):
            Path(name).write_bytes(text)
    return dpaudit(*typed.split())


@pytest.mark.parametrize("case", [*ARGUMENTS, *NAMES, *PLACES, *CONFIGURATIONS], ids=lambda case: case.typed)
def test_a_wrong_input_gets_one_answer(case: Case, workdir: Path) -> None:
    done = typed_with(case.typed, case.files)
    said = done.stdout + done.stderr
    assert (done.exit_code, said.count(case.answer)) == (ExitCode.USAGE, 1), said
    assert "Traceback" not in said
    lines = done.stderr.splitlines()
    assert len(lines) == 1 or lines[0].startswith("Usage: "), said
    assert not (workdir / "runs").exists()


@pytest.fixture
def locked(monkeypatch: pytest.MonkeyPatch) -> Iterator[Path]:
    """A working directory that this user may read and not write; root becomes nobody for the time."""
    user, nobody = os.geteuid(), 65534
    readable = all(folder.stat().st_mode & 0o5 == 0o5 for folder in Path(dpaudit_package.__file__).resolve().parents)
    if user == 0 and not readable:
        pytest.skip("the tests are run by root, and no other user may read where dpaudit lies")
    with tempfile.TemporaryDirectory() as name:
        write(Path(name) / "proofs" / "toy" / "a.py", claim_text())
        monkeypatch.chdir(name)
        Path(name).chmod(0o555)
        monkeypatch.delenv(enclosed.TOLD, raising=False)  # what root has found says nothing of another user
        enclosed.walls.cache_clear()
        os.seteuid(nobody if user == 0 else user)
        yield Path(name)
        os.seteuid(user)
        enclosed.walls.cache_clear()
        Path(name).chmod(0o755)


@pytest.mark.parametrize(
    ("typed", "answer"),
    [
        (
            "verify --no-cache --jobs 1 --run-dir out",
            "cannot use the run folder 'out': Permission denied; see --run-dir",
        ),
        ("verify --no-cache --jobs 1 -o x.txt", "cannot write 'x.txt': Permission denied; name another file"),
        ("verify --no-cache --format junit=x.xml", "cannot write 'x.xml': Permission denied; name another file"),
        ("init claim", "cannot use 'my_claim.py': Permission denied; change its rights or name another place"),
        ("init algorithm", "cannot make the folder 'my_algorithm': Permission denied; name another file"),
    ],
)
def test_a_folder_that_may_not_be_written_is_named(locked: Path, typed: str, answer: str) -> None:
    done = typed_with(typed, {})
    assert (done.exit_code, done.stderr.count(answer)) == (ExitCode.USAGE, 1), done.output
    assert "Traceback" not in done.output


@pytest.mark.parametrize(
    ("fault", "code", "answer"),
    [
        (KeyboardInterrupt(), 130, "dpaudit: interrupted; to go on: dpaudit resume out\n"),
        (
            OSError(28, "No space left on device", "x"),
            2,
            "this machine failed: No space left on device (x); free some space; what is finished is kept; to go on: ",
        ),
    ],
)
def test_what_stops_a_run_says_how_to_go_on(
    workdir: Path, monkeypatch: pytest.MonkeyPatch, fault: BaseException, code: int, answer: str
) -> None:
    def stop(*arguments: object) -> None:
        raise fault

    monkeypatch.setattr("dpaudit.runs.store.Folder.append" if code == 2 else "dpaudit.claims.verify.verify_claim", stop)
    done = typed_with("verify --no-cache --jobs 1 --no-report --run-dir out", TRUE)
    assert (done.exit_code, done.stderr.count(answer)) == (code, 1), done.output
