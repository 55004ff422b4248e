"""The structural checks of audits as text, as JSON and as Markdown."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from dataclasses import asdict

from dpaudit.audit.structural.explained import Explanation
from dpaudit.report.formats import text

Render = Callable[[Sequence[Explanation], bool], str]
"""render(checks, all of them): the text without its last line end."""

HEAD = """# Structural checks

An audit of a training records it, replays it on neighbouring data sets, and holds what it saw against properties that a
private training must have whatever its noise. `dpaudit explain CHECK` prints one of these sections; `--ignore CHECK`
leaves a check out, `--select CHECK` makes those alone. A check that is left out is *not run* in the record, with that
reason. Where a training is right and a check does not apply to it, say so beside the training, as the section of the
check says: that stays with the code, and the report shows it."""


def _page(checks: Sequence[Explanation], whole: bool) -> str:
    """Markdown, a section a check."""
    return "\n\n".join([*([HEAD] if whole else []), *map(_section, checks)])


def _section(check: Explanation) -> str:
    level = f"## {check.code}"
    facts = f"**False alarms**: {check.false_alarm}\n\n**Exception**: {check.exception}"
    return "\n\n".join((level, check.question, check.text, facts))


def _text(checks: Sequence[Explanation], whole: bool) -> str:
    """A line a check, or all of one."""
    if whole:
        width = max(len(check.code) for check in checks)
        return "\n".join(f"{check.code:<{width}}  {check.question}" for check in checks)
    return "\n\n".join(_plain(check) for check in checks)


def _plain(check: Explanation) -> str:
    rows = (check.question, check.text, f"False alarms: {check.false_alarm}", f"Exception: {check.exception}")
    return "\n\n".join((check.name, *rows))


def _records(checks: Sequence[Explanation]) -> Iterator[dict[str, str]]:
    yield from (asdict(check) for check in checks)


RENDER: dict[str, Render] = {
    "text": _text,
    "markdown": _page,
    "json": lambda checks, whole: text.dumps(list(_records(checks)), indent=2),
    "jsonl": lambda checks, whole: "\n".join(map(text.dumps, _records(checks))),
}
"""By the name of the format."""
