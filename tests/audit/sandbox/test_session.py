"""The handle on a sandbox: environment, limits, calls, ends."""

from __future__ import annotations

import os
import subprocess
import sys
import time
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from hostile_targets import hostile
from killed_sandboxes import servers
from small_content import target_text, write

import dpaudit
from dpaudit.audit.sandbox import server, session
from dpaudit.audit.sandbox.session import SandboxError, Session
from dpaudit.confinement import namespaces
from dpaudit.confinement.limits import Limits
from dpaudit.noise.machine_code import COMPILED
from dpaudit.records.errors import ConfigurationError, ContentError, MachineFault, MissingPackageError

LIMITS = Limits(seconds=60.0)


@pytest.fixture
def toy(tmp_path: Path) -> Path:
    return write(tmp_path / "toy.py", target_text())


@pytest.mark.parametrize("wrong", [{"seconds": 0}, {"seconds": float("inf")}, {"gib": 0}, {"gib": -1}, {"output": 0}])
def test_limits_are_finite_and_above_zero(wrong: dict[str, Any]) -> None:
    with pytest.raises(ConfigurationError, match="must be finite and above 0"):
        Limits(**wrong)


def test_the_environment_has_no_secrets(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    for name in ("AWS_SECRET_ACCESS_KEY", "GITHUB_TOKEN", "HTTP_PROXY", "SSH_AUTH_SOCK"):
        monkeypatch.setenv(name, "secret")
    monkeypatch.setenv("CUDA_VISIBLE_DEVICES", "1")
    monkeypatch.setenv("LC_ALL", "C.UTF-8")
    found = session.environment(tmp_path)
    assert "secret" not in found.values()
    assert (found["CUDA_VISIBLE_DEVICES"], found["LC_ALL"], found["PATH"]) == ("1", "C.UTF-8", os.environ["PATH"])
    assert found["HOME"] == found["TMPDIR"] == str(tmp_path)
    assert str(Path(dpaudit.__file__).parent.parent) in found["PYTHONPATH"].split(os.pathsep)


def test_compiled_code_is_read_from_the_cache_of_the_user_and_kept_apart(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("NUMBA_CACHE_DIR", "/compiled")
    found = session.environment(tmp_path)
    assert (found["NUMBA_CACHE_DIR"], found[COMPILED]) == (str(tmp_path / ".numba"), "/compiled")


def test_errors_of_calls_leave_the_sandbox_usable(toy: Path) -> None:
    with Session(toy, LIMITS) as opened:
        for call in ("nothing_like_it", "run"):
            with pytest.raises(SandboxError) as caught:
                opened.call(call)
            assert caught.value.raised in ("KeyError", "TypeError")
            assert "in the sandbox:\nTraceback" in caught.value.__notes__[0]
        assert opened.call("describe")[0]["target"]["name"] == "toy/sum"


def test_after_its_end_every_call_says_why(tmp_path: Path) -> None:
    path = hostile(tmp_path, "import os; os._exit(4)")
    data = {"sent": 1.0}
    with Session(path, LIMITS) as opened:
        for _ in range(2):
            with pytest.raises(SandboxError, match="ended during run with exit code 4"):
                opened.call("run", target="toy/hostile", data=data, seed=1, purpose="x", numbers=np.arange(3))
    opened.close()
    with Session(path, LIMITS) as other:
        pass
    with pytest.raises(SandboxError, match="was closed"):
        other.call("describe")


def test_missing_packages_come_through(tmp_path: Path) -> None:
    top = (
        "\nfrom dpaudit.records import errors\nclass Absent(errors.MissingPackageError):\n"
        "    def __str__(self): return 'in an environment of its own'\n"
        "def neighbours(rng):\n    raise Absent('opacus', 'audits')\n"
    )
    state = np.random.default_rng(1).bit_generator.state
    path = hostile(tmp_path, "", top=top)
    with Session(path, LIMITS) as opened, pytest.raises(MissingPackageError, match="environment of its own"):
        opened.call("neighbours", target="toy/hostile", state=state, key="0")


def test_what_cannot_be_sent_is_refused_before_it_is_sent(toy: Path) -> None:
    with Session(toy, LIMITS) as opened:
        with pytest.raises(ContentError, match="cannot travel"):
            opened.call("run", data=object())
        assert opened.call("describe")


def test_the_folder_and_the_process_are_gone_afterwards(toy: Path) -> None:
    with Session(toy, LIMITS) as opened:
        folder, process = opened._folder, opened._process
        assert folder.is_dir()
        assert process.poll() is None
    assert not folder.exists()
    assert process.returncode is not None


def test_a_session_that_is_forgotten_ends(toy: Path) -> None:
    opened = Session(toy, LIMITS)
    process = opened._process
    del opened
    assert process.returncode is not None


def processes_in(folder: Path) -> list[str]:
    """The processes that work in a folder, as /proc names them."""
    found = []
    for place in Path("/proc").glob("[0-9]*/cwd"):
        try:
            if place.readlink() == folder:
                found.append(place.parent.name)
        except OSError:
            continue
    return found


def test_sandboxes_end_with_their_parent(tmp_path: Path) -> None:
    """Also where the parent is killed in the middle of a call that never ends, and behind walls where the target has
    asked not to be told of it."""
    found = namespaces.mode()
    if found is None:
        pytest.skip("no setpriv on this machine")
    deaf = "import ctypes\nctypes.CDLL(None).prctl(1, 0, 0, 0, 0)\n" if found.walled else ""
    path = hostile(tmp_path, f"{deaf}while True: pass")
    code = (
        "import numpy as np, sys\nfrom pathlib import Path\nfrom dpaudit.audit.sandbox.session import Session\n"
        "from dpaudit.confinement.limits import Limits\n"
        f"with Session(Path({str(path)!r}), Limits()) as opened:\n"
        "    print(opened._folder, flush=True)\n"
        "    asked = {'data': {'sent': np.ones(3)}, 'seed': 1, 'purpose': 'x', 'numbers': np.arange(2)}\n"
        "    opened.call('run', target='toy/hostile', **asked)\n"
    )
    root = Path(dpaudit.__file__).parent.parent
    with subprocess.Popen([sys.executable, "-c", code], stdout=subprocess.PIPE, text=True, cwd=root) as parent:
        assert parent.stdout is not None
        folder = Path(parent.stdout.readline().strip())
        time.sleep(0.5)
        assert processes_in(folder)
        parent.kill()
    deadline = time.monotonic() + 10
    while (left := processes_in(folder)) and time.monotonic() < deadline:
        time.sleep(0.05)
    assert left == []


def test_a_process_that_left_its_group_ends_too(tmp_path: Path) -> None:
    """It sits in a call, in a session of its own, and asked not to be told of the death of its parent."""
    if not namespaces.namespaced():
        pytest.skip("no PID namespace on this machine")
    leave = (
        "import os, ctypes\nif os.fork() == 0:\n    os.setsid()\n    ctypes.CDLL(None).prctl(1, 0)\nwhile True: pass"
    )
    path = hostile(tmp_path, leave)
    with Session(path, Limits(seconds=3.0)) as opened:
        opened.call("describe")
        asked = {"data": {"sent": np.ones(3)}, "seed": 1, "purpose": "x", "numbers": np.arange(2)}
        with pytest.raises(SandboxError, match="longer than 3 s"):
            opened.call("run", target="toy/hostile", **asked)
    deadline = time.monotonic() + 10
    while (left := servers()) and time.monotonic() < deadline:
        time.sleep(0.05)
    assert left == []


def test_errors_are_cut(toy: Path) -> None:
    with Session(toy, LIMITS) as opened:
        found = opened._raised("run", {"text": ".py" * 10**6, "place": ".py", "trace": "x" * 10**6})
    assert len(str(found)) == len(found.__notes__[0].partition("\n")[2]) == 20_000


def test_folders_of_any_depth_are_removed(tmp_path: Path) -> None:
    deep = "import os\nfor _ in range(1500):\n    os.mkdir('d')\n    os.chdir('d')"
    with Session(hostile(tmp_path, deep), LIMITS) as opened:
        asked = {"data": {"sent": np.ones(3)}, "seed": 1, "purpose": "x", "numbers": np.arange(2)}
        opened.call("run", target="toy/hostile", **asked)
        folder = opened._folder
    assert not folder.exists()


def test_a_process_that_ends_before_it_heard_of_the_target_is_a_fault_of_the_machine(
    toy: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(namespaces, "command", lambda *given: ["sh", "-c", "echo no room for mounts >&2; exit 1", "sh"])
    with pytest.raises(MachineFault, match="this machine cannot start a sandbox: no room for mounts; see TMPDIR"):
        Session(toy, LIMITS)
    assert servers() == []


@pytest.mark.parametrize(
    ("forged", "said"),
    [
        (
            """b'{"value": null, "arrays": [["uint8", [1073741824, 1073741824, 1073741824, 0]]]}\\n'""",
            "an array of the shape .* cannot be",
        ),
        (
            """b'{"value": {"dict": {"number": {"array": 0}, "value": null}}, '
               b'"arrays": [["uint8", [2]]]}\\n' + bytes(2)""",
            "was answered by what is no answer",
        ),
        (
            """b'{"value": {"dict": {"number": 1, "error": {"dict": {"memory": {"array": 0}}}}}, '
               b'"arrays": [["uint8", [2]]]}\\n' + bytes(2)""",
            "describe failed",
        ),
    ],
    ids=["shape", "number", "flag"],
)
def test_an_answer_that_is_none_is_said(tmp_path: Path, forged: str, said: str) -> None:
    path = hostile(tmp_path, "", top=f"\nimport os\nfor end in _ends():\n    os.write(end, {forged})")
    with Session(path, LIMITS) as opened, pytest.raises(SandboxError, match=said):
        opened.call("describe")


@pytest.mark.parametrize(
    ("run", "again"),
    [
        (f"import os\nos._exit({server.CUT_OFF})", True),
        ("import os\nos._exit(3)", False),
        ("raise OSError(24, 'Too many open files')", False),
        ("raise MemoryError", False),
    ],
)
def test_only_a_machine_that_failed_beside_the_target_is_a_reason_to_play_it_again(
    tmp_path: Path, run: str, again: bool
) -> None:
    asked = {"data": {"sent": np.ones(3)}, "seed": 1, "purpose": "x", "numbers": np.arange(2)}
    with Session(hostile(tmp_path, run), LIMITS) as opened, pytest.raises(SandboxError) as raised:
        opened.call("run", target="toy/hostile", **asked)
    assert raised.value.killed is again
    assert opened.killed is again
