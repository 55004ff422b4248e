"""What `pytest --dpaudit` collects and runs: one item a verdict; the first item of a claim or target does its work.

An item has the outcome that `dpaudit verify` or `dpaudit audit` of the same files gives it. The error budget is shared
by all that is collected, whether `-k` selects it or not, so that a verdict does not hang on the selection.
"""

from __future__ import annotations

import ast
import warnings
from collections.abc import Generator, Iterator
from dataclasses import replace
from fnmatch import fnmatch
from pathlib import Path
from typing import Any

import pytest

from dpaudit.claims.grounds import settle
from dpaudit.content import places
from dpaudit.pytest_plugin import ledger
from dpaudit.pytest_plugin.fixture import properties
from dpaudit.pytest_plugin.journal import Journal
from dpaudit.pytest_plugin.owners import Entry, Owners
from dpaudit.records.context import Context, Level
from dpaudit.records.errors import ConfigurationError
from dpaudit.records.hidden import visible
from dpaudit.records.serial import decode
from dpaudit.records.verdict import ExitCode, Kind, Outcome, Verdict, exit_code
from dpaudit.report.formats import text as export
from dpaudit.report.sections import reason
from dpaudit.runs import budget, spending, store
from dpaudit.runs.executors import local
from dpaudit.runs.flows import FLOWS, flow_of
from dpaudit.runs.plan import Plan, asked, make_plan, repeatable
from dpaudit.runs.settings import DEFAULT_SEED, Part, Settings
from dpaudit.runs.worker import Order, perform, stand_in

_Found = list[pytest.Collector]
_IN_FILES = tuple(flow for flow in FLOWS if flow.variables)
"""The flows whose items are Python files that anybody may write."""


def register(config: pytest.Config) -> None:
    """Take part in the session; raises UsageError for wrong flags."""
    local.limit_threads()
    shared = ledger.asked_for(config)
    alpha, seed = config.getoption("dpaudit_alpha"), config.getoption("dpaudit_seed")
    if seed is None:
        seed = DEFAULT_SEED if shared is None else spending.drawn_seed()
    settings = Settings(
        command="pytest",
        parts=tuple(flow.part for flow in _IN_FILES),
        seed=seed,
        level=Level(config.getoption("dpaudit_level")),
        alpha=budget.DEFAULT_TOTAL if alpha is None else alpha,
        controls=False,
        allow_inconclusive=config.getoption("dpaudit_allow_inconclusive"),
        isolate=not config.getoption("dpaudit_no_isolate"),
        allow_network=config.getoption("dpaudit_allow_network"),
    )
    if not 0 <= settings.seed < 2**63:
        raise pytest.UsageError(f"--dpaudit-seed must be at least 0 and below 2^63, got {settings.seed}")
    try:
        budget.plan(settings.alpha, ())
    except ConfigurationError as error:
        raise pytest.UsageError(f"--dpaudit-alpha: {error}") from error
    journal = Journal(config, settings.seed)
    config.pluginmanager.register(journal, "dpaudit-journal")
    config.pluginmanager.register(Collection(config, settings, journal, shared), "dpaudit-collection")


