"""Put walls around this process, then become another program: the step between `unshare` and the sandbox.

    python -I -S walls.py FOLDER SHARED HIDDEN NETWORK WORD...

It has new namespaces of mounts and processes when it starts, and the capabilities to change them, which the program
WORD... is started without. Of all files it leaves FOLDER writable alone, which becomes the working directory, and
shared memory of its own, of SHARED bytes. /dev holds the devices that compute and nothing else: who is root may open
every disk. The folders HIDDEN, with colons between them, are empty: sockets of services lie there. NETWORK is 1 where
the network of the machine may be used, else 0: it is that of this process alone then, a loopback device.

Reads nothing but the standard library, so that nothing of a user runs here. Ends with a message where a wall cannot be
built: the sandbox is not started then.
"""

from __future__ import annotations

import ctypes
import fcntl
import os
import struct
import sys

DEVICES = ("null", "zero", "full", "random", "urandom", "nvidia", "dri", "kfd", "accel", "dxg")
"""Beginnings of the names of what a program that computes needs of /dev; those from nvidia on are of graphics
processors and their like."""
LINKS = {"fd": "/proc/self/fd", "stdin": "/proc/self/fd/0", "stdout": "/proc/self/fd/1", "stderr": "/proc/self/fd/2"}
PROCESSES = "8192"
"""At most so many processes and threads at a time, where the kernel counts those of each namespace."""
_COUNTS_EACH = (6, 14)  # before this version of Linux, pid_max was that of the whole machine

_RDONLY, _NOSUID, _NODEV, _NOEXEC, _BIND, _MOVE, _REC = 1, 2, 4, 8, 4096, 8192, 16384  # sys/mount.h
_MOUNT_SETATTR, _HERE, _RECURSIVE, _ATTR_RDONLY, _ATTR_NOSUID = 442, -100, 0x8000, 1, 2  # linux/mount.h, all processors
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
        if name.startswith(DEVICES) and not os.path.islink(source):
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
    mount(folder, folder, flags=_BIND)
    change("/", _RECURSIVE, set_=_ATTR_RDONLY | _ATTR_NOSUID)
    change(folder, 0, clear=_ATTR_RDONLY)
    mount("tmpfs", "/dev/shm", "tmpfs", _NOSUID | _NODEV, f"mode=1777,size={shared}")
    for place in hidden:
        if os.path.isdir(place):
            mount("tmpfs", place, "tmpfs", _RDONLY | _NOSUID | _NODEV, "mode=755,size=4k")


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
    """Build all of it, and become `command`."""
    stage = f"{folder}/dev"
    os.mkdir(stage)
    few_devices(stage)
    os.rmdir(stage)
    few_processes()
    if network == "0":
        own_network()
    readable_alone(folder, int(shared), [place for place in hidden.split(":") if place])
    os.chdir(folder)
    os.execvp(command[0], command)


if __name__ == "__main__":
    main(*sys.argv[1:])
