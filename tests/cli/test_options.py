"""Options that several commands have."""

from __future__ import annotations

import json
from functools import cache
from pathlib import Path

import pytest
from command_line import dpaudit
from small_content import claim_text, target_text, write

from dpaudit.cli import options
from dpaudit.confinement import enclosed, namespaces

QUICK = ("--no-controls", "--no-report", "--jobs", "1", "--run-dir", "out")
LESS = (False, "no PID namespace: a target can signal other processes of the user")


@pytest.fixture
def toy(workdir: Path) -> Path:
    return write(workdir / "toy.py", target_text(trials=200))


@pytest.mark.deep
def test_isolation_that_is_required_and_there_changes_nothing(toy: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    asked = []
    monkeypatch.setattr(options, "strength", lambda network: (asked.append(network) is None, "all"))
    for flags in (("--isolate=require",), ("--isolate", "require", "--allow-network")):
        done = dpaudit("audit", toy, *flags, "--no-controls", "--no-report")
        assert done.exit_code in (0, 4), done.output
    assert asked == [False, True]


def test_isolation_that_is_required_and_not_there_is_refused_before_anything_is_run(
    toy: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(options, "strength", lambda network: LESS)
    done = dpaudit("audit", toy, "--isolate=require", *QUICK)
    assert done.exit_code == 2
    assert f"sandboxes are not whole on this machine: {LESS[1]}; see dpaudit doctor" in done.stderr
    assert not Path("out").exists()


@pytest.mark.parametrize("words", [("--no-isolate", "--isolate=require"), ("--isolate=require", "--no-isolate")])
def test_no_isolation_and_required_isolation_exclude_each_other(toy: Path, words: tuple[str, str]) -> None:
    done = dpaudit("audit", toy, *words, *QUICK)
    assert done.exit_code == 2
    assert "--isolate=require and --no-isolate exclude each other" in done.stderr


@pytest.mark.parametrize(
    ("words", "said"),
    [((), None), (("--no-isolate",), "none: --no-isolate"), (("--isolate=no",), "none: --no-isolate")],
)
def test_a_run_says_how_far_its_sandboxes_are_apart(toy: Path, words: tuple[str, ...], said: str | None) -> None:
    done = dpaudit("audit", toy, *words, *QUICK)
    said = said or namespaces.strength()[1]
    assert f"sandboxes: {said}\n" in done.stdout
    assert json.loads(Path("out/run.json").read_text(encoding="utf-8"))["sandboxes"] == said


@pytest.mark.parametrize("walled", [True, False])
def test_a_run_of_claims_says_what_keeps_claim_files_apart(
    workdir: Path, walled: bool, monkeypatch: pytest.MonkeyPatch
) -> None:
    if not walled:
        monkeypatch.setattr(enclosed, "walls", cache(lambda: None))
    write(workdir / "proofs" / "toy" / "a.py", "CLAIM = None")
    done = dpaudit("verify", "proofs/toy", "--no-report", "--run-dir", "out")
    said = f"claim files: {enclosed.strength()[1]}"
    assert f"sandboxes: {said}" in done.stdout
    assert json.loads(Path("out/run.json").read_text(encoding="utf-8"))["sandboxes"] == said


def test_verify_refuses_to_start_where_claim_files_have_no_walls(
    workdir: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    write(workdir / "proofs" / "toy" / "a.py", claim_text())
    if enclosed.strength()[0]:
        done = dpaudit("verify", "proofs", "--isolate=require", "--no-report", "--run-dir", "out")
        assert done.exit_code == 0
    for kind in (None, enclosed.Walls(own_network=False)):
        monkeypatch.setattr(enclosed, "walls", cache(lambda kind=kind: kind))
        done = dpaudit("verify", "proofs", "--isolate=require")
        assert done.exit_code == 2
        assert "claim files have no whole walls on this machine: " in done.stderr
        assert dpaudit("list", "claims", "--proofs", "proofs", "--isolate=require").exit_code == 2


def test_the_working_directory_may_not_say_what_isolation_is_required(toy: Path) -> None:
    write(Path("dpaudit.toml"), 'isolate = "require"\n')
    done = dpaudit("audit", toy, *QUICK)
    assert done.exit_code == 2
    assert "isolate is not taken from the working directory" in done.stderr


def test_a_claim_file_that_never_loads_stops_no_other_and_its_limit_is_named(workdir: Path) -> None:
    write(workdir / "proofs" / "toy" / "lem_1.py", "X = sum(range(10**14))\n" + claim_text())
    write(workdir / "proofs" / "toy" / "lem_2.py", claim_text("toy/LEM-2"))
    limits = ("--load-limit", "1", "--memory-limit", "2")
    done = dpaudit("list", "claims", *limits)
    assert done.exit_code == 0
    assert "broken: proofs/toy/lem_1.py: loading the file took longer than 1 s: let it do less" in done.stdout
    done = dpaudit("verify", *limits, "--no-report", "--run-dir", "out", "--jobs", "1")
    assert done.exit_code == 3
    assert "= proved                     toy/LEM-2" in done.stdout
    header = json.loads(Path("out/run.json").read_text(encoding="utf-8"))
    assert "--load-limit 1 --memory-limit 2" in header["command"]