class Collection:
    """All tasks that were collected, and the verdicts of those that were performed."""

    def __init__(self, config: pytest.Config, settings: Settings, journal: Journal, shared: Path | None) -> None:
        """shared: the file of the ledger that the error budget is to be from."""
        self._settings, self._shared, self._typed = settings, shared, config.invocation_params.args
        self._context = Context(settings.seed, settings.level, settings.alpha)
        self._journal = journal
        self._folder = journal.path
        self._tests = config.getini("python_files")
        self._entries: dict[str, Entry] = {}
        self._owners = Owners()
        self._performed: dict[str, list[Verdict]] = {}
        self._cached: set[str] = set()
        self._ledger: budget.Ledger | None = None
        self._taken: spending.Taken | None = None

    @pytest.hookimpl(wrapper=True)
    def pytest_collect_file(self, file_path: Path, parent: pytest.Collector) -> Generator[None, _Found, _Found]:
        """Files of claims and targets become our own; as tests they are collected only if their names say so."""
        found = yield
        if not self._is_listed(file_path, parent.session) or not parts_of(file_path):
            return found
        named_test = any(fnmatch(file_path.name, pattern) for pattern in self._tests)
        kept = [one for one in found if named_test or not isinstance(one, pytest.Module)]
        return [*kept, ContentFile.from_parent(parent, path=file_path, collection=self)]

    def _is_listed(self, path: Path, session: pytest.Session) -> bool:
        """A Python file that was named itself, or that no name with a leading underscore or dot hides."""
        if path.suffix != ".py" or session.isinitpath(path):
            return path.suffix == ".py"
        named = (Path(arg.partition("::")[0]).resolve() for arg in session.config.args)
        below = [path.relative_to(folder) for folder in named if path.is_relative_to(folder)]
        return any(not places.is_hidden(part) for part in below)

    def entries(self, path: Path) -> Iterator[Entry]:
        """The claims and targets of one file. What has a name of another file is an ERROR of this file; of claims,
        where nobody can say whose the name is, of the other one too. ConfigurationError if that has no name left."""
        for part in parts_of(path):
            settings = replace(self._settings, command=part.value, parts=(part,), names=(places.shown(path),))
            for task in make_plan(replace(settings, names=(str(path),))).tasks:
                kinds = flow_of(part).verdicts(task, self._context)
                clash = self._owners.clash(task, kinds)
                if clash is not None:
                    self._entries |= clash.broken(self._entries)
                    task, kinds = clash.task, {clash.task.name: task.kind}
                for name, kind in kinds.items():
                    if clash is None or name not in self._entries:
                        self._entries[name] = Entry(name, kind, task, settings)
                        yield self._entries[name]

    def plan(self) -> Plan:
        """The plan of all that was collected, with the error budget of its statistical tests."""
        tasks = {entry.task.name: entry.task for entry in self._entries.values()}.values()
        if self._ledger is None:
            self._ledger = budget.plan(self._settings.alpha, asked(tasks))
        return Plan(self._settings, tuple(tasks), self._ledger, spending=self._taken)

    def place(self, name: str) -> int:
        """The place of a verdict among all that were collected."""
        return list(self._entries).index(name)

    def verdict(self, name: str) -> Verdict:
        """The verdict `name`, or that of its whole claim if the claim gave no others; does the work if nobody has."""
        open_names = [name]
        while open_names:
            entry = self._entries.get(open_names.pop())
            if entry is not None and entry.task.name not in self._performed:
                self._performed[entry.task.name] = self._perform(entry)
                # What a proof rests on decides with it.
                open_names += [g for v in self._performed[entry.task.name] for g in (*v.rests_on, *v.given)]
        known = {v.id: v for v in settle([v for found in self._performed.values() for v in found])}
        return known.get(name) or known[self._entries[name].task.name]

    def _perform(self, entry: Entry) -> list[Verdict]:
        shares = self.plan().ledger
        (task,) = repeatable([entry.task], entry.settings, shares)
        order = Order(task, entry.settings, shares.of(task.name))
        # A time limit of pytest cuts through here; the next item of this claim must not start over.
        cut = "pytest stopped it before there was a verdict"
        self._performed[entry.task.name] = [stand_in(order, Outcome.ERROR, cut)]
        with warnings.catch_warnings():
            warnings.simplefilter("default")  # the filters of a test suite must not change a verdict
            answer = perform(order)
        if answer.fault:
            return [stand_in(order, Outcome.ERROR, answer.fault)]
        store.attach(self._folder, answer.files)
        self._cached |= {task.name} if answer.cached else set()
        found: list[Verdict] = decode(answer.verdicts)
        strange = [verdict.id for verdict in found if verdict.id not in self._entries]
        if strange:
            return [stand_in(order, Outcome.ERROR, f"a verdict that was not foreseen, a defect of dpaudit: {strange}")]
        return found

    def passes(self, verdict: Verdict) -> bool:
        """Would this verdict alone make a run succeed?"""
        return exit_code([verdict], self._settings.allow_inconclusive) is ExitCode.EXPECTED

    @pytest.hookimpl(wrapper=True)
    def pytest_runtest_makereport(self, item: pytest.Item) -> Generator[None, pytest.TestReport, pytest.TestReport]:
        """Let the verdict travel with the report, from a worker of pytest-xdist too."""
        report = yield
        if isinstance(item, VerdictItem) and report.when == "call" and item.verdict is not None:
            # Plain types: pytest-xdist sends them.
            cached = self._cached & {self._entries[item.verdict.id].task.name}
            told = (self.place(item.verdict.id), store.line(item.verdict), *cached)
            report.dpaudit = told  # type: ignore[attr-defined]
        return report

    @pytest.hookimpl(tryfirst=True)
    def pytest_runtestloop(self, session: pytest.Session) -> None:
        """Everything is collected: every statistical test is registered before any data is seen."""
        if not self._entries:
            return
        if self._shared is not None and self._journal.begins(session):
            plan = ledger.take(self._shared, self.plan(), self._folder, self._typed)
            self._settings, self._ledger, self._taken = plan.settings, plan.ledger, plan.spending
        self._journal.planned(self.plan())

    def pytest_report_header(self) -> str:
        """The seed, on which every random choice hangs."""
        return f"dpaudit: seed {self._settings.seed}"


