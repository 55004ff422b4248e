"""What a target reaches behind the walls of a sandbox: it writes in its own folder and in memory of its own alone."""

from __future__ import annotations

import json
import os
import platform
import socket
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from hostile_targets import hostile

from dpaudit.audit.sandbox import namespaces
from dpaudit.audit.sandbox.namespaces import Mode
from dpaudit.audit.sandbox.session import Limits, SandboxError, Session

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

def reached(address):
    with socket.create_connection(address, timeout=5):
        return "reached"

def reached_itself():
    with socket.create_server(("127.0.0.1", 0)) as server:
        return reached(server.getsockname())

raise RuntimeError("found: " + json.dumps({name: tried(work) for name, work in (CASES).items()}))
"""


def modes() -> Iterator[Any]:
    """As root, and as a user who has namespaces of his own; with what this machine does not allow as skipped."""
    for name, words in (("root", ()), ("user", ("--user", "--map-root-user"))):
        wanted = [mode for mode in namespaces._modes(False) if mode.own_network and mode.unshare[: len(words)] == words]
        mode = wanted[0]
        works = namespaces.mode() is not None and _works(mode)
        yield pytest.param(mode, id=name, marks=[] if works else pytest.mark.skip("this machine does not allow it"))


def _works(mode: Mode) -> bool:
    kept, namespaces._modes = namespaces._modes, lambda network: iter([mode])  # type: ignore[assignment]
    namespaces.mode.cache_clear()
    try:
        return namespaces.mode() == mode
    finally:
        namespaces._modes = kept
        namespaces.mode.cache_clear()


@pytest.fixture(params=modes())
def walled(request: pytest.FixtureRequest, monkeypatch: pytest.MonkeyPatch) -> Mode:
    """Sandboxes are started in this mode."""
    found: Mode = request.param
    monkeypatch.setattr(namespaces, "mode", lambda network=False: found)
    return found


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
def test_a_folder_is_gone_afterwards(tmp_path: Path) -> None:
    with Session(hostile(tmp_path, "open('file', 'w').close()"), Limits(60.0)) as opened:
        opened.call("describe")
        folder = opened._folder
        assert os.listdir(folder) == []
    assert not folder.exists()
