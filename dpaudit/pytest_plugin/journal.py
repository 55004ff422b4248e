"""The run folder of `pytest --dpaudit`: what comes in with the reports of the items; and the last lines of the session.

Only the process that gathers the reports writes here: with pytest-xdist that is the one that collects nothing itself.
"""

from __future__ import annotations

import json
import shlex
from pathlib import Path
from typing import Protocol

import pytest

from dpaudit.pytest_plugin.ledger import again
from dpaudit.records.errors import ConfigurationError
from dpaudit.records.lines import read_verdict
from dpaudit.records.serial import Json
from dpaudit.records.verdict import ExitCode, Verdict, exit_code
from dpaudit.report.formats import text as export
from dpaudit.runs import store
from dpaudit.runs.execute import describe, ending
from dpaudit.runs.plan import Plan
from dpaudit.runs.spending import Taken, place


class _Worker(Protocol):
    """A worker of pytest-xdist, which is optional: what it is told before it starts."""

    workerinput: dict[str, str]


class Journal:
    """Opens the folder before the first item, appends each verdict, and closes it with the whole list in order."""

    def __init__(self, config: pytest.Config, seed: int) -> None:
        self._config = config
        self._told = getattr(config, "workerinput", {}).get("dpaudit")
        named = self._told or config.getoption("dpaudit_run_dir")
        self.path = Path(named) if named else store.default_folder("pytest", seed)
        if getattr(config.option, "dist", "no") == "load":
            config.option.dist = "loadfile"  # else every worker of pytest-xdist would do the work of every file
        self._keep: store.Folder | None = None
        self._header: Json | None = None
        self._verdicts: dict[int, Verdict] = {}
        self._cached: dict[str, None] = {}
        self._taken: Taken | None = None
        self._again = shlex.join(["pytest", *map(str, config.invocation_params.args)])

    def planned(self, plan: Plan) -> None:
        """Note what run.json says before the run; a worker hands it to the process that writes."""
        self._header, self._taken = describe(plan), plan.spending
        if plan.spending is not None:
            self._again = again(self._config.invocation_params.args, plan.settings)
        if self._told:
            self._config.workeroutput["dpaudit"] = json.dumps(self._header)  # type: ignore[attr-defined]

    def begins(self, session: pytest.Session) -> bool:
        """Will items be played, now that all are collected?"""
        stopped = session.testsfailed and not self._config.getoption("continue_on_collection_errors")
        return not (self._config.getoption("collectonly") or stopped)

    @pytest.hookimpl(tryfirst=True)
    def pytest_runtestloop(self, session: pytest.Session) -> None:
        """Open the folder; UsageError if it is in use."""
        if self._told or not self.begins(session):
            return
        try:
            self._keep = store.Folder(self.path)
        except ConfigurationError as error:
            raise pytest.UsageError(str(error).replace("--run-dir", "--dpaudit-run-dir")) from error
        if self._header is not None:
            self._keep.write_run(self._named(self._header))

    def pytest_runtest_logreport(self, report: pytest.TestReport) -> None:
        """Keep the verdict that came with a report."""
        place, text, *cached = getattr(report, "dpaudit", (None, ""))
        if self._keep is None or place is None or place in self._verdicts:
            return
        self._verdicts[place] = read_verdict(text, "the report of an item")
        self._cached |= dict.fromkeys(cached)
        self._keep.append([self._verdicts[place]])

    @pytest.hookimpl(optionalhook=True)
    def pytest_configure_node(self, node: _Worker) -> None:
        """A worker of pytest-xdist is about to start: it has to know the folder."""
        node.workerinput["dpaudit"] = str(self.path)

    @pytest.hookimpl(optionalhook=True)
    def pytest_testnodedown(self, node: object) -> None:
        """A worker of pytest-xdist has ended."""
        told = getattr(node, "workeroutput", {}).get("dpaudit")
        self._header = json.loads(told) if told else self._header

    @pytest.hookimpl(trylast=True)
    def pytest_sessionfinish(self, exitstatus: int) -> None:
        """Write run.json and the records in the order of collection."""
        if self._keep is None or self._header is None:
            return
        verdicts, code = self._listed(), self._code(exitstatus)
        with self._keep as keep:
            keep.finish(verdicts, self._named(self._header) | ending(verdicts, code) | {"cached": [*self._cached]})

    def pytest_terminal_summary(self, terminalreporter: pytest.TerminalReporter, exitstatus: int) -> None:
        """One sentence with the counts, and where everything is."""
        if self._keep is None or not self._verdicts:
            return
        terminalreporter.section("dpaudit")
        terminalreporter.write_line(export.headline(self._listed(), self._code(exitstatus)).partition("\n")[0])
        if self._taken is not None:
            terminalreporter.write_line(f"error budget {self._taken.share:.3g}: {place(self._taken)}")
        terminalreporter.write_line(f"run folder {self.path}; its page: dpaudit report {shlex.quote(str(self.path))}")

    def _named(self, header: Json) -> Json:
        """`header` with the command that repeats the session."""
        return header | {"command": self._again}

    def _listed(self) -> list[Verdict]:
        return [self._verdicts[place] for place in sorted(self._verdicts)]

    def _code(self, exitstatus: int) -> ExitCode:
        if exitstatus == pytest.ExitCode.INTERRUPTED:
            return ExitCode.INTERRUPTED
        return exit_code(self._listed(), self._config.getoption("dpaudit_allow_inconclusive"))
