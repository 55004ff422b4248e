"""Targets that misbehave: each is an ERROR of its own, and nothing else changes."""

from __future__ import annotations

import gc
import json
import os
import time
from collections.abc import Iterator
from dataclasses import replace
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from command_line import dpaudit as command_line
from hostile_targets import HONEST, hostile, sends, told
from small_content import NOISY_SUM, target_text, write

from dpaudit.audit import tiers
from dpaudit.audit.sandbox import isolation, planning, remote_target
from dpaudit.audit.sandbox.remote_target import Remote
from dpaudit.confinement import namespaces
from dpaudit.confinement.limits import Limits
from dpaudit.content import loading, places
from dpaudit.content.items import Loaded
from dpaudit.noise.stream import Stream, Trials
from dpaudit.records.context import Context, Level
from dpaudit.records.errors import ContentError, MachineFault
from dpaudit.records.verdict import Outcome, Verdict

CONTEXT = Context(seed=11, level=Level.SMOKE, alpha=1e-3)
SHORT = Limits(seconds=3.0)
LONG = Limits(seconds=60.0)
SMALL = Limits(seconds=60.0, gib=0.5, output=1 << 22)

needs_namespace = pytest.mark.skipif(not namespaces.namespaced(), reason="no PID namespaces on this machine")


def audited(path: Path, limits: Limits = LONG, name: str = "toy/hostile", isolate: bool = True) -> Verdict:
    with isolation.playing(path, name, limits, isolate) as item:
        return tiers.audit(item.carrier, CONTEXT)


def reason(path: Path, limits: Limits = LONG) -> str:
    """The words of the ERROR that the audit of a hostile file ends with."""
    verdict = audited(path, limits)
    assert verdict.outcome is Outcome.ERROR
    return verdict.evidence[0].detail


@pytest.fixture(autouse=True)
def nothing_is_left(tmp_path: Path) -> Iterator[None]:
    """After every test no process of a sandbox is alive, none is a zombie of ours, and no folder of one is there."""
    yield
    gc.collect()
    deadline = time.monotonic() + 5
    while (left := _processes(str(tmp_path))) and time.monotonic() < deadline:
        time.sleep(0.05)
    assert left == []


def _processes(word: str) -> list[str]:
    """Command lines that name `word`, and children of this process that ended but were not waited for."""
    found = []
    for folder in Path("/proc").glob("[0-9]*"):
        try:
            command = (folder / "cmdline").read_bytes().decode(errors="replace")
            state, parent = (folder / "stat").read_text().rpartition(")")[2].split()[:2]
        except OSError:
            continue
        if word in command or (state == "Z" and int(parent) == os.getpid()):
            found.append(command or f"zombie {folder.name}")
    return found


def test_an_isolated_audit_is_the_plain_one(tmp_path: Path) -> None:
    path = write(tmp_path / "toy.py", target_text(trials=2_000))
    plain = audited(path, name="toy/sum", isolate=False)
    isolated = audited(path, name="toy/sum")
    assert plain.outcome is Outcome.CONSISTENT
    assert replace(isolated, duration_s=0.0) == replace(plain, duration_s=0.0)


@pytest.mark.deep(keep=5)
@pytest.mark.parametrize(
    ("run", "limits", "words"),
    [
        ("while True: pass", SHORT, "run took longer than 3 s: make it faster, ask for fewer trials, or raise --time"),
        ("keep = [bytearray(1 << 24) for _ in range(1000)]", SMALL, "it may have 0.5 GiB: use less, or raise --memory"),
        ("return np.zeros((len(trials), 1 << 16))", SMALL, "the limit is 4194304"),
        ("print('x' * (1 << 30))", SMALL, "MemoryError"),
        ("open('big', 'wb').write(b'x' * (1 << 23))", SMALL, "may write 4194304 bytes to a file"),
        ("import os; os._exit(3)", LONG, "the process ended during run with exit code 3"),
        ("import os; os._exit(0)", LONG, "the process ended during run with exit code 0"),
        ("import sys; sys.exit('enough')", LONG, "SystemExit: enough"),
        ("raise KeyboardInterrupt", LONG, "KeyboardInterrupt"),
        ("import ctypes; ctypes.string_at(0)", LONG, "SIGSEGV"),
        ("import sys; print('last words here', file=sys.stderr); import os; os._exit(9)", LONG, "last words here"),
        ("def deeper(): return deeper()\ndeeper()", LONG, "RecursionError"),
        (
            "return np.array([object()] * len(trials))",
            LONG,
            "run must return real numbers of at most 64 bits, got dtype object",
        ),
        ("return ['a'] * len(trials)", LONG, "real numbers of at most 64 bits, got dtype <U1"),
        ("return np.full(len(trials), np.nan)", LONG, "NaN in 200 of 200 trials"),
        ("return np.zeros(3)", LONG, "must return 200 rows"),
        ("raise ValueError('no luck')", LONG, "hostile.py, line 26: ValueError: no luck"),
    ],
)
def test_a_run_that_fails(workdir: Path, run: str, limits: Limits, words: str) -> None:
    assert words in reason(hostile(workdir, run), limits)


