"""How sandboxes are started: what they have on this machine, and what is said of it."""

from __future__ import annotations

import errno
import os
import subprocess
import sys
from collections.abc import Iterator
from dataclasses import replace
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from hostile_targets import hostile
from small_content import target_text, write

import dpaudit
from dpaudit.audit.sandbox import session
from dpaudit.audit.sandbox.session import SandboxError, Session
from dpaudit.confinement import namespaces
from dpaudit.confinement.limits import Limits
from dpaudit.confinement.namespaces import Mode

LIMITS = Limits(seconds=60.0)
needs_namespaces = pytest.mark.skipif(not namespaces.namespaced(), reason="no PID namespace on this machine")

SEES = """
import ctypes
from pathlib import Path
status = dict(line.split(":", 1) for line in Path("/proc/self/status").read_text().splitlines())
put_aside = ctypes.CDLL(None, use_errno=True).umount2(b"/proc", 2) == 0
raise RuntimeError(f"put aside: {put_aside}, may: {int(status['CapEff'], 16)}, new: {status['NoNewPrivs'].strip()}")
"""


@pytest.fixture
def toy(tmp_path: Path) -> Path:
    return write(tmp_path / "toy.py", target_text())


@pytest.fixture
def asked_anew(monkeypatch: pytest.MonkeyPatch) -> Iterator[None]:
    """What a machine allows is asked again in the test, and after it."""
    for name in namespaces.TOLD:
        monkeypatch.setenv(name, "")
    namespaces.mode.cache_clear()
    yield
    namespaces.mode.cache_clear()


def seen_from(tmp_path: Path) -> str:
    """What a target that tries to put its view of /proc aside says of it."""
    asked = {"data": {"sent": np.ones(3)}, "seed": 1, "purpose": "x", "numbers": np.arange(2)}
    with Session(hostile(tmp_path, SEES), LIMITS) as opened, pytest.raises(SandboxError) as raised:
        opened.call("run", target="toy/hostile", **asked)
    return str(raised.value)


@needs_namespaces
def test_a_sandbox_has_no_capability_and_keeps_its_view_of_proc(tmp_path: Path) -> None:
    assert "put aside: False, may: 0, new: 1" in seen_from(tmp_path)


@needs_namespaces
def test_with_capabilities_it_would_put_it_aside(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    found = namespaces.mode()
    assert found is not None
    harmless = replace(found, harmless=("--no-new-privs",))
    monkeypatch.setattr(namespaces, "mode", lambda network=False: harmless)
    assert "put aside: True" in seen_from(tmp_path)


@pytest.mark.parametrize("namespaced", [True, False])
def test_where_sandboxes_see_the_process_it_is_hidden(namespaced: bool, toy: Path) -> None:
    """3 asks whether a process of the same user may look into this one."""
    if namespaced and not namespaces.namespaced():
        pytest.skip("no PID namespace on this machine")
    code = (
        "import ctypes, sys\nfrom pathlib import Path\nfrom dpaudit.audit.sandbox import session\n"
        "from dpaudit.confinement import limits, namespaces\n"
        + ("" if namespaced else "namespaces._modes = lambda network: iter([namespaces.Mode()])\n")
        + f"with session.Session(Path({str(toy)!r}), limits.Limits()) as opened:\n    assert opened.call('describe')\n"
        "print(ctypes.CDLL(None).prctl(3, 0, 0, 0, 0))\n"
    )
    root = Path(dpaudit.__file__).parent.parent
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, cwd=root, check=True)
    assert done.stdout == ("1\n" if namespaced else "0\n")


WALLED = next(namespaces._modes(network=False))
OPEN = next(namespaces._modes(network=True))


ALONE = "PID namespace, no capability, no new privileges"


