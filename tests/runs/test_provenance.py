"""What a run was made with, without the name of a user, a host or a path."""

from __future__ import annotations

import getpass
import json
import platform
import subprocess
from pathlib import Path

import numpy
import pytest

from dpaudit import __version__
from dpaudit.runs import provenance


def git(folder: Path, *arguments: str) -> None:
    """Run git in `folder` with an identity of its own."""
    identity = ["-c", "user.name=n", "-c", "user.email=e@example.org", "-c", "commit.gpgsign=false"]
    subprocess.run(["git", *identity, *arguments], cwd=folder, check=True, capture_output=True)


@pytest.fixture
def checkout(tmp_path: Path) -> Path:
    """A git repository with one commit."""
    git(tmp_path, "init", "-q")
    (tmp_path / "file").write_text("one\n")
    git(tmp_path, "add", "file")
    git(tmp_path, "commit", "-qm", "first")
    return tmp_path


def test_versions_are_those_installed() -> None:
    versions = provenance.versions()
    assert versions["dpaudit"] == __version__
    assert versions["python"] == platform.python_version()
    assert versions["numpy"] == numpy.__version__
    assert provenance.version("no-such-distribution") is None


def test_a_clean_checkout_names_its_commit(checkout: Path) -> None:
    found = provenance.checkout(checkout)
    assert found is not None
    assert len(found["commit"]) == 40
    assert (found["dirty"], found["dirty_digest"]) == (False, None)


def test_changes_are_seen_and_told_apart(checkout: Path) -> None:
    digests = set()
    for text in ("two\n", "three\n"):
        (checkout / "file").write_text(text)
        found = provenance.checkout(checkout)
        assert found is not None
        assert found["dirty"]
        digests.add(found["dirty_digest"])
    assert len(digests) == 2


PROGRAMS = {
    "a monitor of files": ("core.fsmonitor",),
    "a filter": ("filter.mine.clean", "filter.mine.smudge"),
    "a long-lived filter": ("filter.mine.process",),
    "a filter with a strange name": ("filter.mine=x.clean", "filter.mine=x.smudge"),
    "a driver of differences": ("diff.mine.command", "diff.mine.textconv", "diff.external"),
}


@pytest.mark.parametrize("keys", PROGRAMS.values(), ids=PROGRAMS)
def test_no_program_that_the_checkout_names_is_started(checkout: Path, keys: tuple[str, ...]) -> None:
    """The same checkout starts it where `git status` and `git diff` are called by hand."""
    ran, program = checkout / "ran", checkout / ".git" / "program"
    program.write_text(f"#!/bin/sh\ntouch '{ran}'\ncat\n")
    program.chmod(0o755)
    name = "mine=x" if "=" in keys[0] else "mine"
    (checkout / ".gitattributes").write_text(f"file filter={name} diff=mine\n")
    for key in keys:
        subprocess.run(["git", "config", key, str(program)], cwd=checkout, check=True)
    (checkout / "file").write_text("two\n")
    found = provenance.checkout(checkout)
    assert found is not None
    assert found["dirty"]
    assert not ran.exists()
    for command in ("status", "diff"):
        subprocess.run(["git", command], cwd=checkout, check=False, capture_output=True, timeout=60)
    assert ran.exists(), "the program would not have been started anyway"


def test_a_filter_of_the_configuration_of_a_worktree_is_not_started(checkout: Path) -> None:
    ran = checkout / "ran"
    git(checkout, "config", "extensions.worktreeConfig", "true")
    git(checkout, "config", "--worktree", "filter.mine.clean", f"touch '{ran}'; cat")
    (checkout / ".gitattributes").write_text("file filter=mine\n")
    (checkout / "file").write_text("two\n")
    assert provenance.checkout(checkout) is not None
    assert not ran.exists()


def test_outside_of_git_there_is_no_commit(tmp_path: Path) -> None:
    assert provenance.checkout(tmp_path) is None


def test_without_git_there_is_no_commit(checkout: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("PATH", "")
    assert provenance.checkout(checkout) is None


def test_hardware_is_counted() -> None:
    hardware = provenance.hardware()
    assert hardware["processors"] >= 1
    assert hardware["memory_gib"] is None or hardware["memory_gib"] > 0


def test_nothing_private_is_recorded(checkout: Path) -> None:
    text = json.dumps(provenance.provenance(checkout))
    assert str(checkout) not in text
    assert f'"{platform.node()}"' not in text
    assert f'"{getpass.getuser()}"' not in text


def test_the_digest_of_content_follows_its_bytes(tmp_path: Path) -> None:
    file = tmp_path / "a.py"
    file.write_text("1")
    one = provenance.content_digest([file])
    assert provenance.content_digest([file]) == one
    file.write_text("2")
    assert provenance.content_digest([file]) != one