@pytest.mark.deep(keep=3)
@pytest.mark.parametrize(
    ("message", "words"),
    [
        ("b'nonsense\\n'", "not JSON"),
        ("b'x' * (1 << 25)", "no line end"),
        ("pickle.dumps(print) + b'\\n'", "gave no answer that can be read"),
        ('b\'{"value": {"array": 0}, "arrays": [["float64", [-5]]]}\\n\'', "integers from 0"),
        ('b\'{"value": {"array": 0}, "arrays": [["float64", [3000000]]]}\\n\'', "the limit is"),
        ('b\'{"value": {"array": 0}, "arrays": [["object", [1]]]}\\n\'', "by its dtype"),
        ('b\'{"value": {"dict": {"number": 77}}, "arrays": []}\\n\'', "was answered by what is no answer"),
        ('b\'{"value": 1, "arrays": []}\\n\'', "was answered by what is no answer"),
    ],
)
def test_lies_on_the_socket(tmp_path: Path, message: str, words: str) -> None:
    assert words in reason(hostile(tmp_path, sends(message)), replace(LONG, output=1 << 22))


def test_a_closed_socket(tmp_path: Path) -> None:
    found = reason(hostile(tmp_path, "import os\nfor end in _ends(): os.close(end)"), LONG)
    assert "during run" in found or "descriptors" in found


def test_a_pickle_bomb_is_never_opened(tmp_path: Path) -> None:
    bomb = f"class Bomb:\n    def __reduce__(self): return (open, ({str(tmp_path / 'opened')!r}, 'w'))"
    path = hostile(tmp_path, f"{bomb}\nimport pickle\nreturn np.array([Bomb()] * len(trials))")
    assert "got dtype object" in reason(path)
    reason(hostile(tmp_path, f"{bomb}\n{sends('pickle.dumps(Bomb()) + bytes([10])')}"))
    assert not (tmp_path / "opened").exists()


def test_a_flood_of_output_is_cut_off(tmp_path: Path) -> None:
    run = "import sys\nwhile True:\n    sys.stderr.write('flood ' * 10_000); sys.stderr.flush()"
    assert "may write 4194304 bytes to a file" in reason(hostile(tmp_path, run), SMALL)


@needs_namespace
def test_what_it_starts_ends_with_it(tmp_path: Path) -> None:
    """Children that leave the group, and a bomb of forks, die with the namespace; the fixture looks for them."""
    start = (
        "import subprocess, sys\n"
        f"words = [sys.executable, '-c', 'import time; time.sleep(600)', {str(tmp_path)!r}]\n"
        "for _ in range(5): subprocess.Popen(words, start_new_session=True)\n"
    )
    forks = "import os, time\nfor _ in range(6): os.fork()\nos.getsid(0) == os.getpid() or os.setsid()\ntime.sleep(600)"
    assert "took longer" in reason(hostile(tmp_path, start + forks), SHORT)