class ContentFile(pytest.File):
    """A file of claims or targets."""

    def __init__(self, *, collection: Collection, **rest: Any) -> None:  # the rest is for pytest alone
        super().__init__(**rest)
        self._collection = collection

    def collect(self) -> Iterator[VerdictItem]:
        """One item a verdict."""
        try:
            for entry in self._collection.entries(self.path):
                yield VerdictItem.from_parent(self, name=entry.name, kind=entry.kind, collection=self._collection)
        except ConfigurationError as error:
            raise self.CollectError(str(error)) from error


class VerdictItem(pytest.Item):
    """Passes if its verdict is the expected one."""

    def __init__(self, *, kind: Kind, collection: Collection, **rest: Any) -> None:  # the rest is for pytest alone
        super().__init__(**rest)
        self._collection = collection
        self.verdict: Verdict | None = None
        self._kind = kind
        self.extra_keyword_matches.add(kind.value)
        if self.config.pluginmanager.hasplugin("xdist"):
            self.add_marker(pytest.mark.xdist_group(self.path.stem))

    def runtest(self) -> None:
        """Find the verdict; skip where it could not be looked for and need not, fail unless it is as expected."""
        self.verdict = self._collection.verdict(self.name)
        self.user_properties += properties(self.verdict)
        if not self._collection.passes(self.verdict):
            raise Unexpected(self.verdict)
        if not self.verdict.as_expected or self.verdict.outcome is Outcome.NOT_RUN:
            pytest.skip(visible(f"{self.verdict.outcome}: {reason(self.verdict)}"))

    def repr_failure(
        self, excinfo: pytest.ExceptionInfo[BaseException], style: Any = None
    ) -> Any:  # types that pytest keeps private
        """What was found and how to repeat it; a traceback only for a defect of dpaudit."""
        if isinstance(excinfo.value, Unexpected):
            return visible(export.details(excinfo.value.verdict))
        return super().repr_failure(excinfo, style)

    def reportinfo(self) -> tuple[Path, None, str]:
        """The file, and a heading: with the id alone pytest would print LEM-3.9 as LEM-3::9."""
        return self.path, None, f"{self._kind} {self.name}"


class Unexpected(Exception):
    """A verdict that fails its item."""

    def __init__(self, verdict: Verdict) -> None:
        super().__init__(verdict.id)
        self.verdict = verdict


def parts_of(path: Path) -> tuple[Part, ...]:
    """What a Python file holds, by the names that it binds; nothing of it is executed."""
    if not path.is_file():  # a pipe would be waited for
        return ()
    text = path.read_text(encoding="utf-8", errors="replace")
    wanted = {name for flow in _IN_FILES for name in flow.variables if name in text}
    if not wanted or not ("dpaudit" in text or places.in_claim_folder(path)):
        return ()
    try:
        bound = set(_bound(ast.parse(text)))
    except (SyntaxError, ValueError):
        bound = wanted  # broken, and meant for us: an ERROR rather than silence
    return tuple(flow.part for flow in _IN_FILES if flow.variables & bound)


def _bound(node: ast.AST) -> Iterator[str]:
    """The names that the statements of a module bind, those inside functions and classes left out."""
    if isinstance(node, ast.FunctionDef | ast.AsyncFunctionDef | ast.ClassDef | ast.Lambda):
        return
    if isinstance(node, ast.Name) and isinstance(node.ctx, ast.Store):
        yield node.id
    if isinstance(node, ast.alias):
        yield node.asname or node.name
    for child in ast.iter_child_nodes(node):
        yield from _bound(child)
