"""Put walls around this process, then start another program: the step between `unshare` and the sandbox.

    python -I -S walls.py FOLDER SHARED HIDDEN NETWORK WORD...

It has new namespaces of users, mounts and processes when it starts, and the capabilities to change them, which the
program WORD... is started without. Of all files it leaves FOLDER writable alone, which becomes the working directory,
and shared memory of its own, of SHARED bytes. /dev holds the devices that compute and nothing else: who is root may
open every disk. The folder in which FOLDER lies is empty but for it, those of other sandboxes are there; so are the
folders HIDDEN, with colons between them, where sockets of services lie. NETWORK is 1 where the network of the machine
may be used, else 0: it is that of this process alone then, a loopback device. No further namespaces can be made, in
which the program would have capabilities again, and the system calls that reach what no namespace keeps apart are
refused.

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
PROCESSORS = ("nvidia", "dri", "kfd", "accel", "dxg", "vfio", "infiniband", "neuron")
"""Beginnings of the names of graphics processors, and of what joins them."""
LINKS = {"fd": "/proc/self/fd", "stdin": "/proc/self/fd/0", "stdout": "/proc/self/fd/1", "stderr": "/proc/self/fd/2"}
PROCESSES = "8192"
"""At most so many processes and threads at a time, where the kernel counts those of each namespace."""
_COUNTS_EACH = (6, 14)  # before this version of Linux, pid_max was that of the whole machine

_RDONLY, _NOSUID, _NODEV, _NOEXEC, _BIND, _MOVE, _REC = 1, 2, 4, 8, 4096, 8192, 16384  # sys/mount.h
_MOUNT_SETATTR, _HERE, _RECURSIVE = 442, -100, 0x8000  # the call has this number on all processors
_ATTR_RDONLY, _ATTR_NOSUID, _ATTR_NODEV = 1, 2, 4  # linux/mount.h
_AF_INET, _SOCK_DGRAM, _IFF_UP, _SIOCSIFFLAGS = 2, 2, 1, 0x8914  # sys/socket.h, linux/sockios.h
_NO_NEW_PRIVS, _SECCOMP, _FILTER = 38, 22, 2  # linux/prctl.h, linux/seccomp.h
_SIGINT, _SIG_IGN = 2, 1  # signal.h
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


def readable_alone(folder: str, handle: int, shared: int, hidden: tuple[str, ...]) -> None:
    """Every file may be read as before; written is what lies in `folder`, and shared memory of `shared` bytes."""
    mount("tmpfs", "/dev/shm", "tmpfs", _NOSUID | _NODEV, f"mode=1777,size={shared}")
    alone(folder, handle)
    change("/", _RECURSIVE, set_=_ATTR_RDONLY | _ATTR_NOSUID | _ATTR_NODEV)
    change("/dev", _RECURSIVE, clear=_ATTR_NODEV)
    for place in ("/dev/shm", folder):  # the folder may lie there, or elsewhere below /dev
        change(place, 0, set_=_ATTR_NODEV, clear=_ATTR_RDONLY)
    for place in hidden:
        if os.path.isdir(place):
            mount("tmpfs", place, "tmpfs", _RDONLY | _NOSUID | _NODEV, "mode=755,size=4k")


def alone(folder: str, handle: int) -> None:
    """The folder in which `folder` lies holds nothing else. handle: a descriptor of it, from before /dev was another
    one."""
    os.makedirs(os.path.dirname(folder), exist_ok=True)
    mount("tmpfs", os.path.dirname(folder), "tmpfs", _NOSUID | _NODEV, "mode=755,size=64k")
    os.mkdir(folder)
    mount(f"/proc/self/fd/{handle}", folder, flags=_BIND)
    os.close(handle)


def no_more_namespaces() -> None:
    """Whoever makes a namespace of users has all capabilities in it, and could mount there what can be written."""
    with open("/proc/sys/user/max_user_namespaces", "w") as file:
        file.write("0")


CALLS = {
    "x86_64": {"machine": 0xC000003E, "add_key": 248, "request_key": 249, "keyctl": 250, "fcntl": 72, "socket": 41},
    "aarch64": {"machine": 0xC00000B7, "add_key": 217, "request_key": 218, "keyctl": 219, "fcntl": 25, "socket": 198},
}
"""Of each processor, what the kernel calls it, and its numbers of system calls."""
_IO_URING_SETUP, _X32 = 425, 0x40000000  # on all processors; from the second on, calls of another kind of program
_SET_LEASE, _VSOCK = 1024, 40  # fcntl.h, sys/socket.h
_LOAD, _EQUAL, _AT_LEAST, _RETURN = 0x20, 0x15, 0x35, 0x06  # linux/bpf_common.h
_NUMBER, _MACHINE, _FIRST, _SECOND = 0, 4, 16, 24  # where struct seccomp_data has them
_ALLOW, _REFUSE = 0x7FFF0000, 0x00050001  # SECCOMP_RET_ALLOW; SECCOMP_RET_ERRNO with EPERM


def refused(machine: str) -> bytes:
    """The filter of system calls, a program for the kernel.

    Refused are keyrings, which are those of the user also in a namespace; leases of files, which let everybody wait who
    opens them; sockets to the host of a virtual machine, which are in no network; io_uring, which does the same by
    another way; and calls of 32-bit programs, which have other numbers.
    """
    calls = CALLS[machine]
    program = [(_LOAD, 0, 0, _MACHINE), (_EQUAL, 1, 0, calls["machine"]), (_RETURN, 0, 0, _REFUSE)]
    program += [(_LOAD, 0, 0, _NUMBER), (_AT_LEAST, 0, 1, _X32), (_RETURN, 0, 0, _REFUSE)]
    for number in (calls["add_key"], calls["request_key"], calls["keyctl"], _IO_URING_SETUP):
        program += [(_EQUAL, 0, 1, number), (_RETURN, 0, 0, _REFUSE)]
    for number, place, value in ((calls["fcntl"], _SECOND, _SET_LEASE), (calls["socket"], _FIRST, _VSOCK)):
        program += [(_LOAD, 0, 0, _NUMBER), (_EQUAL, 0, 3, number)]
        program += [(_LOAD, 0, 0, place), (_EQUAL, 0, 1, value), (_RETURN, 0, 0, _REFUSE)]
    program.append((_RETURN, 0, 0, _ALLOW))
    return b"".join(struct.pack("HBBI", *row) for row in program)


def few_calls() -> None:
    """From now on the calls that `refused` names fail in this process and all that it starts."""
    program = refused(os.uname().machine)
    text = ctypes.create_string_buffer(program, len(program))
    filter_ = ctypes.create_string_buffer(struct.pack("HxxxxxxP", len(program) // 8, ctypes.addressof(text)))
    if _LIBC.prctl(_NO_NEW_PRIVS, 1, 0, 0, 0) or _LIBC.prctl(_SECCOMP, _FILTER, filter_, 0, 0):
        raise OSError(ctypes.get_errno(), os.strerror(ctypes.get_errno()))


def few_processes() -> None:
    """A limit on the processes of this namespace, where it is not one of the whole machine."""
    version = tuple(int(part) for part in os.uname().release.split(".")[:2] if part.isdigit())
    if version >= _COUNTS_EACH:
        with open("/proc/sys/kernel/pid_max", "w") as file:
            file.write(PROCESSES)


def loopback() -> None:
    """Switch the loopback device on: in a new namespace it is the only one, and off."""
    request = struct.pack("16sh14x", b"lo", _IFF_UP)  # struct ifreq of net/if.h
    device = _LIBC.socket(_AF_INET, _SOCK_DGRAM, 0)  # any socket; the module of this name takes longer to load
    fcntl.ioctl(device, _SIOCSIFFLAGS, request)
    os.close(device)


def build(folder: str, shared: int, hidden: tuple[str, ...], own_network: bool) -> None:
    """All walls, but for the system calls; see above. own_network: this process is in a network of its own."""
    stage, handle = f"{folder}/dev", os.open(folder, os.O_PATH)
    os.mkdir(stage)
    few_devices(stage)
    os.rmdir("dev", dir_fd=handle)
    few_processes()
    no_more_namespaces()
    if own_network:
        loopback()
    readable_alone(folder, handle, shared, hidden)


def main(folder: str, shared: str, hidden: str, network: str, *command: str) -> None:
    """Build all of it, start `command`, and end with it."""
    away = tuple(place for place in hidden.split(":") if place)
    build(folder, int(shared), away, own_network=network == "0")
    os.chdir(folder)
    child = os.fork()
    if child == 0:
        os.setsid()  # so that no signal to its group reaches this process
        few_calls()
        os.execvp(command[0], command)
    _LIBC.signal(_SIGINT, _SIG_IGN)  # the one signal for which Python has a handler
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
