"""Where the machine code of the package is kept between processes: in the user's cache, a folder for each state of the
sources.

A process that must not write there has a folder of its own, which begins with links to what is there: COMPILED names
the cache that it starts from.
"""

from __future__ import annotations

import contextlib
import hashlib
import os
import subprocess
import sys
from functools import cache
from pathlib import Path
from typing import Any

COMPILED = "DPAUDIT_COMPILED"
"""The environment variable of a sandbox with the cache of the process that started it."""
_DRAWS = """
import numpy as np
from dpaudit.noise import kernels
kernels.draw((1, 2), np.arange(3), 0, 2, True)
"""
_PACKAGE = Path(__file__).resolve().parents[1]


def home() -> str:
    """The folder below which compiled code is kept, numba's and that of dpaudit; begins with ~ for a user without a
    home, as in a container that runs under any number."""
    return os.environ.get("NUMBA_CACHE_DIR") or os.environ.get("XDG_CACHE_HOME") or os.path.expanduser("~/.cache")


@cache
def cache_folder() -> str:
    """The folder of compiled code for exactly these sources, "" where no folder can be written."""
    whole = (path for name in ("noise", "algorithms") for path in (_PACKAGE / name).rglob("*.py"))
    sources = sorted({*whole, *_PACKAGE.rglob("*kernels.py")})
    digest = hashlib.sha256(b"\0".join(path.read_bytes() for path in sources)).hexdigest()[:16]
    if home().startswith("~"):
        return ""
    folder = Path(home()) / "dpaudit" / digest
    try:
        folder.mkdir(parents=True, exist_ok=True)
        if COMPILED in os.environ:
            _link(Path(os.environ[COMPILED]) / "dpaudit" / digest, folder)
    except OSError:
        return ""
    return str(folder) if os.access(folder, os.W_OK) else ""


@cache
def prepare() -> None:
    """Let the cache have the noise, which many targets draw: sandboxes that start from it would compile it each time.

    A process that dies of it changes nothing: then they do.
    """
    folder = cache_folder()
    if folder and not any(Path(folder).glob("noise/kernels._fill-*.nbi")):
        subprocess.run([sys.executable, "-P", "-c", _DRAWS], check=False, capture_output=True)


def keep_nothing(compiled: str, folder: str) -> None:
    """In a process that ends soon and may write in `folder` alone: what it compiles is not kept. compiled: the `home`
    of the process that it is a copy of, whose code is used."""
    os.environ |= {COMPILED: compiled, "NUMBA_CACHE_DIR": str(Path(folder) / ".numba")}
    caching: Any = sys.modules.get("numba.core.caching")
    if caching is not None:  # functions that are there already would write where they have read
        caching.Cache.save_overload = lambda cache, signature, data: None


def _link(kept: Path, folder: Path) -> None:
    """Let `folder` have what is `kept`. numba replaces whole files, so that the links, and not what they lead to, make
    way for what is compiled anew."""
    for file in kept.rglob("*.nb[ic]"):
        link = folder / file.relative_to(kept)
        link.parent.mkdir(parents=True, exist_ok=True)
        with contextlib.suppress(FileExistsError):
            link.symlink_to(file)
