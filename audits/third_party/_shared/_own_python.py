"""Libraries that need a Python of their own: where it is, what is missing without it, and the audits of its releases.

A library whose requirements do not go with those of dpaudit is installed in an environment of its own, which a variable
names. This file has a folder of its own: its folder is searched for modules, and those of the audits have names of
libraries. A worker beside the audits, `_worker.py`, is run by that Python (`_answers.py` has its protocol).
"""

from __future__ import annotations

import os
import sys
from collections.abc import Callable
from dataclasses import dataclass
from importlib.util import find_spec
from pathlib import Path
from typing import Any

from dpaudit.adapters.command import Command
from dpaudit.records.context import Level
from dpaudit.records.errors import MissingPackageError
from dpaudit.records.privacy import PrivacyClaim


@dataclass(frozen=True)
class Library:
    """A library and where its Python is.

    name: of the package, and what its targets start with; version: that is audited; variable: of the environment, names
    the Python; others: what pip installs beside it; python: what makes the environment; worker: run by that Python.
    """

    name: str
    version: str
    variable: str
    worker: Path
    others: str = ""
    python: str = "python"

    def executable(self) -> str:
        """The Python that has the library: that of the variable, or the running one. MissingPackageError if neither."""
        named = os.environ.get(self.variable, "")
        if not named and not self.installed():
            raise MissingPackageError(self.name, "", self.installation())
        return named or sys.executable

    def installed(self) -> bool:
        """Does the running Python have the library?"""
        return find_spec(self.name) is not None

    def installation(self) -> str:
        """What a user types to get it."""
        folder = f"{self.name}-venv"
        packages = f"{self.name}=={self.version}{self.others and f' {self.others}'}"
        return (
            f"{self.python} -m venv {folder} && {folder}/bin/pip install {packages} "
            f"&& export {self.variable}=$PWD/{folder}/bin/python"
        )

    def audit(
        self,
        name: str,
        release: str,
        pair: tuple[Any, Any],
        score: Callable[[Any, Any, Any], Any] | None,
        privacy: PrivacyClaim,
        **options: Any,
    ) -> Command:
        """One target. release: a function of the worker; score: None for the attacks that dpaudit chooses among."""
        if score is not None:
            options["attacks"] = {"score": score}
        return Command(
            f"{self.name}/{name}",
            lambda: (self.executable(), str(self.worker), release),
            pair=pair,
            claim=privacy,
            worker=True,
            optional=True,
            from_level=Level.STANDARD,
            **options,
        )
