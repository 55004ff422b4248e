"""A run as JUnit XML: a suite for every file, a case for every id and engine.

The dialect is the schema that Jenkins holds results to, `junit-10.xsd` of its xUnit plugin, which other systems read
too. It has no `file` on a case; therefore a suite is a file, and its `package` the paper or library. junitparser was
tried for writing: it puts `skipped` on the root and times of more than three decimals, which that schema refuses.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from xml.etree import ElementTree

from dpaudit.records.hidden import visible
from dpaudit.records.verdict import Evidence, ExitCode, Outcome, Verdict, exit_code
from dpaudit.report import sections
from dpaudit.report.escape_commands import disarm_xml
from dpaudit.report.formats.text import details, summary
from dpaudit.report.formats.view import Filing, View, Whole, Write
from dpaudit.report.locations import Files, group
from dpaudit.runs.reading import Run

NAME, PLACE, FILING = "junit", 5, Filing.WHOLE

NO_FILE = "without a file"
"""What XML 1.0 (section 2.2) forbids; the carriage return too, since a reader makes a line end of it."""


def view(write: Write, announce: Write, verbose: bool) -> View:
    """See `Format`."""
    return Whole(write, document)


@dataclass(frozen=True)
class TestCase:
    """One id and one engine. state: `passed`, `failure`, `error` or `skipped`; message: why it is not passed."""

    name: str
    group: str
    seconds: float
    state: str
    message: str
    output: str


def document(run: Run) -> str:
    """The XML document."""
    files = Files(run)
    suites: dict[tuple[str, str], list[TestCase]] = {}
    for verdict in run.verdicts:
        cases = suites.setdefault((files.of(verdict), group(verdict)), [])
        cases.extend(_cases(verdict, run.allow_inconclusive))
    sums = _sums(suites.values())
    del sums["skipped"]  # the schema knows it of a suite alone
    root = ElementTree.Element("testsuites", {"name": "dpaudit", **sums})
    facts: tuple[str, ...] = ("command", "seed", "level", "device")
    properties = {name: str(run.header[name]) for name in facts if name in run.header}
    for (file, owner), cases in suites.items():
        root.append(_suite(file, owner, cases, properties, str(run.header.get("started") or "")))
    ElementTree.indent(root)
    return disarm_xml('<?xml version="1.0" encoding="UTF-8"?>\n' + ElementTree.tostring(root, encoding="unicode"))


def _suite(
    file: str, owner: str, cases: Sequence[TestCase], facts: Mapping[str, str], started: str
) -> ElementTree.Element:
    """One file; the time stamp is that of the run, since a record has none."""
    named = {"file": file} if file else {}
    stamp = {"timestamp": started.partition("+")[0]} if started else {}
    words = {"name": file or f"{owner}, {NO_FILE}", "package": owner, **named, **stamp, **_sums([cases])}
    suite = ElementTree.Element("testsuite", _attributes(words))
    listed = ElementTree.SubElement(suite, "properties")
    for name, value in facts.items():
        ElementTree.SubElement(listed, "property", _attributes({"name": name, "value": value}))
    for case in cases:
        words = {"name": case.name, "classname": case.group, "time": f"{case.seconds:.3f}"}
        element = ElementTree.SubElement(suite, "testcase", _attributes(words))
        if case.state != "passed":
            found = ElementTree.SubElement(element, case.state, _attributes({"message": case.message}))
        failed = case.state in ("failure", "error")
        shown = found if failed else ElementTree.SubElement(element, "system-out")
        shown.text = visible(case.output)
    return suite


def _sums(suites: Iterable[Sequence[TestCase]]) -> dict[str, str]:
    """Numbers of cases by state, and seconds, rounded as those of the cases are."""
    cases = [case for suite in suites for case in suite]
    states = {"failures": "failure", "errors": "error", "skipped": "skipped"}
    numbers = {name: str(sum(case.state == state for case in cases)) for name, state in states.items()}
    return {"tests": str(len(cases)), **numbers, "time": f"{sum(round(case.seconds, 3) for case in cases):.3f}"}


def _cases(verdict: Verdict, allow_inconclusive: bool) -> Iterator[TestCase]:
    """A case for every engine that had a say, in its order; the time of the check is that of the first.

    Where the outcome is not as expected, the engines that found it are to blame; all, where none did alone.
    """
    engines = list(dict.fromkeys(evidence.engine for evidence in verdict.evidence)) or [""]
    by_engine = {engine: [e for e in verdict.evidence if e.engine == engine] for engine in engines}
    blamed = [e for e, found in by_engine.items() if verdict.outcome in (one.outcome for one in found)] or engines
    for place, (engine, found) in enumerate(by_engine.items()):
        state, message = _state(verdict, found, engine in blamed, allow_inconclusive)
        yield TestCase(
            name=f"{verdict.id} [{engine}]" if engine else verdict.id,
            group=group(verdict),
            seconds=0.0 if place else verdict.duration_s,
            state=state,
            message=message,
            output=_output(verdict, found, brief=state == "passed"),
        )


def _state(verdict: Verdict, found: Sequence[Evidence], blamed: bool, allow_inconclusive: bool) -> tuple[str, str]:
    """What became of a case, and why if it did not pass."""
    said = f"{verdict.outcome.word}, expected {verdict.expected.word}"
    reason = f"{said}: {sections.reason(verdict)}"
    if not verdict.as_expected and blamed:
        if verdict.accepted:
            return "skipped", f"{said}; accepted {verdict.accepted}"
        if exit_code([verdict], allow_inconclusive) is ExitCode.EXPECTED:
            return "skipped", reason
        return "error" if verdict.outcome is Outcome.ERROR else "failure", reason
    if found and all(one.outcome is Outcome.NOT_RUN for one in found):
        return "skipped", "; ".join(one.detail for one in found)
    return "passed", ""


def _output(verdict: Verdict, found: Sequence[Evidence], brief: bool) -> str:
    """What the engine found, then the line of the verdict, or all about it."""
    own = [f"{one.engine}: {one.outcome.word}: {one.detail}" for one in found]
    return "\n".join([*own, summary(verdict) if brief else details(verdict)])


def _attributes(words: Mapping[str, str]) -> dict[str, str]:
    """With escapes of hidden characters, among them all that XML 1.0 forbids."""
    return {name: visible(value) for name, value in words.items()}
