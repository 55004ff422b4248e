"""The command `archive`, end to end: packed, unpacked elsewhere, digests and certificates checked, the page opened."""

from __future__ import annotations

import json
import re
import shutil
import subprocess
import sys
import zipfile
from pathlib import Path
from urllib.parse import unquote, urlsplit

import archived_runs
import pytest
from command_line import dpaudit
from report_page import Page

from dpaudit.records.verdict import ExitCode
from dpaudit.runs import store


@pytest.fixture
def run(workdir: Path) -> Path:
    archived_runs.content(workdir)
    return archived_runs.made(workdir / "out" / "monday")


def unpacked(archive: Path, folder: Path) -> Path:
    with zipfile.ZipFile(archive) as packed:
        packed.extractall(folder)
    return folder


def test_a_run_goes_into_an_archive_and_comes_out_whole(run: Path, tmp_path_factory: pytest.TempPathFactory) -> None:
    done = dpaudit("archive", run)
    assert (done.exit_code, done.stdout) == (0, "monday.zip\n"), done.output
    home = unpacked(Path("monday.zip"), tmp_path_factory.mktemp("unpacked"))
    shutil.rmtree(run)
    said = subprocess.run(["sha256sum", "-c", "--strict", "MANIFEST"], cwd=home, capture_output=True, text=True)
    assert (said.returncode, said.stderr) == (0, "")
    assert said.stdout.count(": OK\n") == sum(path.is_file() for path in home.rglob("*")) - 1
    found = dpaudit("check", home / "run")
    assert found.exit_code == 0, found.output
    assert dpaudit("recheck", home / "run", "--proofs", home / "content" / "proofs").exit_code == 0


@pytest.mark.parametrize("start", [("-I", "-S", "checker"), ("-E", "-S", "-m", "dpaudit.recheck")])
def test_its_certificates_are_rechecked_with_nothing_installed(
    run: Path, tmp_path_factory: pytest.TempPathFactory, start: tuple[str, ...]
) -> None:
    assert dpaudit("archive", run, "-o", "a.zip").exit_code == 0
    home = unpacked(Path("a.zip"), tmp_path_factory.mktemp("unpacked"))
    files = sorted((home / "run" / "certificates").glob("*.json"))
    assert len(files) >= 3
    where = home / "checker" if "-m" in start else home
    words = [sys.executable, *start, "-"]
    given = "".join(f"{path}\n" for path in files)
    done = subprocess.run(words, input=given, cwd=where, env={}, capture_output=True, text=True, check=False)
    assert done.returncode == 0, done.stdout + done.stderr
    assert [json.loads(line)["accepted"] for line in done.stdout.splitlines()] == [True] * len(files)
    files[0].write_text(files[0].read_text(encoding="utf-8").replace("toy/", "yot/"), encoding="utf-8")
    done = subprocess.run(words, input=given, cwd=where, env={}, capture_output=True, text=True, check=False)
    assert done.returncode == 1


def test_the_checker_of_the_archive_is_its_own(run: Path, tmp_path_factory: pytest.TempPathFactory) -> None:
    assert dpaudit("archive", run, "-o", "a.zip").exit_code == 0
    home = unpacked(Path("a.zip"), tmp_path_factory.mktemp("unpacked"))
    (home / "checker" / "dpaudit" / "recheck" / "check.py").write_text("raise SystemExit(7)\n", encoding="utf-8")
    done = subprocess.run([sys.executable, "-I", "checker", "x"], cwd=home, check=False)
    assert done.returncode == 7, "not one that is installed"


def test_the_page_opens_and_its_links_lead_to_files(run: Path, tmp_path_factory: pytest.TempPathFactory) -> None:
    assert dpaudit("archive", run, "-o", "a.zip").exit_code == 0
    home = unpacked(Path("a.zip"), tmp_path_factory.mktemp("unpacked")) / "run"
    links = [link for link in Page((home / "report.html").read_text(encoding="utf-8")).values("href") if link[0] != "#"]
    assert any(link.startswith("certificates/") for link in links)
    assert [link for link in links if not (home / unquote(urlsplit(link).path)).is_file()] == []


def test_the_commands_that_the_readme_names_work_in_the_archive(
    run: Path, tmp_path_factory: pytest.TempPathFactory
) -> None:
    assert dpaudit("archive", run, "-o", "a.zip").exit_code == 0
    home = unpacked(Path("a.zip"), tmp_path_factory.mktemp("unpacked"))
    text = (home / "README.md").read_text(encoding="utf-8").replace("python3", sys.executable)
    blocks = re.findall(r"```text\n(sha256sum.*?|find.*?)\n```", text, re.DOTALL)
    assert len(blocks) == 2
    for block in blocks:
        assert subprocess.run(["sh", "-c", block], cwd=home, capture_output=True, check=False).returncode == 0, block
    assert (home / "recheck.jsonl").read_text(encoding="utf-8").count('"accepted": true') >= 3


def test_an_archive_that_is_there_is_replaced_only_if_that_is_said(run: Path) -> None:
    Path("a.zip").write_text("mine", encoding="utf-8")
    done = dpaudit("archive", run, "-o", "a.zip")
    assert done.exit_code == ExitCode.USAGE
    assert "is there already; name another file, or replace it with --force" in done.stderr
    assert Path("a.zip").read_text(encoding="utf-8") == "mine"
    assert dpaudit("archive", run, "-o", "a.zip", "--force").exit_code == 0
    assert zipfile.is_zipfile("a.zip")


@pytest.mark.parametrize(("file", "said"), [("a.tar", "ends in .zip"), ("no/such/a.zip", "no folder 'no/such'")])
def test_a_place_that_cannot_take_it_is_refused_before_the_work(run: Path, file: str, said: str) -> None:
    done = dpaudit("archive", run, "-o", file)
    assert done.exit_code == ExitCode.USAGE
    assert said in done.stderr


def test_a_damaged_run_leaves_no_file(run: Path) -> None:
    with (run / "records.jsonl").open("a", encoding="utf-8") as file:
        file.write("{}\n")
    done = dpaudit("archive", run, "-o", "a.zip")
    assert done.exit_code == ExitCode.USAGE
    assert "what is damaged is not archived" in done.stderr
    assert [path.name for path in Path().iterdir() if path.suffix != ""] == []


def test_a_crash_leaves_no_half_file(run: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    def full(handle: int) -> None:
        raise OSError(28, "No space left on device", "a.zip.tmp")

    monkeypatch.setattr(store.os, "fsync", full)
    done = dpaudit("archive", run, "-o", "a.zip")
    assert done.exit_code == ExitCode.USAGE
    assert "free some space" in done.stderr
    assert list(Path().glob("a.zip*")) == []
