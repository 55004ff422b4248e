"""A control group for each sandbox and each copy, where a part of their tree was handed to this user: limits for all
that runs in it.

A limit of a process counts what the process itself has allocated. That of a group counts all processes of a sandbox
together, shared memory and files in memory too. Linux has them (version 2); who may make some was decided by whoever
manages the tree: systemd hands a user the part below `user@UID.service`, so that a `systemd-run --user --scope` is
enough, and root what is marked as delegated. Where nothing was handed over, nothing is made.
"""

from __future__ import annotations

import contextlib
import os
import subprocess
import sys
import tempfile
import time
from collections.abc import Iterator
from dataclasses import dataclass
from functools import cache
from pathlib import Path

TABLE, OWN = Path("/proc/self/mountinfo"), Path("/proc/self/cgroup")
"""What is mounted where, and the groups of this process."""
NEEDED = frozenset({"memory", "pids"})
"""The controllers that limit what is limited here."""
PROCESSES = 8192
"""At most so many processes and threads at a time, as in `walls`."""
NAME = "dpaudit-"
"""The beginning of the names of groups."""
_JOIN = 'echo 0 >"$0/cgroup.procs" && exec "$@"'
_MARKS = ("trusted.delegate", "user.delegate")  # what systemd writes on a group that it leaves to others
_OLD, _PATIENCE, _PAUSE = 600.0, 2.0, 0.02  # seconds


@dataclass(frozen=True)
class Group:
    """One group, by its folder."""

    folder: Path

    @property
    def words(self) -> tuple[str, ...]:
        """Those before the words of a program that is to run in it, with all that it starts."""
        return ("sh", "-c", _JOIN, str(self.folder))

    def join(self) -> None:
        """Put this process into it, with all that it will start."""
        (self.folder / "cgroup.procs").write_text("0")

    def overrun(self) -> bool:
        """Did the kernel end something in it for want of memory?"""
        with contextlib.suppress(OSError, ValueError):
            rows = (line.split() for line in (self.folder / "memory.events").read_text().splitlines())
            return any(name == "oom_kill" and int(number) for name, number in rows)
        return False


def whole(memory: int) -> int:
    """Bytes of all processes together: a sandbox makes a copy of itself for each processor, which may change nothing
    but its time, so that each has what one alone may have."""
    return memory * len(os.sched_getaffinity(0))


def together(memory: int) -> str:
    """What all processes of one may have, in words: `whole(memory)`."""
    return f"{whole(memory) / (1 << 30):g} GiB"


def said(each: str) -> str:
    """The end of the words on what each sandbox, or copy, has: that it has a group, where it has one."""
    return f"; one limit of memory and of processes for each {each}" if home() else ""


@contextlib.contextmanager
def made(memory: int) -> Iterator[Group | None]:
    """A new group whose processes have at most `whole(memory)` bytes together, ended with all that runs in it; None
    where this user was handed no part of the tree. OSError where the kernel makes no group now."""
    place = home()
    if place is None:
        yield None
        return
    with _one(place, whole(memory)) as group:
        yield group


@contextlib.contextmanager
def _one(place: Path, memory: int) -> Iterator[Group]:
    group = Group(Path(tempfile.mkdtemp(prefix=NAME, dir=place)))
    try:
        (group.folder / "pids.max").write_text(str(PROCESSES))
        (group.folder / "memory.max").write_text(str(memory))
        (group.folder / "memory.oom.group").write_text("1")  # whichever process is the largest: all end together
        with contextlib.suppress(FileNotFoundError):  # a machine without swap may have no such file
            (group.folder / "memory.swap.max").write_text("0")
        yield group
    finally:
        _end(group.folder)


def _end(folder: Path) -> None:
    """Kill what runs in a group and remove it; what cannot be removed now is swept later."""
    with contextlib.suppress(OSError):
        (folder / "cgroup.kill").write_text("1")
    deadline = time.monotonic() + _PATIENCE
    while not _removed(folder) and time.monotonic() < deadline:
        time.sleep(_PAUSE)


def _removed(folder: Path) -> bool:
    """Is a group gone? The kernel keeps it while something runs in it."""
    try:
        folder.rmdir()
    except FileNotFoundError:
        return True
    except OSError:
        return False
    return True


@cache
def home() -> Path | None:
    """The group below which sandboxes have theirs; None where this user was handed none that counts memory and
    processes. It was tried with a program."""
    if sys.platform != "linux":
        return None
    with contextlib.suppress(OSError):
        own = _own()
        places = () if own is None else (own[1], *own[1].parents)
        for place in places:
            if own is None or not place.is_relative_to(own[0]):
                break
            if _handed_over(place, own[0]) and _works(place):
                _sweep(place)
                return place
    return None


def _own() -> tuple[Path, Path] | None:
    """Where the tree is mounted, and the folder of the group of this process; None without a tree of version 2."""
    rows = (line.split() for line in TABLE.read_text().splitlines())
    tree = next(((row[3], Path(row[4])) for row in rows if row[row.index("-") + 1] == "cgroup2"), None)
    named = next((line[3:] for line in OWN.read_text().splitlines() if line.startswith("0::")), None)
    if tree is None or named is None:
        return None
    root, mounted = tree
    inside = os.path.relpath(named, root)
    return None if inside.startswith("..") else (mounted, mounted / inside)


def _handed_over(place: Path, tree: Path) -> bool:
    """May this user make groups with limits in a group, in the eyes of whoever manages the tree?"""
    able = set((place / "cgroup.subtree_control").read_text().split()) >= NEEDED
    writable = all(os.access(one, os.W_OK) for one in (place, place / "cgroup.procs"))
    if os.getuid() == 0:
        above = (place, *(one for one in place.parents if one.is_relative_to(tree)))
        return able and writable and any(_marked(one) for one in above)
    return able and writable and place.stat().st_uid == os.getuid()


def _marked(folder: Path) -> bool:
    for mark in _MARKS:
        with contextlib.suppress(OSError):
            if os.getxattr(folder, mark) == b"1":
                return True
    return False


def _works(place: Path) -> bool:
    """Does a program start in a group that is made there?"""
    with contextlib.suppress(OSError, subprocess.SubprocessError), _one(place, 1 << 28) as group:
        return subprocess.run([*group.words, "true"], capture_output=True, timeout=10).returncode == 0
    return False


def _sweep(place: Path) -> None:
    """Remove groups that processes left behind which were killed: they are old, and nothing runs in them."""
    for folder in place.glob(f"{NAME}*"):
        with contextlib.suppress(OSError):
            if time.time() - folder.stat().st_mtime > _OLD:
                _removed(folder)
