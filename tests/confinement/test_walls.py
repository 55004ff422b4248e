"""What a target reaches behind the walls of a sandbox: it writes in its own folder and in memory of its own alone."""

from __future__ import annotations

import json
import os
import platform
import shutil
import socket
import stat
import struct
import subprocess
import tempfile
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from hostile_targets import hostile
from killed_sandboxes import servers

from dpaudit.audit.sandbox.session import SandboxError, Session
from dpaudit.confinement import namespaces, scratch, walls
from dpaudit.confinement.limits import Limits

TRIES = """
import json, os, socket

def tried(work):
    try:
        return work()
    except OSError as error:
        return type(error).__name__ + ": " + str(error.strerror)

def written(path):
    with open(path, "a") as file:
        file.write("x")
    os.unlink(path)
    return "written"

def opened(path):
    os.close(os.open(path, os.O_WRONLY))
    return "opened"

def called(*numbers):
    import ctypes

    libc = ctypes.CDLL(None, use_errno=True)
    found = libc.syscall(*map(ctypes.c_long, numbers))
    if found < 0:
        raise OSError(ctypes.get_errno(), os.strerror(ctypes.get_errno()))
    return found

def reached(address):
    with socket.create_connection(address, timeout=5):
        return "reached"

def reached_itself():
    with socket.create_server(("127.0.0.1", 0)) as server:
        return reached(server.getsockname())

raise RuntimeError("found: " + json.dumps({name: tried(work) for name, work in (CASES).items()}))
"""


@pytest.fixture
def walled() -> None:
    """Sandboxes have walls here."""
    found = namespaces.mode()
    if found is None or not (found.walled and found.own_network):
        pytest.skip("this machine does not allow walls")


def found_by(folder: Path, cases: str, limits: Limits | None = None) -> dict[str, Any]:
    """What a target finds that tries `cases`, the text of a dict of functions."""
    path = hostile(folder, TRIES.replace("CASES", f"dict({cases})"))
    asked = {"data": {"sent": np.ones(3)}, "seed": 1, "purpose": "x", "numbers": np.arange(2)}
    with Session(path, limits or Limits(60.0)) as opened, pytest.raises(SandboxError) as raised:
        opened.call("run", target="toy/hostile", **asked)
    said = str(raised.value)
    assert "found: " in said, said
    found: dict[str, Any] = json.loads(said.partition("found: ")[2].partition("}")[0] + "}")
    return found


READ_ONLY = "OSError: Read-only file system"


def test_walls_stand_wherever_the_machine_allows_namespaces() -> None:
    """Else the tests of this file would be left out where the walls themselves are broken."""
    words = ["unshare", "--user", "--map-root-user", "--pid", "--fork", "--mount-proc", "--mount", "--ipc", "--net"]
    known = platform.machine() in walls.CALLS and tuple(map(int, platform.release().split(".")[:2])) >= (5, 12)
    if not known or shutil.which("unshare") is None or subprocess.run([*words, "true"], check=False).returncode:
        pytest.skip("this machine allows no namespaces, or is not one for which walls are known")
    found = namespaces.mode()
    assert found is not None
    assert found.walled
    assert found.own_network


@pytest.mark.usefixtures("walled")
def test_a_target_writes_in_its_folder_alone(tmp_path: Path) -> None:
    found = found_by(
        tmp_path,
        f"""own=lambda: written("file"), temporary=lambda: written(os.environ["TMPDIR"] + "/file"),
        shared=lambda: written("/dev/shm/dpaudit-test"), null=lambda: opened("/dev/null"),
        beside=lambda: written({str(tmp_path / "file")!r}), usual=lambda: written("/tmp/dpaudit-test"),
        kernel=lambda: opened("/proc/sys/kernel/core_pattern"), compiled=lambda: written(
        os.environ["DPAUDIT_COMPILED"] + "/dpaudit-test"), again=lambda: opened({__file__!r})""",
    )
    assert [found[name] for name in ("own", "temporary", "shared", "null")] == ["written"] * 3 + ["opened"]
    assert {found[name] for name in ("beside", "usual", "kernel", "again")} == {READ_ONLY}
    assert found["compiled"] == READ_ONLY or "FileNotFoundError" in found["compiled"]
    assert not Path("/dev/shm/dpaudit-test").exists()


