"""Loads the folder of a claim as a package of its own, so that its parts come by `from .printed import PRINTED`.

The package is known to this process alone: it carries the digest of all its files in its name, stands on no search
path, and is executed from the bytes that were digested. So two folders may both have a `printed.py`, and an edited part
is never mistaken for what it was.
"""

from __future__ import annotations

import hashlib
import importlib
import re
import sys
from collections.abc import Sequence
from importlib.abc import Loader, MetaPathFinder
from importlib.machinery import ModuleSpec
from importlib.util import spec_from_file_location
from pathlib import Path
from types import ModuleType

from dpaudit.content.places import CLAIM_FILE, claim_files, python_bytes, shown
from dpaudit.records.errors import ContentError

CLAIM_PACKAGE = "dpaudit_claim_"
"""Begins the names of the packages."""


class _Parts(MetaPathFinder, Loader):
    """Finds and executes the files of the folders of claims, each by the name of its package and its own."""

    def __init__(self) -> None:
        self.packages: dict[str, dict[str, tuple[Path, bytes]]] = {}

    def find_spec(
        self, name: str, path: Sequence[str] | None = None, target: ModuleType | None = None
    ) -> ModuleSpec | None:
        """Where the part `name` comes from; None for what is no part of a loaded folder."""
        package, _, part = name.rpartition(".")
        found = self.packages.get(package, {}).get(part)
        return found and spec_from_file_location(name, found[0], loader=self)

    def exec_module(self, module: ModuleType) -> None:
        """Execute the bytes that the name of the package is the digest of."""
        package, _, part = module.__name__.rpartition(".")
        file, content = self.packages[package][part]
        exec(compile(content, str(file), "exec"), module.__dict__)


_PARTS = _Parts()


def load_folder(folder: Path) -> ModuleType:
    """The module of `claim.py`, with its parts; the same bytes are executed once per process.

    Raises ContentError for a part that holds a claim: only those of `claim.py` are collected.
    """
    files = {file.stem: (file, python_bytes(file)) for file in claim_files(folder / CLAIM_FILE)}
    for file, content in files.values():
        if file.name != CLAIM_FILE and re.search(rb"^CLAIMS?\b", content, re.MULTILINE):
            raise ContentError(f"{shown(file)} defines a claim; of a folder with {CLAIM_FILE} only that file's count")
    total = hashlib.sha256(str(folder.resolve()).encode())
    for stem, (_, content) in files.items():
        total.update(b"\0" + stem.encode() + b"\0" + hashlib.sha256(content).digest())
    package = f"{CLAIM_PACKAGE}{folder.name}_{total.hexdigest()[:16]}"
    name = f"{package}.{Path(CLAIM_FILE).stem}"
    if name in sys.modules:
        return sys.modules[name]
    if _PARTS not in sys.meta_path:
        sys.meta_path.append(_PARTS)
    _PARTS.packages[package] = files
    try:
        sys.modules[package] = ModuleType(package)
        sys.modules[package].__path__ = []
        return importlib.import_module(name)
    except BaseException:
        _forget(package)
        raise


def modules_of(module: ModuleType) -> tuple[ModuleType, ...]:
    """The module of a claim and, where it stands in a folder of its own, the parts that it imports."""
    package = module.__name__.rpartition(".")[0]
    parts = (f"{package}.{part}" for part in _PARTS.packages.get(package, ()))
    return (module, *(sys.modules[part] for part in parts if part in sys.modules and part != module.__name__))


def _forget(package: str) -> None:
    for name in [name for name in sys.modules if name == package or name.startswith(f"{package}.")]:
        del sys.modules[name]
    del _PARTS.packages[package]
