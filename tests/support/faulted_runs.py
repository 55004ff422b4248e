"""Runs in which one call fails: how they end, and what is left of them."""

from __future__ import annotations

import gc
import os
import shutil
import tempfile
from collections import Counter
from collections.abc import Callable, Iterator, Sequence
from contextlib import AbstractContextManager, contextmanager
from functools import cached_property
from pathlib import Path

import pytest
from command_line import dpaudit
from failing_calls import Faults
from killed_sandboxes import servers
from resumed_runs import Killed, files, go_on, silent
from small_content import boxed_text, claim_text, target_text, write

from dpaudit.audit.sandbox import isolation
from dpaudit.confinement import namespaces, scratch
from dpaudit.records.errors import ConfigurationError, DpauditError, MachineFault
from dpaudit.records.verdict import ExitCode, Verdict
from dpaudit.runs import cache, store
from dpaudit.runs.execute import run
from dpaudit.runs.plan import Plan, make_plan
from dpaudit.runs.settings import Part, Settings
from dpaudit.runs.task import Task

Way = Callable[[Faults], AbstractContextManager[None]]
SAME, STOPPED = "same", "stopped"
"""The files of a run without a fault, at once or after `resume`; anything else is said in words."""


def planned(*parts: Part, jobs: int = 1) -> Plan:
    return make_plan(Settings("run", parts or (Part.VERIFY, Part.AUDIT), controls=False, jobs=jobs))


def places(names: Sequence[str], times: int) -> list[int]:
    """The numbers of calls, each name at most so many times."""
    seen, found = Counter[str](), []
    for number, name in enumerate(names, start=1):
        seen[name] += 1
        found += [number] if seen[name] <= times else []
    return found


def resumed_here(folder: Path) -> ExitCode:
    """The exit code of `dpaudit resume`; ConfigurationError with what it says where it stops."""
    ended = dpaudit("resume", str(folder), "--no-report")
    if ended.exit_code == ExitCode.USAGE:
        raise ConfigurationError(ended.stderr)
    return ExitCode(ended.exit_code)


class Trial:
    """A claim whose verdicts are kept from an earlier run, one without, and a target in a sandbox; in `home`, which is
    the working directory."""

    def __init__(self, home: Path, patch: pytest.MonkeyPatch) -> None:
        self.home = home
        (home / "scratch").mkdir()
        patch.setenv(cache.VARIABLE, str(home / "cache"))
        patch.setattr(tempfile, "tempdir", str(home / "scratch"))
        write(home / "proofs" / "toy" / "lem_1.py", boxed_text("toy/LEM-1"))
        run(planned(Part.VERIFY), home / "first", silent)
        shutil.copytree(home / "cache", home / "kept")
        write(home / "proofs" / "toy" / "lem_2.py", claim_text("toy/LEM-2"))
        write(home / "audits" / "a.py", target_text("toy/a", trials=200))
        self._code = run(planned(), home / "whole", silent).code
        self._whole = files(home / "whole")

    def made(self, way: Way) -> list[str]:
        """The names of all calls of a run, in order."""
        faults = Faults()
        with self.prepared("counted") as out, way(faults):
            run(planned(), out, silent)
        return faults.made

    def ended(self, way: Way, at: int) -> str:
        """How a run ends whose call number `at` fails."""
        return self.came_of(way(Faults(at)))

    def came_of(self, faulted: AbstractContextManager[object], jobs: int = 1, resumed: bool = False) -> str:
        """How a run ends that is made in the context `faulted`; resumed: one that was stopped, and goes on there."""
        with self.prepared("out") as out:
            if resumed:
                shutil.copytree(self.stopped, out)
            opened = len(os.listdir("/proc/self/fd"))
            found, said = STOPPED, ""
            try:
                with faulted:
                    code = resumed_here(out) if resumed else run(planned(jobs=jobs), out, silent).code
                found = SAME if code is self._code else "another exit code"
            except (DpauditError, MachineFault) as error:
                said = str(error)
            except (OSError, MemoryError) as error:
                return f"bare {error!r}"
            return self._left() or self._compared(out, found, said, opened, jobs)

    @cached_property
    def stopped(self) -> Path:
        """A run that has ended without a word, after its first task."""

        def observe(task: Task, _: Sequence[Verdict]) -> None:
            raise Killed

        with pytest.raises(Killed):
            run(planned(), self.home / "stopped", observe)
        return self.home / "stopped"

    def _compared(self, out: Path, found: str, said: str, opened: int, jobs: int) -> str:
        if found is SAME and len(os.listdir("/proc/self/fd")) > opened and jobs == 1:  # those of workers stay
            return "a descriptor is left"
        if found is STOPPED and (out / store.RUN).exists():
            if "dpaudit resume" not in said:
                return f"no way on is said: {said}"
            go_on(out)
        elif found is STOPPED:
            return STOPPED if said else "nothing is said"
        return found if files(out) == self._whole else f"other records ({found}): {said}"

    def _left(self) -> str:
        """What a run has left behind, "" for nothing."""
        gc.collect()  # what an exception held
        if servers():
            return "a process is left"
        left = [path.name for path in (self.home / "scratch").glob("*") if path != scratch.home()]
        left += [path.name for path in scratch.home().iterdir()]
        return f"temporary folders are left: {left}" if left else ""

    @contextmanager
    def prepared(self, name: str) -> Iterator[Path]:
        """A run folder that is not there, with the cache as it was; both are removed."""
        for kept in (namespaces.mode, isolation._shipped_files, scratch._sweep):
            kept.cache_clear()
        shutil.rmtree(self.home / "cache", ignore_errors=True)
        shutil.copytree(self.home / "kept", self.home / "cache")
        try:
            yield self.home / name
        finally:
            shutil.rmtree(self.home / name, ignore_errors=True)
            for left in (self.home / "scratch").iterdir():
                shutil.rmtree(left, ignore_errors=True)
