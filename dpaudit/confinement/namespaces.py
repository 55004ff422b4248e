"""The words that start a sandbox on this machine: namespaces, walls, no capability, as far as the machine allows.

Where `unshare` works a sandbox has a PID namespace, sees no other process, and takes with it all that it started; it
reads files and writes only in its folder, and has no network (`walls`). It dies with its parent where `setpriv` is
there. It has no capability, also as root, and behind walls cannot gain any: else it could put its view of /proc aside,
and read and write the memory of its parent. Walls stand in a namespace of users, also for root: there is one number of
namespaces for each, and none may be made inside.
"""

from __future__ import annotations

import contextlib
import ctypes
import errno
import os
import subprocess
import sys
from collections.abc import Iterator
from dataclasses import dataclass
from functools import cache
from pathlib import Path

from dpaudit.confinement import control_groups, scratch

WALLS = Path(__file__).with_name("walls.py")
"""The program that builds walls; it is none to import, least of all where there is no Linux."""
FOLDER = "s-"
"""The beginning of the names of folders of sandboxes; short, since names of sockets in them may have some hundred
bytes."""
TOLD = ("DPAUDIT_SANDBOX", "DPAUDIT_SANDBOX_NETWORK")
"""Environment variables by which processes are told how sandboxes are started here, without a network and with one."""
SERVICES = "/run"
"""Where sockets of services lie that do what a user asks, such as a container engine; hidden with the network."""
_MORTAL = ("setpriv", "--pdeathsig", "KILL")
_HARMLESS = ("--bounding-set=-all", "--inh-caps=-all", "--no-new-privs")
_ALONE = ("--pid", "--fork", "--kill-child", "--mount-proc")
_WALLED = ("--mount", "--ipc")
_OWN_NETWORK = "--net"
_AS_USER = ("--user", "--map-root-user")
_NOT_ALLOWED = (FileNotFoundError, PermissionError)
_SECONDS = 60
_NONE = "none"
_DUMPABLE = 4  # PR_SET_DUMPABLE


@dataclass(frozen=True)
class Mode:
    """What a sandbox is started by. unshare: what it has of its own, () for nothing; walled: it stands behind `walls`;
    harmless: words of setpriv that take its privileges."""

    unshare: tuple[str, ...] = ()
    walled: bool = False
    harmless: tuple[str, ...] = _HARMLESS

    @property
    def own_network(self) -> bool:
        """Has it no network but its own?"""
        return _OWN_NETWORK in self.unshare

    def command(self, folder: Path, shared: int, hidden: tuple[str, ...] = ()) -> list[str]:
        """The words before those of a program that works in `folder`, an empty one; shared: bytes of its shared memory;
        hidden: folders that it does not see."""
        if not self.unshare:
            return [*_MORTAL, *self.harmless]
        words = [*_MORTAL, "unshare", *self.unshare]
        if self.walled:
            words += [sys.executable, "-I", "-S", str(WALLS), str(folder), str(shared), ":".join(hidden)]
            words.append("0" if self.own_network else "1")
        return [*words, "setpriv", *self.harmless]


def _modes(network: bool) -> Iterator[Mode]:
    """From the most that a machine may allow to the least."""
    networks: list[tuple[str, ...]] = [()] if network else [(_OWN_NETWORK,), ()]
    for own in networks:
        yield Mode((*_AS_USER, *_ALONE, *_WALLED, *own), walled=True)
    for user in ((), _AS_USER):
        yield Mode((*user, *_ALONE))
    yield Mode()  # as root
    yield Mode(harmless=("--no-new-privs",))


@cache
def mode(network: bool = False) -> Mode | None:
    """How sandboxes are started here, as far as the machine allows; None if it allows nothing. network: they may use
    that of the machine. OSError where it can start no process now: that says nothing about what it allows.

    Asked once: the processes that this one starts are told, so that none has weaker sandboxes for want of room.
    """
    modes, told = list(_modes(network)), os.environ.get(TOLD[network], "")
    if sys.platform != "linux" or told == _NONE:
        return None
    if told.isdecimal() and int(told) < len(modes):
        return modes[int(told)]
    number = next((number for number, one in enumerate(modes) if _works(one)), None)
    os.environ[TOLD[network]] = _NONE if number is None else str(number)
    return None if number is None else modes[number]


def _works(tried: Mode) -> bool:
    """Does the machine allow it? OSError where it was too busy, or has nothing left to start a process with."""
    with scratch.made(FOLDER) as folder, (folder / "said").open("w+b") as said, contextlib.suppress(*_NOT_ALLOWED):
        command = [*tried.command(folder, 1 << 20), "true"]
        try:
            done = subprocess.run(command, stdout=subprocess.DEVNULL, stderr=said, timeout=_SECONDS)
        except subprocess.TimeoutExpired as error:
            raise OSError(errno.EAGAIN, "no process of a sandbox came to its end in time") from error
        said.seek(0)
        words = said.read().decode(errors="replace")
        for lacking in (errno.EAGAIN, errno.ENOMEM):
            if os.strerror(lacking) in words:
                raise OSError(lacking, os.strerror(lacking))
        return done.returncode == 0
    return False


def command(folder: Path, target: Path, shared: int, network: bool) -> list[str]:
    """The words before those of a program that runs the file `target` in the empty `folder`, see `Mode.command`."""
    found = mode(network)
    if found is None:
        return []
    visible = network or needs_services(target, folder)
    return found.command(folder, shared, () if visible else (SERVICES,))


def needs_services(target: Path, folder: Path) -> bool:
    """Does anything that the work on the file `target` in `folder` needs lie below SERVICES?"""
    needed = (str(target), str(folder), sys.prefix, sys.executable, *sys.path)
    return any(Path(os.path.realpath(place)).is_relative_to(SERVICES) for place in needed)


def namespaced(network: bool = False) -> bool:
    """Do sandboxes have a PID namespace on this machine?"""
    found = mode(network)
    return found is not None and bool(found.unshare)


def strength(network: bool = False) -> tuple[bool, str]:
    """Do sandboxes have all that this package asks of a machine, and in words, what they have; network: it is allowed.

    A limit of memory for all processes together is said and not asked for: few machines let a user set one.
    """
    whole, words = _strength(network)
    return whole, words + control_groups.said("sandbox")


def _strength(network: bool) -> tuple[bool, str]:
    found = mode(network)
    if found is None:
        return False, "a process group alone: a target can signal and read other processes of the user"
    if not found.unshare:
        return False, "no PID namespace: a target can signal other processes of the user"
    said = "PID namespace, no capability, no new privileges"
    if not found.walled:
        return False, f"{said}; files are writable and the network is open"
    if not found.own_network:
        return network, f"{said}, files are read-only; the network is open"
    return True, f"{said}, files are read-only, no network"


@cache
def hide() -> None:
    """Where sandboxes see this process in /proc: forbid others of the same user to read its environment and memory.

    It leaves no core dump then, and no debugger of the user can attach to it.
    """
    if sys.platform == "linux" and not namespaced():
        ctypes.CDLL(None).prctl(_DUMPABLE, 0, 0, 0, 0)
