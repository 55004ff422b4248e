"""Groups of processes with limits: who may make them, and what they hold."""

from __future__ import annotations

import contextlib
import os
import signal
from collections.abc import Callable
from pathlib import Path

import pytest
from hostile_targets import hostile

from dpaudit.audit import tiers
from dpaudit.audit.sandbox import isolation, session
from dpaudit.confinement import control_groups, enclosed, forked, namespaces, walls
from dpaudit.confinement.limits import Bounds, Limits
from dpaudit.records.context import Context, Level
from dpaudit.records.verdict import Outcome, Verdict

TREE = "31 23 0:28 / {mounted} rw,nosuid - cgroup2 cgroup2 rw\n"
USER = "user.slice/user-1000.slice/user@1000.service/app.slice"
SMALL = Limits(seconds=60.0, gib=0.5)
BOUNDS = Bounds("the test", 60.0, SMALL.memory, "--a-flag")
WHOLE = control_groups.whole(SMALL.memory)
SHARE = "import mmap\nkept = mmap.mmap(-1, {bytes})\nfor place in range(0, {bytes}, 4096): kept[place] = 1"
"""Memory that is shared, with nobody: the limit of a process does not count it."""

SHARED_FILE = "file = open('/dev/shm/file', 'wb')\nfor _ in range(400): file.write(bytes(1 << 20))\n"

needs_groups = pytest.mark.skipif(control_groups.home() is None, reason="no control groups were handed to this user")


