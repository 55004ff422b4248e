"""The graph of a paper: its claims, and which rests on which, as one static SVG."""

from __future__ import annotations

import html
import re
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from functools import cache
from pathlib import Path

from dpaudit.records.verdict import GRAVEST_FIRST, Kind, Outcome, Verdict, worst
from dpaudit.report import sections, wording
from dpaudit.report.page import drawing

MOST_NODES = 120
"""Claims of a paper above which the graph is left out: nobody could read it."""
MOST_SIGNS = 16
"""Longest name that fits into a node."""
WIDE, HIGH, GAP, DROP, ACROSS = 150, 30, 14, 36, 6
"""Width and height of a node, the gap beside and below it, and how many nodes stand in a row at the most."""
STYLES = Path(__file__).parent / "templates" / "report.css"
HUES = {
    Outcome.PROVED: "good", Outcome.CONSISTENT: "fair", Outcome.REFUTED: "bad", Outcome.ERROR: "bad",
    Outcome.INCONCLUSIVE: "warn", Outcome.NOT_RUN: "none",
}  # fmt: skip
"""The names in report.css of the colours that mean an outcome."""


@dataclass(frozen=True)
class Node:
    """A claim. proof: the gravest outcome of its steps; rests: the claims that it uses; doubtful: something below it is
    refuted; x, y: its upper left corner."""

    name: str
    statement: Outcome
    proof: Outcome | None
    rests: frozenset[str]
    doubtful: bool = False
    x: int = 0
    y: int = 0


def nodes(verdicts: Sequence[Verdict], paper: str) -> list[Node]:
    """The claims of the paper in the order of the run, each with what its statement and its steps use."""
    of_paper = [v for v in verdicts if v.kind in sections.OF_PAPERS and sections.paper_of(v) == paper]
    own: dict[str, list[Verdict]] = {v.id: [] for v in of_paper if v.kind is Kind.CLAIM}
    for v in of_paper:
        own.get(sections.claim_of(v), []).append(v)
    made = [_node(name, group, own) for name, group in own.items()]
    doubtful = _above([node.name for node in made if node.statement is Outcome.REFUTED], made)
    return [replace(node, doubtful=node.name in doubtful) for node in made]


def _node(name: str, group: Sequence[Verdict], known: Mapping[str, object]) -> Node:
    claims = [v.outcome for v in group if v.kind is Kind.CLAIM]
    steps = [v.outcome for v in group if v.kind is Kind.STEP]
    used = {"/".join(one.split("/")[:2]) for v in group for one in (*v.given, *v.rests_on)}
    return Node(name, worst(claims) or Outcome.NOT_RUN, worst(steps), frozenset((used & set(known)) - {name}))


def _above(refuted: Sequence[str], made: Sequence[Node]) -> set[str]:
    """Everything that rests on a refuted claim, also through others."""
    users: dict[str, list[str]] = {}
    for node in made:
        for name in node.rests:
            users.setdefault(name, []).append(node.name)
    found, waiting = set(), list(refuted)
    for name in waiting:
        new = [user for user in users.get(name, ()) if user not in found]
        found.update(new)
        waiting += new
    return found


def placed(found: Sequence[Node]) -> list[Node]:
    """The nodes with their places, each below all that it uses; those that nothing is tied to come last."""
    levels = _levels({node.name: node.rests for node in found})
    tied = {name for node in found for name in (*node.rests, *([node.name] if node.rests else ()))}
    last = 1 + max(levels.values(), default=0)
    levels = {name: level if name in tied else last for name, level in levels.items()}
    rows: list[list[Node]] = []
    for level in sorted(set(levels.values())):
        row = [node for node in found if levels[node.name] == level]
        rows += [row[start : start + ACROSS] for start in range(0, len(row), ACROSS)]
    return [
        replace(node, x=GAP + place * (WIDE + GAP), y=GAP + line * (HIGH + DROP))
        for line, row in enumerate(rows)
        for place, node in enumerate(row)
    ]


def _levels(rests: Mapping[str, frozenset[str]]) -> dict[str, int]:
    """How many claims stand below each at most; a circle is cut where it is first entered."""
    found: dict[str, int] = {}

    def level(name: str, above: frozenset[str]) -> int:
        if name not in found:
            below = [level(one, above | {name}) for one in sorted(rests[name] - above - {name})]
            found[name] = 1 + max(below, default=-1)
        return found[name]

    for name in rests:
        level(name, frozenset())
    return found


def svg(verdicts: Sequence[Verdict], paper: str) -> str:
    """The graph, every node a link to its claim on the page; empty where it would show nothing or too much."""
    claims = nodes(verdicts, paper)
    if not any(node.rests for node in claims) or len(claims) > MOST_NODES:
        return ""
    found = placed(claims)
    width = max(node.x for node in found) + WIDE + GAP
    height = max(node.y for node in found) + HIGH + GAP
    label = html.escape(f"Claims of {wording.clean(paper, 80)} and what each rests on")
    lines = [
        f'<svg class="graph" viewBox="0 0 {width} {height}" style="width:{width}px" role="group" aria-label="{label}">'
    ]
    lines += [*_edges(found), *(_drawn(node) for node in found), "</svg>"]
    return "\n".join(lines)


