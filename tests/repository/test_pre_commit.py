"""The hooks of pre-commit: a manifest as pre-commit reads it, and entries that run as pre-commit calls them."""

from __future__ import annotations

import re
import shlex
import subprocess
import sys
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest
import yaml
from small_content import claim_text, write

from dpaudit.cli import starters
from dpaudit.content.places import files_of_claims

ROOT = Path(__file__).parents[2]
REQUIRED = {"id": str, "name": str, "entry": str, "language": str}
OPTIONAL = {
    "additional_dependencies": list, "alias": str, "always_run": bool, "args": list, "description": str,
    "exclude": str, "exclude_types": list, "fail_fast": bool, "files": str, "language_version": str, "log_file": str,
    "minimum_pre_commit_version": str, "pass_filenames": bool, "require_serial": bool, "stages": list, "types": list,
    "types_or": list, "verbose": bool,
}  # fmt: skip
"""The keys of a hook and their types, as pre-commit documents them; any other it ignores without a word."""
HOOKS: dict[str, dict[str, Any]] = {
    hook["id"]: hook for hook in yaml.safe_load((ROOT / ".pre-commit-hooks.yaml").read_text(encoding="utf-8"))
}
KINDS = {"dpaudit-audit": "audits", "dpaudit-verify": "proofs"}
Committed = Callable[[str], subprocess.CompletedProcess[str]]


def chosen(hook: dict[str, Any], names: list[str]) -> list[str]:
    """The files that pre-commit passes to a hook: found by `files`, not by `exclude`."""
    return [name for name in names if re.search(hook["files"], name) and not re.search(hook["exclude"], name)]


def test_there_is_a_hook_for_claims_and_one_for_targets() -> None:
    assert set(HOOKS) == set(KINDS)


@pytest.mark.parametrize("hook", HOOKS.values(), ids=HOOKS)
def test_the_manifest_has_the_keys_that_pre_commit_reads(hook: dict[str, Any]) -> None:
    assert set(REQUIRED) <= set(hook) <= {*REQUIRED, *OPTIONAL}
    assert {key for key, value in hook.items() if type(value) is not {**REQUIRED, **OPTIONAL}[key]} == set()
    assert hook["language"] == "python", "pre-commit installs this repository into an environment of its own"
    assert hook["require_serial"], "files that are audited at the same time would share no error budget"
    assert hook.get("pass_filenames", True)


@pytest.mark.parametrize("name", KINDS)
def test_a_hook_gets_exactly_the_files_that_are_collected(name: str) -> None:
    folder = ROOT / KINDS[name]
    files = [path.relative_to(ROOT).as_posix() for path in folder.rglob("*") if path.is_file()]
    passed = [ROOT / file for file in chosen(HOOKS[name], files)]
    assert {*files_of_claims(passed)} == {*files_of_claims([folder])}
    assert chosen(HOOKS[name], ["src/a.py", "tests/proofs/a.py", "tests/audits/a.py", "setup.py"]) == []


def test_the_page_shows_hooks_that_there_are() -> None:
    page = (ROOT / "docs" / "continuous_integration.md").read_text(encoding="utf-8")
    shown = [yaml.safe_load(block) for block in re.findall(r"(?ms)^```yaml\n(.+?)^```", page)]
    remote, local = (made["repos"][0]["hooks"] for made in shown)
    assert {hook["id"] for hook in remote} == set(HOOKS)
    for hook in local:
        written = {**HOOKS[hook["id"]], "language": "system"}
        assert hook == {key: value for key, value in written.items() if key not in ("description", "types")}


@pytest.fixture
def committed(workdir: Path, monkeypatch: pytest.MonkeyPatch) -> Committed:
    """Calls a hook in a git repository as a commit does: with the names of the files that are staged."""
    subprocess.run(["git", "init", "--quiet"], check=True)
    write(workdir / "README.py", "no target\n")

    def commit(name: str) -> subprocess.CompletedProcess[str]:
        subprocess.run(["git", "add", "--all"], check=True)
        staged = subprocess.run(["git", "diff", "--cached", "--name-only"], capture_output=True, text=True, check=True)
        program, *words = shlex.split(HOOKS[name]["entry"])
        assert program == "dpaudit"
        names = chosen(HOOKS[name], staged.stdout.splitlines())
        assert names
        return subprocess.run(
            [sys.executable, "-m", program, *words, *names], capture_output=True, text=True, check=False
        )

    return commit


def unchanged() -> bool:
    """Are the tracked files as they were staged? pre-commit fails a hook that changes one."""
    return not subprocess.run(["git", "diff", "--name-only"], capture_output=True, check=True).stdout


@pytest.mark.deep
def test_the_starter_audit_may_be_committed(committed: Committed, workdir: Path) -> None:
    write(workdir / "audits" / "mine.py", starters.starter("audit").source.read_text(encoding="utf-8"))
    write(workdir / "audits" / "_shared.py", "raise SystemExit\n")
    done = committed("dpaudit-audit")
    assert done.returncode == 0, done.stdout + done.stderr
    assert "1 consistent" in done.stdout
    assert unchanged()
    assert not list(workdir.rglob("report.html"))


@pytest.mark.deep
def test_a_false_claim_may_not_and_is_named(committed: Committed, workdir: Path) -> None:
    write(workdir / "proofs" / "toy" / "lem_1.py", claim_text())
    write(workdir / "proofs" / "toy" / "lem_2.py", claim_text("toy/LEM-2", "a**2 + b**2"))
    done = committed("dpaudit-verify")
    assert done.returncode == 1, done.stdout + done.stderr
    assert "toy/LEM-2" in done.stdout
    assert unchanged()
    write(workdir / "proofs" / "toy" / "lem_2.py", claim_text("toy/LEM-2"))
    assert committed("dpaudit-verify").returncode == 0
