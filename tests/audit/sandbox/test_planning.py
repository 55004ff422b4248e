"""What comes of the files of other people before they are played."""

from __future__ import annotations

import os
import sys
import time
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest
from hostile_targets import hostile, told
from killed_sandboxes import servers
from no_python_files import made_in, said_of
from small_content import target_text, write

from dpaudit.audit.sandbox import isolation, planning
from dpaudit.audit.sandbox.remote_target import Remote
from dpaudit.confinement.limits import Limits
from dpaudit.content import loading, places
from dpaudit.content.items import Broken, Loaded
from dpaudit.records.errors import ConfigurationError, MachineFault

SHORT = Limits(seconds=3.0)
LONG = Limits(seconds=60.0)


@pytest.mark.deep(keep=3)
@pytest.mark.parametrize(
    ("top", "words"),
    [
        ("\nimport sys; sys.exit(5)", "SystemExit: 5"),
        ("\nimport os; os._exit(7)", "exit code 7"),
        ("\nwhile True: pass", "took longer than 3 s"),
        ("\nraise ImportError('not here')", "ImportError: not here"),
        ("\nimport opendp_that_is_not_there", "ModuleNotFoundError"),
        ("\n1 = 2", "line"),
        ("\nfrom dataclasses import replace; TARGET = replace(TARGET, name='x' * 500)", "at most 120 characters"),
        ("\nTARGET = 7", "TARGET must be a Target record, got int"),
        ("\ndel TARGET", "defines no TARGET"),
    ],
)
def test_files_that_cannot_be_loaded(workdir: Path, top: str, words: str) -> None:
    path = hostile(workdir, "", top=top)
    [item] = planning.load_targets([path], SHORT)
    assert isinstance(item, Broken)
    assert item.name == "hostile"
    assert item.error.startswith("hostile.py")
    assert words in item.error


@pytest.mark.timeout(100)
def test_what_is_no_file_is_refused_and_the_others_are_planned(workdir: Path) -> None:
    write(made_in(workdir) / "honest.py", target_text("honest/sum"))
    found = planning.load_targets([Path()], LONG)
    said_of([item.error for item in found if isinstance(item, Broken)], workdir)
    assert [item.name for item in found if isinstance(item, Loaded)] == ["honest/sum"]


def test_a_file_that_loads_too_long_is_told_of_its_limit(workdir: Path) -> None:
    [item] = planning.load_targets([hostile(workdir, "", top="\nwhile True: pass")], replace(LONG, loading=2.0))
    assert isinstance(item, Broken)
    assert "describe took longer than 2 s: load it faster, or raise --load-limit" in item.error