def document(verdicts: Sequence[Verdict], paper: str) -> str:
    """The graph as an SVG file, in the light colours of the page; empty where `svg` is."""
    drawn = svg(verdicts, paper)
    title = f"Claims of {wording.clean(paper, 80)} and what each rests on"
    return drawing.together([_on_its_own(drawn)], title) if drawn else ""


def _on_its_own(drawn: str) -> str:
    """Without links, and with colours that need no style sheet: few programs beside browsers read all of them."""
    hue = _hues()
    node = '<path fill="{wash}" stroke="{stroke}" stroke-width="1.5" '
    changes = {
        r'<a class="node" href="[^"]*">(.*?)</a>': r"<g>\1</g>",
        r'class="graph" (viewBox="[^"]*") style="[^"]*"': r"\1",
        r'<path class="bad" ': f'<path fill="none" stroke="{hue["bad"]}" stroke-width="1.25" ',
        r"<path d=": f'<path fill="none" stroke="{hue["rule"]}" stroke-width="1.25" d=',
        r"<text ": '<text text-anchor="middle" font-size="12" font-family="DejaVu Sans Mono, monospace" ',
    } | {
        f'<path class="{outcome.value}" ': node.format(wash=hue["wash"], stroke=hue[name])
        for outcome, name in HUES.items()
    }  # fmt: skip
    for old, new in changes.items():
        drawn = re.sub(old, new, drawn)
    return drawn


@cache
def _hues() -> dict[str, str]:
    """The colours of the light page by name: those that the style sheet states first."""
    stated = re.findall(r"--(\w+): (#\w+);", STYLES.read_text(encoding="utf-8"))
    return dict(reversed(stated))


def _edges(found: Sequence[Node]) -> Iterator[str]:
    at = {node.name: node for node in found}
    for node in found:
        for name in sorted(node.rests):
            below, x, y = at[name], node.x + WIDE // 2, node.y
            bad = ' class="bad"' if below.statement is Outcome.REFUTED or below.doubtful else ""
            start = (below.x + WIDE // 2, below.y + HIGH)
            bend = max(DROP // 2, abs(y - start[1]) // 2)
            yield (
                f'<path{bad} d="M{start[0]} {start[1]} C{start[0]} {start[1] + bend} {x} {y - bend} {x} {y}">'
                f"<title>{_named(node)} rests on {_named(below)}</title></path>"
            )


def _drawn(node: Node) -> str:
    """A box with straight corners for a proof that holds, round ones where it is open, cut ones where a step fails."""
    said = f"{_named(node)}: {node.statement.word}"
    said += f"; printed proof: {node.proof.word}" if node.proof else ""
    said += "; something that it rests on is refuted" if node.doubtful else ""
    name = wording.clean(node.name.split("/", 1)[-1])
    shown = html.escape(name if len(name) <= MOST_SIGNS else f"{name[: MOST_SIGNS - 1]}…")
    text = f"{sections.MARKS[node.statement]} {shown}{' *' if node.doubtful else ''}"
    return (
        f'<a class="node" href="#{wording.anchor(node.name)}"><title>{said}</title>'
        f'<path class="{node.statement.value}" d="{_outline(node)}"/>'
        f'<text x="{node.x + WIDE // 2}" y="{node.y + HIGH // 2 + 4}">{text}</text></a>'
    )


def _outline(node: Node) -> str:
    x, y, cut = node.x, node.y, 9
    inner = (WIDE - 2 * cut, HIGH - 2 * cut)
    if node.proof is Outcome.PROVED:
        return f"M{x} {y}h{WIDE}v{HIGH}h-{WIDE}z"
    if node.proof in GRAVEST_FIRST[:2]:  # a step that is refuted, or that crashed
        corners = [f"l{cut} {cut}", f"l-{cut} {cut}", f"l-{cut} -{cut}", f"l{cut} -{cut}"]
    else:
        corners = [
            f"q{cut} 0 {cut} {cut}",
            f"q0 {cut} -{cut} {cut}",
            f"q-{cut} 0 -{cut} -{cut}",
            f"q0 -{cut} {cut} -{cut}",
        ]
    sides = (f"h{inner[0]}", f"v{inner[1]}", f"h-{inner[0]}", f"v-{inner[1]}")
    return f"M{x + cut} {y}" + "".join(side + corner for side, corner in zip(sides, corners, strict=True)) + "z"


def _named(node: Node) -> str:
    return html.escape(wording.clean(node.name, 80))
