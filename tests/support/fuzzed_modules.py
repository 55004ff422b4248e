"""The modules whose branches a fuzzer counts, by the boundary that they read at; this is read before any is loaded."""

from __future__ import annotations

MODULES: dict[str, tuple[str, ...]] = {
    "wire": ("dpaudit.audit.sandbox.wire",),
    "session": (
        "dpaudit.audit.sandbox", "dpaudit.audit.structural.recording", "dpaudit.audit.structural.recorded_values",
        "dpaudit.audit.alignment.log", "dpaudit.records",
    ),
    "plan": ("dpaudit.audit.sandbox", "dpaudit.audit.tiers", "dpaudit.content", "dpaudit.records", "dpaudit.runs"),
    "readers": (
        "dpaudit.records", "dpaudit.runs", "dpaudit.cli.config", "dpaudit.report.page.figures",
        "dpaudit.claims.certificates",
    ),
    "expressions": (
        "dpaudit.claims.language.expression", "dpaudit.arithmetic.rationals", "dpaudit.recheck.terms",
        "dpaudit.recheck.evaluate", "dpaudit.recheck.interval", "dpaudit.recheck.special",
    ),
    "recheck": ("dpaudit.recheck",),
}  # fmt: skip
"""Names of modules, or of packages for all that is in them."""