def test_an_answer_that_nobody_foresaw_is_the_error_of_its_file(workdir: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    describe = planning.described

    def described(session: Any, path: Path) -> Any:
        if path.stem == "a":
            raise ValueError("an answer that nobody foresaw")
        return describe(session, path)

    monkeypatch.setattr(planning, "described", described)
    forger, honest = planning.load_targets([hostile(workdir, "", f"toy/{name}") for name in "ab"], LONG)
    assert isinstance(forger, Broken)
    assert "the sandbox described no target: ValueError: an answer that nobody foresaw" in forger.error
    assert isinstance(honest, Loaded)


def test_files_are_planned_side_by_side(workdir: Path) -> None:
    """The first one waits for the second."""
    pipe = workdir / "pipe"
    os.mkfifo(pipe)
    paths = [
        hostile(workdir, "", "toy/a", top=f"\nassert open({str(pipe)!r}).read() == 'b'"),
        hostile(workdir, "", "toy/b", top=f"\nopen({str(pipe)!r}, 'w').write('b')"),
    ]
    items = planning.load_targets(paths, replace(LONG, loading=20.0))
    assert [(item.name, isinstance(item, Loaded)) for item in items] == [("toy/a", True), ("toy/b", True)]


@pytest.mark.parametrize("fault", [MachineFault, KeyboardInterrupt])
def test_a_plan_that_is_given_up_waits_for_no_file(
    workdir: Path, monkeypatch: pytest.MonkeyPatch, fault: type[BaseException]
) -> None:
    pipe = workdir / "pipe"
    paths = [
        hostile(workdir, "", "toy/a", top=f"\nopen({str(pipe)!r}, 'w').write('x')\nwhile True: pass"),
        hostile(workdir, "", "toy/b"),
        *(hostile(workdir, "", f"toy/{name}", top="\nwhile True: pass") for name in "cdefgh"),
    ]
    with told(pipe) as begun:
        describe = planning.described

        def described(session: Any, path: Path) -> Any:
            if path.stem != "b":
                return describe(session, path)
            while not begun():
                time.sleep(0.01)
            raise fault("the machine is full")

        monkeypatch.setattr(planning, "described", described)
        with pytest.raises((ConfigurationError, KeyboardInterrupt), match="the machine is full"):
            planning.load_targets(paths, Limits(seconds=1000.0, loading=1000.0))
    assert servers() == []


def test_a_broken_file_reads_as_without_a_sandbox(workdir: Path) -> None:
    for top in ("\nx = 1 / 0", "\nimport jax_of_nobody", "\n1 = 2", "\nTARGET = None"):
        path = hostile(workdir, "", top=top)
        assert planning.load_targets([path], LONG) == loading.load_targets([path])


def test_records_come_over_whole(tmp_path: Path) -> None:
    path = write(tmp_path / "toy.py", target_text(needs="(('numpy', 'none'),)", control="NULL"))
    [item], [plain] = planning.load_targets([path], LONG), loading.load_targets([path])
    assert isinstance(item, Loaded)
    assert isinstance(plain, Loaded)
    assert item.record == plain.record


def test_of_two_files_of_one_name_the_second_is_broken_and_the_first_is_played(tmp_path: Path) -> None:
    for file in ("one.py", "two.py"):
        write(tmp_path / file, target_text())
    first, second = planning.load_targets([tmp_path], LONG)
    assert (first.name, first.path.name) == ("toy/sum", "one.py")
    assert isinstance(second, Broken)
    assert second.error.endswith("one.py is called 'toy/sum' too; rename one")


def test_two_files_of_one_name_in_this_process_are_refused(tmp_path: Path) -> None:
    for file in ("one.py", "two.py"):
        write(tmp_path / file, target_text())
    with pytest.raises(ConfigurationError, match="two records are called 'toy/sum'"):
        planning.load_targets([tmp_path], LONG, isolate=False)


def test_a_copy_with_the_bytes_of_a_shipped_file_is_the_shipped_file(tmp_path: Path) -> None:
    shipped = places.shipped_folder("audits") / "mechanisms" / "gaussian.py"
    copy = write(tmp_path / "copy.py", shipped.read_text(encoding="utf-8"))
    [item], [own] = planning.load_targets([copy], LONG), loading.load_targets([shipped])
    assert isinstance(item, Loaded)
    assert isinstance(own, Loaded)
    assert item.path == copy
    assert item.carrier.run is own.carrier.run
    assert str(tmp_path) not in sys.path
    with isolation.playing(copy, item.name, LONG) as played:
        assert not isinstance(played, Remote)
    write(copy, shipped.read_text(encoding="utf-8") + "#")
    with isolation.playing(copy, item.name, LONG) as played:
        assert isinstance(played, Remote)


def test_names_of_one_file_are_two_targets_of_which_the_second_is_an_error(workdir: Path) -> None:
    paths = [write(workdir / f"{n}.py", target_text(name)) for n, name in (("a", "toy/x"), ("b", "toy_X"))]
    first, second = planning.load_targets(paths, LONG)
    assert first.name == "toy/x"
    assert isinstance(second, Broken)
    assert second.error.endswith("is called 'toy/x' and one here 'toy_X', whose files would have one name; rename one")


def test_a_name_is_measured_as_the_name_of_a_file(workdir: Path) -> None:
    [item] = planning.load_targets([write(workdir / "a.py", target_text("toy/" + "\U0001d49c" * 40))], LONG)
    assert isinstance(item, Broken)
    assert "a printable name of at most 120 characters, or bytes of UTF-8" in item.error
