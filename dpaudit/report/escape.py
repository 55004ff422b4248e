"""Text of other people as GitHub-flavoured Markdown: nothing in it becomes structure, a link, a mention or HTML.

Every character that Markdown or HTML could take for structure becomes a numeric entity, which renders as the character
("Entity and numeric character references", CommonMark 0.31, section 2.5).
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Sequence

from dpaudit.records.verdict import Verdict
from dpaudit.report import sections, wording

MOST_CHARACTERS = 1_500
"""Of one piece of text; what is cut off is in records.jsonl."""

_STRUCTURE = re.compile(r"[^\w .,;=()%/+'\"?!^-]|_")
_LINKED = re.compile(r"(?i)\b(www\.|https?|ftp|xmpp|mailto)")


def clipped(value: str) -> str:
    """`value`, cut where it is too long to be read."""
    return value if len(value) <= MOST_CHARACTERS else value[:MOST_CHARACTERS] + " ... (cut)"


def text(value: str) -> str:
    """One line that renders as `value`, for behind other text of its line, where a dash or a number begins no list.

    Mentions, references to issues and addresses are broken by a space of no width.
    """
    line = " ".join(wording.clean(clipped(value)).split())
    broken = _LINKED.sub(lambda found: f"{found[0][0]}\u200b{found[0][1:]}", line)
    escaped = _STRUCTURE.sub(lambda found: f"&#{ord(found[0])};", broken)
    return re.sub("&#(?:64|35);", r"\g<0>&#8203;", escaped)


def code(value: str) -> str:
    """`text` in the font of code; empty stays empty."""
    return f"<code>{text(value)}</code>" if value else ""


def fenced(lines: str) -> str:
    """Lines as a block of code; its fence is longer than any in the lines."""
    longest = max((len(run) for run in re.findall(r"`+", lines)), default=0)
    fence = "`" * max(3, longest + 1)
    return f"{fence}text\n{lines}\n{fence}"


def table(head: Sequence[str], rows: Iterable[Sequence[str]], numbers: Sequence[int] = ()) -> Iterator[str]:
    """The lines of a table whose cells are escaped already. numbers: places of columns that are set to the right."""
    yield f"| {' | '.join(head)} |"
    yield "".join("| ---: " if place in numbers else "| --- " for place in range(len(head))) + "|"
    yield from (f"| {' | '.join(row)} |" for row in rows)


def judged(verdict: Verdict) -> str:
    """The outcome, and where it matters what was expected and what it rests on."""
    said = verdict.outcome.word
    if verdict.basis is not None:
        said += f" ({verdict.basis})"
    if verdict.assuming:
        said += f", assuming {', '.join(verdict.assuming)}"
    if not verdict.as_expected:
        said += f"; expected {verdict.expected.word}"
    return text(said) + (f"<br>accepted {text(verdict.accepted)}" if verdict.accepted else "")


def witness(verdict: Verdict) -> str:
    """The numbers that refute, in the font of code; empty without any."""
    return code(", ".join(f"{name} = {wording.number(value)}" for name, value in verdict.witness))


def finding(verdict: Verdict) -> Iterator[str]:
    """A heading and a list: what one outcome is, why, what it means, what holds instead, how to see it again."""
    yield f"### {code(verdict.id)} {text(verdict.title)}"
    yield ""
    parts = (
        ("outcome", judged(verdict)),
        ("statement", code(verdict.statement)),
        ("witness", witness(verdict)),
        ("found", text(sections.reason(verdict))),
        ("effect", text(verdict.effect)),
        ("repair", code(verdict.repair)),
        ("source", text(verdict.source)),
        ("files", ", ".join(map(code, verdict.attachments))),
        ("replay", code(verdict.replay)),
    )
    yield from (f"- **{name}**: {value}" for name, value in parts if value)
