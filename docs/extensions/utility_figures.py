"""The figures of error against epsilon, drawn from a file of `reports/utility/` when the site is built."""

from __future__ import annotations

from pathlib import Path
from typing import Any

from docutils import nodes
from docutils.parsers.rst import Directive
from sphinx.application import Sphinx

from dpaudit.report.page import utility
from dpaudit.report.page.figures import inline

FOLDER = Path(__file__).parents[2] / "reports" / "utility"


def figures(name: str) -> list[nodes.Node]:
    """Every figure of the file, each below its name; ContentError for a file that is none of errors."""
    made: list[nodes.Node] = []
    for found in utility.read(FOLDER / f"{name}.json"):
        svg = inline(utility.svg(found))
        drawn = f'<div class="utility-figure" tabindex="0" role="region" aria-label="Plots">{svg}</div>'
        made += [nodes.paragraph("", f"{found.title}: {found.error}"), nodes.raw("", drawn, format="html")]
    return made


class UtilityFigures(Directive):
    """The figures of the experiment that is named."""

    required_arguments = 1

    def run(self) -> list[nodes.Node]:
        return figures(self.arguments[0])


def setup(app: Sphinx) -> dict[str, Any]:
    """Called by Sphinx."""
    app.add_directive("utility-figures", UtilityFigures)
    return {"parallel_read_safe": True}
