"""Put walls around this process, then start another program: the step between `unshare` and the sandbox.

    python -I -S walls.py FOLDER SHARED HIDDEN NETWORK WORD...

It has new namespaces of users, mounts and processes when it starts, and the capabilities to change them, which the
program WORD... is started without. Of all files it leaves FOLDER writable alone, which becomes the working directory,
and shared memory of its own, of SHARED bytes. /dev holds the devices that compute and nothing else: who is root may
open every disk. The folder in which FOLDER lies is empty but for it, those of other sandboxes are there; so are the
folders HIDDEN, with colons between them, where sockets of services lie. NETWORK is 1 where the network of the machine
may be used, else 0: it is that of this process alone then, a loopback device. No further namespaces can be made, in
which the program would have capabilities again, and it has a keyring of its own.

This process stays, as the first of its namespace: it dies with its parent, which the program cannot change, and takes
along all that the program has started. Its exit code is that of the program, 128 and the signal if one ended it.

Reads nothing but the standard library, so that nothing of a user runs here. Ends with a message where a wall cannot be
built: the sandbox is not started then.
"""

from __future__ import annotations

import ctypes
import fcntl
import os
import struct
import sys

DEVICES = frozenset({"null", "zero", "full", "random", "urandom"})
"""What every program may need of /dev."""
PROCESSORS = ("nvidia", "dri", "kfd", "accel", "dxg")
"""Beginnings of the names of graphics processors and their like."""
LINKS = {"fd": "/proc/self/fd", "stdin": "/proc/self/fd/0", "stdout": "/proc/self/fd/1", "stderr": "/proc/self/fd/2"}
PROCESSES = "8192"
"""At most so many processes and threads at a time, where the kernel counts those of each namespace."""
_COUNTS_EACH = (6, 14)  # before this version of Linux, pid_max was that of the whole machine

_RDONLY, _NOSUID, _NODEV, _NOEXEC, _BIND, _MOVE, _REC = 1, 2, 4, 8, 4096, 8192, 16384  # sys/mount.h
_MOUNT_SETATTR, _HERE, _RECURSIVE = 442, -100, 0x8000  # the call has this number on all processors
_ATTR_RDONLY, _ATTR_NOSUID, _ATTR_NODEV = 1, 2, 4  # linux/mount.h
_KEYCTL = {"x86_64": 250, "ppc64le": 271, "s390x": 280}  # on all others 219
_JOIN_SESSION_KEYRING = 1  # linux/keyctl.h
_AF_INET, _SOCK_DGRAM, _IFF_UP, _SIOCSIFFLAGS = 2, 2, 1, 0x8914  # sys/socket.h, linux/sockios.h
_LIBC = ctypes.CDLL(None, use_errno=True)


class Attributes(ctypes.Structure):
    """What `mount_setattr` sets and clears, struct mount_attr of linux/mount.h."""

    _fields_ = tuple((name, ctypes.c_uint64) for name in ("set", "clear", "propagation", "namespace"))


def mount(source: str, target: str, kind: str | None = None, flags: int = 0, data: str | None = None) -> None:
    """The system call of this name; OSError names `target`."""
    words = [None if word is None else os.fsencode(word) for word in (source, target, kind, data)]
    if _LIBC.mount(words[0], words[1], words[2], ctypes.c_ulong(flags), words[3]) != 0:
        number = ctypes.get_errno()
        raise OSError(number, os.strerror(number), target)


def change(target: str, flags: int, set_: int = 0, clear: int = 0) -> None:
    """Set and clear attributes of the mount at `target`; OSError names it."""
    attributes = Attributes(set_, clear, 0, 0)
    size = ctypes.c_size_t(ctypes.sizeof(attributes))
    where = os.fsencode(target)
    if _LIBC.syscall(_MOUNT_SETATTR, _HERE, where, flags, ctypes.byref(attributes), size) != 0:
        number = ctypes.get_errno()
        raise OSError(number, os.strerror(number), target)


