"""A container that runs under any number: no name, no home, no group of its own."""

from __future__ import annotations

import os
import shutil
import subprocess
import sys
from pathlib import Path

import pytest
from small_content import claim_text, target_text, write

ROOT = Path(__file__).parents[2]
NUMBER = "12345"
NOBODY = ("unshare", "--user", f"--map-user={NUMBER}", f"--map-group={NUMBER}")


def allowed() -> bool:
    """May this user have another number in a namespace? Else nothing is tested here."""
    if shutil.which("unshare") is None:
        return False
    return subprocess.run([*NOBODY, "true"], capture_output=True, check=False).returncode == 0


@pytest.mark.deep
@pytest.mark.skipif(not allowed(), reason="no user namespaces on this machine")
@pytest.mark.parametrize("command", ["verify", "audit"])
def test_a_user_without_a_name_and_a_home_is_served(workdir: Path, command: str) -> None:
    write(workdir / "proofs" / "toy" / "lem_1.py", claim_text("toy/LEM-1"))
    write(workdir / "audits" / "sum.py", target_text(trials=1000))
    here = os.pathsep.join([str(ROOT), os.environ.get("PYTHONPATH", "")])
    words = [sys.executable, "-m", "dpaudit", command, "--no-report", "--run-dir", "out"]
    words += ["audits", "--no-controls"] if command == "audit" else []
    done = subprocess.run(
        [*NOBODY, *words], capture_output=True, text=True, check=False, cwd=workdir,
        env={"PATH": os.environ["PATH"], "PYTHONPATH": here},
    )  # fmt: skip
    assert done.returncode == 0, done.stdout + done.stderr
    assert "Exit code 0: every outcome is the expected one" in done.stdout
