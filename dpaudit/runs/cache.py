"""Verdicts kept by the digest of everything that they depend on.

The key covers the file of the item, for a claim its parts, the files of the claims that it cites, its shipped
certificates and the named theorems beside it,
every source file of dpaudit, the versions of the packages, the processor and its settings, seed, level and share of
the error budget: one changed byte makes a new key. A flow says which of its items may be kept: claims, forms of
algorithms, and the targets that came with dpaudit. Not kept: verdicts of a file that imports code from anywhere else,
starts programs or reads a clock, with an ERROR, undecided against expectation (a solver may have run out of time), or
made while a source file changed. A damaged entry, and one under another key than its own, counts as absent.
"""

from __future__ import annotations

import ast
import contextlib
import hashlib
import json
import os
import sys
from functools import lru_cache
from pathlib import Path, PurePosixPath

from dpaudit.content import places
from dpaudit.records import documents, shapes
from dpaudit.records.context import Context, slug
from dpaudit.records.errors import DpauditError
from dpaudit.records.serial import Json, decode, encode
from dpaudit.records.verdict import Evidence, Outcome, Verdict
from dpaudit.runs import provenance

KNOWN = frozenset({"numpy", "scipy", "sympy", "mpmath", "flint", "numba", "torch"})
"""Packages whose versions are in the key."""
ELSEWHERE = frozenset({"importlib", "runpy", "pathlib", "subprocess", "io", "os", "sys", "urllib", "socket", "sqlite3"})
"""Modules of the standard library that bring in what the key cannot know."""
OUTSIDE = frozenset({"dpaudit.adapters.command", "dpaudit.attacks.running_time", "dpaudit.audit.timing"})
"""Modules of dpaudit with which a file starts other programs or reads a clock."""
SOLVERS = ("z3-solver", "cvc5")
VARIABLE = "DPAUDIT_CACHE"
"""The environment variable that names another folder."""

_SCHEMA = {
    "type": "object",
    "properties": {
        "digest": {"type": "string"},
        "content": {
            "type": "object",
            "properties": {
                "verdicts": {"type": "array"},
                "attachments": {"type": "object", "additionalProperties": {"type": "string"}},
            },
            "required": ["verdicts", "attachments"],
        },
    },
    "required": ["digest", "content"],
}

_asked: dict[str, tuple[Path, str, Context, tuple[str | Path, ...]]] = {}
"""What each key of this process stands for, so that it can be made again."""


def folder() -> Path:
    """Where verdicts are kept: $DPAUDIT_CACHE, else dpaudit/ in the cache folder of the user.

    FileNotFoundError for a user without a home, as in a container that runs under any number.
    """
    import platformdirs

    named = os.environ.get(VARIABLE)
    try:
        return Path(named) if named else platformdirs.user_cache_path("dpaudit", appauthor=False)
    except RuntimeError as error:
        raise FileNotFoundError(f"no folder to keep verdicts in: {error}; or set {VARIABLE}") from error


def key(path: Path, name: str, context: Context, *more: str | Path) -> str:
    """The digest of the item `name` of the file `path` and of all that decides its verdicts.

    more: what the flow knows beside that decides them, texts and files.
    """
    from dpaudit.claims.certificates.certificate import FOLDER

    home = places.paper_of(path)
    beside = home.parent / places.THEOREMS
    shipped = (home / FOLDER).glob(f"{slug(name)}*.json")
    files = [*places.claim_files(path), home / places.PAPER_FILE, *sorted(beside.glob("*")), *sorted(shipped)]
    files += [one for one in more if isinstance(one, Path)]
    settings = [name, places.shown(path), context.seed, context.level, context.alpha, context.device]
    settings += [context.mutants, context.left_out, context.folder is not None, provenance.arithmetic()]
    settings += [one for one in more if isinstance(one, str)]
    total = hashlib.sha256(_engine())
    for file in files:
        total.update(hashlib.sha256(file.read_bytes()).digest() if file.is_file() else b"absent")
    total.update(repr([*settings, [file.name for file in files]]).encode())
    digest = total.hexdigest()
    _asked[digest] = (path, name, context, more)
    return digest


