"""The exceptions that dpaudit raises on purpose; everything else is a crash."""

from __future__ import annotations

import difflib
from collections.abc import Iterable


class DpauditError(Exception):
    """Base class: the message says what was given, what is allowed, what to do."""


class ConfigurationError(DpauditError):
    """Wrong arguments or configuration (exit code 2)."""


class ContentError(DpauditError):
    """A claim, algorithm or target file is broken (an ERROR verdict)."""


class UnknownNameError(ConfigurationError):
    """A name that nothing carries; the message names the nearest known one."""

    def __init__(self, what: str, name: str, known: Iterable[str]) -> None:
        known = sorted(known)
        near = difflib.get_close_matches(name, known, n=1, cutoff=0.4)
        hint = f"; did you mean {near[0]!r}?" if near else ""
        listed = ", ".join(known[:8]) + (", ..." if len(known) > 8 else "")
        super().__init__(f"unknown {what} {name!r}{hint} (known: {listed or 'none'})")


class MissingPackageError(DpauditError):
    """An optional package is absent; carries the line that installs it: that of an extra, or `install`."""

    def __init__(self, package: str, extra: str, install: str = "") -> None:
        self.package = package
        self.extra = extra
        self.install = install or f"pip install 'dpaudit[{extra}]'"
        super().__init__(f"{package} is not installed; run: {self.install}")
