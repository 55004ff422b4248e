"""Verdicts of claims kept by the digest of everything that they depend on.

The key covers the claim file, the named theorems beside it, every source file of dpaudit, the
versions of the packages, seed, level and share of the error budget: one changed byte makes
a new key. Verdicts with an ERROR are not kept. A damaged entry counts as absent.
"""

from __future__ import annotations

import hashlib
import json
import os
from functools import lru_cache
from pathlib import Path
from typing import Any

from dpaudit import provenance, registry
from dpaudit.context import Context
from dpaudit.serial import encode
from dpaudit.verdict import Outcome, Verdict

VARIABLE = "DPAUDIT_CACHE"
"""The environment variable that names another folder."""


def folder() -> Path:
    """Where verdicts are kept: $DPAUDIT_CACHE, else dpaudit/ in the cache folder of the user."""
    named = os.environ.get(VARIABLE)
    home = os.environ.get("XDG_CACHE_HOME") or Path.home() / ".cache"
    return Path(named) if named else Path(home) / "dpaudit"


def key(path: Path, name: str, context: Context) -> str:
    """The digest of the claim `name` of the file `path` and of all that decides its verdicts."""
    beside = path.parent.parent / registry.THEOREMS
    files = [path, path.parent / "paper.toml", *sorted(beside.glob("*"))]
    parts = [file.read_bytes() for file in files if file.is_file()]
    settings = [name, registry.shown(path), context.seed, context.level, context.alpha, context.device]
    settings += [context.mutants, context.folder is not None]
    total = hashlib.sha256(_engine())
    for part in (*parts, repr(settings).encode()):
        total.update(hashlib.sha256(part).digest())
    return total.hexdigest()


@lru_cache(maxsize=1)
def _engine() -> bytes:
    """The digest of the source files of dpaudit and of the versions that matter."""
    package = Path(__file__).parent
    sources = sorted(p for p in package.rglob("*.py") if "_content" not in p.parts)
    total = hashlib.sha256(repr(provenance.versions()).encode())
    for source in sources:
        total.update(str(source.relative_to(package)).encode() + b"\0" + source.read_bytes())
    return total.digest()


def load(digest: str, context: Context) -> Any | None:
    """The JSON form of the kept verdicts, their attachments written again; None if there is no sound entry."""
    try:
        entry = json.loads((folder() / f"{digest}.json").read_text(encoding="utf-8"))
        if entry["digest"] != hashlib.sha256(_canonical(entry["content"])).hexdigest():
            return None
    except (OSError, ValueError, KeyError, TypeError):  # absent or damaged: it is made again
        return None
    for name, text in entry["content"]["attachments"].items():
        context.attach(name, text)
    return entry["content"]["verdicts"]


def save(digest: str, verdicts: list[Verdict], context: Context) -> None:
    """Keep the verdicts and the files that they name; a folder that cannot be written only costs time later."""
    if any(v.outcome is Outcome.ERROR for v in verdicts):
        return
    base = Path(context.folder or ".")
    names = sorted({name for v in verdicts for name in v.attachments})
    content = {
        "verdicts": encode(verdicts),
        "attachments": {name: (base / name).read_text(encoding="utf-8") for name in names},
    }
    entry = {"digest": hashlib.sha256(_canonical(content)).hexdigest(), "content": content}
    target = folder() / f"{digest}.json"
    draft = target.with_suffix(f".{os.getpid()}.tmp")
    try:
        target.parent.mkdir(parents=True, exist_ok=True)
        draft.write_text(json.dumps(entry, allow_nan=False), encoding="utf-8")
        os.replace(draft, target)
    except OSError:
        draft.unlink(missing_ok=True)


def _canonical(content: Any) -> bytes:
    return json.dumps(content, sort_keys=True, allow_nan=False).encode()
