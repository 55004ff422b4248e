"""Walls around a forked copy of this process: what `walls` builds, without the programs that start a sandbox.

A copy has one thread, so that it can make namespaces itself. Its first child is the first process of the new PID
namespace, a program that waits for the copy to end, with which everything there ends; its second child, a copy again,
builds the walls and works behind them, without any capability. It reaches neither of the two: so it cannot outlive the
process that it is a copy of, whatever it asks the kernel for. To copy a process takes longer than all walls; so the
program that waits is no copy.
"""

from __future__ import annotations

import contextlib
import ctypes
import errno
import os
import signal
import sys
from collections.abc import Callable
from dataclasses import dataclass
from functools import cache
from pathlib import Path
from typing import NoReturn

from dpaudit.confinement import control_groups, namespaces, scratch

UNWALLED = 75
"""The exit code of a copy around which no walls could be built. What works behind walls cannot end with it."""
TOLD = "DPAUDIT_CLAIM_WALLS"
"""The environment variable by which processes are told what walls copies have here."""
_NEW_USER, _NEW_MOUNTS, _NEW_IPC, _NEW_PID, _NEW_NET = 0x10000000, 0x20000, 0x8000000, 0x20000000, 0x40000000
_PRIVATE, _REC, _NOSUID, _NODEV, _NOEXEC = 1 << 18, 16384, 2, 4, 8  # sys/mount.h
_DEATH_SIGNAL, _BOUNDING_DROP, _AMBIENT, _CLEAR_ALL = 1, 24, 47, 4  # linux/prctl.h
_CAPABILITIES, _VERSION_3 = 64, 0x20080522  # linux/capability.h
_SHARED = 1 << 20
_WAITS, _READS = (("/bin/cat",), ("/usr/bin/cat",)), "import sys; sys.stdin.read()"
"""Programs that read until their input ends."""


@dataclass(frozen=True)
class Walls:
    """What a copy has around it. own_network: it has no network but a loopback device of its own."""

    own_network: bool


_KINDS = (Walls(True), Walls(False))
"""From the most that a machine may allow to the least."""
_NONE = "none"


@cache
def walls() -> Walls | None:
    """What copies have here; None where the machine allows no walls. OSError where it has no process left to try them.

    Asked once, by building them: the processes that this one starts are told.
    """
    told = os.environ.get(TOLD, "")
    if sys.platform != "linux" or told == _NONE or not hasattr(os, "fork"):
        return None
    if told.isdecimal() and int(told) < len(_KINDS):
        return _KINDS[int(told)]
    number = next((number for number, one in enumerate(_KINDS) if _stand(one)), None)
    os.environ[TOLD] = _NONE if number is None else str(number)
    return None if number is None else _KINDS[number]


def strength() -> tuple[bool, str]:
    """Have copies for claim files all that this package asks of a machine, and in words, what they have."""
    if walls() is None and not hasattr(os, "fork"):
        return False, "nothing: they run in the process that decides"
    whole, words = _strength(walls())
    return whole, words + control_groups.said("copy")


def _strength(found: Walls | None) -> tuple[bool, str]:
    if found is None:
        return False, "limits of time and memory alone: files are writable and the network is open"
    said = "PID namespace, no capability, no new privileges, files are read-only"
    return (True, f"{said}, no network") if found.own_network else (False, f"{said}; the network is open")


def hidden(folder: Path, file: Path) -> tuple[str, ...]:
    """The folders that the work on `file` in `folder` does not see."""
    return () if namespaces.needs_services(file, folder) else (namespaces.SERVICES,)


def enter(kind: Walls, folder: Path, shared: int, away: tuple[str, ...], leave: Callable[[], None]) -> None:
    """Put walls around this copy: comes back behind them, in another process; the one before never comes back.

    folder: an empty one, the only one that can be written then; shared: bytes of shared memory; away: folders that are
    not seen; leave: lets go of what only the work needs. OSError where a wall cannot be built, in whichever process.
    """
    from dpaudit.confinement import walls as build  # of Linux alone

    _namespaces(kind)
    build.mount("none", "/", flags=_REC | _PRIVATE)
    ours = _first()
    reads, stand = os.pipe()
    worker = os.fork()
    if worker:
        leave()
        os.close(stand)
        _end_as(worker, reads)
    os.close(ours)
    os.close(reads)
    _libc().prctl(_DEATH_SIGNAL, signal.SIGKILL)
    build.mount("proc", "/proc", "proc", _NOSUID | _NODEV | _NOEXEC)
    build.build(str(folder), shared, away, own_network=kind.own_network)
    os.setsid()
    build.few_calls()
    _drop()
    os.write(stand, b"1")
    os.close(stand)