@pytest.mark.deep(keep=2)
@needs_namespace
@pytest.mark.parametrize(
    "run",
    [
        "import os, signal; os.killpg(0, signal.SIGKILL)",
        "import os, signal; os.kill(os.getppid(), signal.SIGKILL)",
        "import os, signal; os.kill(-1, signal.SIGKILL)",
        f"import os, signal; os.kill({os.getpid()}, signal.SIGKILL)",
    ],
    ids=["own group", "parent", "everybody", "the auditor"],
)
def test_kills_reach_nobody_outside(tmp_path: Path, run: str) -> None:
    path = hostile(tmp_path, f"try:\n    {run}\nexcept ProcessLookupError:\n    pass")
    assert audited(path).outcome in (Outcome.CONSISTENT, Outcome.INCONCLUSIVE, Outcome.ERROR)
    seen = hostile(tmp_path, "import os; raise ValueError(sorted(n for n in os.listdir('/proc') if n.isdigit()))")
    found = namespaces.mode()
    own = ["1", "2"] if found is not None and found.walled else ["1"]  # the walls and the target
    assert f"ValueError: {own}" in reason(seen), "a sandbox sees no process but its own"


def test_without_a_namespace_the_group_is_killed(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(namespaces, "mode", lambda network=False: None)
    start = (
        "import subprocess, sys\n"
        f"words = [sys.executable, '-c', 'import time; time.sleep(600)', {str(tmp_path)!r}]\n"
        "for _ in range(3): subprocess.Popen(words)\n"
    )
    assert "took longer" in reason(hostile(tmp_path, start + "while True: pass"), SHORT)
    killed = reason(hostile(tmp_path, "import os, signal; os.killpg(0, signal.SIGKILL)"))
    assert "signal SIGKILL, perhaps for want of memory" in killed


def test_a_file_that_breaks_after_it_was_planned(workdir: Path) -> None:
    with pytest.raises(ContentError, match=r"hostile\.py, line \d+: SystemExit: 5"):
        audited(hostile(workdir, "", top="\nimport sys; sys.exit(5)"))
    with pytest.raises(ContentError, match=r"toy/other is no longer in hostile\.py: it changed during the run"):
        audited(hostile(workdir, ""), name="toy/other")


def test_shipped_files_are_loaded_here_and_played_apart_if_they_ask_for_it() -> None:
    file = places.shipped_folder("audits") / "mechanisms" / "gaussian.py"
    [item] = planning.load_targets([file], LONG)
    assert isinstance(item, Loaded)
    with isolation.playing(file, item.name, LONG) as played:
        assert not isinstance(played, Remote)
    trials = Trials(Stream(1, "test"), np.arange(4))
    data, _ = item.carrier.neighbours(np.random.default_rng(0))
    here = item.carrier.run(data, trials)
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(loading.load_module(file), "TARGET", replace(item.record, isolate=True))
        with isolation.playing(file, item.name, LONG) as played:
            assert isinstance(played, Remote)
            sent, _ = played.carrier.neighbours(np.random.default_rng(0))
            np.testing.assert_array_equal(played.carrier.run(sent, trials), here)
        with isolation.playing(file, item.name, LONG, isolate=False) as played:
            assert not isinstance(played, Remote)


MEDDLING = """
import builtins, json, math, os, socket
import numpy as np
import dpaudit.audit.game.play, dpaudit.audit.game.decide, dpaudit.audit.tiers, dpaudit.audit.contract
import dpaudit.audit.sandbox.wire
np.asarray = np.concatenate = np.sort = np.zeros = lambda *a, **k: 1 / 0
np.random.default_rng = None
dpaudit.audit.game.decide.decide = dpaudit.audit.tiers.audit = dpaudit.audit.game.play.play = lambda *a, **k: None
dpaudit.audit.sandbox.wire.encode = dpaudit.audit.contract.numbers = None
math.isfinite = json.dumps = builtins.len = builtins.isinstance = None
os.environ["PATH"] = "/nowhere"
"""


def run_of(folder: Path, *files: str, jobs: int = 1) -> dict[str, Any]:
    """The verdicts of a run of the command line by id, and its exit code under ""."""
    flags = ["--no-controls", "--no-report", "--format", "json", "--jobs", str(jobs), "--run-dir", str(folder)]
    done = command_line("audit", *files, *flags)
    verdicts = json.loads(done.stdout)["verdicts"] if "{" in done.stdout else []
    return {"": done.exit_code, **{verdict["id"]: verdict for verdict in verdicts}}


def test_meddling_changes_nothing_for_others(workdir: Path) -> None:
    hostile(workdir, "", name="toy/meddler", top=MEDDLING)
    hostile(workdir, MEDDLING, name="toy/later")
    write(workdir / "sum.py", target_text(trials=300, run=NOISY_SUM.format(scale=1.0)))
    alone = run_of(workdir / "alone", "sum.py", "--alpha", "0.001")
    both = run_of(workdir / "both", "meddler.py", "later.py", "sum.py", "--alpha", "0.002")
    assert both[""] == 3
    assert both["toy/later"]["outcome"] == both["meddler"]["outcome"] == "ERROR"
    for verdict in (alone["toy/sum"], both["toy/sum"]):
        verdict.pop("duration_s")
    assert both["toy/sum"] == alone["toy/sum"]
    assert alone["toy/sum"]["outcome"] != "ERROR"


def test_a_file_is_never_executed_here(workdir: Path) -> None:
    pipe = workdir / "pipe"
    top = f"\nimport sys, os; sys.stdout.write('')\nopen({str(pipe)!r}, 'w').write(f'{{os.getpid()}} ')"
    path = hostile(workdir, "", top=top, trials=60)
    (workdir / "audits").mkdir()
    path.rename(workdir / "audits" / "hostile.py")
    name = "toy/hostile"
    with told(pipe) as seen:
        for words in (["list", "targets"], ["power", name, "--epsilon", "9"], ["audit", name, "--no-report"]):
            rest = [] if "list" in words else ["--no-controls"]
            assert command_line(*words, *rest, "--audits", "audits").exit_code in (0, 4)
        written = seen().split()
    assert len(written) > 3
    assert str(os.getpid()) not in written


def test_scratch_only_and_no_secrets(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("API_TOKEN", "secret")
    monkeypatch.setenv("OMP_NUM_THREADS", "1")
    monkeypatch.chdir(tmp_path)
    write(tmp_path / "precious.txt", "mine")
    run = (
        "import os, shutil, tempfile\n"
        "shutil.rmtree(os.getcwd(), ignore_errors=True)\n"
        "home, token, threads = os.path.expanduser('~'), os.environ.get('API_TOKEN'), os.environ['OMP_NUM_THREADS']\n"
        "raise ValueError(token, threads, '/s-' in home, tempfile.gettempdir() in (home, '/tmp'))"
    )
    assert "ValueError: (None, '1', True, True)" in reason(hostile(tmp_path, run))
    assert (tmp_path / "precious.txt").read_text() == "mine"


def test_the_user_s_own_packages_can_be_imported(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    write(tmp_path / "lib" / "own_package_of_the_user.py", "SCALE = 1.0")
    monkeypatch.syspath_prepend(str(tmp_path / "lib"))
    path = hostile(tmp_path, "import own_package_of_the_user")
    assert audited(path).outcome is not Outcome.ERROR


def test_no_isolate_is_obeyed(tmp_path: Path) -> None:
    path = write(tmp_path / "toy.py", target_text(trials=60, run=f"import os; global PID; PID = os.getpid(); {HONEST}"))
    with isolation.playing(path, "toy/sum", LONG, isolate=False) as item:
        assert tiers.audit(item.carrier, CONTEXT).outcome is not Outcome.ERROR
        assert os.getpid() == loading.load_module(path).PID


def test_a_target_that_leaves_no_room_for_its_second_sandbox_is_an_error(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """As one that has used up all processes of the user; nobody else is stopped."""
    start, players = remote_target.Session, []

    def started(path: Path, limits: Limits) -> Any:
        if not players[0]._ended:
            raise MachineFault("this machine cannot start a sandbox: no process")
        return start(path, limits)

    path = hostile(tmp_path, "pass")
    play_in = remote_target.RemoteTarget.play_in
    monkeypatch.setattr(
        remote_target.RemoteTarget, "play_in", lambda self, one: players.append(one) or play_in(self, one)
    )
    monkeypatch.setattr(remote_target, "Session", started)
    assert "while its sandbox is open no other one starts, which it needs: this machine cannot" in reason(path)
