"""The templates: every text of a record is escaped, stripped of control characters and cut to a readable length."""

from __future__ import annotations

import base64
import hashlib
from functools import partial
from operator import attrgetter
from pathlib import Path
from typing import Any

from dpaudit.records.errors import MissingPackageError
from dpaudit.records.verdict import Kind, Outcome, Verdict
from dpaudit.report import catalogue, deciding, formulas, scope, sections, wording
from dpaudit.report.errata import uses
from dpaudit.report.page import margins
from dpaudit.report.page.figures import inline
from dpaudit.report.page.limits import Limits
from dpaudit.report.severity import accusation, by_severity

TEMPLATES = Path(__file__).parent / "templates"
SCRIPT = (TEMPLATES / "find.js").read_text(encoding="utf-8")
_DIGEST = base64.b64encode(hashlib.sha256(SCRIPT.encode()).digest()).decode()
BRIEF = 300
"""Characters of a statement on the first screen; the finding has all of it."""
POLICY = f"default-src 'none'; style-src 'unsafe-inline'; script-src 'sha256-{_DIGEST}'; form-action 'none'"
"""A page loads nothing, and runs the search alone."""


def environment(limits: Limits, above: str = "") -> Any:
    """The templates under these limits; above: what leads from the page to the run folder, empty or "../"."""
    try:
        from jinja2 import Environment, FileSystemLoader, StrictUndefined
        from markupsafe import Markup
    except ImportError as error:
        raise MissingPackageError("jinja2", "report") from error

    def shown(value: object) -> object:
        return value if isinstance(value, Markup) or not isinstance(value, str) else wording.clean(value, limits.text)

    made = Environment(
        loader=FileSystemLoader(TEMPLATES),
        autoescape=True,
        undefined=StrictUndefined,
        trim_blocks=True,
        lstrip_blocks=True,
        finalize=shown,
    )
    made.filters.update(
        number=wording.number,
        anchor=wording.anchor,
        finding=wording.finding,
        file=partial(wording.file, above=above),
        word=attrgetter("word"),
        cut=limits.cut,
        brief=partial(wording.clean, most=BRIEF),
        paper=sections.paper_of,
        points=wording.points,
    )
    made.globals.update(
        {
            "sections": sections,
            "scope": scope,
            "catalogue": catalogue,
            "deciding": deciding,
            "Outcome": Outcome,
            "Kind": Kind,
            "accusation": accusation,
            "by_severity": by_severity,
            "uses": uses,
            "typeset": _typeset,
            "checks_drawn": _checks_drawn,
            "policy": Markup(POLICY),
            "script": Markup(SCRIPT),
        }
    )
    return made


def _checks_drawn(verdict: Verdict) -> Any:
    """The structural checks that refute a verdict, each against its limit, as a picture; empty if none says a value."""
    from markupsafe import Markup

    found = margins.margins(verdict)
    return Markup(inline(margins.svg(found, verdict.id))) if found else ""


def _typeset(formula: str, name: str) -> Any:
    """A printed formula in a region called `name`, which scrolls where it is wide; empty if it cannot be typeset."""
    from markupsafe import Markup

    made = formulas.mathml(formula)
    region = '<div class="formula" tabindex="0" role="region" aria-label="{}, as printed">{}</div>'
    return Markup(region).format(wording.clean(name), Markup(made)) if made else ""
