"""Links between the pages of a report: each leads to the page that has its goal."""

from __future__ import annotations

import os.path
import re
from collections.abc import Mapping

_ID = re.compile(r'\bid="([^"]*)"')
_LINK = re.compile(r'<a (class="node" )?href="#([^"]*)">(.*?)</a>', re.DOTALL)


def joined(pages: Mapping[str, str]) -> dict[str, str]:
    """The pages by their path in the run folder, with links that land.

    A goal that another page has is looked for there; one that no page has becomes plain text, in a graph a node
    without a link.
    """
    goals = {path: set(_ID.findall(html)) for path, html in pages.items()}
    where = {goal: path for path, own in reversed(goals.items()) for goal in own}
    return {path: _landing(path, html, goals[path], where) for path, html in pages.items()}


def _landing(page: str, html: str, own: set[str], where: Mapping[str, str]) -> str:
    def landing(link: re.Match[str]) -> str:
        node, goal, words = link.groups()
        if goal in own:
            return link[0]
        if goal in where:
            return f'<a {node or ""}href="{between(page, where[goal])}#{goal}">{words}</a>'
        tag = "g" if node else "code"
        return f"<{tag}>{words}</{tag}>"

    return _LINK.sub(landing, html)


def between(page: str, other: str) -> str:
    """The address of a page, seen from another."""
    return os.path.relpath(other, os.path.dirname(page) or ".").replace(os.sep, "/")
