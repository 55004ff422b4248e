"""`dpaudit challenge`: what is open, and a folder to work on it."""

from __future__ import annotations

from pathlib import Path

from command_line import dpaudit
from open_claims import papers

from dpaudit.records.verdict import ExitCode


def test_without_an_id_it_lists_what_is_open(workdir: Path) -> None:
    lines = dpaudit("challenge", "--proofs", str(papers(workdir))).stdout.splitlines()
    assert [line.split()[0] for line in lines] == ["name", "toy/LEM-1~best-height", "toy/LEM-1/s1"][-len(lines) :]
    assert "2/5 is proved, 1/5 refuted" in "\n".join(lines)


def test_a_folder_is_made_and_the_next_command_named(workdir: Path) -> None:
    folder = str(papers(workdir))
    done = dpaudit("challenge", "toy/LEM-1/s1", "--proofs", folder)
    assert done.stdout == "challenge-toy_LEM-1_s1\n"
    assert "dpaudit judge challenge-toy_LEM-1_s1/answer/answer.py --challenge toy/LEM-1/s1" in done.stderr
    again = dpaudit("challenge", "toy/LEM-1/s1", "--proofs", folder)
    assert again.exit_code == ExitCode.USAGE
    assert "--into names another folder" in again.stderr
    assert dpaudit("challenge", "toy/LEM-1/s1", "--proofs", folder, "--into", "it").stdout == "it\n"


def test_what_is_not_open_is_refused_with_the_nearest_id(workdir: Path) -> None:
    done = dpaudit("challenge", "toy/LEM-1/s2", "--proofs", str(papers(workdir)))
    assert done.exit_code == ExitCode.USAGE
    assert "did you mean 'toy/LEM-1/s1'" in done.stderr