def _first() -> int:
    """Start the first process of the namespace: it ends with the descriptor that comes back, which no program gets."""
    theirs, ours = os.pipe()
    program = next((one for one in _WAITS if os.access(one[0], os.X_OK)), (sys.executable, "-I", "-S", "-c", _READS))
    actions = [(os.POSIX_SPAWN_DUP2, theirs, 0)]
    null = os.open(os.devnull, os.O_RDWR)
    actions += [(os.POSIX_SPAWN_DUP2, null, number) for number in (1, 2)]
    os.posix_spawn(program[0], program, {}, file_actions=actions)
    os.close(theirs)
    os.close(null)
    return ours


def no_more() -> None:
    """In a copy: no walls can be built inside of walls, so that copies of it have limits alone."""
    os.environ[TOLD] = _NONE
    walls.cache_clear()


def _namespaces(kind: Walls) -> None:
    """New namespaces, with this user as the root of that of users, who can do nothing outside that they could not."""
    user, group = os.geteuid(), os.getegid()
    flags = _NEW_USER | _NEW_MOUNTS | _NEW_IPC | _NEW_PID | (_NEW_NET if kind.own_network else 0)
    _checked(_libc().unshare(flags))
    for name, text in (("setgroups", "deny"), ("uid_map", f"0 {user} 1"), ("gid_map", f"0 {group} 1")):
        with open(f"/proc/self/{name}", "w", encoding="ascii") as file:
            file.write(text)


def _end_as(worker: int, reads: int) -> NoReturn:
    """End as the worker does, 128 and the signal if one ended it. It has said by `reads` that its walls stand: after
    that it cannot take it back."""
    _, status = os.waitpid(worker, 0)
    code = os.WEXITSTATUS(status) if os.WIFEXITED(status) else 128 + os.WTERMSIG(status)
    os._exit(1 if code == UNWALLED and os.read(reads, 1) else code)


def _drop() -> None:
    """Give up all capabilities, and the way back to each."""
    libc = _libc()
    for capability in range(_CAPABILITIES):
        if libc.prctl(_BOUNDING_DROP, capability, 0, 0, 0) and ctypes.get_errno() != errno.EINVAL:  # not of this kernel
            raise OSError(ctypes.get_errno(), os.strerror(ctypes.get_errno()))
    _checked(libc.prctl(_AMBIENT, _CLEAR_ALL, 0, 0, 0))
    header = (ctypes.c_uint32 * 2)(_VERSION_3, 0)
    _checked(libc.capset(header, (ctypes.c_uint32 * 6)()))


@cache
def _libc() -> ctypes.CDLL:
    return ctypes.CDLL(None, use_errno=True)


def _checked(result: int) -> None:
    if result:
        raise OSError(ctypes.get_errno(), os.strerror(ctypes.get_errno()))


def _stand(kind: Walls) -> bool:
    """Do such walls stand on this machine? OSError where it is too busy to try."""
    with scratch.made(namespaces.FOLDER) as folder:
        reads, writes = os.pipe()
        child = os.fork()
        if child == 0:
            _try(kind, folder, writes)
        os.close(writes)
        with open(reads, "rb") as pipe:
            said = pipe.read()
        code = os.waitstatus_to_exitcode(os.waitpid(child, 0)[1])
    if said.isdigit() and int(said) in (errno.EAGAIN, errno.ENOMEM):
        raise OSError(int(said), os.strerror(int(said)))
    return code == 0


def _try(kind: Walls, folder: Path, writes: int) -> NoReturn:
    with contextlib.suppress(BaseException):
        os.setsid()
        try:
            enter(kind, folder, _SHARED, (), lambda: os.close(writes))
            os._exit(0)
        except OSError as error:
            os.write(writes, str(error.errno).encode())
    os._exit(UNWALLED)
