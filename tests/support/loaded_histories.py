"""Imported by the process whose copies play histories: the run of histories is played once, so that all is loaded.

What each copy would ask of the disk again, the versions of packages and the digest of dpaudit, is asked once.
"""

from __future__ import annotations

import contextlib
import tempfile
from functools import cache
from pathlib import Path

import distributed.nanny
import distributed.worker  # noqa: F401
import histories

from dpaudit.runs import provenance

for _name in ("version", "source_digest"):
    setattr(provenance, _name, cache(getattr(provenance, _name)))
with tempfile.TemporaryDirectory() as _folder, contextlib.chdir(_folder):
    histories.fill(Path())
    histories.play("local", Path("run"))