def self_contained(path: Path) -> bool:
    """Do the file, or those of the claim, import one another, dpaudit, the standard library and packages of known
    version only, and open no file, start no program and read no clock?"""
    parts = {f".{file.stem}" for file in places.claim_files(path) if places.in_claim_folder(path)}
    try:
        return all(_known_alone(file, parts) for file in places.claim_files(path))
    except (SyntaxError, ValueError):  # it cannot be loaded either, and the loader says why
        return False


def _known_alone(file: Path, parts: set[str]) -> bool:
    """Does the file bring in nothing but `parts`, dpaudit and what is known by its version?"""
    nodes = list(ast.walk(ast.parse(file.read_text(encoding="utf-8"))))
    used = {alias.name for node in nodes if isinstance(node, ast.Import) for alias in node.names}
    taken = [node for node in nodes if isinstance(node, ast.ImportFrom)]
    used |= {"." * node.level + (node.module or "") for node in taken} - parts
    outside = OUTSIDE & (used | {f"{node.module}.{alias.name}" for node in taken for alias in node.names})
    called = {node.id for node in nodes if isinstance(node, ast.Name)} & {"open", "exec", "eval", "__import__"}
    tops = {name.partition(".")[0] for name in used}
    return not called and not outside and tops <= {"dpaudit", *KNOWN} | (sys.stdlib_module_names - ELSEWHERE)


@lru_cache(maxsize=1)
def _engine() -> bytes:
    """The digest of dpaudit as this process has loaded it."""
    return _sources()


def _sources() -> bytes:
    """The digest of the source files of dpaudit and of the versions that matter."""
    solvers = [provenance.version(name) for name in SOLVERS]
    return hashlib.sha256(repr([provenance.versions(), solvers]).encode() + provenance.source_digest()).digest()


def load(digest: str, context: Context) -> list[Json] | None:
    """The JSON form of the kept verdicts, their attachments written again; None if there is no sound entry."""
    try:
        path = folder() / f"{digest}.json"
        entry = documents.parse(documents.read_text(path), str(path))
        shapes.hold(entry, _SCHEMA, {}, str(path))
        content, known = entry["content"], {"Verdict": Verdict, "Evidence": Evidence}
        files: dict[str, str] = content["attachments"]
        sound = all(isinstance(one, Verdict) for one in decode(content["verdicts"], known))
        if not sound or entry["digest"] != _sum(digest, content) or not all(map(_inside, files)):
            return None
    except (OSError, DpauditError):  # absent or damaged: made again
        return None
    for name, text in files.items():
        context.attach(name, text)
    kept: list[Json] = content["verdicts"]
    return kept


def _inside(name: str) -> bool:
    """Does the path stay in the folder that it is relative to?"""
    path = PurePosixPath(name)
    return not path.is_absolute() and ".." not in path.parts and len(path.parts) > 1 and name.isprintable()


def save(digest: str, verdicts: list[Verdict], context: Context) -> None:
    """Keep the verdicts and the files that they name; what cannot be read or written only costs time later."""
    with contextlib.suppress(OSError):
        _save(digest, verdicts, context)


def _save(digest: str, verdicts: list[Verdict], context: Context) -> None:
    path, name, asked, more = _asked[digest]
    if _sources() != _engine() or key(path, name, asked, *more) != digest:
        return
    undecided = (Outcome.INCONCLUSIVE, Outcome.NOT_RUN)
    if any(v.outcome is Outcome.ERROR or (v.outcome in undecided and not v.as_expected) for v in verdicts):
        return
    base = Path(context.folder or ".")
    names = sorted({name for v in verdicts for name in v.attachments})
    content = {
        "verdicts": encode(verdicts),
        "attachments": {name: (base / name).read_text(encoding="utf-8") for name in names},
    }
    entry = {"digest": _sum(digest, content), "content": content}
    with contextlib.suppress(OSError):
        _put(folder() / f"{digest}.json", json.dumps(entry, allow_nan=False))


def _put(target: Path, text: str) -> None:
    draft = target.with_suffix(f".{os.getpid()}.tmp")
    try:
        target.parent.mkdir(parents=True, exist_ok=True)
        draft.write_text(text, encoding="utf-8")
        os.replace(draft, target)
    except BaseException:
        with contextlib.suppress(OSError):
            draft.unlink(missing_ok=True)
        raise


def _sum(digest: str, content: object) -> str:
    """The SHA-256 of a key and what is kept under it."""
    return hashlib.sha256(json.dumps([digest, content], sort_keys=True, allow_nan=False).encode()).hexdigest()
