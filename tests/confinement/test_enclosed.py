"""Walls around a copy of a process: what works behind them reaches nothing of the user's."""

from __future__ import annotations

import ctypes
import errno
import json
import os
import signal
import socket
from collections.abc import Iterator
from pathlib import Path

import pytest

from dpaudit.confinement import enclosed, forked, namespaces
from dpaudit.confinement.enclosed import Walls
from dpaudit.confinement.limits import Bounds

FILE = Path(__file__)
BOUNDS = Bounds("the test", 60.0, 1 << 30, "--a-flag")


@pytest.fixture
def asked_anew(monkeypatch: pytest.MonkeyPatch) -> Iterator[None]:
    monkeypatch.delenv(enclosed.TOLD, raising=False)
    enclosed.walls.cache_clear()
    yield
    enclosed.walls.cache_clear()


def seen() -> str:
    status = dict(line.split(":", 1) for line in Path("/proc/self/status").read_text().splitlines())
    return json.dumps({
        "capabilities": {status[f"Cap{name}"].strip() for name in ("Inh", "Prm", "Eff", "Bnd", "Amb")} == {"0" * 16},
        "privileges": status["NoNewPrivs"].strip(),
        "processes": sorted(int(name) for name in os.listdir("/proc") if name.isdigit()),
        "namespaces": ctypes.CDLL(None).unshare(0x10000000),
        "first": tried(lambda: open("/proc/1/mem", "rb").close()),
        "home": tried(lambda: Path("~/x").expanduser().touch()),
        "temporary": tried(lambda: Path("/tmp/x").touch()),
        "shared": tried(lambda: Path("/dev/shm/dpaudit-test").touch()),
        "devices": sorted(set(os.listdir("/dev")) & {"sda", "vda", "mem", "kmsg", "tty"}),
        "network": tried(lambda: socket.create_connection(("192.0.2.1", 80), timeout=5).close()),
        "sandboxes": len(os.listdir(Path(os.environ["TMPDIR"]).parent)),
    })  # fmt: skip


def tried(what: object) -> str:
    try:
        what()  # type: ignore[operator]
    except OSError as error:
        return errno.errorcode[error.errno or 0]
    return "done"


def test_what_works_behind_walls_reaches_nothing_of_the_user() -> None:
    if enclosed.walls() != Walls(own_network=True):
        pytest.skip("no whole walls on this machine")
    [found] = forked.results([seen], [FILE], BOUNDS)
    assert isinstance(found, bytes)
    assert json.loads(found) == {
        "capabilities": True, "privileges": "1", "processes": [1, 2], "namespaces": -1, "first": "EACCES",
        "home": "EROFS", "temporary": "EROFS", "shared": "done", "devices": [], "network": "ENETUNREACH",
        "sandboxes": 1,
    }  # fmt: skip
    assert not Path("/dev/shm/dpaudit-test").exists()


def test_the_first_process_cannot_be_ended_from_inside() -> None:
    if enclosed.walls() is None:
        pytest.skip("no walls on this machine")

    def make() -> str:
        os.kill(1, signal.SIGKILL)
        return "still there"

    assert forked.results([make], [FILE], BOUNDS) == [b"still there"]


def test_walls_are_tried_once_and_told_to_other_processes(asked_anew: None, monkeypatch: pytest.MonkeyPatch) -> None:
    if not hasattr(os, "fork"):
        pytest.skip("no copies on this system")
    stands = iter([False, True])
    monkeypatch.setattr(enclosed.sys, "platform", "linux")
    monkeypatch.setattr(enclosed, "_stand", lambda kind: next(stands))
    assert enclosed.walls() == Walls(own_network=False)
    assert enclosed.strength() == (False, f"{namespaces_words()}; the network is open")
    enclosed.walls.cache_clear()
    assert os.environ[enclosed.TOLD] == "1"
    assert enclosed.walls() == Walls(own_network=False)


def namespaces_words() -> str:
    return "PID namespace, no capability, no new privileges, files are read-only"


def test_where_none_stand_copies_have_limits_alone(asked_anew: None, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(enclosed, "_stand", lambda kind: False)
    assert enclosed.walls() is None
    assert os.environ.get(enclosed.TOLD, "none") == "none"
    whole, said = enclosed.strength()
    assert not whole
    assert said.startswith(("limits of time and memory alone", "nothing: "))
    assert forked.results([lambda: "7"], [FILE], BOUNDS) == [b"7"]


def test_a_machine_that_is_too_busy_to_try_says_so(asked_anew: None, monkeypatch: pytest.MonkeyPatch) -> None:
    if not hasattr(os, "fork"):
        pytest.skip("no copies on this system")

    def enter(*_: object) -> None:
        raise OSError(errno.EAGAIN, os.strerror(errno.EAGAIN))

    monkeypatch.setattr(enclosed.sys, "platform", "linux")
    monkeypatch.setattr(enclosed, "enter", enter)
    with pytest.raises(BlockingIOError):
        enclosed.walls()
    assert enclosed.TOLD not in os.environ


def test_folders_of_services_are_hidden_unless_the_work_lies_there() -> None:
    assert enclosed.hidden(Path("/tmp"), FILE) == (namespaces.SERVICES,)
    assert enclosed.hidden(Path("/tmp"), Path(namespaces.SERVICES) / "claim.py") == ()