def few_devices(stage: str) -> None:
    """A /dev that holds DEVICES alone, made in the empty folder `stage`."""
    mount("tmpfs", stage, "tmpfs", _NOSUID | _NOEXEC, "mode=755,size=64k")
    for name in os.listdir("/dev"):
        source, target = f"/dev/{name}", f"{stage}/{name}"
        if (name in DEVICES or name.startswith(PROCESSORS)) and not os.path.islink(source):
            if os.path.isdir(source):
                os.mkdir(target)
            else:
                os.close(os.open(target, os.O_CREAT))
            mount(source, target, flags=_BIND | _REC)
    for name, target in LINKS.items():
        os.symlink(target, f"{stage}/{name}")
    os.mkdir(f"{stage}/shm")
    mount(stage, "/dev", flags=_MOVE)


def readable_alone(folder: str, shared: int, hidden: list[str]) -> None:
    """Every file may be read as before; written is what lies in `folder`, and shared memory of `shared` bytes."""
    alone(folder)
    change("/", _RECURSIVE, set_=_ATTR_RDONLY | _ATTR_NOSUID | _ATTR_NODEV)
    change("/dev", _RECURSIVE, clear=_ATTR_NODEV)
    change(folder, 0, clear=_ATTR_RDONLY)
    mount("tmpfs", "/dev/shm", "tmpfs", _NOSUID | _NODEV, f"mode=1777,size={shared}")
    for place in hidden:
        if os.path.isdir(place):
            mount("tmpfs", place, "tmpfs", _RDONLY | _NOSUID | _NODEV, "mode=755,size=4k")


def alone(folder: str) -> None:
    """The folder in which `folder` lies holds nothing else."""
    handle = os.open(folder, os.O_PATH)
    mount("tmpfs", os.path.dirname(folder), "tmpfs", _NOSUID | _NODEV, "mode=755,size=64k")
    os.mkdir(folder)
    mount(f"/proc/self/fd/{handle}", folder, flags=_BIND)
    os.close(handle)


def no_more_namespaces() -> None:
    """Whoever makes a namespace of users has all capabilities in it, and could mount there what can be written."""
    with open("/proc/sys/user/max_user_namespaces", "w") as file:
        file.write("0")


def own_keyring() -> None:
    """A session keyring that nobody else has; where the system has none, or forbids the call, nothing is to be had."""
    _LIBC.syscall(_KEYCTL.get(os.uname().machine, 219), _JOIN_SESSION_KEYRING, None)


def few_processes() -> None:
    """A limit on the processes of this namespace, where it is not one of the whole machine."""
    version = tuple(int(part) for part in os.uname().release.split(".")[:2] if part.isdigit())
    if version >= _COUNTS_EACH:
        with open("/proc/sys/kernel/pid_max", "w") as file:
            file.write(PROCESSES)


def own_network() -> None:
    """Switch the loopback device on: in a new namespace it is the only one, and off."""
    request = struct.pack("16sh14x", b"lo", _IFF_UP)  # struct ifreq of net/if.h
    device = _LIBC.socket(_AF_INET, _SOCK_DGRAM, 0)  # any socket; the module of this name takes longer to load
    fcntl.ioctl(device, _SIOCSIFFLAGS, request)
    os.close(device)


def main(folder: str, shared: str, hidden: str, network: str, *command: str) -> None:
    """Build all of it, start `command`, and end with it."""
    stage = f"{folder}/dev"
    os.mkdir(stage)
    few_devices(stage)
    os.rmdir(stage)
    few_processes()
    no_more_namespaces()
    own_keyring()
    if network == "0":
        own_network()
    readable_alone(folder, int(shared), [place for place in hidden.split(":") if place])
    os.chdir(folder)
    child = os.fork()
    if child == 0:
        os.setsid()  # so that no signal to its group reaches this process
        os.execvp(command[0], command)
    os.closerange(3, 1 << 16)  # the ends of connections that the program has now
    sys.exit(ended(child))


def ended(child: int) -> int:
    """The exit code of a child; other processes that end, whose parents have, are only taken note of."""
    while True:
        process, status = os.wait()
        if process == child:
            return os.WEXITSTATUS(status) if os.WIFEXITED(status) else 128 + os.WTERMSIG(status)


if __name__ == "__main__":
    main(*sys.argv[1:])
