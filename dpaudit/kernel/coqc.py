"""Runs of `coqc`: the compiled Support, and one file of certificates at a time."""

from __future__ import annotations

import resource
import shutil
import subprocess
from collections.abc import Mapping
from importlib.resources import files
from pathlib import Path

from dpaudit.kernel import batch
from dpaudit.kernel.batch import Suspect
from dpaudit.kernel.export import Exported

INSTALL = "apt install coq libcoq-interval libcoq-coquelicot"
PROGRAMS = ("coqc", "coqchk", "coqtop")
FLAGS = ("-q", "-w", "none")
SECONDS = 600
"""Longest that one file may take."""


class Absent(Exception):
    """There is no Coq, or not its libraries; the message says how they are installed."""


class CoqRefused(Exception):
    """`coqc` did not accept a file."""


def support() -> bytes:
    """The text of Support, on which every other text rests."""
    return files("dpaudit.kernel").joinpath("Support.v").read_bytes()


def absent() -> str:
    """How Coq is installed; "" where its programs are there."""
    return "" if all(map(shutil.which, PROGRAMS)) else INSTALL


def prepare(folder: Path) -> None:
    """Compile Support into a folder; Absent where that cannot be."""
    if words := absent():
        raise Absent(words)
    (folder / "Support.v").write_bytes(support())
    done = _run(folder, "Support.v")
    if done.returncode:
        missing = "Cannot find a physical path" in done.stderr or "Unable to locate library" in done.stderr
        raise Absent(INSTALL) if missing else CoqRefused(done.stderr[-500:])


def compiled(folder: Path, name: str, certificates: Mapping[str, Exported]) -> dict[str, frozenset[str]]:
    """What each certificate assumes, by its name, where `coqc` accepts the file of all of them; else CoqRefused."""
    try:
        (folder / f"{name}.v").write_text(batch.text(certificates), "utf-8")
        done = _run(folder, f"{name}.v")
        if done.returncode or done.stderr.strip():
            raise CoqRefused(done.stderr.strip()[-500:] or f"coqc ended with {done.returncode}")
        return batch.shared_out(batch.assumed(done.stdout), certificates)
    except Suspect as error:
        raise CoqRefused(str(error)) from error
    except subprocess.TimeoutExpired as error:
        raise CoqRefused(f"coqc took more than {SECONDS} s") from error


def compile_file(folder: Path, name: str, text: str) -> None:
    """Compile a text beside Support; CoqRefused where that fails."""
    (folder / f"{name}.v").write_text(text, "utf-8")
    done = _run(folder, f"{name}.v")
    if done.returncode:
        raise CoqRefused(done.stderr.strip()[-500:] or f"coqc ended with {done.returncode}")


def _run(folder: Path, file: str) -> subprocess.CompletedProcess[str]:
    command = ["coqc", *FLAGS, "-Q", str(folder), "Dp", file]
    return subprocess.run(command, cwd=folder, capture_output=True, text=True, timeout=SECONDS, check=False)


def processor_seconds() -> float:
    """The processor time of this process and of those that it waited for."""
    own, others = resource.getrusage(resource.RUSAGE_SELF), resource.getrusage(resource.RUSAGE_CHILDREN)
    return own.ru_utime + own.ru_stime + others.ru_utime + others.ru_stime