@pytest.fixture
def tree(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """A tree in which this process is in a scope of systemd, below a group that was handed to it."""
    scope = tmp_path / USER / "run-1.scope"
    scope.mkdir(parents=True)
    for folder in (scope, *scope.parents):
        if folder == tmp_path:
            break
        (folder / "cgroup.procs").write_text("")
        (folder / "cgroup.subtree_control").write_text("cpu memory pids\n" if folder.name == "app.slice" else "\n")
    (tmp_path / "table").write_text(TREE.format(mounted=tmp_path))
    (tmp_path / "own").write_text(f"1:name=systemd:/\n0::/{USER}/run-1.scope\n")
    monkeypatch.setattr(control_groups, "TABLE", tmp_path / "table")
    monkeypatch.setattr(control_groups, "OWN", tmp_path / "own")
    monkeypatch.setattr(control_groups, "_works", lambda place: True)
    monkeypatch.setattr(control_groups, "_marked", lambda folder: folder.name == "user@1000.service")
    return tmp_path


def found() -> Path | None:
    """What is found now, whatever was found before."""
    return control_groups.home.__wrapped__()


def test_the_nearest_group_that_was_handed_over_and_counts_is_taken(tree: Path) -> None:
    assert found() == tree / USER


def test_without_a_counter_of_memory_there_is_none(tree: Path) -> None:
    (tree / USER / "cgroup.subtree_control").write_text("cpu pids\n")
    assert found() is None


def test_what_systemd_keeps_for_itself_is_left_alone(tree: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Root could write everywhere, others in what is their own alone."""
    monkeypatch.setattr(control_groups, "_marked", lambda folder: False)
    monkeypatch.setattr(os, "getuid", lambda: 0)
    assert found() is None
    monkeypatch.setattr(os, "getuid", lambda: (tree / USER).stat().st_uid + 1)
    assert found() is None


def test_without_a_tree_of_version_two_there_is_none(tree: Path) -> None:
    (tree / "table").write_text("31 23 0:28 / /sys/fs/cgroup/memory rw - cgroup cgroup rw,memory\n")
    assert found() is None


def test_a_part_of_the_tree_may_be_mounted_alone(tree: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Whether it was handed over is looked for in this part."""
    monkeypatch.setattr(control_groups, "_marked", lambda folder: folder.name == "app.slice")
    (tree / "table").write_text(TREE.replace(" / ", f" /{USER} ").format(mounted=tree / USER))
    assert found() == tree / USER
    (tree / "own").write_text("0::/elsewhere\n")
    assert found() is None


def test_a_group_in_which_nothing_starts_is_none(tree: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(control_groups, "_works", lambda place: False)
    assert found() is None


def test_both_limits_of_processes_are_one() -> None:
    assert str(control_groups.PROCESSES) == walls.PROCESSES


@pytest.mark.parametrize(("strength", "each"), [(namespaces.strength, "sandbox"), (enclosed.strength, "copy")])
def test_what_each_has_is_said(
    strength: Callable[[], tuple[bool, str]], each: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    found = []
    for place, said in ((None, False), (Path("/sys/fs/cgroup/mine"), True)):
        monkeypatch.setattr(control_groups, "home", lambda place=place: place)
        whole, words = strength()
        assert words.endswith(f"; one limit of memory and of processes for each {each}") is said
        found.append(whole)
    assert found[0] is found[1]


def audited(path: Path, limits: Limits) -> Verdict:
    with isolation.playing(path, "toy/hostile", limits) as item:
        return tiers.audit(item.carrier, Context(seed=11, level=Level.SMOKE, alpha=1e-3))


class Full(control_groups.Group):
    """A plain folder, as a group in which the kernel has ended something for want of memory."""

    def overrun(self) -> bool:
        return True


def test_an_end_for_want_of_memory_is_said_and_is_no_kill_from_outside(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(control_groups, "made", lambda memory: contextlib.nullcontext(Full(tmp_path)))
    path = hostile(tmp_path, "", top="import os, signal\nos.kill(os.getpid(), signal.SIGKILL)\n")
    said = "all processes together needed more than"
    with session.Session(path, SMALL) as one, pytest.raises(session.SandboxError, match=said) as raised:
        one.call("describe")
    assert not raised.value.killed
    assert not one.killed
    assert (tmp_path / "cgroup.procs").read_text() == "0\n"  # the sandbox has joined it


def copied(make: Callable[[], str]) -> forked.Result:
    [found] = forked.results([make], [Path(__file__)], BOUNDS)
    return found


def test_a_copy_joins_a_group_of_its_own_which_is_removed(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(control_groups, "home", lambda: tmp_path)
    monkeypatch.setattr(control_groups, "_PATIENCE", 0.0)  # a plain folder with files stays
    outside = copied(lambda: ",".join(path.read_text() for path in tmp_path.glob("dpaudit-*/cgroup.procs")))
    [group] = tmp_path.glob(f"{control_groups.NAME}*")
    assert outside == b"0" == (group / "cgroup.procs").read_bytes()
    assert (group / "memory.max").read_text() == str(WHOLE)
    assert (group / "cgroup.kill").read_text() == "1"


def test_a_copy_that_ends_for_want_of_memory_says_what_all_may_have(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(control_groups, "made", lambda memory: contextlib.nullcontext(Full(tmp_path)))
    assert str(copied(lambda: os.kill(os.getpid(), signal.SIGKILL) or "")) == (
        f"the test needed too much memory; all its processes together may have {WHOLE / (1 << 30):g} GiB: "
        "let it use less, or raise --memory-limit"
    )


@pytest.mark.parametrize(("text", "wanted"), [("oom 3\noom_kill 1\n", True), ("oom 3\noom_kill 0\n", False)])
def test_the_kernel_says_whether_it_ended_something(tmp_path: Path, text: str, wanted: bool) -> None:
    (tmp_path / "memory.events").write_text(text)
    assert control_groups.Group(tmp_path).overrun() is wanted


@needs_groups
@pytest.mark.parametrize(
    "run",
    [
        SHARE.format(bytes=WHOLE + (200 << 20)),
        f"import os\nfor _ in range(4): os.fork()\n{SHARE.format(bytes=WHOLE // 10)}",
        SHARED_FILE + SHARE.format(bytes=WHOLE - (200 << 20)),
    ],
)
def test_shared_memory_and_all_processes_together_are_limited(tmp_path: Path, run: str) -> None:
    verdict = audited(hostile(tmp_path, run), SMALL)
    assert verdict.outcome is Outcome.ERROR
    said = f"all processes together needed more than {WHOLE / (1 << 30):g} GiB during run: use less, or raise --memory"
    assert said in verdict.evidence[0].detail


def sharing() -> str:
    exec(SHARE.format(bytes=WHOLE + (200 << 20)))
    return "ended"


@needs_groups
def test_shared_memory_of_a_copy_is_limited_and_no_group_is_left() -> None:
    place = control_groups.home()
    assert place is not None
    assert str(copied(sharing)).startswith("the test needed too much memory; all its processes together may have ")
    assert list(place.glob(f"{control_groups.NAME}*")) == []
    assert copied(lambda: Path("/proc/self/cgroup").read_text()).count(control_groups.NAME.encode()) == 1


@needs_groups
def test_a_sandbox_with_less_is_not_touched_and_leaves_no_group(tmp_path: Path) -> None:
    assert audited(hostile(tmp_path, SHARE.format(bytes=100 << 20)), SMALL).outcome is not Outcome.ERROR
    place = control_groups.home()
    assert place is not None
    assert list(place.glob(f"{control_groups.NAME}*")) == []


@needs_groups
def test_the_whole_sandbox_is_in_its_group(tmp_path: Path) -> None:
    with session.Session(hostile(tmp_path, ""), SMALL) as one:
        assert one._group is not None
        inside = (one._group.folder / "cgroup.procs").read_text().split()
        assert str(one._process.pid) in inside
        assert len(inside) >= (2 if namespaces.namespaced() else 1)
        assert (one._group.folder / "pids.max").read_text().strip() == str(control_groups.PROCESSES)
        assert (one._group.folder / "memory.max").read_text().strip() == str(WHOLE)