@pytest.mark.usefixtures("walled")
@pytest.mark.skipif(not os.access("/dev/shm", os.W_OK), reason="no shared memory on this machine")
def test_walls_stand_where_temporary_files_lie_in_shared_memory(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    with tempfile.TemporaryDirectory(dir="/dev/shm") as home, monkeypatch.context() as patch:
        patch.setattr(tempfile, "tempdir", home)
        for name in namespaces.TOLD:
            patch.setenv(name, "")
        namespaces.mode.cache_clear()
        found = namespaces.mode()
        assert found is not None
        assert found.walled
        tried = found_by(
            tmp_path,
            f"""own=lambda: written("file"), temporary=lambda: written(os.environ["TMPDIR"] + "/file"),
            shared=lambda: written("/dev/shm/dpaudit-test"), beside=lambda: open({home + "/file"!r}, "w").close(),
            device=lambda: opened("/dev/null"), usual=lambda: written("/tmp/dpaudit-test"), folder=os.getcwd,
            listed=lambda: os.listdir({home!r})""",
        )
        namespaces.mode.cache_clear()
        assert [tried[name] for name in ("own", "temporary", "shared", "device")] == ["written"] * 3 + ["opened"]
        assert os.listdir(home) == [f"dpaudit-{os.getuid()}"]  # what it wrote there is in memory of its own
    assert tried["usual"] == READ_ONLY
    assert tried["folder"].startswith(home)
    assert set(tried["listed"]) == {f"dpaudit-{os.getuid()}", "file"}


@pytest.mark.usefixtures("walled")
def test_devices_are_those_that_compute(tmp_path: Path) -> None:
    found = found_by(tmp_path, 'names=lambda: os.listdir("/dev"), shared=lambda: os.listdir("/dev/shm")')
    usual = {"null", "zero", "full", "random", "urandom", "shm", "fd", "stdin", "stdout", "stderr"}
    assert usual <= set(found["names"])
    assert all(name.startswith(("nvidia", "dri", "kfd", "accel", "dxg")) for name in set(found["names"]) - usual)
    assert found["shared"] == []


@pytest.mark.usefixtures("walled")
def test_the_network_is_that_of_the_sandbox_alone(tmp_path: Path) -> None:
    with socket.create_server(("127.0.0.1", 0)) as server:
        found = found_by(
            tmp_path,
            f"""parent=lambda: reached({server.getsockname()!r}), itself=reached_itself,
            far=lambda: reached(("192.0.2.1", 80)), names=lambda: [name for _, name in socket.if_nameindex()]""",
        )
    assert found["parent"].startswith("ConnectionRefusedError")
    assert found["itself"] == "reached"
    assert found["far"] == "OSError: Network is unreachable"
    assert found["names"][0] == "lo"


def test_an_allowed_network_is_that_of_the_machine(tmp_path: Path) -> None:
    with socket.create_server(("127.0.0.1", 0)) as server:
        found = found_by(tmp_path, f"parent=lambda: reached({server.getsockname()!r})", Limits(60.0, network=True))
    assert found == {"parent": "reached"}


@pytest.mark.usefixtures("walled")
def test_sockets_of_services_are_hidden(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    services = tmp_path / "run"
    services.mkdir()
    monkeypatch.setattr(namespaces, "SERVICES", str(services))
    address = str(services / "engine.sock")
    with socket.socket(socket.AF_UNIX) as engine:
        engine.bind(address)
        found = found_by(tmp_path, f"names=lambda: os.listdir({str(services)!r})")
    assert found == {"names": []}


@pytest.mark.usefixtures("walled")
def test_processes_are_limited_where_each_namespace_counts_its_own(tmp_path: Path) -> None:
    if tuple(int(part) for part in platform.release().split(".")[:2]) < (6, 14):
        pytest.skip("this kernel counts the processes of the whole machine")
    machine = Path("/proc/sys/kernel/pid_max").read_text()
    found = found_by(tmp_path, 'most=lambda: open("/proc/sys/kernel/pid_max").read()')
    assert found == {"most": "8192\n"}
    assert Path("/proc/sys/kernel/pid_max").read_text() == machine != "8192\n"


@pytest.mark.usefixtures("walled")
@pytest.mark.parametrize(
    ("does", "said"),
    [
        ("open('/tmp/dpaudit-test', 'w')", "a sandbox writes in its own folder alone: see TMPDIR"),
        ("import urllib.request\nurllib.request.urlopen('http://192.0.2.1/data')", "allow it with --allow-network"),
        ("import socket\nsocket.getaddrinfo('data.example', 80)", "allow it with --allow-network"),
    ],
)
def test_who_needs_more_is_told_what_there_is(does: str, said: str, tmp_path: Path) -> None:
    asked = {"data": {"sent": np.ones(3)}, "seed": 1, "purpose": "x", "numbers": np.arange(2)}
    with Session(hostile(tmp_path, does), Limits(60.0)) as opened, pytest.raises(SandboxError, match=said):
        opened.call("run", target="toy/hostile", **asked)


@pytest.mark.usefixtures("walled")
def test_folders_of_others_are_not_seen(tmp_path: Path) -> None:
    with scratch.made("dpaudit-task-") as other:
        found = found_by(
            tmp_path,
            f"""beside=lambda: os.listdir(os.path.dirname(os.environ["TMPDIR"])) ==
        [os.path.basename(os.environ["TMPDIR"])], other=lambda: os.listdir({str(other)!r})""",
        )
    assert found == {"beside": True, "other": "FileNotFoundError: No such file or directory"}


@pytest.mark.usefixtures("walled")
def test_no_further_namespace_gives_capabilities_back(tmp_path: Path) -> None:
    found = found_by(
        tmp_path,
        """made=lambda: __import__("ctypes").CDLL(None).unshare(0x10000000),
    most=lambda: open("/proc/sys/user/max_user_namespaces").read()""",
    )
    assert found == {"made": -1, "most": "0\n"}


@pytest.mark.usefixtures("walled")
def test_a_target_cannot_end_what_ends_it(tmp_path: Path) -> None:
    """It is not told of the death of its parent, and kills its group."""
    does = "import ctypes, os, signal\nctypes.CDLL(None).prctl(1, 0, 0, 0, 0)\nos.kill(0, signal.SIGKILL)"
    asked = {"data": {"sent": np.ones(3)}, "seed": 1, "purpose": "x", "numbers": np.arange(2)}
    with Session(hostile(tmp_path, does), Limits(60.0)) as opened, pytest.raises(SandboxError, match="signal SIGKILL"):
        opened.call("run", target="toy/hostile", **asked)
    assert opened.killed
    assert servers() == []


@pytest.mark.usefixtures("walled")
def test_a_signal_to_its_group_reaches_nobody_outside(tmp_path: Path) -> None:
    """Not even what started it, which would end and take the target along."""
    does = (
        "import os, signal\nsignal.signal(signal.SIGUSR1, signal.SIG_IGN)\nos.kill(0, signal.SIGUSR1)\n"
        "import time; time.sleep(0.5)"
    )
    asked = {"data": {"sent": np.ones(3)}, "seed": 1, "purpose": "x", "numbers": np.arange(2)}
    with Session(hostile(tmp_path, does), Limits(60.0)) as opened:
        assert len(opened.call("run", target="toy/hostile", **asked)) == 2


@pytest.mark.usefixtures("walled")
def test_what_a_target_has_started_ends_with_it(tmp_path: Path) -> None:
    """Also what has left its session, while dpaudit lives on."""
    does = "import os\nif os.fork() == 0:\n    os.setsid()\n    while True: pass\nos._exit(5)"
    asked = {"data": {"sent": np.ones(3)}, "seed": 1, "purpose": "x", "numbers": np.arange(2)}
    with Session(hostile(tmp_path, does), Limits(60.0)) as opened, pytest.raises(SandboxError, match="exit code 5"):
        opened.call("run", target="toy/hostile", **asked)
    assert servers() == []


@pytest.mark.usefixtures("walled")
def test_devices_elsewhere_do_not_open(tmp_path: Path) -> None:
    try:
        os.mknod(tmp_path / "null", stat.S_IFCHR | 0o666, os.makedev(1, 3))
    except PermissionError:
        pytest.skip("this user makes no devices")
    found = found_by(tmp_path, f"""here=lambda: opened({str(tmp_path / "null")!r}), null=lambda: opened("/dev/null")""")
    assert found == {"here": "PermissionError: Permission denied", "null": "opened"}


@pytest.mark.usefixtures("walled")
def test_calls_that_no_namespace_keeps_apart_are_refused(tmp_path: Path) -> None:
    """Of keyrings, leases, sockets to the host of a virtual machine, io_uring; what is beside them works."""
    calls = walls.CALLS[platform.machine()]
    found = found_by(
        tmp_path,
        f"""keys=lambda: called({calls["keyctl"]}, 0, -3, 0), key=lambda: called({calls["add_key"]}, 0, 0, 0, 0, 0),
        asked=lambda: called({calls["request_key"]}, 0, 0, 0, 0), ring=lambda: called(425, 1, 0),
        host=lambda: called({calls["socket"]}, 40, 1, 0), lease=lambda: called({calls["fcntl"]}, 0, 1024, 1),
        flags=lambda: called({calls["fcntl"]}, 0, 3, 0) >= 0, own=lambda: called({calls["socket"]}, 1, 1, 0) >= 0""",
    )
    refused = {name for name, said in found.items() if said == "PermissionError: Operation not permitted"}
    assert refused == {"keys", "key", "asked", "ring", "host", "lease"}
    assert found["flags"] is found["own"] is True


def test_the_filter_refuses_by_number_and_argument_whatever_else_is_asked() -> None:
    """The program of the kernel, interpreted here."""
    for machine, calls in walls.CALLS.items():
        program = list(struct.iter_unpack("HBBI", walls.refused(machine)))
        for number, first, second, refused in (
            (calls["keyctl"], 0, 0, True), (calls["add_key"], 0, 0, True), (calls["request_key"], 9, 9, True),
            (425, 0, 0, True), (424, 0, 0, False), (calls["fcntl"], 0, 1024, True), (calls["fcntl"], 1024, 1, False),
            (calls["socket"], 40, 1, True), (calls["socket"], 2, 40, False), (0x40000001, 0, 0, True),
            (1, 40, 1024, False),
        ):  # fmt: skip
            data = {0: number, 4: calls["machine"], 16: first, 24: second}
            assert (_answer(program, data) != 0x7FFF0000) is refused, (machine, number, first, second)
        assert _answer(program, {0: 1, 4: 0x40000003, 16: 0, 24: 0}) != 0x7FFF0000, "a 32-bit program"


def _answer(program: list[tuple[int, int, int, int]], data: dict[int, int]) -> int:
    place, held = 0, 0
    while True:
        code, yes, no, value = program[place]
        place += 1
        if code == 0x06:
            return value
        if code == 0x20:
            held = data[value]
        else:
            place += yes if (held == value if code == 0x15 else held >= value) else no


@pytest.mark.usefixtures("walled")
def test_a_folder_is_gone_afterwards(tmp_path: Path) -> None:
    with Session(hostile(tmp_path, "open('file', 'w').close()"), Limits(60.0)) as opened:
        opened.call("describe")
        folder = opened._folder
        assert os.listdir(folder) == []
    assert not folder.exists()