@pytest.mark.parametrize(
    ("mode", "network", "whole", "said"),
    [
        (None, False, False, "a process group alone"),
        (Mode(), False, False, "no PID namespace"),
        (Mode(("--pid",)), False, False, f"{ALONE}; files are writable"),
        (WALLED, False, True, f"{ALONE}, files are read-only, no network"),
        (OPEN, False, False, f"{ALONE}, files are read-only; the network is open"),
        (OPEN, True, True, f"{ALONE}, files are read-only; the network is open"),
    ],
)
def test_the_strength_of_sandboxes_is_said(
    mode: Mode | None, network: bool, whole: bool, said: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(namespaces, "mode", lambda network=False: mode)
    assert namespaces.strength(network)[0] is whole
    assert namespaces.strength(network)[1].startswith(said)


@pytest.mark.usefixtures("asked_anew")
def test_without_any_of_the_tools(monkeypatch: pytest.MonkeyPatch, toy: Path) -> None:
    monkeypatch.setattr(namespaces, "_MORTAL", ("no-such-command",))
    assert namespaces.mode() is None
    assert not namespaces.namespaced()
    with Session(toy, LIMITS) as opened:
        assert opened.call("describe")


@needs_namespaces
@pytest.mark.usefixtures("asked_anew")
def test_where_walls_cannot_be_built_there_is_less_and_it_is_said(
    monkeypatch: pytest.MonkeyPatch, tmp_path: Path, toy: Path
) -> None:
    monkeypatch.setattr(namespaces, "WALLS", write(tmp_path / "no_walls.py", "raise OSError('too old a kernel')\n"))
    found = namespaces.mode()
    assert found is not None
    assert found.unshare
    assert not found.walled
    assert namespaces.strength() == (False, f"{ALONE}; files are writable and the network is open")
    with Session(toy, LIMITS) as opened:
        assert opened.call("describe")


@needs_namespaces
def test_services_are_hidden_unless_what_is_needed_lies_there(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(namespaces, "SERVICES", str(tmp_path / "run"))
    elsewhere, within = tmp_path / "target.py", tmp_path / "run" / "target.py"
    hidden = [namespaces.command(tmp_path, path, 1, network) for path, network in
              ((elsewhere, False), (within, False), (elsewhere, True))]  # fmt: skip
    assert [str(tmp_path / "run") in words for words in hidden] == [True, False, False]


@pytest.mark.usefixtures("asked_anew")
def test_a_machine_that_can_start_no_process_now_is_not_taken_for_one_without_namespaces(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    def refuse(*words: object, **more: object) -> object:
        raise OSError(errno.EAGAIN, os.strerror(errno.EAGAIN))

    monkeypatch.setattr(namespaces.subprocess, "run", refuse)
    with pytest.raises(OSError, match=os.strerror(errno.EAGAIN)):
        namespaces.mode()


@pytest.mark.usefixtures("asked_anew")
def test_processes_have_the_sandboxes_of_the_one_that_starts_them(monkeypatch: pytest.MonkeyPatch) -> None:
    """Also where there is no room to try what works, as on a disk that has become full."""
    found = namespaces.mode()
    namespaces.mode.cache_clear()
    monkeypatch.setattr(namespaces, "_works", None)
    assert namespaces.mode() == found
    for name in namespaces.TOLD:
        assert name not in session.environment(Path())


@pytest.mark.parametrize("lacking", [errno.EAGAIN, errno.ENOMEM])
@pytest.mark.usefixtures("asked_anew")
def test_a_machine_that_has_nothing_left_is_not_taken_for_one_that_forbids(
    monkeypatch: pytest.MonkeyPatch, lacking: int
) -> None:
    def told(words: list[str], stderr: Any, **more: Any) -> subprocess.CompletedProcess[bytes]:
        stderr.write(f"unshare: fork failed: {os.strerror(lacking)}\n".encode())
        stderr.flush()
        return subprocess.CompletedProcess(words, 1)

    monkeypatch.setattr(namespaces.subprocess, "run", told)
    with pytest.raises(OSError, match=os.strerror(lacking)):
        namespaces.mode()


@pytest.mark.usefixtures("asked_anew")
def test_nor_is_one_that_is_too_busy(monkeypatch: pytest.MonkeyPatch) -> None:
    def late(words: list[str], **more: Any) -> None:
        raise subprocess.TimeoutExpired(words, 60)

    monkeypatch.setattr(namespaces.subprocess, "run", late)
    with pytest.raises(OSError, match="no process of a sandbox came to its end in time"):
        namespaces.mode()
