"""What a command can see: the content of the working directory, or of the folders that are named."""

from __future__ import annotations

from pathlib import Path

import pytest
from small_content import claim_text, target_text, write

from dpaudit.cli.collected import COLLECTIONS, collection
from dpaudit.confinement.limits import Limits

LIMITS = Limits(60.0, 8.0)


@pytest.fixture
def content(workdir: Path) -> Path:
    """A working directory with a claim, a target, and another folder of each."""
    for base, name in ((workdir, "here"), (workdir / "other", "there")):
        write(base / "proofs" / "toy" / "a.py", claim_text(f"toy/{name}"))
        write(base / "audits" / "a.py", target_text(f"toy/{name}"))
    return workdir


@pytest.mark.parametrize("kind", ["claims", "targets"])
def test_the_working_directory_unless_a_folder_is_named(content: Path, kind: str) -> None:
    assert [item.name for item in collection(kind, None, None, LIMITS, False)] == ["toy/here"]
    other = content / "other"
    named = collection(kind, other / "proofs", other / "audits", LIMITS, False)
    assert [item.name for item in named] == ["toy/there"]


def test_algorithms_come_with_the_package(content: Path) -> None:
    assert "rbcd/ALG-1" in {item.name for item in collection("algorithms", None, None, LIMITS, False)}
    assert COLLECTIONS == ("claims", "algorithms", "targets")
