"""Runs on a disk that is full at every possible place; started by test_faults.py in a mount namespace of its own.

    unshare -rm python small_disk.py CONTENT

One line of JSON a case: where the disk lay, what was said, whether a resumed run has the files of one never stopped.
"""

from __future__ import annotations

import json
import os
import subprocess
import sys
import tempfile
from collections.abc import Sequence
from pathlib import Path

sys.path.insert(0, str(Path(__file__).parent))

from depth import repeats
from resumed_runs import files, go_on, planned, silent

from dpaudit.records.errors import ConfigurationError
from dpaudit.records.verdict import Verdict
from dpaudit.runs.execute import run
from dpaudit.runs.plan import Plan
from dpaudit.runs.task import Task

LARGE = "size=64m"
SIZES = range(8, 400, repeats(24, 8))
"""KiB of the disk, some pages more each time, until a run fits."""


def mounted(place: Path, *options: str) -> None:
    """A disk in memory at `place`, or the options of the one that is there."""
    place.mkdir(exist_ok=True)
    subprocess.run(["mount", "-t", "tmpfs", "-o", ",".join(options), "none", str(place)], check=True)


def remounted(place: Path, *options: str) -> None:
    subprocess.run(["mount", "-o", ",".join(("remount", *options)), str(place)], check=True)


def attempt(plan: Plan, folder: Path, observe: object = silent) -> str:
    """What a run says that cannot be written; empty if it ends."""
    try:
        run(plan, folder, observe)  # type: ignore[arg-type]
    except ConfigurationError as error:
        return str(error)
    return ""


def full(home: Path, whole: dict[str, str]) -> None:
    """The disk of the run folder is full, at every place where it can be."""
    disk = home / "disk"
    for size in SIZES:
        mounted(disk, f"size={size}k")
        said = attempt(planned(), disk)
        remounted(disk, LARGE)
        if (disk / "run.json").exists():
            go_on(disk)
        report("full", said, (disk / "run.json").exists() and files(disk) == whole)
        subprocess.run(["umount", str(disk)], check=True)
        if not said:
            return


def dpaudit(case: str, disk: Path, out: Path, *words: str) -> None:
    """A command line of which something does not fit on `disk`, and the run gone on with; then compared."""
    from click.testing import CliRunner

    from dpaudit.cli.main import program

    command = ["verify", "proofs/toy", "--no-cache", "--jobs", "1"]
    CliRunner().invoke(program, [*command, "--no-report", "--run-dir", f"{case}-whole"], catch_exceptions=False)
    done = CliRunner().invoke(program, [*command, "--run-dir", str(out), *words], catch_exceptions=False)
    assert done.exit_code == 2, done.output
    remounted(disk, LARGE)
    again = CliRunner().invoke(program, ["resume", str(out), "--no-report"], catch_exceptions=False)
    assert again.exit_code == 0, again.output
    page = CliRunner().invoke(program, ["report", str(out)], catch_exceptions=False)
    assert page.exit_code == 0, page.output
    report(case, done.stderr, files(out) == files(Path(f"{case}-whole")))
    subprocess.run(["umount", str(disk)], check=True)


def outputs(home: Path, whole: dict[str, str]) -> None:
    """The records fit, the page does not; the run folder fits, the file of --output does not."""
    disk = home / "disk"
    mounted(disk, "size=56k")
    dpaudit("page", disk, disk)
    mounted(disk, "size=4k")
    dpaudit("output", disk, home / "out", "--no-report", "--format", "jsonl", "--output", str(disk / "lines.jsonl"))


def read_only(home: Path, whole: dict[str, str]) -> None:
    """The disk of the run folder becomes read-only, before and in the middle of a run."""
    disk = home / "disk"
    mounted(disk, LARGE, "ro")
    report("read-only", attempt(planned(), disk), False)
    remounted(disk, LARGE, "rw")

    def observe(task: Task, verdicts: Sequence[Verdict]) -> None:
        if task.name == "toy/LEM-2":
            remounted(disk, LARGE, "ro")

    said = attempt(planned(), disk, observe)
    try:
        go_on(disk)
    except ConfigurationError as error:
        report("resume on read-only", str(error), False)
    remounted(disk, LARGE, "rw")
    go_on(disk)
    report("read-only", said, files(disk) == whole)
    subprocess.run(["umount", str(disk)], check=True)


def scratch(home: Path, whole: dict[str, str]) -> None:
    """The disk for temporary files is full: there is no room for a folder, or for folders but no file in them."""
    for options in (("size=4k", "nr_inodes=1"), ("size=4k", "nr_inodes=9")):
        disk, out = home / "scratch", home / "-".join(options)
        mounted(disk, *options)
        if options[1].endswith("9"):
            (disk / "filler").write_bytes(b"x" * 4096)
        tempfile.tempdir = str(disk)
        said = attempt(planned(), out)
        tempfile.tempdir = None
        go_on(out)
        report("scratch", said, files(out) == whole)
        subprocess.run(["umount", str(disk)], check=True)


def report(case: str, said: str, same: bool) -> None:
    print(json.dumps({"case": case, "said": said, "same": same}), flush=True)


if __name__ == "__main__":
    here = Path(sys.argv[1])
    os.chdir(here)
    run(planned(), here / "whole", silent)
    wanted = files(here / "whole")
    for check in (full, read_only, scratch, outputs):
        check(here, wanted)
