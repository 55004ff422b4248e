"""The formats of a run: every module of this folder that has a NAME, see `view.Format`."""

from __future__ import annotations

import importlib
import pkgutil
from collections.abc import Iterator, Mapping
from typing import cast

from dpaudit.report import formats
from dpaudit.report.formats.view import Format


def _found() -> Iterator[Format]:
    for found in pkgutil.iter_modules(formats.__path__, f"{formats.__name__}."):
        module = importlib.import_module(found.name)
        if hasattr(module, "NAME"):
            yield cast(Format, module)


FORMATS: Mapping[str, Format] = {one.NAME: one for one in sorted(_found(), key=lambda one: (one.PLACE, one.NAME))}
"""The formats by name, in the order of help texts."""
